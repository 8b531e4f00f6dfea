/** The part of a keyboard event that is read. */
type KeyPress = Pick<KeyboardEvent, 'key' | 'code' | 'repeat' | 'ctrlKey' | 'altKey' | 'metaKey' | 'timeStamp'>

/** The longest time between two keys of one scan, and more, in ms. */
const rest = 1_000

const pressing = new Set(['Space', 'Enter', 'NumpadEnter'])

/**
 * Tells a person's Space or Enter from a scan's, where nothing is typed. The scans that the page's listener recognizes never
 * get here; of the others (short, slow, damaged) the Enter must not take a photo. A person presses Space or Enter alone.
 */
export function createShutterKeys() {
  /** When a character was typed. */
  let typedAt = Number.NEGATIVE_INFINITY

  return {
    /** `press`: a person wants what the button does; `refuse`: keep the key from the page; `pass`: it means something else. */
    read({ key, code, repeat, ctrlKey, altKey, metaKey, timeStamp }: KeyPress): 'press' | 'refuse' | 'pass' {
      if (!pressing.has(code)) {
        // The digits of an Alt code are left alone too.
        if (key.length === 1) typedAt = timeStamp
        return 'pass'
      }
      // A held key would take the photo and use it unseen.
      if (repeat) return 'refuse'
      if (timeStamp - typedAt <= rest) {
        typedAt = timeStamp
        return 'refuse'
      }
      return ctrlKey || altKey || metaKey ? 'pass' : 'press'
    },
  }
}

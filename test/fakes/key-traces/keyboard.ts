import { type LayoutName, type Press, keyCodeOf, keyOf } from './layouts'

/** One keyboard event, with the properties that a browser reports. */
export interface KeyEvent {
  type: 'keydown' | 'keyup'
  code: string
  key: string
  keyCode: number
  shift: boolean
  ctrl: boolean
  alt: boolean
  altGraph: boolean
  capsLock: boolean
  repeat: boolean
  /** ms since the trace began. */
  at: number
}

export interface Modifiers {
  ctrl?: boolean
  alt?: boolean
}

/** Collects the events of one trace, as this computer would report them. */
export function createKeyboard(layout: LayoutName, capsLock: boolean) {
  const events: KeyEvent[] = []
  const event = (type: KeyEvent['type'], press: Press, at: number, { ctrl = false, alt = false }: Modifiers) => {
    const key = keyOf(press, layout, capsLock)
    events.push({
      ...press,
      type,
      key,
      keyCode: keyCodeOf(press.code, key),
      // Windows reports the right Alt as both keys.
      ctrl: ctrl || press.altGraph,
      alt: alt || press.altGraph,
      capsLock,
      repeat: false,
      at,
    })
  }
  return {
    events,
    /** Presses a key at a time, for a duration. */
    press(press: Press, at: number, held: number, modifiers: Modifiers = {}) {
      event('keydown', press, at, modifiers)
      event('keyup', press, at + held, modifiers)
    },
    /** A key held down so long that it repeats. */
    hold(press: Press, at: number, held: number) {
      event('keydown', press, at, {})
      for (let again = at + 500; again < at + held; again += 33) {
        event('keydown', press, again, {})
        const last = events.at(-1)
        if (last) last.repeat = true
      }
      event('keyup', press, at + held, {})
    },
    /** In order of time; events with the same time keep the order in which they were added. */
    finish: (): KeyEvent[] => events.toSorted((a, b) => a.at - b.at),
  }
}

export type Keyboard = ReturnType<typeof createKeyboard>

/** A key that has the same position in every layout. */
export const plain = (code: string): Press => ({ code, shift: false, altGraph: false })

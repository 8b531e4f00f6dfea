import { classify } from './classify'

/**
 * A keyboard wedge is a scanner that types. This assembler tells its bursts from people: it sees every key and answers
 * what to do with it. It decodes `code` (the place of the key, US layout) rather than `key`, so that a German or Spanish
 * keyboard layout does not turn `/` into something else.
 */

export interface Key {
  /** KeyboardEvent.code, e.g. `KeyA`, `Digit7`, `Slash`, `Enter`. */
  code: string
  /** KeyboardEvent.key: what the layout in force would type. */
  key: string
  shift: boolean
  capsLock: boolean
  /** Ctrl, Alt or Meta is held: a command, not typing. */
  command: boolean
  /** The key is held down and repeats: no scanner does that. */
  repeat: boolean
  /** Milliseconds, monotonic. */
  at: number
}

export interface WedgeTiming {
  /** Longest pause between two keys of one scan, in ms. */
  longestGap: number
  /** No person types so many characters with no pause longer than this, in ms: whatever comes so fast is a scan. */
  surelyFast: number
  fewestCharacters: number
  /** Fewest characters of a slow scan, which must be a code that we know besides: people type as fast as that. */
  fewestOfSlow: number
}

/**
 * `pass`: leave the key to whoever has the focus; `endsTyping` marks an Enter right behind other keys: from a scanner with a
 * short code it must not press a button. `take`: it belongs to a burst, keep it from the focused field.
 * `scan`: the burst ended here; take the key too, and take back what the burst had typed before it was known to be one.
 */
export type WedgeAnswer =
  { kind: 'pass'; burstStart: boolean; endsTyping?: boolean } | { kind: 'take' } | { kind: 'scan'; text: string }

/** Cable scanners need 1 to 20 ms a key, Bluetooth ones up to 100 and more. Part of Settings later. */
export const defaultTiming: WedgeTiming = { longestGap: 120, surelyFast: 50, fewestCharacters: 6, fewestOfSlow: 16 }

const shifted: Record<string, string> = {
  Minus: '_',
  Equal: '+',
  BracketLeft: '{',
  BracketRight: '}',
  Backslash: '|',
  Semicolon: ':',
  Quote: '"',
  Comma: '<',
  Period: '>',
  Slash: '?',
  Backquote: '~',
  Space: ' ',
}
const plain: Record<string, string> = {
  Minus: '-',
  Equal: '=',
  BracketLeft: '[',
  BracketRight: ']',
  Backslash: '\\',
  Semicolon: ';',
  Quote: "'",
  Comma: ',',
  Period: '.',
  Slash: '/',
  Backquote: '`',
  Space: ' ',
  NumpadDivide: '/',
  NumpadMultiply: '*',
  NumpadSubtract: '-',
  NumpadAdd: '+',
  NumpadDecimal: '.',
}
const shiftedDigits = ')!@#$%^&*('

/** The character that a US keyboard types for a key; `undefined` for a key that types none. */
export function characterOf(key: Pick<Key, 'code' | 'key' | 'shift' | 'capsLock'>): string | undefined {
  const letter = /^Key([A-Z])$/.exec(key.code)?.[1]
  if (letter !== undefined) {
    // Where the layout has the same letter in that place, what it types is what was meant, capitals included.
    if (key.key.toUpperCase() === letter) return key.key
    return key.shift !== key.capsLock ? letter : letter.toLowerCase()
  }
  const digit = /^(?:Digit|Numpad)([0-9])$/.exec(key.code)?.[1]
  if (digit !== undefined) {
    return key.shift && key.code.startsWith('Digit') ? shiftedDigits.charAt(Number(digit)) : digit
  }
  return key.shift ? (shifted[key.code] ?? plain[key.code]) : plain[key.code]
}

/** What a key adds to a scan. GS, the separator of GS1, comes as Ctrl+]. */
function textOf(key: Key): string | undefined {
  if (key.repeat) return undefined
  if (key.command) return key.code === 'BracketRight' ? '\u001d' : undefined
  return characterOf(key)
}

const isModifier = (code: string) => /^(Shift|Control|Alt|Meta|CapsLock)/.test(code)
const endsScan = (code: string) => code === 'Enter' || code === 'NumpadEnter' || code === 'Tab'

export interface Wedge {
  /** Takes the next key, answers what to do with it. */
  press(key: Key): WedgeAnswer
  /**
   * For scanners without an Enter at the end: the text of a burst that nobody continued, once `now` is a long gap
   * after its last key; otherwise undefined. Call it some time after the last key.
   */
  settle(now: number): string | undefined
}

/** One assembler per window. */
export function createWedge(timing: WedgeTiming = defaultTiming): Wedge {
  let text = ''
  let slowest = 0
  let isTaken = false
  let lastAt = Number.NEGATIVE_INFINITY

  const forget = () => {
    text = ''
    slowest = 0
    isTaken = false
    lastAt = Number.NEGATIVE_INFINITY
  }
  const isSure = () => text.length >= timing.fewestCharacters && slowest <= timing.surelyFast
  /** What was taken from the focused field is a scan whatever follows: nothing typed may get lost. */
  const isScan = () => isTaken || isSure() || (text.length >= timing.fewestOfSlow && isCode(text))
  const end = (isComplete: boolean): WedgeAnswer => {
    const scanned = isComplete && isScan() ? text : undefined
    const endsTyping = isComplete && text !== ''
    forget()
    return scanned === undefined ? { kind: 'pass', burstStart: false, endsTyping } : { kind: 'scan', text: scanned }
  }

  return {
    press(key) {
      if (isModifier(key.code)) return { kind: 'pass', burstStart: false }
      const gap = key.at - lastAt
      const inRhythm = gap <= timing.longestGap
      if (endsScan(key.code)) return end(inRhythm)
      const character = textOf(key)
      // Some scanners end with another key (Ctrl+J is a line feed): what is a scan already must not be lost.
      if (character === undefined) return end(inRhythm && !key.repeat)
      if (!inRhythm) forget()
      slowest = inRhythm ? Math.max(slowest, gap) : 0
      text += character
      lastAt = key.at
      // Only what is sure to become a scan is taken: anything else stays typing.
      isTaken ||= isSure()
      return isTaken ? { kind: 'take' } : { kind: 'pass', burstStart: !inRhythm }
    },
    settle(now) {
      if (now - lastAt <= timing.longestGap) return undefined
      const scanned = isScan() ? text : undefined
      forget()
      return scanned
    },
  }
}

/** Whether a text means something wherever it is scanned. */
const isCode = (text: string) => classify(text, 'other').kind !== 'unknown'

import { type Characters, type Key, lost, plainly } from './characters'

/** A character typed as Alt and a number, once Alt is let go. */
export interface AltCharacter {
  characters: Characters
  code: string
  /** When its last digit was pressed, and how long its longest digit was held, in ms. */
  at: number
  touch: number | null
}

/**
 * Puts characters together that a scanner types as Alt and digits of the number pad: GS as Alt+029, and in their Alt mode
 * every character, which works with any layout.
 */
export function createAltCodes() {
  let digits = ''
  let at = 0
  let touch: number | null = null
  return {
    /** Whether the key is a digit of such a character. With Num Lock off its `key` is an arrow: the place counts. */
    press(key: Key): boolean {
      const digit = /^Numpad([0-9])$/.exec(key.code)?.[1]
      if (digit === undefined || !key.alt || key.ctrl || key.altGraph || key.repeat) return false
      digits += digit
      at = key.at
      return true
    },
    /** A digit was let go. */
    release(code: string, now: number): void {
      if (digits !== '' && code.startsWith('Numpad')) touch = Math.max(touch ?? 0, now - at)
    },
    /** Alt was let go: the character, when digits were typed. */
    finish(): AltCharacter | undefined {
      if (digits === '') return undefined
      const character = { characters: plainly(characterOf(digits)), code: `Alt+${digits}`, at, touch }
      digits = ''
      touch = null
      return character
    },
  }
}

/** Below 128 every code page agrees; above it a leading zero stands for Latin-1, and all else is not for codes. */
function characterOf(digits: string): string {
  const number = Number(digits)
  const isKnown = number < 128 || (digits.startsWith('0') && number >= 160 && number < 256)
  return isKnown && number > 0 ? String.fromCharCode(number) : lost
}

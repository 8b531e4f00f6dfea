/** A key press, as a browser reports it. */
export interface Key {
  /** KeyboardEvent.code, the place of the key: `KeyA`, `Digit7`, `Slash`, `Enter`; empty if unknown. */
  code: string
  /** KeyboardEvent.key: what the computer's layout types. */
  key: string
  shift: boolean
  capsLock: boolean
  ctrl: boolean
  alt: boolean
  meta: boolean
  /** The right Alt of layouts that need it for `@` or `]`. Windows reports Ctrl and Alt as well. */
  altGraph: boolean
  /** The key is held down and repeats; scanners never do that. */
  repeat: boolean
  /** Milliseconds, monotonic. */
  at: number
}

/** Replaces a character that can't be known: an input method took the key, or it is a dead key. */
export const lost = '\ufffd'

/**
 * A key read in three ways. Only the whole text shows which one is right.
 * - `us`: the character at that place of a US keyboard: for scanners with factory settings, under any layout.
 * - `system`: the character of the computer's layout: for scanners set to that layout.
 * - `typed`: the same, with Caps Lock applied: for scanners that reverse letters themselves while Caps Lock is on.
 */
export interface Characters {
  us: string
  system: string
  typed: string
  isUnidentified: boolean
}

const symbols: Record<string, string> = {
  Minus: '-_',
  Equal: '=+',
  BracketLeft: '[{',
  BracketRight: ']}',
  Backslash: '\\|',
  IntlBackslash: '\\|',
  Semicolon: ';:',
  Quote: '\'"',
  Comma: ',<',
  Period: '.>',
  Slash: '/?',
  Backquote: '`~',
  Space: '  ',
  NumpadDivide: '//',
  NumpadMultiply: '**',
  NumpadSubtract: '--',
  NumpadAdd: '++',
  NumpadDecimal: '..',
}
const shiftedDigits = ')!@#$%^&*('
/** `key` values of keys that an input method handles. */
const unidentified = new Set(['Unidentified', 'Process'])

/** What a key types; undefined if nothing, such as F5 or a shortcut. */
export function charactersOf(key: Key): Characters | undefined {
  if (key.repeat || key.meta) return undefined
  if (key.ctrl && !key.altGraph) return separatorOf(key)
  if (key.alt && !key.altGraph) return undefined
  const isUnidentified = unidentified.has(key.key)
  const typed = typedBy(key)
  const us = key.altGraph ? undefined : usCharacterOf(key)
  if (typed === undefined && us === undefined && !isUnidentified) return undefined
  const system = typed === undefined ? lost : withoutCapsLock(typed, key)
  return { us: us ?? system, system, typed: typed ?? lost, isUnidentified }
}

/** A character that is the same in every reading. */
const plainly = (character: string): Characters => ({
  us: character,
  system: character,
  typed: character,
  isUnidentified: false,
})

/** GS and RS, the separators of GS1 and ISO 15434, are typed as Ctrl+] and Ctrl+6. */
function separatorOf({ code, key }: Key): Characters | undefined {
  if (code === 'BracketRight' || key === ']') return plainly('\u001d')
  return code === 'Digit6' ? plainly('\u001e') : undefined
}

function typedBy({ code, key }: Key): string | undefined {
  // Without Num Lock the digits of the number pad are arrows.
  const isOneCharacter = Array.from(key).length === 1
  return isOneCharacter && !(code === '' && key < ' ') ? key : undefined
}

function withoutCapsLock(typed: string, { capsLock, shift }: Key): string {
  return capsLock ? (shift ? typed.toUpperCase() : typed.toLowerCase()) : typed
}

function usCharacterOf({ code, key, shift }: Key): string | undefined {
  const letter = /^Key([A-Z])$/.exec(code)?.[1]
  if (letter !== undefined) return shift ? letter : letter.toLowerCase()
  const digit = /^Digit([0-9])$/.exec(code)?.[1]
  if (digit !== undefined) return shift ? shiftedDigits.charAt(Number(digit)) : digit
  const pad = /^Numpad([0-9])$/.exec(code)?.[1]
  if (pad !== undefined) return key === pad || unidentified.has(key) ? pad : undefined
  return symbols[code]?.charAt(shift ? 1 : 0)
}

/** A character typed as Alt and a number; complete once Alt is released. */
interface AltCharacter {
  characters: Characters
  code: string
  /** When its last digit was pressed, and the longest time a digit was held, in ms. */
  at: number
  touch: number | null
}

/**
 * Assembles characters that a scanner types as Alt and digits of the number pad: GS as Alt+029, and in Alt mode every
 * character, which works with any layout.
 */
export class AltCodes {
  #digits = ''
  #at = 0
  #touch: number | null = null

  /** Takes the key and returns true if it is such a digit. Looks at the place: without Num Lock, `key` is an arrow. */
  press(key: Key): boolean {
    const digit = /^Numpad([0-9])$/.exec(key.code)?.[1]
    if (digit === undefined || !key.alt || key.ctrl || key.altGraph || key.repeat) return false
    this.#digits += digit
    this.#at = key.at
    return true
  }

  /** A digit was released. */
  release(code: string, now: number): void {
    if (this.#digits !== '' && code.startsWith('Numpad')) this.#touch = Math.max(this.#touch ?? 0, now - this.#at)
  }

  /** Alt was released: the character, if digits were typed. */
  finish(): AltCharacter | undefined {
    const digits = this.#digits
    if (digits === '') return undefined
    const character = {
      characters: plainly(characterOf(digits)),
      code: `Alt+${digits}`,
      at: this.#at,
      touch: this.#touch,
    }
    this.#digits = ''
    this.#touch = null
    return character
  }
}

/** Code pages agree below 128; above, a leading zero means Latin-1. Other numbers don't occur in codes. */
function characterOf(digits: string): string {
  const number = Number(digits)
  const isKnown = number < 128 || (digits.startsWith('0') && number >= 160 && number < 256)
  return isKnown && number > 0 ? String.fromCharCode(number) : lost
}

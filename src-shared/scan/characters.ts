/** One press of a key, as a browser reports it. */
export interface Key {
  /** KeyboardEvent.code, the place of the key: `KeyA`, `Digit7`, `Slash`, `Enter`; empty when nobody knows it. */
  code: string
  /** KeyboardEvent.key: what the layout in force types. */
  key: string
  shift: boolean
  capsLock: boolean
  ctrl: boolean
  alt: boolean
  meta: boolean
  /** The right Alt of layouts that need it to type `@` or `]`. Windows reports it as Ctrl and Alt besides. */
  altGraph: boolean
  /** The key is held down and repeats: no scanner does that. */
  repeat: boolean
  /** Milliseconds, monotonic. */
  at: number
}

/** Stands for a character that can't be known: an input method took the key, or it is a dead one. */
export const lost = '\ufffd'

/**
 * A key read in three ways. Which one the scanner meant shows only in the whole text.
 * - `us`: the character in that place of a US keyboard: a scanner as it leaves the factory, whatever the layout.
 * - `system`: the character of the layout in force: a scanner set to that layout.
 * - `typed`: the same with what Caps Lock did to it: a scanner that reverses its letters while Caps Lock is on.
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
/** What a key says when an input method has it. */
const unidentified = new Set(['Unidentified', 'Process'])

/** What a key types; undefined for one that types nothing, such as F5 or a command. */
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

/** The same character in every reading. */
export const plainly = (character: string): Characters => ({
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
  // On a number pad without Num Lock the digits are arrows.
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

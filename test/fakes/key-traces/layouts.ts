/** Keyboard layouts: what each key types alone, with Shift and with the right Alt. NUL stands for a dead key. */
export type LayoutName = 'us' | 'uk' | 'german' | 'spanish'

type Layout = ReadonlyMap<string, string>

const letters = Array.from('abcdefghijklmnopqrstuvwxyz', (letter) => {
  const capital = letter.toUpperCase()
  return [`Key${capital}`, letter + capital] as const
})
const numbers = (shifted: string) =>
  Array.from(shifted, (symbol, index) => [`Digit${(index + 1) % 10}`, `${(index + 1) % 10}${symbol}`] as const)
const pad = Array.from('0123456789', (digit) => [`Numpad${digit}`, digit] as const)

const us: Layout = new Map([
  ...letters,
  ...numbers('!@#$%^&*()'),
  ...pad,
  ['Minus', '-_'],
  ['Equal', '=+'],
  ['BracketLeft', '[{'],
  ['BracketRight', ']}'],
  ['Backslash', '\\|'],
  ['Semicolon', ';:'],
  ['Quote', '\'"'],
  ['Comma', ',<'],
  ['Period', '.>'],
  ['Slash', '/?'],
  ['Backquote', '`~'],
  ['Space', '  '],
])
const uk: Layout = new Map([
  ...us,
  ['Digit2', '2"'],
  ['Digit3', '3£'],
  ['Quote', "'@"],
  ['Backslash', '#~'],
  ['IntlBackslash', '\\|'],
])
const german: Layout = new Map([
  ...us,
  ...numbers('!"§$%&/()='),
  ['Digit7', '7/{'],
  ['Digit8', '8(['],
  ['Digit9', '9)]'],
  ['Digit0', '0=}'],
  ['KeyY', 'zZ'],
  ['KeyZ', 'yY'],
  ['KeyQ', 'qQ@'],
  ['Minus', 'ß?\\'],
  ['Equal', '\u0000\u0000'],
  ['BracketLeft', 'üÜ'],
  ['BracketRight', '+*~'],
  ['Backslash', "#'"],
  ['Semicolon', 'öÖ'],
  ['Quote', 'äÄ'],
  ['Comma', ',;'],
  ['Period', '.:'],
  ['Slash', '-_'],
  ['Backquote', '\u0000°'],
  ['IntlBackslash', '<>|'],
])
const spanish: Layout = new Map([
  ...us,
  ...numbers('!"·$%&/()='),
  ['Digit2', '2"@'],
  ['Minus', "'?"],
  ['Equal', '¡¿'],
  ['BracketLeft', '\u0000\u0000['],
  ['BracketRight', '+*]'],
  ['Backslash', 'çÇ}'],
  ['Semicolon', 'ñÑ'],
  ['Quote', '\u0000\u0000{'],
  ['Comma', ',;'],
  ['Period', '.:'],
  ['Slash', '-_'],
  ['Backquote', 'ºª\\'],
  ['IntlBackslash', '<>'],
])
const layouts: Record<LayoutName, Layout> = { us, uk, german, spanish }

export interface Press {
  code: string
  shift: boolean
  altGraph: boolean
}

/** How a character is typed in a layout; throws if the layout lacks it, because then the trace was made wrong. */
export function pressFor(character: string, layout: LayoutName): Press {
  for (const [code, types] of layouts[layout]) {
    const level = code.startsWith('Numpad') ? -1 : types.indexOf(character)
    if (level >= 0) return { code, shift: level === 1 && character !== ' ', altGraph: level === 2 }
  }
  throw new Error(`${layout} has no ${JSON.stringify(character)}`)
}

/** The value of KeyboardEvent.key for a key press. */
export function keyOf({ code, shift, altGraph }: Press, layout: LayoutName, capsLock: boolean): string {
  const types = layouts[layout].get(code)
  if (types === undefined) return code.replace(/(?:Left|Right)$/, '')
  const character = types.charAt(altGraph ? 2 : shift && types.length > 1 ? 1 : 0)
  if (character === '\u0000') return 'Dead'
  if (!capsLock || character.toLowerCase() === character.toUpperCase()) return character
  return character === character.toLowerCase() ? character.toUpperCase() : character.toLowerCase()
}

const virtualKeys: Record<string, number> = {
  Backspace: 8,
  Tab: 9,
  Enter: 13,
  ShiftLeft: 16,
  ControlLeft: 17,
  AltLeft: 18,
  AltRight: 18,
  Space: 32,
  ArrowLeft: 37,
  ArrowRight: 39,
  Semicolon: 186,
  Equal: 187,
  Comma: 188,
  Minus: 189,
  Period: 190,
  Slash: 191,
  Backquote: 192,
  BracketLeft: 219,
  Backslash: 220,
  BracketRight: 221,
  Quote: 222,
  IntlBackslash: 226,
}

/** KeyboardEvent.keyCode as on Windows: letters by the character they type, symbols by their position. */
export function keyCodeOf(code: string, key: string): number {
  if (/^[a-z]$/i.test(key)) return key.toUpperCase().charCodeAt(0)
  const digit = /^(Digit|Numpad)(\d)$/.exec(code)
  if (digit) return (digit[1] === 'Digit' ? 48 : 96) + Number(digit[2])
  return virtualKeys[code] ?? 0
}

/**
 * The AIM id: three characters by which a scanner says what kind of barcode it read (ISO/IEC 15424), `]Q1` for a QR code.
 * A HID scanner reports it beside the text, a typing one puts it in front when it is set up to.
 */
export interface ReadText {
  /** Without the AIM id, and without white space and control characters around it. A leading GS stays. */
  text: string
  /** With the bracket, `]Q1`; null when nobody said. */
  aim: string | null
}

const groupSeparator = '\u001d'
const inText = /^(\][A-Za-z][0-9A-Za-z])/
const whole = /^\]?([A-Za-z][0-9A-Za-z])$/
/** Some reports hold the id one byte late: its last character is then the first of the text. */
const shifted = /^[^]?\]([A-Za-z])$/

/** Parts the AIM id from the text, wherever the scanner put it. `symbology` is what its report said, if it has one. */
export function readAim(scanned: string, symbology?: string | null): ReadText {
  const text = stripped(scanned)
  const given = symbology == null ? '' : symbology.replaceAll('\0', '').trim()
  const letters = whole.exec(given)?.[1]
  if (letters !== undefined) return { text: withoutAim(text), aim: `]${letters}` }

  const letter = shifted.exec(given)?.[1]
  const modifier = text.charAt(0)
  if (letter !== undefined && /[0-9A-Za-z]/.test(modifier)) {
    return { text: stripped(text.slice(1)), aim: `]${letter}${modifier}` }
  }
  return { text: withoutAim(text), aim: inText.exec(text)?.[1] ?? null }
}

const withoutAim = (text: string) => (inText.test(text) ? stripped(text.slice(3)) : text)

const isPadding = (character: string) =>
  (character <= ' ' && character !== groupSeparator) || character.trim() === '' || character === '\u007f'

/** Prefixes and suffixes of scanners (STX, ETX, CR, LF) and white space; GS has a meaning in GS1 and stays. */
function stripped(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && isPadding(text.charAt(start))) start += 1
  while (end > start && isPadding(text.charAt(end - 1))) end -= 1
  return text.slice(start, end)
}

const gs1 = new Set([']C1', ']e0', ']e1', ']e2', ']d2', ']d5', ']Q3', ']Q4', ']J1', ']J4', ']z1', ']z4'])
const retail = new Set([']E0', ']E1', ']E2', ']E3', ']E4'])

/** What a barcode's kind says of its content: GS1 element strings, a bare product number, anything, or nothing is known. */
export type AimFamily = 'gs1' | 'retail' | 'plain' | 'unsaid'

export function familyOf(aim: string | null): AimFamily {
  if (aim === null) return 'unsaid'
  if (gs1.has(aim)) return 'gs1'
  return retail.has(aim) ? 'retail' : 'plain'
}

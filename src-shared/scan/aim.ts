/**
 * A scanned text and its AIM id: three characters that name the kind of barcode (ISO/IEC 15424), `]Q1` for a QR code. HID
 * scanners report it beside the text; keyboard-mode scanners type it in front if set up to.
 */
interface ReadText {
  /** Without the AIM id, and without white space and control characters around it. A leading GS stays. */
  text: string
  /** With the bracket, `]Q1`; null if not reported. */
  aim: string | null
}

const groupSeparator = '\u001d'
const inText = /^(\][A-Za-z][0-9A-Za-z])/
const whole = /^\]?([A-Za-z][0-9A-Za-z])$/
/** Some reports are one byte off: the last character of the id is then the first of the text. */
const shifted = /^[^]?\]([A-Za-z])$/

/** Separates AIM id and text. `symbology`: the id as the HID report gave it, if any. */
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

/** Without white space and scanners' framing characters (STX, ETX, CR, LF). GS stays: it has a meaning in GS1. */
function stripped(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && isPadding(text.charAt(start))) start += 1
  while (end > start && isPadding(text.charAt(end - 1))) end -= 1
  return text.slice(start, end)
}

const gs1 = new Set([']C1', ']e0', ']e1', ']e2', ']d2', ']d5', ']Q3', ']Q4', ']J1', ']J4', ']z1', ']z4'])
const retail = new Set([']E0', ']E1', ']E2', ']E3', ']E4'])

/** What the kind of a barcode implies: GS1 element strings, a bare product number, anything (`plain`), or kind not reported. */
export type AimFamily = 'gs1' | 'retail' | 'plain' | 'unsaid'

export function familyOf(aim: string | null): AimFamily {
  if (aim === null) return 'unsaid'
  if (gs1.has(aim)) return 'gs1'
  return retail.has(aim) ? 'retail' : 'plain'
}

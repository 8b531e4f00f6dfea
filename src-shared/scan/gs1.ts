/**
 * The fields of a GS1 barcode that dispensaries use. A GTIN identifies a kind of product, never one item: it is shown and
 * explained, but never sold or imported.
 */
interface Gs1 {
  /** 14 digits, padded on the left. */
  gtin: string | null
  batch: string | null
  serial: string | null
}

const groupSeparator = '\u001d'

/** An application identifier: its number of digits, and the length of its value: exact for `digits`, longest for `text`. */
interface Shape {
  digits: number
  length: number
  form: 'digits' | 'text'
}
const fixed = (digits: number, length: number): Shape => ({ digits, length, form: 'digits' })
const upTo = (digits: number, length: number): Shape => ({ digits, length, form: 'text' })

/** By the first digits of the identifier; no key begins with another key. GS1 General Specifications, section 3. */
const shapes = new Map<string, Shape>([
  ['00', fixed(2, 18)],
  ...['01', '02', '03'].map((ai) => [ai, fixed(2, 14)] as const),
  ...['11', '12', '13', '15', '16', '17'].map((ai) => [ai, fixed(2, 6)] as const),
  ['20', fixed(2, 2)],
  ...['10', '21', '22'].map((ai) => [ai, upTo(2, 20)] as const),
  ...['30', '37'].map((ai) => [ai, upTo(2, 8)] as const),
  ['90', upTo(2, 30)],
  ...['91', '92', '93', '94', '95', '96', '97', '98', '99'].map((ai) => [ai, upTo(2, 90)] as const),
  ['235', upTo(3, 28)],
  ['242', upTo(3, 6)],
  ['243', upTo(3, 20)],
  ...['240', '241', '250', '251', '253', '400', '401', '403'].map((ai) => [ai, upTo(3, 30)] as const),
  ...['254', '710', '711', '712', '713', '714', '715'].map((ai) => [ai, upTo(3, 20)] as const),
  ['402', fixed(3, 17)],
  ...['410', '411', '412', '413', '414', '415', '416', '417'].map((ai) => [ai, fixed(3, 13)] as const),
  ...['422', '424', '426'].map((ai) => [ai, fixed(3, 3)] as const),
  ...['31', '32', '33', '34', '35', '36'].map((ai) => [ai, fixed(4, 6)] as const),
  ...['390', '392'].map((ai) => [ai, upTo(4, 15)] as const),
  ...['391', '393'].map((ai) => [ai, upTo(4, 18)] as const),
  ['7003', fixed(4, 10)],
  ['8005', fixed(4, 6)],
  ['8020', upTo(4, 25)],
  ['8200', upTo(4, 70)],
])

const allowed = { digits: /^\d+$/, text: /^[!"%-?A-Z_a-z]+$/ }
const keys = ['00', '01', '02']
const beginsWithKey = new RegExp(`^${groupSeparator}?\\(?0[0-2]\\)?\\d{14}`)
/** More than any label has; limits the work on a hostile text. */
const mostElements = 16

/** Reads GS1 element strings, with or without FNC1 (GS) in front, or written with brackets. */
export function readElements(text: string): Gs1 | undefined {
  const elements = text.startsWith('(') ? bracketed(text) : concatenated(text)
  if (!elements || elements.size === 0) return undefined
  if (!keys.every((key) => hasCheckDigit(elements.get(key) ?? ''))) return undefined
  return {
    gtin: elements.get('01') ?? elements.get('02') ?? null,
    batch: elements.get('10') ?? null,
    serial: elements.get('21') ?? null,
  }
}

/** The same for a barcode of unreported kind: accepted only if the text begins with a key (00, 01, 02). */
export const guessElements = (text: string): Gs1 | undefined =>
  beginsWithKey.test(text) ? readElements(text) : undefined

/** The GTIN of 8, 12, 13 or 14 digits, padded to 14; undefined when its check digit is wrong. */
export function readGtin(text: string): string | undefined {
  const isGtin = /^(?:\d{8}|\d{12,14})$/.test(text) && hasCheckDigit(text)
  return isGtin ? text.padStart(14, '0') : undefined
}

/**
 * The GTIN of a product's barcode that is digits alone: UPC-A, EAN-13, EAN-8, ITF-14, and UPC-E of eight digits. A UPC-E
 * begins with 0 or 1, an EAN-8 in shops doesn't, so that the first digit decides where both check digits fit.
 */
export function readProductCode(text: string): string | undefined {
  if (!/^(?:\d{8}|\d{12,14})$/.test(text)) return undefined
  const expanded = /^[01]\d{7}$/.test(text) ? expandedUpcE(text) : ''
  return readGtin(expanded) ?? readGtin(text)
}

/** The UPC-A of a UPC-E: its sixth digit says where zeros were left out. */
function expandedUpcE(text: string): string {
  const [system, one, two, three, four, five, last, check] = text
  const body =
    last === '0' || last === '1' || last === '2'
      ? `${one}${two}${last}0000${three}${four}${five}`
      : last === '3'
        ? `${one}${two}${three}00000${four}${five}`
        : last === '4'
          ? `${one}${two}${three}${four}00000${five}`
          : `${one}${two}${three}${four}${five}0000${last}`
  return `${system}${body}${check}`
}

function concatenated(text: string): Map<string, string> | undefined {
  if (hasTooManySeparators(text)) return undefined
  const elements = new Map<string, string>()
  let at = text.startsWith(groupSeparator) ? 1 : 0
  for (let count = 0; at < text.length; count++) {
    const shape = count < mostElements ? shapeOf(text, at) : undefined
    if (!shape) return undefined
    const { digits, length, form } = shape
    const start = at + digits
    const ends = form === 'digits' ? -1 : text.indexOf(groupSeparator, start)
    const value = text.slice(start, ends < 0 ? start + length : Math.min(ends, start + length))
    if (!isValue(value, shape)) return undefined
    elements.set(text.slice(at, start), value)
    at = start + value.length
    if (text.startsWith(groupSeparator, at)) at += 1
  }
  return elements
}

/** Checked before elements are read: takes a fifth of the time. */
function hasTooManySeparators(text: string): boolean {
  let at = -1
  for (let count = 0; count <= mostElements; count++) {
    at = text.indexOf(groupSeparator, at + 1)
    if (at < 0) return false
  }
  return true
}

function bracketed(text: string): Map<string, string> | undefined {
  const elements = new Map<string, string>()
  const parts = text.slice(1).split(/\((?=\d{2,4}\))/, mostElements + 1)
  if (parts.length > mostElements) return undefined
  for (const part of parts) {
    const [, ai = '', value = ''] = /^(\d{2,4})\)(.*)$/s.exec(part) ?? []
    const shape = shapeOf(ai)
    if (shape?.digits !== ai.length || !isValue(value, shape)) return undefined
    elements.set(ai, value)
  }
  return elements
}

function shapeOf(text: string, at = 0): Shape | undefined {
  return shapes.get(text.slice(at, at + 2)) ?? shapes.get(text.slice(at, at + 3)) ?? shapes.get(text.slice(at, at + 4))
}

const isValue = (value: string, { length, form }: Shape) =>
  (form === 'digits' ? value.length === length : value.length <= length) && allowed[form].test(value)

/** GS1 check digit: the sum with weights 1 and 3 in turn, from the right, is a multiple of ten. */
function hasCheckDigit(digits: string): boolean {
  let sum = 0
  for (let back = 1; back <= digits.length; back++) {
    sum += Number(digits.charAt(digits.length - back)) * (back % 2 === 0 ? 3 : 1)
  }
  return sum % 10 === 0
}

/**
 * GS1 element strings, as far as a dispensary meets them: product barcodes. A GTIN names a kind of product, never one item,
 * so what is read here is shown and explained, and never sold or imported.
 */
export interface Gs1 {
  /** 14 digits, padded on the left. */
  gtin: string | null
  batch: string | null
  serial: string | null
}

const groupSeparator = '\u001d'

/** Application identifiers: how many digits the identifier has, and the length of its value, fixed or longest. */
type Shape = readonly [digits: number, length: number, form: 'digits' | 'text']
const fixed = (digits: number, length: number): Shape => [digits, length, 'digits']
const upTo = (digits: number, length: number): Shape => [digits, length, 'text']

/** By the longest prefix that is listed. GS1 General Specifications, section 3. */
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
const keys = new Set(['00', '01', '02'])

/** Reads the element strings of a GS1 barcode, with or without FNC1 (GS) in front, or printed with brackets. */
export function readElements(text: string): Gs1 | undefined {
  const elements = text.startsWith('(') ? bracketed(text) : concatenated(text)
  if (!elements || elements.size === 0) return undefined
  for (const [ai, value] of elements) if (keys.has(ai) && !hasCheckDigit(value)) return undefined
  return {
    gtin: elements.get('01') ?? elements.get('02') ?? null,
    batch: elements.get('10') ?? null,
    serial: elements.get('21') ?? null,
  }
}

/** Whether a text that no scanner called GS1 has the whole structure: it begins with a key whose check digit is right. */
export function looksLikeElements(text: string): boolean {
  const start = text.startsWith(groupSeparator) ? text.slice(1) : text
  return /^\(?0[0-2]\)?\d{14}/.test(start) && readElements(text) !== undefined
}

/** The GTIN of 8, 12, 13 or 14 digits, padded to 14; undefined when its check digit is wrong. */
export function readGtin(text: string): string | undefined {
  const isGtin = /^(?:\d{8}|\d{12,14})$/.test(text) && hasCheckDigit(text)
  return isGtin ? text.padStart(14, '0') : undefined
}

function concatenated(text: string): Map<string, string> | undefined {
  const elements = new Map<string, string>()
  let rest = text.startsWith(groupSeparator) ? text.slice(1) : text
  while (rest !== '') {
    const shape = shapeOf(rest)
    if (!shape) return undefined
    const [digits, length, form] = shape
    const ends = rest.indexOf(groupSeparator)
    const longest = rest.slice(digits, digits + length)
    const value = form === 'digits' || ends < 0 ? longest : rest.slice(digits, Math.min(ends, digits + length))
    if (!isValue(value, shape)) return undefined
    elements.set(rest.slice(0, digits), value)
    rest = rest.slice(digits + value.length)
    if (rest.startsWith(groupSeparator)) rest = rest.slice(1)
  }
  return elements
}

function bracketed(text: string): Map<string, string> | undefined {
  const elements = new Map<string, string>()
  for (const part of text.slice(1).split(/\((?=\d{2,4}\))/)) {
    const [, ai = '', value = ''] = /^(\d{2,4})\)(.*)$/s.exec(part) ?? []
    const shape = shapeOf(ai)
    if (shape?.[0] !== ai.length || !isValue(value, shape)) return undefined
    elements.set(ai, value)
  }
  return elements
}

function shapeOf(text: string): Shape | undefined {
  return shapes.get(text.slice(0, 4)) ?? shapes.get(text.slice(0, 3)) ?? shapes.get(text.slice(0, 2))
}

const isValue = (value: string, [, length, form]: Shape) =>
  (form === 'digits' ? value.length === length : value.length <= length) && allowed[form].test(value)

/** The last digit makes the weighted sum a multiple of ten: weights 3 and 1 by turns, from the right. */
function hasCheckDigit(digits: string): boolean {
  const sum = Array.from(digits).reduceRight(
    (total, digit, index) => total + Number(digit) * ((digits.length - index) % 2 === 0 ? 3 : 1),
    0,
  )
  return sum % 10 === 0
}

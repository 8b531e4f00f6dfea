import { elementAt } from './gs1-identifiers'

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

/** Reads a barcode of unreported kind: accepted only if the text begins with a key (00, 01, 02). */
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
    const element = count < mostElements ? elementAt(text, at) : undefined
    if (!element || !isAdded(elements, element)) return undefined
    at = element.end
    if (text.startsWith(groupSeparator, at)) at += 1
  }
  return elements
}

/** False if the identifier is there with another value: then the text is two codes. */
function isAdded(elements: Map<string, string>, { identifier, value }: { identifier: string; value: string }): boolean {
  if ((elements.get(identifier) ?? value) !== value) return false
  elements.set(identifier, value)
  return true
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
    const [, identifier = '', value = ''] = /^(\d{2,4})\)(.*)$/s.exec(part) ?? []
    const written = identifier + value
    const element = elementAt(written, 0)
    if (element?.identifier !== identifier || element.end !== written.length || !isAdded(elements, element)) {
      return undefined
    }
  }
  return elements
}

/** GS1 check digit: the sum with weights 1 and 3 in turn, from the right, is a multiple of ten. */
function hasCheckDigit(digits: string): boolean {
  let sum = 0
  for (let back = 1; back <= digits.length; back++) {
    sum += Number(digits.charAt(digits.length - back)) * (back % 2 === 0 ? 3 : 1)
  }
  return sum % 10 === 0
}

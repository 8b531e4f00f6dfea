import { itemUnit } from './units'

/** Quantities are counted in thousandths. */
export const thousandth = 1_000
const largest = 1_000_000
const unitBehind = new RegExp(`(?<=[\\d)])${itemUnit}\\.?$`, 'i')

/**
 * A quantity in thousandths: 2, 2.00, 2,00, 1.5, -1, (1), 1-, 1 ea. One separator is decimal: the sale of a thousand items
 * of one product isn't one of a counter. Null for anything else, weights and cases among them.
 */
export function readQuantity(cell: string): number | null {
  const text = cell.trim().replaceAll('\u2212', '-').replaceAll(/\s/g, '').replace(unitBehind, '')
  const matched = /^(?:\((\d[\d.,]*)\)|([+-]?)(\d[\d.,]*)(-?))$/.exec(text)
  if (!matched || text.length > 20) return null
  const digits = matched[1] ?? matched[3] ?? ''
  const isNegative = matched[1] !== undefined || matched[2] === '-' || matched[4] === '-'
  const separators = digits.replaceAll(/\d/g, '')
  const decimal = separators.length === 1 || new Set(separators).size > 1 ? separators.at(-1) : undefined
  const plain = Array.from(digits)
    .filter((one, at) => /\d/.test(one) || (one === decimal && at === digits.lastIndexOf(decimal)))
    .join('')
    .replace(',', '.')
  const value = Math.round(Number(plain) * thousandth)
  if (!Number.isFinite(value) || value > largest * thousandth) return null
  return isNegative && value !== 0 ? -value : value
}

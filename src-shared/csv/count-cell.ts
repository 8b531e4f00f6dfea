import { itemUnit } from './units'

/** How a column of numbers writes its decimals; `unsaid` if none of its cells tells. */
export type DecimalMark = ',' | '.' | 'unsaid'

/** What a cell says: a whole number, or why it can't be taken as one. */
export type CountCell =
  | { kind: 'count'; count: number }
  /** "1,000" is one or a thousand, and no other cell of the column tells which. */
  | { kind: 'ambiguous' }
  /** Not a number, a fraction or a weight. */
  | { kind: 'not-whole' }
  /** Nothing: it was ordered, but doesn't come. */
  | { kind: 'zero' }
  /** Negative, or more than any package holds. */
  | { kind: 'out-of-range' }

export const mostCount = 1_000_000

/** A number with up to one unit that means pieces behind it; weights and volumes are no count. */
const form = new RegExp(`^([+-]?[\\d.,'\\u00a0\\u202f ]*\\d)\\s*${itemUnit}?\\.?$`, 'i')
/** Blanks and apostrophes only group digits. */
const grouping = /['\u00a0\u202f ]/g

/** Tells commas from points by the cells of a column that leave no doubt. */
export function decimalMarkOf(cells: Iterable<string>): DecimalMark {
  let mark: DecimalMark = 'unsaid'
  for (const cell of cells) {
    const found = markIn(form.exec(cell.trim())?.[1] ?? '')
    if (found === 'unsaid') continue
    // Cells that contradict each other tell nothing.
    if (mark !== 'unsaid' && mark !== found) return 'unsaid'
    mark = found
  }
  return mark
}

function markIn(number: string): DecimalMark {
  const [comma, point] = [number.lastIndexOf(','), number.lastIndexOf('.')]
  if (comma >= 0 && point >= 0) return comma > point ? ',' : '.'
  const at = Math.max(comma, point)
  if (at < 0) return 'unsaid'
  const other = comma >= 0 ? '.' : ','
  // Two of a kind group digits: 1,000,000.
  if (number.indexOf(number.charAt(at)) !== at) return other
  const isGroup = number.length - at - 1 === 3 && /^[+-]?[1-9]\d{0,2}$/.test(number.slice(0, at))
  return isGroup ? 'unsaid' : number.charAt(at) === ',' ? ',' : '.'
}

/** Reads a count. `mark`: the decimal mark of its column. Pure. */
export function readCount(cell: string, mark: DecimalMark): CountCell {
  const written = form.exec(cell.trim())?.[1]?.replace(grouping, '')
  if (written === undefined) return { kind: 'not-whole' }
  const own = markIn(written)
  const decimal = own === 'unsaid' ? mark : own
  if (decimal === 'unsaid' && /[.,]/.test(written)) return { kind: 'ambiguous' }
  const plain = decimal === ',' ? written.replaceAll('.', '').replace(',', '.') : written.replaceAll(',', '')
  const count = Number(plain)
  if (!Number.isInteger(count)) return { kind: 'not-whole' }
  if (count === 0) return { kind: 'zero' }
  return count < 0 || count > mostCount ? { kind: 'out-of-range' } : { kind: 'count', count }
}

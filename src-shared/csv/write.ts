import Papa from 'papaparse'
import { withMarks } from './marks'

/** Numbers stay numbers; null is an empty cell. `id`: identifies something, and is the same text in a spreadsheet. */
export type Cell = string | number | null | { id: string }

/** The cell of an order's number, a SKU, a code. */
export const idCell = (id: string | null): Cell => (id === null ? null : { id })

const month = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|ene|abr|ago|dic)[a-z]{0,7}'
/**
 * What a spreadsheet would make another text of: leading zeros go, long numbers lose their last digits, 1E5 becomes 100000 and 3-4
 * a day.
 */
const altered = [
  /^0\d/,
  /^\d{12,}$/,
  /^\d+\.\d*0$/,
  /^\d+(?:\.\d+)?e\d+$/i,
  // 3-4, 3/4/26, 12MAY, MAR1.
  /^\d{1,4}[-/. ]\d{1,4}(?:[-/. ]\d{1,4})?$/,
  new RegExp(`^\\d{1,4}[-/. ]?${month}(?:[-/. ]?\\d{1,4})?$`, 'i'),
  new RegExp(`^${month}[-/. ]?\\d{1,4}$`, 'i'),
]
/** In a formula, nothing but these may stand. */
const isPlainId = (id: string) => /^[a-z0-9][a-z0-9 ./_-]{0,99}$/i.test(id)
const isAltered = (id: string) => isPlainId(id) && altered.some((form) => form.test(id))

/** Line-based readers begin a new cell after each of these, even inside quotes. */
const lineBreak = /\r\n|[\r\n\v\f\u0085\u2028\u2029]/g

const harmless = (text: string): string => withMarks(text.replace(lineBreak, ' '))

function written(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell)
  if (typeof cell === 'string') return harmless(cell)
  // A formula that is nothing but a text: the only form that every spreadsheet leaves as it is.
  return isAltered(cell.id) ? `="${cell.id}"` : harmless(cell.id)
}

/**
 * A table as CSV for spreadsheets: UTF-8 with a byte order mark for Excel, commas, CRLF. No cell can run as a formula,
 * whatever separator it is opened with: an apostrophe is put in front, which our reader takes off. An identifier that a
 * spreadsheet would alter is written as `="00701"`, of letters, digits and few marks. Line breaks in a cell become blanks;
 * those at its end are left out.
 */
export function toCsv(header: string[], rows: Cell[][]): string {
  return (
    '\uFEFF' +
    Papa.unparse(
      [header, ...rows].map((row) => row.map(written)),
      { newline: '\r\n' },
    ) +
    '\r\n'
  )
}

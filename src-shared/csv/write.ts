import Papa from 'papaparse'

/** Numbers stay numbers; null is an empty cell. */
export type Cell = string | number | null

/**
 * Characters that a spreadsheet may take for the start of a formula: = + - @ (also full width), also after blanks,
 * quotes and invisible characters; and all control characters.
 */
const beginning =
  /(?:[\s\p{Cc}\p{Cf}"'`´‘’“”„«»]{0,50}[=+\-@＝＋－＠]|[\s\p{Cc}\p{Cf}"'`´‘’“”„«»]{51}|[\p{Cc}\u2028\u2029])/u
const formula = new RegExp(`^${beginning.source}`, 'u')
/** If the file is opened with another separator than ours, a new cell begins after each of these. */
const behindSeparator = new RegExp(`[;\\t|](?=${beginning.source})`, 'gu')
/** Line-based readers begin a new cell after each of these, even inside quotes. */
const lineBreak = /\r\n|[\r\n\v\f\u0085\u2028\u2029]/g

/** An apostrophe in front turns a formula into text. */
function harmless(text: string): string {
  const inside = text.replace(lineBreak, ' ').replace(behindSeparator, (separator) => `${separator}'`)
  return formula.test(inside) ? `'${inside}` : inside
}

const written = (cell: Cell): string => (typeof cell === 'number' ? String(cell) : harmless(cell ?? ''))

/**
 * A table as CSV for spreadsheets: UTF-8 with a byte order mark for Excel, commas, CRLF. No cell can run as a formula,
 * whatever separator it is opened with: an apostrophe is put in front. Line breaks in a cell become blanks.
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

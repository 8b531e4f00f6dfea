import Papa from 'papaparse'

/** What a cell may hold. Numbers stay numbers; nothing is an empty cell. */
export type Cell = string | number | null

/**
 * What a spreadsheet might take for the beginning of a formula: = + - @ (also in full width), after blanks, quotes and
 * characters that nobody sees; and whatever begins with a control character.
 */
const beginning =
  /(?:[\s\p{Cc}\p{Cf}"'`´‘’“”„«»]{0,50}[=+\-@＝＋－＠]|[\s\p{Cc}\p{Cf}"'`´‘’“”„«»]{51}|[\p{Cc}\u2028\u2029])/u
const formula = new RegExp(`^${beginning.source}`, 'u')
/** Opened with another separator than ours, a cell ends where that stands, and what follows begins one. */
const behindSeparator = new RegExp(`[;\\t|](?=${beginning.source})`, 'gu')
/** Readers that go line by line begin a cell behind each of these, quotes or not. */
const lineBreak = /\r\n|[\r\n\v\f\u0085\u2028\u2029]/g

/** Whether a text would be taken for a formula. */
const isFormula = (text: string): boolean => formula.test(text)

/** The usual defence: an apostrophe in front makes it text. */
function harmless(text: string): string {
  const inside = text.replace(lineBreak, ' ').replace(behindSeparator, (separator) => `${separator}'`)
  return isFormula(inside) ? `'${inside}` : inside
}

const written = (cell: Cell): string => (typeof cell === 'number' ? String(cell) : harmless(cell ?? ''))

/**
 * A table as CSV for spreadsheets and people: UTF-8 with a mark in front by which Excel knows it, commas, CRLF. No text
 * in it is a formula, whatever separator it is opened with: one that could be has an apostrophe in front. Line breaks in
 * a cell become blanks; nothing else is changed.
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

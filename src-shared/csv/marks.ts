/**
 * The apostrophes that make a text of what a spreadsheet would compute. `withMarks` puts them where a cell is written, `withoutMarks`
 * takes them off where one is read, so that a text comes back as it was, without the blanks around it.
 */

/**
 * Characters that a spreadsheet may take for the start of a formula: = + - @ (also full width), also after blanks,
 * quotes and invisible characters; and all control characters.
 */
const beginning =
  /(?:[\s\p{Cc}\p{Cf}"'`´‘’“”„«»]{0,50}[=+\-@＝＋－＠]|[\s\p{Cc}\p{Cf}"'`´‘’“”„«»]{51}|[\p{Cc}\u2028\u2029])/u.source
const formula = new RegExp(`^${beginning}`, 'u')
/** A number or an id behind an apostrophe: spreadsheets write it so. Before other words it belongs to them: 'Til Dawn. */
const id = /^[0-9A-Z][0-9A-Z._-]*$/

/** If the file is opened with another separator than ours, a new cell begins after each of these. */
const separators = new RegExp(`[;\\t|](?='*${beginning})`, 'gu')
const behindSeparator = /(?<=[;\t|])'/g
const markedBehind = new RegExp(`^'*${beginning}`, 'u')

/** Longer texts are in no cell that is read. */
const longest = 1_000

/** Whether the first character is read as a mark. */
function isMarked(text: string): boolean {
  if (!/^['\u2019]/.test(text)) return false
  const rest = text.slice(1)
  return id.test(rest) || formula.test(rest) || needsMark(rest.trim())
}

/** An apostrophe of the text itself gets another one, if it would be read as a mark. */
const needsMark = (text: string): boolean => formula.test(text) || isMarked(text)

export function withMarks(text: string): string {
  const whole = text.trimEnd()
  const inside = whole.replace(separators, (separator) => `${separator}'`)
  const isWanted = formula.test(whole) || (whole.length <= longest && needsMark(whole.trimStart()))
  return isWanted ? `'${inside}` : inside
}

export function withoutMarks(text: string): string {
  if (!/['\u2019]/.test(text) || text.length > longest) return text
  let inside = text
  // From the end: what follows has no marks any more, as when they were put.
  for (const { index } of [...text.matchAll(behindSeparator)].reverse()) {
    const rest = inside.slice(index + 1)
    if (markedBehind.test(rest)) inside = inside.slice(0, index) + rest
  }
  return isMarked(inside) ? inside.slice(1) : inside
}

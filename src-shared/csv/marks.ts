/**
 * The apostrophes that make a text of what a spreadsheet would compute. `withMarks` puts them where a cell is written, `withoutMarks`
 * takes them off where one is read, so that a text without blanks around it comes back as it was.
 */

/**
 * Characters that a spreadsheet may take for the start of a formula: = + - @ (also full width), also after blanks,
 * quotes and invisible characters; and all control characters.
 */
const beginning =
  /(?:[\s\p{Cc}\p{Cf}"'`´‘’“”„«»]{0,50}[=+\-@＝＋－＠]|[\s\p{Cc}\p{Cf}"'`´‘’“”„«»]{51}|[\p{Cc}\u2028\u2029])/u.source
/** A number or an id behind an apostrophe: spreadsheets write it so. Before other words it belongs to them: 'Til Dawn. */
const id = '[0-9A-Z][0-9A-Z._-]*$'
/** An apostrophe of the text itself, before what could be one of ours, gets one as well. */
const needsMark = new RegExp(`^(?:['\u2019]*${beginning}|['\u2019]+${id})`, 'u')
const leadingMark = new RegExp(`^['\u2019](?=['\u2019]*(?:${beginning}|${id}))`, 'u')

/** If the file is opened with another separator than ours, a new cell begins after each of these. */
const needsMarkBehind = new RegExp(`[;\\t|](?='*${beginning})`, 'gu')
const behind = /(?<=[;\t|])'/g
const markedBehind = new RegExp(`^'*${beginning}`, 'u')

export function withMarks(text: string): string {
  const inside = text.replace(needsMarkBehind, (separator) => `${separator}'`)
  return needsMark.test(text) ? `'${inside}` : inside
}

/** Longer cells are refused anyway. */
const longest = 1_000

export function withoutMarks(text: string): string {
  if (!/['\u2019]/.test(text) || text.length > longest) return text
  let inside = text
  // From the end: what follows has no marks any more, as when they were put.
  for (const { index } of [...text.matchAll(behind)].reverse()) {
    const rest = inside.slice(index + 1)
    if (markedBehind.test(rest)) inside = inside.slice(0, index) + rest
  }
  return inside.replace(leadingMark, '')
}

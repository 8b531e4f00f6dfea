import { isStorable } from '../text'
import { withoutMarks } from './marks'
import type { FileLine } from './table'

/** A table's width: the columns of its header, and the cells that a line needs, as `neededCells` says. */
export interface Width {
  columns: number
  needed: number
}

/** Why a line can't be read, before any column is matched. */
export type LineFault =
  /** More cells than columns, or too few for the columns that are matched. */
  'uneven' | 'broken-quotes'

/** How many cells a line must have: up to the last column that is matched. Spreadsheets leave out empty cells at its end. */
export const neededCells = (mapping: Readonly<Record<string, number | null>>): number =>
  Math.max(0, ...Object.values(mapping).map((at) => (at === null ? 0 : at + 1)))

export function lineFaultOf({ cells, isBroken }: FileLine, { columns, needed }: Width): LineFault | null {
  if (isBroken) return 'broken-quotes'
  if (cells.length < needed || cells.slice(columns).some((cell) => cell.trim() !== '')) return 'uneven'
  return null
}

/** Why a cell can't be stored. */
export type CellFault =
  | 'too-long'
  /** Characters that can't be stored or sent. */
  | 'not-text'

const longest = 100
/** `="00123"`: spreadsheets write it to keep leading zeros. */
const textFormula = /^="([^"]*)"$/
/** `=HYPERLINK("https://…","00123")`: the text is what a person sees. */
const linkFormula = /^=HYPERLINK\("[^"]*"\s*[,;]\s*"([^"]*)"\)$/i
/** Characters without a width that come with copying. */
const unseen = /[\u200b-\u200f\u202a-\u202e\u2060\ufeff\u00ad]/g

/** The text of a cell, without the marks of spreadsheets and of copying; empty if the file doesn't have the column. */
export function textOf({ cells }: FileLine, at: number | null): string {
  const cell = at === null ? '' : (cells[at] ?? '').replace(unseen, '').trim()
  const text = textFormula.exec(cell)?.[1] ?? linkFormula.exec(cell)?.[1] ?? cell
  return withoutMarks(text.trim()).trim()
}

/** Three zeros may be a group of digits: 1.000 is a thousand in half of the world. */
const addedDecimals = /^(\d+)[.,](?:0{1,2}|0{4,})$/

/**
 * A number that identifies something, without the decimals that a spreadsheet added: 701.0 and 0701,00 are 701. Other texts keep their
 * zeros.
 */
export const identifierOf = (text: string): string => addedDecimals.exec(text)?.[1]?.replace(/^0+(?=\d)/, '') ?? text

export function cellFaultOf(text: string): CellFault | null {
  if (text.length > longest) return 'too-long'
  return isStorable(text) ? null : 'not-text'
}

/** So much of a cell is shown. */
const shown = 60
export const quoted = (text: string): string => text.toWellFormed().slice(0, shown)

/** What a line says in each column that is matched, or its first fault. `column`: null if the whole line is affected. */
export type ReadCells<Column extends string> =
  | { kind: 'read'; textIn: (column: Column) => string }
  | { kind: 'fault'; code: LineFault | CellFault; value: string; column: Column | null }

/** Reads a line's cells. `words`: the columns that are read as they are written; the others hold identifiers. */
export function readCells<Column extends string>(
  line: FileLine,
  width: Width,
  mapping: Readonly<Record<Column, number | null>>,
  columns: readonly Column[],
  words: readonly Column[],
): ReadCells<Column> {
  const broken = lineFaultOf(line, width)
  if (broken !== null) {
    const value = broken === 'uneven' ? String(line.cells.length) : line.cells.join(' ')
    return { kind: 'fault', code: broken, value, column: null }
  }
  const textIn = (column: Column) => {
    const cell = textOf(line, mapping[column])
    return words.includes(column) ? cell : identifierOf(cell)
  }
  for (const column of columns) {
    const unfit = cellFaultOf(textIn(column))
    if (unfit !== null) return { kind: 'fault', code: unfit, value: textIn(column), column }
  }
  return { kind: 'read', textIn }
}

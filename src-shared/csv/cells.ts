import { isStorable } from '../text'
import type { Line } from './read'

/** Why a line can't be read, before any column is matched. */
export type LineFault =
  /** More cells than columns, or too few for the columns that are matched. */
  'uneven' | 'broken-quotes'

/** How many cells a line must have: up to the last column that is matched. Spreadsheets leave out empty cells at its end. */
export const neededCells = (mapping: Readonly<Record<string, number | null>>): number =>
  Math.max(0, ...Object.values(mapping).map((at) => (at === null ? 0 : at + 1)))

/** `needed`: as `neededCells` says. */
export function lineFaultOf({ cells, isBroken }: Line, columnCount: number, needed: number): LineFault | null {
  if (isBroken) return 'broken-quotes'
  if (cells.length < needed || cells.slice(columnCount).some((cell) => cell.trim() !== '')) return 'uneven'
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

/** The text of a cell; empty if the file doesn't have the column. Cells are text, formulas included. */
export function textOf({ cells }: Line, at: number | null): string {
  const cell = at === null ? '' : (cells[at] ?? '').trim()
  return (textFormula.exec(cell)?.[1] ?? cell).trim()
}

export function cellFaultOf(text: string): CellFault | null {
  if (text.length > longest) return 'too-long'
  return isStorable(text) ? null : 'not-text'
}

/** So much of a cell is shown. */
const shown = 60
export const quoted = (text: string): string => text.toWellFormed().slice(0, shown)

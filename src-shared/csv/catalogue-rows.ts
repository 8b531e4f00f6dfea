import type { CatalogueRow } from '../ipc/pos-view'
import { comparable, isStorable } from '../text'
import { type CatalogueColumn, type Mapping, catalogueColumns } from './columns'
import type { Line, Table } from './table'

/** What is wrong with a line: it is left out. `value` is what stands there, shortened. */
export interface RowError {
  line: number
  /** Null: the line as a whole. */
  column: CatalogueColumn | null
  code:
    | 'no-column' /** The mapping names no column for the POS product id. */
    | 'missing'
    | 'too-long'
    /** Characters that can't be stored or sent. */
    | 'not-text'
    /** Says of the product of a package something else than `otherLine`: all lines about it are left out, each named. */
    | 'duplicate'
    /** More or fewer cells than there are columns: which is which is not certain. */
    | 'uneven'
    | 'broken-quotes'
  value: string
  otherLine: number | null
}

export interface MappedRows {
  rows: CatalogueRow[]
  errors: RowError[]
}

const longest = 100
const shown = 60
/** Spreadsheets write `="00123"` so that others keep the zeros: a formula that is nothing but a text. */
const textFormula = /^="([^"]*)"$/

/** The lines of a catalogue by a mapping. A cell is text, also when it looks like a formula. Pure; 50,000 lines are no wait. */
export function mapRows(table: Table, mapping: Mapping): MappedRows {
  if (mapping.posProductId === null) {
    const line = table.header?.line ?? 1
    return { rows: [], errors: [{ line, column: 'posProductId', code: 'no-column', value: '', otherLine: null }] }
  }
  const rows: CatalogueRow[] = []
  const errors: RowError[] = []
  for (const line of table.rows) {
    const read = readLine(line, table.columnCount, mapping)
    if ('code' in read) errors.push(read)
    else rows.push(read)
  }
  const contradicting = contradictions(rows)
  const leftOut = new Set(contradicting.map(({ line }) => line))
  return {
    rows: rows.filter(({ line }) => !leftOut.has(line)),
    errors: [...errors, ...contradicting].sort((a, b) => a.line - b.line),
  }
}

function readLine({ line, cells, isBroken }: Line, columnCount: number, mapping: Mapping): CatalogueRow | RowError {
  const fault = (code: RowError['code'], value: string, column: CatalogueColumn | null = null): RowError => ({
    line,
    column,
    code,
    value: value.slice(0, shown),
    otherLine: null,
  })
  if (isBroken) return fault('broken-quotes', cells.join(' '))
  if (cells.length < columnCount || cells.slice(columnCount).some((cell) => cell.trim() !== '')) {
    return fault('uneven', String(cells.length))
  }
  const read: Record<CatalogueColumn, string | null> = {
    packageUid: null,
    productName: null,
    posProductId: null,
    posInventoryId: null,
    sku: null,
  }
  for (const column of catalogueColumns) {
    const at = mapping[column]
    const cell = at === null ? '' : (cells[at] ?? '').trim()
    const text = (textFormula.exec(cell)?.[1] ?? cell).trim()
    if (text.length > longest) return fault('too-long', text, column)
    if (!isStorable(text)) return fault('not-text', text.toWellFormed(), column)
    read[column] = text === '' ? null : text
  }
  const { posProductId } = read
  return posProductId === null ? fault('missing', '', 'posProductId') : { line, ...read, posProductId }
}

/** All lines of a product in a package that is given different ids, each with the first that says otherwise. */
function contradictions(rows: CatalogueRow[]): RowError[] {
  const groups = new Map<string, CatalogueRow[]>()
  for (const row of rows) {
    const product = row.productName ?? row.sku
    if (row.packageUid === null || product === null) continue
    const key = JSON.stringify([row.packageUid, product].map(comparable))
    const group = groups.get(key)
    if (group) group.push(row)
    else groups.set(key, [row])
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    const second = first && group.find((row) => !saysTheSame(row, first))
    if (!second) return []
    return group.map((row) => ({
      line: row.line,
      column: 'posProductId' as const,
      code: 'duplicate' as const,
      value: row.posProductId,
      otherLine: saysTheSame(row, first) ? second.line : first.line,
    }))
  })
}

const saysTheSame = (one: CatalogueRow, other: CatalogueRow) =>
  one.posProductId === other.posProductId && one.posInventoryId === other.posInventoryId

import type { CatalogueRow } from '../ipc/contract/receiving'
import { comparable } from '../text'
import { type CellFault, type LineFault, type Width, neededCells, quoted, readCells } from './cells'
import { type CatalogueColumn, type Mapping, catalogueColumns } from './columns'
import type { FileLine, Table } from './table'

/** Why a line is left out. `value`: the cell in question, shortened. */
export interface RowError {
  line: number
  /** Null if the whole line is affected. */
  column: CatalogueColumn | null
  code:
    | LineFault
    | CellFault
    /** The mapping has no column for the POS product id. */
    | 'no-column'
    | 'missing'
    /** Contradicts `otherLine` about the same product and package. All lines about it are left out. */
    | 'duplicate'
  value: string
  otherLine: number | null
}

interface MappedRows {
  rows: CatalogueRow[]
  errors: RowError[]
}

/** Reads the rows of a catalogue by a mapping. Cells are text, formulas included. Pure. */
export function mapRows(table: Table, mapping: Mapping): MappedRows {
  if (mapping.posProductId === null) {
    const line = table.header?.line ?? 1
    return { rows: [], errors: [{ line, column: 'posProductId', code: 'no-column', value: '', otherLine: null }] }
  }
  const rows: CatalogueRow[] = []
  const errors: RowError[] = []
  const width = { columns: table.columnCount, needed: neededCells(mapping) }
  for (const line of table.rows) {
    const read = readLine(line, width, mapping)
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

function readLine(line: FileLine, width: Width, mapping: Mapping): CatalogueRow | RowError {
  const fault = (code: RowError['code'], value: string, column: CatalogueColumn | null): RowError => ({
    line: line.line,
    column,
    code,
    value: quoted(value),
    otherLine: null,
  })
  const cells = readCells(line, width, mapping, catalogueColumns, ['productName'])
  if (cells.kind === 'fault') return fault(cells.code, cells.value, cells.column)
  const said = (column: CatalogueColumn) => cells.textIn(column) || null
  const posProductId = said('posProductId')
  if (posProductId === null) return fault('missing', '', 'posProductId')
  return {
    line: line.line,
    packageUid: said('packageUid'),
    productName: said('productName'),
    posProductId,
    posInventoryId: said('posInventoryId'),
    sku: said('sku'),
  }
}

/** Lines that give different ids for the same product in the same package, each with the first contradicting line. */
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

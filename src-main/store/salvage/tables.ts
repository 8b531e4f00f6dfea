import { z } from 'zod'
import { emptyDatabase } from '../schema'
import type { Pages } from './pages'
import { type FoundRow, isPageOf, strayRows, type TreeKind, type Value, type Walk, walkTree } from './tree'

/** What the rows of a table look like on a page: by this a row is known for one of ours. */
interface Shape {
  table: string
  kind: TreeKind
  /** In the order in which they are stored. */
  columns: Column[]
  /**
   * Where the tree of the table begins; undefined for one that is younger than the first migration: it begins wherever
   * there was room when it was made, and a guess may be in the middle of the outbox.
   */
  usualRoot: number | undefined
}

interface Column {
  name: string
  type: string
  mayBeNull: boolean
  /** Stored as the rowid, and NULL in the row itself. */
  isRowid: boolean
}

const TableRow = z.object({ name: z.string(), wr: z.number() })
const RootRow = z.object({ name: z.string(), rootpage: z.number() })
const ColumnRow = z.object({ name: z.string(), type: z.string(), notnull: z.number(), pk: z.number() })

/** The tables of a version of the schema. */
function shapesOf(version: number): Shape[] {
  const roots = firstRoots()
  const db = emptyDatabase(version)
  try {
    const tables = db
      .prepare(
        `SELECT list.name, wr FROM pragma_table_list AS list JOIN sqlite_schema USING (name)
         WHERE list.schema = 'main' AND list.type = 'table'`,
      )
      .all()
    const columnsOf = db.prepare('SELECT name, type, "notnull", pk FROM pragma_table_xinfo(?)')
    return tables.map((row): Shape => {
      const { name, wr } = TableRow.parse(row)
      const columns = columnsOf.all(name).map((column) => ColumnRow.parse(column))
      const kind = wr === 1 ? 'index' : 'table'
      return { table: name, kind, columns: inStoredOrder(columns, kind), usualRoot: roots.get(name) }
    })
  } finally {
    db.close()
  }
}

/** Where the tables of the first migration begin, in every database: trees keep their first page. */
function firstRoots(): Map<string, number> {
  const db = emptyDatabase(1)
  try {
    const rows = db.prepare(`SELECT name, rootpage FROM sqlite_schema WHERE type = 'table'`).all()
    return new Map(rows.map((row) => RootRow.parse(row)).map(({ name, rootpage }) => [name, rootpage]))
  } finally {
    db.close()
  }
}

function inStoredOrder(columns: z.infer<typeof ColumnRow>[], kind: TreeKind): Column[] {
  const keys = columns.filter((column) => column.pk > 0).sort((a, b) => a.pk - b.pk)
  // Without a rowid, the columns of the primary key come first.
  const ordered = kind === 'index' ? [...keys, ...columns.filter((column) => column.pk === 0)] : columns
  return ordered.map(({ name, type, notnull, pk }) => ({
    name,
    type,
    mayBeNull: notnull === 0 && !(kind === 'index' && pk > 0),
    isRowid: kind === 'table' && keys.length === 1 && pk === 1 && type === 'INTEGER',
  }))
}

/** A row by its column names, as it is to be inserted. Columns that are younger than the row are left out. */
export type Row = Record<string, Value>

/** A found row as a row of a table; undefined when it can't be one of it. */
function asRow({ columns }: Shape, { rowid, values }: FoundRow): Row | undefined {
  if (values.length > columns.length) return undefined
  const row: Row = {}
  for (const [index, value] of values.entries()) {
    const column = columns[index]
    if (!column) return undefined
    const own = column.isRowid && value === null ? rowid : value
    if (!fits(column, own)) return undefined
    row[column.name] = own
  }
  return row
}

function fits({ type, mayBeNull }: Column, value: Value): boolean {
  if (value === null) return mayBeNull
  switch (type) {
    case 'INTEGER':
    case 'INT':
      return Number.isInteger(value)
    case 'TEXT':
      return typeof value === 'string'
    case 'REAL':
      return typeof value === 'number'
    case 'BLOB':
      return Buffer.isBuffer(value)
    default:
      // sqlite_sequence has no types, and ANY takes all.
      return true
  }
}

/** What can be read of a damaged database, table by table, without SQLite. */
export interface Tables {
  names: string[]
  /** Rows that are certainly the present ones. Everything can be read once. */
  rows(table: string): Generator<Row>
  /** Whether rows of a table are missing; known once it was read. */
  hasLosses(table: string): boolean
  /**
   * Rows of a table found outside of all trees, once the others were read: under a broken page, but possibly also left
   * over from long ago.
   */
  strays(table: string): Generator<Row>
}

const schemaRow = z.object({ type: z.literal('table'), name: z.string(), rootpage: z.number() })
/** Of the table that lists the tables, whose tree begins on the first page. */
const schemaColumns = ['type', 'name', 'tbl_name', 'rootpage', 'sql']

/** Reads a database of a version of the schema. */
export function readTables(pages: Pages, version: number): Tables {
  const shapes = new Map(shapesOf(version).map((shape) => [shape.table, shape]))
  const losses = new Set<string>()
  const seen = new Set<number>()
  const roots = readRoots(pages, { seen, onLoss: () => undefined })

  const rootOf = ({ table, usualRoot, kind }: Shape) => {
    const root = roots.get(table) ?? usualRoot
    return root !== undefined && isPageOf(kind, pages, root) ? root : undefined
  }

  return {
    names: [...shapes.keys()],
    *rows(table) {
      const shape = shapes.get(table)
      const root = shape && rootOf(shape)
      if (!shape || root === undefined) {
        losses.add(table)
        return
      }
      for (const found of walkTree(pages, root, shape.kind, { seen, onLoss: () => losses.add(table) })) {
        const row = asRow(shape, found)
        if (row) yield row
        else losses.add(table)
      }
    },
    hasLosses: (table) => losses.has(table),
    *strays(table) {
      const shape = shapes.get(table)
      if (!shape) return
      for (const found of strayRows(pages, seen)) {
        // Nothing but its shape says whose row it is, so all columns have to be there.
        const row = found.values.length === shape.columns.length ? asRow(shape, found) : undefined
        if (row) yield row
      }
    },
  }
}

function readRoots(pages: Pages, walk: Walk): Map<string, number> {
  const roots = new Map<string, number>()
  for (const { values } of walkTree(pages, 1, 'table', walk)) {
    const row = schemaRow.safeParse(Object.fromEntries(schemaColumns.map((name, index) => [name, values[index]])))
    if (row.success) roots.set(row.data.name, row.data.rootpage)
  }
  return roots
}

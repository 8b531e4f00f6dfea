import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import type { Pages } from './pages'
import { type FoundRow, isPageOf, strayRows, type TreeKind, type Value, type Walk, walkTree } from './tree'

/** The format of a table's rows on a page, used to recognize its rows. */
interface Shape {
  table: string
  kind: TreeKind
  /** In storage order. */
  columns: Column[]
  /**
   * The root page of the table. Undefined for a table that the first schema lacks: its root is wherever there was room when it
   * was created, and a guess could hit the middle of another table.
   */
  usualRoot: number | undefined
}

interface Column {
  name: string
  type: string
  mayBeNull: boolean
  /** Stored as the rowid and NULL in the row itself. */
  isRowid: boolean
}

const TableRow = z.object({ name: z.string(), wr: z.number() })
const RootRow = z.object({ name: z.string(), rootpage: z.number() })
const ColumnRow = z.object({ name: z.string(), type: z.string(), notnull: z.number(), pk: z.number() })

/** What the tables look like, taken from empty databases. */
export interface Schema {
  /** With the tables of the file. */
  empty: Database
  /**
   * With the tables that every file had first, if there were later ones. Trees keep their first page, so these have the same
   * root in every file, also where the file's own list of tables is lost.
   */
  first: Database
}

function shapesOf({ empty, first }: Schema): Shape[] {
  const roots = rootsIn(first)
  const tables = empty
    .prepare(
      `SELECT list.name, wr FROM pragma_table_list AS list JOIN sqlite_schema USING (name)
       WHERE list.schema = 'main' AND list.type = 'table'`,
    )
    .all()
  const columnsOf = empty.prepare('SELECT name, type, "notnull", pk FROM pragma_table_xinfo(?)')
  return tables.map((row): Shape => {
    const { name, wr } = TableRow.parse(row)
    const columns = columnsOf.all(name).map((column) => ColumnRow.parse(column))
    const kind = wr === 1 ? 'index' : 'table'
    return { table: name, kind, columns: inStoredOrder(columns, kind), usualRoot: roots.get(name) }
  })
}

function rootsIn(db: Database): Map<string, number> {
  const rows = db.prepare(`SELECT name, rootpage FROM sqlite_schema WHERE type = 'table'`).all()
  return new Map(rows.map((row) => RootRow.parse(row)).map(({ name, rootpage }) => [name, rootpage]))
}

function inStoredOrder(columns: z.infer<typeof ColumnRow>[], kind: TreeKind): Column[] {
  const keys = columns.filter((column) => column.pk > 0).sort((a, b) => a.pk - b.pk)
  // In tables without a rowid, the primary key columns come first.
  const ordered = kind === 'index' ? [...keys, ...columns.filter((column) => column.pk === 0)] : columns
  return ordered.map(({ name, type, notnull, pk }) => ({
    name,
    type,
    mayBeNull: notnull === 0 && !(kind === 'index' && pk > 0),
    isRowid: kind === 'table' && keys.length === 1 && pk === 1 && type === 'INTEGER',
  }))
}

/** A row to insert, by column names. Columns added after the row was written are omitted. */
export type RowToInsert = Record<string, Value>

/** A found row as a row of a table; undefined if it can't belong to the table. */
function asRow({ columns }: Shape, { rowid, values }: FoundRow): RowToInsert | undefined {
  if (values.length > columns.length) return undefined
  const row: RowToInsert = {}
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
      // The columns of sqlite_sequence have no types, and ANY accepts all values.
      return true
  }
}

/** The readable content of a damaged database, table by table, without SQLite. */
export interface Tables {
  names: string[]
  /** Rows that are certainly current. Can be iterated only once. */
  rows(table: string): Generator<RowToInsert>
  /** Whether rows of a table are missing; known once the table was read. */
  hasLosses(table: string): boolean
  /**
   * Rows of a table found outside all trees, available once the tables were read. They were under a broken page, or are
   * old leftovers.
   */
  strays(table: string): Generator<RowToInsert>
}

const schemaRow = z.object({ type: z.literal('table'), name: z.string(), rootpage: z.number() })
/** The columns of sqlite_schema, the table of tables, whose root is the first page. */
const schemaColumns = ['type', 'name', 'tbl_name', 'rootpage', 'sql']

/** Reads a database that has a schema. The schema's databases are read at once, and can be closed afterwards. */
export function readTables(pages: Pages, schema: Schema): Tables {
  const shapes = new Map(shapesOf(schema).map((shape) => [shape.table, shape]))
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
        // Only its shape shows which table the row belongs to, so all columns must be present.
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

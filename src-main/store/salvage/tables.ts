import { z } from 'zod'
import type { Pages } from './pages'
import { type Row, type Shape, asRow, shapesOf } from './shapes'
import { type Walk, isPageOf, strayRows, walkTree } from './tree'

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

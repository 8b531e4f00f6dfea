import type { Database } from 'better-sqlite3'
import { z } from 'zod'

const Thing = z.object({ type: z.string(), name: z.string(), sql: z.string() })
const Name = z.object({ name: z.string() })
const Line = z.object({ line: z.string() })

/** A database as SQL text that recreates it: tables, rows, dependent objects, and the version. */
export function dump(db: Database): string {
  const things = db
    .prepare('SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid')
    .all()
    .map((row) => Thing.parse(row))
    .filter(({ name }) => !name.startsWith('sqlite_'))
  const tables = things.filter(({ type }) => type === 'table')
  const others = things.filter(({ type }) => type !== 'table')
  return [
    ...tables.map(({ sql }) => `${sql};`),
    ...tables.flatMap(({ name }) => rowsOf(db, name)),
    'DELETE FROM sqlite_sequence;',
    ...rowsOf(db, 'sqlite_sequence'),
    ...others.map(({ sql }) => `${sql};`),
    `PRAGMA user_version = ${Number(db.pragma('user_version', { simple: true }))};`,
    '',
  ].join('\n')
}

/** The rows of a table as INSERT statements. */
function rowsOf(db: Database, table: string): string[] {
  const columns = db
    .prepare('SELECT name FROM pragma_table_info(?)')
    .all(table)
    .map((row) => Name.parse(row).name)
  const values = columns.map((name) => `quote("${name}")`).join(` || ', ' || `)
  return db
    .prepare(
      `SELECT 'INSERT INTO ${table} (${columns.join(', ')}) VALUES (' || ${values} || ');' AS line FROM ${table}`,
    )
    .all()
    .map((row) => Line.parse(row).line)
}

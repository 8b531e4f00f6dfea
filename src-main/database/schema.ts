import Sqlite, { type Database } from 'better-sqlite3'
import { z } from 'zod'
import { migrate, schemaVersion } from './migrations'

/** Tables, indexes and triggers by name, each with its normalized SQL. */
type Schema = Map<string, string>

const SchemaRow = z.object({ name: z.string(), sql: z.string() })

export function schemaOf(db: Database): Schema {
  const rows = db.prepare('SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name').all()
  return new Map(rows.map((row) => SchemaRow.parse(row)).map(({ name, sql }) => [name, oneSpelling(sql)]))
}

const oneSpelling = (sql: string) =>
  sql
    .replace(/--[^\n]*/g, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([(),]) ?/g, '$1')
    .trim()

/** Files of empty databases by version: to make one again takes ten times as long. */
const emptyFiles = new Map<number, Buffer>()

/** The file of an empty database with the schema of a version. */
export function emptyFile(version: number): Buffer {
  const known = emptyFiles.get(version)
  if (known) return known
  const db = new Sqlite(':memory:')
  migrate(db, version)
  const made = db.serialize()
  db.close()
  emptyFiles.set(version, made)
  return made
}

/** An empty in-memory database with the schema of a version. The caller closes it. */
export const emptyDatabase = (version: number): Database => new Sqlite(emptyFile(version))

export const versionOf = (db: Database) => Number(db.pragma('user_version', { simple: true }))

/**
 * Whether a database has exactly the known tables, indexes and triggers of its version. A foreign database, or one with a
 * damaged header or schema, would otherwise be noticed in the middle of a sale.
 */
export function hasItsSchema(db: Database): boolean {
  const version = versionOf(db)
  const actual = schemaOf(db)
  // An earlier version stopped before its first commit: nothing to compare with.
  if (version === 0 && actual.size === 0) return true
  const newest = schemaAt(schemaVersion)
  const expected = version === schemaVersion ? newest : schemaAt(version)
  const known = new Set([...expected.keys(), ...newest.keys()])
  return [...known].every((name) => actual.get(name) === expected.get(name))
}

function schemaAt(version: number): Schema {
  const db = emptyDatabase(version)
  try {
    return schemaOf(db)
  } finally {
    db.close()
  }
}

/** For `LIKE ? ESCAPE '\'`: a pattern that matches texts containing `text` literally. */
export const likeOf = (text: string) => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`

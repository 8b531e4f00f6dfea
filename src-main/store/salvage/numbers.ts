import type { Database } from 'better-sqlite3'
import { z } from 'zod'

/** A number further than this above the last row was not given out: it is part of the damage. */
export const plausible = 1_000_000

const Name = z.object({ name: z.string() })
const Highest = z.object({ highest: z.number().nullable() })

/**
 * Sees to it that no number is given out twice, and gives the highest number of an operation that is known of. Every
 * source of numbers has been added to sqlite_sequence as a row of its own by now.
 */
export function keepNumbers(db: Database): number {
  const tables = db
    .prepare(`SELECT DISTINCT name FROM sqlite_sequence JOIN sqlite_schema USING (name) WHERE type = 'table'`)
    .all()
    .map((row) => Name.parse(row).name)
  const sequences = new Map(tables.map((table) => [table, highestOf(db, table)]))
  db.exec('DELETE FROM sqlite_sequence')
  const insert = db.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)')
  for (const [table, highest] of sequences) insert.run(table, highest)
  return sequences.get('operation') ?? 0
}

function highestOf(db: Database, table: string): number {
  const last = Highest.parse(db.prepare(`SELECT max(rowid) AS highest FROM "${table}"`).get()).highest ?? 0
  const given = db
    .prepare('SELECT max(seq) AS highest FROM sqlite_sequence WHERE name = ? AND seq <= ?')
    .get(table, last + plausible)
  return Math.max(last, Highest.parse(given).highest ?? 0)
}

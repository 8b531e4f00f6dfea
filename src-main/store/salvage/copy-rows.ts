import type { Database, Statement } from 'better-sqlite3'
import { SqliteError } from 'better-sqlite3'
import { isFinished } from '../../outbox/operation'
import { OperationState } from '../../../src-shared/ipc/operation-view'
import type { Row } from './shapes'
import type { Tables } from './tables'

/**
 * Tables whose rows are also looked for outside of their trees. Nothing is ever deleted from the first two. Where `memory`
 * begins is not known without the first page, because it is younger than the first migration; a row of it that was deleted
 * does no harm, for its age is shown with it.
 */
const kept = ['operation', 'journal', 'memory'] as const
/** Who waits for whom is found out anew. */
const leftOut = 'operation_wait'

/** A new database has a sale and a return in front already. */
const thereFromTheStart = new Set(['cart', 'open_order'])

/** Puts what can be read of a damaged database into an empty one of the same version. */
export function copyRows(db: Database, tables: Tables): void {
  const insert = createInsert(db)
  db.transaction(() => {
    for (const table of tables.names) {
      if (table === leftOut) continue
      const verb = thereFromTheStart.has(table) ? 'REPLACE' : 'IGNORE'
      for (const row of tables.rows(table)) insert(verb, table, row)
    }
    for (const table of kept) {
      if (!tables.hasLosses(table)) continue
      for (const row of newestOf(table, tables.strays(table))) insert('IGNORE', table, row)
    }
  })()
}

/** Of several versions of a row, the newest: of an operation, the one that got furthest. */
function newestOf(table: (typeof kept)[number], strays: Iterable<Row>): Iterable<Row> {
  if (table === 'journal') return strays
  const keyOf = (row: Row) => (table === 'operation' ? row.seq : [row.kind, row.id, row.form].join())
  const ageOf = (row: Row) => (table === 'operation' ? progress(row) : Number(row.asked_at))
  const newest = new Map<unknown, Row>()
  for (const row of strays) {
    const other = newest.get(keyOf(row))
    if (!other || ageOf(row) > ageOf(other)) newest.set(keyOf(row), row)
  }
  return newest.values()
}

function progress({ state, attempts }: Row): number {
  const parsed = OperationState.safeParse(state)
  return parsed.success && isFinished(parsed.data) ? Infinity : Number(attempts)
}

/** Inserts rows of any table; one that the database refuses (a value that can't be) counts as unreadable. */
function createInsert(db: Database) {
  const statements = new Map<string, Statement>()
  return (verb: 'REPLACE' | 'IGNORE', table: string, row: Row) => {
    const names = Object.keys(row)
    const key = `${table} ${names.length}`
    const columns = names.map((name) => `"${name}"`).join(', ')
    const marks = names.map(() => '?').join(', ')
    const statement =
      statements.get(key) ?? db.prepare(`INSERT OR ${verb} INTO "${table}" (${columns}) VALUES (${marks})`)
    statements.set(key, statement)
    try {
      statement.run(...Object.values(row))
    } catch (cause) {
      if (!(cause instanceof SqliteError) || !/^SQLITE_(CONSTRAINT|MISMATCH)/.test(cause.code)) throw cause
    }
  }
}

import { copyFileSync, rmSync } from 'node:fs'
import Sqlite, { type Database, SqliteError, type Statement } from 'better-sqlite3'
import { z } from 'zod'
import { OperationState } from '../../../src-shared/ipc/contract/outbox'
import { isFinished } from '../../outbox/operation'
import { migrate, schemaVersion } from '../migrations'
import { hasItsSchema, versionOf } from '../schema'
import { isDamage } from '../start-error'
import { openPages } from '../../sqlite-pages/pages'
import type { RowToInsert, Tables } from '../../sqlite-pages/tables'
import { tablesIn } from './tables'

/**
 * Tables whose rows are also searched for outside their trees. Rows of the first two are never deleted. `memory` is newer
 * than the first migration, so its root is unknown without the first page; a deleted row of `memory` does no harm,
 * because its age is shown with it.
 */
const kept = ['operation', 'journal', 'memory'] as const
/** Waiting operations are computed again; the others the database makes itself from the operations. */
const leftOut = new Set(['operation_wait', 'sale_entry', 'sale_order_count'])

/** A new database already has a current sale and a current return. */
const thereFromTheStart = new Set(['cart', 'open_order'])

/** Copies the readable rows of a damaged database into an empty one of the same version. */
export function copyRows(db: Database, tables: Tables): void {
  const insert = createInsert(db)
  db.transaction(() => {
    for (const table of tables.names) {
      if (leftOut.has(table)) continue
      const verb = thereFromTheStart.has(table) ? 'REPLACE' : 'IGNORE'
      for (const row of tables.rows(table)) insert(verb, table, row)
    }
    for (const table of kept) {
      if (!tables.hasLosses(table)) continue
      for (const row of newestOf(table, tables.strays(table))) insert('IGNORE', table, row)
    }
  })()
}

/** The newest of several versions of each row; for an operation, the one that progressed furthest. */
function newestOf(table: (typeof kept)[number], strays: Iterable<RowToInsert>): Iterable<RowToInsert> {
  if (table === 'journal') return strays
  const keyOf = (row: RowToInsert) => (table === 'operation' ? row.seq : [row.kind, row.id, row.form].join())
  const ageOf = (row: RowToInsert) => (table === 'operation' ? progress(row) : Number(row.asked_at))
  const newest = new Map<unknown, RowToInsert>()
  for (const row of strays) {
    const other = newest.get(keyOf(row))
    if (!other || ageOf(row) > ageOf(other)) newest.set(keyOf(row), row)
  }
  return newest.values()
}

function progress({ state, attempts }: RowToInsert): number {
  const parsed = OperationState.safeParse(state)
  return parsed.success && isFinished(parsed.data) ? Infinity : Number(attempts)
}

/** Inserts rows into any table. A row that the database rejects (an impossible value) counts as unreadable. */
function createInsert(db: Database) {
  const statements = new Map<string, Statement>()
  return (verb: 'REPLACE' | 'IGNORE', table: string, row: RowToInsert) => {
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

/**
 * A copy of the newest undamaged backup, migrated to the newest schema, or undefined. The newest is the backup with the
 * most journal steps: file names depend on the clock, and clocks jump. The backups themselves are only read.
 */
export function copyOfNewestBackup(backups: string[], copy: string): string | undefined {
  const newestFirst = backups
    .map((file) => ({ file, steps: stepsIn(file) }))
    .sort((a, b) => b.steps - a.steps || (a.file < b.file ? 1 : -1))
  return newestFirst.some(({ file }) => isUsable(file, copy)) ? copy : undefined
}

function stepsIn(file: string): number {
  const pages = openPages(file)
  try {
    const version = pages.version ?? schemaVersion
    if (version > schemaVersion) return 0
    const sequences = tablesIn(pages, version).rows('sqlite_sequence')
    return Number([...sequences].find((row) => row.name === 'journal')?.seq ?? 0)
  } finally {
    pages.close()
  }
}

function isUsable(file: string, copy: string): boolean {
  for (const suffix of ['', '-wal', '-shm']) rmSync(copy + suffix, { force: true })
  copyFileSync(file, copy)
  const db = new Sqlite(copy)
  try {
    db.pragma('locking_mode = EXCLUSIVE')
    if (db.pragma('quick_check(1)', { simple: true }) !== 'ok') return false
    if (versionOf(db) > schemaVersion || !hasItsSchema(db)) return false
    migrate(db)
    return true
  } catch (cause) {
    if (isDamage(cause)) return false
    throw cause
  } finally {
    db.close()
  }
}

const SalvagedCount = z.object({ count: z.number() })

const ofDelivery = 'delivery IN (SELECT seq FROM main.delivery)'
const ofCount = 'count IN (SELECT seq FROM main.tag_count)'
const ofShelfCount = 'count IN (SELECT seq FROM main.stock_count)'
/**
 * Tables without a history are filled up from the backup: the damaged database's rows are newer and take precedence. Rows
 * that belong to another row come after it, and only if it exists.
 */
const filledUp = {
  setting: 'true',
  memory: 'true',
  scan: 'true',
  pos_mapping: 'true',
  catalogue_row: 'true',
  delivery: 'true',
  delivery_package: ofDelivery,
  delivery_case: ofDelivery,
  delivery_operation: `${ofDelivery} AND operation_seq IN (SELECT seq FROM main.operation)`,
  delivery_entry: ofDelivery,
  delivery_photo: ofDelivery,
  tag_count: `delivery IS NULL OR ${ofDelivery}`,
  tag_count_case: ofCount,
  tag_count_expected: ofCount,
  tag_count_scanned: ofCount,
  tag_count_resolved: ofCount,
  manifest: `delivery IS NULL OR ${ofDelivery}`,
  manifest_line: 'manifest IN (SELECT seq FROM main.manifest)',
  manifest_match: 'true',
  customer_erasure: 'true',
  person: 'true',
  outage: 'true',
  outage_cause: 'outage IN (SELECT began_at FROM main.outage)',
  pos_product: 'true',
  pos_day: 'true',
  pos_day_line: 'load IN (SELECT load FROM main.pos_day) AND load NOT IN (SELECT load FROM main.pos_day_line)',
  pos_day_reason: 'true',
  pos_second: 'true',
  stock_case: 'true',
  stock_package: 'true',
  stock_item: 'true',
  stock_count: 'true',
  stock_count_scan: ofShelfCount,
  stock_count_line: ofShelfCount,
  stock_count_late: ofShelfCount,
  stock_count_signed_too: ofShelfCount,
  stock_count_product: ofShelfCount,
}

/**
 * Adds rows that only the backup has, except carts: their items may have been sold since. Returns the number of
 * operations added (`added`), and of those whose number is taken by another operation (`homeless`).
 */
export function mergeBackup(db: Database, backup: string): { added: number; homeless: number } {
  const count = (sql: string) => SalvagedCount.parse(db.prepare(`SELECT count(*) AS count FROM ${sql}`).get()).count
  db.prepare('ATTACH ? AS backup').run(backup)
  try {
    return db.transaction(() => {
      const before = count('operation')
      const columns = z
        .array(z.object({ name: z.string() }))
        .parse(db.prepare(`SELECT name FROM pragma_table_info('operation')`).all())
        .map(({ name }) => name)
        .join(', ')
      // If the newest steps were lost, the backup may have a later state of an operation than the damaged file.
      db.exec(`
        UPDATE operation SET (${columns}) = (SELECT ${columns} FROM backup.operation AS other WHERE other.id = operation.id)
        WHERE state NOT IN ('accepted', 'cancelled') AND EXISTS (
          SELECT 1 FROM backup.operation AS other WHERE other.id = operation.id AND other.seq = operation.seq
            AND (other.state IN ('accepted', 'cancelled') OR other.attempts > operation.attempts OR
              (SELECT max(entry) FROM backup.journal WHERE operation_seq = other.seq) >
              coalesce((SELECT max(entry) FROM main.journal WHERE operation_seq = other.seq), 0)));
        INSERT OR IGNORE INTO main.operation (${columns}) SELECT ${columns} FROM backup.operation;
        INSERT OR IGNORE INTO main.journal SELECT journal.* FROM backup.journal
          JOIN backup.operation AS other ON other.seq = operation_seq JOIN main.operation AS own USING (seq, id);
        INSERT OR IGNORE INTO main.journal SELECT * FROM backup.journal WHERE operation_seq IS NULL;
        INSERT OR IGNORE INTO main.operation_key SELECT operation_key.* FROM backup.operation_key
          JOIN backup.operation AS other USING (seq) JOIN main.operation AS own USING (seq, id);
        INSERT INTO main.sqlite_sequence SELECT name, seq FROM backup.sqlite_sequence;`)
      for (const [table, where] of Object.entries(filledUp)) {
        db.exec(`INSERT OR IGNORE INTO main.${table} SELECT * FROM backup.${table} WHERE ${where}`)
      }
      return {
        added: count('operation') - before,
        homeless: count('backup.operation WHERE id NOT IN (SELECT id FROM main.operation)'),
      }
    })()
  } finally {
    db.exec('DETACH backup')
  }
}

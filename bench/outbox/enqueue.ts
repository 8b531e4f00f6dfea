import { randomUUID } from 'node:crypto'
import Sqlite from 'better-sqlite3'
import { sql } from 'drizzle-orm'
import { buildDBClient, SqliteQueue } from 'liteque'
import { better, defineQueue } from 'plainjob'
import { keysOf } from '../../src-main/outbox/kinds/kinds'
import { median, percentile } from '../figures'
import { caseOf, newFile, openDatabase, openOutbox, sale } from './desk'

/** One way to store a sale durably. */
interface Contender {
  name: string
  put: (n: number) => unknown
  close?: () => void
}

const ours = (): Contender => {
  const { sell } = openOutbox(openDatabase().db)
  return { name: 'Countertag', put: sell }
}

/** The same rows by hand, with the same pragmas: the cost of the disk and SQLite alone. */
const bare = (): Contender => {
  const { db } = openDatabase()
  const operation = db.prepare(`
    INSERT INTO operation (id, kind, payload, state, performed_at, performed_at_raw, clock_offset, undoes)
    VALUES (?, ?, ?, 'queued', ?, ?, ?, NULL)`)
  const key = db.prepare('INSERT INTO operation_key (key, seq, is_exclusive) VALUES (?, ?, ?)')
  const journal = db.prepare(
    `INSERT INTO journal (operation_seq, at, actor, what, from_state, to_state, detail, hash) VALUES (?, ?, 'person', 'saved', NULL, 'queued', NULL, ?)`,
  )
  // As long as one of ours; that of the line before isn't read, and none is computed.
  const hash = 'h'.repeat(43)
  const put = db.transaction((n: number) => {
    const payload = sale(n)
    const now = Date.now()
    const { lastInsertRowid: seq } = operation.run(
      randomUUID(),
      payload.kind,
      JSON.stringify(payload),
      new Date(now).toISOString(),
      now,
      0,
    )
    for (const one of keysOf(payload, () => caseOf(n))) key.run(one.key, seq, one.isExclusive ? 1 : 0)
    journal.run(seq, now, hash)
  })
  return { name: 'bare better-sqlite3, the same rows', put: (n) => put.immediate(n) }
}

/** One row per job and no keys; set to FULL, which isn't its default. */
const plainjob = (): Contender => {
  const db = new Sqlite(newFile())
  const silent = { debug() {}, info() {}, warn() {}, error() {} }
  const queue = defineQueue({ connection: better(db), logger: silent })
  db.pragma('synchronous = FULL')
  return {
    name: 'plainjob 0.0.14 (one row, no keys)',
    put: (n) => queue.add('sale', sale(n)),
    // It does maintenance at intervals, which would keep the bench running forever.
    close() {
      queue.close()
    },
  }
}

const liteque = (): Contender => {
  const db = buildDBClient(newFile(), { runMigrations: true })
  db.run(sql.raw('PRAGMA synchronous = FULL'))
  const queue = new SqliteQueue<unknown>('sales', db, { defaultJobArgs: { numRetries: 1 }, keepFailedJobs: true })
  return { name: 'liteque 0.8.0 (one row, no keys)', put: (n) => queue.enqueue(sale(n)) }
}

const perContender = 3_000

/** One sale each in turns, so that a busy moment of the machine affects every candidate; the median of each counts. */
export async function benchEnqueue() {
  const contenders = [ours(), bare(), plainjob(), liteque()].map((one) => ({ ...one, took: new Array<number>() }))
  for (let n = 0; n < perContender; n++) {
    // In a different order each time, so that the same candidate isn't always behind a slow one.
    for (const one of contenders.toSorted(() => Math.random() - 0.5)) {
      const start = performance.now()
      await one.put(n)
      one.took.push(performance.now() - start)
    }
  }
  for (const one of contenders) one.close?.()
  return contenders.map(({ name, took }) => ({ name, median: median(took), p99: percentile(took, 99) }))
}

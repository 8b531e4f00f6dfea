import type { Database } from 'better-sqlite3'
import { singleFlight, sleep } from '../../core/async'
import type { Log } from '../../core/log'

/** Rows that one commit deletes of each table, and the pause before the next, in ms: a scan waits for some milliseconds at most. */
const slice = 500
const pause = 5

/** What is kept of a count beside its row, and what names a row of it. */
const tables = [
  { table: 'stock_count_scan', key: 'number' },
  { table: 'stock_count_line', key: 'count, position, round' },
  { table: 'stock_count_product', key: 'count, product' },
] as const

/** Deletes what was scanned and found of counts that were given up; the count itself stays, some hundred bytes. */
export function createDropped({ db, log }: { db: Database; log: Log }) {
  const stopping = new AbortController()
  const deletes = tables.map(({ table, key }) =>
    db.prepare(`
      DELETE FROM ${table} WHERE (${key}) IN (
        SELECT ${key} FROM ${table}
        WHERE count IN (SELECT seq FROM stock_count WHERE state = 'dropped') LIMIT ${slice})`),
  )
  const deleteSome = db.transaction(() => deletes.reduce((sum, one) => sum + one.run().changes, 0))
  const worker = singleFlight(
    async () => {
      while (!stopping.signal.aborted && deleteSome.immediate() > 0) await sleep(pause, stopping.signal)
    },
    (cause) => {
      // If the disk refuses, the next count that is given up or the next start tries again.
      log.warn('a count that was given up could not be deleted', { cause })
    },
  )
  return {
    /** A count was given up; or the process begins, and the last one may not have got to the end. */
    ask: () => {
      worker.ask()
    },
    async stop(): Promise<void> {
      stopping.abort()
      await worker.stop()
    },
  }
}

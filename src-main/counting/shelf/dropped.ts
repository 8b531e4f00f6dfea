import type { Database } from 'better-sqlite3'
import { type SingleFlight, singleFlight, sleep } from '../../core/async'
import type { RoomContext } from '../../core/context'

/** Rows that one commit deletes of each table, and the pause before the next, in ms: a scan waits for some milliseconds at most. */
const slice = 500
const pause = 5

/** What is kept of a count beside its row, and what names a row of it. */
const tables = [
  { table: 'stock_count_scan', key: 'number' },
  { table: 'stock_count_line', key: 'count, position, round' },
  { table: 'stock_count_product', key: 'count, product' },
] as const

const deletesOf = (db: Database) =>
  tables.map(({ table, key }) =>
    db.prepare(`
      DELETE FROM ${table} WHERE (${key}) IN (
        SELECT ${key} FROM ${table}
        WHERE count IN (SELECT seq FROM stock_count WHERE state = 'dropped') LIMIT ${slice})`),
  )

/** Deletes what was scanned and found of counts that were given up; the count itself stays, some hundred bytes. */
export class DroppedCounts {
  readonly #stopping = new AbortController()
  readonly #worker: SingleFlight
  readonly #deleteSome: () => number

  constructor({ db, log, events }: Pick<RoomContext, 'db' | 'events' | 'log'>) {
    const deletes = deletesOf(db)
    const inOne = db.transaction(() => deletes.reduce((sum, one) => sum + one.run().changes, 0))
    this.#deleteSome = () => inOne.immediate()
    this.#worker = singleFlight(
      () => this.#work(),
      (cause) => {
        // If the disk refuses, the next count that is given up or the next start tries again.
        log.warn('a count that was given up could not be deleted', { cause })
      },
    )
    events.on('shelf-count.dropped', 'counting/shelf/dropped.ts', () => {
      this.ask()
    })
  }

  /** A count was given up; or the process begins, and the last one may not have got to the end. */
  ask(): void {
    this.#worker.ask()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#worker.stop()
  }

  async #work(): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted && this.#deleteSome() > 0) await sleep(pause, signal)
  }
}

import { setImmediate } from 'node:timers/promises'
import type { Database } from 'better-sqlite3'
import type { TagId } from '../../src-shared/ids'
import type { ShelfAsOf } from '../../src-shared/ipc/contract/stock'
import { type SingleFlight, singleFlight, sleep } from '../core/async'
import { iso } from '../core/clock'
import type { MainEvents } from '../core/events'
import { type CaseReading, LedgerItems } from './ledger-items'
import { LedgerRows, type StockItem } from './ledger-rows'
import type { StockContext } from './stock-context'

/** How long a commit works through keys, in ms: other work runs between two of them. */
const piece = 15
/** The pause after such a commit if nothing waits for it, in ms. */
const pause = 10

/**
 * Which items should be on the shelf of this store, by its own reports and what the service says. Kept item by item; a report
 * notes in its own commit which items it concerns, and they are looked at again afterwards, before anything depends on
 * them. Rules: stock.md.
 */
export class Ledger {
  readonly rows: LedgerRows
  readonly #db: Database
  readonly #events: Pick<MainEvents, 'emit'>
  readonly #items: LedgerItems
  readonly #worker: SingleFlight
  readonly #stopping = new AbortController()

  constructor(context: Pick<StockContext, 'db' | 'events' | 'seen' | 'ownDispensaryId' | 'log'>) {
    const { db, events, seen, ownDispensaryId, log } = context
    this.#db = db
    this.#events = events
    this.rows = new LedgerRows(db)
    this.#items = new LedgerItems(this.rows, seen, ownDispensaryId)
    this.#worker = singleFlight(
      () => this.#work(),
      (cause) => {
        // If the disk refuses, the next report or count tries again.
        log.warn('the shelf could not be brought up to date', { cause })
      },
    )
    events.on('operation.changed', 'stock/ledger.ts', () => {
      this.wake()
    })
  }

  /** Looks at what was reported meanwhile, once there is time. */
  wake(): void {
    this.#worker.ask()
  }

  /** Whether every report has been taken in. */
  isCaughtUp(): boolean {
    return !this.rows.hasDue()
  }

  isStopped(): boolean {
    return this.#stopping.signal.aborted
  }

  /** Takes in every report so far, unless it is stopped. Throws if the disk refuses. */
  async catchUp(): Promise<void> {
    while (!this.isStopped() && this.rows.hasDue()) {
      this.#workSome()
      await setImmediate()
    }
  }

  /** The newest change: what changes from now on has a higher number. */
  newestMove(): number {
    return this.#items.newestMove
  }

  /** A number for a question to the service: its answer knows what had a lower number. */
  askMove(): number {
    return this.#items.nextMove()
  }

  /** What this station has reported since a moment, in ms since 1970, counts as changed from now on. Throws if the disk refuses. */
  changedSince(at: number): void {
    this.rows.noteSince(at)
    this.wake()
  }

  /**
   * An item as it stands now, every report included; undefined if it is not in the ledger. Costs the same whatever the ledger
   * holds. Call inside a transaction; throws if the disk refuses.
   */
  item(tagId: TagId): StockItem | undefined {
    return this.#items.item(tagId)
  }

  /** Takes in a reading of a whole case. Throws if the disk refuses. */
  learn(reading: CaseReading): void {
    const learned = this.#db.transaction(() => {
      this.#items.learn(reading, true)
    })
    learned.immediate()
    this.#events.emit('shelf.changed', null)
  }

  asOf(): ShelfAsOf {
    const { cases, unread, oldest } = this.rows.sums()
    return { cases, unread, oldestAt: oldest === null ? null : iso(oldest) }
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#worker.stop()
  }

  async #work(): Promise<void> {
    let isAny = false
    while (!this.isStopped() && this.rows.hasDue()) {
      this.#workSome()
      isAny = true
      await sleep(pause, this.#stopping.signal)
    }
    if (isAny) this.#events.emit('shelf.changed', null)
  }

  /** One commit of some ms. */
  #workSome(): void {
    const some = this.#db.transaction(() => {
      const begin = performance.now()
      for (let due = this.rows.due(); due && performance.now() - begin < piece; due = this.rows.due())
        this.#items.workKey(due)
    })
    some.immediate()
  }
}

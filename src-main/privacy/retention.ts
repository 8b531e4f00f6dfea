import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import { sleep } from '../core/async'
import type { Clock } from '../core/clock'
import type { Log } from '../core/log'
import type { Gap } from '../outbox/chain'
import { Journal } from '../outbox/journal'
import { customerOf } from './customers'

/**
 * How long customers and the journal steps of settled reports are kept, in days.
 *
 * A refused report keeps its customer longer than a settled one, because it may be sent again with the customer; so does
 * one that was taken back into the cart. After a month the customer is no longer useful. The same applies to an order on hold.
 */
const kept = { settled: 7, refused: 30, held: 30, steps: 400 } as const

const day = 86_400_000
/** First when the start is over, then repeatedly, because a till may stay on for weeks. In ms. */
const firstAfter = 30_000
const interval = 6 * 3_600_000
/** Rows looked at in one commit, and the pause before the next, in ms: a scan waits for some milliseconds at most. */
const slice = 100
const pause = 5

const isSale = `kind IN ('complete', 'return', 'void')`
const isSettled = `state IN ('accepted', 'cancelled') AND unsettled = 0`
const isRefused = `(state = 'rejected' OR (state = 'cancelled' AND unsettled = 1))`
/** By this computer's clock. */
const lastStep = 'coalesce((SELECT max(at) FROM journal WHERE operation_seq = seq), performed_at_raw)'

const CustomerReport = z.tuple([z.string(), z.number(), z.literal([0, 1])])
const JournalStep = z.tuple([z.number(), z.number(), z.string(), z.literal([0, 1])])

function statementsOf(db: Database) {
  // By the index of customers: what was erased is no longer in it, so a run that was cut off needs no note of its place.
  // In a salvaged database, reports may have been settled without the trigger that erases customers.
  const named = db
    .prepare(
      `SELECT ${customerOf}, seq,
         CASE WHEN ${isSettled} THEN ${lastStep} < @settled OR ${customerOf} IN (SELECT customer_id FROM customer_erasure)
           ELSE ${isRefused} AND ${lastStep} < @refused END
       FROM operation WHERE ${customerOf} >= @customer AND (${customerOf}, seq) > (@customer, @seq) AND ${isSale}
       ORDER BY ${customerOf}, seq LIMIT ${slice}`,
    )
    .raw()
  const erase = db.prepare(`UPDATE operation SET payload = json_remove(payload, '$.customerId') WHERE seq = ?`)
  // A current order that was never put on hold is as old as its last scan.
  const eraseHeld = db.prepare(`
    UPDATE open_order SET customer_id = NULL WHERE customer_id IS NOT NULL
      AND coalesce(held_at, (SELECT max(scanned_at) FROM open_order_item WHERE open_order = id)) < ?`)
  // The request is fulfilled; a later visit of the customer is recorded normally.
  const forgetAsked = db.prepare(`
    DELETE FROM customer_erasure
    WHERE customer_id NOT IN (SELECT customer_id FROM open_order WHERE customer_id IS NOT NULL)
      AND NOT EXISTS (SELECT 1 FROM operation WHERE ${customerOf} = customer_erasure.customer_id AND ${isSale})`)
  // The last step of each operation stays: it records the final state, which salvaging also needs; and what says which lines
  // are missing. The table's triggers enforce the same rule, and reckon from the newest step.
  const newestStep = db.prepare('SELECT at FROM journal ORDER BY entry DESC LIMIT 1').pluck()
  const steps = db
    .prepare(
      `SELECT entry, at, hash, at < @before AND CASE WHEN operation_seq IS NULL THEN what NOT IN ('removed', 'cut') ELSE ${isSettled}
         AND EXISTS (SELECT 1 FROM journal AS later WHERE later.operation_seq = step.operation_seq AND later.entry > step.entry) END
       FROM journal AS step LEFT JOIN operation ON seq = operation_seq
       WHERE entry > @after ORDER BY entry LIMIT ${slice}`,
    )
    .raw()
  const remove = db.prepare('DELETE FROM journal WHERE entry = ?')
  return { named, erase, eraseHeld, forgetAsked, newestStep, steps, remove }
}

/** What goes of the lines of one commit. */
function gapsOf(lines: readonly z.infer<typeof JournalStep>[]): Gap[] {
  const gaps: Gap[] = []
  for (const [entry, , hash, isDue] of lines) {
    const before = gaps.at(-1)
    if (!isDue) continue
    if (before?.last === entry - 1) gaps.pop()
    gaps.push({ first: before?.last === entry - 1 ? before.first : entry, last: entry, hash })
  }
  return gaps
}

/** Erases customers that are no longer needed, and lines of the journal about what was settled more than a year ago. */
export class Retention {
  readonly #db: Database
  readonly #clock: Clock
  readonly #log: Log
  readonly #days: number
  readonly #journal: Journal
  readonly #sql: ReturnType<typeof statementsOf>
  readonly #stopping = new AbortController()
  readonly #signal: AbortSignal
  #timer: NodeJS.Timeout | undefined

  /** `days`: how long lines of the journal are kept, if a policy wants them longer. */
  constructor({
    db,
    clock,
    log,
    days = kept.steps,
  }: {
    db: Database
    clock: Clock
    log: Log
    days?: number | undefined
  }) {
    this.#db = db
    this.#clock = clock
    this.#log = log
    this.#days = Math.max(days, kept.steps)
    this.#sql = statementsOf(this.#db)
    // By the newest line: what has been removed must not look older than that.
    this.#journal = new Journal(db, () => this.#newest())
    const { signal } = this.#stopping
    this.#signal = signal
  }

  /** Takes away what is old. Never rejects. */
  async run() {
    const now = this.#clock.now()
    try {
      const orders = this.#sql.eraseHeld.run(now - kept.held * day).changes
      const reports = await this.#eraseReports(now)
      if (reports + orders > 0) this.#log.info('customers erased', { reports, orders })
      if (this.#signal.aborted) return
      this.#sql.forgetAsked.run()
      const removed = await this.#removeSteps(now)
      if (removed > 0) this.#log.info('old steps taken away', { steps: removed })
    } catch (cause) {
      // If the disk refuses, the next run tries again.
      this.#log.warn('what is old could not be taken away', { cause })
    }
  }

  start() {
    this.#after(firstAfter)
  }

  /** The database isn't used afterwards: a run goes on after the next start. */
  stop() {
    clearTimeout(this.#timer)
    this.#stopping.abort()
  }

  /** Runs steps, each in its own commit, until one returns false; between them, the station works. */
  async #inSlices(step: () => boolean) {
    const commit = this.#db.transaction(step)
    while (!this.#signal.aborted && commit.immediate()) await sleep(pause, this.#signal)
  }

  async #eraseReports(now: number): Promise<number> {
    let erased = 0
    let [customer, seq] = ['', 0]
    await this.#inSlices(() => {
      const rows = this.#sql.named
        .all({ customer, seq, settled: now - kept.settled * day, refused: now - kept.refused * day })
        .map((row) => CustomerReport.parse(row))
      for (const [, due, isDue] of rows) if (isDue) erased += this.#sql.erase.run(due).changes
      ;[customer, seq] = rows.at(-1) ?? [customer, seq]
      return rows.length === slice
    })
    return erased
  }

  /** From the oldest step up to the first one recent enough. */
  async #removeSteps(now: number): Promise<number> {
    const before = Math.min(now, this.#newest()) - this.#days * day
    let removed = 0
    // From the first one each time: the operation of a step that stayed may have been settled since.
    let lookedAt = 0
    await this.#inSlices(() => {
      const rows = this.#sql.steps.all({ after: lookedAt, before }).map((row) => JournalStep.parse(row))
      const recent = rows.findIndex(([, at]) => at >= before && at <= now)
      const old = recent < 0 ? rows : rows.slice(0, recent)
      for (const [entry, , , isDue] of old) if (isDue) removed += this.#sql.remove.run(entry).changes
      const gaps = gapsOf(old)
      if (gaps.length > 0)
        this.#journal.act({
          actor: 'station',
          what: 'removed',
          detail: gaps.map(({ first, last, hash }) => [first, last, hash]),
        })
      lookedAt = old.at(-1)?.[0] ?? lookedAt
      return old.length === slice
    })
    return removed
  }

  #newest(): number {
    return z.number().safeParse(this.#sql.newestStep.get()).data ?? 0
  }

  #after(ms: number) {
    this.#timer = setTimeout(() => {
      void this.run().then(() => {
        if (!this.#signal.aborted) this.#after(interval)
      })
    }, ms).unref()
  }
}

import { randomInt } from 'node:crypto'
import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import type { ResultOf } from '../../src-shared/errors'
import type { OperationId } from '../../src-shared/ids'
import type { OrderReport, ReportWord, ReportsView } from '../../src-shared/ipc/contract/checkout'
import { assertNever, ok } from '../../src-shared/result'
import { type Operation, isForPerson, isTakenBack, needsAttention, operationOf } from '../outbox/operation'
import { type NotSaved, saved } from '../database/saved'
import type { CounterContext } from './counter-context'

/** Orders that are shown, however old their outcome is. */
const mostOrders = 5
/** Orders of before this start that are shown, in ms. */
const oldest = 12 * 3_600_000
/** Refusals that are listed; the others are counted. */
const mostUnseen = 20
/** A view reads some 25 operations: too much for each of a hundred that are sent in a second. In ms. */
const betweenViews = 100

const Seqs = z.array(z.number().int())

// Who took a report back has seen its refusal.
const needsPerson = `(state = 'rejected' OR unsettled = 1)`
// Each half uses its own index.
const unseenOf = (columns: string) => `
  SELECT ${columns} FROM operation WHERE state = 'rejected' AND seq NOT IN (SELECT seq FROM report_seen)
  UNION ALL SELECT ${columns} FROM operation WHERE unsettled = 1 AND state NOT IN ('rejected', 'cancelled')
    AND seq NOT IN (SELECT seq FROM report_seen)`

/** Which reports were finished, and which of them a person has seen. */
class ReportRows {
  readonly #sql
  readonly #seeEach

  constructor(db: Database) {
    this.#sql = {
      unseen: db.prepare(`${unseenOf('*')} ORDER BY seq DESC LIMIT ${mostUnseen}`),
      unseenSeqs: db.prepare(unseenOf('seq')).pluck(),
      isSeen: db.prepare('SELECT 1 FROM report_seen WHERE seq = ?').pluck(),
      lastFinished: db
        .prepare(
          'SELECT seq FROM sale_entry JOIN operation USING (seq) WHERE performed_at_raw >= +? ORDER BY seq DESC LIMIT +?',
        )
        .pluck(),
    }
    const see = db.prepare(
      `INSERT OR IGNORE INTO report_seen SELECT seq FROM operation WHERE seq = ? AND ${needsPerson}`,
    )
    this.#seeEach = db.transaction((seqs: readonly number[]) => {
      for (const seq of seqs) see.run(seq)
    })
  }

  /** Newest first. */
  unseen(): Operation[] {
    return this.#sql.unseen.all().map(operationOf)
  }

  unseenSeqs(): Set<number> {
    return new Set(Seqs.parse(this.#sql.unseenSeqs.all()))
  }

  isSeen({ seq }: Operation): boolean {
    return this.#sql.isSeen.get(seq) !== undefined
  }

  /** `since`: ms since 1970. */
  lastFinished(since: number): number[] {
    return Seqs.parse(this.#sql.lastFinished.all(since, mostOrders))
  }

  /** A person has seen these. In one commit; throws if the disk refuses. */
  see(seqs: readonly number[]): void {
    this.#seeEach.immediate(seqs)
  }
}

const isOrder = ({ kind }: Operation) => kind === 'complete' || kind === 'return' || kind === 'void'

/**
 * What became of the orders that this station finished lately, and which refused and unclear reports no person has seen.
 * That they were seen is stored (`report_seen`) until the report changes: the database forgets it then by itself.
 */
export class Reports {
  readonly #context: CounterContext
  readonly #rows: ReportRows
  /** Newest first, by when a person last did something to them. */
  #finished: number[]
  /** What the last view showed. */
  #shown = new Set<number>()
  #revision = randomInt(2 ** 47)
  /** The first view that counted each unseen report. */
  readonly #countedSince = new Map<number, number>()
  #timer: NodeJS.Timeout | undefined
  #isDue = false
  #isStopped = false

  constructor(context: CounterContext) {
    const { db, events, clock } = context
    this.#context = context
    this.#rows = new ReportRows(db)
    this.#finished = this.#rows.lastFinished(clock.now() - oldest)
    const who = 'counter/reports.ts'
    events.on('operation.changed', who, (operation) => {
      this.#operationChanged(operation)
    })
    // It is shown first, and at once.
    events.on('order.reported', who, ({ seq }) => {
      this.#finished = [seq, ...this.#finished.filter((one) => one !== seq)].slice(0, mostOrders)
      if (!this.#isStopped) this.#announceNow()
    })
    events.on('connection.changed', who, () => {
      if (this.#shown.size > 0) this.#announceSoon()
    })
  }

  view(): ReportsView {
    const waiting = this.#rows.unseen()
    const lately = this.#finished.map((seq) => this.#context.outbox.read.bySeq(seq))
    const orders = [...lately, ...waiting.filter((one) => isOrder(one) && !this.#finished.includes(one.seq))]
    this.#shown = new Set([...waiting, ...lately].map(({ seq }) => seq))
    this.#revision++
    return {
      revision: this.#revision,
      orders: orders.map((one) => this.#reportOf(one)),
      unseen: waiting.map((one) => this.#reportOf(one)),
      unseenCount: this.#countUnseen(),
    }
  }

  /** A person has seen these. */
  see(ids: readonly OperationId[]): ResultOf<null, NotSaved> {
    return this.#see(ids.flatMap((id) => this.#context.outbox.read.byId(id)?.seq ?? []))
  }

  /** A person has seen all that a view counted; what came later stays unseen. */
  seeAll(asOf: ReportsView['revision']): ResultOf<null, NotSaved> {
    if (asOf > this.#revision) return this.#see([])
    return this.#see([...this.#countedSince].flatMap(([seq, since]) => (since <= asOf ? [seq] : [])))
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
  }

  #see(seqs: readonly number[]): ResultOf<null, NotSaved> {
    return saved(() => {
      this.#rows.see(seqs)
      this.#announceNow()
      return ok(null)
    })
  }

  /** Notes which view counted each report first. Returns how many are unseen. */
  #countUnseen(): number {
    const all = this.#rows.unseenSeqs()
    for (const seq of this.#countedSince.keys()) if (!all.has(seq)) this.#countedSince.delete(seq)
    for (const seq of all) if (!this.#countedSince.has(seq)) this.#countedSince.set(seq, this.#revision)
    return all.size
  }

  #reportOf(operation: Operation): OrderReport {
    return {
      operation: this.#context.reporting.view(operation),
      word: this.#wordOf(operation),
      isUnseen: needsAttention(operation) && !isTakenBack(operation) && !this.#rows.isSeen(operation),
    }
  }

  #wordOf(operation: Operation): ReportWord {
    if (isForPerson(operation)) return 'unclear'
    switch (operation.state) {
      case 'sending':
        return 'sending'
      case 'unknown':
        return 'unanswered'
      case 'accepted':
        return 'reported'
      case 'rejected':
        return 'refused'
      case 'cancelled':
        return 'cancelled'
      case 'queued':
        return this.#wordOfQueued(operation)
      default:
        return assertNever(operation.state)
    }
  }

  #wordOfQueued(operation: Operation): ReportWord {
    const { reporting, connection } = this.#context
    if (operation.blockers > 0) return 'behind'
    if (reporting.isUnderWay(operation)) return 'sending'
    if (connection.view().state !== 'online') return 'later'
    return operation.attempts === 0 ? 'soon' : 'again'
  }

  /**
   * Announced at once, but at most ten times a second, unless it is the service's word on one of the last orders: a person
   * may be waiting for it.
   */
  #operationChanged(operation: Operation): void {
    // Refused anew, it is another refusal than the one that was shown.
    this.#countedSince.delete(operation.seq)
    const isWord = operation.state === 'accepted' || needsAttention(operation)
    if (isWord && this.#finished.includes(operation.seq) && !this.#isStopped) this.#announceNow()
    else if (this.#shown.has(operation.seq) || needsAttention(operation)) this.#announceSoon()
  }

  #announceNow(): void {
    const { events, log } = this.#context
    this.#isDue = false
    clearTimeout(this.#timer)
    try {
      events.emit('checkout.reports', this.view())
    } catch (cause) {
      // What was committed stays committed: the caller must not fail because it can't be shown. The next view tries again.
      log.warn('the reports could not be announced', { cause })
    }
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      if (this.#isDue) this.#announceNow()
    }, betweenViews)
    this.#timer.unref()
  }

  #announceSoon(): void {
    if (this.#isStopped) return
    if (this.#timer) this.#isDue = true
    else this.#announceNow()
  }
}

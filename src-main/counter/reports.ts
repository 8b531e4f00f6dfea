import { randomInt } from 'node:crypto'
import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import type { AppError } from '../../src-shared/errors'
import type { OperationId } from '../../src-shared/ids'
import type { OrderReport, ReportWord, ReportsView } from '../../src-shared/ipc/contract/checkout'
import { type Result, assertNever, ok } from '../../src-shared/result'
import type { Clock } from '../core/clock'
import type { MainEvents } from '../core/events'
import type { Log } from '../core/log'
import { type Operation, isForPerson, isTakenBack, needsAttention, operationOf } from '../outbox/operation'
import type { Outbox } from '../outbox/outbox'
import type { Reporting } from '../outbox/reporting'
import type { Connection } from '../service/connection'
import { saved } from '../database/saved'

interface ReportsParts {
  db: Database
  events: Pick<MainEvents, 'emit' | 'on'>
  outbox: Pick<Outbox, 'read'>
  reporting: Pick<Reporting, 'view' | 'isUnderWay'>
  connection: Pick<Connection, 'view'>
  clock: Clock
  log: Pick<Log, 'warn'>
}

export type Reports = ReturnType<typeof createReports>

/** Orders that are shown, however old their outcome is. */
const mostOrders = 5
/** Orders of before this start that are shown, in ms. */
const oldest = 12 * 3_600_000
/** Refusals that are listed; the others are counted. */
const mostUnseen = 20
/** A view reads some 25 operations: too much for each of a hundred that are sent in a second. In ms. */
const betweenViews = 100

const Seqs = z.array(z.number().int())

/**
 * What became of the orders that this station finished lately, and which refused and unclear reports no person has seen.
 * That they were seen is stored (`report_seen`) until the report changes: the database forgets it then by itself.
 */
export function createReports({ db, events, outbox, reporting, connection, clock, log }: ReportsParts) {
  // Who took a report back has seen its refusal.
  const needsPerson = `(state = 'rejected' OR unsettled = 1)`
  // Each half uses its own index.
  const unseenOf = (columns: string) => `
    SELECT ${columns} FROM operation WHERE state = 'rejected' AND seq NOT IN (SELECT seq FROM report_seen)
    UNION ALL SELECT ${columns} FROM operation WHERE unsettled = 1 AND state NOT IN ('rejected', 'cancelled')
      AND seq NOT IN (SELECT seq FROM report_seen)`
  const unseen = db.prepare(`${unseenOf('*')} ORDER BY seq DESC LIMIT ${mostUnseen}`)
  const isSeen = db.prepare('SELECT 1 FROM report_seen WHERE seq = ?').pluck()
  const lastFinished = db
    .prepare(
      'SELECT seq FROM sale_entry JOIN operation USING (seq) WHERE performed_at_raw >= +? ORDER BY seq DESC LIMIT +?',
    )
    .pluck()
  const see = db.prepare(`INSERT OR IGNORE INTO report_seen SELECT seq FROM operation WHERE seq = ? AND ${needsPerson}`)
  const unseenSeqs = db.prepare(unseenOf('seq')).pluck()
  const seeEach = db.transaction((seqs: readonly number[]) => {
    for (const seq of seqs) see.run(seq)
  })

  /** Newest first, by when a person last did something to them. */
  let finished: number[] = Seqs.parse(lastFinished.all(clock.now() - oldest, mostOrders))
  /** What the last view showed. */
  let shown = new Set<number>()
  let revision = randomInt(2 ** 47)
  /** The first view that counted each unseen report. */
  const countedSince = new Map<number, number>()
  let timer: NodeJS.Timeout | undefined
  let isDue = false
  let isStopped = false

  const wordOf = (operation: Operation): ReportWord => {
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
        if (operation.blockers > 0) return 'behind'
        if (reporting.isUnderWay(operation)) return 'sending'
        if (connection.view().state !== 'online') return 'later'
        return operation.attempts === 0 ? 'soon' : 'again'
      default:
        return assertNever(operation.state)
    }
  }
  const reportOf = (operation: Operation): OrderReport => ({
    operation: reporting.view(operation),
    word: wordOf(operation),
    isUnseen: needsAttention(operation) && !isTakenBack(operation) && isSeen.get(operation.seq) === undefined,
  })
  const isOrder = ({ kind }: Operation) => kind === 'complete' || kind === 'return' || kind === 'void'

  const view = (): ReportsView => {
    const waiting = unseen.all().map(operationOf)
    const lately = finished.map((seq) => outbox.read.bySeq(seq))
    const orders = [...lately, ...waiting.filter((one) => isOrder(one) && !finished.includes(one.seq))]
    shown = new Set([...waiting, ...lately].map(({ seq }) => seq))
    revision++
    const all = new Set(Seqs.parse(unseenSeqs.all()))
    for (const seq of countedSince.keys()) if (!all.has(seq)) countedSince.delete(seq)
    for (const seq of all) if (!countedSince.has(seq)) countedSince.set(seq, revision)
    return {
      revision,
      orders: orders.map(reportOf),
      unseen: waiting.map(reportOf),
      unseenCount: all.size,
    }
  }

  const announceNow = () => {
    isDue = false
    clearTimeout(timer)
    try {
      events.emit('checkout.reports', view())
    } catch (cause) {
      // What was committed stays committed: the caller must not fail because it can't be shown. The next view tries again.
      log.warn('the reports could not be announced', { cause })
    }
    timer = setTimeout(() => {
      timer = undefined
      if (isDue) announceNow()
    }, betweenViews)
    timer.unref()
  }
  const announceSoon = () => {
    if (isStopped) return
    if (timer) isDue = true
    else announceNow()
  }

  const seen = (seqs: readonly number[]): Result<null, AppError> =>
    saved(() => {
      seeEach.immediate(seqs)
      announceNow()
      return ok(null)
    })

  // Announced at once, but at most ten times a second, unless it is the service's word on one of the last orders: a person
  // may be waiting for it.
  events.on('operation.changed', 'counter/reports.ts', (operation) => {
    // Refused anew, it is another refusal than the one that was shown.
    countedSince.delete(operation.seq)
    const isWord = operation.state === 'accepted' || needsAttention(operation)
    if (isWord && finished.includes(operation.seq) && !isStopped) announceNow()
    else if (shown.has(operation.seq) || needsAttention(operation)) announceSoon()
  })

  // It is shown first, and at once.
  events.on('order.reported', 'counter/reports.ts', ({ seq }) => {
    finished = [seq, ...finished.filter((one) => one !== seq)].slice(0, mostOrders)
    if (!isStopped) announceNow()
  })
  events.on('connection.changed', 'counter/reports.ts', () => {
    if (shown.size > 0) announceSoon()
  })

  return {
    view,
    /** A person has seen these. Errors: store/not-saved. */
    see: (ids: readonly OperationId[]): Result<null, AppError> =>
      seen(ids.flatMap((id) => outbox.read.byId(id)?.seq ?? [])),
    /** A person has seen all that a view counted; what came later stays unseen. Errors: store/not-saved. */
    seeAll: (asOf: ReportsView['revision']): Result<null, AppError> =>
      seen(asOf > revision ? [] : [...countedSince].flatMap(([seq, since]) => (since <= asOf ? [seq] : []))),
    stop(): void {
      isStopped = true
      clearTimeout(timer)
    },
  }
}

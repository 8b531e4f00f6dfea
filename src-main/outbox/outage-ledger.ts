import type { Database } from 'better-sqlite3'
import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import { fileNamePart } from '../../src-shared/text'
import { localTime } from '../../src-shared/csv/local-time'
import type { ResultOf } from '../../src-shared/errors'
import {
  type Outage,
  OutageCause,
  type OutageExport,
  type OutageLine,
  type OutageList,
} from '../../src-shared/ipc/contract/outages'
import { err, ok } from '../../src-shared/result'
import { type Clock, type ServiceClock, iso } from '../core/clock'
import { mostCauses } from '../service/outages'
import { operationOf, whetherReported } from './operation'
import { reportLine, viewName } from './views'
import { tagsOf } from './payload'

/** At most so many outages are listed, and reports on a page of one. */
const mostListed = 100
const pageSize = 200
/** At most so many reports, and so many outages, are in a file: those of the newest outages. */
const mostInFile = 50_000
const mostOutagesInFile = 5_000
/** Reports, and outages, that are read at once; other work runs between. */
const atOnce = 500
/** So many reports before an outage are looked at for those that waited when it began. */
const mostBefore = 2_000

const OutageRow = z.object({
  id: z.number(),
  ended_at: z.number().nullable(),
  seen_at: z.number(),
  start_seq: z.number(),
  start_entry: z.number(),
  last_seq: z.number().nullable(),
})
type OutageRow = z.infer<typeof OutageRow>
const Cause = z.object({ at: z.number(), cause: OutageCause.catch('unreachable') })
const ReportStatus = z.enum(['reported', 'waiting', 'attention', 'canceled'])
const ReportTuple = z.tuple([z.number(), ReportStatus])
const Tally = z.object({
  standing: ReportStatus,
  before: z.number(),
  count: z.number(),
})
/** The step at which the service was known to have a report: `at` by the station's clock, `by` who took it. */
const AcceptingStep = z.object({ at: z.number(), by: z.enum(['person', 'station']) })
const JournalLine = z.object({
  step: z
    .string()
    .transform((text) => AcceptingStep.parse(JSON.parse(text)))
    .nullable(),
  raw: z.number(),
  offset: z.number(),
  isBefore: z.number(),
})
type JournalLine = z.infer<typeof JournalLine>

/** Clocks that differ by less, in ms, agree. */
const agreeing = 60_000

const columns = 'began_at AS id, ended_at, seen_at, start_seq, start_entry, last_seq'
/** A report that was made during the outage, or before it and was not settled when it began. */
const isOfOutage = `seq > @from AND seq <= @to AND (seq > @start OR coalesce((
  SELECT to_state FROM journal WHERE operation_seq = seq AND entry <= @entry ORDER BY entry DESC LIMIT 1), '')
  IN ('queued', 'sending', 'unknown'))`

const standing = `CASE WHEN state = 'rejected' OR unsettled = 1 THEN 'attention' WHEN state = 'accepted' THEN 'reported'
  WHEN state = 'cancelled' THEN 'canceled' ELSE 'waiting' END`

class Closed extends Error {}

function statementsOf(db: Database) {
  const touching = 'began_at < @to AND coalesce(ended_at, max(@now, seen_at)) >= @from'
  const after = db.prepare(
    `SELECT ${columns} FROM outage WHERE ${touching} AND began_at > @after ORDER BY began_at LIMIT +@limit`,
  )
  const within = db.prepare(`SELECT ${columns} FROM outage WHERE ${touching} ORDER BY began_at DESC LIMIT +@limit`)
  const countWithin = db.prepare(`SELECT count(*) FROM outage WHERE ${touching}`).pluck()
  const byId = db.prepare(`SELECT ${columns} FROM outage WHERE began_at = ?`)
  const causes = db.prepare('SELECT at, cause FROM outage_cause WHERE outage = ? ORDER BY at')
  const tallies = db.prepare(`
    SELECT ${standing} AS standing, seq <= @start AS before, count(*) AS count
    FROM operation WHERE ${isOfOutage} GROUP BY standing, before`)
  const members = db
    .prepare(`SELECT seq, ${standing} FROM operation WHERE ${isOfOutage} ORDER BY seq LIMIT +@limit`)
    .raw()
  const lines = db.prepare(`
    SELECT operation.*, performed_at_raw AS raw, clock_offset AS offset, seq <= @start AS isBefore, (
        SELECT json_object('at', at, 'by', actor) FROM journal WHERE operation_seq = seq AND to_state = 'accepted'
        ORDER BY entry DESC LIMIT 1) AS step
    FROM operation WHERE ${isOfOutage} ORDER BY seq LIMIT +@limit`)
  const nextOffset = db.prepare('SELECT clock_offset FROM operation WHERE seq > ? ORDER BY seq LIMIT 1').pluck()
  const newest = db.prepare('SELECT coalesce(max(seq), 0) FROM operation').pluck()
  return { after, within, countWithin, byId, causes, tallies, members, lines, nextOffset, newest }
}

/** Reads the outages that `service/outages.ts` keeps, with what was done during them. Never names a customer. */
export class OutageLedger {
  readonly #db: Database
  readonly #clock: Clock
  readonly #serviceClock: Pick<ServiceClock, 'offset'>
  readonly #storeName: string
  readonly #station: string
  readonly #stationInStore: () => string | null
  readonly #momentOf: (id: number) => number | undefined
  readonly #mostLines: number
  readonly #pause: () => Promise<unknown>
  readonly #sql: ReturnType<typeof statementsOf>

  constructor({
    db,
    clock,
    serviceClock,
    storeName,
    station,
    stationInStore = () => null,
    momentOf = () => undefined,
    mostLines = mostInFile,
    pause = () => setImmediate(),
  }: {
    db: Database
    clock: Clock
    serviceClock: Pick<ServiceClock, 'offset'>
    storeName: string
    station: string
    /** This station's name in a store of several stations; null alone. */
    stationInStore?: () => string | null
    /** The present moment of an outage that lasts, by the clock by which it is kept; undefined for another one. */
    momentOf?: (id: number) => number | undefined
    /** Reports in a file, at most. */
    mostLines?: number
    /** Lets other work run. */
    pause?: () => Promise<unknown>
  }) {
    this.#db = db
    this.#clock = clock
    this.#serviceClock = serviceClock
    this.#storeName = storeName
    this.#station = station
    this.#stationInStore = stationInStore
    this.#momentOf = momentOf
    this.#mostLines = mostLines
    this.#pause = pause
    this.#sql = statementsOf(this.#db)
  }

  /** Those that touched the span (ms since 1970, end exclusive), oldest first: for the closing report. */
  during(from: number, to: number): Outage[] {
    return this.#rowsIn(from, to, mostListed)
      .map((row) => this.#view(row))
      .reverse()
  }

  /** The newest, with sums over all. */
  list(span: { from: string; to: string }): Promise<ResultOf<OutageList, 'app/reopened'>> {
    return this.#whileOpen(async () => {
      const [from, to] = this.#ms(span)
      const total = this.#totalOf(from, to)
      const outages: Outage[] = []
      for (const row of this.#rowsIn(from, to, mostListed)) {
        outages.push(this.#view(row))
        await this.#yieldNow()
      }
      return { outages, total, sums: await this.#sumsOf({ from, to, now: this.#now() }) }
    })
  }

  page(
    id: number,
    from: number,
  ): ResultOf<{ outage: Outage; lines: OutageLine[]; hasMore: boolean }, 'outbox/no-outage'> {
    const row = this.#sql.byId.get(id)
    if (row === undefined) return err({ code: 'outbox/no-outage' })
    const parsed = OutageRow.parse(row)
    const found = this.#linesOf(parsed, from, pageSize + 1)
    return ok({ outage: this.#view(parsed), lines: found.slice(0, pageSize), hasMore: found.length > pageSize })
  }

  /** Oldest first, as they are read on paper. */
  export(span: { from: string; to: string }): Promise<ResultOf<OutageExport, 'app/reopened'>> {
    return this.#whileOpen(async () => {
      const [from, to] = this.#ms(span)
      let room = this.#mostLines
      let left = 0
      const total = this.#totalOf(from, to)
      const outages: OutageExport['outages'] = []
      for (const row of this.#rowsIn(from, to, mostOutagesInFile)) {
        const outage = this.#view(row)
        await this.#yieldNow()
        const found = await this.#allLines(row, room)
        room -= found.length
        left += Math.max(outage.counts.made + outage.counts.before - found.length, 0)
        outages.push({ outage, lines: found })
      }
      outages.reverse()
      const madeAt = this.#now()
      const inStore = this.#stationInStore()
      const ofStation = inStore === null ? '' : `-${fileNamePart(inStore)}`
      const fileName = `outages${ofStation}-${localTime(madeAt).slice(0, 10)}.csv`
      const leftOutages = Math.max(total - outages.length, 0)
      const made = {
        fileName,
        madeAt: iso(madeAt),
        storeName: this.#storeName,
        station: inStore ?? this.#station,
        isOfMany: inStore !== null,
      }
      return { ...made, outages, left, leftOutages }
    })
  }

  async #yieldNow() {
    await this.#pause()
    if (!this.#db.open) throw new Closed()
  }

  /** Reads piece by piece, unless the station is closed meanwhile. */
  async #whileOpen<T>(read: () => Promise<T>): Promise<ResultOf<T, 'app/reopened'>> {
    try {
      return ok(await read())
    } catch (cause) {
      if (cause instanceof Closed) return err({ code: 'app/reopened' })
      throw cause
    }
  }

  #now() {
    return this.#clock.now() + this.#serviceClock.offset()
  }

  #spanOf(row: OutageRow, from = 0) {
    return {
      from: Math.max(row.start_seq - mostBefore, from),
      start: row.start_seq,
      entry: row.start_entry,
      to: row.last_seq ?? z.number().parse(this.#sql.newest.get()),
    }
  }

  /** In ms. */
  #lengthOf(row: OutageRow): number {
    return Math.max((row.ended_at ?? this.#momentOf(row.id) ?? Math.max(this.#now(), row.seen_at)) - row.id, 0)
  }

  #view(row: OutageRow): Outage {
    const counts: Outage['counts'] = { made: 0, before: 0, reported: 0, waiting: 0, attention: 0, canceled: 0 }
    for (const one of this.#sql.tallies.all(this.#spanOf(row))) {
      const { standing, before, count } = Tally.parse(one)
      counts[standing] += count
      counts[before === 1 ? 'before' : 'made'] += count
    }
    const known = this.#sql.causes.all(row.id).map((one) => Cause.parse(one))
    return {
      id: row.id,
      from: iso(row.id),
      to: row.ended_at === null ? null : iso(row.ended_at),
      lengthMs: this.#lengthOf(row),
      causes: (known.length === 0 ? [{ at: row.id, cause: 'unreachable' as const }] : known).map(({ at, cause }) => ({
        from: iso(at),
        cause,
      })),
      isCut: known.length >= mostCauses,
      counts,
    }
  }

  /** The correction of the clock after an outage: that of the next report, else the present one. */
  #offsetAfter({ last_seq: last }: OutageRow): number {
    const next = last === null ? undefined : this.#sql.nextOffset.get(last)
    return next === undefined ? this.#serviceClock.offset() : z.number().parse(next)
  }

  /**
   * When a report was accepted, by the service's clock. The step has the time of the station's clock, which may have
   * been set since the report was made, so the correction of then is right only if it puts the step after the report,
   * and after the outage: it was the service's answer that ended it, unless a person said that the service has the
   * report, or a new outage began between the answer to an earlier report and its step.
   */
  #acceptedAt(row: OutageRow, after: number, { step, raw, offset, isBefore }: JournalLine) {
    if (step === null) return null
    const made = raw + offset
    const over = step.by === 'station' ? Math.max(row.ended_at ?? made, made) : made
    const latest = this.#now() + agreeing
    const corrections = Math.abs(after - offset) < agreeing ? [offset] : [offset, after]
    for (const earliest of isBefore === 1 ? [over, made] : [over]) {
      const [first, ...others] = corrections
        .map((correction) => step.at + correction)
        .filter((at) => at > earliest - agreeing && at < latest)
      if (first !== undefined) return { at: Math.max(first, earliest), isDoubtful: others.length > 0 }
    }
    return { at: Math.max(Math.min(over, this.#now()), made), isDoubtful: true }
  }

  #lineOf(of: OutageRow, after: number, row: unknown): OutageLine {
    const operation = operationOf(row)
    const line = JournalLine.parse(row)
    const accepted = operation.state === 'accepted' ? this.#acceptedAt(of, after, line) : null
    const { payload } = operation
    return {
      ...reportLine(operation),
      ...viewName(operation),
      seq: operation.seq,
      itemCount: payload === null ? 0 : 'itemCount' in payload ? payload.itemCount : tagsOf(payload).length,
      reported: whetherReported(operation),
      reportedAt: accepted && iso(accepted.at),
      delayMs: accepted && accepted.at - (line.raw + line.offset),
      isDoubtful: accepted?.isDoubtful ?? false,
      isBefore: line.isBefore === 1,
    }
  }

  #linesOf(row: OutageRow, from: number, limit: number) {
    const after = this.#offsetAfter(row)
    return this.#sql.lines.all({ ...this.#spanOf(row, from), limit }).map((line) => this.#lineOf(row, after, line))
  }

  /** The lines of an outage, as many as there is room for, piece by piece. */
  async #allLines(row: OutageRow, room: number): Promise<OutageLine[]> {
    // While it lasts, it has the reports that there are now.
    const { to } = this.#spanOf(row)
    const found: OutageLine[] = []
    for (let hasMore = true; hasMore && found.length < room;) {
      const limit = Math.min(atOnce, room - found.length)
      const piece = this.#linesOf({ ...row, last_seq: to }, found.at(-1)?.seq ?? 0, limit)
      for (const line of piece) found.push(line)
      hasMore = piece.length === limit
      await this.#yieldNow()
    }
    return found
  }

  /** Over all outages of a span. A report that waited through several of them counts once. */
  async #sumsOf(span: { from: number; to: number; now: number }): Promise<OutageList['sums']> {
    const sums = { lengthMs: 0, reported: 0, open: 0 }
    const counted = new Set<number>()
    const add = (row: OutageRow, from: number): number | null => {
      const found = this.#sql.members
        .all({ ...this.#spanOf(row, from), limit: atOnce })
        .map((one) => ReportTuple.parse(one))
      for (const [seq, stands] of found) {
        if (counted.has(seq)) continue
        counted.add(seq)
        if (stands === 'reported') sums.reported++
        else if (stands !== 'canceled') sums.open++
      }
      return found.length < atOnce ? null : (found.at(-1)?.[0] ?? null)
    }
    let last: number | null = Number.MIN_SAFE_INTEGER
    while (last !== null) {
      const rows: OutageRow[] = this.#sql.after
        .all({ ...span, after: last, limit: atOnce })
        .map((row) => OutageRow.parse(row))
      for (const row of rows) {
        sums.lengthMs += this.#lengthOf(row)
        for (let from: number | null = 0; from !== null; from = add(row, from)) await this.#yieldNow()
      }
      last = rows.length < atOnce ? null : (rows.at(-1)?.id ?? null)
    }
    return sums
  }

  #rowsIn(from: number, to: number, limit: number): OutageRow[] {
    return this.#sql.within.all({ from, to, now: this.#now(), limit }).map((row) => OutageRow.parse(row))
  }

  #totalOf(from: number, to: number) {
    return z.number().parse(this.#sql.countWithin.get({ from, to, now: this.#now() }))
  }

  #ms({ from, to }: { from: string; to: string }) {
    return [Date.parse(from), Date.parse(to)] as const
  }
}

import { randomUUID } from 'node:crypto'
import type { Database } from 'better-sqlite3'
import type { AppError } from '../../../src-shared/errors'
import type { GateQuestion } from '../../../src-shared/gates'
import { type CaseId, CountId, type DeliveryId, type TagId } from '../../../src-shared/ids'
import type {
  CountDetail,
  CountExport,
  CountScanResult,
  CountSums,
  CountView,
  CountedCase,
  Resolve,
} from '../../../src-shared/ipc/contract/count'
import type { OperationView } from '../../../src-shared/ipc/contract/outbox'
import { type Result, err, ok } from '../../../src-shared/result'
import type { TagFacts } from '../../../src-shared/service/facts'
import { withTimeout } from '../../core/async'
import { type Clock, isSameDay, iso } from '../../core/clock'
import type { MainEvents } from '../../core/events'
import type { CountBody } from '../../hub/rows'
import type { Lookup } from '../../memory/lookup'
import type { Memory } from '../../memory/store'
import type { Outbox } from '../../outbox/outbox'
import type { Reporting } from '../../outbox/reporting'
import { saved } from '../../database/saved'
import { countExport, createCountDetails, createCountReports } from './count-differences'
import { createResolving } from './count-resolving'
import { type CountRow, type CountRows, type Resolution, createCountRows } from './count-rows'
import type { Ownership } from './ownership'
import type { LateRows } from '../../receiving/record/record-late'

export type CaseCounts = ReturnType<typeof createCounts>

export interface CountOfDelivery {
  count: CountView
  /** What each case held when the count started. */
  expected: ReadonlyMap<CaseId, TagId[]>
  scanned: ReadonlySet<TagId>
  /** What was decided about items that differ. */
  resolutions: ReadonlyMap<TagId, Resolution>
}

/** What other stations scanned of a shared count; `station` is null for this one. */
export interface MergedNews {
  scans: { tagId: TagId; at: number; isGone: boolean; station: string | null }[]
  isFinished: boolean
}

/** A count as the store is told it, with what it holds since it began. */
export interface SharedCount {
  id: CountId
  isFinished: boolean
  body: CountBody
}

export interface CountsParts {
  db: Database
  lookup: Pick<Lookup, 'tag'>
  seen: Memory
  outbox: Outbox
  reporting: Pick<Reporting, 'view' | 'report'>
  clock: Clock
  /** Whether the account may change what cases hold. */
  canChangeCases: () => boolean
  ownership: Ownership
  events: Pick<MainEvents, 'emit' | 'on'>
  late: Pick<LateRows, 'noteScan'>
}

/** Strangers asked about at a time, and in all, when a count is opened. */
const askedAtOnce = 8
const mostAsked = 200

/** Counting what came, item by item, and settling what differs. Rules: receiving.md. */
export function createCounts(parts: CountsParts) {
  const { db, lookup, seen, outbox, reporting, clock, canChangeCases, ownership, events, late } = parts
  const rows = createCountRows(db)
  const whereabouts = createWhereabouts(lookup, seen)
  const reports = createCountReports(outbox)
  const objectionTo = (caseId: CaseId) => ownership.objection(caseId)
  const details = createCountDetails({ rows, reports, whereabouts, seen, canChangeCases, objectionTo })
  const resolving = createResolving({
    db,
    rows,
    details,
    reports,
    outbox,
    reporting,
    productOf: (tagId) => seen.tag(tagId)?.value.productName ?? null,
    canChangeCases,
    objectionTo,
  })

  const none = err({ code: 'receiving/no-count' } as const)
  let running: Tally | undefined
  const tallyOf = (row: CountRow): Tally => {
    if (row.finishedAt !== null) return createTally(rows, row)
    if (running?.seq !== row.seq) running = createTally(rows, row)
    return running
  }
  const canReopen = ({ finishedAt, isOfPastDelivery }: CountRow) =>
    finishedAt !== null && !isOfPastDelivery && isSameDay(finishedAt, clock.now()) && !rows.open()
  const viewOf = (row: CountRow): CountView => {
    const { deliveryId } = row
    return { ...tallyOf(row).view(), deliveryId, canReopen: canReopen(row) }
  }
  /** The counts that became another station's, by the ids that pages still have. */
  const became = new Map<CountId, CountId>()
  const byId = (countId: CountId) => rows.byId(became.get(countId) ?? countId)
  const openOne = (countId: CountId) => {
    const row = rows.open()
    return row?.id === (became.get(countId) ?? countId) ? row : undefined
  }
  /** An item of this case, or of none, was scanned (1) or taken back (-1); by another station if one is named. */
  const note = (tally: Tally, caseId: CaseId | undefined, by: 1 | -1, station: string | null) => {
    tally.note(caseId, by, station)
    events.emit('receiving.counted', { count: tally.sums(), case: (caseId && tally.of(caseId)) ?? null })
  }
  /** Takes a scan back, if it is there. Throws when the disk refuses. */
  const unscan = (row: CountRow, tagId: TagId) => {
    const scan = rows.scan(row.seq, tagId)
    if (scan === undefined) return
    // Read before the scan is deleted: a tally read after that would already lack it.
    const tally = tallyOf(row)
    rows.unscan(row.seq, tagId)
    note(tally, rows.caseOf(row.seq, tagId), -1, scan.station)
  }

  const stepped = <Answer>(answer: Answer): Answer => {
    events.emit('count.stepped', null)
    return answer
  }
  const unexpectedResult = ({ caseId, productName }: { caseId: CaseId | null; productName: string | null }) => {
    const identifier = caseId === null ? null : (seen.case(caseId)?.value.identifier ?? null)
    return { kind: 'stranger', caseId, identifier, productName } as const
  }

  /** Asks about unknown items until the service no longer answers. */
  const lookInto = async (row: CountRow) => {
    const unknown = details.unknown(row.seq).slice(0, mostAsked)
    for (let from = 0; from < unknown.length; from += askedAtOnce) {
      const part = unknown.slice(from, from + askedAtOnce)
      const answers = await Promise.all(part.map(async (tagId) => ({ tagId, answer: await whereabouts.ask(tagId) })))
      for (const { tagId, answer } of answers) if (!answer.ok && isOtherThing(answer.error)) unscan(row, tagId)
      if (answers.every(({ answer }) => !answer.ok && answer.error.code !== 'service/not-found')) return
    }
  }

  events.on('delivery.finished', 'counting/cases/count.ts', () => {
    const row = running && rows.byId(running.view().id)
    if (!row || row.finishedAt === null) return
    running = undefined
    events.emit('receiving.count', viewOf(row))
  })

  return {
    /** The count that is not finished; null if there is none. */
    openCount(): CountView | null {
      const row = rows.open()
      return row ? viewOf(row) : null
    },
    /**
     * Counts one case, or all cases of the delivery under way (null). Errors: receiving/count-open,
     * receiving/nothing-to-count, receiving/no-delivery, store/not-saved.
     */
    startCount(caseId: CaseId | null): Result<Pick<CountView, 'id'>, AppError> {
      const started = saved(() => {
        if (rows.open()) return err({ code: 'receiving/count-open' })
        const delivery = rows.delivery()
        if (caseId === null && !delivery) return err({ code: 'receiving/no-delivery' })
        const caseIds = caseId === null ? (delivery?.caseIds ?? []) : [caseId]
        const cases = caseIds.flatMap((one) => {
          const facts = seen.case(one)?.value
          if (!facts) return []
          const names = new Set(facts.packagedProducts.map((product) => product.productName))
          const productName = names.size === 0 ? null : [...names].join(', ')
          return {
            caseId: facts.caseId,
            identifier: facts.identifier,
            productName,
            tagIds: facts.tags.map((tag) => tag.tagId),
          }
        })
        if (cases.length === 0) return err({ code: 'receiving/nothing-to-count' })
        // The count of a single case belongs to the delivery if the case does.
        const isOfDelivery = caseId === null || delivery?.caseIds.includes(caseId)
        const id = CountId.parse(randomUUID())
        rows.insert({ id, delivery: isOfDelivery ? (delivery?.seq ?? null) : null, caseId, at: clock.now(), cases })
        const row = rows.byId(id)
        if (!row) throw new Error('the count that was just started is not there')
        return ok(viewOf(row))
      })
      if (!started.ok) return started
      events.emit('receiving.count', started.value)
      return ok({ id: started.value.id })
    },
    /** Errors: receiving/no-count, store/not-saved; scan/wrong-place if it is a case's id. */
    async countTag(countId: CountId, tagId: TagId): Promise<Result<CountScanResult, AppError>> {
      const row = openOne(countId)
      if (!row) return none
      const tally = tallyOf(row)
      const before = rows.scan(row.seq, tagId)
      if (before !== undefined) {
        const productName = seen.tag(tagId)?.value.productName ?? null
        return ok({ kind: 'repeat', at: iso(before.at), productName, station: before.station })
      }
      const caseId = rows.caseOf(row.seq, tagId)
      // Saved before the service is asked or the scan is answered.
      const scanned = saved(() => {
        rows.addScan(row.seq, tagId, clock.now())
        return ok(null)
      })
      if (!scanned.ok) return scanned
      note(tally, caseId, 1, null)
      events.emit('count.stepped', null)
      const counted = caseId === undefined ? undefined : tally.of(caseId)
      if (counted) return ok({ kind: 'counted', case: counted })

      const cached = whereabouts.cached(tagId)
      if (cached) return ok(unexpectedResult(cached))
      const asked = await whereabouts.ask(tagId)
      if (asked.ok) return ok(unexpectedResult(asked.value))
      if (!isOtherThing(asked.error)) return ok({ kind: 'unknown', error: asked.error })
      return stepped(
        saved(() => {
          unscan(row, tagId)
          return asked
        }),
      )
    },
    /** Errors: receiving/no-count, store/not-saved. */
    uncountTag(countId: CountId, tagId: TagId): Result<null, AppError> {
      const row = openOne(countId)
      if (!row) return none
      return stepped(
        saved(() => {
          unscan(row, tagId)
          return ok(null)
        }),
      )
    },
    /** Errors: receiving/no-count, store/not-saved. */
    finishCount(countId: CountId): Result<null, AppError> {
      const row = byId(countId)
      if (!row) return none
      const finished = saved(() => {
        if (row.finishedAt === null) rows.finish(row.seq, clock.now())
        running = undefined
        return ok(viewOf(byId(countId) ?? row))
      })
      if (!finished.ok) return finished
      events.emit('receiving.count', finished.value)
      events.emit('count.stepped', null)
      return ok(null)
    },
    /**
     * Opens a count again, on the day it was finished: what was scanned and settled stays. Errors: receiving/no-count,
     * receiving/count-open, receiving/count-over, store/not-saved.
     */
    reopenCount(countId: CountId): Result<null, AppError> {
      const reopened = saved(() => {
        const row = byId(countId)
        if (!row) return none
        const open = rows.open()
        if (open && open.id !== row.id) return err({ code: 'receiving/count-open' })
        if (!open && !canReopen(row)) return err({ code: 'receiving/count-over' })
        if (!open) rows.reopen(row.seq)
        running = undefined
        return ok(viewOf(byId(countId) ?? row))
      })
      if (!reopened.ok) return reopened
      events.emit('receiving.count', reopened.value)
      events.emit('count.stepped', null)
      return ok(null)
    },
    /** Counts along with another station of the store. Errors: receiving/count-open, store/not-saved. */
    joinCount(id: CountId, { caseId, startedAt, cases }: CountBody): Result<Pick<CountView, 'id'>, AppError> {
      const joined = saved(() => {
        const open = rows.open()
        if (open) return open.id === id ? ok(viewOf(open)) : err({ code: 'receiving/count-open' })
        const before = rows.byId(id)
        if (!before) rows.insert({ id, delivery: null, caseId, at: startedAt, cases })
        else if (before.finishedAt !== null) rows.reopen(before.seq)
        const row = rows.byId(id)
        if (!row) throw new Error('the count that was just joined is not there')
        return ok(viewOf(row))
      })
      if (!joined.ok) return joined
      events.emit('receiving.count', joined.value)
      return ok({ id })
    },
    /** Who counted, if other stations did. */
    stationsOf(id: CountId): CountView['stations'] {
      const row = rows.byId(id)
      return row ? viewOf(row).stations : []
    },
    /** The id that a count has by now, for one that a page has. */
    idNow: (id: CountId): CountId => became.get(id) ?? id,
    headOf(seq: number): { id: CountId; isFinished: boolean } | undefined {
      const row = rows.bySeq(seq)
      return row && { id: row.id, isFinished: row.finishedAt !== null }
    },
    scanOf: rows.scan,
    /** The items that this station scanned. */
    scannedHere: rows.scannedHere,
    /** What a shared count holds, as it was when it began; undefined if it is not there. */
    bodyOf(seq: number): SharedCount | undefined {
      const row = rows.bySeq(seq)
      if (!row) return undefined
      const held = byCase(rows.expected(seq))
      const cases = rows.cases(seq).map((one) => ({ ...one, tagIds: held.get(one.caseId) ?? [] }))
      const { id, caseId, startedAt, finishedAt } = row
      return { id, isFinished: finishedAt !== null, body: { caseId, startedAt, cases } }
    },
    /**
     * Scans of other stations, and whether the count is finished for all. `isOwn`: items whose own scan or undo the others don't
     * know yet, which counts. Returns how to tell the screens once that is committed; if it isn't, call `reread`. Throws when
     * the disk refuses.
     */
    merge(seq: number, { scans, isFinished }: MergedNews, isOwn: (tagId: TagId) => boolean): () => void {
      const row = rows.bySeq(seq)
      const changes = scans.flatMap((scan) => {
        const before = isOwn(scan.tagId) ? 'own' : rows.scan(seq, scan.tagId)
        if (before === 'own' || (scan.isGone ? !before : before?.station === scan.station)) return []
        return [{ ...scan, before }]
      })
      const isChanged = row !== undefined && isFinished !== (row.finishedAt !== null) && (isFinished || !rows.open())
      if (!row || (changes.length === 0 && !isChanged)) return () => undefined
      const tally = tallyOf(row)
      for (const { tagId, at, isGone, station, before } of changes) {
        if (isGone) rows.unscan(seq, tagId)
        else if (before) rows.setStation(seq, tagId, station)
        else rows.addScan(seq, tagId, at, station)
        // Noted in the same commit, as it is in no version of the record.
        if (row.isOfPastDelivery && !before !== isGone) late.noteScan(seq, tagId, station, isGone)
        const caseId = rows.caseOf(seq, tagId)
        if (before) tally.note(caseId, -1, before.station)
        if (!isGone) tally.note(caseId, 1, station)
      }
      if (isChanged) {
        if (isFinished) rows.finish(seq, clock.now())
        else rows.reopen(seq)
        running = undefined
      }
      return () => {
        events.emit('receiving.count', viewOf(rows.bySeq(seq) ?? row))
        if (row.isOfPastDelivery) events.emit('record.late', null)
      }
    },
    /**
     * Makes a count that of another station, which has begun the same one. Returns how to tell the screens once that is
     * committed: pages that still have its own id go on. Throws when the disk refuses.
     */
    become(seq: number, id: CountId, { startedAt, cases }: CountBody): () => void {
      const before = rows.bySeq(seq)
      rows.become(seq, { id, at: startedAt, cases })
      return () => {
        running = undefined
        if (!before) return
        for (const [from, to] of became) if (to === before.id) became.set(from, id)
        became.set(before.id, id)
        events.emit('receiving.count', viewOf(rows.bySeq(seq) ?? before))
      }
    },
    isKnown: (id: CountId): boolean => rows.byId(id) !== undefined,
    /** What was merged was not saved. */
    reread(): void {
      running = undefined
    },
    /** Asks again about items that could not be asked about when they were scanned. Errors: receiving/no-count. */
    async countDetail(countId: CountId): Promise<Result<Omit<CountDetail, 'behind'>, AppError>> {
      const row = byId(countId)
      if (!row) return none
      await Promise.all([lookInto(row), ownership.learn()])
      const count = viewOf(byId(countId) ?? row)
      const { groups, differences } = await details.differences(row, count.cases)
      const reported = new Set(differences.flatMap(({ operationId }) => operationId ?? []))
      const operations = [...reported].flatMap((id) => outbox.read.byId(id) ?? [])
      return ok({ count, groups, differences, operations: operations.map((one) => reporting.view(one)) })
    },
    /** The gate that resolving differences passes; null if none. */
    gateOf(request: Resolve): GateQuestion | null {
      const row = byId(request.countId)
      return row ? resolving.gateOf(row.seq, request) : null
    },
    /** Errors: receiving/no-count, receiving/not-a-difference, receiving/no-case-changes, store/not-saved. */
    async resolve(request: Resolve, because?: string): Promise<Result<OperationView[], AppError>> {
      const row = byId(request.countId)
      if (!row) return none
      const resolved = await resolving.resolve(row.seq, request, because)
      if (resolved.ok) events.emit('receiving.count', viewOf(row))
      return resolved
    },
    /** Errors: receiving/no-count. */
    async exportCount(countId: CountId): Promise<Result<CountExport, AppError>> {
      const row = byId(countId)
      if (!row) return none
      const count = viewOf(row)
      const { differences } = await details.differences(row, count.cases)
      const [expected, scanned, nameOf] = [rows.expected(row.seq), rows.scanned(row.seq), details.names()]
      const productOf = (tagId: TagId) => nameOf(tagId, expected.get(tagId) ?? null)
      return ok(countExport({ count, expected, scanned, differences, productOf }))
    },
    /** How many differences of a delivery's finished counts are not settled; of a case counted twice, those of the last count. */
    async openDifferences(deliveryId: DeliveryId): Promise<number> {
      const countedLater = new Set<CaseId | null>()
      let open = 0
      for (const row of rows.ofDelivery(deliveryId).toReversed()) {
        const { cases, finishedAt } = viewOf(row)
        if (finishedAt === null) continue
        const ofRow = await details.open(row)
        open += ofRow.filter((caseId) => !countedLater.has(caseId)).length
        for (const { caseId } of cases) countedLater.add(caseId)
      }
      return open
    },
    /** For the report of a delivery; oldest first. */
    ofDelivery: (deliveryId: DeliveryId): CountOfDelivery[] =>
      rows.ofDelivery(deliveryId).map((row) => ({
        count: viewOf(row),
        expected: byCase(rows.expected(row.seq)),
        scanned: new Set(rows.scanned(row.seq).keys()),
        resolutions: rows.resolutions(row.seq),
      })),
  }
}

function byCase(expected: Map<TagId, CaseId>): Map<CaseId, TagId[]> {
  const cases = new Map<CaseId, TagId[]>()
  for (const [tagId, caseId] of expected) {
    const tagIds = cases.get(caseId)
    if (tagIds) tagIds.push(tagId)
    else cases.set(caseId, [tagId])
  }
  return cases
}

type Tally = ReturnType<typeof createTally>

/**
 * How far a count has come, updated scan by scan: with 50,000 items expected, reading all of them for every scan would be
 * too slow. Always equals the store, because a scan is saved before it is noted here.
 */
function createTally(rows: CountRows, row: CountRow) {
  const { seq, id, caseId, startedAt, finishedAt } = row
  const tallies = rows.tallies(seq)
  const cases = new Map<CaseId, CountedCase>(
    rows.cases(seq).map((one) => {
      const { expected = 0, counted = 0 } = tallies.get(one.caseId) ?? {}
      return [one.caseId, { ...one, tagCount: expected, counted }]
    }),
  )
  const total = [...tallies.values()].reduce((sum, one) => sum + one.expected, 0)
  let counted = [...tallies.values()].reduce((sum, one) => sum + one.counted, 0)
  let strangers = rows.scannedCount(seq) - counted
  const by = new Map(rows.stations(seq).map(({ station, scanned }) => [station, scanned]))
  const stations = () =>
    [...by].some(([station, scanned]) => station !== null && scanned > 0)
      ? [...by].map(([station, scanned]) => ({ station, scanned }))
      : []
  const head = {
    id,
    caseId,
    startedAt: iso(startedAt),
    finishedAt: finishedAt === null ? null : iso(finishedAt),
  }
  return {
    seq,
    /** Without the cases. */
    sums: (): CountSums => ({ id, total, counted, strangers, stations: stations() }),
    view: (): Omit<CountView, 'canReopen' | 'deliveryId'> => ({
      ...head,
      ...{ cases: [...cases.values()], total, counted, strangers, stations: stations() },
    }),
    /** Undefined if the count does not hold the case. */
    of: (one: CaseId) => cases.get(one),
    /** An item was scanned (1) or taken back (-1), of this case or of none. `station`: null for this one. */
    note(of: CaseId | undefined, change: 1 | -1, station: string | null): void {
      by.set(station, (by.get(station) ?? 0) + change)
      const found = of && cases.get(of)
      if (!found) {
        strangers += change
        return
      }
      counted += change
      cases.set(of, { ...found, counted: found.counted + change })
    },
  }
}

/** How long a scan waits for the service, in ms. */
const patience = 800

/** Where an item belongs that is in none of the counted cases. */
function createWhereabouts(lookup: Pick<Lookup, 'tag'>, seen: Pick<Memory, 'tag' | 'case'>) {
  return {
    /** What is remembered; undefined if it was never seen, or its case was read since without it. */
    cached(tagId: TagId): TagFacts | undefined {
      const facts = seen.tag(tagId)?.value
      if (!facts || facts.caseId === null) return facts
      const holder = seen.case(facts.caseId)?.value
      return holder && !holder.tags.some((tag) => tag.tagId === tagId) ? undefined : facts
    },
    /** Asks the service, but waits for a moment only; a later answer is remembered. Errors: those of a read. */
    async ask(tagId: TagId): Promise<Result<TagFacts, AppError>> {
      return withTimeout(lookup.tag(tagId), patience, () => err({ code: 'service/unreachable' }))
    },
  }
}

/** Not an item: the label of a case was scanned. */
const isOtherThing = (error: AppError): boolean => error.code === 'scan/wrong-place'

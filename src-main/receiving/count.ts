import { randomUUID } from 'node:crypto'
import type { Database } from 'better-sqlite3'
import type { AppError } from '../../src-shared/errors'
import type { GateQuestion } from '../../src-shared/gates'
import { type CaseId, CountId, type DeliveryId, type TagId } from '../../src-shared/ids'
import type {
  CountChange,
  CountDetail,
  CountExport,
  CountFinding,
  CountSums,
  CountView,
  CountedCase,
  Resolve,
} from '../../src-shared/ipc/contract/count'
import type { OperationView } from '../../src-shared/ipc/contract/outbox'
import { type Result, err, ok } from '../../src-shared/result'
import type { TagFacts } from '../../src-shared/service/facts'
import { withTimeout } from '../async'
import { type Clock, isSameDay, iso } from '../clock'
import type { Lookup } from '../memory/lookup'
import type { Memory } from '../memory/store'
import type { Outbox } from '../outbox/outbox'
import type { Reporting } from '../outbox/reporting'
import { saved } from '../store/saved'
import { countExport, createCountDetails, createCountReports } from './count-differences'
import { createResolving } from './count-resolving'
import { type CountRow, type CountRows, createCountRows } from './count-rows'
import type { Ownership } from './ownership'

export type Counts = ReturnType<typeof createCounts>

export interface CountOfDelivery {
  count: CountView
  /** What each case held when the count started. */
  expected: ReadonlyMap<CaseId, TagId[]>
  scanned: ReadonlySet<TagId>
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
  announce: (change: CountChange) => void
  /** A count was started or finished, or its differences were resolved. */
  announceCount: (count: CountView) => void
}

/** Strangers asked about at a time, and in all, when a count is opened. */
const askedAtOnce = 8
const mostAsked = 200

/** Counting what came, item by item, and settling what differs. Rules: receiving.md. */
export function createCounts(parts: CountsParts) {
  const { db, lookup, seen, outbox, reporting, clock, canChangeCases, ownership, announce, announceCount } = parts
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
  const viewOf = (row: CountRow): CountView => ({ ...tallyOf(row).view(), canReopen: canReopen(row) })
  const openOne = (countId: CountId) => {
    const row = rows.open()
    return row?.id === countId ? row : undefined
  }
  /** An item of this case, or of none, was scanned (1) or taken back (-1). */
  const note = (tally: Tally, caseId: CaseId | undefined, by: 1 | -1) => {
    tally.note(caseId, by)
    announce({ count: tally.sums(), case: (caseId && tally.of(caseId)) ?? null })
  }
  /** Takes a scan back, if it is there. Throws when the disk refuses. */
  const unscan = (row: CountRow, tagId: TagId) => {
    if (rows.scannedAt(row.seq, tagId) === undefined) return
    // Read before the scan is deleted: a tally read after that would already lack it.
    const tally = tallyOf(row)
    rows.unscan(row.seq, tagId)
    note(tally, rows.caseOf(row.seq, tagId), -1)
  }

  const strangerFinding = ({ caseId, productName }: { caseId: CaseId | null; productName: string | null }) => {
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
      announceCount(started.value)
      return ok({ id: started.value.id })
    },
    /** Errors: receiving/no-count, store/not-saved; scan/wrong-place if it is a case's id. */
    async countTag(countId: CountId, tagId: TagId): Promise<Result<CountFinding, AppError>> {
      const row = openOne(countId)
      if (!row) return none
      const tally = tallyOf(row)
      const before = rows.scannedAt(row.seq, tagId)
      if (before !== undefined) {
        const productName = seen.tag(tagId)?.value.productName ?? null
        return ok({ kind: 'repeat', at: iso(before), productName })
      }
      const caseId = rows.caseOf(row.seq, tagId)
      // Saved before the service is asked or the scan is answered.
      const scanned = saved(() => {
        rows.scan(row.seq, tagId, clock.now())
        return ok(null)
      })
      if (!scanned.ok) return scanned
      note(tally, caseId, 1)
      const counted = caseId === undefined ? undefined : tally.of(caseId)
      if (counted) return ok({ kind: 'counted', case: counted })

      const remembered = whereabouts.remembered(tagId)
      if (remembered) return ok(strangerFinding(remembered))
      const asked = await whereabouts.ask(tagId)
      if (asked.ok) return ok(strangerFinding(asked.value))
      if (!isOtherThing(asked.error)) return ok({ kind: 'unknown', error: asked.error })
      return saved(() => {
        unscan(row, tagId)
        return asked
      })
    },
    /** Errors: receiving/no-count, store/not-saved. */
    uncountTag(countId: CountId, tagId: TagId): Result<null, AppError> {
      const row = openOne(countId)
      if (!row) return none
      return saved(() => {
        unscan(row, tagId)
        return ok(null)
      })
    },
    /** Errors: receiving/no-count, store/not-saved. */
    finishCount(countId: CountId): Result<null, AppError> {
      const row = rows.byId(countId)
      if (!row) return none
      const finished = saved(() => {
        if (row.finishedAt === null) rows.finish(row.seq, clock.now())
        running = undefined
        return ok(viewOf(rows.byId(countId) ?? row))
      })
      if (!finished.ok) return finished
      announceCount(finished.value)
      return ok(null)
    },
    /**
     * Opens a count again, on the day it was finished: what was scanned and settled stays. Errors: receiving/no-count,
     * receiving/count-open, receiving/count-over, store/not-saved.
     */
    reopenCount(countId: CountId): Result<null, AppError> {
      const reopened = saved(() => {
        const row = rows.byId(countId)
        if (!row) return none
        const open = rows.open()
        if (open && open.id !== countId) return err({ code: 'receiving/count-open' })
        if (!open && !canReopen(row)) return err({ code: 'receiving/count-over' })
        if (!open) rows.reopen(row.seq)
        running = undefined
        return ok(viewOf(rows.byId(countId) ?? row))
      })
      if (!reopened.ok) return reopened
      announceCount(reopened.value)
      return ok(null)
    },
    /** A delivery was finished, and its count with it. */
    deliveryFinished(): void {
      const row = running && rows.byId(running.view().id)
      if (!row || row.finishedAt === null) return
      running = undefined
      announceCount(viewOf(row))
    },
    /** Asks again about items that could not be asked about when they were scanned. Errors: receiving/no-count. */
    async countDetail(countId: CountId): Promise<Result<CountDetail, AppError>> {
      const row = rows.byId(countId)
      if (!row) return none
      await Promise.all([lookInto(row), ownership.learn()])
      const count = viewOf(rows.byId(countId) ?? row)
      const { groups, differences } = await details.differences(row, count.cases)
      const reported = new Set(differences.flatMap(({ operationId }) => operationId ?? []))
      const operations = [...reported].flatMap((id) => outbox.read.byId(id) ?? [])
      return ok({ count, groups, differences, operations: operations.map((one) => reporting.view(one)) })
    },
    /** The gate that resolving differences passes; null if none. */
    gateOf(request: Resolve): GateQuestion | null {
      const row = rows.byId(request.countId)
      return row ? resolving.gateOf(row.seq, request) : null
    },
    /** Errors: receiving/no-count, receiving/not-a-difference, receiving/no-case-changes, store/not-saved. */
    async resolve(request: Resolve, because?: string): Promise<Result<OperationView[], AppError>> {
      const row = rows.byId(request.countId)
      if (!row) return none
      const resolved = await resolving.resolve(row.seq, request, because)
      if (resolved.ok) announceCount(viewOf(row))
      return resolved
    },
    /** Errors: receiving/no-count. */
    async exportCount(countId: CountId): Promise<Result<CountExport, AppError>> {
      const row = rows.byId(countId)
      if (!row) return none
      const count = viewOf(row)
      const { differences } = await details.differences(row, count.cases)
      const [expected, scanned, nameOf] = [rows.expected(row.seq), rows.scanned(row.seq), details.names()]
      const productOf = (tagId: TagId) => nameOf(tagId, expected.get(tagId) ?? null)
      return ok(countExport({ count, expected, scanned, differences, productOf }))
    },
    /** For the report of a delivery; oldest first. */
    ofDelivery: (deliveryId: DeliveryId): CountOfDelivery[] =>
      rows.ofDelivery(deliveryId).map((row) => ({
        count: viewOf(row),
        expected: byCase(rows.expected(row.seq)),
        scanned: new Set(rows.scanned(row.seq).keys()),
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
  const { seq, id, deliveryId, caseId, startedAt, finishedAt } = row
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
  const head = {
    id,
    deliveryId,
    caseId,
    startedAt: iso(startedAt),
    finishedAt: finishedAt === null ? null : iso(finishedAt),
  }
  return {
    seq,
    /** Without the cases. */
    sums: (): CountSums => ({ id, total, counted, strangers }),
    view: (): Omit<CountView, 'canReopen'> => ({ ...head, cases: [...cases.values()], total, counted, strangers }),
    /** Undefined if the count does not hold the case. */
    of: (one: CaseId) => cases.get(one),
    /** An item was scanned (1) or taken back (-1), of this case or of none. */
    note(of: CaseId | undefined, by: 1 | -1): void {
      const found = of && cases.get(of)
      if (!found) {
        strangers += by
        return
      }
      counted += by
      cases.set(of, { ...found, counted: found.counted + by })
    },
  }
}

/** How long a scan waits for the service, in ms. */
const patience = 800

/** Where an item belongs that is in none of the counted cases. */
function createWhereabouts(lookup: Pick<Lookup, 'tag'>, seen: Pick<Memory, 'tag' | 'case'>) {
  return {
    /** What is remembered; undefined if it was never seen, or its case was read since without it. */
    remembered(tagId: TagId): TagFacts | undefined {
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

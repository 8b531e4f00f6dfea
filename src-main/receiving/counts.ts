import { randomUUID } from 'node:crypto'
import type { Database } from 'better-sqlite3'
import type { AppError } from '../../src-shared/errors'
import { type CaseId, CountId, type DeliveryId, type TagId } from '../../src-shared/ids'
import type {
  CountDetail,
  CountFinding,
  CountSums,
  CountView,
  CountedCase,
  Resolve,
} from '../../src-shared/ipc/count-view'
import type { OperationView } from '../../src-shared/ipc/operation-view'
import type { ExportFile } from '../../src-shared/ipc/receiving-history-view'
import { type Result, err, ok } from '../../src-shared/result'
import { type Clock, iso } from '../clock'
import type { Lookup } from '../memory/lookup'
import type { Memory } from '../memory/store'
import type { Outbox } from '../outbox/outbox'
import type { Reporting } from '../outbox/reporting'
import { saved } from '../store/saved'
import { createCountDetails } from './count-detail'
import { countCsv } from './count-export'
import { createCountReports } from './count-reports'
import { type CountRow, createCountRows } from './count-rows'
import { type Tally, createTally } from './count-tally'
import { createWhereabouts, isOtherThing } from './count-whereabouts'
import { createResolving } from './resolving'

/** Counting what came, item by item, and settling what differs. Rules: receiving.md. */
export interface Counts {
  /** The count that is not finished; null when there is none. */
  openCount(): CountView | null
  /**
   * Counts one case, or all cases of the delivery under way (null). Errors: receiving/count-open,
   * receiving/nothing-to-count, receiving/no-delivery, store/not-saved.
   */
  startCount(caseId: CaseId | null): Result<CountView, AppError>
  /** Errors: receiving/no-count, store/not-saved; scan/wrong-place when it is a case's id. */
  countTag(countId: CountId, tagId: TagId): Promise<Result<{ count: CountSums; finding: CountFinding }, AppError>>
  /** Errors: receiving/no-count, store/not-saved. */
  uncountTag(countId: CountId, tagId: TagId): Result<{ count: CountSums; case: CountedCase | null }, AppError>
  /** Errors: receiving/no-count, store/not-saved. */
  finishCount(countId: CountId): Result<CountView, AppError>
  /** Asks about items that nobody could be asked about when they were scanned. Errors: receiving/no-count. */
  countDetail(countId: CountId): Promise<Result<CountDetail, AppError>>
  /** Errors: receiving/no-count, receiving/not-a-difference, receiving/no-case-changes, store/not-saved. */
  resolve(request: Resolve): Promise<Result<OperationView[], AppError>>
  /** Errors: receiving/no-count. */
  exportCount(countId: CountId): Promise<Result<ExportFile, AppError>>
  /** For the report of a delivery; oldest first. */
  ofDelivery(deliveryId: DeliveryId): CountOfDelivery[]
}

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
  reporting: Reporting
  clock: Clock
  /** Whether the account may change what cases hold. */
  canChangeCases: () => boolean
}

/** Strangers asked about when a count is opened: some at a time, and not for ever. */
const askedAtOnce = 8
const mostAsked = 200

export function createCounts(parts: CountsParts): Counts {
  const { db, lookup, seen, outbox, reporting, clock, canChangeCases } = parts
  const rows = createCountRows(db)
  const whereabouts = createWhereabouts(lookup, seen)
  const reports = createCountReports(outbox)
  const details = createCountDetails(rows, reports, whereabouts, seen)
  const resolving = createResolving({
    db,
    rows,
    details,
    reports,
    outbox,
    reporting,
    productOf: (tagId) => seen.tag(tagId)?.value.productName ?? null,
    canChangeCases,
  })

  const none = err({ code: 'receiving/no-count' } as const)
  let running: Tally | undefined
  const tallyOf = (row: CountRow): Tally => {
    if (row.finishedAt !== null) return createTally(rows, row)
    if (running?.seq !== row.seq) running = createTally(rows, row)
    return running
  }
  const viewOf = (row: CountRow) => tallyOf(row).view()
  const openOne = (countId: CountId) => {
    const row = rows.open()
    return row?.id === countId ? row : undefined
  }
  /** Takes a scan back, if it is there. Throws when the disk refuses. */
  const unscan = (row: CountRow, tagId: TagId) => {
    if (rows.scannedAt(row.seq, tagId) === undefined) return
    // Taken up before the scan is gone: read anew after that, it would lack it already.
    const tally = tallyOf(row)
    rows.unscan(row.seq, tagId)
    tally.note(rows.caseOf(row.seq, tagId), -1)
  }

  const strangerFinding = ({ caseId, productName }: { caseId: CaseId | null; productName: string | null }) => {
    const identifier = caseId === null ? null : (seen.case(caseId)?.value.identifier ?? null)
    return { kind: 'stranger', caseId, identifier, productName } as const
  }

  /** Asks about what nobody knew, until nobody answers. */
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
    openCount() {
      const row = rows.open()
      return row ? viewOf(row) : null
    },
    startCount: (caseId) =>
      saved(() => {
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
        // A case that is counted by itself is of the delivery, too, if it came with it.
        const isOfDelivery = caseId === null || delivery?.caseIds.includes(caseId)
        const id = CountId.parse(randomUUID())
        rows.insert({ id, delivery: isOfDelivery ? (delivery?.seq ?? null) : null, caseId, at: clock.now(), cases })
        const row = rows.byId(id)
        if (!row) throw new Error('the count that was just started is not there')
        return ok(viewOf(row))
      }),
    async countTag(countId, tagId) {
      const row = openOne(countId)
      if (!row) return none
      const tally = tallyOf(row)
      const before = rows.scannedAt(row.seq, tagId)
      if (before !== undefined) {
        const productName = seen.tag(tagId)?.value.productName ?? null
        return ok({ count: tally.sums(), finding: { kind: 'repeat', at: iso(before), productName } })
      }
      const caseId = rows.caseOf(row.seq, tagId)
      // On the disk before anybody is asked or told.
      const scanned = saved(() => {
        rows.scan(row.seq, tagId, clock.now())
        return ok(null)
      })
      if (!scanned.ok) return scanned
      tally.note(caseId, 1)
      const counted = caseId === undefined ? undefined : tally.of(caseId)
      if (counted) return ok({ count: tally.sums(), finding: { kind: 'counted', case: counted } })

      const remembered = whereabouts.remembered(tagId)
      if (remembered) return ok({ count: tally.sums(), finding: strangerFinding(remembered) })
      const asked = await whereabouts.ask(tagId)
      if (asked.ok) return ok({ count: tally.sums(), finding: strangerFinding(asked.value) })
      if (!isOtherThing(asked.error))
        return ok({ count: tally.sums(), finding: { kind: 'unknown', error: asked.error } })
      return saved(() => {
        unscan(row, tagId)
        return asked
      })
    },
    uncountTag(countId, tagId) {
      const row = openOne(countId)
      if (!row) return none
      return saved(() => {
        unscan(row, tagId)
        const caseId = rows.caseOf(row.seq, tagId)
        const tally = tallyOf(row)
        return ok({ count: tally.sums(), case: (caseId && tally.of(caseId)) ?? null })
      })
    },
    finishCount(countId) {
      const row = rows.byId(countId)
      if (!row) return none
      return saved(() => {
        if (row.finishedAt === null) rows.finish(row.seq, clock.now())
        running = undefined
        return ok(viewOf(rows.byId(countId) ?? row))
      })
    },
    async countDetail(countId) {
      const row = rows.byId(countId)
      if (!row) return none
      await lookInto(row)
      const count = viewOf(rows.byId(countId) ?? row)
      const differences = await details.differences(row, count.cases)
      const reported = new Set(differences.flatMap(({ operationId }) => operationId ?? []))
      const operations = [...reported].flatMap((id) => outbox.read.byId(id) ?? [])
      return ok({ count, differences, operations: operations.map((one) => reporting.view(one)) })
    },
    async resolve(request) {
      const row = rows.byId(request.countId)
      return row ? resolving(row.seq, request) : none
    },
    async exportCount(countId) {
      const row = rows.byId(countId)
      if (!row) return none
      const count = viewOf(row)
      const differences = await details.differences(row, count.cases)
      const [expected, scanned, nameOf] = [rows.expected(row.seq), rows.scanned(row.seq), details.names()]
      const productOf = (tagId: TagId) => nameOf(tagId, expected.get(tagId) ?? null)
      return ok(countCsv({ count, expected, scanned, differences, productOf }))
    },
    ofDelivery: (deliveryId) =>
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

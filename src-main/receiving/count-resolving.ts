import type { Database } from 'better-sqlite3'
import type { AppError } from '../../src-shared/errors'
import type { GateQuestion } from '../../src-shared/gates'
import type { CaseId, OperationId, TagId } from '../../src-shared/ids'
import type { Resolve } from '../../src-shared/ipc/contract/count'
import type { OperationView } from '../../src-shared/ipc/contract/outbox'
import { type Result, err, ok } from '../../src-shared/result'
import type { Operation } from '../outbox/operation'
import type { NewOperation, Outbox } from '../outbox/outbox'
import type { Reporting } from '../outbox/reporting'
import { saved } from '../store/saved'
import type { CountDetails, CountReports, Differing } from './count-differences'
import type { CountRows } from './count-rows'
import type { Ownership } from './ownership'

export interface ResolvingParts {
  db: Database
  rows: CountRows
  details: CountDetails
  reports: CountReports
  outbox: Outbox
  reporting: Pick<Reporting, 'view' | 'report'>
  productOf: (tagId: TagId) => string | null
  canChangeCases: () => boolean
  objectionTo: Ownership['objection']
}

/** Settles differences of a count. What changes a case goes through the outbox, in one commit with the resolution. */
export function createResolving(parts: ResolvingParts) {
  const { db, rows, details, reports, outbox, reporting, productOf, canChangeCases, objectionTo } = parts

  const objection = (seq: number, { caseId, tagIds, how }: Resolve): AppError | null => {
    const isRefused = how === 'remove' ? objectionTo(caseId) !== null : how === 'add' && !canChangeCases()
    if (isRefused) return { code: 'receiving/no-case-changes' }
    const isCounted = rows.cases(seq).some((one) => one.caseId === caseId)
    const misfit = tagIds.find((tagId) => !fits(details.difference(seq, tagId), how, caseId, isCounted))
    return misfit === undefined ? null : { code: 'receiving/not-a-difference', tagId: misfit }
  }

  const mark = db.transaction((seq: number, tagIds: TagId[], how: 'ignore' | 'open', because?: string) => {
    for (const tagId of tagIds) {
      if (how === 'ignore') rows.resolve(seq, tagId, 'ignored', { because })
      else rows.forget(seq, tagId)
    }
  })

  /**
   * Ignoring an item gives up its refused report for the same reason, so that nothing of it is left in the Outbox. An item
   * that shared such a report stays a difference.
   */
  const giveUp = (seq: number, tagIds: TagId[], because: string | undefined): Result<null, AppError> => {
    const refused = new Set(tagIds.flatMap((tagId) => reports.refused(tagId, rows.resolution(seq, tagId))?.id ?? []))
    if (refused.size > 0 && because === undefined) return err({ code: 'receiving/reason-missing' })
    for (const id of refused) {
      const dismissed = outbox.dismiss(id, because ?? '')
      if (!dismissed.ok) return dismissed
    }
    return ok(null)
  }

  /** Refused reports of these items, each with the items it is sent for again: a correction keeps its place. */
  const refusedOnes = (seq: number, { caseId, how }: Resolve, tagIds: TagId[]) => {
    const kind = how === 'add' ? 'add-items' : 'remove-item'
    const again = new Map<OperationId, TagId[]>()
    for (const tagId of tagIds) {
      const refused = reports.refused(tagId, rows.resolution(seq, tagId))
      const { payload } = refused ?? {}
      if (refused && payload?.kind === kind && 'caseId' in payload && payload.caseId === caseId) {
        again.set(refused.id, [...(again.get(refused.id) ?? []), tagId])
      }
    }
    return again
  }

  const namesOf = (tagIds: TagId[]) => {
    const names = new Set(tagIds.map(productOf).filter((name) => name !== null))
    return names.size === 0 ? null : [...names].join(', ')
  }
  const removal = (caseId: CaseId, tagId: TagId) =>
    ({ kind: 'remove-item', caseId, tagId, productName: productOf(tagId) }) as const
  const addition = (caseId: CaseId, tagIds: TagId[]) =>
    ({ kind: 'add-items', caseId, tagIds, productName: namesOf(tagIds) }) as const

  const report = (
    seq: number,
    request: Resolve,
    tagIds: TagId[],
    because: string | undefined,
  ): Result<Operation, AppError>[] => {
    const { caseId, how } = request
    const again = refusedOnes(seq, request, tagIds)
    const corrected = [...again].map(([id, [first, ...others]]) =>
      first === undefined
        ? outbox.retry(id)
        : outbox.correct(id, how === 'add' ? addition(caseId, [first, ...others]) : removal(caseId, first), because),
    )
    const isAgain = new Set([...again.values()].flat())
    const fresh = tagIds.filter((tagId) => !isAgain.has(tagId))
    const entries: NewOperation[] =
      how === 'remove'
        ? fresh.map((tagId) => ({
            payload: removal(caseId, tagId),
            because,
            alongside: ({ id }) => {
              rows.resolve(seq, tagId, 'removed', { operationId: id })
            },
          }))
        : fresh.length === 0
          ? []
          : [
              {
                payload: addition(caseId, fresh),
                because,
                alongside: ({ id }) => {
                  for (const tagId of fresh) rows.resolve(seq, tagId, 'added', { operationId: id })
                },
              },
            ]
    return [...corrected, ...outbox.enqueueMany(entries)]
  }

  const resolve = async (
    seq: number,
    request: Resolve,
    because?: string,
  ): Promise<Result<OperationView[], AppError>> => {
    const no = objection(seq, request)
    if (no) return err(no)
    const tagIds = [...new Set(request.tagIds)]
    const { how } = request
    if (how === 'ignore' || how === 'open') {
      const given = how === 'ignore' ? giveUp(seq, tagIds, request.because) : ok(null)
      if (!given.ok) return given
      return saved(() => {
        mark.immediate(seq, tagIds, how, request.because)
        return ok([])
      })
    }
    const reported = report(seq, request, tagIds, because)
    const done = reported.filter((one) => one.ok)
    const failed = reported.find((one) => !one.ok)
    // Answers what was saved; the rest is still a difference on the screen.
    if (failed && done.length === 0) return failed
    const views = await Promise.all(done.map((one) => reporting.report(one)))
    return ok(views.flatMap((view) => (view.ok ? view.value : [])))
  }

  return {
    /** The gate that a resolution passes; null if it reports nothing, or is refused anyway. */
    gateOf(seq: number, request: Resolve): GateQuestion | null {
      const { how, caseId, tagIds } = request
      if (how === 'ignore' || how === 'open' || objection(seq, request)) return null
      const name = rows.cases(seq).find((one) => one.caseId === caseId)?.identifier ?? null
      return { gate: how === 'remove' ? 'take-out' : 'add-items', count: new Set(tagIds).size, name }
    },
    /** `because`: the reason with which the gate let it pass. */
    resolve,
  }
}

function fits(found: Differing | null, how: Resolve['how'], caseId: CaseId, isCounted: boolean): boolean {
  if (!found) return false
  if (how === 'open') return found.resolution === 'ignored'
  if (found.resolution !== 'open') return false
  if (how === 'remove') return found.kind === 'missing' && found.caseId === caseId
  if (how === 'add') return found.kind === 'stranger' && isCounted
  return true
}

import { setImmediate } from 'node:timers/promises'
import type { Database } from 'better-sqlite3'
import type { AppError } from '../../../src-shared/errors'
import type { GateQuestion } from '../../../src-shared/gates'
import type { CaseId, OperationId, TagId } from '../../../src-shared/ids'
import type { Resolve } from '../../../src-shared/ipc/contract/count'
import type { OperationView } from '../../../src-shared/ipc/contract/outbox'
import { type Result, err, ok } from '../../../src-shared/result'
import type { Operation } from '../../outbox/operation'
import type { NewOperation, Outbox } from '../../outbox/outbox'
import type { Reporting } from '../../outbox/reporting'
import { saved } from '../../database/saved'
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

  const objection = (seq: number, how: ResolveHow, { caseId, tagIds }: Change): AppError | null => {
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
  const refusedOnes = (seq: number, how: ResolveHow, { caseId, tagIds }: Change) => {
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
    how: ResolveHow,
    change: Change,
    because: string | undefined,
  ): Result<Operation, AppError>[] => {
    const { caseId, tagIds } = change
    const again = refusedOnes(seq, how, change)
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

  /** Marks differences without reporting anything. */
  const set = (seq: number, how: 'ignore' | 'open', tagIds: TagId[], because: string | undefined) => {
    const given = how === 'ignore' ? giveUp(seq, tagIds, because) : ok(null)
    if (!given.ok) return given
    return saved(() => {
      mark.immediate(seq, tagIds, how, because)
      return ok(null)
    })
  }

  const resolve = async (
    seq: number,
    { changes, how, because: why }: Resolve,
    because?: string,
  ): Promise<Result<OperationView[], AppError>> => {
    const no = objectionToAny(seq, how, changes)
    if (no) return err(no)
    const reported: Result<Operation, AppError>[] = []
    for (const [place, { caseId, tagIds }] of changes.entries()) {
      const change = { caseId, tagIds: [...new Set(tagIds)] }
      if (place > 0) {
        // Scans and screens are served between two cases, and may have settled what comes next.
        await setImmediate()
        const meanwhile = objection(seq, how, change)
        if (meanwhile) {
          reported.push(err(meanwhile))
          continue
        }
      }
      if (how === 'ignore' || how === 'open') {
        const done = set(seq, how, change.tagIds, why)
        if (!done.ok) return done
      } else reported.push(...report(seq, how, change, because))
    }
    const done = reported.filter((one) => one.ok)
    const failed = reported.find((one) => !one.ok)
    // Answers what was saved; the rest is still a difference on the screen.
    if (failed && done.length === 0) return failed
    const views = await Promise.all(done.map((one) => reporting.report(one)))
    return ok(views.flatMap((view) => (view.ok ? view.value : [])))
  }

  const objectionToAny = (seq: number, how: ResolveHow, changes: Change[]): AppError | null => {
    for (const change of changes) {
      const no = objection(seq, how, change)
      if (no) return no
    }
    return null
  }

  return {
    /** The gate that a resolution passes, for all its cases; null if it reports nothing, or is refused anyway. */
    gateOf(seq: number, { changes, how }: Resolve): GateQuestion | null {
      if (how === 'ignore' || how === 'open' || objectionToAny(seq, how, changes)) return null
      const count = new Set(changes.flatMap(({ tagIds }) => tagIds)).size
      const [caseId, another] = new Set(changes.map((one) => one.caseId))
      const only = another === undefined ? rows.cases(seq).find((one) => one.caseId === caseId) : undefined
      return { gate: how === 'remove' ? 'take-out' : 'add-items', count, name: only?.identifier ?? null }
    },
    /** `because`: the reason with which the gate let it pass. */
    resolve,
  }
}

type ResolveHow = Resolve['how']
type Change = Resolve['changes'][number]

function fits(found: Differing | null, how: ResolveHow, caseId: CaseId, isCounted: boolean): boolean {
  if (!found) return false
  if (how === 'open') return found.resolution === 'ignored'
  if (found.resolution !== 'open') return false
  if (how === 'remove') return found.kind === 'missing' && found.caseId === caseId
  if (how === 'add') return found.kind === 'stranger' && isCounted
  return true
}

import { setImmediate } from 'node:timers/promises'
import type { AppErrorOf, ResultOf } from '../../../src-shared/errors'
import type { GateQuestion } from '../../../src-shared/gates'
import type { CaseId, OperationId, TagId } from '../../../src-shared/ids'
import type { Resolve } from '../../../src-shared/ipc/contract/count'
import type { OperationView } from '../../../src-shared/ipc/contract/outbox'
import { err, ok } from '../../../src-shared/result'
import { saved } from '../../database/saved'
import type { NotActed } from '../../outbox/actions'
import type { Operation } from '../../outbox/operation'
import type { NewOperation } from '../../outbox/outbox'
import type { CaseDifferences, DifferencesContext, Differing } from './count-differences'

type ResolveHow = Resolve['how']
type Change = Resolve['changes'][number]

/** Why a difference can't be resolved in a way. */
type MisfitCode = 'receiving/no-case-changes' | 'receiving/not-a-difference'
type Misfit = AppErrorOf<MisfitCode>
/** Why differences were not resolved. */
export type NotResolved = MisfitCode | NotActed | 'receiving/reason-missing'

/** Ways that report nothing. */
const isMark = (how: ResolveHow): how is 'ignore' | 'open' => how === 'ignore' || how === 'open'

/** Whether a difference may be resolved in a way, in a case. `isCounted`: whether the count holds that case. */
export function fits(found: Differing | null, how: ResolveHow, caseId: CaseId, isCounted: boolean): boolean {
  if (!found) return false
  if (how === 'open') return found.resolution === 'ignored'
  if (found.resolution !== 'open') return false
  if (how === 'remove') return found.kind === 'missing' && found.caseId === caseId
  if (how === 'add') return found.kind === 'stranger' && isCounted
  return true
}

/** Settles differences of a count. What changes a case goes through the outbox, in one commit with the resolution. */
export class Resolving {
  readonly #context: DifferencesContext
  readonly #differences: CaseDifferences

  constructor(context: DifferencesContext, differences: CaseDifferences) {
    this.#context = context
    this.#differences = differences
  }

  /** The gate that a resolution passes, for all its cases; null if it reports nothing, or is refused anyway. */
  gateOf(seq: number, { changes, how }: Resolve): GateQuestion | null {
    if (isMark(how) || this.#objectionToAny(seq, how, changes)) return null
    const count = new Set(changes.flatMap(({ tagIds }) => tagIds)).size
    const [caseId, another] = new Set(changes.map((one) => one.caseId))
    const cases = another === undefined ? this.#context.book.rows.cases(seq) : []
    const name = cases.find((one) => one.caseId === caseId)?.identifier ?? null
    return { gate: how === 'remove' ? 'take-out' : 'add-items', count, name }
  }

  /** `because`: the reason with which the gate let it pass. Answers what was saved; the rest is still a difference. */
  async resolve(
    seq: number,
    { changes, how, because: why }: Resolve,
    because?: string,
  ): Promise<ResultOf<OperationView[], NotResolved>> {
    const no = this.#objectionToAny(seq, how, changes)
    if (no) return err(no)
    const reported: ResultOf<Operation, NotResolved>[] = []
    for (const [place, { caseId, tagIds }] of changes.entries()) {
      const change = { caseId, tagIds: [...new Set(tagIds)] }
      // Scans and screens are served between two cases, and may have settled what comes next.
      if (place > 0) await setImmediate()
      const meanwhile = place > 0 ? this.#objection(seq, how, change) : null
      if (meanwhile) reported.push(err(meanwhile))
      else if (isMark(how)) {
        const done = this.#mark(seq, how, change.tagIds, why)
        if (!done.ok) return done
      } else reported.push(...this.#report(seq, how, change, because))
    }
    return this.#answerOf(reported)
  }

  async #answerOf(
    reported: readonly ResultOf<Operation, NotResolved>[],
  ): Promise<ResultOf<OperationView[], NotResolved>> {
    const done = reported.filter((one) => one.ok)
    const failed = reported.find((one) => !one.ok)
    if (failed && done.length === 0) return failed
    const views = await Promise.all(done.map((one) => this.#context.reporting.report(one)))
    return ok(views.flatMap((view) => (view.ok ? view.value : [])))
  }

  #objectionToAny(seq: number, how: ResolveHow, changes: readonly Change[]): Misfit | null {
    for (const change of changes) {
      const no = this.#objection(seq, how, change)
      if (no) return no
    }
    return null
  }

  #objection(seq: number, how: ResolveHow, { caseId, tagIds }: Change): Misfit | null {
    const { book, ownership, canChangeCases } = this.#context
    const isRefused = how === 'remove' ? ownership.objection(caseId) !== null : how === 'add' && !canChangeCases()
    if (isRefused) return { code: 'receiving/no-case-changes' }
    const isCounted = book.rows.cases(seq).some((one) => one.caseId === caseId)
    const misfit = tagIds.find((tagId) => !fits(this.#differences.one(seq, tagId), how, caseId, isCounted))
    return misfit === undefined ? null : { code: 'receiving/not-a-difference', tagId: misfit }
  }

  /** Marks differences without reporting anything. */
  #mark(
    seq: number,
    how: 'ignore' | 'open',
    tagIds: TagId[],
    because: string | undefined,
  ): ResultOf<null, NotActed | 'receiving/reason-missing'> {
    const given = how === 'ignore' ? this.#giveUp(seq, tagIds, because) : ok(null)
    if (!given.ok) return given
    const { resolutions } = this.#context.book
    return saved(() => {
      this.#context.book.inOne(() => {
        for (const tagId of tagIds) {
          if (how === 'ignore') resolutions.put(seq, tagId, 'ignored', { because })
          else resolutions.forget(seq, tagId)
        }
      })
      return ok(null)
    })
  }

  /**
   * Ignoring an item gives up its refused report for the same reason, so that nothing of it is left in the Outbox. An item
   * that shared such a report stays a difference.
   */
  #giveUp(
    seq: number,
    tagIds: TagId[],
    because: string | undefined,
  ): ResultOf<null, NotActed | 'receiving/reason-missing'> {
    const refused = new Set(tagIds.flatMap((tagId) => this.#refusedOf(seq, tagId)?.id ?? []))
    if (refused.size > 0 && because === undefined) return err({ code: 'receiving/reason-missing' })
    for (const id of refused) {
      const dismissed = this.#context.outbox.dismiss(id, because ?? '')
      if (!dismissed.ok) return dismissed
    }
    return ok(null)
  }

  #refusedOf(seq: number, tagId: TagId): Operation | undefined {
    const { reports, book } = this.#context
    return reports.refused(tagId, book.resolutions.one(seq, tagId))
  }

  /** Refused reports of these items, each with the items it is sent for again: a correction keeps its place. */
  #refusedOnes(seq: number, how: 'remove' | 'add', { caseId, tagIds }: Change): Map<OperationId, TagId[]> {
    const kind = how === 'add' ? 'add-items' : 'remove-item'
    const again = new Map<OperationId, TagId[]>()
    for (const tagId of tagIds) {
      const refused = this.#refusedOf(seq, tagId)
      const { payload } = refused ?? {}
      if (refused && payload?.kind === kind && 'caseId' in payload && payload.caseId === caseId) {
        again.set(refused.id, [...(again.get(refused.id) ?? []), tagId])
      }
    }
    return again
  }

  #report(
    seq: number,
    how: 'remove' | 'add',
    change: Change,
    because: string | undefined,
  ): ResultOf<Operation, NotActed>[] {
    const { outbox } = this.#context
    const { caseId, tagIds } = change
    const again = this.#refusedOnes(seq, how, change)
    const corrected = [...again].map(([id, [first, ...others]]) => {
      if (first === undefined) return outbox.retry(id)
      const payload = how === 'add' ? this.#addition(caseId, [first, ...others]) : this.#removal(caseId, first)
      return outbox.correct(id, payload, because)
    })
    const isAgain = new Set([...again.values()].flat())
    const fresh = tagIds.filter((tagId) => !isAgain.has(tagId))
    return [...corrected, ...outbox.enqueueMany(this.#newReports(seq, how, { caseId, tagIds: fresh }, because))]
  }

  #newReports(seq: number, how: 'remove' | 'add', change: Change, because: string | undefined): NewOperation[] {
    const { caseId, tagIds } = change
    const { resolutions } = this.#context.book
    if (how === 'remove')
      return tagIds.map((tagId) => ({
        payload: this.#removal(caseId, tagId),
        because,
        alongside: ({ id }) => {
          resolutions.put(seq, tagId, 'removed', { operationId: id })
        },
      }))
    if (tagIds.length === 0) return []
    const alongside: NewOperation['alongside'] = ({ id }) => {
      for (const tagId of tagIds) resolutions.put(seq, tagId, 'added', { operationId: id })
    }
    return [{ payload: this.#addition(caseId, tagIds), because, alongside }]
  }

  #removal(caseId: CaseId, tagId: TagId) {
    return { kind: 'remove-item', caseId, tagId, productName: this.#productOf(tagId) } as const
  }

  #addition(caseId: CaseId, tagIds: TagId[]) {
    const names = new Set(tagIds.map((tagId) => this.#productOf(tagId)).filter((name) => name !== null))
    return { kind: 'add-items', caseId, tagIds, productName: names.size === 0 ? null : [...names].join(', ') } as const
  }

  #productOf(tagId: TagId): string | null {
    return this.#context.seen.tag(tagId)?.value.productName ?? null
  }
}

import { nowByService } from '../core/clock'
import { setImmediate } from 'node:timers/promises'
import { type AppError, namedTags } from '../../src-shared/errors'
import type { CaseId, OperationId, TagId } from '../../src-shared/ids'
import {
  type ManyDone,
  type OutboxGroup,
  type OutboxOverview,
  mostTakenOut,
} from '../../src-shared/ipc/contract/outbox'
import type { Result } from '../../src-shared/result'
import { type Operation, isForPerson } from './operation'
import type { Outbox } from './outbox'
import type { OutboxContext } from './outbox-context'
import { caseKey } from './payload'
import type { Reporting } from './reporting'

/** At most so many reports that need attention are grouped; the rest come up as these are done. */
const mostGrouped = 1_000
/** At most so many members of a group are shown. */
const mostShown = 50
/** After so many commits in a row, others get their turn: a scan must not wait for a thousand dismissals. */
const commitsAtOnce = 10

/** What needs attention, by cause, so that a person can act on a whole group; and the figures of the day. */
export class Groups {
  readonly #context: Pick<OutboxContext, 'clock' | 'serviceClock'>
  readonly #outbox: Pick<Outbox, 'read' | 'actionsOf' | 'productOf' | 'caseOf'>
  readonly #view: Reporting['view']

  constructor(
    context: Pick<OutboxContext, 'clock' | 'serviceClock'>,
    outbox: Pick<Outbox, 'read' | 'actionsOf' | 'productOf' | 'caseOf'>,
    view: Reporting['view'],
  ) {
    this.#context = context
    this.#outbox = outbox
    this.#view = view
  }

  /** Groups of several before single reports; among each, and within a group, the newest first. */
  overview(): OutboxOverview {
    const outbox = this.#outbox
    const byKey = new Map<string, Operation[]>()
    for (const operation of outbox.read.attention(mostGrouped)) {
      const key = keyOf(operation)
      byKey.set(key, [...(byKey.get(key) ?? []), operation])
    }
    const now = new Date(nowByService(this.#context))
    const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime()
    return {
      groups: [...byKey]
        .map(([key, members]) => this.#groupOf(key, members))
        .sort((a, b) => Number(b.count > 1) - Number(a.count > 1)),
      total: outbox.read.counts().attention,
      today: outbox.read.doneSince(midnight),
    }
  }

  #groupOf(key: string, members: Operation[]): OutboxGroup {
    const may = new Map(members.map((one) => [one.id, this.#outbox.actionsOf(one)]))
    const withAction = (action: 'retry' | 'dismiss') =>
      members.filter(({ id }) => may.get(id)?.includes(action)).map(({ id }) => id)
    return {
      key,
      count: members.length,
      ...commonReason(members),
      isOneSubject: new Set(members.map(subjectOf)).size === 1,
      operations: members.slice(0, mostShown).map(this.#view),
      canRetry: withAction('retry'),
      canDismiss: withAction('dismiss'),
      canAmend: this.#amendable(members.filter(({ id }) => may.get(id)?.includes('amend'))),
      casesToImport: this.#casesToImport(members),
    }
  }

  #casesToImport(members: Operation[]): OutboxGroup['casesToImport'] {
    /** The newest sale that each case was missing for. */
    const lacking = new Map<CaseId, number>()
    for (const one of members) {
      if (one.kind !== 'complete' || one.reason?.code !== 'service/not-imported') continue
      for (const tagId of refusedItems(one).tagIds) {
        const caseId = this.#outbox.caseOf(tagId)
        if (caseId !== undefined) lacking.set(caseId, Math.max(one.seq, lacking.get(caseId) ?? 0))
      }
    }
    if (lacking.size === 0) return null
    return [...lacking].filter(([caseId, seq]) => !this.#isImportedSince(caseId, seq)).map(([caseId]) => caseId)
  }

  #isImportedSince(caseId: CaseId, seq: number): boolean {
    const last = this.#outbox.read
      .byKey(caseKey(caseId))
      .findLast(({ kind, state }) => isOfImport.has(kind) && state !== 'rejected' && state !== 'cancelled')
    return last?.kind === 'import' && last.seq > seq
  }

  #amendable(members: Operation[]): OutboxGroup['canAmend'] {
    const refused = members.map((one) => ({ id: one.id, ...refusedItems(one) })).filter(({ left }) => left > 0)
    const tagIds = [...new Set(refused.flatMap((one) => one.tagIds))]
    // One call takes no more out: so many are decided about one by one.
    if (tagIds.length > mostTakenOut) return { operationIds: [], without: [] }
    const without = tagIds.map((tagId) => ({ tagId, productName: this.#outbox.productOf(tagId) }))
    return { operationIds: refused.map(({ id }) => id), without }
  }
}

const isOfImport = new Set<Operation['kind']>(['import', 'import-removal'])

/**
 * Reports of one key were refused (or need a person) for one cause, and a person can decide about them together. What can't be
 * read is decided about one by one.
 */
function keyOf(operation: Operation): string {
  const { id, kind, state, payload } = operation
  const alone = payload ? '' : id
  return JSON.stringify([kind, state === 'rejected', isForPerson(operation), causeOf(operation), alone])
}

/** Words of an undocumented refusal, without the numbers of the report itself, and the fields of a refused form, are causes. */
function causeOf({ reason, payload }: Operation): string {
  if (reason?.code === 'service/refused')
    return `${reason.code} ${reason.status} ${withoutNumbers(reason.detail, payload)}`
  return reason?.code === 'service/invalid-fields' ? JSON.stringify(reason) : (reason?.code ?? '')
}

/** The items of an order that it was refused for, and how many others it holds. */
function refusedItems({ payload, reason }: Operation): { tagIds: TagId[]; left: number } {
  const held = payload && 'tagIds' in payload ? payload.tagIds : []
  const named = new Set(namedTags(reason))
  const tagIds = held.filter((tagId) => named.has(tagId))
  return { tagIds, left: held.length - tagIds.length }
}

/** The detail of a refusal without the order, item, case or package that it names: "Order … is too old". */
function withoutNumbers(detail: string, payload: Operation['payload']): string {
  const own = new Set<unknown>(Object.values(payload ?? {}).flat())
  return detail
    .split(/([\w-]+)/)
    .map((word) => (own.has(word) ? '…' : word))
    .join('')
}

function subjectOf({ id, payload }: Operation): string {
  if (!payload) return id
  if ('orderId' in payload) return payload.orderId
  if ('packageUid' in payload) return payload.packageUid
  if ('caseId' in payload) return payload.caseId
  return 'collectionId' in payload ? payload.collectionId : id
}

/** The reason in the words of all members: the items they name together; null if each names another thing. */
function commonReason(members: Operation[]): Pick<OutboxGroup, 'reason' | 'isSameReason'> {
  const [first = null, ...others] = members.map(({ reason }) => reason)
  const isSameReason = others.every((one) => JSON.stringify(one) === JSON.stringify(first))
  if (isSameReason || first === null) return { reason: first, isSameReason }
  if (first.code === 'service/not-found') return { reason: null, isSameReason }
  if (first.code === 'service/not-imported' || first.code === 'service/malformed-tags')
    return { reason: { ...first, tagIds: allOf(members, ({ tagIds }) => tagIds) }, isSameReason }
  if (first.code !== 'service/unknown-tags') return { reason: first, isSameReason }
  const tagIds = allOf(members, (one) => one.tagIds)
  return { reason: { ...first, tagIds, invalid: allOf(members, ({ invalid }) => invalid) }, isSameReason }
}

const allOf = (members: Operation[], pick: (reason: { tagIds: string[]; invalid: string[] }) => string[]) => [
  ...new Set(
    members.flatMap(({ reason }) =>
      reason && 'tagIds' in reason
        ? pick({ tagIds: reason.tagIds, invalid: 'invalid' in reason ? reason.invalid : [] })
        : [],
    ),
  ),
]

/** Does one step to many operations, each by itself and in its own commit: those refused are named, the others are done. */
export async function stepMany(
  operationIds: readonly OperationId[],
  step: (id: OperationId) => Result<unknown, AppError>,
): Promise<ManyDone> {
  const refused: ManyDone['refused'] = []
  const ids = [...new Set(operationIds)]
  for (const [place, operationId] of ids.entries()) {
    if (place > 0 && place % commitsAtOnce === 0) await setImmediate()
    const done = step(operationId)
    if (!done.ok) refused.push({ operationId, error: done.error })
  }
  return { done: ids.length - refused.length, refused }
}

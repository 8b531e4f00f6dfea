import type { AppError } from '../../src-shared/errors'
import type { CaseId, OperationId, TagId } from '../../src-shared/ids'
import { type Result, err, ok } from '../../src-shared/result'
import { noteCommit, saved } from '../store/saved'
import type { Ledger } from './ledger'
import { type Operation, isForPerson, isWithdrawable } from './operation'
import { accountOf, inversesOf, keysOf, sharesOnceRefused } from './kinds/kinds'
import { type Payload, orderKey, tagKey } from './payload'
import type { Change } from './rows'
import { createUndoing } from './undoing'

/**
 * What a person may do to an operation, each in one commit and from some states only.
 * Errors of all: outbox/not-found, outbox/wrong-state, store/not-saved.
 */
export interface PersonSteps {
  /** Takes back what the service certainly doesn't have and nobody waits for; why may be noted. */
  withdraw(id: OperationId, because?: string): Result<Operation, AppError>
  /**
   * A person saw that the service has what an attempt of ours may have reported: it counts as accepted. `because` may say
   * where they saw it.
   */
  confirm(id: OperationId, because?: string): Result<Operation, AppError>
  /**
   * Sends a rejected operation again, or one that a person has to settle; one whose customer can't be opened any more, then
   * without.
   */
  retry(id: OperationId): Result<Operation, AppError>
  /**
   * Sends a rejected operation again with what a person corrected; it keeps its place. What was to undo it is of what it
   * was before: it goes. But returns and voids of an order stay, of what is in it then.
   */
  correct(id: OperationId, payload: Payload): Result<Operation, AppError>
  /** Gives a rejected operation up because `alongside` puts its contents back to where they can be changed. */
  reopen(id: OperationId, alongside: () => void): Result<Operation, AppError>
  /** Gives up a rejected operation, or one that a person has to settle, and says why. What was saved to undo it, and not sent, goes with it, as with `reopen`. */
  dismiss(id: OperationId, because: string): Result<Operation, AppError>
  /** What undo would do to an operation now. */
  undoOf(operation: Operation): 'withdraw' | 'inverse' | null
}

const tagsOf = (payload: Payload | null) => (payload && 'tagIds' in payload ? payload.tagIds : [])

export interface PersonStepParts {
  ledger: Ledger
  /** The case that an item is known to be in. */
  caseOf: (tagId: TagId) => CaseId | undefined
  /** Told of each step once it is on the disk. */
  announce: (operation: Operation) => Operation
}

export function createPersonSteps({ ledger, caseOf, announce }: PersonStepParts): PersonSteps {
  const { db, rows, locks, journal, atStep } = ledger

  const canWithdraw = (operation: Operation) => isWithdrawable(operation) && !locks.hasWaiters(operation.seq)
  const isRejected = ({ state }: Operation) => state === 'rejected'
  const isSendable = (operation: Operation) => isRejected(operation) && operation.payload !== null
  /** While it is on the wire, its answer comes first. */
  const isAtRest = ({ state }: Operation) => state !== 'sending'
  const canConfirm = (operation: Operation) => isForPerson(operation) && isAtRest(operation)
  const canRetry = (operation: Operation) => isSendable(operation) || (operation.isUnsettled && isAtRest(operation))
  const canDismiss = (operation: Operation) => isRejected(operation) || (operation.isUnsettled && isAtRest(operation))

  // What may have been taken, sold once more under another number, could be doubled.
  const canReopen = (operation: Operation) => isSendable(operation) && !isForPerson(operation)

  const step = (
    id: OperationId,
    isAllowed: (operation: Operation) => boolean,
    /** Gives the others that it changed as well. */
    change: (operation: Operation) => number[],
  ): Result<Operation, AppError> =>
    saved(() => {
      const changed = db
        .transaction((): Result<{ seq: number; others: number[] }, AppError> => {
          const operation = rows.byId(id)
          if (!operation) return err({ code: 'outbox/not-found' })
          if (!isAllowed(operation)) return err({ code: 'outbox/wrong-state', state: operation.state })
          return ok({ seq: operation.seq, others: change(operation) })
        })
        .immediate()
      if (changed.ok) noteCommit()
      atStep('person.saved')
      if (!changed.ok) return changed
      const { seq, others } = changed.value
      for (const other of others) announce(rows.bySeq(other))
      return ok(announce(rows.bySeq(seq)))
    })

  const write = (seq: number, change: Change) => {
    rows.update(seq, change)
    atStep('person.writing')
  }
  const cancel = (seq: number, change: Omit<Change, 'state'> = {}) => {
    write(seq, { ...change, state: 'cancelled', isUnsettled: false })
    locks.release(seq)
  }
  const undoing = createUndoing(ledger)
  /**
   * Of an order, what is reported later stands on what was before. When that is not what it was, a return that waits loses
   * what was never sold (`gone`), and a void that waits is of whatever the order holds by then. Gives those that changed.
   */
  const refit = ({ seq, payload }: Operation, gone: ReadonlySet<TagId> = new Set()): number[] => {
    if (!payload || !('orderId' in payload)) return []
    const held = new Set<TagId>()
    return rows.byKey(orderKey(payload.orderId)).flatMap((one) => {
      if (one.state === 'cancelled' || !one.payload || !('orderId' in one.payload)) return []
      const canChange = one.seq > seq && isWithdrawable(one)
      const { kind, tagIds } = one.payload
      const fitting = !canChange || kind === 'complete' ? tagIds : fitted(one.payload, held, gone)
      for (const tagId of fitting) {
        if (kind === 'complete') held.add(tagId)
        else held.delete(tagId)
      }
      if (kind === 'void') held.clear()
      if (fitting.length === tagIds.length && fitting.every((tagId) => tagIds.includes(tagId))) return []
      if (kind === 'return' && fitting.length === 0) {
        undoing.takeBack(one)
        return [one.seq]
      }
      const refitted = { ...one.payload, tagIds: fitting }
      rows.setPayload(one.seq, refitted)
      locks.rekey(one.seq, keysOf(refitted, caseOf))
      journal.write({
        seq: one.seq,
        actor: 'station',
        what: 'corrected',
        from: one.state,
        to: one.state,
        detail: refitted,
      })
      return [one.seq]
    })
  }
  /** In its old place. One that may have been taken is looked into first. */
  const sendAgain = ({ seq, state: from, isUncertain, payload }: Operation, what: 'sent again' | 'corrected') => {
    const to = isUncertain ? 'unknown' : 'queued'
    write(seq, { state: to, faults: 0, nextAttemptAt: 0, isUnsettled: false })
    // Refused, it had let go of what it takes alone.
    if (from !== 'rejected') {
      journal.write({ seq, actor: 'person', what, from, to })
      return
    }
    if (payload && sharesOnceRefused(payload.kind)) locks.rekey(seq, keysOf(payload, caseOf))
    else locks.retake(seq)
    journal.write({ seq, actor: 'person', what, from: 'rejected', to, detail: payload })
  }

  return {
    withdraw: (id, because) =>
      step(id, canWithdraw, ({ seq, state: from }) => {
        cancel(seq)
        journal.write({ seq, actor: 'person', what: 'withdrawn', from, to: 'cancelled', detail: because })
        return []
      }),
    confirm: (id, because) =>
      step(id, canConfirm, ({ seq, state: from }) => {
        write(seq, { state: 'accepted', faults: 0, note: 'confirmed', isUnsettled: false })
        locks.release(seq)
        journal.write({ seq, actor: 'person', what: 'confirmed', from, to: 'accepted', detail: because })
        return []
      }),
    retry: (id) =>
      step(id, canRetry, (operation) => {
        const { payload, reason } = operation
        if (reason?.code !== 'outbox/customer-lost' || !payload || !('orderId' in payload)) {
          sendAgain(operation, 'sent again')
          return []
        }
        // The customer stays with it: should the key come back in time, it goes along.
        const allowed = { ...payload, mayLackCustomer: true as const }
        rows.setPayload(operation.seq, allowed)
        sendAgain({ ...operation, payload: allowed }, 'sent again')
        return []
      }),
    correct: (id, payload) =>
      step(id, isSendable, (operation) => {
        const others = 'orderId' in payload ? [] : undoing.cancel(id)
        rows.setPayload(operation.seq, payload)
        const left = new Set(tagsOf(payload))
        const gone = tagsOf(operation.payload).filter((tagId) => !left.has(tagId))
        locks.giveUp(operation.seq, gone.map(tagKey))
        others.push(...refit(operation, operation.kind === 'complete' ? new Set(gone) : undefined))
        // A blind import that a person corrected says which case it is; a change of a collection may be of other things.
        if (operation.kind !== payload.kind || accountOf(payload.kind) === 'sourcing')
          locks.rekey(operation.seq, keysOf(payload, caseOf))
        sendAgain({ ...operation, payload }, 'corrected')
        return others
      }),
    reopen: (id, alongside) =>
      step(id, canReopen, (operation) => {
        const { seq } = operation
        const others = undoing.cancel(id)
        cancel(seq, { note: 'reopened' })
        journal.write({ seq, actor: 'person', what: 'reopened', from: 'rejected', to: 'cancelled' })
        others.push(...refit(operation))
        alongside()
        return others
      }),
    dismiss: (id, because) =>
      step(id, canDismiss, (operation) => {
        const { seq, state: from } = operation
        const others = undoing.cancel(id)
        cancel(seq, { dismissedBecause: because })
        journal.write({ seq, actor: 'person', what: 'dismissed', from, to: 'cancelled', detail: because })
        others.push(...refit(operation))
        return others
      }),
    undoOf(operation) {
      if (canWithdraw(operation)) return 'withdraw'
      const isStanding = operation.state !== 'rejected' && operation.state !== 'cancelled'
      const inverses = (operation.payload && inversesOf(operation.payload)) ?? []
      const canHaveInverse = inverses.length > 0 && isStanding
      return canHaveInverse && rows.inverseOf(operation.id) === undefined ? 'inverse' : null
    },
  }
}

type OfOrder = Extract<Payload, { orderId: string }>

/** What a return or void is of, when the order holds `held` before it and `gone` was never sold in it. */
const fitted = ({ kind, tagIds }: OfOrder, held: ReadonlySet<TagId>, gone: ReadonlySet<TagId>): TagId[] =>
  kind === 'void' ? [...held] : tagIds.filter((tagId) => !gone.has(tagId))

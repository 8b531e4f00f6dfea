import { type AppError, namedTags } from '../../src-shared/errors'
import type { OperationId, TagId } from '../../src-shared/ids'
import type { OperationAction } from '../../src-shared/ipc/contract/outbox'
import { type Result, err, ok } from '../../src-shared/result'
import { iso } from '../core/clock'
import { canBeReported } from '../core/station-clock'
import { noteCommit, saved } from '../database/saved'
import { accountOf, inversesOf, keysOf, sharesOnceRefused } from './kinds/kinds'
import type { Ledger } from './ledger'
import { type Operation, isFinished, isForPerson, isTakenBack, isWithdrawable } from './operation'
import { type CaseOf, type Payload, orderKey, tagKey } from './payload'
import type { Change } from './rows'

interface ActionParts {
  ledger: Ledger
  caseOf: CaseOf
  /** Called for each changed operation once it is on the disk. */
  announce: (operation: Operation) => Operation
  /** The present by the service's clock, in ms since 1970. */
  /** The latest time, in ms since 1970, at which a report can have been made. */
  latest: () => number
}

/**
 * What a person may do to an operation, each in one commit and from some states only.
 * Errors of all: outbox/not-found, outbox/wrong-state, store/not-saved.
 */
export function createActions({ ledger, caseOf, announce, latest }: ActionParts) {
  const { db, rows, locks, journal, atStep, approve, takenBack } = ledger

  const canWithdraw = (operation: Operation) => isWithdrawable(operation) && !locks.hasWaiters(operation.seq)
  const isSendable = ({ state, payload }: Operation) => state === 'rejected' && payload !== null
  /** While it is on the wire, its answer comes first. */
  const isOpenDoubt = ({ isUnsettled, state }: Operation) => isUnsettled && state !== 'sending' && state !== 'cancelled'
  const canConfirm = (operation: Operation) => isForPerson(operation) && operation.state !== 'sending'
  /** Its time isn't known: it's sent once a person has entered it. */
  const canDate = (operation: Operation) => isSendable(operation) && operation.reason?.code === 'outbox/time-unknown'
  const canRetry = (operation: Operation) => (isSendable(operation) && !canDate(operation)) || isOpenDoubt(operation)
  const canDismiss = (operation: Operation) =>
    operation.state === 'rejected' || isOpenDoubt(operation) || isTakenBack(operation)
  // A sale that may have been taken could be doubled if it were sold again under another number.
  const canReopen = (operation: Operation) =>
    (isSendable(operation) && !isForPerson(operation)) || isTakenBack(operation)

  /** What undo would do to an operation now. */
  const undoOf = (operation: Operation): 'withdraw' | 'inverse' | null => {
    if (canWithdraw(operation)) return 'withdraw'
    const isStanding = operation.state !== 'rejected' && operation.state !== 'cancelled'
    const inverses = (operation.payload && inversesOf(operation.payload)) ?? []
    const canHaveInverse = inverses.length > 0 && isStanding
    return canHaveInverse && rows.inverseOf(operation.id) === undefined ? 'inverse' : null
  }

  /** Undo in the Outbox: withdraws; an import that is on its way gets its inverse. */
  const canUndo = (operation: Operation) =>
    canWithdraw(operation) ||
    (operation.kind === 'import' &&
      !isFinished(operation.state) &&
      !operation.isUnsettled &&
      undoOf(operation) === 'inverse')
  const canReopenOrder = (operation: Operation) =>
    (operation.kind === 'complete' || operation.kind === 'return') && canReopen(operation)
  /** A sale or return that the service refused because of some of its items may be accepted without them. */
  const canAmend = (operation: Operation) =>
    canReopenOrder(operation) && !isTakenBack(operation) && namedTags(operation.reason).length > 0
  const possible: [OperationAction, (operation: Operation) => boolean][] = [
    ['confirm', canConfirm],
    ['date', canDate],
    ['retry', canRetry],
    ['reopen', canReopenOrder],
    ['amend', canAmend],
    ['dismiss', canDismiss],
    ['undo', canUndo],
  ]

  /** Runs one action in a commit. `change` returns the other operations that it changed. */
  const act = (
    id: OperationId,
    isAllowed: (operation: Operation) => boolean,
    change: (operation: Operation) => number[] | undefined,
  ): Result<Operation, AppError> =>
    saved(() => {
      const changed = db
        .transaction((): Result<{ seq: number; others: number[] }, AppError> => {
          const operation = rows.byId(id)
          if (!operation) return err({ code: 'outbox/not-found' })
          if (!isAllowed(operation)) return err({ code: 'outbox/wrong-state', state: operation.state })
          return ok({ seq: operation.seq, others: change(operation) ?? [] })
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
    write(seq, { isUnsettled: false, ...change, state: 'cancelled' })
    locks.release(seq)
  }

  /**
   * Adjusts the unsent returns and voids of an order after an earlier report of it was corrected or given up: a return
   * loses the items that were never sold (`gone`), and a void covers whatever the order holds by then. Returns those changed.
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
      if (kind === 'return' && fitting.length === 0) return ledger.takeBack(one)
      const detail = { ...one.payload, tagIds: fitting }
      rows.setPayload(one.seq, detail)
      locks.rekey(one.seq, keysOf(detail, caseOf))
      journal.write({ seq: one.seq, actor: 'station', what: 'corrected', from: one.state, to: one.state, detail })
      return [...takenBack.reviveBy(one), one.seq]
    })
  }

  /** Sends it again in its old place in the queue. One that may have been taken is read about first. */
  const sendAgain = (
    { seq, state: from, isUncertain, payload }: Operation,
    what: 'sent again' | 'corrected',
    detail: unknown = payload,
  ) => {
    const to = isUncertain ? 'unknown' : 'queued'
    write(seq, { state: to, faults: 0, nextAttemptAt: 0, isUnsettled: false })
    if (from !== 'rejected') {
      journal.write({ seq, actor: 'person', what, from, to })
      return
    }
    // Since its refusal it shared its exclusive keys.
    if (payload && sharesOnceRefused(payload.kind)) locks.rekey(seq, keysOf(payload, caseOf))
    else locks.reacquire(seq)
    journal.write({ seq, actor: 'person', what, from: 'rejected', to, detail })
  }

  return {
    /** Takes back an operation that the service certainly doesn't have and no other waits for; a reason may be noted. */
    withdraw: (id: OperationId, because?: string) =>
      act(id, canWithdraw, (operation) => {
        const { seq, state: from } = operation
        cancel(seq)
        journal.write({ seq, actor: 'person', what: 'withdrawn', from, to: 'cancelled', detail: because })
        return takenBack.reviveBy(operation)
      }),

    /** Counts an operation as accepted because a person saw that the service has it; `because` may say where. */
    confirm: (id: OperationId, because?: string) =>
      act(id, canConfirm, ({ seq, state: from }) => {
        write(seq, { state: 'accepted', faults: 0, note: 'confirmed', isUnsettled: false })
        locks.release(seq)
        journal.write({ seq, actor: 'person', what: 'confirmed', from, to: 'accepted', detail: because })
        return undefined
      }),

    /**
     * Sends a rejected or unsettled operation again; without its customer if that can't be unsealed any more. `because`: the
     * reason with which a gate let it pass.
     */
    retry: (id: OperationId, because?: string) =>
      act(id, canRetry, (operation) => {
        const { seq, payload, reason, isUncertain } = operation
        if (reason?.code !== 'outbox/customer-lost' || !payload || !('orderId' in payload)) {
          sendAgain(operation, 'sent again')
          approve(seq, isUncertain ? 'unknown' : 'queued', because)
          return undefined
        }
        // The sealed customer stays stored: if the key comes back in time, it is sent.
        const allowed = { ...payload, mayLackCustomer: true as const }
        rows.setPayload(operation.seq, allowed)
        sendAgain({ ...operation, payload: allowed }, 'sent again')
        approve(seq, isUncertain ? 'unknown' : 'queued', because)
        return undefined
      }),

    /**
     * Sets when an operation was done (ms since 1970), because its clock was wrong and a person knows better, and sends it.
     * Errors besides: outbox/impossible-time.
     */
    date(id: OperationId, at: number): Result<Operation, AppError> {
      if (!canBeReported(at, latest())) return err({ code: 'outbox/impossible-time' })
      return act(id, canDate, (operation) => {
        const { seq, performedAt } = operation
        rows.setTime(seq, { performedAt: iso(at), performedAtRaw: at, clockOffset: 0 })
        journal.write({
          seq,
          actor: 'person',
          what: 'dated',
          from: 'rejected',
          to: 'rejected',
          detail: { was: performedAt },
        })
        sendAgain(operation, 'sent again')
        return undefined
      })
    },

    /**
     * Sends a rejected operation again with a corrected payload, in its old place. What was saved to undo it is cancelled;
     * but returns and voids of an order stay, adjusted to what is in it then. `because`: the reason with which a gate let
     * it pass. `amended`: which items of an order are given up, and why.
     */
    correct: (id: OperationId, payload: Payload, because?: string, amended?: { without: TagId[]; because: string }) =>
      act(id, isSendable, (operation) => {
        const others = 'orderId' in payload ? [] : ledger.cancelUndoing(id)
        rows.setPayload(operation.seq, payload)
        const left = new Set(itemsOf(payload))
        const gone = itemsOf(operation.payload).filter((tagId) => !left.has(tagId))
        locks.giveUp(operation.seq, gone.map(tagKey))
        others.push(...refit(operation, operation.kind === 'complete' ? new Set(gone) : undefined))
        // What was taken out may be of a report that was taken back, and is in no later one now.
        others.push(...takenBack.reviveBy(operation))
        // A corrected blind import names its case, a corrected change of a collection may name other things.
        if (operation.kind !== payload.kind || accountOf(payload.kind) === 'sourcing')
          locks.rekey(operation.seq, keysOf(payload, caseOf))
        sendAgain({ ...operation, payload }, 'corrected', amended)
        approve(operation.seq, operation.isUncertain ? 'unknown' : 'queued', because)
        return others
      }),

    /**
     * Gives a rejected operation up because `alongside` puts its contents back to where they can be changed: all items, or
     * those still missing of one that was taken back before. It needs attention until all are sent again (`taken-back.ts`).
     */
    reopen: (id: OperationId, alongside: () => void) =>
      act(id, canReopen, (operation) => {
        const { seq, state: from } = operation
        const others = isTakenBack(operation) ? [] : ledger.cancelUndoing(id)
        cancel(seq, { note: 'reopened', isUnsettled: true })
        journal.write({ seq, actor: 'person', what: 'reopened', from, to: 'cancelled' })
        if (!isTakenBack(operation)) others.push(...refit(operation))
        alongside()
        return others
      }),

    /** Gives up a rejected or unsettled operation for a stated reason, with what was saved to undo it. */
    dismiss: (id: OperationId, because: string) =>
      act(id, canDismiss, (operation) => {
        const { seq, state: from } = operation
        const others = isTakenBack(operation) ? [] : ledger.cancelUndoing(id)
        cancel(seq, { dismissedBecause: because })
        journal.write({ seq, actor: 'person', what: 'dismissed', from, to: 'cancelled', detail: because })
        if (!isTakenBack(operation)) others.push(...refit(operation))
        return others
      }),

    undoOf,
    /** What a person can do to an operation in the Outbox now. */
    actionsOf: (operation: Operation): OperationAction[] =>
      possible.flatMap(([action, isPossible]) => (isPossible(operation) ? action : [])),
  }
}

const itemsOf = (payload: Payload | null) => (payload && 'tagIds' in payload ? payload.tagIds : [])

type OrderPayload = Extract<Payload, { orderId: string }>

/** The items of a return or void, if the order holds `held` before it and `gone` was never sold in it. */
const fitted = ({ kind, tagIds }: OrderPayload, held: ReadonlySet<TagId>, gone: ReadonlySet<TagId>): TagId[] =>
  kind === 'void' ? [...held] : tagIds.filter((tagId) => !gone.has(tagId))

import type { AppError } from '../../src-shared/errors'
import type { OperationId } from '../../src-shared/ids'
import { type Result, err, ok } from '../../src-shared/result'
import { saved } from '../store/saved'
import type { Ledger } from './ledger'
import { type Operation, isWithdrawable } from './operation'
import type { Payload } from './payload'
import type { Change } from './rows'

/**
 * What a person may do to an operation, each in one commit and from some states only.
 * Errors of all: outbox/not-found, outbox/wrong-state, store/not-saved.
 */
export interface PersonSteps {
  /** Takes back what the service certainly doesn't have and nobody waits for. */
  withdraw(id: OperationId): Result<Operation, AppError>
  /** Sends a rejected operation again. */
  retry(id: OperationId): Result<Operation, AppError>
  /** Sends a rejected operation again with what a person corrected; it keeps its place. */
  correct(id: OperationId, payload: Payload): Result<Operation, AppError>
  /** Gives a rejected operation up because `alongside` puts its contents back to where they can be changed. */
  reopen(id: OperationId, alongside: () => void): Result<Operation, AppError>
  /** Gives up a rejected operation, and says why. */
  dismiss(id: OperationId, because: string): Result<Operation, AppError>
  /** What undo would do to an operation now. */
  undoOf(operation: Operation): 'withdraw' | 'inverse' | null
}

/** `announce` is told of each step once it is on the disk. */
export function createPersonSteps(ledger: Ledger, announce: (operation: Operation) => Operation): PersonSteps {
  const { db, rows, locks, journal, atStep } = ledger

  const canWithdraw = (operation: Operation) => isWithdrawable(operation) && !locks.hasWaiters(operation.seq)
  const isRejected = ({ state }: Operation) => state === 'rejected'
  const isSendable = (operation: Operation) => isRejected(operation) && operation.payload !== null

  // "Already" after an attempt of ours that may have been taken: sold once more under another number it could be doubled.
  const canReopen = (operation: Operation) =>
    isSendable(operation) && !(operation.isUncertain && operation.reason?.code === 'service/already-processed')

  const step = (
    id: OperationId,
    isAllowed: (operation: Operation) => boolean,
    change: (operation: Operation) => void,
  ): Result<Operation, AppError> =>
    saved(() => {
      const changed = db
        .transaction((): Result<number, AppError> => {
          const operation = rows.byId(id)
          if (!operation) return err({ code: 'outbox/not-found' })
          if (!isAllowed(operation)) return err({ code: 'outbox/wrong-state', state: operation.state })
          change(operation)
          return ok(operation.seq)
        })
        .immediate()
      atStep('person.saved')
      return changed.ok ? ok(announce(rows.bySeq(changed.value))) : changed
    })

  const write = (seq: number, change: Change) => {
    rows.update(seq, change)
    atStep('person.writing')
  }
  const cancel = (seq: number, change: Omit<Change, 'state'> = {}) => {
    write(seq, { ...change, state: 'cancelled' })
    locks.release(seq)
  }
  /** In its old place. One that may have been taken is looked into first. */
  const sendAgain = ({ seq, isUncertain, payload }: Operation, what: 'sent again' | 'corrected') => {
    const to = isUncertain ? 'unknown' : 'queued'
    write(seq, { state: to, faults: 0, nextAttemptAt: 0 })
    locks.retake(seq)
    journal.write({ seq, actor: 'person', what, from: 'rejected', to, detail: payload })
  }

  return {
    withdraw: (id) =>
      step(id, canWithdraw, ({ seq, state: from }) => {
        cancel(seq)
        journal.write({ seq, actor: 'person', what: 'withdrawn', from, to: 'cancelled' })
      }),
    retry: (id) =>
      step(id, isSendable, (operation) => {
        sendAgain(operation, 'sent again')
      }),
    correct: (id, payload) =>
      step(id, isSendable, (operation) => {
        rows.setPayload(operation.seq, JSON.stringify(payload))
        sendAgain(operation, 'corrected')
      }),
    reopen: (id, alongside) =>
      step(id, canReopen, ({ seq }) => {
        cancel(seq, { note: 'reopened' })
        journal.write({ seq, actor: 'person', what: 'reopened', from: 'rejected', to: 'cancelled' })
        alongside()
      }),
    dismiss: (id, because) =>
      step(id, isRejected, ({ seq }) => {
        cancel(seq, { dismissedBecause: because })
        journal.write({ seq, actor: 'person', what: 'dismissed', from: 'rejected', to: 'cancelled', detail: because })
      }),
    undoOf(operation) {
      if (canWithdraw(operation)) return 'withdraw'
      const isStanding = operation.state !== 'rejected' && operation.state !== 'cancelled'
      const canHaveInverse = operation.kind === 'import' && isStanding
      return canHaveInverse && rows.inverseOf(operation.id) === undefined ? 'inverse' : null
    },
  }
}

import type { Database } from 'better-sqlite3'
import type { OperationId } from '../../src-shared/ids'
import type { OperationState } from '../../src-shared/ipc/contract/outbox'
import { createJournal } from './journal'
import { Locks } from './locks'
import { type Operation, isWithdrawable } from './operation'
import { createRows } from './rows'
import type { AtStep } from '../core/steps'
import { createTakenBack } from './taken-back'

export type Ledger = ReturnType<typeof openLedger>

/**
 * The tables of the outbox: operations, locks and journal. They are written together, inside a transaction of `outbox.ts`
 * or `actions.ts`.
 */
export function openLedger(db: Database, now: () => number, atStep: AtStep) {
  const rows = createRows(db)
  const locks = new Locks(db)
  const journal = createJournal(db, now)
  const takenBack = createTakenBack({ rows, journal })

  /** Writes down that a gate let a step pass, with the reason ('' if none was wanted); nothing if it passed no gate. */
  const approve = (seq: number, state: OperationState, because: string | undefined) => {
    if (because === undefined) return
    journal.write({ seq, actor: 'person', what: 'permitted', from: state, to: state, detail: because || undefined })
  }

  /**
   * Withdraws an operation that was saved to change or undo one that was given up. Returns all that changed: also those of
   * which items are missing again.
   */
  const takeBack = (operation: Operation): number[] => {
    const { seq, state: from } = operation
    rows.update(seq, { state: 'cancelled' })
    atStep('person.writing')
    locks.release(seq)
    journal.write({ seq, actor: 'station', what: 'withdrawn', from, to: 'cancelled' })
    return [...takenBack.reviveBy(operation), seq]
  }

  /**
   * Cancels the unsent operations that were saved to undo one that is given up: sent now, they would undo what another
   * station did. Returns all that changed.
   */
  const cancelUndoing = (id: OperationId): number[] =>
    rows
      .undoing(id)
      .filter(isWithdrawable)
      .flatMap((undoing) => {
        // First what undoes this one in turn, while it still waits for it.
        const others = cancelUndoing(undoing.id)
        return [...others, ...takeBack(undoing)]
      })

  return { db, rows, locks, journal, atStep, approve, takenBack, takeBack, cancelUndoing }
}

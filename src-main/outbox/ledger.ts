import type { Database } from 'better-sqlite3'
import type { OperationId } from '../../src-shared/ids'
import type { OperationState } from '../../src-shared/ipc/contract/outbox'
import { Journal } from './journal'
import { Locks } from './locks'
import { type Operation, isWithdrawable } from './operation'
import { Rows } from './rows'
import type { AtStep } from '../core/steps'
import { TakenBack } from './taken-back'

/**
 * The tables of the outbox: operations, locks and journal. They are written together, inside a transaction of `outbox.ts`
 * or `actions.ts`.
 */
export class Ledger {
  readonly db: Database
  readonly rows: Rows
  readonly locks: Locks
  readonly journal: Journal
  readonly takenBack: TakenBack
  readonly atStep: AtStep

  constructor(db: Database, now: () => number, atStep: AtStep) {
    this.db = db
    this.rows = new Rows(db)
    this.locks = new Locks(db)
    this.journal = new Journal(db, now)
    this.takenBack = new TakenBack({ rows: this.rows, journal: this.journal })
    this.atStep = atStep
  }

  /** Writes down that a gate let a step pass, with the reason ('' if none was wanted); nothing if it passed no gate. */
  approve(seq: number, state: OperationState, because: string | undefined): void {
    if (because === undefined) return
    this.journal.write({
      ...{ seq, actor: 'person', what: 'permitted', from: state, to: state },
      detail: because || undefined,
    })
  }

  /**
   * Withdraws an operation that was saved to change or undo one that was given up. Returns all that changed: also those of
   * which items are missing again.
   */
  takeBack(operation: Operation): number[] {
    const { seq, state: from } = operation
    this.rows.update(seq, { state: 'cancelled' })
    this.atStep('person.writing')
    this.locks.release(seq)
    this.journal.write({ seq, actor: 'station', what: 'withdrawn', from, to: 'cancelled' })
    return [...this.takenBack.reviveBy(operation), seq]
  }

  /**
   * Cancels the unsent operations that were saved to undo one that is given up: sent now, they would undo what another
   * station did. Returns all that changed.
   */
  cancelUndoing(id: OperationId): number[] {
    return this.rows
      .undoing(id)
      .filter(isWithdrawable)
      .flatMap((undoing) => {
        // First what undoes this one in turn, while it still waits for it.
        const others = this.cancelUndoing(undoing.id)
        return [...others, ...this.takeBack(undoing)]
      })
  }
}

import type { OperationId } from '../../src-shared/ids'
import type { Ledger } from './ledger'
import { type Operation, isWithdrawable } from './operation'

/** What was saved to undo an operation, and waits for it. For use inside a transaction. */
export interface Undoing {
  /** Takes an operation back that has nothing to stand on any more. */
  takeBack(operation: Operation): void
  /**
   * What undoes an operation that is given up would now undo somebody else's: as long as it was never sent, it goes. Gives
   * those that were cancelled.
   */
  cancel(id: OperationId): number[]
}

export function createUndoing({ rows, locks, journal, atStep }: Ledger): Undoing {
  const takeBack = ({ seq, state: from }: Operation) => {
    rows.update(seq, { state: 'cancelled' })
    atStep('person.writing')
    locks.release(seq)
    journal.write({ seq, actor: 'station', what: 'withdrawn', from, to: 'cancelled' })
  }
  const cancel = (id: OperationId): number[] =>
    rows
      .undoing(id)
      .filter(isWithdrawable)
      .flatMap((undoing) => {
        // First what undoes it in its turn, while that still waits for it.
        const others = cancel(undoing.id)
        takeBack(undoing)
        return [...others, undoing.seq]
      })
  return { takeBack, cancel }
}

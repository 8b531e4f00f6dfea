import type { OperationState } from '../../../src-shared/ipc/operation-view'
import { isFinished } from '../../outbox/operation'

/**
 * The state of a salvaged operation. What was read may be older than what happened: an operation that was not finished may
 * have been sent since, so it is looked into before anything is sent again.
 * `row` is the state that its row says; `steps` the states that its journal says, oldest first.
 */
export function salvagedState(row: OperationState, steps: readonly OperationState[]): OperationState {
  const last = steps.at(-1)
  // Nothing leads out of these two, so wherever they are found they are the newest.
  if (isFinished(row)) return row
  if (last !== undefined && isFinished(last)) return last
  // A refusal that the row does not know of is newer than the row; one that only the row knows of is newer than the journal.
  if (last === 'rejected') return 'rejected'
  if (row === 'rejected' && !steps.includes('rejected')) return 'rejected'
  return 'unknown'
}

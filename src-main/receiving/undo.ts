import type { AppError } from '../../src-shared/errors'
import type { OperationId } from '../../src-shared/ids'
import { type Result, err } from '../../src-shared/result'
import { inversesOf } from '../outbox/kinds/kinds'
import type { Operation } from '../outbox/operation'
import type { Outbox } from '../outbox/outbox'

/**
 * Withdraws what was never attempted, otherwise queues its inverse; gives the operation or its inverse, of several
 * inverses the first. Waits for nobody. Errors: outbox/not-found, outbox/wrong-state, store/not-saved.
 */
export type Undo = (operationId: OperationId) => Result<Operation, AppError>

export const createUndo =
  (outbox: Outbox): Undo =>
  (operationId) => {
    const operation = outbox.read.byId(operationId)
    const inverses = operation?.payload && inversesOf(operation.payload)
    if (!operation || !inverses) return err({ code: 'outbox/not-found' })
    const undo = outbox.undoOf(operation)
    if (undo === null) return err({ code: 'outbox/wrong-state', state: operation.state })
    if (undo === 'withdraw') return outbox.withdraw(operationId)
    const [first] = outbox.enqueueMany(inverses.map((payload) => ({ payload, undoes: operationId })))
    return first ?? err({ code: 'outbox/wrong-state', state: operation.state })
  }

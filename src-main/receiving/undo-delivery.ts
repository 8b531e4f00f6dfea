import { setImmediate } from 'node:timers/promises'
import type { AppError } from '../../src-shared/errors'
import type { DeliveryId } from '../../src-shared/ids'
import type { ManyDone } from '../../src-shared/ipc/delivery-view'
import { type Result, err, ok } from '../../src-shared/result'
import type { Sender } from '../outbox/sender'
import type { Operation } from '../outbox/operation'
import type { Outbox } from '../outbox/outbox'
import type { Reporting } from '../outbox/reporting'
import type { DeliveryRows } from './delivery-rows'
import type { Undo } from './undo'

export interface UndoDeliveryParts {
  rows: DeliveryRows
  outbox: Pick<Outbox, 'undoOf'>
  undo: Undo
  view: Reporting['view']
  sender: Pick<Sender, 'wake'>
}

/** Whether taking back a whole delivery takes this one back. */
export const canUndo = (operation: Operation, outbox: Pick<Outbox, 'undoOf'>): boolean =>
  outbox.undoOf(operation) !== null

/** Taken back in one go: then scans and screens have their turn. */
const atOnce = 25

/**
 * Takes back every import of a delivery, newest first, each by itself, and waits for none of them. One that was refused is
 * named as such: a person deals with it. Errors: receiving/no-delivery.
 */
export function createUndoDelivery({ rows, outbox, undo, view, sender }: UndoDeliveryParts) {
  /** Withdrawn, or taken back before. */
  const isUndone = (operation: Operation) => {
    const { state, kind } = operation
    return state === 'cancelled' || (kind === 'import' && state !== 'rejected' && !canUndo(operation, outbox))
  }

  return async (id: DeliveryId): Promise<Result<ManyDone, AppError>> => {
    const delivery = rows.byId(id)
    if (!delivery) return err({ code: 'receiving/no-delivery' })
    const done: ManyDone = { saved: [], refused: [] }
    const standing = rows.operations(delivery.seq).filter((operation) => !isUndone(operation))
    for (const [index, operation] of standing.entries()) {
      if (index > 0 && index % atOnce === 0) {
        sender.wake()
        await setImmediate()
      }
      const undone = undo(operation.id)
      if (undone.ok) done.saved.push(view(undone.value))
      else {
        const { caseId, productName } = view(operation)
        done.refused.push({ caseId, productName, error: undone.error })
      }
    }
    sender.wake()
    return ok(done)
  }
}

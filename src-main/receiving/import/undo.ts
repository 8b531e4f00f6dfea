import { setImmediate } from 'node:timers/promises'
import type { ResultOf } from '../../../src-shared/errors'
import type { GateQuestion } from '../../../src-shared/gates'
import type { DeliveryId, OperationId } from '../../../src-shared/ids'
import type { ManyDone } from '../../../src-shared/ipc/contract/receiving'
import { err, ok } from '../../../src-shared/result'
import type { NotActed } from '../../outbox/actions'
import { gateOfKind } from '../../outbox/kinds/gates'
import { inversesOf, nameOf } from '../../outbox/kinds/kinds'
import type { Operation } from '../../outbox/operation'
import type { Outbox } from '../../outbox/outbox'
import type { ReceivingContext } from '../receiving-context'

export type Undo = ReturnType<typeof createUndo>

/** Taking back what a person did outside a sale. */
export const createUndo = (outbox: Outbox) => ({
  /** The gate that undoing passes: that of its inverse. Null if nothing was sent, or if it can't be undone. */
  gateOf(operationId: OperationId): GateQuestion | null {
    const operation = outbox.read.byId(operationId)
    if (!operation || outbox.undoOf(operation) !== 'inverse') return null
    const inverses = (operation.payload && inversesOf(operation.payload)) ?? []
    const [first] = inverses
    const gate = first && gateOfKind[first.kind]
    return gate && operation.payload ? { gate, count: inverses.length, name: nameOf(operation.payload) } : null
  },
  /**
   * Withdraws an operation that was never attempted, otherwise queues its inverse. Returns the operation or the first of
   * its inverses, without waiting for the service. `because`: the reason with which the gate let it pass.
   */
  undo(operationId: OperationId, because?: string): ResultOf<Operation, NotActed> {
    const operation = outbox.read.byId(operationId)
    const inverses = operation?.payload && inversesOf(operation.payload)
    if (!operation || !inverses) return err({ code: 'outbox/not-found' })
    const undo = outbox.undoOf(operation)
    if (undo === null) return err({ code: 'outbox/wrong-state', state: operation.state })
    if (undo === 'withdraw') return outbox.withdraw(operationId)
    const [first] = outbox.enqueueMany(inverses.map((payload) => ({ payload, undoes: operationId, because })))
    return first ?? err({ code: 'outbox/wrong-state', state: operation.state })
  },
})

/** Taken back without a break; scans and screens are served between two such pieces. */
const atOnce = 25

/**
 * Takes back every import of a delivery, newest first and each by itself, without waiting for the service. A refused one is
 * reported as refused, because a person has to settle it.
 */
export function createUndoDelivery({ deliveries: rows, outbox, reporting, sender }: ReceivingContext, undo: Undo) {
  /** Withdrawn, or taken back before. */
  const isUndone = (operation: Operation) => {
    const { state, kind } = operation
    return state === 'cancelled' || (kind === 'import' && state !== 'rejected' && outbox.undoOf(operation) === null)
  }

  const undoOne = (id: OperationId, isPermitted: boolean, because?: string): ResultOf<Operation, NotActed> => {
    const operation = outbox.read.byId(id)
    // Without an approval only what was never sent is taken back.
    return operation && !isPermitted && outbox.undoOf(operation) === 'inverse'
      ? err({ code: 'outbox/wrong-state', state: operation.state })
      : undo.undo(id, because)
  }

  return {
    /** The gate that it passes; null if none of its imports may have been sent. */
    gateOf(id: DeliveryId): GateQuestion | null {
      const delivery = rows.byId(id)
      const operations = delivery ? rows.operations(delivery.seq) : []
      const count = operations.filter((one) => one.kind === 'import' && outbox.undoOf(one) === 'inverse').length
      return count === 0 ? null : { gate: 'un-import', count, name: null }
    },
    /**
     * `isPermitted`: a person was asked about what was sent; otherwise an import that is sent in the meantime is left.
     * `because`: the reason with which the gate let it pass.
     */
    async undo(
      id: DeliveryId,
      isPermitted: boolean,
      because?: string,
    ): Promise<ResultOf<ManyDone, 'receiving/no-delivery'>> {
      const delivery = rows.byId(id)
      if (!delivery) return err({ code: 'receiving/no-delivery' })
      const done: ManyDone = { saved: [], refused: [] }
      const standing = rows.operations(delivery.seq).filter((operation) => !isUndone(operation))
      for (const [index, operation] of standing.entries()) {
        if (index > 0 && index % atOnce === 0) await setImmediate()
        const undone = undoOne(operation.id, isPermitted, because)
        if (undone.ok) done.saved.push(reporting.view(undone.value))
        else {
          const { caseId, packagedProductId, productName } = reporting.view(operation)
          done.refused.push({ caseId, packagedProductId, productName, error: undone.error })
        }
      }
      sender.wake()
      return ok(done)
    },
  }
}

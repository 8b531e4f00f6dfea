import type { OperationName, OperationView } from '../../src-shared/ipc/operation-view'
import { type Clock, iso } from '../clock'
import { type Operation, isForPerson } from './operation'
import type { Outbox } from './outbox'
import { nameOf } from './kinds/kinds'
import { tagsOf } from './payload'

/** An operation as a screen shows it. */
export function viewOperation(operation: Operation, outbox: Outbox, clock: Clock): OperationView {
  const { payload, state } = operation
  const heldUpBy = operation.blockers > 0 ? outbox.read.heldUpBy(operation) : undefined
  const waitsForTime = (state === 'queued' || state === 'unknown') && operation.nextAttemptAt > clock.now()
  return {
    ...nameOperation(operation),
    seq: operation.seq,
    packagedProductId: payload && 'packagedProductId' in payload ? payload.packagedProductId : null,
    packageUid: payload && 'packageUid' in payload ? payload.packageUid : null,
    itemCount: payload === null ? 0 : 'itemCount' in payload ? payload.itemCount : tagsOf(payload).length,
    performedAt: operation.performedAt,
    attempts: operation.attempts,
    nextAttemptAt: waitsForTime ? iso(operation.nextAttemptAt) : null,
    waitsFor: operation.blockers,
    heldUpBy: heldUpBy ? nameOperation(heldUpBy) : null,
    reason: operation.reason,
    note: operation.note,
    unsettled: isForPerson(operation) ? { shown: operation.shown } : null,
    undo: outbox.undoOf(operation),
    dismissedBecause: operation.dismissedBecause,
  }
}

const nameOperation = ({ id, kind, state, payload }: Operation): OperationName => ({
  id,
  kind,
  state,
  orderId: payload && 'orderId' in payload ? payload.orderId : null,
  caseId: payload && 'caseId' in payload ? payload.caseId : null,
  collectionId: payload && 'collectionId' in payload ? payload.collectionId : null,
  productName: payload && nameOf(payload),
})

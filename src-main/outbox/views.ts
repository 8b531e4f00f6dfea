import type { OperationView } from '../../src-shared/ipc/operation-view'
import { type Clock, iso } from '../clock'
import type { Operation } from './operation'
import type { Outbox } from './outbox'

/** An operation as a screen shows it. */
export function viewOperation(operation: Operation, outbox: Outbox, clock: Clock): OperationView {
  const { payload, state } = operation
  const isOfCase = payload?.kind === 'import' || payload?.kind === 'import-removal'
  const waitsForTime = (state === 'queued' || state === 'unknown') && operation.nextAttemptAt > clock.now()
  return {
    id: operation.id,
    seq: operation.seq,
    kind: operation.kind,
    state,
    orderId: payload !== null && !isOfCase ? payload.orderId : null,
    caseId: isOfCase ? payload.caseId : null,
    packageUid: isOfCase ? payload.packageUid : null,
    productName: isOfCase ? payload.productName : null,
    itemCount: payload === null ? 0 : isOfCase ? payload.itemCount : payload.tagIds.length,
    performedAt: operation.performedAt,
    attempts: operation.attempts,
    nextAttemptAt: waitsForTime ? iso(operation.nextAttemptAt) : null,
    waitsFor: operation.blockers,
    reason: operation.reason,
    note: operation.note,
    undo: outbox.undoOf(operation),
    dismissedBecause: operation.dismissedBecause,
  }
}

import type { OperationName, OperationView } from '../../src-shared/ipc/operation-view'
import { type Clock, iso } from '../clock'
import type { Operation } from './operation'
import type { Outbox } from './outbox'

/** An operation as a screen shows it. */
export function viewOperation(operation: Operation, outbox: Outbox, clock: Clock): OperationView {
  const { payload, state } = operation
  const ofCase = payload?.kind === 'import' || payload?.kind === 'import-removal' ? payload : null
  const heldUpBy = operation.blockers > 0 ? outbox.read.heldUpBy(operation) : undefined
  const waitsForTime = (state === 'queued' || state === 'unknown') && operation.nextAttemptAt > clock.now()
  return {
    ...nameOperation(operation),
    seq: operation.seq,
    packageUid: ofCase?.packageUid ?? null,
    itemCount: ofCase?.itemCount ?? (payload && 'tagIds' in payload ? payload.tagIds.length : 0),
    performedAt: operation.performedAt,
    attempts: operation.attempts,
    nextAttemptAt: waitsForTime ? iso(operation.nextAttemptAt) : null,
    waitsFor: operation.blockers,
    heldUpBy: heldUpBy ? nameOperation(heldUpBy) : null,
    reason: operation.reason,
    note: operation.note,
    undo: outbox.undoOf(operation),
    dismissedBecause: operation.dismissedBecause,
  }
}

function nameOperation({ id, kind, state, payload }: Operation): OperationName {
  const ofCase = payload?.kind === 'import' || payload?.kind === 'import-removal' ? payload : null
  return {
    id,
    kind,
    state,
    orderId: payload && 'orderId' in payload ? payload.orderId : null,
    caseId: ofCase?.caseId ?? null,
    productName: ofCase?.productName ?? null,
  }
}

import { assertNever } from '../../src-shared/result'
import { type Finding, type ReconcileParts, unclear } from './finding'
import type { Operation } from './operation'
import { type Outcome, isEcho } from './outcome'
import { reconcileCase } from './reconcile-case'
import { reconcileReturn, reconcileSale, reconcileVoid } from './reconcile-order'

export type { Finding, ReconcileParts } from './finding'

/**
 * So many faults in a row, minutes of them, and a reading that the service can't answer counts as one that tells nothing:
 * what can't be read about is sent again, or it would wait for ever.
 */
const patience = 12

/** Finds out by reading what became of an attempt whose answer was lost. The tables are in outbox.md. */
export async function reconcile(operation: Operation, parts: ReconcileParts): Promise<Finding> {
  const finding = await read(operation, parts)
  const isFailing =
    finding.kind === 'decided' && 'reason' in finding.outcome && finding.outcome.reason.code === 'service/failing'
  return isFailing && operation.faults >= patience ? unclear : finding
}

async function read(operation: Operation, parts: ReconcileParts): Promise<Finding> {
  const { payload } = operation
  if (payload === null) return unclear
  switch (payload.kind) {
    case 'import':
    case 'import-removal':
      return reconcileCase(payload, parts)
    case 'complete':
      return reconcileSale(payload.tagIds, operation.performedAt, parts)
    case 'void':
      return reconcileVoid(operation, parts)
    case 'return':
      return reconcileReturn(operation, payload.tagIds, parts)
    default:
      return assertNever(payload)
  }
}

/**
 * Reads once more when the refusal of a resent report says that it is done already: the lost attempt may have been taken
 * only after we had looked. Gives the outcome as it was when reading does not tell better.
 */
export async function lookAgain(operation: Operation, outcome: Outcome, parts: ReconcileParts): Promise<Outcome> {
  if (!operation.isUncertain || !isEcho(operation.kind, outcome)) return outcome
  const again = await reconcile(operation, parts)
  return again.kind === 'decided' ? again.outcome : outcome
}

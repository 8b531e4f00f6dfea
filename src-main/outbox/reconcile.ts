import { type Finding, type ReconcileParts, unclear } from './finding'
import { answersOf, reconcileByKind } from './kinds/kinds'
import type { Operation } from './operation'
import type { Shown } from '../../src-shared/ipc/operation-view'
import { type Outcome, isEcho } from './outcome'

export type { Finding, ReconcileParts } from './finding'

/**
 * So many faults in a row, minutes of them, and a reading that the service can't answer counts as one that tells nothing:
 * what can't be read about is sent again, or it would wait for ever.
 */
const patience = 12

/** Finds out by reading what became of an attempt whose answer was lost. The tables are in outbox.md. */
export async function reconcile(operation: Operation, parts: ReconcileParts): Promise<Finding> {
  const { payload } = operation
  const finding = payload === null ? unclear('nothing') : await reconcileByKind(operation, payload, parts)
  const isFailing =
    finding.kind === 'decided' && 'reason' in finding.outcome && finding.outcome.reason.code === 'service/failing'
  return isFailing && operation.faults >= patience ? unclear('nothing') : finding
}

/**
 * Reads once more when the refusal of a resent report says that it is done already: the lost attempt may have been taken
 * only after we had looked. Of a change of collections any refusal may say that, for what is done once may be
 * refused twice. Gives the outcome as it was when reading does not tell better.
 */
export async function lookAgain(operation: Operation, outcome: Outcome, parts: ReconcileParts): Promise<Outcome> {
  const { kind } = operation
  const mayBeEcho = isEcho(kind, outcome) || (outcome.kind === 'rejected' && answersOf(kind).readsAfter === 'any')
  if (!operation.isUncertain || !mayBeEcho) return outcome
  const again = await reconcile(operation, parts)
  return again.kind === 'decided' ? again.outcome : outcome
}

/** So many faults in a row, half a minute of them, before a person is asked. */
const longestDoubt = 5

/**
 * What reading did not settle and the answer to another attempt did not either, again and again, is for a person to say. It
 * goes on being tried: a service that comes to its senses needs nobody.
 */
export function unsettled(operation: Operation, outcome: Outcome, shown: Shown): Outcome {
  if (outcome.kind !== 'unknown') return outcome
  const { reason } = outcome
  const isAnswered =
    reason.code === 'service/unproven' || (reason.code === 'service/unreadable' && reason.path === null)
  if (!isAnswered || operation.faults < longestDoubt) return { ...outcome, shown }
  const said = reason.code === 'service/unproven' ? reason : { status: null, said: '' }
  return { ...outcome, shown, reason: { code: 'outbox/unsettled', status: said.status, said: said.said } }
}

import { type Finding, type ReconcileParts, unclear } from './finding'
import { answersOf, reconcileByKind } from './kinds/kinds'
import type { Operation } from './operation'
import type { AppError } from '../../src-shared/errors'
import type { Shown } from '../../src-shared/ipc/operation-view'
import { type Outcome, isEcho } from './outcome'

export type { Finding, ReconcileParts } from './finding'

/**
 * So many faults in a row, minutes of them, and a reading that the service can't answer counts as one that tells nothing:
 * what can't be read about is sent again, or it would wait for ever.
 */
const patience = 12
/** Readings that were answered, and tell nothing. Out of reach and busy say when it is worth asking again. */
const useless = new Set<AppError['code']>(['service/failing', 'service/unreadable'])

/** Finds out by reading what became of an attempt whose answer was lost. The tables are in outbox.md. */
export async function reconcile(operation: Operation, parts: ReconcileParts): Promise<Finding> {
  const { payload } = operation
  const finding = payload === null ? unclear('nothing') : await reconcileByKind(operation, payload, parts)
  const isUseless =
    finding.kind === 'decided' && 'reason' in finding.outcome && useless.has(finding.outcome.reason.code)
  return isUseless && operation.faults >= patience ? unclear('nothing') : finding
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
  const isAnswered = reason.code === 'service/unproven' || reason.code === 'service/unreadable'
  // Where readings are answered and this report is not, again and again, it is no outage of all.
  const isDoubtful = operation.faults >= (isAnswered ? longestDoubt : patience)
  return { ...outcome, shown, reason: isDoubtful ? doubtOf(reason) : reason }
}

/** Why a person is asked: the last answer as far as it can be told, else the one before. */
export function doubtOf(reason: AppError, before: AppError | null = null): AppError {
  const code = 'outbox/unsettled'
  if (reason.code === code) return reason
  if (reason.code === 'service/unproven') return { code, status: reason.status, said: reason.said }
  if (reason.code === 'service/failing') return { code, status: reason.status, said: '' }
  // No answer at all: what was answered before it goes on being the last one.
  return before?.code === code && reason.code !== 'service/unreadable' ? before : { code, status: null, said: '' }
}

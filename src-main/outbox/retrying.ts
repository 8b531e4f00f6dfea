import { pauseAfter } from '../core/backoff'
import type { Operation, Outcome } from './operation'
import { doubtOf } from './reconcile'
import type { Change } from './rows'

type Fault = Extract<Outcome, { kind: 'retry' | 'unknown' }>

/** What an attempt that settled nothing makes of an operation: when it is tried again, and in which state it waits. */
export function afterFault(operation: Operation, outcome: Fault, now: number, random: () => number) {
  // An attempt that certainly did nothing doesn't clear up what an earlier one may have done.
  const isUncertain = outcome.kind === 'unknown' || operation.isUncertain
  const shown = 'shown' in outcome ? outcome.shown : undefined
  const isUnsettled = operation.isUnsettled || outcome.reason.code === 'outbox/unsettled'
  // A person is asked about the last answer and the last reading there were.
  const why = isUnsettled
    ? { reason: doubtOf(outcome.reason, operation.reason), shown: shown ?? operation.shown ?? undefined }
    : { reason: outcome.reason, shown }
  return {
    state: isUncertain ? 'unknown' : 'queued',
    faults: operation.faults + 1,
    isUncertain,
    nextAttemptAt: now + pauseAfter(operation.faults, outcome.afterMs, random),
    isUnsettled,
    ...why,
  } satisfies Change
}

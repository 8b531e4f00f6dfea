/**
 * The boundaries at which a power cut leaves something different behind: on this disk, or at the service. The crash suite
 * kills the process at each of them in turn. `writing` is between two writes of a transaction, where a crash would leave half
 * of the step behind if it were none; `saved` is after its commit.
 */
export const steps = [
  'enqueue.writing',
  'enqueue.saved',
  'claim.writing',
  'claim.saved',
  'identify.writing',
  'identify.saved',
  'reconcile.asking',
  'reconcile.found',
  'report.sending',
  'report.answered',
  'settle.writing',
  'settle.saved',
  'person.writing',
  'person.saved',
] as const
export type Step = (typeof steps)[number]

/** Told of every boundary as it is reached. Nothing in the app listens; the crash suite does. */
export type AtStep = (step: Step) => void

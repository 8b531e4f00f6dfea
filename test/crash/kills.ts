import { steps as ofOutbox } from '../../src-main/outbox/steps'
import { chanceOf } from './chance'

/**
 * The outbox's commit boundaries, and the moment between a call's commit and its answer, which the person never gets.
 */
export const steps = [...ofOutbox, 'call.answered'] as const
export type Step = (typeof steps)[number]

/** Where a life of the station ends. */
export type Kill =
  /** Inside the station, the n-th time it reaches a step. */
  | { at: Step; nth: number }
  /** From outside, this many ms after its process was started, or after it was ready. */
  | { after: 'start' | 'ready'; ms: number }

/** How often a step occurs in a day, roughly. */
const often: Readonly<Record<Step, number>> = {
  'enqueue.writing': 5,
  'enqueue.saved': 5,
  'claim.writing': 6,
  'claim.saved': 6,
  'identify.writing': 1,
  'identify.saved': 1,
  'reconcile.asking': 1,
  'reconcile.found': 1,
  'report.sending': 6,
  'report.answered': 6,
  'settle.writing': 6,
  'settle.saved': 6,
  'person.writing': 1,
  'person.saved': 1,
  'call.answered': 5,
}

/** The step that a run must be killed at: each in turn. */
export const stepOf = (run: number): Step => steps[run % steps.length] ?? 'enqueue.saved'

/** The kills of a run, one for each of its first lives. */
export function killsOf(seed: number, run: number): Kill[] {
  const chance = chanceOf('kills', seed, run)
  const at = (step: Step): Kill => ({ at: step, nth: 1 + chance.below(often[step]) })
  const anyMoment = (): Kill =>
    chance.hits(0.2) ? { after: 'start', ms: chance.below(400) } : { after: 'ready', ms: chance.below(900) }
  const step = stepOf(run)
  // Only a request in flight when the process died is sure to be reconciled.
  const first = step.startsWith('reconcile') ? [at('report.answered'), at(step)] : [at(step)]
  const more = Array.from({ length: chance.pick([0, 1, 1, 2, 2, 3]) }, () =>
    chance.hits(0.45) ? anyMoment() : at(chance.pick(steps)),
  )
  return [...first, ...more]
}

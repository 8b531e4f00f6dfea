import { outboxSteps, paperSteps, shopSteps } from '../../src-main/core/steps'
import { chanceOf } from './chance'

/**
 * The outbox's commit boundaries, and the moment between a call's commit and its answer, which the person never gets.
 */
const reportSteps = [...outboxSteps, 'call.answered'] as const
type ReportStep = (typeof reportSteps)[number]
export const steps = [...reportSteps, ...shopSteps, ...paperSteps] as const
export type Step = (typeof steps)[number]

/** Where a life of the station ends. */
export type Kill =
  /** Inside the station, the n-th time it reaches a step. */
  | { at: Step; nth: number }
  /** From outside, this many ms after its process was started, or after it was ready. */
  | { after: 'start' | 'ready'; ms: number }

/** How often a step occurs in a day, roughly. */
const often: Readonly<Record<ReportStep, number>> = {
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
export const stepOf = (run: number): ReportStep => reportSteps[run % reportSteps.length] ?? 'enqueue.saved'

/** The kills of a run, one for each of its first lives. */
export function killsOf(seed: number, run: number): Kill[] {
  const chance = chanceOf('kills', seed, run)
  const at = (step: ReportStep): Kill => ({ at: step, nth: 1 + chance.below(often[step]) })
  const anyMoment = (): Kill =>
    chance.hits(0.2) ? { after: 'start', ms: chance.below(400) } : { after: 'ready', ms: chance.below(900) }
  const step = stepOf(run)
  // Only a request in flight when the process died is sure to be reconciled.
  const first = step.startsWith('reconcile') ? [at('report.answered'), at(step)] : [at(step)]
  const more = Array.from({ length: chance.pick([0, 1, 1, 2, 2, 3]) }, () =>
    chance.hits(0.45) ? anyMoment() : at(chance.pick(reportSteps)),
  )
  return [...first, ...more]
}

/** A kill at a shelf count, a delivery's end, its photos or corrections, in whichever life reaches it. */
export interface ShopKill {
  at: (typeof shopSteps)[number] | (typeof paperSteps)[number]
  nth: number
}

export const isShopStep = (step: Step): boolean => [...shopSteps, ...paperSteps].some((one) => one === step)

/** Every run has one: each step in turn, in odd runs those of counts and records, in even runs those of photos and corrections. */
export function shopKillOf(seed: number, run: number): ShopKill | undefined {
  const steps = run % 2 === 0 ? paperSteps : shopSteps
  const at = steps[(run >> 1) % steps.length]
  if (at === undefined) return undefined
  return { at, nth: 1 + chanceOf('shop kill', seed, run).below(oftenIn(at)) }
}

/** How often a day whose kill is at that step reaches it, at least. */
function oftenIn(at: ShopKill['at']): number {
  // Most counts have more than six scans.
  if (at.startsWith('scan')) return 6
  // A delivery that is opened again is finished twice.
  if (at.startsWith('record')) return 2
  if (at === 'photo.received') return 8
  // Of the delivery and of a correction.
  if (at === 'photo.writing' || at === 'photo.written') return 5
  if (at === 'photo.saved') return 4
  if (at === 'photo.removed') return 3
  return at === 'photo.sweeping' || at === 'photo.swept' || at.startsWith('correction') ? 2 : 1
}

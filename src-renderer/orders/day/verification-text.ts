import type { DayVerification, DifferenceKind, ReadBackDifference } from '../../../src-shared/ipc/contract/checkout'
import { moment } from '../../text/moments'
import type { Text } from '../../text/text.svelte'

/** The verification of a day in words, on the screen and on paper. */

/** Its state in one sentence. */
export function titleOf({ state, waitsFor, total, done, asReported, differenceCount }: DayVerification): Text {
  switch (state) {
    case 'none':
      return total === 0 ? { key: 'day.verify.nothing' } : { key: 'day.verify.not-yet' }
    case 'running':
      return { key: 'day.verify.running', values: { done, total } }
    case 'paused':
      return { key: waitsFor === 'person' ? 'day.verify.paused' : 'day.verify.waiting', values: { done, total } }
    case 'finished':
      return differenceCount === 0
        ? { key: 'day.verify.result', values: { asReported, total } }
        : { key: 'day.verify.result.differs', values: { asReported, total, count: differenceCount } }
  }
}

/** Further remarks, one sentence each. */
export function notesOf(view: DayVerification): Text[] {
  const { state, total, waitsFor, asOf, isOutOfDate, notSettled, ownTimes, soldSince } = view
  if (state === 'none') return total === 0 ? [] : [{ key: 'day.verify.means' }]
  if (state === 'paused' && waitsFor !== null) return [{ key: `day.verify.waits.${waitsFor}` }]
  if (state !== 'finished') return []
  return [
    ...(asOf === null ? [] : [{ key: 'day.verify.as-of', values: { at: moment(asOf) } } as const]),
    ...(isOutOfDate ? [{ key: 'day.verify.out-of-date' } as const] : []),
    ...(notSettled > 0 ? [{ key: 'day.verify.not-settled', values: { count: notSettled } } as const] : []),
    ...(ownTimes > 0 ? [{ key: 'day.verify.own-times', values: { count: ownTimes } } as const] : []),
    ...(soldSince > 0 ? [{ key: 'day.verify.sold-since', values: { count: soldSince } } as const] : []),
  ]
}

/** The report about an item that differs. */
export const reportedText = ({ reported, reportedAt }: ReadBackDifference): Text => ({
  key: `day.verify.reported.${reported}`,
  values: { at: moment(reportedAt) },
})

/** What the service shows for it. */
export const shownText = ({ kind, shownSoldAt }: ReadBackDifference): Text => {
  if (kind === 'not-shown') return { key: 'day.verify.shown.nothing' }
  return shownSoldAt === null
    ? { key: 'day.verify.shown.free' }
    : { key: 'day.verify.shown.sold', values: { at: moment(shownSoldAt) } }
}

/** What to do about it. */
export const stepText = (kind: DifferenceKind): Text => ({ key: `day.verify.step.${kind}` })

import { describe, expect, it } from 'vitest'
import {
  type Comparison,
  type Reported,
  type Shown,
  compare,
  isWitness,
  reportedOf,
  tallyOf,
} from '../../../../src-main/day/readback'
import type { Operation } from '../../../../src-main/outbox/operation'
import { order, tag } from '../../../fakes/ids'
import { operationOf } from '../../../fakes/operations'

const moment = (clock: string) => Date.parse(`2026-11-21T${clock}Z`)
/** Times with odd milliseconds, as a real clock gives them. */
const sold = moment('10:00:00.123')
const back = moment('11:00:00.456')
const again = moment('12:00:00.789')

let seq = 0
const report = (
  kind: 'complete' | 'return' | 'void',
  orderId: string,
  at: number,
  { tags = [1], ...change }: Partial<Operation> & { tags?: number[] } = {},
) => {
  const payload = { kind, orderId: order(orderId), tagIds: tags.map(tag) } as const
  return operationOf(payload, { seq: ++seq, state: 'accepted', performedAt: new Date(at).toISOString(), ...change })
}
const reported = (...operations: Operation[]) => reportedOf(tag(1), operations, (one) => Date.parse(one.performedAt))

describe('the last reported state of an item', () => {
  const sale = () => report('complete', 'A', sold)

  it.each<[string, () => Operation[], Partial<Reported> | undefined]>([
    ['sold', () => [sale()], { by: 'complete', orderId: order('A'), at: sold, soldAt: [sold], isSettled: true }],
    ['sold and returned', () => [sale(), report('return', 'A', back)], { by: 'return', at: back, soldAt: [sold] }],
    ['sold and voided', () => [sale(), report('void', 'A', back)], { by: 'void', at: back }],
    ['voided by a void that names no item', () => [sale(), report('void', 'A', back, { tags: [] })], { by: 'void' }],
    [
      'sold, returned and sold again in another order',
      () => [sale(), report('return', 'A', back), report('complete', 'B', again)],
      { by: 'complete', orderId: order('B'), at: again, soldAt: [sold, again] },
    ],
    [
      'sold again, and its first order voided: the void covers the rest of that order',
      () => [sale(), report('return', 'A', back), report('complete', 'B', back + 1), report('void', 'A', again)],
      { by: 'complete', orderId: order('B') },
    ],
    [
      'returned before a void of the rest of its order: still the return',
      () => [sale(), report('return', 'A', back), report('void', 'A', again, { tags: [2] })],
      { by: 'return', at: back },
    ],
    [
      'returned, but sold at another till',
      () => [report('return', 'X', back)],
      { by: 'return', orderId: order('X'), soldAt: [] },
    ],
    ['withdrawn: nothing was reported', () => [report('complete', 'A', sold, { state: 'cancelled' })], undefined],
    ['not sent yet', () => [report('complete', 'A', sold, { state: 'queued' })], undefined],
    [
      'sold, its return not sent yet',
      () => [sale(), report('return', 'A', back, { state: 'queued' })],
      { by: 'complete', isSettled: false },
    ],
    [
      'sold, its void refused',
      () => [sale(), report('void', 'A', back, { state: 'rejected', tags: [] })],
      { by: 'complete', isSettled: false },
    ],
    [
      'sold, its refused return dismissed',
      () => [sale(), report('return', 'A', back, { state: 'cancelled' })],
      { by: 'complete', isSettled: true },
    ],
    [
      'refused, then sold in another order',
      () => [report('complete', 'A', sold, { state: 'rejected' }), report('complete', 'B', again)],
      { by: 'complete', orderId: order('B'), isSettled: true },
    ],
    [
      'sold by an earlier attempt, as the service said',
      () => [report('complete', 'A', sold, { note: 'already-processed' })],
      { by: 'complete', isMomentCertain: false },
    ],
  ])('%s', (_what, operations, expected) => {
    const found = reported(...operations())
    if (expected === undefined) expect(found).toBeUndefined()
    else expect(found).toMatchObject(expected)
  })
})

const base: Reported = {
  seq: 1,
  by: 'complete',
  orderId: order('A'),
  at: sold,
  settledAt: sold + 400,
  soldAt: [sold],
  isMomentCertain: true,
  isSettled: true,
}
const returned: Reported = { ...base, by: 'return', at: back, settledAt: back + 60_000 }
const second = 1_000
const whole = sold - (sold % second)

describe('what the service shows, compared with what was reported', () => {
  it.each<[string, Reported, Shown, Comparison, Comparison]>([
    // Expected: first for a service known to keep our times, then for one where that isn't known.
    ['sold at our time', base, sold, 'as-reported', 'as-reported'],
    ['sold at our time in whole seconds', base, whole, 'as-reported', 'as-reported'],
    ['sold, shown as free', base, 'free', 'not-sold', 'not-sold'],
    ['sold at our time in whole seconds, rounded up', base, whole + second, 'as-reported', 'as-reported'],
    ['sold, shown in minutes, rounded up', base, sold - (sold % 60_000) + 60_000, 'own-time', 'own-time'],
    ['sold, shown by the day', base, sold - (sold % 86_400_000), 'own-time', 'own-time'],
    ['sold, shown at another time', base, sold + second, 'other-time', 'own-time'],
    [
      'sold again, shown at the time of the first sale',
      { ...base, soldAt: [whole, sold] },
      whole - 1,
      'other-time',
      'own-time',
    ],
    ['sold at an uncertain time', { ...base, isMomentCertain: false }, sold + second, 'own-time', 'own-time'],
    ['sold, not shown', base, 'nothing', 'not-shown', 'not-shown'],
    ['returned, shown as free', returned, 'free', 'as-reported', 'as-reported'],
    ['returned, shown at the time of our sale', returned, sold, 'still-sold', 'still-sold'],
    ['returned, shown at the time of our sale in whole seconds', returned, whole, 'still-sold', 'still-sold'],
    ['returned, shown as sold before the return', returned, back - 1, 'still-sold', 'still-sold'],
    ['returned, shown as sold right after the return', returned, back + second, 'sold-since', 'still-sold'],
    ['returned, shown as sold after the service had the return', returned, back + 61_000, 'sold-since', 'sold-since'],
    ['returned, not shown', returned, 'nothing', 'not-shown', 'not-shown'],
    ['voided, shown as free', { ...returned, by: 'void' }, 'free', 'as-reported', 'as-reported'],
    ['voided, shown at the time of our sale', { ...returned, by: 'void' }, sold, 'still-sold', 'still-sold'],
    ['not settled, whatever is shown', { ...base, isSettled: false }, 'free', 'not-settled', 'not-settled'],
  ])('%s', (_what, given, shown, kept, unknown) => {
    expect([compare(given, shown, true), compare(given, shown, false)]).toEqual([kept, unknown])
  })

  it.each<[string, Reported, Shown, boolean]>([
    ['our time to the millisecond', base, sold, true],
    [
      "our time in whole seconds, for a sale reported at once: it may be the time of the service's clock",
      base,
      whole,
      false,
    ],
    [
      'our time in whole seconds, for a sale reported an hour later',
      { ...base, settledAt: sold + 3_600_000 },
      whole,
      true,
    ],
    ['another time', base, sold + 1, false],
    ['our time, for a sale accepted on an earlier attempt', { ...base, isMomentCertain: false }, sold, false],
    ['our time, for a sale with an unsettled return', { ...base, isSettled: false }, sold, false],
    ['the time of a returned sale', returned, sold, false],
    ['an unsold item', base, 'free', false],
  ])("proves, or doesn't, that the service keeps our times: %s", (_what, given, shown, is) => {
    expect(isWitness(given, shown)).toBe(is)
  })

  it('counts another time as a difference only if another item proves that the service keeps our times', () => {
    const other = { reported: base, shown: sold + 5_000 }
    const unread = { reported: null, shown: null }
    const alone = tallyOf([other, unread])
    expect([alone.done, alone.counts['own-time'], alone.differing]).toEqual([1, 1, []])
    const proven = tallyOf([other, unread, { reported: base, shown: sold }])
    expect([proven.done, proven.counts['own-time'], proven.counts['as-reported']]).toEqual([2, 0, 1])
    expect(proven.differing).toEqual([{ item: other, kind: 'other-time', reported: base, shown: sold + 5_000 }])
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type TimeMatch, coarsestUnitOf, isSameSecond, matchOf } from '../../../../src-main/outbox/shown-time'

const ours = Date.parse('2026-11-21T14:00:00.123Z')
const hour = 3_600_000
const rounded = { down: Math.floor, up: Math.ceil, nearest: Math.round }

/** Years in which a till may work. */
const moments = fc.integer({ min: Date.parse('2020-01-01T00:00:00Z'), max: Date.parse('2080-01-01T00:00:00Z') })
const roundings = fc.constantFrom(...Object.values(rounded))
/** In ms; zones differ from UTC by quarters of an hour. */
const zones = fc.integer({ min: -48, max: 56 }).map((quarters) => quarters * 900_000)

describe('a moment that the service shows, compared with ours', () => {
  it.each<[string, string, TimeMatch]>([
    ['the moment', '2026-11-21T14:00:00.123Z', 'same'],
    ['the moment in another zone', '2026-11-21T09:00:00.123-05:00', 'same'],
    ['tenths of a second', '2026-11-21T14:00:00.1Z', 'same-second'],
    ['its second', '2026-11-21T14:00:00Z', 'same-second'],
    ['its second, rounded up', '2026-11-21T14:00:01Z', 'same-second'],
    ['the second after', '2026-11-21T14:00:02Z', 'other'],
    ['the second before', '2026-11-21T13:59:59Z', 'other'],
    ['another fraction of the second', '2026-11-21T14:00:00.124Z', 'other'],
    ['its minute, rounded up', '2026-11-21T14:01:00Z', 'possible'],
    ['the minute after', '2026-11-21T14:02:00Z', 'other'],
    ['its day', '2026-11-21T00:00:00Z', 'possible'],
    ['its day in New York', '2026-11-21T00:00:00-05:00', 'possible'],
    ['its day in Kathmandu', '2026-11-21T00:00:00+05:45', 'possible'],
    ['its day, rounded up', '2026-11-22T00:00:00Z', 'possible'],
    ['the day before', '2026-11-20T00:00:00Z', 'other'],
    ['the day after, rounded up', '2026-11-23T00:00:00Z', 'other'],
  ])('%s', (_, shown, expected) => {
    expect(matchOf(Date.parse(shown), ours)).toBe(expected)
  })

  it('is never contradicted by our own moment, in any unit, rounding and zone', () => {
    const unit = fc.constantFrom(1, 10, 100, 1_000, 60_000, hour, 24 * hour)
    fc.assert(
      fc.property(moments, unit, roundings, zones, (moment, length, round, zone) => {
        const shown = round((moment + zone) / length) * length - zone
        expect(matchOf(shown, moment)).not.toBe('other')
        if (length <= 1_000) expect(isSameSecond(matchOf(shown, moment))).toBe(true)
      }),
    )
  })

  it('is not contradicted by the day on which the clocks are set back, which has 25 hours', () => {
    const begins = Date.parse('2026-11-01T00:00:00-04:00')
    const last = Date.parse('2026-11-01T23:59:59.999-05:00')
    expect(matchOf(begins, last)).toBe('possible')
    expect(matchOf(last + 1, begins + 1)).toBe('possible')
  })

  it('is contradicted by a moment that is further away than its unit', () => {
    const length = { 1: 1, 10: 10, 100: 100, 1_000: 1_000, 60_000: 60_000, 900_000: 25 * hour }
    const shownTimes = fc
      .tuple(moments, fc.constantFrom(1, 10, 100, 1_000, 60_000, 900_000))
      .map(([moment, grid]) => Math.floor(moment / grid) * grid)
    const further = fc.integer({ min: 0, max: 1_000 * hour })
    fc.assert(
      fc.property(shownTimes, further, fc.constantFrom(1, -1), (shown, more, sign) => {
        const unit = Object.entries(length).findLast(([grid]) => shown % Number(grid) === 0)?.[1] ?? 1
        expect(matchOf(shown, shown + sign * (unit + more))).toBe('other')
      }),
    )
  })

  it('takes no unit that is coarser than the one the service is known to write', () => {
    const day = Date.parse('2026-11-21T00:00:00Z')
    expect(matchOf(day, ours, coarsestUnitOf(ours))).toBe('other')
    expect(matchOf(day, ours, coarsestUnitOf(Date.parse('2026-11-21T13:07:00Z')))).toBe('other')
    expect(matchOf(day, ours, coarsestUnitOf(Date.parse('2026-11-21T13:15:00Z')))).toBe('possible')
  })

  it.each([
    ['2026-11-21T14:00:00.123Z', 1],
    ['2026-11-21T14:00:00.120Z', 10],
    ['2026-11-21T14:00:01Z', 1_000],
    ['2026-11-21T14:01:00Z', 60_000],
    ['2026-11-21T14:15:00Z', 900_000],
  ])('a service that shows %s as it was writes units of %i ms at most', (moment, unit) => {
    expect(coarsestUnitOf(Date.parse(moment))).toBe(unit)
  })
})

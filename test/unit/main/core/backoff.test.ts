import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { createBackoff, pauseAfter, pauseOf } from '../../../../src-main/core/backoff'
import { type HandClock, handClock } from '../../../fakes/clock'

describe('a growing pause', () => {
  it('grows by its factor up to the maximum, with jitter', () => {
    const growth = { first: 2_000, factor: 1.5, longest: 10_000, jitter: 0.5 }
    expect([0, 1, 2, 3, 4, 1_000_000].map((faults) => pauseOf(growth, faults, () => 1))).toEqual([
      2_000, 3_000, 4_500, 6_750, 10_000, 10_000,
    ])
    expect(pauseOf(growth, 9, () => 0)).toBe(5_000)
  })
})

describe('the pace of an endpoint', () => {
  let clock: HandClock
  beforeEach(() => {
    clock = handClock()
  })
  /** How long the pace rests from now, rounded to tenths of a second. */
  const restOf = (pace: ReturnType<typeof createBackoff>) => {
    let ms = 0
    for (; pace.isResting() && ms < 10_000_000; ms += 100) clock.advance(100)
    return ms
  }
  const start = () => createBackoff(clock, () => 0.999_999)

  it('rests twice as long after each fault, up to a minute, and not at all once cleared', () => {
    const pace = start()
    const rests = Array.from({ length: 8 }, () => {
      pace.failed(null)
      return restOf(pace)
    })
    expect(rests).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000])
    pace.failed(null)
    pace.clear()
    expect(pace.isResting()).toBe(false)
    pace.failed(null)
    expect(restOf(pace)).toBe(1_000)
  })

  it('rests as long as Retry-After says if that is longer, at most an hour', () => {
    const pace = start()
    pace.failed(30_000)
    expect(restOf(pace)).toBe(30_000)
    pace.failed(0)
    expect(restOf(pace)).toBe(2_000)
    pace.failed(100_000_000)
    expect(restOf(pace)).toBe(3_600_000)
  })

  it('never rests longer than its maximum', () => {
    const pace = start()
    for (let fault = 0; fault < 9; fault++) pace.failed(null, 10_000)
    expect(restOf(pace)).toBe(10_000)
  })

  it('stops resting when the clock is set back by a day', () => {
    const pace = start()
    pace.rest(300_000)
    expect(pace.isResting()).toBe(true)
    clock.advance(-86_400_000)
    expect(pace.isResting()).toBe(false)
  })
})

describe('pause before the next attempt', () => {
  it('doubles from 1 s to 60 s with full jitter, without a limit on attempts', () => {
    const highest = () => 0.999_999
    expect([0, 1, 2, 3, 6, 50, 100_000].map((faults) => pauseAfter(faults, null, highest))).toEqual([
      1_000, 2_000, 4_000, 8_000, 60_000, 60_000, 60_000,
    ])
    expect(pauseAfter(6, null, () => 0.5)).toBe(30_000)
  })

  it('obeys Retry-After, and never asks without a pause', () => {
    expect(pauseAfter(0, 7_000, () => 0)).toBe(7_000)
    expect(pauseAfter(0, 0, () => 0)).toBe(250)
    expect(pauseAfter(0, null, () => 0)).toBe(250)
  })

  it('is between 250 ms and a minute, or as long as the service asked', () => {
    const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
    fc.assert(
      fc.property(fc.nat(), fc.option(fc.nat(3_600_000)), random, (faults, afterMs, chance) => {
        const pause = pauseAfter(faults, afterMs, () => chance)
        expect(pause).toBeGreaterThanOrEqual(Math.max(250, afterMs ?? 0))
        expect(pause).toBeLessThanOrEqual(Math.max(60_000, afterMs ?? 0))
      }),
    )
  })
})

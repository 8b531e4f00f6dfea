import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { pauseAfter } from '../../../../src-main/backoff'

describe('pause before the next attempt', () => {
  it('doubles from 1 s to 60 s, with full jitter, and never counts up to giving up', () => {
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

  it('is between a quarter of a second and a minute, or as long as it was asked to be', () => {
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

import { describe, expect, it } from 'vitest'
import type { Outcome } from '../../../../src-main/outbox/operation'
import { createPace } from '../../../../src-main/outbox/pace'
import { handClock } from '../../../fakes/clock'
import { accepted, retry } from './desk'

const hour = 3_600_000
const failing: Outcome = { kind: 'unknown', reason: { code: 'service/failing', status: 500 }, afterMs: null }
const busy = (afterMs: number | null = null): Outcome => ({
  kind: 'unknown',
  reason: { code: 'service/busy' },
  afterMs,
})

describe('the pace of the outbox', () => {
  /** `random` 0.5: the gaps are neither shortened nor lengthened. */
  const start = (random = 0.5) => {
    const clock = handClock()
    const pace = createPace(clock, () => random)
    const send = (outcome: Outcome) => {
      clock.advance(Math.max(pace.nextAt() - clock.now(), 0))
      pace.claimed()
      pace.note(outcome)
    }
    const gap = () => Math.max(pace.nextAt() - clock.now(), 0)
    const secondsFor = (reports: number, outcomeOf: (n: number) => Outcome = () => accepted) => {
      const began = clock.now()
      for (let n = 0; n < reports; n++) send(outcomeOf(n))
      return (clock.now() - began) / 1_000
    }
    return { clock, pace, send, gap, secondsFor }
  }

  it('sends without pauses while there is no trouble', () => {
    const { pace, secondsFor } = start()
    expect([pace.isFree(), pace.isDue()]).toEqual([true, true])
    expect(secondsFor(100)).toBe(0)
  })

  it.each([
    ["a day's sales after an hour", 120, hour, 240, 600],
    ['more after longer', 1_000, 10 * hour, 240, 600],
    ['a short queue', 6, hour, 15, 30],
    ['a short outage', 120, 60_000, 6, 30],
    ['a moment', 120, 2_500, 0, 30],
  ])('spreads what waited, and not for longer than it must: %s', (_, reports, outage, atLeast, atMost) => {
    const { pace, secondsFor } = start()
    pace.begin(reports, outage)
    const seconds = secondsFor(reports)
    expect(seconds).toBeGreaterThanOrEqual(atLeast)
    expect(seconds).toBeLessThanOrEqual(atMost)
    pace.drained()
    expect(pace.isFree()).toBe(true)
  })

  it('begins at another moment at each station', () => {
    const moments = [0, 0.25, 0.75].map((random) => {
      const { pace, gap } = start(random)
      pace.begin(120, hour)
      return gap()
    })
    expect(new Set(moments).size).toBe(3)
  })

  it('reckons with attempts that fail', () => {
    const { pace, secondsFor } = start()
    pace.begin(120, hour)
    // Half of the attempts fail, so that it takes 240.
    expect(secondsFor(240, (n) => (n % 2 === 0 ? accepted : retry))).toBeLessThan(720)
  })

  it.each([
    ['failures, as slowly as those that succeed', failing, 3_000],
    ['attempts without an answer, at most three times as fast', retry, 1_000],
  ])('sends on after %s', (_, outcome, slowest) => {
    const { pace, send, gap } = start()
    pace.begin(120, hour)
    for (let n = 0; n < 60; n++) send(outcome)
    pace.claimed()
    expect(gap()).toBeGreaterThan(slowest * 0.4)
    expect(gap()).toBeLessThan(4_000)
  })

  it('takes recoveries after which no report was settled for the same outage', () => {
    const { clock, pace, gap, secondsFor } = start()
    pace.begin(120, hour)
    const gaps = Array.from({ length: 60 }, () => {
      clock.advance(20_000)
      pace.begin(120, 5_000)
      pace.claimed()
      return gap()
    })
    expect(Math.min(...gaps)).toBeGreaterThan(3_000)
    // A report is settled, and the next outage is one of five seconds.
    pace.note(accepted)
    pace.drained()
    clock.advance(60_000)
    pace.begin(120, 5_000)
    expect(secondsFor(120)).toBeLessThan(5)
  })

  it("has no pace after an outage that wasn't the service's", () => {
    const { pace } = start()
    pace.begin(120, 0)
    expect(pace.isFree()).toBe(true)
  })

  it('is free a minute after the last "too many requests", without any report', () => {
    const { clock, pace } = start()
    for (let n = 0; n < 3; n++) {
      pace.note(busy())
      clock.advance(59_000)
      expect(pace.isFree()).toBe(false)
    }
    clock.advance(1_000)
    expect([pace.isFree(), pace.isDraining()]).toEqual([true, false])
  })

  it('ends although one report is never answered', () => {
    const { clock, pace, secondsFor } = start()
    pace.begin(2, hour)
    expect(secondsFor(100, () => retry)).toBeGreaterThan(60)
    expect(pace.isFree()).toBe(false)
    clock.advance(900_000)
    expect([pace.isFree(), pace.isDraining()]).toEqual([true, false])
  })

  it('keeps its time when the service is lost for a moment', () => {
    const { pace, gap, send } = start()
    pace.begin(120, hour)
    send(accepted)
    const before = gap()
    pace.begin(119, 3_000)
    expect(gap()).toBe(before)
    expect(pace.isFree()).toBe(false)
  })

  it('halves its speed at each "too many requests", and returns to full speed', () => {
    const { pace, send, gap, secondsFor } = start()
    const gaps = [1, 2, 3, 4, 5].map(() => {
      send(busy())
      pace.claimed()
      return gap()
    })
    expect(gaps).toEqual([500, 1_000, 2_000, 2_000, 2_000])
    expect(secondsFor(20)).toBeLessThan(30)
    expect(pace.isFree()).toBe(true)
  })

  it('waits at least as long as the service asks, and stations told the same moment come one after the other', () => {
    const pauses = [0, 0.5, 0.999].map((random) => {
      const { send, gap } = start(random)
      send(busy(10_000))
      return gap()
    })
    expect(pauses).toEqual([10_000, 12_500, 14_995])
  })

  it.each([-86_400_000, 86_400_000])("isn't held up by a clock that jumps by %i ms", (jump) => {
    const { clock, pace } = start()
    pace.begin(120, hour)
    pace.note(busy(60_000))
    expect(pace.isDue()).toBe(false)
    clock.advance(jump)
    expect(pace.isDue()).toBe(true)
  })

  it('lets a person send everything now', () => {
    const { pace } = start()
    pace.begin(120, hour)
    pace.note(busy(60_000))
    pace.reset()
    expect([pace.isFree(), pace.isDue(), pace.nextAt()]).toEqual([true, true, 0])
  })
})

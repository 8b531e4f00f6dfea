import { describe, expect, it } from 'vitest'
import type { AppError } from '../../../../src-shared/errors'
import { createCircuitBreaker } from '../../../../src-main/outbox/circuit-breaker'
import { handClock } from '../../../fakes/clock'

const unreachable: AppError = { code: 'service/unreachable' }

describe('the circuit breaker of the outbox', () => {
  const start = () => {
    const clock = handClock()
    return { clock, breaker: createCircuitBreaker(clock, 8, () => 0.999) }
  }

  it('lets all operations through until a fault concerns all of them', () => {
    const { breaker } = start()
    expect(breaker.lanes()).toBe(8)
    breaker.enter()({ code: 'service/failing', status: 500 })
    breaker.enter()({ code: 'service/failing', status: 500 }, 5_000)
    expect([breaker.lanes(), breaker.nextTrialAt()]).toEqual([8, null])
    breaker.enter()({ code: 'service/busy' })
    expect(breaker.lanes()).toBe(8)
    breaker.enter()({ code: 'service/already-processed', detail: 'no' })
    expect([breaker.lanes(), breaker.nextTrialAt()]).toEqual([8, null])
  })

  it('waits as long as the service asks, at most a minute, and then allows one trial', () => {
    for (const [asked, rests] of [
      [5_000, 5_000],
      [600_000, 60_000],
    ] as const) {
      const { clock, breaker } = start()
      breaker.enter()({ code: 'service/busy' }, asked)
      expect(breaker.nextTrialAt()).toBe(clock.now() + rests)
      clock.advance(rests)
      expect(breaker.lanes()).toBe(1)
      breaker.enter()(null)
      expect(breaker.lanes()).toBe(8)
    }
  })

  it('ignores faults of a single operation', () => {
    const { clock, breaker } = start()
    breaker.enter()('of-one')
    expect(breaker.lanes()).toBe(8)
    breaker.enter()(unreachable)
    breaker.enter()('of-one')
    expect(breaker.lanes()).toBe(0)
    clock.advance((breaker.nextTrialAt() ?? 0) - clock.now())
    breaker.enter()('of-one')
    expect(breaker.lanes()).toBe(1)
  })

  it('blocks all operations after a fault, then allows one trial, then all once the trial is answered', () => {
    const { clock, breaker } = start()
    breaker.enter()(unreachable)
    expect(breaker.lanes()).toBe(0)
    clock.advance((breaker.nextTrialAt() ?? 0) - clock.now())
    expect([breaker.lanes(), breaker.nextTrialAt()]).toEqual([1, null])
    breaker.enter()(null)
    expect(breaker.lanes()).toBe(8)
  })

  it('counts eight lanes that fail together as one fault, and stays open for at most a minute', () => {
    const { clock, breaker } = start()
    const pauses: number[] = []
    for (let round = 0; round < 9; round++) {
      for (let lane = 0; lane < 8; lane++) breaker.enter()(unreachable)
      pauses.push((breaker.nextTrialAt() ?? 0) - clock.now())
      clock.advance(pauses.at(-1) ?? 0)
    }
    expect(pauses).toEqual([999, 1_998, 3_996, 7_992, 15_984, 31_968, 59_940, 59_940, 59_940])
  })

  it('is closed by a reset, and starts again with the shortest pause', () => {
    const { clock, breaker } = start()
    for (let round = 0; round < 5; round++) {
      breaker.enter()({ code: 'service/credentials-refused' })
      clock.advance(60_000)
    }
    breaker.reset()
    expect(breaker.lanes()).toBe(8)
    breaker.enter()(unreachable)
    expect((breaker.nextTrialAt() ?? 0) - clock.now()).toBe(999)
  })

  it('allows a trial when readings are answered, with longer pauses if the trial fails', () => {
    const { clock, breaker } = start()
    for (const pause of [999, 1_998, 3_996]) {
      breaker.enter()(unreachable)
      expect((breaker.nextTrialAt() ?? 0) - clock.now()).toBe(pause)
      breaker.allowTrial()
      expect([breaker.lanes(), breaker.nextTrialAt()]).toEqual([1, null])
    }
    breaker.enter()(null)
    expect(breaker.lanes()).toBe(8)
  })

  it.each([-86_400_000, 86_400_000])("doesn't stay open because the clock jumps by %i ms", (jump) => {
    const { clock, breaker } = start()
    breaker.enter()(unreachable)
    clock.advance(jump)
    expect(breaker.lanes()).toBe(1)
  })

  it('attributes a fault to its operation if another one was answered meanwhile', () => {
    const { breaker } = start()
    const stalled = breaker.enter()
    breaker.enter()(null)
    stalled(unreachable)
    expect(breaker.lanes()).toBe(8)
  })
})

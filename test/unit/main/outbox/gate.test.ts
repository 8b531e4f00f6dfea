import { describe, expect, it } from 'vitest'
import type { AppError } from '../../../../src-shared/errors'
import { createGate } from '../../../../src-main/outbox/gate'
import { handClock } from '../../../fakes/clock'

const unreachable: AppError = { code: 'service/unreachable' }

describe('the gate of the outbox', () => {
  const start = () => {
    const clock = handClock()
    return { clock, gate: createGate({ clock, lanes: 8, random: () => 0.999 }) }
  }

  it('is open until something fails for everybody', () => {
    const { gate } = start()
    expect(gate.lanes()).toBe(8)
    gate.enter()({ code: 'service/failing', status: 500 })
    gate.enter()({ code: 'service/busy' })
    gate.enter()({ code: 'service/already-processed', detail: 'no' })
    expect([gate.lanes(), gate.opensAt()]).toEqual([8, null])
  })

  it('rests as long as the service asks, at most a minute, and lets one find out then', () => {
    for (const [asked, rests] of [
      [5_000, 5_000],
      [600_000, 60_000],
    ] as const) {
      const { clock, gate } = start()
      gate.enter()({ code: 'service/busy' }, asked)
      expect(gate.opensAt()).toBe(clock.now() + rests)
      clock.advance(rests)
      expect(gate.lanes()).toBe(1)
      gate.enter()(null)
      expect(gate.lanes()).toBe(8)
    }
  })

  it('neither shuts nor opens for the trouble of one', () => {
    const { clock, gate } = start()
    gate.enter()('of-one')
    expect(gate.lanes()).toBe(8)
    gate.enter()(unreachable)
    gate.enter()('of-one')
    expect(gate.lanes()).toBe(0)
    clock.advance((gate.opensAt() ?? 0) - clock.now())
    gate.enter()('of-one')
    expect(gate.lanes()).toBe(1)
  })

  it('lets nobody through after a fault, then one, then everybody once that one was answered', () => {
    const { clock, gate } = start()
    gate.enter()(unreachable)
    expect(gate.lanes()).toBe(0)
    clock.advance((gate.opensAt() ?? 0) - clock.now())
    expect([gate.lanes(), gate.opensAt()]).toEqual([1, null])
    gate.enter()(null)
    expect(gate.lanes()).toBe(8)
  })

  it('counts eight lanes that fail together as one fault, and stays shut no longer than a minute', () => {
    const { clock, gate } = start()
    const pauses: number[] = []
    for (let round = 0; round < 9; round++) {
      for (let lane = 0; lane < 8; lane++) gate.enter()(unreachable)
      pauses.push((gate.opensAt() ?? 0) - clock.now())
      clock.advance(pauses.at(-1) ?? 0)
    }
    expect(pauses).toEqual([999, 1_998, 3_996, 7_992, 15_984, 31_968, 59_940, 59_940, 59_940])
  })

  it('is opened by whoever knows better, and starts anew', () => {
    const { clock, gate } = start()
    for (let round = 0; round < 5; round++) {
      gate.enter()({ code: 'service/credentials-refused' })
      clock.advance(60_000)
    }
    gate.open()
    expect(gate.lanes()).toBe(8)
    gate.enter()(unreachable)
    expect((gate.opensAt() ?? 0) - clock.now()).toBe(999)
  })

  it('lets one find out when readings are answered, and keeps its pauses growing when that one fails', () => {
    const { clock, gate } = start()
    for (const pause of [999, 1_998, 3_996]) {
      gate.enter()(unreachable)
      expect((gate.opensAt() ?? 0) - clock.now()).toBe(pause)
      gate.findOut()
      expect([gate.lanes(), gate.opensAt()]).toEqual([1, null])
    }
    gate.enter()(null)
    expect(gate.lanes()).toBe(8)
  })

  it.each([-86_400_000, 86_400_000])('is not kept shut by a clock that jumps by %i ms', (jump) => {
    const { clock, gate } = start()
    gate.enter()(unreachable)
    clock.advance(jump)
    expect(gate.lanes()).toBe(1)
  })

  it("takes a fault for one operation's own when another was answered meanwhile", () => {
    const { gate } = start()
    const stalled = gate.enter()
    gate.enter()(null)
    stalled(unreachable)
    expect(gate.lanes()).toBe(8)
  })
})

import { describe, expect, it } from 'vitest'
import { createWatch } from '../../../src-main/app/status'
import { handClock } from '../../fakes/clock'

describe('the watch', () => {
  const warningsOf = ({ onWire = null as number | null, lackingFor = null as number | null, isWrong = false }) => {
    const clock = handClock()
    return createWatch({
      sender: { longestOnWireMs: () => onWire },
      tokens: { lackingSince: () => (lackingFor === null ? null : clock.now() - lackingFor) },
      serviceClock: { isWrong: () => isWrong, offset: () => 0 },
      clock,
    })()
  }

  it.each([
    [{}, []],
    [{ onWire: 30_000 }, []],
    [{ onWire: 30_001 }, ['report-slow']],
    [{ onWire: 120_000 }, ['report-slow']],
    [{ onWire: 120_001 }, ['sending-stuck']],
    [{ lackingFor: 30_000 }, []],
    [{ lackingFor: 30_001 }, ['no-token']],
    [{ isWrong: true }, ['service-clock-wrong']],
    [{ onWire: 40_000, lackingFor: 40_000, isWrong: true }, ['report-slow', 'no-token', 'service-clock-wrong']],
  ])('warns for %j: %j', (state, warnings) => {
    expect(warningsOf(state)).toEqual(warnings)
  })
})

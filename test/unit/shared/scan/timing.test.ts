import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Pace,
  WedgeSettings,
  WedgeTiming,
  adapt,
  defaultSettings,
  tuneTo,
} from '../../../../src-shared/scan/timing'
import { createWedge } from '../../../../src-shared/scan/wedge'
import { play, steadily } from '../../../fakes/key-traces/play'

const { timing } = defaultSettings
const pace = (slowestGap: number, fields: Partial<Pace> = {}): Pace => ({
  characters: 42,
  medianGap: slowestGap,
  slowestGap,
  slowestTouch: 5,
  ...fields,
})
const after = (count: number, one: Pace, from = timing) => {
  let learnt = from
  for (let scan = 0; scan < count; scan++) learnt = adapt(learnt, one)
  return learnt
}

describe('the timing of a station', () => {
  it('has a value for everything, and bounds', () => {
    expect(WedgeSettings.parse({})).toEqual(defaultSettings)
    expect(WedgeTiming.safeParse({ longestGap: 10 }).success).toBe(false)
    expect(WedgeTiming.safeParse({ surelyFast: 80 }).success).toBe(false)
    expect(WedgeSettings.safeParse({ reading: 'klingon' }).success).toBe(false)
  })

  it('gives a slow device room at once', () => {
    expect(adapt(timing, pace(170)).longestGap).toBe(370)
    expect(adapt(timing, pace(400)).longestGap).toBe(400)
  })

  it('closes in on a fast one bit by bit, and never so far that a busy machine tears a scan apart', () => {
    const once = adapt(timing, pace(6))
    expect(once.longestGap).toBeLessThan(timing.longestGap)
    expect(once.longestGap).toBeGreaterThan(150)
    expect(after(100, pace(6))).toMatchObject({ longestGap: 90, surelyFast: 20 })
  })

  it('opens again when a slow device takes the place of a fast one', () => {
    expect(after(1, pace(80), after(100, pace(6)))).toMatchObject({ longestGap: 190, surelyFast: 40 })
  })

  it('learns nothing from a scan that is too short to tell', () => {
    expect(adapt(timing, pace(6, { characters: 4 }))).toBe(timing)
  })

  it('stays within its bounds, whatever it is told', () => {
    const paces = fc.record({
      characters: fc.nat(600),
      medianGap: fc.double({ min: 0, max: 5_000, noNaN: true }),
      slowestGap: fc.double({ min: 0, max: 5_000, noNaN: true }),
      slowestTouch: fc.option(fc.double({ min: 0, max: 5_000, noNaN: true })),
    })
    fc.assert(
      fc.property(fc.array(paces, { maxLength: 30 }), paces, (scans, trial) => {
        const learnt = scans.reduce(adapt, timing)
        expect(WedgeTiming.parse(learnt)).toEqual(learnt)
        expect(learnt.surelyFast).toBeLessThanOrEqual(40)
        expect(WedgeTiming.safeParse(tuneTo(learnt, trial)).success).toBe(true)
      }),
    )
  })

  it('tuned to a device that was not understood makes it understood', () => {
    const events = steadily('10482-7\n', { gap: 210, held: 38 })
    expect(play(createWedge(), events).scans).toEqual([])
    const trial = createWedge(WedgeSettings.parse({ timing: { longestGap: 500 } }), undefined, { isTrial: true })
    const [measured] = play(trial, events).scans
    const tuned = tuneTo(timing, measured?.pace ?? pace(0))
    expect(play(createWedge({ ...defaultSettings, timing: tuned }), events).scans).toMatchObject([{ text: '10482-7' }])
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type KeyTiming,
  WedgeSettings,
  WedgeTiming,
  adapt,
  defaultSettings,
  tuneTo,
} from '../../../../src-shared/scan/timing'
import { Wedge } from '../../../../src-shared/scan/wedge'
import { play, steadily } from '../../../fakes/key-traces/play'

const { timing } = defaultSettings
const pace = (slowestGap: number, fields: Partial<KeyTiming> = {}): KeyTiming => ({
  characters: 42,
  medianGap: slowestGap,
  slowestGap,
  medianTouch: 4,
  slowestTouch: 5,
  ...fields,
})
const after = (count: number, one: KeyTiming, from = timing) => {
  let learnt = from
  for (let scan = 0; scan < count; scan++) learnt = adapt(learnt, one)
  return learnt
}

describe('the timing of a station', () => {
  it('has a default for every value, and bounds', () => {
    expect(WedgeSettings.parse({})).toEqual(defaultSettings)
    expect(WedgeTiming.safeParse({ longestGap: 10 }).success).toBe(false)
    expect(WedgeTiming.safeParse({ device: { gap: -1, touch: 5 } }).success).toBe(false)
    expect(WedgeSettings.safeParse({ reading: 'klingon' }).success).toBe(false)
  })

  it('allows a slow device more time at once', () => {
    expect(adapt(timing, pace(170)).longestGap).toBe(370)
    expect(adapt(timing, pace(400)).longestGap).toBe(400)
  })

  it('never shortens the allowed time, since the next scan may come from a slower device', () => {
    expect(after(100, pace(6))).toEqual(timing)
    expect(after(100, pace(6), adapt(timing, pace(120)))).toEqual({ ...timing, longestGap: 270 })
    const tuned = tuneTo(timing, pace(150, { medianGap: 110, medianTouch: 55, slowestTouch: 60 }))
    expect(tuned).toEqual({ longestGap: 330, device: { gap: 110, touch: 55 } })
    expect(after(100, pace(6), tuned)).toEqual(tuned)
  })

  it('reads slow scanners completely after hundreds of fast scans', () => {
    const url = 'https://tag.example/VaVSFGDiox2pHf8GmQmTfG'
    const settings = { ...defaultSettings, timing: after(300, pace(13, { medianGap: 10 })) }
    for (const gap of [45, 80, 110, 190]) {
      expect(play(new Wedge(settings), steadily(`${url}\n`, { gap, held: 15 })).scans).toMatchObject([{ text: url }])
    }
  })

  it('resets what an earlier version learned, and keeps the other settings', () => {
    const kept = { prefix: '~', timing: { longestGap: 90, surelyFast: 20, fingerTouch: 75, fewestCharacters: 4 } }
    expect(WedgeSettings.parse(kept)).toEqual({ ...defaultSettings, prefix: '~' })
  })

  it('learns nothing from a scan that is too short', () => {
    expect(adapt(timing, pace(6, { characters: 4 }))).toBe(timing)
  })

  it('stays within its bounds, whatever it learns', () => {
    const paces = fc.record({
      characters: fc.nat(600),
      medianGap: fc.double({ min: 0, max: 900, noNaN: true }),
      slowestGap: fc.double({ min: 0, max: 5_000, noNaN: true }),
      medianTouch: fc.option(fc.double({ min: 0, max: 900, noNaN: true })),
      slowestTouch: fc.option(fc.double({ min: 0, max: 5_000, noNaN: true })),
    })
    fc.assert(
      fc.property(fc.array(paces, { maxLength: 30 }), paces, (scans, trial) => {
        const learnt = scans.reduce(adapt, timing)
        expect(WedgeTiming.parse(learnt)).toEqual(learnt)
        expect(learnt.longestGap).toBeGreaterThanOrEqual(timing.longestGap)
        const tuned = tuneTo(learnt, trial)
        expect(WedgeTiming.parse(tuned)).toEqual(tuned)
        expect(tuned.longestGap).toBeGreaterThanOrEqual(learnt.longestGap)
      }),
    )
  })

  it('recognizes a device after tuning that it did not recognize before', () => {
    const events = steadily('10482-7\n', { gap: 210, held: 38 })
    expect(play(new Wedge(), events).scans).toEqual([])
    const trial = new Wedge(WedgeSettings.parse({ timing: { longestGap: 500 } }), undefined, { isTrial: true })
    const [measured] = play(trial, events).scans
    const tuned = tuneTo(timing, measured?.timing ?? pace(0))
    expect(play(new Wedge({ ...defaultSettings, timing: tuned }), events).scans).toMatchObject([{ text: '10482-7' }])
  })

  it('tuned to a scanner ignores typing at the same average speed, and still requires 6 characters', () => {
    const tuned = { ...defaultSettings, timing: tuneTo(timing, pace(100, { characters: 4, medianTouch: 50 })) }
    expect(tuned.timing.device).toEqual({ gap: 100, touch: 50 })
    const scans = (text: string) => play(new Wedge(tuned), steadily(text, { gap: 100, held: 50 })).scans
    expect(scans('104827\n')).toMatchObject([{ text: '104827' }])
    expect(scans('10482\n')).toEqual([])
    const byHand = steadily('104827\n', { gap: 100, held: 50 }).map((event, index) => ({
      ...event,
      at: event.at + ((index * 37) % 40),
    }))
    expect(play(new Wedge(tuned), byHand).scans).toEqual([])
  })

  it('is not tuned to a scan that it already recognizes, or to the same scanner again', () => {
    expect(tuneTo(timing, pace(12))).toEqual(timing)
    const tuned = tuneTo(timing, pace(80, { medianTouch: 40, slowestTouch: 50 }))
    expect(tuneTo(tuned, pace(84, { medianTouch: 42, slowestTouch: 50 }))).toEqual(tuned)
    expect(tuneTo(tuned, pace(12))).toEqual(tuned)
  })
})

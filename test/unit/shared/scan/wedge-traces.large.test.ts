import { describe, expect, it } from 'vitest'
import { lost } from '../../../../src-shared/scan/characters'
import { defaultSettings } from '../../../../src-shared/scan/timing'
import { Wedge } from '../../../../src-shared/scan/wedge'
import { type Trace, generateTraces } from '../../../fakes/key-traces'
import { known } from '../../../fakes/key-traces/payloads'
import { play } from '../../../fakes/key-traces/play'
import { stationNames, timingOf } from '../../../fakes/key-traces/stations'

/** Keeps the results that `npm run bench:wedge` shows for this wedge. */
describe.each(stationNames)('the wedge of %s, over thousands of generated traces', (station) => {
  const traces = generateTraces(2_026, 1_960)
  const settings = { ...defaultSettings, timing: timingOf(station) }

  const findIn = (trace: Trace) => {
    const wedge = new Wedge(settings, known)
    const { scans, answers } = play(wedge, trace.events)
    const last = wedge.settle(Number.MAX_SAFE_INTEGER)
    return { texts: [...scans, ...(last ? [last] : [])].map(({ text }) => text), answers }
  }

  it('never reads typing as a scan, and swallows no typed key', () => {
    const typings = traces.filter(({ scans }) => scans.length === 0)
    expect(typings.length).toBe(1_960)
    for (const trace of typings) {
      const { texts, answers } = findIn(trace)
      expect([trace.typing, texts, answers.filter(({ kind }) => kind !== 'pass')]).toEqual([trace.typing, [], []])
    }
  })

  it('gives no wrong text, and misses only a few short unmarked codes of the two slowest scanners', () => {
    const short = new Set(['order with prefix', 'badge', 'product number', 'plain order number'])
    let found = 0
    let expected = 0
    for (const trace of traces.filter(({ scans }) => scans.length > 0)) {
      const all = findIn(trace).texts
      const texts = all.filter((text) => !text.includes(lost))
      // These scans are refused with a message, because some bare ids can be read in two ways under Caps Lock.
      const isDoubtful = trace.capsLock && trace.payload === 'short id' && texts.length < all.length
      const isSlow = trace.device === 'cable, 80 ms' || trace.device === 'Bluetooth, 60-180 ms'
      expect(trace.scans).toEqual(expect.arrayContaining(texts))
      if (!isDoubtful && !(isSlow && short.has(trace.payload ?? '')))
        expect([trace.device, trace.payload, texts]).toEqual([trace.device, trace.payload, trace.scans])
      found += texts.length
      expected += trace.scans.length
    }
    expect(found / expected).toBeGreaterThan(0.98)
  })
})

describe('the generated traces', () => {
  it('are the same every time', () => {
    expect(generateTraces(7, 20)).toEqual(generateTraces(7, 20))
    expect(generateTraces(7, 20)).not.toEqual(generateTraces(8, 20))
  })
})

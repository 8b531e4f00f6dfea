import { describe, expect, it } from 'vitest'
import { defaultSettings } from '../../../../src-shared/scan/timing'
import { createWedge } from '../../../../src-shared/scan/wedge'
import { type Trace, generateTraces } from '../../../fakes/key-traces'
import { known } from '../../../fakes/key-traces/payloads'
import { play } from '../../../fakes/key-traces/play'

/** What `npm run bench:wedge` shows beside others, held fast here for ours. */
describe('the wedge, over thousands of generated traces', () => {
  const traces = generateTraces(2_026, 1_960)

  const findIn = (trace: Trace) => {
    const wedge = createWedge(defaultSettings, known)
    const { scans, answers } = play(wedge, trace.events)
    const last = wedge.settle(Number.MAX_SAFE_INTEGER)
    return { texts: [...scans, ...(last ? [last] : [])].map(({ text }) => text), answers }
  }

  it('takes nothing that a person types for a scan, and keeps no key from them', () => {
    const typings = traces.filter(({ scans }) => scans.length === 0)
    expect(typings.length).toBe(1_960)
    for (const trace of typings) {
      const { texts, answers } = findIn(trace)
      expect([trace.typing, texts, answers.filter(({ kind }) => kind !== 'pass')]).toEqual([trace.typing, [], []])
    }
  })

  it('finds every scan exactly, but for short unmarked codes of a slow scanner that holds its keys as fingers do', () => {
    const short = new Set(['order with prefix', 'badge', 'product number', 'plain order number'])
    const scans = traces.filter(({ scans }) => scans.length > 0)
    let found = 0
    let expected = 0
    for (const trace of scans) {
      const { texts } = findIn(trace)
      const isHard = trace.device === 'cable, 80 ms' && short.has(trace.payload ?? '')
      // Never a wrong text, whatever the device.
      expect(trace.scans).toEqual(expect.arrayContaining(texts))
      if (!isHard) expect([trace.device, trace.payload, texts]).toEqual([trace.device, trace.payload, trace.scans])
      found += texts.length
      expected += trace.scans.length
    }
    expect(found / expected).toBeGreaterThan(0.98)
  })

  it('is fed by the same traces every time', () => {
    expect(generateTraces(7, 20)).toEqual(generateTraces(7, 20))
    expect(generateTraces(7, 20)).not.toEqual(generateTraces(8, 20))
  })
})

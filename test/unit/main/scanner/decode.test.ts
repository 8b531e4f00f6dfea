import { describe, expect, it } from 'vitest'
import {
  type Decoded,
  type DecodedScan,
  type DecoderState,
  decode,
  idle,
  longestScan,
  staleAfter,
} from '../../../../src-main/scanner/decode'
import { type Layout, fromHex, report, reports } from '../../../fakes/hid-reports'

const layouts: Layout[] = ['common', 'short', 'late', 'no-aim', 'empty-aim', 'late-empty-aim', 'no-id', 'late-no-id']
const url = 'https://tag.example/case/a6YvvLF5tXSydNkLnHDXG5'
/** 140 bytes, so three reports. */
const longCode = `https://tag.example/case/HF%202026%2F0417?${'x'.repeat(98)}`

/** Decodes reports sent 1 ms apart; returns the scans, the troubles and the final state. */
function read(sent: Uint8Array[], from: DecoderState = idle, startAt = 1_000) {
  const steps: Decoded[] = []
  let state = from
  for (const [index, one] of sent.entries()) {
    const step = decode(one, state, startAt + index)
    steps.push(step)
    ;({ state } = step)
  }
  const scans = steps.flatMap(({ scan }): DecodedScan[] => (scan ? [scan] : []))
  return { scans, troubles: steps.flatMap(({ trouble }) => trouble ?? []), state }
}

describe('a decoded scan', () => {
  it.each(layouts)('is read in the layout "%s", from one report or three', (layout) => {
    const symbology = layout === 'no-aim' || layout === 'empty-aim' || layout === 'late-empty-aim' ? null : ']Q1'
    for (const text of ['7', url, 'x'.repeat(56), longCode]) {
      expect(read(reports(text, { layout }))).toEqual({ scans: [{ text, symbology }], troubles: [], state: idle })
    }
    expect(reports(longCode, { layout })).toHaveLength(3)
  })

  it('has reports of the sizes that the makers document', () => {
    for (const layout of ['common', 'late', 'no-aim'] as const) expect(report(url, { layout })).toHaveLength(64)
    expect(report(url, { layout: 'short' })).toHaveLength(62)
    expect(report(url, { layout: 'no-id' })).toHaveLength(63)
  })

  // An EAN-13, recorded from scanners of two makers.
  it.each([
    [
      'Zebra, the AIM id a byte late',
      '020c005d586733303630333032303932323300000000000000000000000000000000000000000000000000000000000000000000000000000000000000006300',
      { text: '306030209223', symbology: ']Xg' },
    ],
    [
      'Honeywell',
      '020c5d45303330363033303230393232330000000000000000000000000000000000000000000000000000000000000000000000000000000000000000634100',
      { text: '306030209223', symbology: ']E0' },
    ],
  ])('matches a recording from %s', (_maker, hex, scan) => {
    expect(read([fromHex(hex)])).toEqual({ scans: [scan], troubles: [], state: idle })
  })

  it.each([
    [']Q1', url],
    [']Q3', '01095040000591011021\u001d3103000123'],
    [']d1', url],
    [']d2', '010950400059101110ABC\u001d2112345'],
    [']C0', '1A4060300020081000006609'],
    [']C1', '01095040005910111021ABC'],
    [']E0', '4006381333931'],
    [']E4', '96385074'],
    [']e0', '0109504000591011'],
    [']J1', '010950400059101110A1\u001d21B2'],
  ])('is read for the symbology %s, with its separators', (aim, text) => {
    for (const layout of ['common', 'late'] as const) {
      expect(read(reports(text, { aim, layout })).scans).toEqual([{ text, symbology: aim }])
    }
  })

  it('can have UTF-8 characters split between two reports', () => {
    for (const start of ['x'.repeat(55), 'x'.repeat(54), 'x'.repeat(53)]) {
      const text = `${start}🌿 Ñandú`
      expect(read(reports(text)).scans).toEqual([{ text, symbology: ']Q1' }])
    }
  })

  it("can be Latin-1, if it isn't valid UTF-8", () => {
    const latin = fromHex('4361f161e7')
    expect(read(reports(latin)).scans).toEqual([{ text: 'Cañaç', symbology: ']Q1' }])
  })

  it('keeps the characters that the scanner is configured to add', () => {
    expect(read([report('10482\r\n')]).scans).toEqual([{ text: '10482\r\n', symbology: ']Q1' }])
    // The AIM id is in the data too, or only there.
    expect(read([report(']Q110482')]).scans).toEqual([{ text: ']Q110482', symbology: ']Q1' }])
    expect(read(reports(`]C0${longCode}`, { layout: 'no-aim' })).scans).toEqual([{ text: longCode, symbology: ']C0' }])
  })

  it('contains nothing of the scan before', () => {
    const { scans } = read([...reports(longCode), ...reports('7'), ...reports(longCode), ...reports(url)])
    expect(scans.map(({ text }) => text)).toEqual([longCode, '7', longCode, url])
  })

  it('can end with an empty report', () => {
    const [full = new Uint8Array()] = reports('x'.repeat(56))
    full[63] = 1
    expect(read([full, report('')]).scans).toEqual([{ text: 'x'.repeat(56), symbology: ']Q1' }])
  })
})

describe('a report without a valid code', () => {
  it.each([
    ['an empty one', []],
    ['one byte', [2]],
    ['an AIM id and nothing else', [2, 1, 0x5d, 0x51, 0x31]],
    ['the battery of a cordless scanner', [6, 80, 0, 0, 0, 0, 0, 0]],
    ['key strokes', [0, 0, 0x1e, 0, 0, 0, 0, 0]],
  ])('%s: is ignored, also within a scan', (_what, bytes) => {
    const [first, second, third] = reports(longCode)
    const other = Uint8Array.from(bytes)
    expect(read([other])).toEqual({ scans: [], troubles: [], state: idle })
    if (!first || !second || !third) throw new Error('three reports')
    expect(read([first, other, second, third]).scans).toEqual([{ text: longCode, symbology: ']Q1' }])
  })

  it.each(layouts)('with a length that exceeds the report, in the layout "%s": is unreadable', (layout) => {
    for (const length of [62, 64, 200, 255]) {
      expect(read([report(url, { layout, length })])).toMatchObject({ scans: [], troubles: ['scanner/unreadable'] })
    }
  })

  it('with a length of zero: is ignored', () => {
    expect(read([report(url, { length: 0 })])).toEqual({ scans: [], troubles: [], state: idle })
    expect(read([report(url, { layout: 'late', length: 0 })])).toEqual({ scans: [], troubles: [], state: idle })
  })

  it('an unreadable report within a scan: drops the whole scan, but not the next one', () => {
    const [first, , third] = reports(longCode)
    if (!first || !third) throw new Error('three reports')
    const broken = report(url, { length: 99, isContinued: true })
    const { scans, troubles } = read([first, broken, third, report('7')])
    expect(scans.map(({ text }) => text)).toEqual(['7'])
    // Reported again for the last dropped report, which could have been a separate scan.
    expect(troubles).toEqual(['scanner/unreadable', 'scanner/unreadable'])
  })

  it('an unreadable last or single report: never drops the next scan', () => {
    const [first] = reports(longCode)
    if (!first) throw new Error('a report')
    for (const before of [[], [first], [first, report(url, { length: 99, isContinued: true })]]) {
      const { scans, troubles, state } = read([...before, report(url, { length: 99 }), report('7')])
      expect([scans.map(({ text }) => text), state]).toEqual([['7'], idle])
      expect(troubles.at(-1)).toBe('scanner/unreadable')
    }
  })

  it.each([
    [0, [], ['scanner/unreadable', 'scanner/unreadable']],
    [staleAfter, [], ['scanner/unreadable', 'scanner/unreadable']],
    [staleAfter + 1, ['7'], ['scanner/unreadable']],
    [900, ['7'], ['scanner/unreadable']],
  ])(
    'an unreadable report marked as continued, %i ms before a scan: never drops the scan silently',
    (ms, texts, said) => {
      const broken = read([report(url, { length: 99, isContinued: true })])
      const next = read([report('7')], broken.state, 1_000 + ms)
      expect(next.scans.map(({ text }) => text)).toEqual(texts)
      expect([...broken.troubles, ...next.troubles]).toEqual(said)
    },
  )

  it('noise: 10,000 reports of 0 to 130 random bytes, then 10,000 that look like scans, never throw or accumulate', () => {
    const random = seeded(20_261_121)
    let state: DecoderState = idle
    let unreadable = 0
    for (let count = 0; count < 20_000; count++) {
      const noise = Uint8Array.from({ length: Math.floor(random() * 130) }, () => Math.floor(random() * 256))
      if (count >= 10_000) noise.set([2, Math.floor(random() * 80), 0x5d, 0x51, 0x31].slice(0, noise.length))
      const step = decode(noise, state, count)
      ;({ state } = step)
      if (step.trouble === 'scanner/unreadable') unreadable++
      expect(state.kind === 'joining' ? state.bytes.length : 0).toBeLessThanOrEqual(longestScan)
      expect(step.scan?.text.length ?? 1).toBeGreaterThan(0)
    }
    expect(unreadable).toBeGreaterThan(100)
  })
})

describe('a scan without an end', () => {
  const more = report('x'.repeat(56), { isContinued: true })

  it('is dropped at the limit, reported once, and skipped to its end', () => {
    const endless = Array.from({ length: 1_000 }, () => more)
    const { scans, troubles, state } = read(endless)
    expect({ scans, troubles }).toEqual({ scans: [], troubles: ['scanner/scan-too-long'] })
    expect(state).toEqual({ kind: 'skipping', trouble: 'scanner/scan-too-long', at: 1_999 })
    expect(read([report('end'), report('7')], state, 2_000).scans).toEqual([{ text: '7', symbology: ']Q1' }])
  })

  it('can be as long as the limit', () => {
    const text = '1'.repeat(longestScan)
    expect(read(reports(text)).scans).toEqual([{ text, symbology: ']Q1' }])
    expect(read(reports(`${text}1`))).toEqual({ scans: [], troubles: ['scanner/scan-too-long'], state: idle })
  })

  it('is dropped before a person can scan again, but only after its rest had time to arrive', () => {
    const { state } = decode(more, idle, 5_000)
    const inTime = decode(report('7'), state, 5_000 + staleAfter)
    expect(inTime).toMatchObject({ scan: { text: `${'x'.repeat(56)}7` }, trouble: null })
    const late = decode(report('7'), state, 5_000 + staleAfter + 1)
    expect(late).toEqual({ state: idle, scan: { text: '7', symbology: ']Q1' }, trouble: 'scanner/scan-incomplete' })
    // A person's next scan, in ms after the part with the lost rest.
    for (const ms of [300, 450, 800, 2_000]) expect(decode(report('7'), state, 5_000 + ms)).toEqual(late)
    // On a slow or busy computer, the rest arrives late.
    for (const ms of [0, 1, 16, 100])
      expect(decode(report('7'), state, 5_000 + ms).scan?.text).toBe(`${'x'.repeat(56)}7`)
    // After the clock is set back, two scans are not joined.
    expect(decode(report('7'), state, 4_000)).toEqual(late)
  })

  it('is dropped at once by a report of another symbology', () => {
    expect(read([more, report('4006381333931', { aim: ']E0' })])).toEqual({
      scans: [{ text: '4006381333931', symbology: ']E0' }],
      troubles: ['scanner/scan-incomplete'],
      state: idle,
    })
  })

  it('is skipped only as long as its rest could still arrive', () => {
    const skipping: DecoderState = { kind: 'skipping', trouble: 'scanner/scan-too-long', at: 5_000 }
    expect(decode(report('rest'), skipping, 5_100)).toEqual({
      state: idle,
      scan: null,
      trouble: 'scanner/scan-too-long',
    })
    expect(decode(report('7'), skipping, 5_251).scan).toEqual({ text: '7', symbology: ']Q1' })
  })
})

/** The same numbers in every run (mulberry32). */
function seeded(seed: number): () => number {
  let a = seed
  return () => {
    a = (a + 0x6d2b79f5) | 0
    let t = Math.imul(a ^ (a >>> 15), 1 | a)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

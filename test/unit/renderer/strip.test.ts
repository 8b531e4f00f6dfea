import { describe, expect, it } from 'vitest'
import type { Sound } from '../../../src-renderer/scan/sounds'
import { type ScanOutcome, ScanStrip } from '../../../src-renderer/scan/strip.svelte'
import { at } from './examples'

const good = (name: string): ScanOutcome => ({ tone: 'good', what: { key: 'checkout.scan.added', values: { name } } })

function createStrip() {
  const sounds: Sound[] = []
  const strip = new ScanStrip((sound) => sounds.push(sound))
  const begin = (seq: number) => strip.begin({ seq, at }, { key: 'scan.read.tag' })
  return { strip, sounds, begin }
}

describe('the scan strip', () => {
  it('shows a scan at once, and its outcome in the same notice', () => {
    const { strip, sounds, begin } = createStrip()
    begin(1)
    expect(strip.current?.tone).toBe('working')
    strip.settle(1, good('A'))
    expect(strip.current).toMatchObject({ seq: 1, tone: 'good' })
    expect(strip.previous).toBeNull()
    expect(sounds).toEqual(['good'])
  })

  it('puts a slow answer in its own notice, never over a newer scan', () => {
    const { strip, begin } = createStrip()
    begin(1)
    begin(2)
    strip.settle(2, good('B'))
    strip.settle(1, good('A'))
    expect(strip.current?.what.values).toEqual({ name: 'B' })
    expect(strip.previous?.what.values).toEqual({ name: 'A' })
  })

  it('drops a good answer to a scan that is no longer shown, without a sound', () => {
    const { strip, sounds, begin } = createStrip()
    for (const seq of [1, 2, 3]) begin(seq)
    strip.settle(1, good('A'))
    expect([strip.current?.seq, strip.previous?.seq]).toEqual([3, 2])
    expect(sounds).toEqual([])
  })

  it('shows a refusal after two newer scans in place of the earlier scan, with its own time', () => {
    const { strip, sounds } = createStrip()
    for (const seq of [1, 2, 3]) strip.begin({ seq, at: `2026-11-12T14:02:1${seq}Z` }, { key: 'scan.read.tag' })
    strip.settle(1, { tone: 'bad', what: { key: 'error.checkout/duplicate.what' } })
    expect([strip.current?.seq, strip.previous?.seq]).toEqual([3, 1])
    expect(strip.previous).toMatchObject({ tone: 'bad', at: '2026-11-12T14:02:11Z' })
    strip.settle(2, good('B'))
    expect(sounds).toEqual(['bad'])
  })

  it('undoes once, however often undo is requested', async () => {
    const { strip, begin } = createStrip()
    let undone = 0
    begin(1)
    strip.settle(1, { ...good('A'), undo: () => Promise.resolve((undone++, good('undone'))) })
    await Promise.all([strip.undo(), strip.undo()])
    expect(undone).toBe(1)
    expect(strip.current?.undo).toBeNull()
  })

  it('counts the scans of this screen and order, and not texts that did not become scans', () => {
    const { strip, begin } = createStrip()
    for (const seq of [1, 2, 0]) begin(seq)
    expect(strip.count).toBe(2)
    strip.retire()
    expect(strip.count).toBe(0)
    begin(3)
    strip.recount()
    begin(4)
    expect(strip.count).toBe(1)
  })

  it('keeps the key problems and the device when the outcome is shown', () => {
    const { strip } = createStrip()
    const scan = { seq: 1, at, source: 'hid', device: 'Zebra DS2208', troubles: ['caps-lock'] } as const
    strip.begin({ ...scan, troubles: [...scan.troubles] }, { key: 'scan.read.tag' })
    strip.settle(1, good('A'))
    expect(strip.current).toMatchObject({ troubles: ['caps-lock'], by: { values: { device: 'Zebra DS2208' } } })
  })

  it('makes no sound if another part of the screen made it', () => {
    const { strip, sounds, begin } = createStrip()
    begin(1)
    strip.settle(1, { ...good('A'), isSilent: true })
    expect(sounds).toEqual([])
  })

  it('says nothing of a scan after its order is closed', () => {
    const { strip, begin } = createStrip()
    begin(1)
    strip.settle(1, { ...good('A'), undo: () => Promise.resolve(good('undone')) })
    strip.retire()
    expect([strip.current, strip.previous]).toEqual([null, null])
  })
})

import { describe, expect, it } from 'vitest'
import type { Sound } from '../../../src-renderer/scan/sounds'
import { type Outcome, ScanStrip } from '../../../src-renderer/scan/strip.svelte'
import { at } from './examples'

const good = (name: string): Outcome => ({ tone: 'good', what: { key: 'checkout.scan.added', values: { name } } })

function createStrip() {
  const sounds: Sound[] = []
  const strip = new ScanStrip((sound) => sounds.push(sound))
  const begin = (seq: number) => strip.begin({ seq, at }, { key: 'scan.read.tag' })
  return { strip, sounds, begin }
}

describe('the scan strip', () => {
  it('shows a scan at once and what became of it in the same notice', () => {
    const { strip, sounds, begin } = createStrip()
    begin(1)
    expect(strip.current?.tone).toBe('working')
    strip.settle(1, good('A'))
    expect(strip.current).toMatchObject({ seq: 1, tone: 'good' })
    expect(strip.previous).toBeNull()
    expect(sounds).toEqual(['good'])
  })

  it('puts a slow answer into its own notice, never over a newer scan', () => {
    const { strip, begin } = createStrip()
    begin(1)
    begin(2)
    strip.settle(2, good('B'))
    strip.settle(1, good('A'))
    expect(strip.current?.what.values).toEqual({ name: 'B' })
    expect(strip.previous?.what.values).toEqual({ name: 'A' })
  })

  it('drops the answer to a scan that is no longer shown', () => {
    const { strip, begin } = createStrip()
    for (const seq of [1, 2, 3]) begin(seq)
    strip.settle(1, good('A'))
    expect([strip.current?.seq, strip.previous?.seq]).toEqual([3, 2])
  })

  it('undoes once, however often it is asked', async () => {
    const { strip, begin } = createStrip()
    let undone = 0
    begin(1)
    strip.settle(1, { ...good('A'), undo: () => Promise.resolve((undone++, good('undone'))) })
    await Promise.all([strip.undo(), strip.undo()])
    expect(undone).toBe(1)
    expect(strip.current?.undo).toBeNull()
  })

  it('offers nothing more for a scan whose order is closed', () => {
    const { strip, begin } = createStrip()
    begin(1)
    strip.settle(1, { ...good('A'), undo: () => Promise.resolve(good('undone')) })
    strip.retire()
    expect(strip.current).toMatchObject({ undo: null, actions: [] })
  })
})

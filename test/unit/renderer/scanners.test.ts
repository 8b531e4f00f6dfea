import { describe, expect, it } from 'vitest'
import { createClient } from '../../../src-shared/ipc/client'
import { ScannerSettings } from '../../../src-shared/ipc/contract/scanner'
import { KnownPrefixes } from '../../../src-shared/scan/known'
import { type KeyTiming, WedgeTiming, defaultSettings } from '../../../src-shared/scan/timing'
import { Scanners } from '../../../src-renderer/scan/scanners.svelte'
import { createFakeWire, turn } from './fake-wire'

const kept = ScannerSettings.parse({ prefixes: { order: 'ORD-' } })
const fast: KeyTiming = { characters: 24, medianGap: 5, slowestGap: 9, medianTouch: 3, slowestTouch: 4 }
const slow: KeyTiming = { ...fast, slowestGap: 180 }
const slower: KeyTiming = { ...fast, slowestGap: 184 }

async function start({ isLoaded = true } = {}) {
  const fake = createFakeWire()
  const clock = { ms: 0 }
  const scanners = new Scanners(createClient(fake.wire), () => clock.ms)
  if (isLoaded) {
    void scanners.loadSettings()
    await fake.next('scanner.settings').answer(kept)
  }
  return { fake, clock, scanners }
}

const saved = (input: unknown) => ScannerSettings.parse(input)

describe('the scanner settings', () => {
  it('give the wedge its settings and prefixes', async () => {
    const { scanners } = await start()
    expect(scanners.known.scanPrefixes.order).toBe('ORD-')
    expect(scanners.wedge).toEqual(kept.wedge)
  })

  it('follow what main has learned about codes, at the start and later', async () => {
    const { fake, scanners } = await start()
    void scanners.loadKnown()
    await fake.next('scanner.known').answer(KnownPrefixes.parse({ tagPrefixes: ['https://q.example/?t='] }))
    expect(scanners.known).toMatchObject({ tagPrefixes: ['https://q.example/?t='], scanPrefixes: { order: 'ORD-' } })
    scanners.learnt(KnownPrefixes.parse({ casePrefixes: ['https://q.example/?c='] }))
    expect(scanners.known).toMatchObject({ casePrefixes: ['https://q.example/?c='], scanPrefixes: { order: 'ORD-' } })
  })

  it('are saved one change at a time, and no change undoes another', async () => {
    const { fake, scanners } = await start()
    void scanners.save((settings) => ({ ...settings, sound: { volume: 10, isMuted: false } }))
    void scanners.save((settings) => ({ ...settings, prefixes: { order: 'A-', badge: '' } }))
    await turn()
    expect(fake.asked).toHaveLength(1)
    await fake.next('scanner.setSettings').answer(null)
    const second = fake.next('scanner.setSettings')
    expect(saved(second.input)).toMatchObject({ sound: { volume: 10 }, prefixes: { order: 'A-' } })
    await second.answer(null)
    expect(scanners.settings).toMatchObject({ sound: { volume: 10 }, prefixes: { order: 'A-' } })
  })

  it('stay as they were when saving fails, and the next change can still be saved', async () => {
    const { fake, scanners } = await start()
    const refused = scanners.save((settings) => ({ ...settings, prefixes: { order: 'B-', badge: '' } }))
    await turn()
    await fake.next('scanner.setSettings').refuse({ code: 'store/not-saved' })
    expect((await refused)?.code).toBe('store/not-saved')
    expect(scanners.settings.prefixes.order).toBe('ORD-')
    const again = scanners.save((settings) => ({ ...settings, prefixes: { order: 'C-', badge: '' } }))
    await turn()
    await fake.next('scanner.setSettings').answer(null)
    expect(await again).toBeNull()
    expect(scanners.settings.prefixes.order).toBe('C-')
  })

  it('are loaded before a change, so that defaults never overwrite stored settings', async () => {
    const { fake, scanners } = await start({ isLoaded: false })
    void scanners.save((settings) => ({ ...settings, sound: { volume: 10, isMuted: false } }))
    await turn()
    await fake.next('scanner.settings').answer(kept)
    expect(saved(fake.next('scanner.setSettings').input).prefixes.order).toBe('ORD-')
  })

  it('are not saved while they can’t be loaded', async () => {
    const { fake, scanners } = await start({ isLoaded: false })
    const failed = scanners.save((settings) => settings)
    await turn()
    await fake.next('scanner.settings').disconnect()
    expect((await failed)?.code).toBe('ipc/disconnected')
    expect(fake.asked).toEqual([])
  })
})

describe('what is learned about a keyboard-mode scanner', () => {
  it('applies at once, and is saved at most once a minute', async () => {
    const { fake, clock, scanners } = await start()
    scanners.learn(slow)
    expect(scanners.wedge.timing.longestGap).toBe(390)
    await turn()
    const first = fake.next('scanner.setSettings')
    expect(saved(first.input).wedge.timing.longestGap).toBe(390)
    await first.answer(null)
    for (let scans = 0; scans < 20; scans++) {
      clock.ms += 2_000
      scanners.learn(fast)
    }
    scanners.learn(slower)
    await turn()
    expect(fake.asked).toEqual([])
    expect(scanners.wedge.timing.longestGap).toBe(398)
    clock.ms += 30_000
    scanners.learn(fast)
    await turn()
    expect(saved(fake.next('scanner.setSettings').input).wedge.timing).toEqual(scanners.wedge.timing)
  })

  it('is reset together with the chosen scanner; other settings stay', async () => {
    const { fake, scanners } = await start()
    expect(scanners.isTimingUsual).toBe(true)
    const timing = WedgeTiming.parse({ longestGap: 300, device: { gap: 110, touch: 60 } })
    void scanners.save((settings) => ({ ...settings, wedge: { ...settings.wedge, prefix: '~', timing } }))
    await turn()
    await fake.next('scanner.setSettings').answer(null)
    expect(scanners.isTimingUsual).toBe(false)
    const reset = scanners.resetTiming()
    await turn()
    const { wedge, prefixes } = saved(fake.next('scanner.setSettings').input)
    expect([wedge, prefixes.order]).toEqual([{ ...defaultSettings, prefix: '~' }, 'ORD-'])
    void reset
  })

  it('is not saved when nothing has changed', async () => {
    const { fake, clock, scanners } = await start()
    scanners.learn({ ...slow, characters: 3 })
    clock.ms += 120_000
    scanners.learn({ ...fast, characters: 3 })
    await turn()
    expect(fake.asked).toEqual([])
  })

  it('is not saved over settings that were never loaded', async () => {
    const { fake, scanners } = await start({ isLoaded: false })
    scanners.learn(slow)
    await turn()
    expect(fake.asked).toEqual([])
  })

  it('is kept when another setting is saved', async () => {
    const { fake, scanners } = await start()
    scanners.learn(slow)
    await turn()
    await fake.next('scanner.setSettings').refuse({ code: 'store/not-saved' })
    void scanners.save((settings) => ({ ...settings, sound: { volume: 10, isMuted: true } }))
    await turn()
    expect(saved(fake.next('scanner.setSettings').input).wedge.timing.longestGap).toBe(390)
  })
})

describe('looking for scanners', () => {
  it('shows the scanners, and searches once however often it is requested', async () => {
    const { fake, scanners } = await start()
    void scanners.look()
    void scanners.look()
    expect(scanners.isLooking).toBe(true)
    await fake.next('scanner.look').answer(null)
    expect(fake.asked.map(({ call }) => call)).toEqual(['scanner.scanners'])
    await fake.next('scanner.scanners').answer({ library: 'missing', problem: 'scanner/missing-library', devices: [] })
    expect([scanners.isLooking, scanners.view?.problem]).toEqual([false, 'scanner/missing-library'])
  })
})

import { afterEach, beforeEach, expect, vi } from 'vitest'
import type { ScannersView } from '../../../../src-shared/ipc/contract/scanner'
import { systemClock } from '../../../../src-main/clock'
import { type ScannerSource, type SourceScan, createHidSource } from '../../../../src-main/scanner/hid'
import { silentLog } from '../../../../src-main/log'
import type { FakeScanners } from '../../../fakes/hid-layer'

/** The name of the scanner that is plugged in unless a test says otherwise. */
export const voyager = 'Honeywell Voyager 1450g'
/** Three reports. */
export const longCode = `https://tag.example/case/HF%202026%2F0417?${'x'.repeat(98)}`

// The real one, for what promises still have to do while the clock stands.
const realImmediate = setImmediate
export const breathe = () =>
  new Promise<void>((resolve) => {
    realImmediate(resolve)
  })

/** Turns the clock, with room for promises before and after. */
export async function pass(ms: number): Promise<void> {
  await breathe()
  await vi.advanceTimersByTimeAsync(ms)
  await breathe()
}

/** The real source over fake scanners, on a clock that stands; a new one for each test of the file that asks for it. */
export function hidDesk() {
  let scanners: FakeScanners
  let source: ScannerSource
  let scans: SourceScan[]
  let views: ScannersView[]

  beforeEach(() => {
    vi.useFakeTimers()
    scans = []
    views = []
  })

  afterEach(async () => {
    await source.stop()
    // Nothing that keeps the process alive, nothing that still waits.
    expect(vi.getTimerCount()).toBe(0)
    expect(scanners.open()).toEqual([])
    expect(scanners.watchers()).toBe(0)
    vi.useRealTimers()
  })

  return {
    begin(fake: FakeScanners, onScan: (scan: SourceScan) => void = (scan) => scans.push(scan)) {
      scanners = fake
      source = createHidSource({
        layer: fake.layer,
        clock: systemClock,
        log: silentLog,
        onScan,
        onChange: (view) => views.push(view),
      })
      source.start()
    },
    get scanners() {
      return scanners
    },
    get source() {
      return source
    },
    get scans() {
      return scans
    },
    /** Everything that was announced. */
    get views() {
      return views
    },
    texts: () => scans.map(({ text }) => text),
    states: () => source.view().devices.map(({ name, state, problem }) => [name, state, problem]),
  }
}

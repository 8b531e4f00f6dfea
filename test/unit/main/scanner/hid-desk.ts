import { afterEach, beforeEach, expect, vi } from 'vitest'
import type { ScannersView } from '../../../../src-shared/ipc/contract/scanner'
import { systemClock } from '../../../../src-main/core/clock'
import { ScannerSource, type SourceScan } from '../../../../src-main/scanner/hid'
import { silentLog } from '../../../../src-main/core/log'
import type { FakeScanners } from '../../../fakes/hid-layer'

/** The default name of a plugged-in scanner. */
export const voyager = 'Honeywell Voyager 1450g'
/** A code that needs three reports. */
export const longCode = `https://tag.example/case/HF%202026%2F0417?${'x'.repeat(98)}`

// The real function, so that promises can settle while the fake clock stands still.
const realImmediate = setImmediate
export const yieldNow = () =>
  new Promise<void>((resolve) => {
    realImmediate(resolve)
  })

/** Advances the clock, letting promises settle before and after. */
export async function pass(ms: number): Promise<void> {
  await yieldNow()
  await vi.advanceTimersByTimeAsync(ms)
  await yieldNow()
}

/** The real source over fake scanners and a fake clock; call once per test file, it is new for each test. */
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
    // No timer, open scanner or watcher may be left.
    expect(vi.getTimerCount()).toBe(0)
    expect(scanners.open()).toEqual([])
    expect(scanners.watchers()).toBe(0)
    vi.useRealTimers()
  })

  return {
    begin(fake: FakeScanners, onScan: (scan: SourceScan) => void = (scan) => scans.push(scan)) {
      scanners = fake
      source = new ScannerSource({
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
    /** All announced views. */
    get views() {
      return views
    },
    texts: () => scans.map(({ text }) => text),
    states: () => source.view().devices.map(({ name, state, problem }) => [name, state, problem]),
  }
}

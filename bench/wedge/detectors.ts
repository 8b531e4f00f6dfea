import KeyboardBarcodeScanner from '../node_modules/@point-of-sale/keyboard-barcode-scanner/dist/keyboard-barcode-scanner.esm.js'
import onScan from 'onscan.js'
import { WedgeListener } from '../../src-renderer/scan/wedge-listener'
import { defaultSettings } from '../../src-shared/scan/timing'
import { Wedge } from '../../src-shared/scan/wedge'
import { known } from '../../test/fakes/key-traces/payloads'
import { type StationName, stationNames, timingOf } from '../../test/fakes/key-traces/stations'
import { type Page, PageKey } from './page'

/** A detector that finds scans among keys. `start` listens on the page until the returned function is called. */
export interface Detector {
  name: string
  start(page: Page, found: (text: string) => void): () => void
}

const countertag = (station: StationName): Detector => ({
  name: `Countertag, ${station}`,
  start(page, found) {
    const timing = timingOf(station)
    const listener = new WedgeListener({
      remember: () => undefined,
      onScan: (scan) => found(scan.text),
      now: () => performance.now(),
      wedge: new Wedge({ ...defaultSettings, timing }, known),
      settleAfter: timing.longestGap + 20,
    })
    const press = (event: Event) => event instanceof PageKey && listener.press(event)
    const release = (event: Event) => event instanceof PageKey && listener.release(event)
    page.addEventListener('keydown', press)
    page.addEventListener('keyup', release)
    return () => {
      page.removeEventListener('keydown', press)
      page.removeEventListener('keyup', release)
      listener.close()
    }
  },
})

const onscan = (name: string, options: { avgTimeByChar?: number; timeBeforeScanTest?: number }): Detector => ({
  name: `onscan.js 1.5.2, ${name}`,
  start(page, found) {
    onScan.attachTo(page, { ...options, onScan: (text) => found(text) })
    return () => onScan.detachFrom(page)
  },
})

const pointOfSale = (name: string, timing: 'auto' | number): Detector => ({
  name: `keyboard-barcode-scanner 1.1.4, ${name}`,
  start(page, found) {
    Reflect.set(globalThis, 'document', page)
    const scanner = new KeyboardBarcodeScanner({ timing })
    // This detector separates the AIM id from the text itself.
    scanner.addEventListener('barcode', ({ value, aim = '' }) => found(aim + value))
    void scanner.connect()
    return () => void scanner.disconnect()
  },
})

/** Each peer with its defaults, and tuned to the slow devices, where typing looks more like a scan. */
export const detectors: Detector[] = [
  ...stationNames.map(countertag),
  onscan('as it comes', {}),
  onscan('for slow devices', { avgTimeByChar: 100, timeBeforeScanTest: 220 }),
  pointOfSale('as it comes', 'auto'),
  pointOfSale('for slow devices', 200),
]

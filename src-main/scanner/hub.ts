import { classify } from '../../src-shared/scan/classify'
import type { Place, Scan, ScanSource } from '../../src-shared/scan/meaning'
import { type Clock, iso } from '../clock'

/** Where every scan arrives, whatever read it: gives it its number and its meaning, and announces it. */
export interface ScanHub {
  setPlace(place: Place): void
  submit(text: string, source: ScanSource): void
}

export interface ScanHubParts {
  clock: Clock
  onScan: (scan: Scan) => void
}

export function createScanHub({ clock, onScan }: ScanHubParts): ScanHub {
  let place: Place = 'other'
  let last = 0
  return {
    setPlace(next) {
      place = next
    },
    submit(raw, source) {
      onScan({ seq: ++last, at: iso(clock.now()), source, raw, meaning: classify(raw, place) })
    },
  }
}

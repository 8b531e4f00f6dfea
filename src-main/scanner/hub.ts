import { classify } from '../../src-shared/scan/classify'
import type { Known } from '../../src-shared/scan/known'
import type { Place, Scan, ScanSource, WedgeTrouble } from '../../src-shared/scan/meaning'
import { type Clock, iso } from '../clock'
import { type Reads, noteRead } from './repeats'
import type { ScannerDevice } from './source'

/** What a scanner that we read ourselves says besides the text. */
export interface ReadBy {
  symbology: string | null
  device: ScannerDevice
}

/** Where every scan arrives, whatever read it: gives it its number and its meaning, and announces it. */
export interface ScanHub {
  /** Where the next scans happen. Also called when the place stays and what a scan does there changes: that ends repeats. */
  setPlace(place: Place): void
  /** The same code from the same scanner within 1.2 s is one scan: the second is dropped. What a person types is not. */
  submit(text: string, source: ScanSource, about?: { readBy?: ReadBy; troubles?: WedgeTrouble[] }): void
}

export interface ScanHubParts {
  clock: Clock
  known: () => Known
  onScan: (scan: Scan) => void
}

export function createScanHub({ clock, known, onScan }: ScanHubParts): ScanHub {
  let place: Place = 'other'
  let last = 0
  let reads: Reads = new Map()

  /** Scanners that type can't be told apart: they are one reader. */
  const isRepeat = (text: string, source: ScanSource, readBy: ReadBy | undefined) => {
    if (source === 'typed') return false
    const noted = noteRead(reads, `${source} ${readBy?.device.id ?? ''}`, text, clock.now(), {
      isAction: isAction(text),
    })
    reads = noted.reads
    return noted.isRepeat
  }

  const isAction = (text: string) => classify(text, place).kind === 'action'

  return {
    setPlace(next) {
      // Whoever goes elsewhere and scans the code there means it. But an action may be what brought us there: while it is
      // still in view, it must not take itself back.
      reads = new Map([...reads].filter(([, { text }]) => isAction(text)))
      place = next
    },
    submit(raw, source, { readBy, troubles = [] } = {}) {
      if (isRepeat(raw, source, readBy)) return
      const symbology = readBy?.symbology ?? null
      onScan({
        seq: ++last,
        at: iso(clock.now()),
        source,
        device: readBy?.device.name ?? null,
        symbology,
        raw,
        meaning: classify(raw, place, { symbology, known: known() }),
        ...(troubles.length > 0 ? { troubles } : {}),
      })
    },
  }
}

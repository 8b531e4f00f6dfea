import { readAim } from '../../src-shared/scan/aim'
import { classify } from '../../src-shared/scan/classify'
import type { KnownPrefixes } from '../../src-shared/scan/known'
import type { Meaning, Place, Scan, ScanSource, WedgeTrouble } from '../../src-shared/scan/meaning'
import { type Clock, iso } from '../core/clock'
import type { ScannerDevice } from './hid'

/** What a HID scanner reports besides the text. */
export interface ReadBy {
  symbology: string | null
  device: ScannerDevice
}

type Badge = Extract<Meaning, { kind: 'badge' }>

export type ScanHub = ReturnType<typeof createScanHub>

/** Receives every scan from every source; numbers it, drops repeats, gives it its meaning, and announces it. */
export function createScanHub({
  clock,
  known,
  onScan,
  onJoinCode,
  badgeOf,
}: {
  clock: Clock
  known: () => KnownPrefixes
  /** The badge of a person of the store, if a text is one; not asked about what was typed. */
  badgeOf?: (text: string) => Badge | undefined
  onScan: (scan: Scan) => void
  /** Called with the text of a join code, which is in no scan. */
  onJoinCode?: ((text: string) => void) | undefined
}) {
  let place: Place = 'other'
  let last = 0
  let reads: Reads = new Map()

  /** Keyboard-mode scanners can't be told apart: they count as one reader. */
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
    /** Sets the place of the next scans, and ends repeats: a code scanned again in another place or mode is meant. */
    setPlace(next: Place) {
      // Except for actions: one that changed the mode and is still in view must not change it back.
      reads = new Map([...reads].filter(([, { text }]) => isAction(text)))
      place = next
    },
    /** Takes a scan. The same code from the same scanner within 1.2 s is a repeat and dropped, unless it was typed. */
    submit(
      raw: string,
      source: ScanSource,
      { readBy, troubles = [] }: { readBy?: ReadBy; troubles?: WedgeTrouble[] } = {},
    ) {
      if (isRepeat(raw, source, readBy)) return
      const symbology = readBy?.symbology ?? null
      const people = source === 'typed' || !badgeOf ? {} : { badgeOf }
      const meaning = classify(raw, place, { symbology, known: known(), ...people })
      const isJoin = meaning.kind === 'join'
      const isSecret = isJoin || (meaning.kind === 'badge' && meaning.proof !== undefined)
      if (isJoin) onJoinCode?.(readAim(raw, symbology).text)
      onScan({
        seq: ++last,
        at: iso(clock.now()),
        source,
        device: readBy?.device.name ?? null,
        symbology,
        raw: isSecret ? '' : raw,
        meaning,
        ...(troubles.length > 0 ? { troubles } : {}),
      })
    },
  }
}

/** In ms. A scanner reads a code in view repeatedly; a person who scans it a second time needs longer than this. */
export const repeatWindow = 1_200

/**
 * In ms. A code in view is read again sooner than this (makers set 50 to 750); a person who scans again needs longer.
 */
const inViewWindow = 800

/** The last text of a reader: when it counted as a scan, and when it was last read, perhaps as a repeat. */
interface LastRead {
  text: string
  scannedAt: number
  readAt: number
}
export type Reads = ReadonlyMap<string, LastRead>

/**
 * Whether a read repeats the reader's last scan, and what to remember. Each repeat restarts the window, so that a code that
 * stays in view is one scan; a different code in between ends it.
 *
 * An action may have to be scanned twice on purpose (to confirm). So for an action only reads at the rate of a code in view
 * restart the window; a later one counts once the window of the scan is over.
 */
export function noteRead(
  reads: Reads,
  reader: string,
  text: string,
  at: number,
  { isAction = false } = {},
): { reads: Reads; isRepeat: boolean } {
  const last = reads.get(reader)
  const isSame = last?.text === text && at >= last.readAt
  const isInView = isSame && at - last.readAt < (isAction ? inViewWindow : repeatWindow)
  const isRepeat = isInView || (isSame && at - last.scannedAt < repeatWindow)
  const scannedAt = isRepeat ? last.scannedAt : at
  return { reads: new Map(reads).set(reader, { text, scannedAt, readAt: at }), isRepeat }
}

import type { ScannersView } from '../../src-shared/ipc/scanner-view'

/** A scanner as the rest of main knows it. The id tells two of the same kind apart. */
export interface ScannerDevice {
  id: string
  name: string
}

/** One code, as a scanner gave it. */
export interface SourceScan {
  /** The text without its AIM id. */
  text: string
  /** AIM id, e.g. `]Q1`; null if the scanner does not say. */
  symbology: string | null
  device: ScannerDevice
}

/** What reads scanners and gives their scans to whoever made it. */
export interface ScannerSource {
  /** Returns at once; scanners are found and opened in the background. */
  start(): void
  /** Looks for scanners now, and forgets those that are gone: for a person who asks. */
  look(): void
  view(): ScannersView
  /** Lets go of every scanner. Resolves when that is done; nothing is told afterwards. */
  stop(): Promise<void>
}

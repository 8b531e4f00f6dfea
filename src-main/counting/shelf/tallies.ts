import { type ScannedBy, StationTally } from '../session/station-tally'
import type { ShelfScanRows } from './scan-rows'

/** How many items each count of the shelf has scanned, and which stations did. */
export class Tallies {
  readonly #scans: Pick<ShelfScanRows, 'scanned' | 'scannedByOthers'>
  readonly #known = new Map<number, StationTally>()

  constructor(scans: Pick<ShelfScanRows, 'scanned' | 'scannedByOthers'>) {
    this.#scans = scans
  }

  scanned(seq: number): number {
    return this.#of(seq).scanned
  }

  /** Empty unless other stations scanned. */
  stations(seq: number): ScannedBy {
    return this.#of(seq).stations()
  }

  /** An item was scanned (1) or taken back (-1). Read the tally before the change is saved. */
  note(seq: number, station: string | null, by: 1 | -1): void {
    this.#of(seq).note(station, by)
  }

  /** What was noted was not saved. */
  forget(): void {
    this.#known.clear()
  }

  #of(seq: number): StationTally {
    const known = this.#known.get(seq)
    if (known) return known
    const others = this.#scans.scannedByOthers(seq)
    const here = others.reduce((left, { scanned }) => left - scanned, this.#scans.scanned(seq))
    const tally = new StationTally([[null, here], ...others.map(({ station, scanned }) => [station, scanned] as const)])
    this.#known.set(seq, tally)
    return tally
  }
}

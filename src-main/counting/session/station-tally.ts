import type { ShelfCount } from '../../../src-shared/ipc/contract/stock'

export type ScannedBy = ShelfCount['stations']

/** How many items of a count each station scanned: counting them anew would grow with the count. This station is `null`. */
export class StationTally {
  readonly #by: Map<string | null, number>
  #scanned = 0

  constructor(by: Iterable<readonly [station: string | null, scanned: number]>) {
    this.#by = new Map(by)
    for (const scanned of this.#by.values()) this.#scanned += scanned
  }

  get scanned(): number {
    return this.#scanned
  }

  /** This station first, if the tally has it. Empty unless other stations scanned. */
  stations(): ScannedBy {
    const others = [...this.#by].filter(([station, scanned]) => station !== null && scanned > 0)
    if (others.length === 0) return []
    const here = this.#by.get(null)
    const own: typeof others = here === undefined ? [] : [[null, here]]
    return [...own, ...others].map(([station, scanned]) => ({ station, scanned }))
  }

  /** An item was scanned (1) or taken back (-1). Read the tally before the change is saved. */
  note(station: string | null, by: 1 | -1): void {
    this.#scanned += by
    this.#by.set(station, (this.#by.get(station) ?? 0) + by)
  }
}

import type { ShelfCount } from '../../../src-shared/ipc/contract/stock'
import type { CountRows } from './count-rows'

export type Tallies = ReturnType<typeof createTallies>

/** How many items each count has scanned, and which stations did: counting them anew would grow with the count. */
export function createTallies(rows: Pick<CountRows, 'scanned' | 'scannedByOthers'>) {
  const known = new Map<number, { scanned: number; others: Map<string, number> }>()
  const of = (seq: number) => {
    const tally = known.get(seq) ?? {
      scanned: rows.scanned(seq),
      others: new Map(rows.scannedByOthers(seq).map(({ station, scanned }) => [station, scanned])),
    }
    known.set(seq, tally)
    return tally
  }
  return {
    scanned: (seq: number): number => of(seq).scanned,
    /** Empty unless other stations scanned. */
    stations(seq: number): ShelfCount['stations'] {
      const { scanned, others } = of(seq)
      const listed = [...others].filter(([, count]) => count > 0)
      if (listed.length === 0) return []
      const here = listed.reduce((left, [, count]) => left - count, scanned)
      return [{ station: null, scanned: here }, ...listed.map(([station, count]) => ({ station, scanned: count }))]
    },
    /** An item was scanned (1) or taken back (-1). Read the tally before the change is saved. */
    note(seq: number, station: string | null, by: 1 | -1): void {
      const tally = of(seq)
      tally.scanned += by
      if (station !== null) tally.others.set(station, (tally.others.get(station) ?? 0) + by)
    },
    /** What was noted was not saved. */
    forget: () => {
      known.clear()
    },
  }
}

import { type ShelfCount, ShelfPast } from '../../../src-shared/ipc/contract/stock'
import { iso } from '../../core/clock'
import type { ShelfEnd } from '../../hub/rows'
import type { ScannedBy } from '../session/station-tally'
import { type ShelfCountRow, isUnderWay } from './count-rows'
import { viewOfScope } from './scope'

/** What the scans of a count say of it. `lateOnes`: those that were told after it was signed. */
export interface ScanSums {
  scanned: number
  stations: ScannedBy
  lateOnes: number
}

const isoOrNull = (at: number | null) => (at === null ? null : iso(at))

const signedBy = ({ station, signedAt, results }: ShelfEnd): ShelfCount['signedToo'] => ({
  station,
  at: isoOrNull(signedAt),
  results,
})

/** What of its scans a count shows: a signed one has those of which its signer knew, and the others are late. */
function scansOf({ state, ended, stations }: ShelfCountRow, sums: ScanSums) {
  if (state !== 'signed') return { scanned: sums.scanned, stations: sums.stations, late: 0 }
  const scanned = ended?.scanned ?? sums.scanned
  return { scanned, stations, late: Math.max(0, sums.scanned - scanned) + sums.lateOnes }
}

/** A count as screens see it: it is blind while it is under way. */
export function viewOf(row: ShelfCountRow, sums: ScanSums): ShelfCount {
  const { seq: _seq, startedMove: _move, round: _round, ended, ...shown } = row
  return {
    ...shown,
    ...scansOf(row, sums),
    scope: viewOfScope(row.scope),
    startedAt: iso(row.startedAt),
    finishedAt: isoOrNull(row.finishedAt),
    signedAt: isoOrNull(row.signedAt),
    signedToo: row.signedToo && signedBy(row.signedToo),
    finishedBy: isUnderWay(row) ? null : (ended?.station ?? null),
    results: isUnderWay(row) ? null : row.results,
  }
}

/** A count in the history. */
export const pastOf = (row: ShelfCountRow, sums: ScanSums): ShelfPast =>
  ShelfPast.parse({ ...viewOf(row, sums), number: row.seq })

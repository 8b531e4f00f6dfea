import type { CaseId } from '../../../src-shared/ids'
import type { CountSums, CountView, CountedCase } from '../../../src-shared/ipc/contract/count'
import { iso } from '../../core/clock'
import { StationTally } from '../session/station-tally'
import type { CaseCountRow, CaseCountRows } from './count-rows'
import type { CaseScanRows } from './scan-rows'

/**
 * How far a count has come, updated scan by scan: with 50,000 items expected, reading all of them for every scan would be
 * too slow. Always equals the database, because a scan is saved before it is noted here.
 */
export class CaseTally {
  readonly row: CaseCountRow
  readonly #cases: Map<CaseId, CountedCase>
  readonly #stations: StationTally
  readonly #total: number
  #counted: number

  constructor(row: CaseCountRow, rows: CaseCountRows, scans: CaseScanRows) {
    this.row = row
    const sums = rows.sums(row.seq)
    const caseWith = (one: ReturnType<CaseCountRows['cases']>[number]): CountedCase => {
      const { expected = 0, counted = 0 } = sums.get(one.caseId) ?? {}
      return { ...one, tagCount: expected, counted }
    }
    this.#cases = new Map(rows.cases(row.seq).map((one) => [one.caseId, caseWith(one)]))
    this.#total = [...sums.values()].reduce((sum, one) => sum + one.expected, 0)
    this.#counted = [...sums.values()].reduce((sum, one) => sum + one.counted, 0)
    this.#stations = new StationTally(scans.stations(row.seq).map(({ station, scanned }) => [station, scanned]))
  }

  /** Without the cases. */
  sums(): CountSums {
    return {
      id: this.row.id,
      total: this.#total,
      counted: this.#counted,
      strangers: this.#stations.scanned - this.#counted,
      stations: this.#stations.stations(),
    }
  }

  view(): Omit<CountView, 'canReopen' | 'deliveryId'> {
    const { caseId, startedAt, finishedAt } = this.row
    const times = { startedAt: iso(startedAt), finishedAt: finishedAt === null ? null : iso(finishedAt) }
    return { ...this.sums(), caseId, ...times, cases: [...this.#cases.values()] }
  }

  /** Undefined if the count does not hold the case. */
  of(caseId: CaseId): CountedCase | undefined {
    return this.#cases.get(caseId)
  }

  /** An item was scanned (1) or taken back (-1), of this case or of none. `station`: null for this one. */
  note(caseId: CaseId | undefined, by: 1 | -1, station: string | null): void {
    this.#stations.note(station, by)
    const found = caseId && this.#cases.get(caseId)
    if (!found) return
    this.#counted += by
    this.#cases.set(caseId, { ...found, counted: found.counted + by })
  }
}

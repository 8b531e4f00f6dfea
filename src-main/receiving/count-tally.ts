import type { CaseId } from '../../src-shared/ids'
import type { CountSums, CountView, CountedCase } from '../../src-shared/ipc/count-view'
import { iso } from '../clock'
import type { CountRow, CountRows } from './count-rows'

/**
 * How far a count has come, kept up scan by scan: with 50,000 items expected, none of them is looked at again. Always
 * what the store says, for nothing is noted before it is on the disk.
 */
export interface Tally {
  seq: number
  view(): CountView
  /** The same without the cases. */
  sums(): CountSums
  /** The case of an item of it; undefined when it holds none such. */
  of(caseId: CaseId): CountedCase | undefined
  /** An item was scanned (1) or taken back (-1), of this case or of none. */
  note(caseId: CaseId | undefined, by: 1 | -1): void
}

export function createTally(rows: CountRows, row: CountRow): Tally {
  const { seq, id, deliveryId, caseId, startedAt, finishedAt } = row
  const tallies = rows.tallies(seq)
  const cases = new Map<CaseId, CountedCase>(
    rows.cases(seq).map((one) => {
      const { expected = 0, counted = 0 } = tallies.get(one.caseId) ?? {}
      return [one.caseId, { ...one, tagCount: expected, counted }]
    }),
  )
  const total = [...tallies.values()].reduce((sum, one) => sum + one.expected, 0)
  let counted = [...tallies.values()].reduce((sum, one) => sum + one.counted, 0)
  let strangers = rows.scannedCount(seq) - counted
  const head = {
    id,
    deliveryId,
    caseId,
    startedAt: iso(startedAt),
    finishedAt: finishedAt === null ? null : iso(finishedAt),
  }
  return {
    seq,
    sums: () => ({ id, total, counted, strangers }),
    view: () => ({ ...head, cases: [...cases.values()], total, counted, strangers }),
    of: (one) => cases.get(one),
    note(of, by) {
      const found = of && cases.get(of)
      if (!found) {
        strangers += by
        return
      }
      counted += by
      cases.set(of, { ...found, counted: found.counted + by })
    },
  }
}

import type { CaseId, OperationId } from '../../src-shared/ids'
import type { Difference } from '../../src-shared/ipc/count-view'

/** What is known of one item of a count. */
export interface Finding {
  /** The case that held it when the count started. */
  expectedIn: CaseId | null
  isScanned: boolean
  isIgnored: boolean
  /** The last report that takes it out of a case or puts it into one, as long as that is not taken back or refused. */
  report: { does: 'remove' | 'add'; caseId: CaseId; operationId: OperationId } | null
}

export type Differing = Pick<Difference, 'kind' | 'resolution' | 'caseId' | 'operationId'>

/**
 * Whether an item differs, and how. An item should be in a case when it was scanned, and in none when it was not; what
 * was reported counts as done. Pure. Null: as it should be.
 */
export function differenceOf({ expectedIn, isScanned, isIgnored, report }: Finding): Differing | null {
  const isIn = report ? report.does === 'add' : expectedIn !== null
  const kind = isScanned ? 'stranger' : 'missing'
  const caseId = report?.caseId ?? expectedIn
  if (isScanned !== isIn) {
    return { kind, caseId: isScanned ? null : caseId, resolution: isIgnored ? 'ignored' : 'open', operationId: null }
  }
  if (!report) return null
  const { operationId } = report
  return { kind, caseId, resolution: report.does === 'add' ? 'added' : 'removed', operationId }
}

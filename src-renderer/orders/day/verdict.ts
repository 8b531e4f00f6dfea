import type { AppStatus } from '../../../src-shared/ipc/app-view'
import type { DayReport } from '../../../src-shared/ipc/checkout-view'

/** What is still to be done before the service has everything. */
export interface Open {
  unsent: number
  refused: number
  held: number
}

/**
 * Nothing is open when the report says so and the outbox, asked by another way, says the same: at closing time "everything
 * is there" must never be a guess. Null while that is not known.
 */
export function openOf(report: DayReport | null, status: AppStatus | null, isCurrent: boolean): Open | null {
  if (!report || !status || !isCurrent) return null
  return {
    unsent: Math.max(report.unsent.length, status.unsent),
    refused: Math.max(report.refused.length, status.attention),
    held: report.held.length,
  }
}

export const isAllThere = (open: Open | null): boolean => open?.unsent === 0 && open.refused === 0

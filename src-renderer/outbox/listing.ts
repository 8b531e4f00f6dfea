import type { OperationView } from '../../src-shared/ipc/operation-view'

/** A list of the outbox: what stands first of `total`. */
export interface Listing {
  operations: OperationView[]
  total: number
}

export const emptyListing: Listing = { operations: [], total: 0 }

/** What is done, newest first, that of today apart; `day` as `Date.toDateString` writes it. */
export function dayGroups({ operations, total }: Listing, day: string) {
  const isOfDay = ({ performedAt }: OperationView) => new Date(performedAt).toDateString() === day
  const today = operations.filter(isOfDay)
  const earlier = operations.filter((one) => !isOfDay(one))
  // What is not shown any more is older than what is.
  const rest = total - operations.length
  const isAllToday = earlier.length === 0
  return {
    today: { operations: today, total: today.length + (isAllToday ? rest : 0) },
    earlier: { operations: earlier, total: earlier.length + (isAllToday ? 0 : rest) },
  }
}

/**
 * The new list, with the old object for each operation that is as it was: only rows that changed are drawn again, also
 * while thousands go out.
 */
export function renewed(before: Listing, after: Listing): Listing {
  const known = new Map(before.operations.map((operation) => [operation.id, operation]))
  const operations = after.operations.map((operation) => {
    const old = known.get(operation.id)
    return old && JSON.stringify(old) === JSON.stringify(operation) ? old : operation
  })
  return { operations, total: after.total }
}

import type { OperationView } from '../../src-shared/ipc/contract/outbox'
import { keepUnchanged } from '../ui/keep-unchanged'

/** A list of the outbox: the first of `total`. */
export interface Listing {
  operations: OperationView[]
  total: number
}

export const emptyListing: Listing = { operations: [], total: 0 }

/** The new list, with the old object for each operation that did not change. */
export const renewed = (before: Listing, { operations, total }: Listing): Listing => ({
  operations: keepUnchanged(before.operations, operations, ({ id }) => id),
  total,
})

/** The done operations of `day` (as `Date.toDateString` writes it) and the earlier ones, newest first. */
export function dayGroups({ operations, total }: Listing, day: string) {
  const isOfDay = ({ performedAt }: OperationView) => new Date(performedAt).toDateString() === day
  const today = operations.filter(isOfDay)
  const earlier = operations.filter((one) => !isOfDay(one))
  // What is not listed is older than what is.
  const rest = total - operations.length
  const isAllToday = earlier.length === 0
  return {
    today: { operations: today, total: today.length + (isAllToday ? rest : 0) },
    earlier: { operations: earlier, total: earlier.length + (isAllToday ? 0 : rest) },
  }
}

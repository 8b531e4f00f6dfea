import type { TagId } from '../../../../src-shared/ids'
import type { Operation } from '../../../../src-main/outbox/operation'
import type { Outcome } from '../../../../src-main/outbox/operation'
import { tag } from '../../../fakes/ids'
import { accepted } from './counter-desk'

/** A refusal that names every item of these tests, so that any of them may be removed from the refused sale. */
export const rejected: Outcome = {
  kind: 'rejected',
  reason: { code: 'service/not-imported', tagIds: [1, 2, 3, 4, 5, 6].map(tag) },
}

/** A service that goes by its own state: a void frees every item sold under its order, whatever the station believes. */
export function createModelService() {
  const sold = new Map<TagId, string>()
  const taken = new Set<string>()
  const sums = { completed: 0, returned: 0, voided: 0 }
  const idleVoids: string[] = []
  let count = 0

  const free = (tagIds: TagId[]) => {
    for (const tagId of tagIds) sold.delete(tagId)
    return tagIds.length
  }
  const isTaken = ({ payload }: Operation, isOfSale: boolean): boolean => {
    if (!payload || !('orderId' in payload)) return true
    const { kind, orderId, tagIds } = payload
    if (kind === 'complete') {
      if (tagIds.some((tagId) => sold.has(tagId))) return false
      for (const tagId of tagIds) sold.set(tagId, orderId)
      taken.add(orderId)
      sums.completed += tagIds.length
    } else if (kind === 'return') {
      if (tagIds.some((tagId) => sold.get(tagId) !== orderId)) return false
      sums.returned += free(tagIds)
    } else {
      if (isOfSale && !taken.has(orderId)) idleVoids.push(orderId)
      sums.voided += free([...sold].flatMap(([tagId, of]) => (of === orderId ? [tagId] : [])))
    }
    return true
  }

  return {
    /** The order that each sold item was sold in. */
    sold,
    /** Item counts of all accepted reports. */
    sums,
    /** Voids of a sale of the station that never reached this service. */
    idleVoids,
    get count() {
      return count
    },
    /** `isOfSale`: the operation is a void made while the sale stood. */
    answer(operation: Operation, isOfSale: boolean): Outcome {
      if (!isTaken(operation, isOfSale)) return rejected
      count++
      return accepted
    },
  }
}

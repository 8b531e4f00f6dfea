import type { TagId } from '../../src-shared/ids'
import type { Operation } from './operation'
import type { Outbox } from './outbox'
import { orderKey, tagKey } from './payload'

/**
 * The sales of this station that the service certainly took as they were sent, with their moments in ms since 1970. A sale
 * that counts as accepted because it was "already processed" may stand there with another moment: it is left out.
 */
export interface Sales {
  /** The items of an operation's order that were sold before it and have not come back, each with its moment. */
  heldBefore(operation: Operation): Map<TagId, number>
  /** Every moment at which this station sold an item. */
  momentsOf(tagId: TagId): number[]
  /** The latest sales of items that nothing of ours has touched since, newest first, at most `count`. */
  latest(count: number): Sold[]
}

export interface Sold {
  tagId: TagId
  /** ms since 1970. */
  at: number
}

/** So many of what was done last are looked through for sales. */
const mostLookedThrough = 100

export function createSales(read: Pick<Outbox['read'], 'byKey' | 'recent'>): Sales {
  return {
    heldBefore({ seq, payload }) {
      const held = new Map<TagId, number>()
      if (!payload || !('orderId' in payload)) return held
      for (const earlier of read.byKey(orderKey(payload.orderId))) {
        if (earlier.seq >= seq || earlier.state !== 'accepted') continue
        if (isSale(earlier)) for (const tagId of tagsOf(earlier)) held.set(tagId, Date.parse(earlier.performedAt))
        else if (earlier.kind === 'void') held.clear()
        else for (const tagId of tagsOf(earlier)) held.delete(tagId)
      }
      return held
    },
    momentsOf: (tagId) =>
      read
        .byKey(tagKey(tagId))
        .filter((operation) => operation.state === 'accepted' && isSale(operation))
        .map((operation) => Date.parse(operation.performedAt)),
    latest(count) {
      const sales: Sold[] = []
      for (const operation of read.recent(mostLookedThrough)) {
        if (sales.length >= count) break
        if (operation.state !== 'accepted' || !isSale(operation)) continue
        const orderId = operation.payload && 'orderId' in operation.payload ? operation.payload.orderId : null
        const isLast = orderId !== null && read.byKey(orderKey(orderId)).every(({ seq }) => seq <= operation.seq)
        const [tagId] = tagsOf(operation)
        const isTouched = tagId === undefined || read.byKey(tagKey(tagId)).some(({ seq }) => seq > operation.seq)
        if (isLast && !isTouched) sales.push({ tagId, at: Date.parse(operation.performedAt) })
      }
      return sales
    },
  }
}

/** Only a sale that the service itself showed or said yes to is known to stand there at our moment. */
const isSale = ({ kind, note }: Operation) =>
  kind === 'complete' && note !== 'already-processed' && note !== 'confirmed'

const tagsOf = ({ payload }: Operation) => (payload && 'tagIds' in payload ? payload.tagIds : [])

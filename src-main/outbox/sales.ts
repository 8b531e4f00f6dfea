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
}

export function createSales(read: Pick<Outbox['read'], 'byKey'>): Sales {
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
  }
}

const isSale = ({ kind, note }: Operation) => kind === 'complete' && note !== 'already-processed'

const tagsOf = ({ payload }: Operation) => (payload && 'tagIds' in payload ? payload.tagIds : [])

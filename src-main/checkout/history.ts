import type { OrderId, TagId } from '../../src-shared/ids'
import type { OrderView } from '../../src-shared/ipc/checkout-view'
import type { Operation } from '../outbox/operation'
import type { Outbox } from '../outbox/outbox'
import { orderKey, tagKey } from '../outbox/payload'

/** Where an item is, as far as this station did it. */
export type ItemHistory =
  | { kind: 'sold'; orderId: OrderId; at: string }
  /** In a sale that the service refused: not sold, and not free until somebody deals with it. */
  | { kind: 'refused'; orderId: OrderId }
  | { kind: 'returned'; orderId: OrderId }
  | { kind: 'voided'; orderId: OrderId }
  | { kind: 'untouched' }

/** What this station did to items and orders, read from its operations: there is no second record to disagree with. */
export interface History {
  item(tagId: TagId): ItemHistory
  /** Oldest first, withdrawn and dismissed ones included. */
  order(orderId: OrderId): Operation[]
  /** Every item that this station knows of an order, and what became of it. */
  itemsOf(orderId: OrderId): { tagId: TagId; state: OrderView['items'][number]['state'] }[]
}

/** Counts as done: reported, or on its way. A refused sale keeps its items until somebody deals with it. */
const counts = ({ kind, state }: Operation) => state !== 'cancelled' && !(state === 'rejected' && kind !== 'complete')

export function createHistory(outbox: Outbox): History {
  const order = (orderId: OrderId) => outbox.read.byKey(orderKey(orderId))
  return {
    item(tagId) {
      const last = outbox.read.byKey(tagKey(tagId)).findLast(counts)
      const payload = last?.payload
      if (!last || !payload || !('orderId' in payload)) return { kind: 'untouched' }
      const { orderId } = payload
      if (last.state === 'rejected') return { kind: 'refused', orderId }
      if (payload.kind === 'complete') return { kind: 'sold', orderId, at: last.performedAt }
      return { kind: payload.kind === 'return' ? 'returned' : 'voided', orderId }
    },
    order,
    itemsOf(orderId) {
      const items = new Map<TagId, OrderView['items'][number]['state']>()
      for (const operation of order(orderId)) {
        const { payload } = operation
        if (!payload || !('orderId' in payload)) continue
        for (const tagId of payload.tagIds) {
          if (counts(operation)) items.set(tagId, stateAfter[payload.kind])
          else if (payload.kind === 'complete') items.set(tagId, 'withdrawn')
        }
      }
      return [...items].map(([tagId, state]) => ({ tagId, state }))
    },
  }
}

const stateAfter = { complete: 'sold', return: 'returned', void: 'voided' } as const

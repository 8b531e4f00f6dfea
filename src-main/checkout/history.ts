import type { OrderId, TagId } from '../../src-shared/ids'
import type { OrderView } from '../../src-shared/ipc/checkout-view'
import { type Operation, isFinished } from '../outbox/operation'
import type { Outbox } from '../outbox/outbox'
import { type Payload, orderKey, tagKey } from '../outbox/payload'

/** Where an item is, as far as this station did it. */
export type ItemHistory =
  | { kind: 'sold'; orderId: OrderId; at: string }
  /** In a sale that the service refused: not sold, and not free until somebody deals with it. */
  | { kind: 'refused'; orderId: OrderId }
  | { kind: 'returned'; orderId: OrderId }
  | { kind: 'voided'; orderId: OrderId }
  | { kind: 'untouched' }

export interface OrderItem {
  tagId: TagId
  state: OrderView['items'][number]['state']
}

/** What this station did to items and orders, read from its operations: there is no second record to disagree with. */
export interface History {
  item(tagId: TagId): ItemHistory
  /** Sales, returns and voids of an item, oldest first, withdrawn and dismissed ones included. */
  reportsOf(tagId: TagId): Operation[]
  /** The same of an order. */
  order(orderId: OrderId): Operation[]
  /** The sale of an order, if it stands and nobody knows yet whether the service takes it. */
  unsettledSale(orderId: OrderId): Operation | undefined
}

type OfOrder = Extract<Payload, { orderId: OrderId }>

/** What a sale, return or void is of; undefined of any other operation. */
export const ofOrder = ({ payload }: Operation): OfOrder | undefined =>
  payload && 'orderId' in payload ? payload : undefined

/** Counts as done: reported, or on its way. A refused sale keeps its items until somebody deals with it. */
const counts = ({ kind, state }: Operation) => state !== 'cancelled' && !(state === 'rejected' && kind !== 'complete')

export function createHistory(outbox: Pick<Outbox, 'read'>): History {
  const reportsOf = (tagId: TagId) =>
    // Changes of what a case holds have the key too.
    outbox.read.byKey(tagKey(tagId)).filter((one) => ofOrder(one)?.tagIds.includes(tagId))
  const order = (orderId: OrderId) => outbox.read.byKey(orderKey(orderId))
  return {
    item(tagId) {
      const last = reportsOf(tagId).findLast(counts)
      const payload = last && ofOrder(last)
      if (!payload) return { kind: 'untouched' }
      const { orderId } = payload
      if (last.state === 'rejected') return { kind: 'refused', orderId }
      if (payload.kind === 'complete') {
        // It need not name the item: a void ends the whole order.
        const isVoided = order(orderId).some((one) => one.kind === 'void' && one.seq > last.seq && counts(one))
        return isVoided ? { kind: 'voided', orderId } : { kind: 'sold', orderId, at: last.performedAt }
      }
      return { kind: payload.kind === 'return' ? 'returned' : 'voided', orderId }
    },
    reportsOf,
    order,
    unsettledSale(orderId) {
      const sale = saleIn(order(orderId))
      return sale && !isFinished(sale.state) ? sale : undefined
    },
  }
}

/** The sale of an order, from its operations; undefined when this station made none that stands. */
export const saleIn = (operations: Operation[]) =>
  operations.findLast((one) => one.kind === 'complete' && one.state !== 'cancelled')

/** Every item that this station knows of an order, and what became of it, from the order's operations, oldest first. */
export function itemsIn(operations: Operation[]): OrderItem[] {
  const items = new Map<TagId, OrderItem['state']>()
  for (const operation of operations) {
    const payload = ofOrder(operation)
    if (!payload) continue
    if (payload.kind === 'void' && counts(operation)) {
      // What the order still holds then, whether or not it was known when the void was saved.
      for (const [tagId, state] of items) if (state === 'sold') items.set(tagId, 'voided')
    }
    for (const tagId of payload.tagIds) {
      if (counts(operation)) items.set(tagId, stateAfter[payload.kind])
      else if (payload.kind === 'complete') items.set(tagId, 'withdrawn')
    }
  }
  return [...items].map(([tagId, state]) => ({ tagId, state }))
}

const stateAfter = { complete: 'sold', return: 'returned', void: 'voided' } as const

import { midnightOf } from '../core/clock'
import type { OrderId, TagId } from '../../src-shared/ids'
import type { OrderView } from '../../src-shared/ipc/contract/checkout'
import { type Operation, isFinished } from '../outbox/operation'
import type { Outbox } from '../outbox/outbox'
import { type Payload, orderKey, tagKey } from '../outbox/payload'

/** What this station last did with an item. */
export type ItemHistory =
  | { kind: 'sold'; orderId: OrderId; at: string }
  /** In a sale that the service refused: neither sold nor free until a person resolves the sale. */
  | { kind: 'refused'; orderId: OrderId }
  | { kind: 'returned'; orderId: OrderId; at: string }
  | { kind: 'voided'; orderId: OrderId; at: string }
  | { kind: 'untouched' }

export interface OrderItem {
  tagId: TagId
  state: Exclude<OrderView['items'][number]['state'], 'not-reported'>
}

type OrderPayload = Extract<Payload, { orderId: OrderId }>

/** The payload of a sale, return or void; undefined for other operations. */
export const ofOrder = ({ payload }: Operation): OrderPayload | undefined =>
  payload && 'orderId' in payload ? payload : undefined

/** What people wrote about a sale, return or void: its note, and what was permitted of the items still in it. */
export function remarksOf({ note, permits = [], tagIds }: OrderPayload): string[] {
  const permitted = permits.flatMap(({ tagId, text }) => (tagIds.includes(tagId) ? text : []))
  return [...new Set([...(note === undefined ? [] : [note]), ...permitted])]
}

/** True if reported or to be reported. A refused sale keeps its items until a person resolves it. */
const counts = ({ kind, state }: Pick<Operation, 'kind' | 'state'>) =>
  state !== 'cancelled' && !(state === 'rejected' && kind !== 'complete')

/** What this station did to items and orders. Read from its operations, so that no second record can disagree with them. */
export class History {
  readonly #outbox: Pick<Outbox, 'read'>

  constructor(outbox: Pick<Outbox, 'read'>) {
    this.#outbox = outbox
  }

  item(tagId: TagId): ItemHistory {
    const last = this.reportsOf(tagId).findLast(counts)
    const payload = last && ofOrder(last)
    if (!payload) return { kind: 'untouched' }
    const { orderId } = payload
    if (last.state === 'rejected') return { kind: 'refused', orderId }
    if (payload.kind === 'complete') {
      // A void ends the whole order, whether or not it names the item.
      const voided = this.order(orderId).findLast((one) => one.kind === 'void' && one.seq > last.seq && counts(one))
      return voided
        ? { kind: 'voided', orderId, at: voided.performedAt }
        : { kind: 'sold', orderId, at: last.performedAt }
    }
    return { kind: payload.kind === 'return' ? 'returned' : 'voided', orderId, at: last.performedAt }
  }

  /** Sales, returns and voids of an item, oldest first, withdrawn and dismissed ones included. */
  reportsOf(tagId: TagId): Operation[] {
    // Changes of a case's contents have the item's key, too.
    return this.#outbox.read.byKey(tagKey(tagId)).filter((one) => ofOrder(one)?.tagIds.includes(tagId))
  }

  /** Sales, returns and voids of an order, likewise. */
  order(orderId: OrderId): Operation[] {
    return this.#outbox.read.byKey(orderKey(orderId))
  }

  /** The sale of an order while it is not known whether the service accepts it; undefined if it was withdrawn. */
  unsettledSale(orderId: OrderId): Operation | undefined {
    const sale = saleIn(this.order(orderId))
    return sale && !isFinished(sale.state) ? sale : undefined
  }
}

/** The last sale of an order that was not withdrawn, from the order's operations. */
export const saleIn = <T extends Pick<Operation, 'kind' | 'state'>>(operations: T[]): T | undefined =>
  operations.findLast((one) => one.kind === 'complete' && one.state !== 'cancelled')

/** Every item that this station knows of an order and its state, from the order's operations, oldest first. */
export const itemsIn = (operations: Operation[]): OrderItem[] =>
  itemsOf(
    operations.flatMap((operation) => {
      const payload = ofOrder(operation)
      return payload ? [{ kind: payload.kind, state: operation.state, tagIds: payload.tagIds }] : []
    }),
  )

/** Every item of an order and its state, from what lists read of the operations. */
export function itemsOf(reports: (Pick<OrderPayload, 'kind' | 'tagIds'> & Pick<Operation, 'state'>)[]): OrderItem[] {
  const items = new Map<TagId, OrderItem['state']>()
  for (const report of reports) {
    if (report.kind === 'void' && counts(report)) {
      // A void applies to all items that the order still holds, also those unknown when it was saved.
      for (const [tagId, state] of items) if (state === 'sold') items.set(tagId, 'voided')
    }
    for (const tagId of report.tagIds) {
      if (counts(report)) items.set(tagId, stateAfter[report.kind])
      else if (report.kind === 'complete') items.set(tagId, 'withdrawn')
    }
  }
  return [...items].map(([tagId, state]) => ({ tagId, state }))
}

const stateAfter = { complete: 'sold', return: 'returned', void: 'voided' } as const

/** Ms since 1970: start, and end (exclusive). */
export type Span = [from: number, to: number]

/** A local day, or all from one to the `last`; YYYY-MM-DD. */
export function spanOf(day: string, last = day): Span {
  return [midnightOf(day), midnightOf(last, 1)]
}

/** The local day of a moment, YYYY-MM-DD. */
export function dayOf(moment: number): string {
  const date = new Date(moment)
  const [month, day] = [date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0'))
  return `${date.getFullYear()}-${month}-${day}`
}

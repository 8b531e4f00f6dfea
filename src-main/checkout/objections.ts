import type { AppError } from '../../src-shared/errors'
import type { OrderId, TagId } from '../../src-shared/ids'
import type { CartMode, CartView } from '../../src-shared/ipc/checkout-view'
import type { Operation } from '../outbox/operation'
import type { CounterRules } from './counter-rules'
import type { History } from './history'
import type { OpenOrders } from './open-orders'

/** What this station itself has to say against a step, before anything is saved. */
export interface Objections {
  /** Errors: checkout/duplicate, -in-open-order, -already-sold, -in-refused-order, -already-returned, -in-other-order. */
  toAdd(mode: CartMode, tagId: TagId): AppError | undefined
  /**
   * `isMeant`: lines may hold another number than they should. Errors: checkout/empty-cart, -order-id-missing, -budtender-missing, -not-as-expected, -unchecked, -order-id-used,
   * -order-voided, -order-needs-attention, and those of items as in `toAdd`.
   */
  toFinish(cart: CartView, isMeant?: boolean): AppError | undefined
  /** Errors: checkout/order-voided, -order-needs-attention, -order-unknown. */
  toVoid(orderId: OrderId, operations: Operation[]): AppError | undefined
}

export function createObjections(orders: OpenOrders, history: History, rules: CounterRules): Objections {
  const toSell = (tagId: TagId): AppError | undefined => {
    const past = history.item(tagId)
    if (past.kind === 'refused') return { code: 'checkout/in-refused-order', tagId, orderId: past.orderId }
    return past.kind === 'sold'
      ? { code: 'checkout/already-sold', tagId, orderId: past.orderId, soldAt: past.at }
      : undefined
  }
  const toReturnInto = (orderId: OrderId | null, tagId: TagId): AppError | undefined => {
    const past = history.item(tagId)
    if (past.kind === 'refused') return { code: 'checkout/in-refused-order', tagId, orderId: past.orderId }
    if (past.kind === 'returned' || past.kind === 'voided') {
      return { code: 'checkout/already-returned', tagId, orderId: past.orderId }
    }
    return past.kind === 'sold' && orderId !== null && orderId !== past.orderId
      ? { code: 'checkout/in-other-order', tagId, orderId: past.orderId }
      : undefined
  }
  const toFinishSale = ({ budtender, lines }: CartView, orderId: OrderId, tagIds: TagId[]): AppError | undefined => {
    const { requiresBudtender, takesUnchecked } = rules.view()
    if (requiresBudtender && budtender === null) return { code: 'checkout/budtender-missing' }
    const isUsed = history.order(orderId).some((one) => one.kind === 'complete' && one.state !== 'cancelled')
    if (isUsed) return { code: 'checkout/order-id-used', orderId }
    const unheard = lines.flatMap(({ items }) => items).find(({ flag }) => flag === 'looking' || flag === 'unchecked')
    if (unheard && !takesUnchecked) return { code: 'checkout/unchecked', tagId: unheard.tagId }
    return firstOf(tagIds, toSell)
  }
  const toFinishReturn = (orderId: OrderId, tagIds: TagId[]): AppError | undefined => {
    const operations = history.order(orderId)
    if (isVoided(operations)) return { code: 'checkout/order-voided', orderId }
    if (needsAttention(operations)) return { code: 'checkout/order-needs-attention', orderId }
    return firstOf(tagIds, (tagId) => toReturnInto(orderId, tagId))
  }

  return {
    toAdd(mode, tagId) {
      const holder = orders.holderOf(tagId)
      const front = orders.front(mode)
      if (holder?.id === front.id) return { code: 'checkout/duplicate', tagId }
      if (holder) return { code: 'checkout/in-open-order', tagId, orderId: holder.orderId }
      return mode === 'sale' ? toSell(tagId) : toReturnInto(front.orderId, tagId)
    },
    toFinish(cart, isMeant = false) {
      const { mode, orderId, lines } = cart
      const tagIds = lines.flatMap(({ items }) => items.map(({ tagId }) => tagId))
      if (tagIds.length === 0) return { code: 'checkout/empty-cart' }
      if (orderId === null) return { code: 'checkout/order-id-missing' }
      for (const { expected, items } of lines) {
        if (isMeant || expected === null || expected === items.length) continue
        return { code: 'checkout/not-as-expected', expected, scanned: items.length }
      }
      return mode === 'sale' ? toFinishSale(cart, orderId, tagIds) : toFinishReturn(orderId, tagIds)
    },
    toVoid(orderId, operations) {
      if (isVoided(operations)) return { code: 'checkout/order-voided', orderId }
      if (needsAttention(operations)) return { code: 'checkout/order-needs-attention', orderId }
      // An order that this station never saw may be another till's; one whose every report was taken back is nobody's.
      const isWithdrawn = operations.length > 0 && operations.every((one) => one.state === 'cancelled')
      return isWithdrawn ? { code: 'checkout/order-unknown', orderId } : undefined
    },
  }
}

function firstOf(tagIds: TagId[], objection: (tagId: TagId) => AppError | undefined): AppError | undefined {
  for (const tagId of tagIds) {
    const found = objection(tagId)
    if (found) return found
  }
  return undefined
}

const needsAttention = (operations: Operation[]) => operations.some((one) => one.state === 'rejected')

const isVoided = (operations: Operation[]) =>
  operations.some((one) => one.kind === 'void' && one.state !== 'cancelled' && one.state !== 'rejected')

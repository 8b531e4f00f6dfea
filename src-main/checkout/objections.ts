import type { AppError } from '../../src-shared/errors'
import type { OrderId, TagId } from '../../src-shared/ids'
import type { CartMode } from '../../src-shared/ipc/checkout-view'
import type { Operation } from '../outbox/operation'
import type { Carts } from './carts'
import type { History } from './history'

/** What this station itself has to say against a step, before anything is saved. */
export interface Objections {
  /** Errors: checkout/duplicate, -already-sold, -in-refused-order, -already-returned, -in-other-order. */
  toAdd(mode: CartMode, tagId: TagId): AppError | undefined
  /** Errors: checkout/empty-cart, -order-id-missing, -order-id-used, -order-voided, -order-needs-attention, -in-other-order. */
  toFinish(mode: CartMode, orderId: OrderId | null, tagIds: TagId[]): AppError | undefined
  /** Errors: checkout/order-voided, -order-needs-attention, -order-unknown. */
  toVoid(orderId: OrderId, operations: Operation[]): AppError | undefined
}

export function createObjections(carts: Carts, history: History): Objections {
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

  return {
    toAdd(mode, tagId) {
      if (carts.has(mode, tagId)) return { code: 'checkout/duplicate', tagId }
      if (mode === 'return') return toReturnInto(carts.orderOf(mode), tagId)
      const past = history.item(tagId)
      if (past.kind === 'refused') return { code: 'checkout/in-refused-order', tagId, orderId: past.orderId }
      return past.kind === 'sold'
        ? { code: 'checkout/already-sold', tagId, orderId: past.orderId, soldAt: past.at }
        : undefined
    },
    toFinish(mode, orderId, tagIds) {
      if (tagIds.length === 0) return { code: 'checkout/empty-cart' }
      if (orderId === null) return { code: 'checkout/order-id-missing' }
      const operations = history.order(orderId)
      if (mode === 'sale') {
        const isUsed = operations.some((one) => one.kind === 'complete' && one.state !== 'cancelled')
        return isUsed ? { code: 'checkout/order-id-used', orderId } : undefined
      }
      if (isVoided(operations)) return { code: 'checkout/order-voided', orderId }
      if (needsAttention(operations)) return { code: 'checkout/order-needs-attention', orderId }
      return tagIds.map((tagId) => toReturnInto(orderId, tagId)).find((objection) => objection !== undefined)
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

const needsAttention = (operations: Operation[]) => operations.some((one) => one.state === 'rejected')

const isVoided = (operations: Operation[]) =>
  operations.some((one) => one.kind === 'void' && one.state !== 'cancelled' && one.state !== 'rejected')

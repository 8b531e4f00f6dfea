import type { AppError } from '../../src-shared/errors'
import type { OperationId, OrderId, TagId } from '../../src-shared/ids'
import type { CartMode, CartView } from '../../src-shared/ipc/checkout-view'
import type { OperationView } from '../../src-shared/ipc/operation-view'
import { namedTags } from '../../src-shared/named-tags'
import { type Result, err, ok } from '../../src-shared/result'
import { isForPerson } from '../outbox/operation'
import type { Counter } from './counter'
import { ofOrder } from './history'

/** The order as the person saw it, and why it came back. `isMeant`: though a line does not hold what it should. */
export interface SeenCart {
  orderId: OrderId | null
  itemCount: number
  revision: number
  isMeant?: boolean | undefined
  note?: string | undefined
}

/** Orders reported, and what becomes of those that the service refused. */
export interface Finishing {
  /**
   * Saves the report and takes the open order away in one commit. Errors: checkout/cart-changed, those of
   * `Objections.toFinish`, store/not-saved. A refusal of the service is in the operation's view.
   */
  finish(mode: CartMode, seen: SeenCart): Promise<Result<OperationView, AppError>>
  /**
   * Puts the items of a refused report back where they can be changed. Errors: outbox/not-found, outbox/wrong-state,
   * checkout/cart-not-empty, checkout/in-open-order, store/not-saved.
   */
  reopen(operationId: OperationId): Result<CartView, AppError>
  /**
   * Sends a refused report again, in its place, without some of the items that the service named. Errors:
   * outbox/not-found, outbox/wrong-state, checkout/cart-changed (none of them is in it, or one was not named),
   * checkout/empty-cart (nothing is left), store/not-saved.
   */
  amend(operationId: OperationId, without: TagId[]): Promise<Result<OperationView, AppError>>
}

export function createFinishing(counter: Counter): Finishing {
  const { orders, views, history, objections, flags, outbox, reporting, clock, onCart } = counter

  const refused = (operationId: OperationId) => {
    const operation = outbox.read.byId(operationId)
    const payload = operation && ofOrder(operation)
    return payload && payload.kind !== 'void' ? { operation, payload } : undefined
  }

  return {
    finish(mode, seen) {
      const cart = views.cart(mode)
      const isAsSeen =
        cart.revision === seen.revision && cart.itemCount === seen.itemCount && cart.orderId === seen.orderId
      const no = isAsSeen ? objections.toFinish(cart, seen.isMeant) : { code: 'checkout/cart-changed' as const }
      const { orderId, budtender } = cart
      const { customerId } = orders.front(mode)
      if (no || orderId === null) return Promise.resolve(err(no ?? { code: 'checkout/order-id-missing' }))
      // Of a sale that is not settled: what comes of the sale becomes of its return.
      const sale = mode === 'return' ? history.unsettledSale(orderId) : undefined
      const reported = outbox.enqueue(
        {
          kind: mode === 'sale' ? 'complete' : 'return',
          orderId,
          tagIds: orders.itemsOf(orders.front(mode)).map(({ tagId }) => tagId),
          ...(budtender ? { budtenderId: budtender.id } : {}),
          ...(customerId === null ? {} : { customerId }),
          ...(seen.note ? { note: seen.note } : {}),
        },
        {
          ...(sale && { undoes: sale.id }),
          alongside: () => {
            orders.renew(mode)
          },
        },
      )
      if (reported.ok) onCart(views.cart(mode))
      return reporting.report(reported)
    },
    reopen(operationId) {
      const payload = refused(operationId)?.payload
      if (!payload) return err({ code: 'outbox/not-found' })
      const mode: CartMode = payload.kind === 'complete' ? 'sale' : 'return'
      if (!orders.isEmpty(orders.front(mode))) return err({ code: 'checkout/cart-not-empty' })
      // One of them may have been scanned as coming back before its sale was refused.
      for (const tagId of payload.tagIds) {
        const holder = orders.holderOf(tagId)
        if (holder) return err({ code: 'checkout/in-open-order', tagId, orderId: holder.orderId })
      }
      const reopened = outbox.reopen(operationId, () => {
        const { orderId, budtenderId, customerId = null } = payload
        orders.set(mode, { orderId, customerId, ...(budtenderId === undefined ? {} : { budtenderId }) })
        for (const tagId of payload.tagIds) {
          orders.add(mode, { tagId, flag: flags.byMemory(mode, tagId), scannedAt: clock.now() })
        }
      })
      if (!reopened.ok) return reopened
      const cart = views.cart(mode)
      onCart(cart)
      return ok(cart)
    },
    amend(operationId, without) {
      const found = refused(operationId)
      if (!found) return Promise.resolve(err({ code: 'outbox/not-found' }))
      const { operation, payload } = found
      // What may have been taken, may have been with all its items.
      if (operation.state !== 'rejected' || isForPerson(operation)) {
        return Promise.resolve(err({ code: 'outbox/wrong-state', state: operation.state }))
      }
      const tagIds = payload.tagIds.filter((tagId) => !without.includes(tagId))
      if (tagIds.length === payload.tagIds.length) return Promise.resolve(err({ code: 'checkout/cart-changed' }))
      if (tagIds.length === 0) return Promise.resolve(err({ code: 'checkout/empty-cart' }))
      // What the service did not name was sold: it is reported, whoever would rather not.
      const named = namedTags(operation.reason)
      if (without.some((tagId) => !named.includes(tagId)))
        return Promise.resolve(err({ code: 'checkout/cart-changed' }))
      return reporting.report(outbox.correct(operationId, { ...payload, tagIds }))
    },
  }
}

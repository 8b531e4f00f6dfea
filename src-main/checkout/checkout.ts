import type { AppError } from '../../src-shared/errors'
import type { TagId } from '../../src-shared/ids'
import type { CartMode, CartView, CheckoutSettings } from '../../src-shared/ipc/checkout-view'
import { type Result, err, ok } from '../../src-shared/result'
import { saved } from '../store/saved'
import { nameKey } from './cart-view'
import { type CheckoutParts, openCounter } from './counter'
import { type DayBook, createDayBook } from './day-book'
import { type Finishing, createFinishing } from './finishing'
import { type Holding, createHolding } from './holding'
import type { About } from './open-orders'
import { type OrderDesk, createOrderDesk } from './order-desk'
import { type OrderList, createOrderList } from './order-list'
import { type Scanning, createScanning } from './scanning'

/**
 * What happens at the counter: items into an order, orders on hold, the sale or return reported, an order voided, the day
 * closed. The rules are in checkout.md.
 */
export interface Checkout extends Scanning, Holding, Finishing, OrderDesk, OrderList, DayBook {
  cart(mode: CartMode): CartView
  /** What a person says of the order in front. Errors of all of these: store/not-saved. */
  setOrder(mode: CartMode, orderId: About['orderId']): Result<CartView, AppError>
  /** Stays set for the orders to come. */
  setBudtender(mode: CartMode, budtenderId: About['budtenderId']): Result<CartView, AppError>
  setCustomer(mode: CartMode, customerId: About['customerId']): Result<CartView, AppError>
  /** How many there should be of a product. Errors: checkout/cart-changed (no such line, any more, or not known of what). */
  setExpected(mode: CartMode, key: string, expected: number | null): Result<CartView, AppError>
  removeItem(mode: CartMode, tagId: TagId): Result<CartView, AppError>
  /** Everything but who serves; `revision` is of the cart that the person saw. Errors: checkout/cart-changed. */
  clear(mode: CartMode, revision: number): Result<CartView, AppError>
  settings(): CheckoutSettings
  setSettings(settings: CheckoutSettings): Result<null, AppError>
}

export function createCheckout(parts: CheckoutParts): Checkout {
  const counter = openCounter(parts)
  const { orders, views, rules, seal, change } = counter

  return {
    ...createScanning(counter),
    ...createHolding(counter),
    ...createFinishing(counter),
    ...createOrderDesk(counter),
    ...createOrderList(counter),
    ...createDayBook(counter),
    cart: (mode) => views.cart(mode),
    setOrder: (mode, orderId) =>
      change(mode, () => {
        orders.set(mode, { orderId })
      }),
    setBudtender(mode, budtenderId) {
      // Nobody scans their badge twice for what nobody has begun.
      const other = mode === 'sale' ? 'return' : 'sale'
      const isBegun = orders.itemsOf(orders.front(other)).length > 0
      const set = change(mode, () => {
        orders.set(mode, { budtenderId })
        if (!isBegun) orders.set(other, { budtenderId })
      })
      if (set.ok && !isBegun) counter.onCart(views.cart(other))
      return set
    },
    setCustomer: (mode, customerId) =>
      change(mode, () => {
        orders.set(mode, { customerId: customerId === null ? null : seal.seal(customerId) })
      }),
    setExpected(mode, key, expected) {
      const line = views.cart(mode).lines.find((one) => one.key === key)
      const productName = line?.productName ?? null
      // Of what nobody knows the product, nothing can be expected; what was, can be taken back.
      if (!line || (productName === null && expected !== null)) return err({ code: 'checkout/cart-changed' })
      return change(mode, () => {
        const order = orders.front(mode)
        if (productName !== null) orders.setExpected(order, nameKey(productName), null)
        orders.setExpected(order, key, expected)
      })
    },
    removeItem: (mode, tagId) =>
      change(mode, () => {
        orders.remove(orders.front(mode), tagId)
      }),
    clear: (mode, revision) =>
      orders.revision(mode) === revision
        ? change(mode, () => {
            orders.renew(mode)
          })
        : err({ code: 'checkout/cart-changed' }),
    settings: () => rules.view(),
    setSettings: (settings) =>
      saved(() => {
        rules.set(settings)
        return ok(null)
      }),
  }
}

import { isDeepStrictEqual } from 'node:util'
import type { AppError } from '../../src-shared/errors'
import type { TagId } from '../../src-shared/ids'
import { type CartChange, CartMode, type CheckoutSettings } from '../../src-shared/ipc/contract/checkout'
import { type Result, err, ok } from '../../src-shared/result'
import { saved } from '../database/saved'
import { nameKey } from './cart'
import { type CheckoutParts, createCounter } from './counter'
import { createDayBook } from '../day/day-book'
import { createFinishing } from './finishing'
import { createLettingGo } from './letting-go'
import type { About } from './open-orders'
import { createOrders } from '../day/orders'
import { ItemNews } from './item-news'
import { Reevaluation } from './reevaluation'
import { createSharedOrders } from './shared-orders'
import { Scanning } from './scanning'
import { createStoreDays } from '../day/store-day'

export type Checkout = ReturnType<typeof createCheckout>

/**
 * The counter: what a person enters for the current sale or return, sales on hold, scans, reports, the orders of the day.
 * Each step is one commit; each change of a cart is announced once. The rules are in counter.md.
 */
export function createCheckout(parts: CheckoutParts) {
  const counter = createCounter(parts)
  const reevaluation = new Reevaluation(counter)
  const { orders, views, rules, seal, clock, save, change, announce, events } = counter
  const shared = parts.sharing && createSharedOrders(counter, parts.sharing)
  const storeDays = parts.sharing && createStoreDays(counter, parts.sharing.hub)

  const news = new ItemNews(counter, reevaluation)
  const scanning = new Scanning({ counter, reevaluation, news })

  const heldById = (id: number) => {
    const order = orders.byId(id)
    return order?.heldAt == null ? undefined : order
  }
  const heldChanged = <T>(step: Result<T, AppError>) => {
    if (step.ok) counter.announceHeld()
    shared?.push()
    return step
  }

  return {
    addItem: (...scan: Parameters<Scanning['addItem']>) => scanning.addItem(...scan),
    askAgain: () => news.askAgain(),
    askAboutAll: (mode: CartMode) => news.askAboutAll(mode),
    ...createFinishing(counter, reevaluation),
    ...createLettingGo(counter, () => shared?.push()),
    ...createOrders(counter),
    ...createDayBook(counter),
    verdicts: counter.verdicts,
    cart: (mode: CartMode) => views.cart(mode),
    /** The orders on hold at this station. */
    held: () => views.held(),
    /** The orders on hold of the other stations; undefined without a hub. */
    shared,
    /** The day of the whole store; undefined without a hub. */
    storeDays,
    /** Errors of this and all below: store/not-saved. */
    setOrder: (mode: CartMode, orderId: About['orderId']): Result<CartChange, AppError> =>
      change(mode, () => {
        orders.set(mode, { orderId })
      }),
    /** Stays set for later orders. Also sets the budtender of the other cart while that has no items. */
    setBudtender(mode: CartMode, budtenderId: About['budtenderId']): Result<CartChange, AppError> {
      const other = mode === 'sale' ? 'return' : 'sale'
      const isBegun = orders.itemsOf(orders.front(other)).length > 0
      const set = change(mode, () => {
        orders.set(mode, { budtenderId })
        if (!isBegun) orders.set(other, { budtenderId })
      })
      if (set.ok && !isBegun) {
        orders.raise(other)
        announce(other)
      }
      return set
    },
    setCustomer: (mode: CartMode, customerId: About['customerId']): Result<CartChange, AppError> =>
      change(mode, () => {
        orders.set(mode, { customerId: customerId === null ? null : seal.seal(customerId) })
      }),
    /**
     * Sets how many items a line should hold. The line may have been known by its product's name when the count was
     * entered. Errors: checkout/cart-changed (no such line, or its product is unknown).
     */
    setExpected(mode: CartMode, key: string, expected: number | null): Result<CartChange, AppError> {
      const { lines } = views.cart(mode)
      const line =
        lines.find((one) => one.key === key) ??
        lines.find((one) => one.productName !== null && nameKey(one.productName) === key)
      const productName = line?.productName ?? null
      // A count of unknown items can be removed, but not set.
      if (!line || (productName === null && expected !== null)) return err({ code: 'checkout/cart-changed' })
      return change(mode, () => {
        const order = orders.front(mode)
        if (productName !== null) orders.setExpected(order, nameKey(productName), null)
        orders.setExpected(order, line.key, expected)
      })
    },
    removeItem: (mode: CartMode, tagId: TagId): Result<CartChange, AppError> =>
      change(mode, () => {
        orders.remove(orders.front(mode), tagId)
      }),
    /** Empties the cart except for the budtender. `revision`: of the cart as seen. Errors: checkout/cart-changed. */
    clear: (mode: CartMode, revision: number): Result<CartChange, AppError> =>
      orders.isUnchangedSince(mode, revision)
        ? change(mode, () => {
            orders.renew(mode)
          })
        : err({ code: 'checkout/cart-changed' }),
    /** Puts the current sale on hold. `revision`: as in `clear`. Errors: checkout/nothing-to-hold, -cart-changed. */
    hold(revision: number): Result<CartChange, AppError> {
      if (orders.isWithoutItems(orders.front('sale'))) return err({ code: 'checkout/nothing-to-hold' })
      if (!orders.isUnchangedSince('sale', revision)) return err({ code: 'checkout/cart-changed' })
      return heldChanged(
        change('sale', () => {
          orders.hold(clock.now())
        }),
      )
    },
    /**
     * Makes a held sale current, and holds the one that was, unless that is without items. Errors: checkout/not-held,
     * -order-begun (a number or customer of another order is typed in front).
     */
    resume(id: number): Result<CartChange, AppError> {
      const order = heldById(id)
      if (!order) return err({ code: 'checkout/not-held' })
      const objection = orders.resumeObjection(order)
      if (objection) return err(objection)
      return heldChanged(
        change('sale', () => {
          orders.resume(id, clock.now())
        }),
      )
    },
    /** Drops a held sale. Errors: checkout/not-held. */
    dropHeld(id: number): Result<null, AppError> {
      const order = heldById(id)
      if (!order) return err({ code: 'checkout/not-held' })
      return heldChanged(
        save(order, () => {
          orders.drop(id)
        }),
      )
    },
    settings: (): CheckoutSettings => rules.view(),
    /** Both carts and the orders on hold are announced: their verdicts and budtenders are shown by the new settings. */
    setSettings(settings: CheckoutSettings): Result<null, AppError> {
      const { takesUnchecked, levels } = rules.view()
      const set = saved(() => {
        rules.set(settings)
        return ok(null)
      })
      if (!set.ok) return set
      const isOther = takesUnchecked !== settings.takesUnchecked || !isDeepStrictEqual(levels, settings.levels)
      events.emit('checkout.settings', settings)
      for (const mode of CartMode.options) {
        orders.raise(mode, isOther ? 'warning' : 'news')
        const reevaluated = isOther ? reevaluation.reevaluate(orders.front(mode)) : undefined
        if (!reevaluated?.ok || reevaluated.value.length === 0) announce(mode)
      }
      if (isOther) for (const order of orders.held()) reevaluation.reevaluate(order)
      counter.announceHeld()
      return set
    },
  }
}

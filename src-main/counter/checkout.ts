import { isDeepStrictEqual } from 'node:util'
import type { AppError } from '../../src-shared/errors'
import type { TagId } from '../../src-shared/ids'
import { type CartChange, CartMode, type CartView, type CheckoutSettings } from '../../src-shared/ipc/contract/checkout'
import { type SignedIn, may } from '../../src-shared/people'
import { type Result, err, ok } from '../../src-shared/result'
import { saved } from '../database/saved'
import { type CartViews, nameKey } from './cart'
import { type Counter, counterOf } from './counter'
import type { CounterContext } from './counter-context'
import { DayBook } from '../day/day-book'
import { Finishing } from './finishing'
import { Holding } from './holding'
import { ItemNews } from './item-news'
import type { About } from './open-order-rows'
import { Orders } from '../day/orders'
import { Reevaluation } from './reevaluation'
import { SharedOrders } from './shared-orders'
import { Scanning } from './scanning'
import { StoreDays } from '../day/store-day'
import type { Verdicts } from './verdicts'

/**
 * The counter: what a person enters for the current sale or return, sales on hold, scans, reports, the orders of the day.
 * Each step is one commit; each change of a cart is announced once. The rules are in counter.md.
 */
export class Checkout {
  readonly scanning: Scanning
  readonly news: ItemNews
  readonly finishing: Finishing
  readonly holding: Holding
  readonly orders: Orders
  readonly dayBook: DayBook
  readonly verdicts: Verdicts
  /** The orders on hold of the other stations; undefined without a hub. */
  readonly shared: SharedOrders | undefined
  /** The day of the whole store; undefined without a hub. */
  readonly storeDays: StoreDays | undefined
  readonly #counter: Counter
  readonly #reevaluation: Reevaluation

  constructor(context: CounterContext) {
    const counter = counterOf(context)
    const { sharing } = context
    this.#counter = counter
    this.#reevaluation = new Reevaluation(counter)
    this.shared = sharing && new SharedOrders(counter, sharing)
    this.storeDays = sharing && new StoreDays(counter, sharing.hub)
    this.news = new ItemNews(counter, this.#reevaluation)
    this.scanning = new Scanning(counter, this.#reevaluation, this.news)
    this.finishing = new Finishing(counter, this.#reevaluation)
    this.holding = new Holding(counter, this.shared)
    this.orders = new Orders(counter)
    this.dayBook = new DayBook(counter)
    this.verdicts = counter.verdicts
  }

  cart(mode: CartMode): CartView {
    return this.#counter.views.cart(mode)
  }

  /** The orders on hold at this station. */
  held(): ReturnType<CartViews['held']> {
    return this.#counter.views.held()
  }

  /** Errors of this and all below: store/not-saved. */
  setOrder(mode: CartMode, orderId: About['orderId']): Result<CartChange, AppError> {
    return this.#set(mode, { orderId })
  }

  /** Who signs in and may sell is the budtender. Once they are no longer signed in, an order without items has none. */
  serve(person: SignedIn | null): void {
    const { orders, rules } = this.#counter
    const { id, budtenderId } = orders.front('sale')
    const next = person && may(person.role, 'sell') ? person.shortName : null
    const hasLeft = budtenderId !== null && rules.isPerson(budtenderId) && orders.itemsOf({ id }).length === 0
    if (next === null ? hasLeft : next !== budtenderId) this.setBudtender('sale', next)
  }

  /** Stays set for later orders. Also sets the budtender of the other cart while that has no items. */
  setBudtender(mode: CartMode, budtenderId: About['budtenderId']): Result<CartChange, AppError> {
    const { orders, carts } = this.#counter
    const other = mode === 'sale' ? 'return' : 'sale'
    const isBegun = orders.itemsOf(orders.front(other)).length > 0
    const set = carts.change(mode, () => {
      orders.set(mode, { budtenderId })
      if (!isBegun) orders.set(other, { budtenderId })
    })
    if (set.ok && !isBegun) {
      orders.raise(other)
      carts.announce(other)
    }
    return set
  }

  setCustomer(mode: CartMode, customerId: About['customerId']): Result<CartChange, AppError> {
    return this.#set(mode, { customerId: customerId === null ? null : this.#counter.seal.seal(customerId) })
  }

  /**
   * Sets how many items a line should hold. The line may have been known by its product's name when the count was
   * entered. Refused as changed if there is no such line, or its product is unknown.
   */
  setExpected(mode: CartMode, key: string, expected: number | null): Result<CartChange, AppError> {
    const { orders, views, carts } = this.#counter
    const { lines } = views.cart(mode)
    const line =
      lines.find((one) => one.key === key) ??
      lines.find((one) => one.productName !== null && nameKey(one.productName) === key)
    const productName = line?.productName ?? null
    // A count of unknown items can be removed, but not set.
    if (!line || (productName === null && expected !== null)) return err({ code: 'checkout/cart-changed' })
    return carts.change(mode, () => {
      const order = orders.front(mode)
      if (productName !== null) orders.setExpected(order, nameKey(productName), null)
      orders.setExpected(order, line.key, expected)
    })
  }

  removeItem(mode: CartMode, tagId: TagId): Result<CartChange, AppError> {
    const { orders, carts } = this.#counter
    return carts.change(mode, () => {
      orders.remove(orders.front(mode), tagId)
    })
  }

  /** Empties the cart except for the budtender. `revision`: of the cart as seen. */
  clear(mode: CartMode, revision: number): Result<CartChange, AppError> {
    const { orders, carts } = this.#counter
    if (!orders.isUnchangedSince(mode, revision)) return err({ code: 'checkout/cart-changed' })
    return carts.change(mode, () => {
      orders.renew(mode)
    })
  }

  settings(): CheckoutSettings {
    return this.#counter.rules.view()
  }

  /** Both carts and the orders on hold are announced: their verdicts and budtenders are shown by the new settings. */
  setSettings(settings: CheckoutSettings): Result<null, AppError> {
    const { rules, orders, carts, events } = this.#counter
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
      const reevaluated = isOther ? this.#reevaluation.reevaluate(orders.front(mode)) : undefined
      if (!reevaluated?.ok || reevaluated.value.length === 0) carts.announce(mode)
    }
    if (isOther) for (const order of orders.held()) this.#reevaluation.reevaluate(order)
    carts.announceHeld()
    return set
  }

  #set(mode: CartMode, change: Partial<About>): Result<CartChange, AppError> {
    const { orders, carts } = this.#counter
    return carts.change(mode, () => {
      orders.set(mode, change)
    })
  }
}

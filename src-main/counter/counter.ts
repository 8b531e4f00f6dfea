import type { Transaction } from 'better-sqlite3'
import type { ResultOf } from '../../src-shared/errors'
import type { CartChange, CartMode, HeldOrder } from '../../src-shared/ipc/contract/checkout'
import { ok } from '../../src-shared/result'
import { type NotSaved, saved } from '../database/saved'
import { CartViews } from './cart'
import type { CounterClaims, CounterContext } from './counter-context'
import { History } from '../day/history'
import type { OpenOrder } from './open-order-rows'
import { OpenOrders, type OrderChange } from './open-orders'
import { CounterRules, Objections } from './rules'
import { Verdicts } from './verdicts'

/** What every part of the counter works with. */
export interface Counter extends CounterContext {
  claims: CounterClaims | undefined
  orders: OpenOrders
  rules: CounterRules
  views: CartViews
  history: History
  verdicts: Verdicts
  objections: Objections
  carts: Carts
}

export function counterOf(context: CounterContext): Counter {
  const orders = new OpenOrders(context.db)
  const rules = new CounterRules(context.settings, context.personNamed)
  const history = new History(context.outbox)
  const views = new CartViews(context, orders, rules)
  const verdicts = new Verdicts(context, orders, rules, history)
  const objections = new Objections(orders, history, verdicts, rules)
  const carts = new Carts(context, orders, views)
  return { ...context, claims: context.sharing?.claims, orders, rules, views, history, verdicts, objections, carts }
}

type Changed = Pick<OpenOrder, 'mode' | 'heldAt'>

/** The changes of open orders: each is one commit, and is announced once. */
export class Carts {
  readonly #context: CounterContext
  readonly #orders: OpenOrders
  readonly #views: CartViews
  /** Created once: creating a transaction costs as much as several look-ups. */
  readonly #inOne: Transaction<(step: () => void) => void>
  #heldView: () => HeldOrder[]

  constructor(context: CounterContext, orders: OpenOrders, views: CartViews) {
    this.#context = context
    this.#orders = orders
    this.#views = views
    this.#inOne = context.db.transaction((step: () => void) => {
      step()
    })
    this.#heldView = () => views.held()
  }

  /** Runs a step that changes an order in one commit, then raises the revision if the order is current. */
  save(order: Changed, step: () => void, change?: OrderChange): ResultOf<null, NotSaved> {
    const done = saved(() => {
      this.#inOne.immediate(step)
      return ok(null)
    })
    if (done.ok && order.heldAt === null) this.#orders.raise(order.mode, change)
    if (done.ok) this.#context.sharing?.claims.push()
    return done
  }

  /** Runs a step that changes a cart in one commit and announces the cart. */
  change(mode: CartMode, step: () => void): ResultOf<CartChange, NotSaved> {
    const done = this.save({ mode, heldAt: null }, step)
    return done.ok ? ok(this.announce(mode)) : done
  }

  /** Tells the screens what the cart holds now. */
  announce(mode: CartMode): CartChange {
    const cart = this.#views.cart(mode)
    this.#context.events.emit('cart.changed', cart)
    return { mode, revision: cart.revision }
  }

  /** Tells the screens which orders are on hold now. */
  announceHeld(): void {
    this.#context.events.emit('checkout.held', this.held())
  }

  /** The orders on hold: those of the whole store, if it has several stations. */
  held(): HeldOrder[] {
    return this.#heldView()
  }

  /** Shows the orders on hold of the whole store instead of this station's. */
  showHeld(view: () => HeldOrder[]): void {
    this.#heldView = view
  }
}

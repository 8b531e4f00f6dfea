import type { Database } from 'better-sqlite3'
import type { AppError } from '../../src-shared/errors'
import type { CartMode, CartView, HeldOrder } from '../../src-shared/ipc/checkout-view'
import type { DayVerification } from '../../src-shared/ipc/verification-view'
import { type Result, ok } from '../../src-shared/result'
import type { Clock, ServiceClock } from '../clock'
import type { Log } from '../log'
import type { Lookup } from '../memory/lookup'
import type { Outbox } from '../outbox/outbox'
import type { Reporting } from '../outbox/reporting'
import { saved } from '../store/saved'
import { type Seal, unsealed } from '../privacy/seal'
import type { Settings } from '../store/settings'
import { type CartViews, createCartViews } from './cart-view'
import { type CounterRules, createCounterRules } from './counter-rules'
import { type Flags, createFlags } from './flags'
import { type History, createHistory } from './history'
import { createKnownProducts } from './known-products'
import { type Objections, createObjections } from './objections'
import { type OpenOrders, createOpenOrders } from './open-orders'

export interface CheckoutParts {
  db: Database
  lookup: Lookup
  outbox: Outbox
  reporting: Reporting
  settings: Pick<Settings, 'read' | 'write'>
  clock: Clock
  serviceClock: Pick<ServiceClock, 'offset'>
  log: Log
  /** As the closing report names it. */
  storeName: string
  /** What this computer is called: the closing report is of it alone. */
  station: string
  /** Requests of late got no answer, or none that tells anything. */
  isOutOfReach: () => boolean
  /** What customers are sealed with before they are written down; left out, nothing is. */
  seal?: Seal
  /** How far a day was read back from the service; left out, it can't be. */
  verification?: (day: string) => DayVerification
  /** A cart changed, by whomever: every page follows. */
  onCart: (cart: CartView) => void
  /** What is on hold changed. */
  onHeld: (held: HeldOrder[]) => void
}

/** What every part of the counter works with. */
export interface Counter extends CheckoutParts {
  seal: Seal
  orders: OpenOrders
  views: CartViews
  rules: CounterRules
  history: History
  objections: Objections
  flags: Flags
  /** One commit. Errors: store/not-saved. */
  save: (step: () => void) => Result<null, AppError>
  /** The same, and the cart after it, announced. The view is made after the commit, and once: it reads every item. */
  change: (mode: CartMode, step: () => void) => Result<CartView, AppError>
}

export function openCounter(parts: CheckoutParts): Counter {
  const { db, lookup, outbox, settings } = parts
  const orders = createOpenOrders(db)
  const seal = parts.seal ?? unsealed
  const rules = createCounterRules(settings)
  const views = createCartViews(orders, (tagId) => lookup.remembered(tagId), rules, createKnownProducts(db), seal)
  const history = createHistory(outbox)
  // Made once: making a transaction costs as much as several look-ups.
  const inOne = db.transaction((step: () => void) => {
    step()
  })
  const save = (step: () => void): Result<null, AppError> =>
    saved(() => {
      inOne.immediate(step)
      return ok(null)
    })
  return {
    ...parts,
    seal,
    orders,
    rules,
    views,
    history,
    objections: createObjections(orders, history, rules),
    flags: createFlags(lookup, outbox, history),
    save,
    change(mode, step) {
      const done = save(step)
      if (!done.ok) return done
      const cart = views.cart(mode)
      parts.onCart(cart)
      return ok(cart)
    },
  }
}

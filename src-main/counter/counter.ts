import type { Database, Transaction } from 'better-sqlite3'
import type { ResultOf } from '../../src-shared/errors'
import type { TagId } from '../../src-shared/ids'
import type { CartChange, CartMode, DayVerification, HeldOrder } from '../../src-shared/ipc/contract/checkout'
import type { Outage } from '../../src-shared/ipc/contract/outages'
import { ok } from '../../src-shared/result'
import type { Clock, ServiceClock } from '../core/clock'
import type { MainEvents } from '../core/events'
import type { Log } from '../core/log'
import type { Lookup, Recall } from '../memory/lookup'
import type { Outbox } from '../outbox/outbox'
import type { Reporting } from '../outbox/reporting'
import type { Seal } from '../privacy/seal'
import { type Gates, createGates, usualGateRules } from '../security/gates'
import { type NotSaved, saved } from '../database/saved'
import type { Settings } from '../database/settings'
import { CartViews } from './cart'
import { History } from '../day/history'
import type { OpenOrder } from './open-order-rows'
import { OpenOrders, type OrderChange } from './open-orders'
import { CounterRules, Objections } from './rules'
import type { CounterClaims, SharingParts } from './sharing'
import { Verdicts } from './verdicts'

export interface CheckoutParts {
  db: Database
  events: MainEvents
  lookup: Lookup & Recall
  outbox: Outbox
  reporting: Pick<Reporting, 'view' | 'send'>
  settings: Pick<Settings, 'read' | 'write'>
  clock: Clock
  serviceClock: Pick<ServiceClock, 'offset'>
  log: Log
  /** Longest time a scan waits for the service, in ms. Default: `lookupPatience`. */
  patience?: number | undefined
  /** For the closing report. */
  storeName: string
  /** The name of this computer: the closing report covers its reports only. */
  station: string
  /** True if recent requests had no usable answer. */
  isOutOfReach: () => boolean
  /** Encrypts customers before they are stored. */
  seal: Seal
  /** The id of our dispensary in the service, if it is known: tells our inventory from a sister store's. */
  ownDispensaryId?: string | null
  /** Whether Find has seen an item marked as counterfeit. Default: never. */
  isCounterfeit?: (tagId: TagId) => boolean
  /** Checks the approvals of items that are sold against their verdict. Default: no PIN is set. */
  gates?: Pick<Gates, 'objection'>
  /** This station's claims in a store of several stations. Default: it works alone. */
  claims?: CounterClaims | undefined
  /** The verification of a day. Default: days can't be verified. */
  verification?: (day: string) => DayVerification
  /** The times without the service in a span, in ms since 1970. Default: none are recorded. */
  outages?: (from: number, to: number) => Outage[]
  /** Shares the orders on hold with the other stations of the store. Default: they stay here. */
  sharing?: SharingParts | undefined
}

/** What every part of the counter works with. */
export interface Counter extends CheckoutParts {
  orders: OpenOrders
  rules: CounterRules
  views: CartViews
  history: History
  verdicts: Verdicts
  gates: Pick<Gates, 'objection'>
  objections: Objections
  carts: Carts
}

export function counterOf(parts: CheckoutParts): Counter {
  const { db, lookup, outbox, settings, seal, claims, ownDispensaryId = null, isCounterfeit = () => false } = parts
  const orders = new OpenOrders(db)
  const rules = new CounterRules(settings)
  const views = new CartViews({ db, orders, factsOf: (tagId) => lookup.cached(tagId), rules, seal, claims })
  const history = new History(outbox)
  const verdicts = new Verdicts({ ...parts, history, orders, rules, ownDispensaryId, isCounterfeit })
  const objections = new Objections({ orders, history, verdicts, rules })
  const carts = new Carts({ ...parts, orders, views })
  const gates = parts.gates ?? createGates(usualGateRules)
  return { ...parts, orders, rules, views, history, verdicts, gates, objections, carts }
}

type Changed = Pick<OpenOrder, 'mode' | 'heldAt'>

interface CartsParts extends Pick<CheckoutParts, 'db' | 'events' | 'claims'> {
  orders: OpenOrders
  views: CartViews
}

/** The changes of open orders: each is one commit, and is announced once. */
export class Carts {
  readonly #parts: CartsParts
  /** Created once: creating a transaction costs as much as several look-ups. */
  readonly #inOne: Transaction<(step: () => void) => void>
  #heldView: () => HeldOrder[]

  constructor(parts: CartsParts) {
    this.#parts = parts
    this.#inOne = parts.db.transaction((step: () => void) => {
      step()
    })
    this.#heldView = () => parts.views.held()
  }

  /** Runs a step that changes an order in one commit, then raises the revision if the order is current. */
  save(order: Changed, step: () => void, change?: OrderChange): ResultOf<null, NotSaved> {
    const done = saved(() => {
      this.#inOne.immediate(step)
      return ok(null)
    })
    if (done.ok && order.heldAt === null) this.#parts.orders.raise(order.mode, change)
    if (done.ok) this.#parts.claims?.push()
    return done
  }

  /** Runs a step that changes a cart in one commit and announces the cart. */
  change(mode: CartMode, step: () => void): ResultOf<CartChange, NotSaved> {
    const done = this.save({ mode, heldAt: null }, step)
    return done.ok ? ok(this.announce(mode)) : done
  }

  /** Tells the screens what the cart holds now. */
  announce(mode: CartMode): CartChange {
    const cart = this.#parts.views.cart(mode)
    this.#parts.events.emit('cart.changed', cart)
    return { mode, revision: cart.revision }
  }

  /** Tells the screens which orders are on hold now. */
  announceHeld(): void {
    this.#parts.events.emit('checkout.held', this.held())
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

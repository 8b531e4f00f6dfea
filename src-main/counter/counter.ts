import type { Database } from 'better-sqlite3'
import type { AppError } from '../../src-shared/errors'
import type { TagId } from '../../src-shared/ids'
import type { CartChange, CartMode, DayVerification, HeldOrder } from '../../src-shared/ipc/contract/checkout'
import type { Outage } from '../../src-shared/ipc/contract/outages'
import { type Result, ok } from '../../src-shared/result'
import type { Clock, ServiceClock } from '../core/clock'
import type { MainEvents } from '../core/events'
import type { Log } from '../core/log'
import type { Lookup, Recall } from '../memory/lookup'
import type { Outbox } from '../outbox/outbox'
import type { Reporting } from '../outbox/reporting'
import type { Seal } from '../privacy/seal'
import { type Gates, createGates, usualGateRules } from '../security/gates'
import { saved } from '../database/saved'
import type { Settings } from '../database/settings'
import { createCartViews } from './cart'
import { createHistory } from '../day/history'
import { type OpenOrder, type OrderChange, createOpenOrders } from './open-orders'
import { createCounterRules, createObjections } from './rules'
import type { CounterClaims, SharingParts } from './sharing'
import { createVerdicts } from './verdicts'

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

type Changed = Pick<OpenOrder, 'mode' | 'heldAt'>

export type Counter = ReturnType<typeof createCounter>

/** What every part of checkout works with. */
export function createCounter(parts: CheckoutParts) {
  const { db, lookup, outbox, settings, seal, events } = parts
  const orders = createOpenOrders(db)
  const rules = createCounterRules(settings)
  const views = createCartViews(db, orders, (tagId) => lookup.cached(tagId), rules, seal, parts.claims)
  const history = createHistory(outbox)
  const { ownDispensaryId = null, isCounterfeit = () => false } = parts
  const verdicts = createVerdicts({ ...parts, history, orders, rules, ownDispensaryId, isCounterfeit })
  // Created once: creating a transaction costs as much as several look-ups.
  const inOne = db.transaction((step: () => void) => {
    step()
  })
  /**
   * Runs a step that changes an order in one commit, then raises the revision if the order is current. Errors:
   * store/not-saved.
   */
  const save = (order: Changed, step: () => void, change?: OrderChange): Result<null, AppError> => {
    const done = saved(() => {
      inOne.immediate(step)
      return ok(null)
    })
    if (done.ok && order.heldAt === null) orders.raise(order.mode, change)
    if (done.ok) parts.claims?.push()
    return done
  }
  let heldView: () => HeldOrder[] = () => views.held()
  /** Tells the screens which orders are on hold now. */
  const announceHeld = () => {
    events.emit('checkout.held', heldView())
  }
  /** Tells the screens what the cart holds now. */
  const announce = (mode: CartMode): CartChange => {
    const cart = views.cart(mode)
    events.emit('cart.changed', cart)
    return { mode, revision: cart.revision }
  }
  return {
    ...parts,
    orders,
    rules,
    views,
    history,
    verdicts,
    gates: parts.gates ?? createGates(usualGateRules),
    objections: createObjections(orders, history, verdicts, rules),
    save,
    announce,
    announceHeld,
    /** The orders on hold: those of the whole store, if it has several stations. */
    heldInStore: () => heldView(),
    /** Shows the orders on hold of the whole store instead of this station's. */
    showHeld(view: () => HeldOrder[]) {
      heldView = view
    },
    /** Runs a step that changes a cart in one commit and announces the cart. Errors: store/not-saved. */
    change: (mode: CartMode, step: () => void): Result<CartChange, AppError> => {
      const done = save({ mode, heldAt: null }, step)
      return done.ok ? ok(announce(mode)) : done
    },
  }
}

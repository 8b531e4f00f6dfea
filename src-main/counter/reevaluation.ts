import type { ResultOf } from '../../src-shared/errors'
import type { TagId } from '../../src-shared/ids'
import type { CartMode } from '../../src-shared/ipc/contract/checkout'
import { ok } from '../../src-shared/result'
import type { Verdict } from '../../src-shared/verdict'
import type { NotSaved } from '../database/saved'
import { scannedItem } from './cart'
import type { Counter } from './counter'
import type { OpenOrder } from './open-order-rows'
import type { FoundSaving } from './scan'
import { covers, isDoubtful, judged } from './verdict'

/** A verdict that replaces that on an item of an open order. `isNews`: the person must see it before the order is reported. */
export interface ReevaluatedItem {
  tagId: TagId
  now: Verdict
  permitted: string | null
  isNews: boolean
}

/** Re-evaluates the verdicts on items that are in an open order already: dates pass, cases are imported, the line drops. */
export class Reevaluation {
  readonly #counter: Counter
  #wasOut: boolean

  constructor(counter: Counter) {
    this.#counter = counter
    this.#wasOut = counter.connection.isOutOfReach()
    counter.events.on('connection.changed', 'counter/reevaluation.ts', () => {
      this.#connectionChanged()
    })
  }

  /** Announces a cart once, with the verdicts in it that have changed since the scans were answered. */
  announceFlags(mode: CartMode, tagIds: TagId[]): void {
    const { views, events } = this.#counter
    const cart = views.cart(mode)
    events.emit('cart.changed', cart)
    const changes = tagIds.flatMap((tagId) => {
      const item = scannedItem(cart, tagId)
      return item ? [{ ...item, mode }] : []
    })
    if (changes.length > 0) events.emit('checkout.flags', changes)
  }

  /** Saves what an answer says of an item, and announces nothing. */
  save(order: OpenOrder, tagId: TagId, saving: FoundSaving): ResultOf<null, NotSaved> {
    const { orders } = this.#counter
    if (saving.what === 'nothing') {
      if (saving.isNews) orders.confirm(tagId)
      // More is known of the product: the order is the same and is shown differently.
      if (order.heldAt === null) orders.raise(order.mode, 'news')
      return ok(null)
    }
    const { verdict, permitted } = saving
    return this.#counter.carts.save(
      order,
      () => {
        orders.setVerdict(order, tagId, verdict, permitted)
      },
      isDoubtful(verdict) ? 'warning' : 'news',
    )
  }

  /** Saves new verdicts on items of an order in one commit, and announces them. */
  replace(order: OpenOrder, changes: ReevaluatedItem[]): ResultOf<null, NotSaved> {
    if (changes.length === 0) return ok(null)
    const { orders } = this.#counter
    const replaced = this.#counter.carts.save(
      order,
      () => {
        for (const { tagId, now, permitted } of changes) orders.setVerdict(order, tagId, now, permitted)
      },
      changes.some(({ now, isNews }) => isNews && isDoubtful(now)) ? 'warning' : 'news',
    )
    if (!replaced.ok) return replaced
    const news = changes.flatMap(({ tagId, isNews }) => (isNews ? [tagId] : []))
    if (order.heldAt === null) this.announceFlags(order.mode, news)
    else this.#counter.carts.announceHeld()
    return replaced
  }

  /**
   * Judges the items of a sale again by memory. Only what is graver than the last answer counts, and while the service
   * is out of reach as of when that was. Asks nothing. Returns what became graver.
   */
  reevaluate(order: OpenOrder): ResultOf<ReevaluatedItem[], NotSaved> {
    const { orders, rules, verdicts, connection } = this.#counter
    const isOut = connection.isOutOfReach()
    const changes = orders.itemsOf(order).flatMap(({ tagId, found, permitted }): ReevaluatedItem[] => {
      const now = verdicts.before(order.mode, tagId, order.id)
      // Memory says nothing: the last answer stays.
      if (now.kind === 'unchecked') return []
      const shown = judged(found, rules.view())
      if (!covers(shown, now)) return [{ tagId, now, permitted: null, isNews: true }]
      const isSame = now.kind === shown.kind && now.level === shown.level
      const isOlder = isOut && isSame && shown.asOf === null && now.asOf !== null
      return isOlder ? [{ tagId, now, permitted, isNews: false }] : []
    })
    const replaced = this.replace(order, changes)
    return replaced.ok ? ok(changes.filter(({ isNews }) => isNews)) : replaced
  }

  /** Without a connection, open sales say as of when their verdicts are. */
  #connectionChanged(): void {
    const { orders, connection, log } = this.#counter
    const isOut = connection.isOutOfReach()
    if (isOut === this.#wasOut) return
    this.#wasOut = isOut
    if (!isOut) return
    try {
      for (const order of [orders.front('sale'), ...orders.held()]) this.reevaluate(order)
    } catch (cause) {
      log.error('verdicts could not be renewed', { cause })
    }
  }
}

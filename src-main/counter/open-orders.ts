import { randomInt } from 'node:crypto'
import type { AppErrorOf } from '../../src-shared/errors'
import type { TagId } from '../../src-shared/ids'
import type { CartMode } from '../../src-shared/ipc/contract/checkout'
import type { HeldBody } from '../hub/rows'
import { type About, type OpenOrder, OpenOrderRows } from './open-order-rows'

type Typed = Pick<About, 'orderId' | 'customerId'>

const isSameOrder = (one: Pick<About, 'orderId'>, other: Pick<About, 'orderId'>) =>
  one.orderId !== null && one.orderId === other.orderId

/**
 * True if what was typed for an order without items would be lost by resuming another one over it. The same number names
 * the same order: its customer goes into the resumed one if that has none.
 */
export function isLostBy(typed: Typed, resumed: Typed): boolean {
  if (typed.customerId !== null) return !isSameOrder(typed, resumed) || resumed.customerId !== null
  return typed.orderId !== null && !isSameOrder(typed, resumed)
}

/**
 * How an order changed: what it holds, a warning about it, or something that is only shown differently. An order with
 * other contents is not reported, held or cleared before a person saw it; a warning is asked about before a report.
 */
export type OrderChange = 'contents' | 'warning' | 'news'

/** The revision, and that of the last change of what the order holds and of the last warning about it. */
const firstRevision = () => {
  // Starts at a random number, so that a revision from before a restart never matches.
  const revision = randomInt(2 ** 47)
  return { revision, contents: revision, warning: revision }
}

/** An order that another station held: `keeps` says which items stay in the sale that holds them here. */
interface Placing extends Pick<OpenOrder, 'customerId'> {
  heldAt: number
  keeps: (tagId: TagId) => boolean
}

/**
 * The orders being filled, in the store: a power cut brings each back to the last scan. There is one current sale, one
 * current return and any number of sales on hold. An item is in one of them at most. Raise the revision of a current
 * order once a change of it is committed.
 */
export class OpenOrders extends OpenOrderRows {
  readonly #revisions = { sale: firstRevision(), return: firstRevision() }

  /** The current order has changed, and the change is committed. */
  raise(mode: CartMode, change: OrderChange = 'contents'): void {
    const revision = ++this.#revisions[mode].revision
    if (change !== 'news') this.#revisions[mode][change] = revision
  }

  /** Grows with every committed change of the current order. Starts at a random number with each process. */
  revision(mode: CartMode): number {
    return this.#revisions[mode].revision
  }

  /** False if the current order holds something else than at a revision: what is reported, held or cleared was seen. */
  isUnchangedSince(mode: CartMode, revision: number): boolean {
    const now = this.#revisions[mode]
    return revision >= now.contents && revision <= now.revision
  }

  /** True if a warning came since a revision: a confirmation doesn't cover it. */
  isWarnedSince(mode: CartMode, revision: number): boolean {
    return revision < this.#revisions[mode].warning
  }

  /** True if nothing is lost when the order is dropped. */
  isEmpty(order: OpenOrder): boolean {
    return order.orderId === null && order.customerId === null && this.isWithoutItems(order)
  }

  /** True if it holds no items, and none are expected: a number alone is not an order that could be put on hold. */
  isWithoutItems(order: OpenOrder): boolean {
    return this.itemsOf(order).length === 0 && this.expectedOf(order).size === 0
  }

  set(mode: CartMode, change: Partial<About>): void {
    const front = this.front(mode)
    this.setAbout(front.id, { ...front, ...change })
  }

  /** Replaces the current order by an empty one. The budtender stays. */
  renew(mode: CartMode): void {
    const { id, budtenderId } = this.front(mode)
    this.drop(id)
    this.insert(mode, budtenderId)
  }

  /** Puts the current sale on hold. */
  hold(at: number): void {
    const { id, budtenderId } = this.front('sale')
    this.setHeldAt(id, at)
    this.insert('sale', budtenderId)
  }

  /** Why an order can't be resumed now: what was typed for the one in front, without items, would be lost. */
  resumeObjection(resumed: Typed): AppErrorOf<'checkout/order-begun'> | undefined {
    const typed = this.front('sale')
    if (!this.isWithoutItems(typed) || !isLostBy(typed, resumed)) return undefined
    return { code: 'checkout/order-begun', orderId: typed.orderId }
  }

  /** Makes a held sale current, unless there is an objection. The one that was is held, or dropped if it is without items. */
  resume(id: number, at: number): void {
    const before = this.front('sale')
    if (this.isWithoutItems(before)) this.drop(before.id)
    else this.setHeldAt(before.id, at)
    this.setHeldAt(id, null)
    const resumed = this.front('sale')
    const customerId = resumed.customerId ?? (isSameOrder(before, resumed) ? before.customerId : null)
    this.setAbout(id, { ...resumed, budtenderId: resumed.budtenderId ?? before.budtenderId, customerId })
  }

  /** An order as another station may go on with it, without its customer. */
  bodyOf(order: OpenOrder): Omit<HeldBody, 'products'> {
    const { id, orderId, budtenderId } = order
    const items = this.storedItemsOf(id).map(({ flag, ...item }) => ({ ...item, found: flag }))
    const expected = [...this.expectedOf(order)].map(([line, count]) => ({ line, expected: count }))
    return { orderId, budtenderId, items, expected }
  }

  /**
   * Puts an order of another station on hold here. An item is in one order: it leaves a return that is being filled, and a
   * sale unless that keeps it. Returns the new order.
   */
  place(body: HeldBody, { customerId, heldAt, keeps }: Placing): OpenOrder {
    const { orderId, budtenderId, items, expected } = body
    const id = this.insertHeld({ orderId, budtenderId, customerId }, heldAt)
    for (const { found, ...item } of items) {
      const holder = this.holderOf(item.tagId)
      if (holder?.mode === 'sale' && keeps(item.tagId)) continue
      if (holder) this.remove(holder, item.tagId)
      this.addStoredItem(id, { ...item, flag: found })
    }
    for (const { line, expected: count } of expected) this.setExpected({ id }, line, count)
    return { id, mode: 'sale', orderId, budtenderId, customerId, heldAt, begunBy: null }
  }
}

import type { HeldBody } from '../hub/rows'
import { singleFlight } from '../core/async'
import type { Seal } from '../privacy/seal'
import type { Counter } from './counter'
import type { OpenOrder } from './open-order-rows'
import type { SharedOrderRow, SharedOrderRows } from './shared-order-rows'
import type { CounterSharing } from './counter-context'

const productsNamed = 3

/** Tells the hub which orders are on hold here, and which no longer are. */
export class PushedOrders {
  readonly #counter: Counter
  readonly #sharing: CounterSharing
  readonly #rows: SharedOrderRows
  readonly #pushing = singleFlight(
    () => this.#pushDirty(),
    (cause) => {
      this.#counter.log.error('the hub could not be told of an order on hold', { cause })
    },
  )

  constructor(counter: Counter, sharing: CounterSharing, rows: SharedOrderRows) {
    this.#counter = counter
    this.#sharing = sharing
    this.#rows = rows
  }

  /** Tells what has changed. Never rejects. */
  push(): void {
    this.#pushing.ask()
  }

  stop(): Promise<void> {
    return this.#pushing.stop()
  }

  async #pushDirty(): Promise<void> {
    const due = this.#rows.dirty()
    if (due.length === 0) return
    const storeKey = await this.#sharing.storeSeal()
    for (const one of due) if (!(await this.#pushOne(one, storeKey))) return
  }

  /** Returns false if the hub didn't answer. */
  async #pushOne(one: SharedOrderRow, storeKey: Pick<Seal, 'seal'> | null): Promise<boolean> {
    const { hub } = this.#sharing
    const { orders, seal } = this.#counter
    if (one.isOver) {
      if (one.isAsked && !(await hub.held.finish(one.id))) return false
      this.#rows.remove(one)
      return true
    }
    // Resumed since it was read, and maybe on hold again: that is told under another id.
    if (!this.#rows.isOpen(one.id)) return true
    const order = orders.byId(one.openOrder)
    if (order?.heldAt == null) {
      this.#rows.markOver(one.id)
      return true
    }
    const customer = order.customerId === null ? null : (seal.open(order.customerId) ?? null)
    // Without the store's key an order with a customer stays here: another station would lose the customer.
    if (customer !== null && storeKey === null) return true
    // From now on another station may take it.
    if (!one.isAsked) this.#rows.markAsked(one.id)
    const sealed = customer === null ? null : (storeKey?.seal(customer) ?? null)
    if (!(await hub.held.put({ id: one.id, body: this.#bodyOf(order), customer: sealed }))) return false
    this.#rows.markSynced(one)
    return true
  }

  #bodyOf(order: OpenOrder): HeldBody {
    const { orders, lookup } = this.#counter
    const body = orders.bodyOf(order)
    const names = body.items.flatMap(({ tagId }) => lookup.cached(tagId)?.productName ?? [])
    return { ...body, products: [...new Set(names)].slice(0, productsNamed).map((name) => name.slice(0, 500)) }
  }
}

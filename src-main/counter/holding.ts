import type { AppError, ResultOf } from '../../src-shared/errors'
import type { TagId } from '../../src-shared/ids'
import type { CartChange } from '../../src-shared/ipc/contract/checkout'
import { type Result, err } from '../../src-shared/result'
import type { NotSaved } from '../database/saved'
import type { Counter } from './counter'
import type { OpenOrder } from './open-order-rows'
import type { SharedOrders } from './shared-orders'

/** Sales on hold at this station. */
export class Holding {
  readonly #counter: Counter
  readonly #shared: Pick<SharedOrders, 'push'> | undefined

  constructor(counter: Counter, shared: Pick<SharedOrders, 'push'> | undefined) {
    this.#counter = counter
    this.#shared = shared
  }

  /** Puts the current sale on hold. `revision`: of the cart as seen. */
  hold(revision: number): ResultOf<CartChange, NotSaved | 'checkout/cart-changed' | 'checkout/nothing-to-hold'> {
    const { orders, carts, clock } = this.#counter
    if (orders.isWithoutItems(orders.front('sale'))) return err({ code: 'checkout/nothing-to-hold' })
    if (!orders.isUnchangedSince('sale', revision)) return err({ code: 'checkout/cart-changed' })
    return this.#announced(
      carts.change('sale', () => {
        orders.hold(clock.now())
      }),
    )
  }

  /** Makes a held sale current, and holds the one that was, unless that is without items. */
  resume(id: number): ResultOf<CartChange, NotSaved | 'checkout/not-held' | 'checkout/order-begun'> {
    const { orders, carts, clock } = this.#counter
    const order = this.#heldById(id)
    if (!order) return err({ code: 'checkout/not-held' })
    const objection = orders.resumeObjection(order)
    if (objection) return err(objection)
    return this.#announced(
      carts.change('sale', () => {
        orders.resume(id, clock.now())
      }),
    )
  }

  /** Drops a held sale. */
  drop(id: number): ResultOf<null, NotSaved | 'checkout/not-held'> {
    const { orders, carts } = this.#counter
    const order = this.#heldById(id)
    if (!order) return err({ code: 'checkout/not-held' })
    return this.#announced(
      carts.save(order, () => {
        orders.drop(id)
      }),
    )
  }

  /**
   * Takes an item out of the open sale that holds it, in the caller's transaction: a person at another station took it
   * over. An order on hold that has nothing else, not even a number, is dropped. Returns how to show it, after the
   * commit; undefined if no open sale holds it.
   */
  letGo(tagId: TagId): (() => void) | undefined {
    const { orders, carts } = this.#counter
    const order = orders.holderOf(tagId)
    if (order?.mode !== 'sale') return undefined
    orders.remove(order, tagId)
    const isHeld = order.heldAt !== null
    if (isHeld && orders.isEmpty(order)) orders.drop(order.id)
    return () => {
      if (!isHeld) {
        orders.raise('sale')
        carts.announce('sale')
        return
      }
      carts.announceHeld()
      this.#shared?.push()
    }
  }

  #heldById(id: number): OpenOrder | undefined {
    const order = this.#counter.orders.byId(id)
    return order?.heldAt == null ? undefined : order
  }

  #announced<Step extends Result<unknown, AppError>>(step: Step): Step {
    if (step.ok) this.#counter.carts.announceHeld()
    this.#shared?.push()
    return step
  }
}

import type { AppError } from '../../src-shared/errors'
import type { CartView, HeldOrder } from '../../src-shared/ipc/checkout-view'
import { type Result, err, ok } from '../../src-shared/result'
import type { Counter } from './counter'

/** Sales that are put aside for a while: each step is one commit, and none of them loses an item. */
export interface Holding {
  held(): HeldOrder[]
  /**
   * Gives the empty cart; `revision` is of the one that the person saw. Errors: checkout/nothing-to-hold, -cart-changed,
   * store/not-saved.
   */
  hold(revision: number): Result<CartView, AppError>
  /** What was in front is held in its stead, unless it was empty. Errors: checkout/not-held, store/not-saved. */
  resume(id: HeldOrder['id']): Result<CartView, AppError>
  /** Throws a held order away. Errors: checkout/not-held, store/not-saved. */
  dropHeld(id: HeldOrder['id']): Result<HeldOrder[], AppError>
}

export function createHolding({ orders, views, clock, change, save, onHeld }: Counter): Holding {
  const isHeld = (id: number) => orders.byId(id)?.heldAt != null
  const told = <T>(step: Result<T, AppError>) => {
    if (step.ok) onHeld(views.held())
    return step
  }

  return {
    held: () => views.held(),
    hold(revision) {
      if (orders.isEmpty(orders.front('sale'))) return err({ code: 'checkout/nothing-to-hold' })
      if (orders.revision('sale') !== revision) return err({ code: 'checkout/cart-changed' })
      return told(
        change('sale', () => {
          orders.hold(clock.now())
        }),
      )
    },
    resume(id) {
      if (!isHeld(id)) return err({ code: 'checkout/not-held' })
      return told(
        change('sale', () => {
          orders.resume(id, clock.now())
        }),
      )
    },
    dropHeld(id) {
      if (!isHeld(id)) return err({ code: 'checkout/not-held' })
      const dropped = told(
        save(() => {
          orders.drop(id)
        }),
      )
      return dropped.ok ? ok(views.held()) : dropped
    },
  }
}

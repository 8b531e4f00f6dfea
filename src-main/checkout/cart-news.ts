import { stepBetween } from '../../src-shared/cart-step'
import type { CartMode, CartStep, CartView } from '../../src-shared/ipc/contract/checkout'

/**
 * Tells the pages what a cart holds now: the step from what they were told last, if it is one, otherwise the whole cart.
 * A page that doesn't have the view before the step asks for the whole.
 */
export function createCartNews(tell: { whole: (cart: CartView) => void; step: (step: CartStep) => void }) {
  const told = new Map<CartMode, CartView>()
  return (cart: CartView): void => {
    const before = told.get(cart.mode)
    told.set(cart.mode, cart)
    const step = before && stepBetween(before, cart)
    if (step) tell.step(step)
    else tell.whole(cart)
  }
}

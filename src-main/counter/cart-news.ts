import { stepBetween } from '../../src-shared/cart-step'
import type { CartMode, CartView } from '../../src-shared/ipc/contract/checkout'
import type { MainEvents } from '../core/events'

/**
 * Tells the pages what a cart holds now: the step from what they were told last, if it is one, otherwise the whole cart.
 * A page that doesn't have the view before the step asks for the whole.
 */
export function tellPagesOfCarts(events: Pick<MainEvents, 'emit' | 'on'>): void {
  const told = new Map<CartMode, CartView>()
  events.on('cart.changed', 'counter/cart-news.ts', (cart) => {
    const before = told.get(cart.mode)
    told.set(cart.mode, cart)
    const step = before && stepBetween(before, cart)
    if (step) events.emit('checkout.cartStep', step)
    else events.emit('checkout.cart', cart)
  })
}

import { hostname } from 'node:os'
import { createCheckout } from '../checkout/checkout'
import type { Ground } from './ground'
import type { LookingUp } from './lookup'
import type { Network } from './network'
import type { Sending } from './outbox'

/** Orders at the counter, and what became of them. */
export function joinCheckout(
  { db, settings, events, profile, seal, clock, log }: Ground,
  { serviceClock, connection }: Network,
  { lookup }: LookingUp,
  { outbox, reporting }: Sending,
) {
  return createCheckout({
    db,
    lookup,
    outbox,
    reporting,
    settings,
    clock,
    serviceClock,
    log,
    storeName: profile.name,
    station: hostname(),
    isOutOfReach: () => connection.isOutOfReach(),
    seal,
    onCart: (cart) => events.emit('checkout.cart', cart),
    onHeld: (held) => events.emit('checkout.held', held),
  })
}

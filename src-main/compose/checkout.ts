import { hostname } from 'node:os'
import { createCheckout } from '../checkout/checkout'
import type { Verifying } from '../checkout/verify-day'
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
  verifying: Pick<Verifying, 'view'>,
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
    verification: (day) => verifying.view(day),
    onCart: (cart) => events.emit('checkout.cart', cart),
    onHeld: (held) => events.emit('checkout.held', held),
  })
}

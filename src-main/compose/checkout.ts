import { hostname } from 'node:os'
import { createCheckout } from '../checkout/checkout'
import { createVerifying } from '../checkout/verify-day'
import type { Ground } from './ground'
import type { LookingUp } from './lookup'
import type { Network } from './network'
import type { Sending } from './outbox'

/** Orders at the counter, and reading them back from the service. */
export function joinCheckout(
  { db, settings, events, profile, seal, clock, log }: Ground,
  { serviceClock, connection, v12 }: Network,
  { lookup }: LookingUp,
  { outbox, reporting }: Sending,
) {
  const verifying = createVerifying({
    db,
    client: v12,
    outbox,
    connection,
    productName: (tagId) => lookup.remembered(tagId)?.productName ?? null,
    clock,
    serviceClock,
    log,
    onChange: (view) => events.emit('checkout.verification', view),
  })
  const checkout = createCheckout({
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
    onFlags: (changes) => events.emit('checkout.flags', changes),
    onHeld: (held) => events.emit('checkout.held', held),
  })
  return { checkout, verifying }
}

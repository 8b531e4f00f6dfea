import { hostname } from 'node:os'
import { ok } from '../../src-shared/result'
import { createCartNews } from '../checkout/cart-news'
import { createCheckout } from '../checkout/checkout'
import { createReports } from '../checkout/reports'
import { createVerifying } from '../checkout/verify-day'
import type { HandlersOf } from '../ipc/handlers'
import { isMarkedCounterfeit } from '../memory/find/tag'
import type { Gates } from '../security/gates'
import type { CoreContext } from './context'
import type { LookupParts, Network } from './network'
import type { OutboxParts } from './outbox'

/** Orders at the counter, and verifying them with the service. */
export function createCheckoutParts(
  { db, settings, events, profile, seal, clock, log }: CoreContext,
  { serviceClock, connection, outages, v12 }: Network,
  { seen, lookup }: LookupParts,
  { outbox, reporting }: OutboxParts,
  gates: Gates,
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
  const reports = createReports({
    db,
    outbox,
    reporting,
    connection,
    clock,
    announce: (view) => events.emit('checkout.reports', view),
    log,
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
    ownDispensaryId: profile.dispensaryId,
    isCounterfeit: (tagId) => isMarkedCounterfeit(seen, tagId),
    gates,
    verification: (day) => verifying.view(day),
    outages: outages.during,
    onCart: createCartNews({
      whole: (cart) => events.emit('checkout.cart', cart),
      step: (step) => events.emit('checkout.cartStep', step),
    }),
    onFlags: (changes) => events.emit('checkout.flags', changes),
    onFinished: (operation) => {
      reports.finished(operation)
    },
    onHeld: (held) => events.emit('checkout.held', held),
    onSettings: (rules) => events.emit('checkout.settings', rules),
  })
  const handlers: HandlersOf<'checkout'> = {
    'checkout.cart': ({ mode }) => ok(checkout.cart(mode)),
    'checkout.setOrder': ({ mode, orderId }) => checkout.setOrder(mode, orderId),
    'checkout.addItem': ({ mode, tagId, permit, shown }) =>
      checkout.addItem(mode, tagId, permit && { ...permit, shown }),
    'checkout.removeItem': ({ mode, tagId }) => checkout.removeItem(mode, tagId),
    'checkout.clear': ({ mode, revision }) => checkout.clear(mode, revision),
    'checkout.finish': ({ mode, ...seen }) => checkout.finish(mode, seen),
    'checkout.reopen': ({ operationId }) => {
      const reopened = checkout.reopen(operationId)
      // What the service refused, it shows differently than at the scan.
      if (reopened.ok) void checkout.askAboutAll(reopened.value.mode)
      return reopened
    },
    'checkout.order': ({ orderId }) => ok(checkout.order(orderId)),
    'checkout.void': ({ orderId, note, permit }) =>
      gates.pass(checkout.gateOfVoid(orderId), permit, (because) => checkout.void(orderId, because, note)),
    'checkout.setBudtender': ({ mode, budtenderId }) => checkout.setBudtender(mode, budtenderId),
    'checkout.setCustomer': ({ mode, customerId }) => checkout.setCustomer(mode, customerId),
    'checkout.setExpected': ({ mode, key, expected }) => checkout.setExpected(mode, key, expected),
    'checkout.hold': ({ revision }) => checkout.hold(revision),
    'checkout.held': () => ok(checkout.held()),
    'checkout.resume': ({ heldId }) => {
      const resumed = checkout.resume(heldId)
      if (resumed.ok) void checkout.askAboutAll('sale')
      return resumed
    },
    'checkout.dropHeld': ({ heldId }) => checkout.dropHeld(heldId),
    'checkout.reports': () => ok(reports.view()),
    'checkout.seen': ({ operationIds }) => reports.see(operationIds),
    'checkout.seenAll': ({ revision }) => reports.seeAll(revision),
    'checkout.settings': () => ok(checkout.settings()),
    'checkout.setSettings': (wanted) => checkout.setSettings(wanted),
    'checkout.amend': ({ operationId, without }) => checkout.amend(operationId, without),
    'checkout.orderOfItem': ({ tagId }) => checkout.orderOfItem(tagId),
    'checkout.orders': ({ filter, before }) => ok(checkout.orders(filter, before)),
    'checkout.day': ({ day }) => ok(checkout.day(day)),
    'checkout.exportDay': ({ day }) => ok(checkout.exportDay(day)),
    'checkout.verifyDay': ({ day }) => verifying.verify(day),
    'checkout.stopVerifying': () => verifying.pause(),
  }
  return { checkout, reports, verifying, handlers }
}

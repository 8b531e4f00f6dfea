import type { TagId } from '../../src-shared/ids'
import type { HeldOrder } from '../../src-shared/ipc/contract/checkout'
import { err, ok } from '../../src-shared/result'
import type { HandlersOf } from '../ipc/handlers'
import type { Lookup } from '../memory/lookup'
import type { Gates } from '../security/gates'
import type { Checkout } from './checkout'
import { named } from './item-errors'
import type { Reports } from './reports'

/** Calls about the carts, the orders on hold, and what became of the orders. */
export function counterHandlers(checkout: Checkout, reports: Reports, gates: Gates, lookup: Pick<Lookup, 'cached'>) {
  const nameOf = (tagId: TagId) => lookup.cached(tagId)?.productName ?? null
  const notHeld = err({ code: 'checkout/not-held' as const })
  const resume = (id: HeldOrder['id']) => {
    if (checkout.shared) return checkout.shared.resume(id)
    return typeof id === 'number' ? checkout.holding.resume(id) : notHeld
  }
  return {
    'checkout.cart': ({ mode }) => ok(checkout.cart(mode)),
    'checkout.setOrder': ({ mode, orderId }) => checkout.setOrder(mode, orderId),
    'checkout.addItem': async ({ mode, tagId, approval, shown, takeOver }) =>
      named(await checkout.scanning.addItem(mode, tagId, approval && { ...approval, shown }, takeOver), nameOf),
    'checkout.removeItem': ({ mode, tagId }) => checkout.removeItem(mode, tagId),
    'checkout.clear': ({ mode, revision }) => checkout.clear(mode, revision),
    'checkout.finish': ({ mode, ...seen }) => named(checkout.finishing.finish(mode, seen), nameOf, 'finish'),
    'checkout.reopen': ({ operationId }) => {
      const reopened = named(checkout.finishing.reopen(operationId), nameOf, 'reopen')
      // What the service refused, it shows differently than at the scan.
      if (reopened.ok) void checkout.news.askAboutAll(reopened.value.mode)
      return reopened
    },
    'checkout.order': ({ orderId }) => ok(checkout.orders.order(orderId)),
    'checkout.void': ({ orderId, note, approval }) =>
      gates.pass(checkout.orders.gateOfVoid(orderId), approval, (because) =>
        checkout.orders.void(orderId, because, note),
      ),
    'checkout.setBudtender': ({ mode, budtenderId }) => checkout.setBudtender(mode, budtenderId),
    'checkout.setCustomer': ({ mode, customerId }) => checkout.setCustomer(mode, customerId),
    'checkout.setExpected': ({ mode, key, expected }) => checkout.setExpected(mode, key, expected),
    'checkout.hold': ({ revision }) => checkout.holding.hold(revision),
    'checkout.held': () => ok(checkout.shared?.view() ?? checkout.held()),
    'checkout.resume': async ({ heldId }) => {
      const resumed = await resume(heldId)
      if (resumed.ok) void checkout.news.askAboutAll('sale')
      return resumed
    },
    'checkout.dropHeld': ({ heldId }) => {
      if (typeof heldId === 'number') return checkout.holding.drop(heldId)
      return checkout.shared?.dropOther(heldId) ?? notHeld
    },
    'checkout.reports': () => ok(reports.view()),
    'checkout.seen': ({ operationIds }) => reports.see(operationIds),
    'checkout.seenAll': ({ revision }) => reports.seeAll(revision),
    'checkout.settings': () => ok(checkout.settings()),
    'checkout.setSettings': (wanted) => checkout.setSettings(wanted),
    'checkout.amend': ({ operationId, without, reason }) => checkout.finishing.amend(operationId, without, reason),
    'checkout.amendMany': async ({ operationIds, without, reason }) =>
      ok(await checkout.finishing.amendMany(operationIds, without, reason)),
    'checkout.orderOfItem': ({ tagId }) => checkout.orders.orderOfItem(tagId),
    'checkout.orders': ({ filter, before }) => ok(checkout.orders.page(filter, before)),
  } satisfies Partial<HandlersOf<'checkout'>>
}

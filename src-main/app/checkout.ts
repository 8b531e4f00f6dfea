import { hostname } from 'node:os'
import type { AppError } from '../../src-shared/errors'
import type { TagId } from '../../src-shared/ids'
import type { DayExport, DayReport, HeldOrder } from '../../src-shared/ipc/contract/checkout'
import { type Result, err, ok } from '../../src-shared/result'
import { tellPagesOfCarts } from '../checkout/cart-news'
import { createCheckout } from '../checkout/checkout'
import { createHistory } from '../checkout/history'
import { named } from '../checkout/item-errors'
import { createPosDays } from '../checkout/pos-day'
import type { SharingParts } from '../checkout/sharing'
import { createReports } from '../checkout/reports'
import { createVerifying } from '../checkout/verify-day'
import type { HandlersOf } from '../ipc/handlers'
import { isMarkedCounterfeit } from '../memory/find/tag'
import type { Pos } from '../receiving/pos'
import type { Gates } from '../security/gates'
import type { CoreContext } from './context'
import type { LookupParts, Network } from './network'
import type { OutboxParts } from './outbox'

interface StoreParts {
  sharing: SharingParts | undefined
  /** The catalog of the POS, as it was loaded. */
  catalogue: Pos['catalogue']
  patience: number | undefined
}

/** Orders at the counter, and verifying them with the service. */
export function createCheckoutParts(
  { db, settings, events, profile, seal, clock, log }: CoreContext,
  { serviceClock, connection, v12 }: Network,
  { seen, lookup }: LookupParts,
  { outbox, reporting, ledger }: OutboxParts,
  gates: Gates,
  { sharing, catalogue, patience }: StoreParts,
) {
  const verifying = createVerifying({
    db,
    events,
    client: v12,
    outbox,
    connection,
    productName: (tagId) => lookup.remembered(tagId)?.productName ?? null,
    learn: (tagId) => lookup.tag(tagId),
    clock,
    serviceClock,
    log,
  })
  const reports = createReports({
    db,
    events,
    outbox,
    reporting,
    connection,
    clock,
    log,
  })
  tellPagesOfCarts(events)
  const checkout = createCheckout({
    db,
    events,
    lookup,
    outbox,
    reporting,
    settings,
    clock,
    serviceClock,
    log,
    patience,
    storeName: profile.name,
    station: hostname(),
    isOutOfReach: () => connection.isOutOfReach(),
    seal,
    ownDispensaryId: profile.dispensaryId,
    isCounterfeit: (tagId) => isMarkedCounterfeit(seen, tagId),
    gates,
    claims: sharing?.claims,
    sharing,
    verification: (day) => verifying.view(day),
    outages: ledger.during,
  })
  const history = createHistory(outbox)
  const ownId = sharing?.hub.stationId ?? null
  const { storeDays } = checkout
  const posDays = createPosDays({
    db,
    events,
    catalogue,
    isUsed: (orderId) => history.order(orderId).some(({ kind, state }) => kind === 'complete' && state !== 'cancelled'),
    store: storeDays && { ownId, read: (day, span) => storeDays.others(day, span) },
    clock,
    log,
  })
  const notHeld = err({ code: 'checkout/not-held' as const })
  const resume = (id: HeldOrder['id']) => {
    if (checkout.shared) return checkout.shared.resume(id)
    return typeof id === 'number' ? checkout.resume(id) : notHeld
  }
  const storeDay = async (day: string) =>
    (await checkout.storeDays?.read(day)) ?? err({ code: 'hub/unreachable' as const })
  const reportOfStore = async (day: string): Promise<Result<DayReport, AppError>> => {
    const read = await storeDay(day)
    return read.ok ? ok(checkout.storeDay(day, read.value, ownId)) : read
  }
  const posOf = async (day: string): Promise<Omit<DayExport, 'fileName' | 'lines'>> => {
    const { differences, left, isMissing, faulty, unknown, store } = await posDays.all(day)
    return {
      ...{ pos: differences, posLeft: left, isPosMissing: isMissing, posFaulty: faulty, posUnknown: unknown },
      posStore: store,
    }
  }
  const nameOf = (tagId: TagId) => lookup.remembered(tagId)?.productName ?? null
  const handlers: HandlersOf<'checkout' | 'posDay'> = {
    'checkout.cart': ({ mode }) => ok(checkout.cart(mode)),
    'checkout.setOrder': ({ mode, orderId }) => checkout.setOrder(mode, orderId),
    'checkout.addItem': async ({ mode, tagId, permit, shown, takeOver }) =>
      named(await checkout.addItem(mode, tagId, permit && { ...permit, shown }, takeOver), nameOf),
    'checkout.removeItem': ({ mode, tagId }) => checkout.removeItem(mode, tagId),
    'checkout.clear': ({ mode, revision }) => checkout.clear(mode, revision),
    'checkout.finish': ({ mode, ...seen }) => named(checkout.finish(mode, seen), nameOf, 'finish'),
    'checkout.reopen': ({ operationId }) => {
      const reopened = named(checkout.reopen(operationId), nameOf, 'reopen')
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
    'checkout.held': () => ok(checkout.shared?.view() ?? checkout.held()),
    'checkout.resume': async ({ heldId }) => {
      const resumed = await resume(heldId)
      if (resumed.ok) void checkout.askAboutAll('sale')
      return resumed
    },
    'checkout.dropHeld': ({ heldId }) => {
      if (typeof heldId === 'number') return checkout.dropHeld(heldId)
      return checkout.shared?.dropOther(heldId) ?? notHeld
    },
    'checkout.reports': () => ok(reports.view()),
    'checkout.seen': ({ operationIds }) => reports.see(operationIds),
    'checkout.seenAll': ({ revision }) => reports.seeAll(revision),
    'checkout.settings': () => ok(checkout.settings()),
    'checkout.setSettings': (wanted) => checkout.setSettings(wanted),
    'checkout.amend': ({ operationId, without }) => checkout.amend(operationId, without),
    'checkout.orderOfItem': ({ tagId }) => checkout.orderOfItem(tagId),
    'checkout.orders': ({ filter, before }) => ok(checkout.orders(filter, before)),
    'checkout.day': ({ day }) => ok(checkout.day(day)),
    'checkout.exportDay': async ({ day }) => ok({ ...checkout.exportDay(day), ...(await posOf(day)) }),
    'checkout.storeDay': ({ day }) => reportOfStore(day),
    'checkout.exportStoreDay': async ({ day }) => {
      const read = await storeDay(day)
      return read.ok ? ok({ ...checkout.exportStoreDay(day, read.value, ownId), ...(await posOf(day)) }) : read
    },
    async 'checkout.closeStoreDay'({ day, mark }) {
      // Asked anew: what was so a minute ago may not be so now.
      const report = await reportOfStore(day)
      if (!report.ok) return report
      if (report.value.store?.mark !== mark) return err({ code: 'hub/day-changed' })
      if (!report.value.store.isComplete) return err({ code: 'hub/day-open' })
      const closed = await checkout.storeDays?.close(day, mark)
      return closed?.ok === false ? closed : reportOfStore(day)
    },
    'checkout.verifyDay': ({ day }) => verifying.verify(day),
    'checkout.stopVerifying': () => verifying.pause(),
    'posDay.view': ({ day }) => ok(posDays.view(day)),
    'posDay.load': (part) => posDays.load(part),
    'posDay.forget': ({ day }) => posDays.forget(day),
    'posDay.list': ({ day, filter, from }) => ok(posDays.list(day, filter, from)),
    'posDay.setReason': ({ day, orderId, mark, reason }) => posDays.setReason(day, orderId, mark, reason),
    'posDay.setTracked': ({ day, productId, isTracked }) => posDays.setTracked(day, productId, isTracked),
    'posDay.saleNumber': ({ day, orderId }) => posDays.saleNumber(day, orderId),
  }
  return { checkout, reports, verifying, posDays, handlers }
}

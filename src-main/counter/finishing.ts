import { type AppErrorOf, type ResultOf, namedTags } from '../../src-shared/errors'
import type { OperationId, OrderId, TagId } from '../../src-shared/ids'
import type { CallRequest } from '../../src-shared/ipc/contract'
import type { CartMode, CartReopened, CartView, FinishedOrder } from '../../src-shared/ipc/contract/checkout'
import type { HubPolicy } from '../../src-shared/ipc/contract/hub'
import type { ManyDone, OperationView } from '../../src-shared/ipc/contract/outbox'
import { err, ok } from '../../src-shared/result'
import type { NotSaved } from '../database/saved'
import type { NotActed } from '../outbox/actions'
import { stepMany } from '../outbox/groups'
import { type Operation, isTakenBack } from '../outbox/operation'
import type { Payload } from '../outbox/payload'
import type { Counter } from './counter'
import { ofOrder } from '../day/history'
import type { Reevaluation } from './reevaluation'
import type { NotFinishedCode } from './rules'
import { errorOf, isDoubtful } from './verdict'

/** The order as the person saw it. `isMeant`: a person confirmed what `mustConfirm` asks. */
type SeenCart = Omit<CallRequest<'checkout.finish'>, 'mode'>

type ReportedOrder = NonNullable<ReturnType<typeof ofOrder>>

/** Why an order is not reported. */
type NotReportedCode =
  | NotFinishedCode
  | NotSaved
  | 'checkout/cart-changed'
  | 'checkout/claimed'
  | 'checkout/not-claimed'
  | 'checkout/awaited'

/** A cart that can be reported. */
interface Finishable {
  cart: CartView
  orderId: OrderId
}

/** Why a sale isn't completed in a store of several stations. */
function claimObjection(
  cart: CartView,
  policy: HubPolicy | undefined,
): AppErrorOf<'checkout/claimed' | 'checkout/not-claimed' | 'checkout/awaited'> | undefined {
  for (const { items, productName } of cart.lines) {
    for (const { tagId, claim } of items) {
      if (claim?.kind === 'held' && claim.isRefused)
        return { code: 'checkout/claimed', tagId, productName, by: claim.by }
      if (claim?.kind !== 'unchecked' || policy !== 'refuse') continue
      return claim.awaited
        ? { code: 'checkout/awaited', tagId, stations: claim.awaited }
        : { code: 'checkout/not-claimed', tagId }
    }
  }
  return undefined
}

/** What a manager permitted stays with the report, in words for a person. */
const permitsIn = ({ lines }: CartView) =>
  lines.flatMap(({ items, productName }) =>
    items.flatMap(({ tagId, permitted }) =>
      permitted === null ? [] : { tagId, text: `${productName ?? tagId}: ${permitted}` },
    ),
  )

const unclaimedIn = ({ lines }: CartView) =>
  lines.flatMap(({ items }) => items.flatMap(({ tagId, claim }) => (claim === null ? [] : [tagId])))

/** Reporting an order, and changing a report that the service refused. */
export class Finishing {
  readonly #counter: Counter
  readonly #reevaluation: Reevaluation

  constructor(counter: Counter, reevaluation: Reevaluation) {
    this.#counter = counter
    this.#reevaluation = reevaluation
  }

  /**
   * Saves the report and removes the open order in one commit. What the service makes of it is told by `reports.ts`.
   */
  finish(mode: CartMode, seen: SeenCart): ResultOf<FinishedOrder, NotReportedCode> {
    const { orders, outbox, reporting, events, history } = this.#counter
    const checked = this.#checked(mode, seen)
    if (!checked.ok) return checked
    const { payload, because } = this.#reportOf(mode, checked.value, seen.note)
    // If the sale is given up, so is its return.
    const sale = mode === 'return' ? history.unsettledSale(checked.value.orderId) : undefined
    const reported = outbox.enqueue(payload, {
      ...(sale && { undoes: sale.id }),
      because,
      alongside: () => {
        orders.renew(mode)
      },
    })
    if (!reported.ok) return reported
    orders.raise(mode)
    events.emit('order.reported', reported.value)
    return ok({ ...reporting.send(reported.value), ...this.#counter.carts.announce(mode) })
  }

  /** Puts the items of a refused report back into the cart; it needs attention until all are sent again. */
  reopen(
    operationId: OperationId,
  ): ResultOf<CartReopened, NotActed | 'checkout/cart-not-empty' | 'checkout/in-open-order'> {
    const { orders, outbox } = this.#counter
    const found = this.#refused(operationId)
    if (!found) return err({ code: 'outbox/not-found' })
    const { operation, payload } = found
    // A report that was put back before reopens with what is still missing.
    const tagIds = isTakenBack(operation) ? outbox.missingOf(operation) : payload.tagIds
    const mode: CartMode = payload.kind === 'complete' ? 'sale' : 'return'
    if (!orders.isEmpty(orders.front(mode))) return err({ code: 'checkout/cart-not-empty' })
    // An item may have been scanned as a return before its sale was refused.
    for (const tagId of tagIds) {
      const holder = orders.holderOf(tagId)
      if (holder) return err({ code: 'checkout/in-open-order', tagId, orderId: holder.orderId })
    }
    const reopened = outbox.reopen(operationId, () => {
      this.#refill(mode, payload, tagIds)
    })
    if (!reopened.ok) return reopened
    orders.raise(mode)
    // Permits are asked for anew.
    return ok({ ...this.#counter.carts.announce(mode), note: mode === 'return' ? (payload.note ?? '') : '' })
  }

  /**
   * Sends a refused report again, in its place in the queue, without some of the items that the service named. The
   * reason why these aren't reported is kept in its history.
   * `checkout/cart-changed`: an item is not in the report or was not named. `checkout/empty-cart`: no item is left.
   */
  amend(
    operationId: OperationId,
    without: TagId[],
    reason: string,
  ): ResultOf<OperationView, NotActed | 'checkout/cart-changed' | 'checkout/empty-cart'> {
    const { outbox, reporting, events } = this.#counter
    const found = this.#refused(operationId)
    if (!found) return err({ code: 'outbox/not-found' })
    const { operation, payload } = found
    // A report that may have been accepted was accepted with all its items.
    if (!outbox.actionsOf(operation).includes('reopen')) {
      return err({ code: 'outbox/wrong-state', state: operation.state })
    }
    const tagIds = payload.tagIds.filter((tagId) => !without.includes(tagId))
    if (tagIds.length === payload.tagIds.length) return err({ code: 'checkout/cart-changed' })
    if (tagIds.length === 0) return err({ code: 'checkout/empty-cart' })
    // Items that the service did not name were sold: they must be reported.
    const named = namedTags(operation.reason)
    if (without.some((tagId) => !named.includes(tagId))) return err({ code: 'checkout/cart-changed' })
    const corrected = outbox.correct(operationId, { ...payload, tagIds }, undefined, { without, because: reason })
    if (!corrected.ok) return corrected
    events.emit('order.reported', corrected.value)
    return ok(reporting.send(corrected.value))
  }

  /** Amends several, each in its own commit. `without`: the items that the person saw; one refused for others is left alone. */
  amendMany(operationIds: readonly OperationId[], without: readonly TagId[], reason: string): Promise<ManyDone> {
    const seen = new Set<string>(without)
    return stepMany(operationIds, (id) => {
      const named = namedTags(this.#counter.outbox.read.byId(id)?.reason ?? null)
      if (!named.every((tagId) => seen.has(tagId))) return err({ code: 'checkout/cart-changed' })
      return this.amend(
        id,
        without.filter((tagId) => named.includes(tagId)),
        reason,
      )
    })
  }

  /** The cart, judged again, if it is as the person saw it and nothing speaks against reporting it. */
  #checked(mode: CartMode, seen: SeenCart): ResultOf<Finishable, NotReportedCode> {
    const { orders, views, objections, claims } = this.#counter
    const shown = views.cart(mode)
    const isAsSeen =
      orders.isUnchangedSince(mode, seen.revision) &&
      shown.itemCount === seen.itemCount &&
      shown.orderId === seen.orderId
    if (!isAsSeen) return err({ code: 'checkout/cart-changed' })
    const isWarned = orders.isWarnedSince(mode, seen.revision)
    // Minutes or days may have passed since the scans.
    const reevaluated = this.#reevaluation.reevaluate(orders.front(mode))
    if (!reevaluated.ok) return reevaluated
    const unseen = reevaluated.value.filter(({ now }) => isDoubtful(now))
    const unsellable = unseen.find(({ now: { level } }) => level === 'pin' || level === 'refuse')
    if (unsellable) return err(errorOf(unsellable.tagId, unsellable.now))
    const cart = reevaluated.value.length > 0 ? views.cart(mode) : shown
    const isMeant = seen.isMeant === true && unseen.length === 0 && !isWarned
    const no = objections.toFinish(cart, isMeant)
    const claimed = mode === 'sale' ? claimObjection(cart, claims?.policy()) : undefined
    if (claimed) return err(claimed)
    if (no || cart.orderId === null) return err(no ?? { code: 'checkout/order-id-missing' })
    return ok({ cart, orderId: cart.orderId })
  }

  #reportOf(mode: CartMode, { cart, orderId }: Finishable, note: string | undefined) {
    const { orders } = this.#counter
    const front = orders.front(mode)
    const permits = permitsIn(cart)
    const unclaimed = unclaimedIn(cart)
    const payload: Payload = {
      kind: mode === 'sale' ? 'complete' : 'return',
      orderId,
      tagIds: orders.itemsOf(front).map(({ tagId }) => tagId),
      ...(cart.budtender ? { budtenderId: cart.budtender.id } : {}),
      ...(front.customerId === null ? {} : { customerId: front.customerId }),
      ...(note === undefined || note === '' ? {} : { note }),
      ...(permits.length > 0 && { permits }),
      ...(unclaimed.length > 0 && { unclaimed }),
      ...(front.begunBy !== null && { begunBy: front.begunBy }),
    }
    return { payload, because: [...new Set(permits.map(({ text }) => text))].join('; ') || undefined }
  }

  #refused(operationId: OperationId): { operation: Operation; payload: ReportedOrder } | undefined {
    const operation = this.#counter.outbox.read.byId(operationId)
    const payload = operation && ofOrder(operation)
    return payload && payload.kind !== 'void' ? { operation, payload } : undefined
  }

  /** Puts what was reported into the empty cart, in the transaction of the caller. */
  #refill(mode: CartMode, { orderId, budtenderId, customerId }: ReportedOrder, tagIds: TagId[]): void {
    const { orders, verdicts, clock } = this.#counter
    orders.set(mode, { orderId, customerId: customerId ?? null, ...(budtenderId === undefined ? {} : { budtenderId }) })
    for (const tagId of tagIds) {
      const found = verdicts.before(mode, tagId)
      orders.add(mode, { tagId, found, permitted: null, scannedAt: clock.now() })
    }
  }
}

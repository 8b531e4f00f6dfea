import { setImmediate } from 'node:timers/promises'
import type { AppError } from '../../src-shared/errors'
import type { TagId } from '../../src-shared/ids'
import { type CartMode, type ItemAdded, type ItemFlag, lookupPatience } from '../../src-shared/ipc/contract/checkout'
import { type Result, err, ok } from '../../src-shared/result'
import type { TagFacts } from '../../src-shared/service/facts'
import { withTimeout } from '../async'
import type { Operation } from '../outbox/operation'
import { caseKey } from '../outbox/payload'
import { scannedItem } from './cart'
import type { Counter } from './counter'
import { type OpenOrder, isDoubtful } from './open-orders'

/** Items scanned into the current sale or return. */
export function createScanning(counter: Counter) {
  const { lookup, orders, views, history, objections, rules, clock, log, isOutOfReach, save, onCart, onHeld } = counter
  const flags = createFlags(counter)

  /** Announces a cart once, with the flags in it that have changed since the scans were answered. */
  const announceFlags = (mode: CartMode, tagIds: TagId[]) => {
    const cart = views.cart(mode)
    onCart(cart)
    const changes = tagIds.flatMap((tagId) => {
      const item = scannedItem(cart, tagId)
      return item ? [{ ...item, mode }] : []
    })
    if (changes.length > 0) counter.onFlags(changes)
  }

  const put = (mode: CartMode, tagId: TagId, flag: ItemFlag | null) =>
    save({ mode, heldAt: null }, () => {
      orders.add(mode, { tagId, flag, scannedAt: clock.now() })
      if (mode === 'sale' || orders.front(mode).orderId !== null) return
      // A return takes the number of the order in which this station sold the item.
      const past = history.item(tagId)
      if (past.kind === 'sold') orders.set(mode, { orderId: past.orderId })
    })

  const added = (order: OpenOrder, tagId: TagId): Result<ItemAdded, AppError> => {
    const { mode } = order
    const cart = views.cart(mode)
    const item = scannedItem(cart, tagId)
    // While the service was asked, the item was removed by another scan or its order was put on hold.
    if (!item || orders.front(mode).id !== order.id) return err({ code: 'checkout/cart-changed' })
    onCart(cart)
    return ok({ ...item, mode, revision: cart.revision })
  }

  /** Why an item that the service answered about in time is removed again. */
  const objectionOf = (
    { tagId, flag }: { tagId: TagId; flag: ItemFlag | null },
    answer: Result<TagFacts, AppError>,
  ): AppError | undefined => {
    if (!answer.ok && isNoItem(answer.error)) return answer.error
    if (answer.ok && flag === 'sold-elsewhere') {
      return { code: 'checkout/sold-elsewhere', tagId, soldOn: answer.value.soldOn ?? '' }
    }
    return flag === 'unchecked' && !rules.view().takesUnchecked ? { code: 'checkout/unchecked', tagId } : undefined
  }

  /** Saves the flag of an item. A warning is decisive; that all is well is not. */
  const setFlag = (order: OpenOrder, tagId: TagId, flag: ItemFlag | null) =>
    save(
      order,
      () => {
        orders.setFlag(order, tagId, flag)
      },
      isDoubtful(flag),
    )
  const flagOf = (order: OpenOrder, tagId: TagId) => orders.itemsOf(order).find((item) => item.tagId === tagId)?.flag

  const answered = (tagId: TagId, answer: Result<TagFacts, AppError>) => {
    const order = orders.holderOf(tagId)
    if (!order) return
    const flag = flags.byAnswer(order.mode, tagId, answer)
    const isNew = flag !== flagOf(order, tagId)
    // No answer, and the line already says what can be said: nothing to redraw.
    if (!isNew && !answer.ok) return
    if (isNew && !setFlag(order, tagId, flag).ok) return
    if (order.heldAt !== null) {
      onHeld(views.held())
      return
    }
    // More is known of the product: the order is the same and is shown differently.
    if (!isNew) orders.raise(order.mode, false)
    announceFlags(order.mode, isNew ? [tagId] : [])
  }

  const lateAnswer = async (tagId: TagId, asked: Promise<Result<TagFacts, AppError>>) => {
    try {
      const answer = await asked
      // The scan is answered first: its notice must be there before it is updated.
      await setImmediate()
      answered(tagId, answer)
    } catch (cause) {
      log.error('a late look-up failed', { cause })
    }
  }

  return {
    /**
     * Adds an item at once and waits up to `lookupPatience` for what the service knows of it; not at all if the item is
     * remembered and the service is out of reach. A later answer arrives by `onCart` and `onFlags`. Errors:
     * checkout/duplicate, -in-open-order, -already-sold, -in-refused-order, -already-returned, -in-other-order,
     * -sold-elsewhere, -unchecked, -cart-changed, scan/wrong-place, service/not-found, store/not-saved.
     */
    async addItem(mode: CartMode, tagId: TagId): Promise<Result<ItemAdded, AppError>> {
      const no = objections.toAdd(mode, tagId)
      if (no) return err(no)
      const isRemembered = lookup.remembered(tagId) !== undefined
      const shown = isRemembered ? flags.byMemory(mode, tagId) : 'looking'
      const order = orders.front(mode)
      const done = put(mode, tagId, shown)
      if (!done.ok) return done
      const asked = lookup.tag(tagId)
      const answer =
        isRemembered && isOutOfReach() ? undefined : await withTimeout(asked, lookupPatience, () => undefined)
      if (answer === undefined) {
        void lateAnswer(tagId, asked)
        return added(order, tagId)
      }
      const flag = flags.byAnswer(mode, tagId, answer)
      // The item may have been removed, reported, or scanned into another order meanwhile.
      const holder = orders.holderOf(tagId)
      if (holder?.id !== order.id) return err({ code: 'checkout/cart-changed' })
      const refusal = objectionOf({ tagId, flag }, answer)
      if (refusal) {
        const taken = save(holder, () => {
          orders.remove(holder, tagId)
        })
        // The item stays in the cart: its pages must show it.
        if (!taken.ok) {
          counter.announce(mode)
          return taken
        }
        if (holder.heldAt === null) counter.announce(mode)
        else onHeld(views.held())
        return err(refusal)
      }
      if (flag === flagOf(holder, tagId)) return added(order, tagId)
      const flagged = setFlag(holder, tagId, flag)
      if (flagged.ok) return added(order, tagId)
      counter.announce(mode)
      return flagged
    },
    /** Updates the flags of a case's items when its import or the removal of its import changes. */
    noticeImport({ payload }: Operation): void {
      if (payload?.kind !== 'import' && payload?.kind !== 'import-removal') return
      let isHeldChanged = false
      for (const order of [orders.front('sale'), ...orders.held()]) {
        const changes = orders.itemsOf(order).flatMap(({ tagId, flag }) => {
          if (flag !== null && flag !== 'not-imported') return []
          if (lookup.remembered(tagId)?.caseId !== payload.caseId) return []
          const now = flags.byMemory('sale', tagId)
          return now === flag ? [] : [{ tagId, now }]
        })
        if (changes.length === 0) continue
        const flagged = save(
          order,
          () => {
            for (const { tagId, now } of changes) orders.setFlag(order, tagId, now)
          },
          changes.some(({ now }) => isDoubtful(now)),
        )
        if (!flagged.ok) continue
        if (order.heldAt !== null) isHeldChanged = true
        else {
          announceFlags(
            'sale',
            changes.map(({ tagId }) => tagId),
          )
        }
      }
      if (isHeldChanged) onHeld(views.held())
    },
    /** Asks again about the items of all open orders about which the service has not answered. Never rejects. */
    async askAgain(): Promise<void> {
      try {
        for (const { tagId } of orders.unheard()) answered(tagId, await lookup.tag(tagId))
      } catch (cause) {
        log.error('items could not be asked about again', { cause })
      }
    },
  }
}

/** True if the service has no such item, or the code is of another kind of thing. */
const isNoItem = ({ code }: AppError) => code === 'service/not-found' || code === 'scan/wrong-place'

export type Flags = ReturnType<typeof createFlags>

/** The flag of an item before it is sold or returned. */
export function createFlags({ lookup, outbox, history }: Pick<Counter, 'lookup' | 'outbox' | 'history'>) {
  /** This station's own import of the case may be unsent, or newer than what is remembered. */
  const hasOwnImport = ({ caseId }: TagFacts) => {
    if (caseId === null) return false
    const imports = outbox.read
      .byKey(caseKey(caseId))
      .filter(({ kind }) => kind === 'import' || kind === 'import-removal')
    const last = imports.findLast((one) => one.state !== 'cancelled' && one.state !== 'rejected')
    return last?.kind === 'import'
  }
  const byFacts = (mode: CartMode, facts: TagFacts): ItemFlag | null =>
    mode === 'sale' && facts.isImported === false && !hasOwnImport(facts) ? 'not-imported' : null
  /** By what is remembered of an earlier look-up. */
  const byMemory = (mode: CartMode, tagId: TagId): ItemFlag | null => {
    const remembered = lookup.remembered(tagId)
    return remembered ? byFacts(mode, remembered) : 'unchecked'
  }

  return {
    byMemory,
    /** By the service's answer; without a usable one, by memory. */
    byAnswer(mode: CartMode, tagId: TagId, answer: Result<TagFacts, AppError>): ItemFlag | null {
      if (!answer.ok) return isNoItem(answer.error) ? 'unknown-to-service' : byMemory(mode, tagId)
      // Only a fresh answer counts: a sale that is remembered may have been undone since.
      const isSold = mode === 'sale' && isSoldElsewhere(answer.value.soldOn, history.reportsOf(tagId))
      return isSold ? 'sold-elsewhere' : byFacts(mode, answer.value)
    },
  }
}

/**
 * Whether a sale that the service shows was made by another station: stations know of each other only through the
 * service. `soldOn`: when the item was sold, ISO 8601. `operations`: this station's with the item, oldest first.
 * Spec: Collection, `sold_at_dispensary_on`.
 */
function isSoldElsewhere(soldOn: string | null, operations: Operation[]): boolean {
  if (soldOn === null) return false
  const moment = Date.parse(soldOn)
  if (Number.isNaN(moment)) return false
  const standing = operations.filter(({ state }) => state !== 'cancelled')
  if (standing.some((one) => one.kind === 'complete' && isAt(moment, one.performedAt))) return false
  const undone = standing.filter(({ kind, state }) => kind !== 'complete' && state !== 'rejected')
  // The service can't show a return or void before it has it; a sale from before our return or void is undone.
  return undone.every(({ state, performedAt }) => state === 'accepted' && Date.parse(performedAt) < moment)
}

/** The same moment, or its whole second: some services keep no finer times. */
const isAt = (moment: number, performedAt: string) => {
  const own = Date.parse(performedAt)
  return moment === own || moment === own - (own % 1_000)
}

import type { AppError } from '../../src-shared/errors'
import type { TagId } from '../../src-shared/ids'
import { type CartMode, type ItemAdded, type ItemFlag, lookupPatience } from '../../src-shared/ipc/checkout-view'
import { type Result, err, ok } from '../../src-shared/result'
import type { TagFacts } from '../../src-shared/service/facts'
import type { Operation } from '../outbox/operation'
import type { Counter } from './counter'
import { isNoItem } from './flags'
import type { OpenOrder } from './open-orders'

/** Items into the order in front. */
export interface Scanning {
  /**
   * Puts an item into the order at once and waits a moment for what the service knows of it, or not at all where that is
   * remembered and nobody answers at present; what comes later arrives by `onCart`. Errors: checkout/duplicate,
   * -in-open-order, -already-sold, -in-refused-order, -already-returned, -in-other-order, -sold-elsewhere, -unchecked,
   * -cart-changed, scan/wrong-place, service/not-found, store/not-saved.
   */
  addItem(mode: CartMode, tagId: TagId): Promise<Result<ItemAdded, AppError>>
  /** Asks again about the items of all open orders of which the service has not been heard. Never rejects. */
  askAgain(): Promise<void>
  /** An import, or its removal, came, went on or was refused: whether the items of its case can be sold is told anew. */
  noticeImport(operation: Operation): void
}

export function createScanning(counter: Counter): Scanning {
  const { lookup, orders, views, history, objections, flags, rules, clock, log, isOutOfReach, save } = counter

  const tell = ({ mode, heldAt }: Pick<OpenOrder, 'mode' | 'heldAt'>) => {
    if (heldAt === null) counter.onCart(views.cart(mode))
    else counter.onHeld(views.held())
  }

  const added = (order: OpenOrder, tagId: TagId): Result<ItemAdded, AppError> => {
    const { mode } = order
    const cart = views.cart(mode)
    const line = cart.lines.find((one) => one.items.some((item) => item.tagId === tagId))
    // Taken out by another scan, or put aside, while the service was asked.
    if (!line || orders.front(mode).id !== order.id) return err({ code: 'checkout/cart-changed' })
    counter.onCart(cart)
    return ok({ cart, line, flag: line.items.find((item) => item.tagId === tagId)?.flag ?? null })
  }

  const put = (mode: CartMode, tagId: TagId, flag: ItemFlag | null) =>
    save(() => {
      orders.add(mode, { tagId, flag, scannedAt: clock.now() })
      if (mode === 'sale' || orders.front(mode).orderId !== null) return
      // A return against the order it was sold in: nobody need type what this station knows.
      const past = history.item(tagId)
      if (past.kind === 'sold') orders.set(mode, { orderId: past.orderId })
    })

  /** What an answer in time has against the item; then it is taken out again. */
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

  const lateAnswer = (tagId: TagId, shown: ItemFlag | null, answer: Result<TagFacts, AppError>) => {
    const order = orders.holderOf(tagId)
    if (!order) return
    const flag = flags.byAnswer(order.mode, tagId, answer)
    // Nobody answered, and the line says already what can be said: the page need not draw it again.
    if (flag === shown && !answer.ok) return
    if (flag !== shown) {
      const flagged = save(() => {
        orders.setFlag(order, tagId, flag)
      })
      if (!flagged.ok) return
    }
    tell(order)
  }

  return {
    async addItem(mode, tagId) {
      const no = objections.toAdd(mode, tagId)
      if (no) return err(no)
      const isRemembered = lookup.remembered(tagId) !== undefined
      const shown = isRemembered ? flags.byMemory(mode, tagId) : 'looking'
      const order = orders.front(mode)
      const done = put(mode, tagId, shown)
      if (!done.ok) return done
      const asked = lookup.tag(tagId)
      const answer = isRemembered && isOutOfReach() ? undefined : await withinPatience(asked)
      if (answer === undefined) {
        asked
          .then((late) => {
            lateAnswer(tagId, shown, late)
          })
          .catch((cause: unknown) => {
            log.error('a late look-up failed', { cause })
          })
        return added(order, tagId)
      }
      const flag = flags.byAnswer(mode, tagId, answer)
      // Meanwhile it may have been taken out, or reported, or scanned into another order: that is none of ours.
      const holder = orders.holderOf(tagId)
      if (holder?.id !== order.id) return err({ code: 'checkout/cart-changed' })
      const refusal = objectionOf({ tagId, flag }, answer)
      if (refusal) {
        const taken = save(() => {
          orders.remove(holder, tagId)
        })
        if (!taken.ok) return taken
        tell(holder)
        return err(refusal)
      }
      if (flag === shown) return added(order, tagId)
      const flagged = save(() => {
        orders.setFlag(holder, tagId, flag)
      })
      return flagged.ok ? added(order, tagId) : flagged
    },
    noticeImport({ payload }) {
      if (payload?.kind !== 'import' && payload?.kind !== 'import-removal') return
      const changed = [orders.front('sale'), ...orders.held()].filter((order) => {
        const flagsNow = orders.itemsOf(order).flatMap(({ tagId, flag }) => {
          if (flag !== null && flag !== 'not-imported') return []
          if (lookup.remembered(tagId)?.caseId !== payload.caseId) return []
          const now = flags.byMemory('sale', tagId)
          return now === flag ? [] : [{ tagId, now }]
        })
        if (flagsNow.length === 0) return false
        return save(() => {
          for (const { tagId, now } of flagsNow) orders.setFlag(order, tagId, now)
        }).ok
      })
      if (changed.some(({ heldAt }) => heldAt === null)) counter.onCart(views.cart('sale'))
      if (changed.some(({ heldAt }) => heldAt !== null)) counter.onHeld(views.held())
    },
    async askAgain() {
      try {
        for (const { tagId, flag } of orders.unheard()) lateAnswer(tagId, flag, await lookup.tag(tagId))
      } catch (cause) {
        log.error('items could not be asked about again', { cause })
      }
    },
  }
}

/** The answer, or undefined when it takes longer than a scan may wait. */
async function withinPatience<T>(asked: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const patience = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => {
      resolve(undefined)
    }, lookupPatience)
  })
  const answer = await Promise.race([asked, patience])
  clearTimeout(timer)
  return answer
}

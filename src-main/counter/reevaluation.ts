import type { AppError } from '../../src-shared/errors'
import type { TagId } from '../../src-shared/ids'
import type { CartMode } from '../../src-shared/ipc/contract/checkout'
import { type Result, ok } from '../../src-shared/result'
import type { Verdict } from '../../src-shared/verdict'
import { scannedItem } from './cart'
import type { Counter } from './counter'
import type { OpenOrder } from './open-orders'
import { covers, isDoubtful, judged } from './verdict'

export type Reevaluation = ReturnType<typeof createReevaluation>

/** A verdict that replaces that on an item of an open order. `isNews`: the person must see it before the order is reported. */
export interface ReevaluatedItem {
  tagId: TagId
  now: Verdict
  permitted: string | null
  isNews: boolean
}

/** Re-evaluates the verdicts on items that are in an open order already: dates pass, cases are imported, the line drops. */
export function createReevaluation(counter: Counter) {
  const { orders, views, rules, verdicts, log, isOutOfReach, save, events, announceHeld } = counter

  /** Announces a cart once, with the verdicts in it that have changed since the scans were answered. */
  const announceFlags = (mode: CartMode, tagIds: TagId[]) => {
    const cart = views.cart(mode)
    events.emit('cart.changed', cart)
    const changes = tagIds.flatMap((tagId) => {
      const item = scannedItem(cart, tagId)
      return item ? [{ ...item, mode }] : []
    })
    if (changes.length > 0) events.emit('checkout.flags', changes)
  }

  /** Saves new verdicts on items of an order in one commit, and announces them. Errors: store/not-saved. */
  const replace = (order: OpenOrder, changes: ReevaluatedItem[]): Result<null, AppError> => {
    if (changes.length === 0) return ok(null)
    const replaced = save(
      order,
      () => {
        for (const { tagId, now, permitted } of changes) orders.setVerdict(order, tagId, now, permitted)
      },
      changes.some(({ now, isNews }) => isNews && isDoubtful(now)) ? 'warning' : 'news',
    )
    if (!replaced.ok) return replaced
    if (order.heldAt !== null) announceHeld()
    else {
      announceFlags(
        order.mode,
        changes.flatMap(({ tagId, isNews }) => (isNews ? [tagId] : [])),
      )
    }
    return replaced
  }

  /**
   * Judges the items of a sale again by memory. Only what is graver than the last answer counts, and while the service is
   * out of reach as of when that was. Asks nothing. Returns what became graver. Errors: store/not-saved.
   */
  const reevaluate = (order: OpenOrder): Result<ReevaluatedItem[], AppError> => {
    const isOut = isOutOfReach()
    const changes = orders.itemsOf(order).flatMap(({ tagId, found, permitted }): ReevaluatedItem[] => {
      const now = verdicts.before(order.mode, tagId, order.id)
      // Memory says nothing: the last answer stays.
      if (now.kind === 'unchecked') return []
      const shown = judged(found, rules.view())
      if (!covers(shown, now)) return [{ tagId, now, permitted: null, isNews: true }]
      const isSame = now.kind === shown.kind && now.level === shown.level
      const isOlder = isOut && isSame && shown.asOf === null && now.asOf !== null
      return isOlder ? [{ tagId, now, permitted, isNews: false }] : []
    })
    const replaced = replace(order, changes)
    return replaced.ok ? ok(changes.filter(({ isNews }) => isNews)) : replaced
  }

  let wasOut = isOutOfReach()
  // Without a connection, open sales say as of when their verdicts are.
  events.on('connection.changed', 'counter/reevaluation.ts', () => {
    const isOut = isOutOfReach()
    if (isOut === wasOut) return
    wasOut = isOut
    if (!isOut) return
    try {
      for (const order of [orders.front('sale'), ...orders.held()]) reevaluate(order)
    } catch (cause) {
      log.error('verdicts could not be renewed', { cause })
    }
  })
  return { announceFlags, replace, reevaluate }
}

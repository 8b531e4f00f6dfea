import type { AppError } from '../../src-shared/errors'
import type { OrderId, TagId } from '../../src-shared/ids'
import {
  type Budtender,
  type CartLine,
  type CartMode,
  type CartView,
  CheckoutSettings,
} from '../../src-shared/ipc/contract/checkout'
import type { Operation } from '../outbox/operation'
import type { Settings } from '../database/settings'
import type { History } from '../day/history'
import type { OpenOrders } from './open-orders'
import { errorOf } from './verdict'
import type { Verdicts } from './verdicts'

const setting = 'checkout.settings'

export type CounterRules = ReturnType<typeof createCounterRules>

/** The checkout settings of this station. */
export function createCounterRules(settings: Pick<Settings, 'read' | 'write'>) {
  // Kept in memory: read for every line of a list.
  let rules = settings.read(setting, CheckoutSettings) ?? CheckoutSettings.parse({})
  let names = new Map(rules.budtenders.map((budtender) => [budtender.id, budtender]))
  return {
    view: () => rules,
    /** Throws if the disk refuses. */
    set(next: CheckoutSettings) {
      settings.write(setting, next)
      rules = next
      names = new Map(next.budtenders.map((budtender) => [budtender.id, budtender]))
    },
    /** A budtender without a name in the settings is shown by the badge. */
    budtender: (id: string | null): Budtender | null =>
      id === null || id === '' ? null : (names.get(id) ?? { id, name: id }),
  }
}

/**
 * What a person must confirm before these lines are reported: counts that differ from the expected ones, items that the
 * service will refuse. Errors: checkout/not-as-expected, -doubtful-items.
 */
export function toConfirm(lines: CartLine[]): AppError | undefined {
  const line = lines.find(({ difference }) => difference !== null && difference !== 0)
  if (line) return { code: 'checkout/not-as-expected', expected: line.expected ?? 0, scanned: line.items.length }
  const count = lines.flatMap(({ items }) => items).filter(({ isDoubtful }) => isDoubtful).length
  return count > 0 ? { code: 'checkout/doubtful-items', count } : undefined
}

/** What this station itself refuses, before anything is saved. The table is in counter.md. */
export function createObjections(
  orders: OpenOrders,
  history: History,
  verdicts: Pick<Verdicts, 'own' | 'soldAgain'>,
  rules: CounterRules,
) {
  const toSell = (tagId: TagId): AppError | undefined => {
    const own = verdicts.own('sale', tagId)
    return own && errorOf(tagId, own)
  }
  const toReturnInto = (orderId: OrderId | null, tagId: TagId): AppError | undefined => {
    const past = history.item(tagId)
    if (past.kind === 'refused') return { code: 'checkout/in-refused-order', tagId, orderId: past.orderId }
    if ((past.kind === 'returned' || past.kind === 'voided') && !verdicts.soldAgain(tagId)) {
      return { code: 'checkout/already-returned', tagId, orderId: past.orderId }
    }
    return past.kind === 'sold' && orderId !== null && orderId !== past.orderId
      ? { code: 'checkout/in-other-order', tagId, orderId: past.orderId }
      : undefined
  }
  /** The first item that the rules refuse, or that lacks an approval. */
  const unfitIn = (lines: CartLine[]): AppError | undefined => {
    const unfit = lines
      .flatMap(({ items }) => items)
      .find(({ verdict: { kind, level }, permitted }) => {
        // What is still being asked about counts as not checked.
        if (kind === 'looking') return !rules.view().takesUnchecked
        return level === 'refuse' || (level === 'pin' && permitted === null)
      })
    return unfit && errorOf(unfit.tagId, unfit.verdict)
  }
  const toFinishSale = ({ budtender, lines }: CartView, orderId: OrderId, tagIds: TagId[]): AppError | undefined => {
    const { requiresBudtender } = rules.view()
    if (requiresBudtender && budtender === null) return { code: 'checkout/budtender-missing' }
    const isUsed = history.order(orderId).some((one) => one.kind === 'complete' && one.state !== 'cancelled')
    if (isUsed) return { code: 'checkout/order-id-used', orderId }
    return firstOf(tagIds, toSell) ?? unfitIn(lines)
  }
  const toFinishReturn = (lines: CartLine[], orderId: OrderId, tagIds: TagId[]): AppError | undefined => {
    const operations = history.order(orderId)
    if (isVoided(operations)) return { code: 'checkout/order-voided', orderId }
    if (needsAttention(operations)) return { code: 'checkout/order-needs-attention', orderId }
    return firstOf(tagIds, (tagId) => toReturnInto(orderId, tagId)) ?? unfitIn(lines)
  }

  return {
    /** Errors: checkout/duplicate, -in-open-order, -already-sold, -in-refused-order, -already-returned, -in-other-order. */
    toAdd(mode: CartMode, tagId: TagId): AppError | undefined {
      const holder = orders.holderOf(tagId)
      const front = orders.front(mode)
      if (holder?.id === front.id) return { code: 'checkout/duplicate', tagId }
      if (holder) return { code: 'checkout/in-open-order', tagId, orderId: holder.orderId }
      return mode === 'sale' ? toSell(tagId) : toReturnInto(front.orderId, tagId)
    },
    /**
     * `isMeant`: the person confirmed what `toConfirm` says. Errors: those of `toConfirm`, checkout/order-id-missing,
     * -empty-cart, -budtender-missing, -unchecked, -order-id-used, -order-voided, -order-needs-attention, -not-sellable,
     * -sold-elsewhere, service/not-found, and those of `toAdd` about items.
     */
    toFinish(cart: CartView, isMeant = false): AppError | undefined {
      const { mode, orderId, lines } = cart
      const tagIds = lines.flatMap(({ items }) => items.map(({ tagId }) => tagId))
      if (orderId === null) return { code: 'checkout/order-id-missing' }
      if (tagIds.length === 0) return { code: 'checkout/empty-cart' }
      const unconfirmed = isMeant ? undefined : toConfirm(lines)
      if (unconfirmed) return unconfirmed
      return mode === 'sale' ? toFinishSale(cart, orderId, tagIds) : toFinishReturn(lines, orderId, tagIds)
    },
    /** Errors: checkout/order-voided, -order-needs-attention, -order-unknown. */
    toVoid(orderId: OrderId, operations: Operation[]): AppError | undefined {
      if (isVoided(operations)) return { code: 'checkout/order-voided', orderId }
      if (needsAttention(operations)) return { code: 'checkout/order-needs-attention', orderId }
      // An order that this station never saw may be another till's. One whose reports were all withdrawn does not exist.
      const isWithdrawn = operations.length > 0 && operations.every((one) => one.state === 'cancelled')
      return isWithdrawn ? { code: 'checkout/order-unknown', orderId } : undefined
    },
  }
}

function firstOf(tagIds: TagId[], objection: (tagId: TagId) => AppError | undefined): AppError | undefined {
  for (const tagId of tagIds) {
    const found = objection(tagId)
    if (found) return found
  }
  return undefined
}

export const needsAttention = (operations: Operation[]) => operations.some((one) => one.state === 'rejected')

const isVoided = (operations: Operation[]) =>
  operations.some((one) => one.kind === 'void' && one.state !== 'cancelled' && one.state !== 'rejected')

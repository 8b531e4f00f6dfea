import type { AppErrorOf } from '../../src-shared/errors'
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
import type { CounterContext } from './counter-context'
import type { OpenOrders } from './open-orders'
import { type UnfitCode, errorOf } from './verdict'
import type { Verdicts } from './verdicts'

const setting = 'checkout.settings'

/** The checkout settings of this station. Kept in memory: they are read for every line of a list. */
export class CounterRules {
  readonly #settings: Pick<Settings, 'read' | 'write'>
  readonly #personNamed: (shortName: string) => string | undefined
  #rules: CheckoutSettings
  #budtenders: ReadonlyMap<string, Budtender>

  constructor(
    settings: Pick<Settings, 'read' | 'write'>,
    personNamed: CounterContext['personNamed'] = () => undefined,
  ) {
    this.#settings = settings
    this.#personNamed = personNamed
    this.#rules = settings.read(setting, CheckoutSettings) ?? CheckoutSettings.parse({})
    this.#budtenders = byId(this.#rules)
  }

  view(): CheckoutSettings {
    return this.#rules
  }

  /** Throws if the disk refuses. */
  set(next: CheckoutSettings): void {
    this.#settings.write(setting, next)
    this.#rules = next
    this.#budtenders = byId(next)
  }

  /** A budtender who is no person of the store and has no name in the settings is shown by the badge. */
  budtender(id: string | null): Budtender | null {
    if (id === null || id === '') return null
    return this.#budtenders.get(id) ?? { id, name: this.#personNamed(id) ?? id }
  }

  isPerson(id: string): boolean {
    return this.#personNamed(id) !== undefined
  }
}

const byId = ({ budtenders }: CheckoutSettings) => new Map(budtenders.map((budtender) => [budtender.id, budtender]))

/**
 * What a person must confirm before these lines are reported: counts that differ from the expected ones, items that the
 * service will refuse.
 */
export function toConfirm(
  lines: CartLine[],
): AppErrorOf<'checkout/not-as-expected' | 'checkout/doubtful-items'> | undefined {
  const line = lines.find(({ difference }) => difference !== null && difference !== 0)
  if (line) return { code: 'checkout/not-as-expected', expected: line.expected ?? 0, scanned: line.items.length }
  const count = lines.flatMap(({ items }) => items).filter(({ isDoubtful }) => isDoubtful).length
  return count > 0 ? { code: 'checkout/doubtful-items', count } : undefined
}

/** Why an item is not taken into an order, by what this station did with it. */
export type NotAddedCode = UnfitCode | 'checkout/duplicate' | 'checkout/already-returned' | 'checkout/in-other-order'

/** Why an order can't be reported. */
export type NotFinishedCode =
  | Exclude<NotAddedCode, 'checkout/duplicate'>
  | 'checkout/order-id-missing'
  | 'checkout/empty-cart'
  | 'checkout/not-as-expected'
  | 'checkout/doubtful-items'
  | 'checkout/budtender-missing'
  | 'checkout/order-id-used'
  | 'checkout/order-voided'
  | 'checkout/order-needs-attention'

type NotAdded = AppErrorOf<NotAddedCode>
type NotFinished = AppErrorOf<NotFinishedCode>

/** What this station itself refuses, before anything is saved. The table is in counter.md. */
export class Objections {
  readonly #orders: OpenOrders
  readonly #history: History
  readonly #verdicts: Verdicts
  readonly #rules: CounterRules

  constructor(orders: OpenOrders, history: History, verdicts: Verdicts, rules: CounterRules) {
    this.#orders = orders
    this.#history = history
    this.#verdicts = verdicts
    this.#rules = rules
  }

  toAdd(mode: CartMode, tagId: TagId): NotAdded | undefined {
    const holder = this.#orders.holderOf(tagId)
    const front = this.#orders.front(mode)
    if (holder?.id === front.id) return { code: 'checkout/duplicate', tagId }
    if (holder) return { code: 'checkout/in-open-order', tagId, orderId: holder.orderId }
    return mode === 'sale' ? this.#toSell(tagId) : this.#toReturnInto(front.orderId, tagId)
  }

  /** `isMeant`: the person confirmed what `toConfirm` says. */
  toFinish(cart: CartView, isMeant = false): NotFinished | undefined {
    const { mode, orderId, lines } = cart
    const tagIds = lines.flatMap(({ items }) => items.map(({ tagId }) => tagId))
    if (orderId === null) return { code: 'checkout/order-id-missing' }
    if (tagIds.length === 0) return { code: 'checkout/empty-cart' }
    const unconfirmed = isMeant ? undefined : toConfirm(lines)
    if (unconfirmed) return unconfirmed
    return mode === 'sale' ? this.#toFinishSale(cart, orderId, tagIds) : this.#toFinishReturn(lines, orderId, tagIds)
  }

  toVoid(
    orderId: OrderId,
    operations: Operation[],
  ): AppErrorOf<'checkout/order-voided' | 'checkout/order-needs-attention' | 'checkout/order-unknown'> | undefined {
    const closed = closedTo(orderId, operations)
    if (closed) return closed
    // An order that this station never saw may be another till's. One whose reports were all withdrawn does not exist.
    const isWithdrawn = operations.length > 0 && operations.every((one) => one.state === 'cancelled')
    return isWithdrawn ? { code: 'checkout/order-unknown', orderId } : undefined
  }

  #toSell(tagId: TagId): AppErrorOf<UnfitCode> | undefined {
    const own = this.#verdicts.own('sale', tagId)
    return own && errorOf(tagId, own)
  }

  #toReturnInto(
    orderId: OrderId | null,
    tagId: TagId,
  ): AppErrorOf<'checkout/in-refused-order' | 'checkout/already-returned' | 'checkout/in-other-order'> | undefined {
    const past = this.#history.item(tagId)
    if (past.kind === 'refused') return { code: 'checkout/in-refused-order', tagId, orderId: past.orderId }
    if ((past.kind === 'returned' || past.kind === 'voided') && !this.#verdicts.soldAgain(tagId)) {
      return { code: 'checkout/already-returned', tagId, orderId: past.orderId }
    }
    return past.kind === 'sold' && orderId !== null && orderId !== past.orderId
      ? { code: 'checkout/in-other-order', tagId, orderId: past.orderId }
      : undefined
  }

  #toFinishSale({ budtender, lines }: CartView, orderId: OrderId, tagIds: TagId[]): NotFinished | undefined {
    if (this.#rules.view().requiresBudtender && budtender === null) return { code: 'checkout/budtender-missing' }
    const isUsed = this.#history.order(orderId).some((one) => one.kind === 'complete' && one.state !== 'cancelled')
    if (isUsed) return { code: 'checkout/order-id-used', orderId }
    return firstOf(tagIds, (tagId) => this.#toSell(tagId)) ?? this.#unfitIn(lines)
  }

  #toFinishReturn(lines: CartLine[], orderId: OrderId, tagIds: TagId[]): NotFinished | undefined {
    const closed = closedTo(orderId, this.#history.order(orderId))
    return closed ?? firstOf(tagIds, (tagId) => this.#toReturnInto(orderId, tagId)) ?? this.#unfitIn(lines)
  }

  /** The first item that the rules refuse, or that lacks an approval. */
  #unfitIn(lines: CartLine[]): AppErrorOf<UnfitCode> | undefined {
    const unfit = lines
      .flatMap(({ items }) => items)
      .find(({ verdict: { kind, level }, permitted }) => {
        // What is still being asked about counts as not checked.
        if (kind === 'looking') return !this.#rules.view().takesUnchecked
        return level === 'refuse' || (level === 'pin' && permitted === null)
      })
    return unfit && errorOf(unfit.tagId, unfit.verdict)
  }
}

/** Why an order takes no more returns and no void. */
function closedTo(orderId: OrderId, operations: Operation[]) {
  if (isVoided(operations)) return { code: 'checkout/order-voided' as const, orderId }
  return needsAttention(operations) ? { code: 'checkout/order-needs-attention' as const, orderId } : undefined
}

function firstOf<E>(tagIds: TagId[], objection: (tagId: TagId) => E | undefined): E | undefined {
  for (const tagId of tagIds) {
    const found = objection(tagId)
    if (found) return found
  }
  return undefined
}

export const needsAttention = (operations: Operation[]) => operations.some((one) => one.state === 'rejected')

const isVoided = (operations: Operation[]) =>
  operations.some((one) => one.kind === 'void' && one.state !== 'cancelled' && one.state !== 'rejected')

import { isDeepStrictEqual } from 'node:util'
import type { Database, Statement } from 'better-sqlite3'
import { z } from 'zod'
import { ShortUuid, type TagId } from '../../src-shared/ids'
import {
  type CartItem,
  type CartLine,
  type CartMode,
  type CartView,
  type CheckoutSettings,
  type HeldOrder,
  type ScannedItem,
  unknownLine,
} from '../../src-shared/ipc/contract/checkout'
import { TagFacts } from '../../src-shared/service/facts'
import { iso, nowByService } from '../core/clock'
import { coaVerdict } from '../memory/certificate'
import { parseStored } from '../database/settings'
import type { CounterContext } from './counter-context'
import type { OpenItem, OpenOrder } from './open-order-rows'
import type { OpenOrders } from './open-orders'
import { type CounterRules, toConfirm } from './rules'
import { isDoubtful, judged } from './verdict'

/** Key of a line whose product is known by name only. */
export const nameKey = (productName: string) => productName.slice(0, 100)

/** How many products name a held order. */
const namedProducts = 3

/** What is known of an item besides its verdict. */
type Beside = Pick<CartItem, 'caseId' | 'claim'>

/** Open orders as the screens show them: items grouped into lines by product. */
export class CartViews {
  readonly #context: CounterContext
  readonly #orders: OpenOrders
  readonly #rules: CounterRules
  readonly #products: LineProducts
  /** Items as they were judged, for the same rules. One that has not changed is the same object in the next view. */
  readonly #judged = new WeakMap<OpenItem, { by: CheckoutSettings; item: CartItem }>()

  constructor(context: CounterContext, orders: OpenOrders, rules: CounterRules) {
    this.#context = context
    this.#orders = orders
    this.#rules = rules
    this.#products = new LineProducts(context.db)
  }

  /** The current sale or return. Reads every item: make it once for each change. */
  cart(mode: CartMode): CartView {
    const order = this.#orders.front(mode)
    const lines = this.#linesOf(order)
    const { id, orderId, customerId } = order
    const itemCount = countOf(lines)
    return {
      mode,
      id,
      revision: this.#orders.revision(mode),
      orderId,
      budtender: this.#rules.budtender(order.budtenderId),
      customerId: customerId === null ? null : (this.#context.seal.open(customerId) ?? null),
      lines,
      itemCount,
      last: this.#lastOf(lines),
      mustConfirm: orderId !== null && itemCount > 0 && toConfirm(lines) !== undefined,
    }
  }

  /** Those on hold at this station. */
  held(): (HeldOrder & { id: number })[] {
    return this.#orders.held().map((order) => {
      const lines = this.#linesOf(order)
      return {
        id: order.id,
        station: null,
        orderId: order.orderId,
        budtender: this.#rules.budtender(order.budtenderId),
        itemCount: countOf(lines),
        products: lines
          .flatMap(({ productName, items }) => (items.length > 0 && productName) || [])
          .slice(0, namedProducts),
        heldAt: iso(order.heldAt ?? 0),
      }
    })
  }

  /** Only here the certificates are looked up: a scan doesn't read those of the whole cart. */
  #lastOf(lines: CartLine[]): CartView['last'] {
    let last: CartItem | undefined
    for (const { items } of lines) for (const item of items) if (!last || item.scannedAt >= last.scannedAt) last = item
    if (!last) return null
    const coa = this.#context.lookup.cachedCoa(last.tagId)
    return { tagId: last.tagId, coa: coa ? coaVerdict(coa, nowByService(this.#context)) : null }
  }

  #linesOf(order: OpenOrder): CartLine[] {
    const { lookup, sharing } = this.#context
    const claims = sharing?.claims
    const expected = this.#orders.expectedOf(order)
    const isClaimed = claims !== undefined && order.mode === 'sale'
    // Expected counts are stored by the key that the line had at the time. Those without items get a line of their own.
    const unmet = new Set(expected.keys())
    const lines = new Map<string, Omit<CartLine, 'difference'>>()
    for (const stored of this.#orders.itemsOf(order)) {
      const facts = lookup.cached(stored.tagId)
      // Unknown items share one line: nothing tells them apart.
      const name = facts?.productName ? nameKey(facts.productName) : undefined
      const key = facts?.productId ?? name ?? unknownLine
      if (facts) this.#products.note(key, facts)
      unmet.delete(key)
      if (name !== undefined) unmet.delete(name)
      const line = lines.get(key) ?? {
        key,
        ...productOf(facts),
        items: [],
        // The count may have been set when only the product's name was known.
        expected: expected.get(key) ?? (name === undefined ? undefined : expected.get(name)) ?? null,
      }
      const claim = isClaimed ? claims.markOf(stored.tagId) : null
      line.items.push(this.#judgedItem(stored, { caseId: facts?.caseId ?? null, claim }))
      lines.set(key, line)
    }
    for (const key of unmet) {
      lines.set(key, { key, ...this.#products.of(key), items: [], expected: expected.get(key) ?? null })
    }
    return [...lines.values()].map((line) => {
      return { ...line, difference: line.expected === null ? null : line.items.length - line.expected }
    })
  }

  #judgedItem(stored: OpenItem, beside: Beside): CartItem {
    const by = this.#rules.view()
    const before = this.#judged.get(stored)
    const isSame =
      before?.by === by && before.item.caseId === beside.caseId && isDeepStrictEqual(before.item.claim, beside.claim)
    if (isSame) return before.item
    const item = itemOf(stored, beside, by)
    this.#judged.set(stored, { by, item })
    return item
  }
}

function itemOf({ tagId, scannedAt, found, permitted }: OpenItem, beside: Beside, rules: CheckoutSettings): CartItem {
  const { caseId, claim } = beside
  const verdict = judged(found, rules)
  // An approval is for the PIN that was asked for: it makes nothing sellable that is refused by now.
  const counted = verdict.level === 'pin' ? permitted : null
  const isOpen = (counted === null && isDoubtful(verdict)) || claim?.kind === 'held'
  return { tagId, scannedAt: iso(scannedAt), verdict, permitted: counted, isDoubtful: isOpen, caseId, claim }
}

const countOf = (lines: CartLine[]) => lines.reduce((sum, line) => sum + line.items.length, 0)

/** What a scan says of an item of the cart; undefined if the cart does not hold it. */
export function scannedItem(
  { lines, itemCount }: CartView,
  tagId: TagId,
): (ScannedItem & { scannedAt: string }) | undefined {
  for (const { items, productName, expected } of lines) {
    const item = items.find((one) => one.tagId === tagId)
    if (item) return { ...item, productName, expected, lineCount: items.length, itemCount }
  }
  return undefined
}

type LineProduct = Pick<TagFacts, 'productName' | 'brandName' | 'pictureUrl'>

const productOf = ({ productName, brandName, pictureUrl }: LineProduct = unknownProduct): LineProduct => {
  return { productName, brandName, pictureUrl }
}
const unknownProduct: LineProduct = { productName: null, brandName: null, pictureUrl: null }

/** The product of each line key, for lines that have no items left. */
class LineProducts {
  readonly #noted = new Map<string, LineProduct>()
  readonly #seen: Statement

  constructor(db: Database) {
    // Scans the whole table: needed once for a line that had no items left before a restart.
    this.#seen = db
      .prepare(
        `SELECT content FROM memory
         WHERE kind = 'tag' AND form = 'facts' AND json_valid(content) AND content ->> '$.productId' = ? ORDER BY asked_at DESC LIMIT 1`,
      )
      .pluck()
  }

  note(key: string, product: LineProduct): void {
    this.#noted.set(key, productOf(product))
  }

  of(key: string): LineProduct {
    const known = this.#noted.get(key) ?? this.#look(key)
    this.#noted.set(key, known)
    return known
  }

  #look(key: string): LineProduct {
    // The key is the product's name where no id is known.
    if (!ShortUuid.safeParse(key).success) return { ...unknownProduct, productName: key }
    const content = z.string().optional().parse(this.#seen.get(key))
    return productOf(content === undefined ? undefined : parseStored(TagFacts, content))
  }
}

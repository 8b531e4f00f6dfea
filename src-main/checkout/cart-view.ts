import type { TagId } from '../../src-shared/ids'
import type { CartLine, CartMode, CartView, HeldOrder } from '../../src-shared/ipc/checkout-view'
import type { TagFacts } from '../../src-shared/service/facts'
import { iso } from '../clock'
import type { Seal } from '../privacy/seal'
import type { OpenOrder, OpenOrders } from './open-orders'
import type { CounterRules } from './counter-rules'
import type { KnownProducts } from './known-products'

/** Open orders as the screens show them. */
export interface CartViews {
  cart(mode: CartMode): CartView
  held(): HeldOrder[]
}

/** The line of a product of which nothing but the name is known. */
export const nameKey = (productName: string) => productName.slice(0, 100)

/** Products that a held order is known by. */
const namedProducts = 3

export function createCartViews(
  orders: OpenOrders,
  factsOf: (tagId: TagId) => TagFacts | undefined,
  rules: CounterRules,
  products: KnownProducts,
  seal: Pick<Seal, 'open'>,
): CartViews {
  const linesOf = (order: OpenOrder): CartLine[] => {
    const expected = orders.expectedOf(order)
    // Said of whichever key a line had then: what is taken by a line is not a line of its own.
    const unmet = new Set(expected.keys())
    const lines = new Map<string, CartLine>()
    for (const { tagId, scannedAt, flag } of orders.itemsOf(order)) {
      const facts = factsOf(tagId)
      // Items of which nothing is known share a line: there is nothing to tell them apart by.
      const name = facts?.productName ? nameKey(facts.productName) : undefined
      const key = facts?.productId ?? name ?? 'unknown'
      if (facts) products.note(key, facts)
      unmet.delete(key)
      if (name !== undefined) unmet.delete(name)
      const line = lines.get(key) ?? {
        key,
        productName: facts?.productName ?? null,
        brandName: facts?.brandName ?? null,
        pictureUrl: facts?.pictureUrl ?? null,
        items: [],
        // It may have been said before more was known of the product than its name.
        expected: expected.get(key) ?? (name === undefined ? undefined : expected.get(name)) ?? null,
      }
      line.items.push({ tagId, scannedAt: iso(scannedAt), flag, caseId: facts?.caseId ?? null })
      lines.set(key, line)
    }
    // None of them is here, or none any more: that is worth seeing until a person says it is not.
    for (const key of unmet) {
      lines.set(key, { key, ...products.of(key), items: [], expected: expected.get(key) ?? null })
    }
    return [...lines.values()]
  }
  const countOf = (lines: CartLine[]) => lines.reduce((sum, line) => sum + line.items.length, 0)

  return {
    cart(mode) {
      const order = orders.front(mode)
      const lines = linesOf(order)
      const { orderId, customerId } = order
      return {
        mode,
        revision: orders.revision(mode),
        orderId,
        budtender: rules.budtender(order.budtenderId),
        customerId: customerId === null ? null : (seal.open(customerId) ?? null),
        lines,
        itemCount: countOf(lines),
      }
    },
    held: () =>
      orders.held().map((order) => {
        const lines = linesOf(order)
        return {
          id: order.id,
          orderId: order.orderId,
          budtender: rules.budtender(order.budtenderId),
          itemCount: countOf(lines),
          products: lines
            .flatMap(({ productName, items }) => (items.length > 0 && productName) || [])
            .slice(0, namedProducts),
          heldAt: iso(order.heldAt ?? 0),
        }
      }),
  }
}

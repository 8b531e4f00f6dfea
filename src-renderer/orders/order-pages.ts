import type { OrderSummary } from '../../src-shared/ipc/checkout-view'

/** As many orders as main gives at a time. */
export const pageLength = 100

/**
 * The list with one of its pages as main has it now. `before` is where that page begins (null: at the top), as it was
 * asked for; it says everything about the orders between there and its own end. An order stands where it was last seen.
 */
export function withPage(orders: OrderSummary[], before: number | null, page: OrderSummary[]): OrderSummary[] {
  const isWhole = page.length < pageLength
  const end = page.at(-1)?.seq ?? 0
  const renewed = new Set(page.map(({ orderId }) => orderId))
  const above = orders.filter(({ seq, orderId }) => before !== null && seq >= before && !renewed.has(orderId))
  const below = isWhole ? [] : orders.filter(({ seq, orderId }) => seq < end && !renewed.has(orderId))
  return [...above, ...page.map((order) => unchanged(orders, order)), ...below]
}

/** The old object of an order that is as it was: only rows that changed are drawn again. */
function unchanged(orders: OrderSummary[], order: OrderSummary): OrderSummary {
  const old = orders.find(({ orderId }) => orderId === order.orderId)
  return old && JSON.stringify(old) === JSON.stringify(order) ? old : order
}

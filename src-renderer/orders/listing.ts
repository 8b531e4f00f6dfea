import type { OrderSummary } from '../../src-shared/ipc/contract/checkout'
import { keepUnchanged } from '../ui/throttle'

/** The days whose orders are shown. */
export type When = 'today' | 'yesterday' | 'day' | 'all'

/** Main answers with at most so many orders. */
export const pageLength = 100

const two = (number: number) => String(number).padStart(2, '0')

/** YYYY-MM-DD, in this computer's time zone. */
export const dayText = (date: Date | number): string => {
  const day = new Date(date)
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`
}

/**
 * The chosen day; null for all days. `chosen` and `today`: YYYY-MM-DD; `chosen` is empty while no date is entered.
 * `today` follows the service's clock, because orders are filed by it.
 */
export function dayMeant(when: When, chosen: string, today: string): string | null {
  if (when === 'all') return null
  if (when === 'yesterday') return dayBefore(today)
  return when === 'day' && chosen !== '' ? chosen : today
}

function dayBefore(day: string): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return dayText(new Date(year, month - 1, date - 1))
}

/**
 * The list with one of its pages read again. `before`: the `seq` that the page was asked for (null: the top). The page
 * replaces everything between there and its own end; an order that moved stands only at its new place.
 */
export function withPage(orders: OrderSummary[], before: number | null, page: OrderSummary[]): OrderSummary[] {
  const isWhole = page.length < pageLength
  const end = page.at(-1)?.seq ?? 0
  const renewed = new Set(page.map(({ orderId }) => orderId))
  const above = orders.filter(({ seq, orderId }) => before !== null && seq >= before && !renewed.has(orderId))
  const below = isWhole ? [] : orders.filter(({ seq, orderId }) => seq < end && !renewed.has(orderId))
  return [...above, ...keepUnchanged(orders, page, ({ orderId }) => orderId), ...below]
}

import type { OrderSummary } from '../../src-shared/ipc/contract/checkout'
import { keepUnchanged } from '../ui/throttle'

/** The day that is shown; `day`: the date that a person chose. */
export type When = 'today' | 'yesterday' | 'day'
/** The days whose orders are listed; `days`: from and to the dates that a person chose. */
export type Days = 'today' | 'yesterday' | 'week' | 'days' | 'all'

/** Main answers with at most so many orders. */
export const pageLength = 100

const two = (number: number) => String(number).padStart(2, '0')

/** YYYY-MM-DD, in this computer's time zone. */
export const dayText = (date: Date | number): string => {
  const day = new Date(date)
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`
}

/**
 * The chosen day. `chosen` and `today`: YYYY-MM-DD; `chosen` is empty while no date is entered.
 * `today` follows the service's clock, because orders are filed by it.
 */
export function dayMeant(when: When, chosen: string, today: string): string {
  if (when === 'yesterday') return before(today, 1)
  return when === 'day' && chosen !== '' ? chosen : today
}

/** The first and the last of the chosen days; null for all days. Either date may be the earlier one, or not be entered. */
export function daysMeant(when: Days, one: string, other: string, today: string): { from: string; to: string } | null {
  switch (when) {
    case 'all':
      return null
    case 'week':
      return { from: before(today, 6), to: today }
    case 'days': {
      const [from = today, to = from] = [one, other].filter((date) => date !== '').sort()
      return { from, to }
    }
    case 'today':
    case 'yesterday': {
      const day = dayMeant(when, '', today)
      return { from: day, to: day }
    }
  }
}

function before(day: string, days: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return dayText(new Date(year, month - 1, date - days))
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

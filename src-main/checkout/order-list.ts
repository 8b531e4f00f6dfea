import { OrderId } from '../../src-shared/ids'
import type { OrdersFilter, OrdersPage, OrderState, OrderSummary } from '../../src-shared/ipc/checkout-view'
import { searchable } from '../../src-shared/text'
import type { Operation } from '../outbox/operation'
import type { Counter } from './counter'
import { type Entry, createEntries, orderState, spanOf } from './entries'
import { itemsIn, ofOrder, saleIn } from './history'

/** The orders of this station. */
export interface OrderList {
  /** Newest first, at most 100, those before `before` (a `seq`). */
  orders(filter: OrdersFilter, before: number | null): OrdersPage
}

const pageLength = 100
const namedProducts = 3

export function createOrderList({ db, history, lookup, rules }: Counter): OrderList {
  const entries = createEntries(db)

  const matches = ({ budtenderId, text }: OrdersFilter) => {
    const sought = searchable(text)
    const saidBy = (entry: Entry) => `${entry.words} ${rules.budtender(entry.budtenderId)?.name ?? ''}`
    return (reports: Entry[]) =>
      (budtenderId === null || reports.some((one) => one.budtenderId === budtenderId)) &&
      (sought === '' || reports.some((one) => searchable(saidBy(one)).includes(sought)))
  }

  /** None of an order of which no report can be read. */
  const summary = (orderId: string): OrderSummary[] => {
    const id = OrderId.safeParse(orderId).data
    const operations = id === undefined ? [] : history.order(id)
    const [first, last] = [operations[0], operations.at(-1)]
    if (id === undefined || !first || !last) return []
    const items = itemsIn(operations)
    const products = new Map<string | null, number>()
    for (const { tagId } of items) {
      const name = lookup.remembered(tagId)?.productName ?? null
      products.set(name, (products.get(name) ?? 0) + 1)
    }
    return [
      {
        orderId: id,
        seq: last.seq,
        firstAt: first.performedAt,
        lastAt: last.performedAt,
        state: orderState(operations),
        itemCount: items.length,
        returnedCount: items.filter(({ state }) => state === 'returned').length,
        budtender: rules.budtender(budtenderOf(operations)),
        products: [...products].slice(0, namedProducts).map(([name, count]) => ({ name, count })),
      },
    ]
  }
  /** Orders with their reports, newest first. */
  const byOrder = (day: string | null, withWords: boolean) => {
    const orders = new Map<string, Entry[]>()
    for (const entry of entries.ofOrders(day === null ? null : spanOf(day), withWords)) {
      const reports = orders.get(entry.orderId)
      if (reports) reports.push(entry)
      else orders.set(entry.orderId, [entry])
    }
    return [...orders]
      .map(([orderId, reports]) => ({ orderId, reports, state: orderState(reports), seq: reports.at(-1)?.seq ?? 0 }))
      .sort((a, b) => b.seq - a.seq)
  }

  return {
    orders(filter, before) {
      const isMatch = matches(filter)
      const found = byOrder(filter.day, filter.text !== '').filter(({ reports }) => isMatch(reports))
      const byState: Record<OrderState, number> = { unsent: 0, attention: 0, reported: 0, voided: 0, withdrawn: 0 }
      for (const { state } of found) byState[state]++
      const shown = filter.state === null ? found : found.filter(({ state }) => state === filter.state)
      const page = shown.filter(({ seq }) => before === null || seq < before).slice(0, pageLength)
      return {
        orders: page.flatMap(({ orderId }) => summary(orderId)),
        total: shown.length,
        byState,
      }
    },
  }
}

const budtenderOf = (operations: Operation[]) => {
  const sale = saleIn(operations) ?? operations[0]
  return (sale && ofOrder(sale)?.budtenderId) ?? null
}

import type { DayExport, DayReport } from '../../src-shared/ipc/contract/checkout'
import { iso } from '../clock'
import { isForPerson } from '../outbox/operation'
import type { Counter } from './counter'
import { type Entry, createEntries } from './entries'
import { ofOrder, remarksOf, spanOf } from './history'

/** At most so many unsent and refused operations are listed. */
const mostListed = 1_000

/** The closing report and its file. `day` is a local date, YYYY-MM-DD. */
export function createDayBook(counter: Counter) {
  const { db, views, rules, outbox, reporting, clock, serviceClock, storeName, station } = counter
  const entries = createEntries(db)

  return {
    /** Counts what the service accepted, as it was reported. */
    day(day: string): DayReport {
      const accepted = entries.accepted(spanOf(day))
      const completed = tally(accepted, 'complete')
      const returned = tally(accepted, 'return')
      const voided = tally(accepted, 'void')
      return {
        day,
        storeName,
        station,
        // By the service's clock, as the times of the reports.
        madeAt: iso(clock.now() + serviceClock.offset()),
        completed,
        returned,
        voided,
        net: {
          orders: completed.orders - voided.orders,
          items: completed.items - returned.items - voided.items,
        },
        byHour: byHour(accepted),
        outages: counter.outages?.(...spanOf(day)) ?? [],
        byBudtender: byBudtender(accepted).map(({ id, ...counts }) => ({ budtender: rules.budtender(id), ...counts })),
        byProduct: byProduct(accepted),
        confirmed: accepted.length,
        unsent: outbox.read.waiting(mostListed).map(reporting.view),
        refused: outbox.read.attention(mostListed).map(reporting.view),
        permitted: outbox
          .permitted(...spanOf(day))
          .map(({ at, operation, reason }) => ({ at: iso(at), operation: reporting.view(operation), reason })),
        held: views.held(),
        verification: counter.verification?.(day) ?? null,
      }
    },
    /** Every sale, return and void of the day, in any state. */
    exportDay(day: string): DayExport {
      const products = entries.products(spanOf(day))
      const lines = entries.operations(spanOf(day)).flatMap((operation): DayExport['lines'] => {
        const payload = ofOrder(operation)
        if (!payload) return []
        const { kind, orderId, tagIds, budtenderId = null } = payload
        const { state, performedAt, reason, dismissedBecause } = operation
        return [
          {
            ...{ kind, orderId, tagIds, state, performedAt, reason, dismissedBecause },
            note: operation.note,
            unsettled: isForPerson(operation) ? { shown: operation.shown } : null,
            budtender: rules.budtender(budtenderId)?.name ?? null,
            products: [...new Set((products.get(operation.seq) ?? []).flatMap(({ name }) => name ?? []))],
            remark: remarksOf(payload).join('\n') || null,
          },
        ]
      })
      return { fileName: `orders-${fileNamePart(station)}-${day}.csv`, station, lines }
    },
  }
}

/** Letters, digits, dots, underscores and dashes: allowed on every file system. */
const fileNamePart = (text: string) => text.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')

const itemsIn = ({ products }: Entry) => products.reduce((sum, { items }) => sum + items, 0)

function tally(entries: Entry[], kind: Entry['kind']) {
  const those = entries.filter((one) => one.kind === kind)
  return {
    orders: new Set(those.map(({ orderId }) => orderId)).size,
    items: those.reduce((sum, one) => sum + itemsIn(one), 0),
  }
}

const columnOf = { complete: 'sold', return: 'returned', void: 'voided' } as const

/** Every hour from the first to the last report; one that the clock repeats in autumn holds both. */
function byHour(entries: Entry[]): DayReport['byHour'] {
  const hours = new Map<number, DayReport['byHour'][number]>()
  const empty = (hour: number) => ({ hour, orders: 0, sold: 0, returned: 0, voided: 0 })
  for (const entry of entries) {
    const hour = new Date(entry.at).getHours()
    const row = hours.get(hour) ?? empty(hour)
    row[columnOf[entry.kind]] += itemsIn(entry)
    if (entry.kind === 'complete') row.orders++
    hours.set(hour, row)
  }
  if (hours.size === 0) return []
  const first = Math.min(...hours.keys())
  const count = Math.max(...hours.keys()) - first + 1
  return Array.from({ length: count }, (_, place) => hours.get(first + place) ?? empty(first + place))
}

/** Orders are counted for the budtender who sold them. */
function byBudtender(entries: Entry[]) {
  const rows = new Map<
    string | null,
    { id: string | null; sold: number; returned: number; voided: number; orders: number }
  >()
  for (const entry of entries) {
    const id = entry.budtenderId
    const row = rows.get(id) ?? { id, sold: 0, returned: 0, voided: 0, orders: 0 }
    row[columnOf[entry.kind]] += itemsIn(entry)
    if (entry.kind === 'complete') row.orders++
    rows.set(id, row)
  }
  return [...rows.values()].sort((a, b) => b.orders - a.orders)
}

function byProduct(entries: Entry[]): DayReport['byProduct'] {
  const rows = new Map<string, DayReport['byProduct'][number]>()
  for (const { kind, products } of entries) {
    for (const { name, brand, items } of products) {
      const key = JSON.stringify([name, brand])
      const row = rows.get(key) ?? { productName: name, brandName: brand, sold: 0, returned: 0, voided: 0 }
      row[columnOf[kind]] += items
      rows.set(key, row)
    }
  }
  return [...rows.values()].sort((a, b) => b.sold - a.sold)
}

import type { TagId } from '../../src-shared/ids'
import type { DayExport, DayReport } from '../../src-shared/ipc/contract/checkout'
import type { TagFacts } from '../../src-shared/service/facts'
import { iso } from '../clock'
import { type Operation, isForPerson } from '../outbox/operation'
import type { Counter } from './counter'
import { createEntries, ofOrder, remarksOf, spanOf } from './history'

/** At most so many unsent and refused operations are listed. */
const mostListed = 1_000

/** The closing report and its file. `day` is a local date, YYYY-MM-DD. */
export function createDayBook(counter: Counter) {
  const { db, views, rules, lookup, outbox, reporting, clock, serviceClock, storeName, station } = counter
  const entries = createEntries(db)

  /** Looks each item up once. */
  const rememberOnce = () => {
    const facts = new Map<TagId, TagFacts | undefined>()
    return (tagId: TagId) => {
      if (!facts.has(tagId)) facts.set(tagId, lookup.remembered(tagId))
      return facts.get(tagId)
    }
  }

  return {
    /** Counts what the service accepted, as it was reported. */
    day(day: string): DayReport {
      const factsOf = rememberOnce()
      const accepted = entries.operations(spanOf(day)).filter(({ state }) => state === 'accepted')
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
        byProduct: byProduct(accepted, factsOf),
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
      const factsOf = rememberOnce()
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
            products: [...new Set(tagIds.flatMap((tagId) => factsOf(tagId)?.productName ?? []))],
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

const tagsOf = (operation: Operation) => ofOrder(operation)?.tagIds ?? []

function tally(operations: Operation[], kind: Operation['kind']) {
  const those = operations.filter((one) => one.kind === kind)
  return {
    orders: new Set(those.map((one) => ofOrder(one)?.orderId)).size,
    items: those.reduce((sum, one) => sum + tagsOf(one).length, 0),
  }
}

const columnOf = { complete: 'sold', return: 'returned', void: 'voided' } as const

/** Every hour from the first to the last report; one that the clock repeats in autumn holds both. */
function byHour(operations: Operation[]): DayReport['byHour'] {
  const hours = new Map<number, DayReport['byHour'][number]>()
  const empty = (hour: number) => ({ hour, orders: 0, sold: 0, returned: 0, voided: 0 })
  for (const operation of operations) {
    const payload = ofOrder(operation)
    if (!payload) continue
    const hour = new Date(operation.performedAt).getHours()
    const row = hours.get(hour) ?? empty(hour)
    row[columnOf[payload.kind]] += payload.tagIds.length
    if (payload.kind === 'complete') row.orders++
    hours.set(hour, row)
  }
  if (hours.size === 0) return []
  const first = Math.min(...hours.keys())
  const count = Math.max(...hours.keys()) - first + 1
  return Array.from({ length: count }, (_, place) => hours.get(first + place) ?? empty(first + place))
}

/** Orders are counted for the budtender who sold them. */
function byBudtender(operations: Operation[]) {
  const rows = new Map<
    string | null,
    { id: string | null; sold: number; returned: number; voided: number; orders: number }
  >()
  for (const operation of operations) {
    const payload = ofOrder(operation)
    if (!payload) continue
    const id = payload.budtenderId ?? null
    const row = rows.get(id) ?? { id, sold: 0, returned: 0, voided: 0, orders: 0 }
    row[columnOf[payload.kind]] += payload.tagIds.length
    if (payload.kind === 'complete') row.orders++
    rows.set(id, row)
  }
  return [...rows.values()].sort((a, b) => b.orders - a.orders)
}

function byProduct(operations: Operation[], factsOf: (tagId: TagId) => TagFacts | undefined): DayReport['byProduct'] {
  const rows = new Map<string, DayReport['byProduct'][number]>()
  for (const operation of operations) {
    const payload = ofOrder(operation)
    if (!payload) continue
    for (const tagId of payload.tagIds) {
      const { productName = null, brandName = null } = factsOf(tagId) ?? {}
      const key = JSON.stringify([productName, brandName])
      const row = rows.get(key) ?? { productName, brandName, sold: 0, returned: 0, voided: 0 }
      row[columnOf[payload.kind]]++
      rows.set(key, row)
    }
  }
  return [...rows.values()].sort((a, b) => b.sold - a.sold)
}

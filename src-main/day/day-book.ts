import type { ResultOf } from '../../src-shared/errors'
import type { TagId } from '../../src-shared/ids'
import type { DayExport, DayReport, StoreOfDay } from '../../src-shared/ipc/contract/checkout'
import { err, ok } from '../../src-shared/result'
import { fileNamePart } from '../../src-shared/text'
import { iso, nowByService } from '../core/clock'
import type { NotSaved } from '../database/saved'
import { isForPerson } from '../outbox/operation'
import { noteOf } from '../outbox/views'
import type { Counter } from '../counter/counter'
import { DaySignatures } from './day-signatures'
import { Entries, type SaleEntry } from './entries'
import { ofOrder, remarksOf, spanOf } from './history'
import type { DayStation, StoreDay } from './store-day'

/** At most so many unsent and refused operations are listed. */
const mostListed = 1_000

type DayLine = DayExport['lines'][number]

/** The closing report and its file. `day` is a local date, YYYY-MM-DD. */
export class DayBook {
  readonly #counter: Counter
  readonly #entries: Entries
  readonly #signatures: DaySignatures

  constructor(counter: Counter) {
    this.#counter = counter
    this.#entries = new Entries(counter.db)
    this.#signatures = new DaySignatures(counter)
  }

  /** Counts what the service accepted, as it was reported. */
  day(day: string): DayReport {
    const { station, outbox, reporting, views } = this.#counter
    const mark = this.#entries.mark(spanOf(day))
    return {
      ...this.#openNow(day, this.#entries.accepted(spanOf(day))),
      ...{ station, mark, signed: this.#signatures.of(day, false, mark) },
      store: null,
      outages: this.#counter.ledger.during(...spanOf(day)),
      permitted: outbox
        .permitted(...spanOf(day))
        .map(({ at, operation, reason }) => ({ at: iso(at), operation: reporting.view(operation), reason })),
      held: views.held(),
      verification: this.#counter.verification(day),
    }
  }

  /** The report of a day of a store of several stations. `ownId`: this station's. */
  storeDay(day: string, store: StoreDay, ownId: string | null): DayReport {
    const accepted = store.entries.filter(({ state }) => state === 'accepted').map(entryOf)
    return {
      ...this.#openNow(day, accepted),
      ...{ station: this.#counter.station, mark: store.mark, signed: this.#signatures.of(day, true, store.mark) },
      store: storeOf(store, ownId),
      outages: [],
      permitted: [],
      held: this.#counter.carts.held(),
      verification: null,
    }
  }

  /** Signs the day of this station, if it is as the person saw it. */
  sign(day: string, mark: string, name: string): ResultOf<DayReport, 'hub/day-changed' | NotSaved> {
    if (mark !== this.#entries.mark(spanOf(day))) return err({ code: 'hub/day-changed' })
    const signed = this.#signatures.sign(day, false, mark, name)
    return signed.ok ? ok(this.day(day)) : signed
  }

  /** Signs the day of the store, which was closed as of `mark`. */
  signStore(day: string, mark: string, name: string): ResultOf<null, NotSaved> {
    return this.#signatures.sign(day, true, mark, name)
  }

  /** Every sale, return and void of the day, in any state. */
  exportDay(day: string): Pick<DayExport, 'fileName' | 'lines'> {
    return { fileName: `orders-${fileNamePart(this.#counter.station)}-${day}.csv`, lines: this.#linesOf(day) }
  }

  /** Every report of the day of a store of several stations, by time. The file name says whether reports may be missing or change. */
  exportStoreDay(day: string, store: StoreDay, ownId: string | null): Pick<DayExport, 'fileName' | 'lines'> {
    const { station: computer, storeName } = this.#counter
    const station = store.stations.find(({ id }) => id === ownId)?.name ?? computer
    const own = this.#linesOf(day).map((line) => ({ ...line, station }))
    const lines = [...own, ...this.#linesOfOthers(store.entries.filter(({ stationId }) => stationId !== ownId))]
    const at = (line: DayLine) => Date.parse(line.performedAt)
    return {
      fileName: `orders-${fileNamePart(storeName)}-${day}${storeOf(store, ownId).isComplete ? '' : '-incomplete'}.csv`,
      lines: lines.sort((one, other) => at(one) - at(other)),
    }
  }

  /** The figures of some reports, and what is still open at this station. */
  #openNow(day: string, accepted: SaleEntry[]) {
    const { storeName, rules, outbox, reporting } = this.#counter
    return {
      ...{ day, storeName },
      // By the service's clock, as the times of the reports.
      madeAt: iso(nowByService(this.#counter)),
      ...sumsOf(accepted),
      byHour: byHour(accepted),
      byBudtender: byBudtender(accepted).map(({ id, ...counts }) => ({ budtender: rules.budtender(id), ...counts })),
      byProduct: byProduct(accepted),
      confirmed: accepted.length,
      dismissed: this.#entries.dismissed(spanOf(day)),
      unsent: outbox.read.waiting(mostListed).map(reporting.view),
      refused: outbox.read.attention(mostListed).map(reporting.view),
    }
  }

  /** Every sale, return and void of the day at this station, in any state. */
  #linesOf(day: string): DayLine[] {
    const { station, rules } = this.#counter
    const products = this.#entries.products(spanOf(day))
    const reports = this.#entries.operations(spanOf(day)).flatMap((operation) => {
      const payload = ofOrder(operation)
      return payload ? [{ operation, payload }] : []
    })
    const names = this.#entries.names(reports.flatMap(({ payload }) => payload.tagIds))
    return reports.map(({ operation, payload }): DayLine => {
      const { kind, orderId, tagIds, budtenderId = null } = payload
      const { state, performedAt, reason, dismissedBecause } = operation
      const ofReport = (products.get(operation.seq) ?? []).map(({ name }) => name)
      return {
        ...{ station, kind, orderId, state, performedAt, reason, dismissedBecause },
        note: noteOf(operation),
        unsettled: isForPerson(operation) ? { shown: operation.shown } : null,
        budtender: rules.budtender(budtenderId)?.name ?? null,
        items: itemsOf(tagIds, ofReport, names),
        remark: remarksOf(payload).join('\n') || null,
      }
    })
  }

  #linesOfOthers(others: StoreDay['entries']): DayLine[] {
    const names = this.#entries.names(others.flatMap(({ tagIds }) => tagIds))
    return others.map((entry): DayLine => {
      const { stationName: station, kind, orderId, state, at, tagIds, products } = entry
      const ofReport = products.map(([name]) => name)
      return {
        ...{ station, kind, orderId, state, performedAt: iso(at), reason: null, dismissedBecause: null },
        ...statusOf(entry),
        budtender: this.#counter.rules.budtender(entry.budtenderId)?.name ?? null,
        items: itemsOf(tagIds, ofReport, names),
        remark: null,
      }
    })
  }
}

/** The items of a report, each with its product. `products`: those of the whole report, for items that are not remembered. */
function itemsOf(
  tagIds: TagId[],
  products: (string | null)[],
  names: ReadonlyMap<TagId, string | null>,
): DayLine['items'] {
  const ofReport = [...new Set(products.flatMap((name) => name ?? []))].join(' / ') || null
  return tagIds.map((tagId) => ({ tagId, product: names.get(tagId) ?? ofReport }))
}

/** Another station says only whether a person is needed: for a canceled report, because it was taken back. */
const statusOf = ({ needsPerson, state }: StoreDay['entries'][number]) =>
  state === 'cancelled'
    ? { note: needsPerson ? ('taken-back' as const) : null, unsettled: null }
    : { note: null, unsettled: needsPerson && state !== 'rejected' ? { shown: null } : null }

const entryOf = ({ kind, orderId, at, budtenderId, products }: StoreDay['entries'][number]): SaleEntry => ({
  ...{ kind, orderId, at, budtenderId },
  products: products.map(([name, brand, items]) => ({ name, brand, items })),
})

/** Nothing is open at a station, as it has just said or said when it was closed, and its reading back showed no difference. */
const isDone = ({ status, open: { unsent, attention, untold, verified } }: DayStation) =>
  status !== 'silent' && unsent + attention + untold + (verified?.differenceCount ?? 0) === 0

function storeOf({ entries, unread, stations, mark, closed }: StoreDay, ownId: string | null): StoreOfDay {
  return {
    stations: stations.map((station) => {
      const { id, name, status, seenAt, open } = station
      const own = entries.filter((one) => one.stationId === id && one.state === 'accepted').map(entryOf)
      const { completed, returned, voided } = sumsOf(own)
      return {
        ...{ id, name, status, isThis: id === ownId, seenAt: seenAt === null ? null : iso(Math.round(seenAt)) },
        ...{ orders: completed.orders, sold: completed.items, returned: returned.items, voided: voided.items },
        ...open,
        isDone: isDone(station),
      }
    }),
    unread,
    isComplete: unread === 0 && stations.every(isDone),
    mark,
    closed: closed && { at: iso(closed.at), station: closed.stationName, isChanged: closed.mark !== mark },
  }
}

const itemsIn = ({ products }: SaleEntry) => products.reduce((sum, { items }) => sum + items, 0)

function tally(entries: SaleEntry[], kind: SaleEntry['kind']) {
  const those = entries.filter((one) => one.kind === kind)
  return {
    orders: new Set(those.map(({ orderId }) => orderId)).size,
    items: those.reduce((sum, one) => sum + itemsIn(one), 0),
  }
}

function sumsOf(entries: SaleEntry[]) {
  const completed = tally(entries, 'complete')
  const returned = tally(entries, 'return')
  const voided = tally(entries, 'void')
  const net = { orders: completed.orders - voided.orders, items: completed.items - returned.items - voided.items }
  return { completed, returned, voided, net }
}

const columnOf = { complete: 'sold', return: 'returned', void: 'voided' } as const

/** Every hour from the first to the last report; one that the clock repeats in autumn holds both. */
function byHour(entries: SaleEntry[]): DayReport['byHour'] {
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
function byBudtender(entries: SaleEntry[]) {
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

function byProduct(entries: SaleEntry[]): DayReport['byProduct'] {
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

import { type Span, spanOf } from './history'
import type { OrderReport } from './pos-compare'
import type { YieldNow } from '../core/async'
import type { LoadedFile, PosDayRows } from './pos-day-rows'
import type { OrderMatch } from './pos-orders'
import type { OtherReports } from './pos-others'
import type { ReportPlace, ReportedItem, ReportedRows } from './reported-rows'

const hour = 3_600_000
/** An order without a report on the day may have been sold just before midnight, or scanned so much later. In ms. */
const early = 2 * hour
const late = 14 * 24 * hour
/** Reports that are read at once. */
const atOnce = 500

/** When the orders of a day may have been reported. */
export function reportSpanOf(day: string): Span {
  const [from, to] = spanOf(day)
  return [from - early, to + late]
}

/** The reports of an order, and which of them belong to a day. */
export function reportsOf(
  items: readonly ReportedItem[],
  [from, to]: Span,
  groupOf: (item: ReportedItem) => string,
): OrderReport[] {
  const isOnDay = ({ at }: ReportedItem) => at >= from && at < to
  const isAround = ({ at }: ReportedItem) => at >= from - early && at < to + late
  // A sale around midnight, or one that was scanned late, belongs to the day if nothing else of its order does.
  const belongs = items.some(isOnDay) ? isOnDay : isAround
  const reports = new Map<number, OrderReport>()
  for (const one of items) {
    const report = reports.get(one.seq) ?? { kind: one.kind, isOfDay: belongs(one), items: [] }
    if (one.tagId !== null) report.items.push({ tagId: one.tagId, group: groupOf(one) })
    reports.set(one.seq, report)
  }
  return [...reports.values()]
}

/** What a day is compared from. */
export interface DayInputs {
  rows: PosDayRows
  reported: ReportedRows
  /** What the other stations of the store reported. */
  others: OtherReports
  loaded: LoadedFile
  match: OrderMatch
  /** The day. */
  span: Span
}

/** What this station and the others reported of the orders that a day may have. */
export class DayReports {
  readonly #inputs: DayInputs
  readonly #items = new Map<string, ReportedItem[]>()
  readonly #ofDay = new Set<string>()
  #others: OtherReports

  constructor(inputs: DayInputs) {
    this.#inputs = inputs
    this.#others = inputs.others
  }

  /** Reads all, once: the products must be known before anything is compared. */
  async read(yieldNow: YieldNow): Promise<void> {
    const { match, span } = this.#inputs
    const [from, to] = span
    await this.#note([from - early, from], false, yieldNow)
    await this.#note(span, true, yieldNow)
    await this.#note([to, to + late], false, yieldNow)
    for (const orderId of match.orders('here')) {
      if (this.#ofDay.has(orderId) || match.partner('here', orderId) !== null)
        this.#items.set(orderId, this.#read(orderId))
      await yieldNow()
    }
  }

  of(orderId: string): readonly ReportedItem[] {
    return this.#items.get(orderId) ?? []
  }

  all(): Iterable<readonly ReportedItem[]> {
    return this.#items.values()
  }

  /** Orders that were reported on on the day. */
  get ofDay(): ReadonlySet<string> {
    return this.#ofDay
  }

  /** Another station completed an order under this number. */
  isSoldElsewhere(orderId: string): boolean {
    return this.#others.items(orderId).some(({ kind }) => kind === 'complete')
  }

  /** Reads what is reported by now of the order that a report counts for. */
  again(orderId: string): { order: string; items: ReportedItem[] } {
    const order = this.#standsFor(orderId)
    const items = this.#read(order)
    if (items.length > 0) this.#inputs.match.add('here', order)
    return { order, items }
  }

  keep(order: string, items: ReportedItem[]): void {
    const [from, to] = this.#inputs.span
    this.#items.set(order, items)
    if (items.some(({ at }) => at >= from && at < to)) this.#ofDay.add(order)
    else this.#ofDay.delete(order)
  }

  /** The other stations told something else. Returns the orders that this may concern. */
  othersChanged(later: OtherReports): Iterable<string> {
    const changed = this.#others.changedIn(later)
    // An order may have stood for another one.
    const before = changed.map((orderId) => this.#standsFor(orderId))
    this.#others = later
    return new Set([...before, ...changed])
  }

  /** Notes which orders were reported on in a span, some reports at a time. */
  async #note([begin, end]: Span, isOfDay: boolean, yieldNow: YieldNow): Promise<void> {
    for (const orderId of this.#others.reported(begin, end)) {
      this.#noteOrder(orderId, isOfDay)
      await yieldNow()
    }
    for (let after: ReportPlace = { orderId: '', at: begin, seq: 0 }; ;) {
      const found = this.#inputs.reported.reported(after, end, atOnce)
      for (const { orderId } of found) {
        this.#noteOrder(orderId, isOfDay)
        await yieldNow()
      }
      await yieldNow()
      const last = found.at(-1)
      if (!last || found.length < atOnce) break
      after = last
    }
  }

  #noteOrder(orderId: string, isOfDay: boolean): void {
    const order = this.#standsFor(orderId)
    this.#inputs.match.add('here', order)
    if (isOfDay) this.#ofDay.add(order)
  }

  /** The order that a report counts for: a further number of an order stands for it, unless the POS has that number too. */
  #standsFor(orderId: string): string {
    const { rows, match } = this.#inputs
    const first = match.has('pos', orderId) ? null : (rows.firstOf(orderId) ?? this.#others.firstOf(orderId))
    return first ?? orderId
  }

  #read(orderId: string): ReportedItem[] {
    const { rows, reported, match } = this.#inputs
    const further = new Set([...rows.seconds(orderId), ...this.#others.seconds(orderId)])
    const all = [orderId, ...[...further].filter((one) => !match.has('pos', one))].flatMap((one) => [
      ...reported.items(one),
      ...this.#others.items(one),
    ])
    // Reports of several stations have nothing in common but the service's clock.
    const isShared = all.some(({ station }) => station !== null)
    return all.sort((one, other) => (isShared ? one.at - other.at : 0) || one.seq - other.seq)
  }
}

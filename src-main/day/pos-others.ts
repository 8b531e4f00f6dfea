import { createHash } from 'node:crypto'
import type { OrderId, TagId } from '../../src-shared/ids'
import type { OthersEntries } from '../hub/port'
import type { YieldNow } from '../core/async'
import type { ItemProduct, ReportedItem, ReportedRows } from './reported-rows'

type OthersEntry = OthersEntries['entries'][number]

/**
 * The product of each item. What its station didn't say is taken from this station's memory, and then from the names of the
 * report: which item is of which name doesn't matter to the numbers.
 */
function productsOf({ tagIds, itemProducts, products }: OthersEntry, itemProduct: (tagId: TagId) => ItemProduct) {
  const known = tagIds.map((tagId, n): ItemProduct => {
    const said = itemProducts?.[n]
    return said?.[0] != null || said?.[1] != null ? said : itemProduct(tagId)
  })
  if (itemProducts !== undefined) return known
  const left = products.flatMap(([name, , items]) => Array.from({ length: items }, () => name))
  for (const [, name] of known) {
    const place = left.indexOf(name)
    if (name !== null && place !== -1) left.splice(place, 1)
  }
  return known.map(([id, name]): ItemProduct =>
    id === null && name === null ? [null, left.shift() ?? null] : [id, name],
  )
}

/** What the other stations of the store reported of the orders of a day. Order numbers are those of the reports. */
export class OtherReports {
  readonly #places: { orderId: OrderId; at: number }[] = []
  readonly #items = new Map<string, ReportedItem[]>()
  readonly #seconds = new Map<string, string[]>()
  readonly #firsts = new Map<string, string>()
  readonly #byName = new Set<string>()
  /** The order of each report, and what stands for the report as it is, by operation. */
  readonly #marks = new Map<string, { orderId: OrderId; mark: string }>()

  /**
   * Reads what the other stations told, in slices. Reports that were withdrawn or refused don't count, and neither does what this
   * station itself told when it had another name at the hub.
   */
  static async read(
    entries: readonly OthersEntry[],
    rows: Pick<ReportedRows, 'itemProduct' | 'isOwn'>,
    yieldNow: YieldNow,
  ): Promise<OtherReports> {
    const reports = new OtherReports()
    for (const [place, entry] of entries.entries()) {
      await yieldNow()
      if (entry.state === 'cancelled' || entry.state === 'rejected' || rows.isOwn(entry.id)) continue
      const products = productsOf(entry, (tagId) => rows.itemProduct(tagId))
      // Below zero: no report of this station has such a number.
      reports.#add(entry, place - entries.length, products)
    }
    return reports
  }

  #add(entry: OthersEntry, seq: number, products: ItemProduct[]): void {
    const { id, kind, orderId, at, tagIds, stationName: station, ofOrder } = entry
    this.#places.push({ orderId, at })
    this.#marks.set(id, { orderId, mark: createHash('sha256').update(JSON.stringify(entry)).digest('base64url') })
    if (ofOrder !== undefined && !this.#firsts.has(orderId)) {
      this.#firsts.set(orderId, ofOrder)
      this.#seconds.set(ofOrder, [...this.seconds(ofOrder), orderId])
    }
    if (entry.itemProducts === undefined) this.#byName.add(station)
    const items = this.#items.get(orderId) ?? []
    this.#items.set(orderId, items)
    for (const [n, tagId] of tagIds.entries()) {
      const [productId, name] = products[n] ?? [null, null]
      items.push({ seq, kind, at, station, tagId, name, productId })
    }
    if (tagIds.length === 0) items.push({ seq, kind, at, station, tagId: null, name: null, productId: null })
  }

  /** The orders that were reported on in a time. */
  reported(from: number, to: number): string[] {
    return this.#places.flatMap(({ orderId, at }) => (at >= from && at < to ? [orderId] : []))
  }

  items(orderId: string): readonly ReportedItem[] {
    return this.#items.get(orderId) ?? []
  }

  /** Numbers under which missing items of an order were sold, as `pos_second` has them for this station. */
  seconds(orderId: string): readonly string[] {
    return this.#seconds.get(orderId) ?? []
  }

  firstOf(orderId: string): string | null {
    return this.#firsts.get(orderId) ?? null
  }

  /** Stations whose reports don't say which product each item is of. */
  byName(): string[] {
    return [...this.#byName].sort()
  }

  /** The orders of which these reports and later ones differ. */
  changedIn(later: OtherReports): string[] {
    const changed = new Set<string>()
    for (const [one, other] of [
      [this.#marks, later.#marks],
      [later.#marks, this.#marks],
    ] as const) {
      for (const [id, { orderId, mark }] of one) if (other.get(id)?.mark !== mark) changed.add(orderId)
    }
    return [...changed]
  }
}

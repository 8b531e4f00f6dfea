import { createHash } from 'node:crypto'
import type { OthersEntries } from '../hub/port'
import type { ReportedItem } from './pos-day-rows'

/** What the other stations of the store reported of the orders of a day. Order numbers are those of the reports. */
export interface OtherReports {
  /** The orders that were reported on in a time. */
  reported(from: number, to: number): string[]
  items(orderId: string): readonly ReportedItem[]
  /** Numbers under which missing items of an order were sold, as `pos_second` has them for this station. */
  seconds(orderId: string): readonly string[]
  firstOf(orderId: string): string | null
  /** Stations whose reports don't say which product each item is of. */
  byName: string[]
  /** The orders of which these reports and later ones differ. */
  changedIn(later: OtherReports): string[]
  /** What stands for each report as it is, by operation, with its order. */
  marks: ReadonlyMap<string, Mark>
}

interface Mark {
  orderId: string
  mark: string
}

interface OthersParts {
  /** Id and name of the product of an item, as this station remembers it. */
  itemProduct: (tagId: string) => readonly [string | null, string | null]
  /** Whether an operation is this station's own, told when it had another name at the hub. */
  isOwn: (operationId: string) => boolean
}

/** Reports by what is asked of them. */
interface OthersReports {
  places: { orderId: string; at: number }[]
  orders: Map<string, ReportedItem[]>
  seconds: Map<string, string[]>
  firsts: Map<string, string>
  byName: Set<string>
  marks: Map<string, Mark>
}
const nothing = (): OthersReports => ({
  ...{ places: [], orders: new Map(), seconds: new Map(), firsts: new Map(), byName: new Set(), marks: new Map() },
})

export const noOthers = reportsOf(nothing())

/**
 * Reads what the other stations told, in turns. Reports that were withdrawn or refused don't count, as those of this station.
 */
export async function createOthers(
  entries: OthersEntries['entries'],
  { itemProduct, isOwn }: OthersParts,
  yieldNow: () => Promise<void>,
): Promise<OtherReports> {
  const found = nothing()
  const { places, orders, seconds, firsts, byName, marks } = found
  for (const [place, entry] of entries.entries()) {
    await yieldNow()
    const { id, kind, orderId, at, state, tagIds, stationName, ofOrder } = entry
    if (state === 'cancelled' || state === 'rejected' || isOwn(id)) continue
    places.push({ orderId, at })
    marks.set(id, { orderId, mark: createHash('sha256').update(JSON.stringify(entry)).digest('base64url') })
    if (ofOrder !== undefined && !firsts.has(orderId)) {
      firsts.set(orderId, ofOrder)
      seconds.set(ofOrder, [...(seconds.get(ofOrder) ?? []), orderId])
    }
    if (entry.itemProducts === undefined) byName.add(stationName)
    const products = productsOf(entry, itemProduct)
    const items = orders.get(orderId) ?? []
    // Below zero: no report of this station has such a number.
    const report = { seq: place - entries.length, kind, at, station: stationName }
    for (const [n, tagId] of tagIds.entries()) {
      const [productId, name] = products[n] ?? [null, null]
      items.push({ ...report, tagId, name, productId })
    }
    if (tagIds.length === 0) items.push({ ...report, tagId: null, name: null, productId: null })
    orders.set(orderId, items)
  }
  return reportsOf(found)
}

function reportsOf({ places, orders, seconds, firsts, byName, marks }: OthersReports): OtherReports {
  return {
    reported: (from, to) => places.flatMap(({ orderId, at }) => (at >= from && at < to ? [orderId] : [])),
    items: (orderId) => orders.get(orderId) ?? [],
    seconds: (orderId) => seconds.get(orderId) ?? [],
    firstOf: (orderId) => firsts.get(orderId) ?? null,
    byName: [...byName].sort(),
    marks,
    changedIn(later) {
      const changed = new Set<string>()
      for (const [one, other] of [
        [marks, later.marks],
        [later.marks, marks],
      ] as const) {
        for (const [id, { orderId, mark }] of one) if (other.get(id)?.mark !== mark) changed.add(orderId)
      }
      return [...changed]
    },
  }
}

type ItemProduct = readonly [id: string | null, name: string | null]

/**
 * The product of each item. What its station didn't say is taken from this station's memory, and then from the names of the
 * report: which item is of which name doesn't matter to the numbers.
 */
function productsOf(
  { tagIds, itemProducts, products }: OthersEntries['entries'][number],
  itemProduct: OthersParts['itemProduct'],
): ItemProduct[] {
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

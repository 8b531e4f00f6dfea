import { createHash } from 'node:crypto'
import { OrderId } from '../../src-shared/ids'
import { type PosDifference, type PosDifferenceKind, mostPosStations } from '../../src-shared/ipc/contract/pos-day'
import { comparable } from '../../src-shared/text'
import type { CachedProduct } from '../memory/store'
import { type Span, spanOf } from './history'
import { type OrderReport, compareOrder, countedLines, sideHere, sidePos } from './pos-compare'
import type { LoadedFile, PosDayRows, PosPlace, ReportPlace, ReportedItem } from './pos-day-rows'
import type { OtherReports } from './pos-others'
import { createOrderMatch } from './pos-orders'
import { type NamedByPos, type NamedHere, createProductMatch, unnamed } from './pos-products'

export interface ComparisonParts {
  rows: PosDayRows
  /** What the POS's catalog calls a product of ours. */
  catalogue: { ofProduct: (product: CachedProduct) => { posProductId: string; sku: string | null }[] }
  /** What the other stations of the store reported. */
  others: OtherReports
}

/** A difference without what a person said of it, and whether its order may only be unknown yet. */
export type FoundDifference = Omit<PosDifference, 'reason' | 'isPending'>

/** How many items and orders of the day are of a product of the POS. */
export interface Sold {
  items: number
  orders: number
}

/** Lines of a difference that are shown. */
const mostLines = 50
const hour = 3_600_000
const day = 24 * hour
/** An order without a report on the day may have been sold just before midnight, or scanned so much later. In ms. */
const early = 2 * hour
const late = 14 * day
/** Orders and cases that are read at once. */
const atOnce = 500
const casesAtOnce = 25
const mostCases = 1_000
/** After so long, in ms, other work comes first. */
const longestSlice = 8

const thousandth = 1_000

/** Lets other work run after a while. */
export type YieldNow = () => Promise<void>

export function createYieldNow(pause: () => Promise<unknown>, now: () => number = () => performance.now()): YieldNow {
  let since = now()
  return async () => {
    if (now() - since < longestSlice) return
    await pause()
    since = now()
  }
}

export type Comparison = Awaited<ReturnType<typeof compareDay>>

/** When the orders of a day may have been reported. */
export function reportSpanOf(dayText: string): Span {
  const [from, to] = spanOf(dayText)
  return [from - early, to + late]
}

function reportsOf(
  items: readonly ReportedItem[],
  dayText: string,
  groupOf: (item: ReportedItem) => string,
): OrderReport[] {
  const [from, to] = spanOf(dayText)
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

/**
 * The reports of an order whose sale counts for another day: what came back of an earlier sale, or a void of it, still counts.
 */
function withoutSalesOfDay(reports: readonly OrderReport[]): OrderReport[] {
  const sold = new Set(
    reports.flatMap(({ kind, isOfDay, items }) =>
      isOfDay && kind === 'complete' ? items.map(({ tagId }) => tagId) : [],
    ),
  )
  const isOfSale = ({ kind, items }: OrderReport) =>
    kind === 'complete' || (sold.size > 0 && (kind === 'void' || items.some(({ tagId }) => sold.has(tagId))))
  return reports.map((report) => (isOfSale(report) ? { ...report, isOfDay: false } : report))
}

/** What the keys of products begin with that are known by their name alone. */
const byName = 'name:'

/** The product of an item: its id, else its name. */
function plainKeyOf({ productId, name }: Pick<ReportedItem, 'productId' | 'name'>): string {
  if (productId !== null) return productId
  return name === null ? unnamed : byName + comparable(name)
}

/** Compares all orders of a day with its file, in turns of a few ms. `onProgress`: orders compared so far. */
export async function compareDay(
  { rows, catalogue, others: othersAtFirst }: ComparisonParts,
  dayText: string,
  loaded: LoadedFile,
  yieldNow: YieldNow,
  onProgress: (done: number) => void,
) {
  const { load, file } = loaded
  const { hasProducts } = file
  let others = othersAtFirst
  const match = createOrderMatch()
  const [from, to] = spanOf(dayText)

  const productIds = new Set<number>()
  for (let after: PosPlace = { orderId: '', row: 0, product: null }; ;) {
    const lines = rows.orders(load, after, atOnce)
    for (const { orderId, product } of lines) {
      match.add('pos', orderId)
      if (product !== null) productIds.add(product)
    }
    await yieldNow()
    const last = lines.at(-1)
    if (!last || lines.length < atOnce) break
    after = last
  }
  const posCount = match.orders('pos').length

  /** The order that a report counts for: a further number of an order stands for it, unless the POS has that number too. */
  const standsFor = (orderId: string): string => {
    const first = match.has('pos', orderId) ? null : (rows.firstOf(orderId) ?? others.firstOf(orderId))
    return first ?? orderId
  }
  const ofDay = new Set<string>()
  /** Notes what was reported in a span, some reports at a time. */
  const notedIn = async ([begin, end]: Span, isOfDay: boolean) => {
    for (const orderId of others.reported(begin, end)) {
      const order = standsFor(orderId)
      match.add('here', order)
      if (isOfDay) ofDay.add(order)
      await yieldNow()
    }
    for (let after: ReportPlace = { orderId: '', at: begin, seq: 0 }; ;) {
      const found = rows.reported(after, end, atOnce)
      for (const { orderId } of found) {
        const order = standsFor(orderId)
        match.add('here', order)
        if (isOfDay) ofDay.add(order)
        await yieldNow()
      }
      await yieldNow()
      const last = found.at(-1)
      if (!last || found.length < atOnce) break
      after = last
    }
  }
  await notedIn([from - early, from], false)
  await notedIn([from, to], true)
  await notedIn([to, to + late], false)

  // What was reported is read once, for the products must be known before anything is compared.
  const reported = new Map<string, ReportedItem[]>()
  const read = (orderId: string): ReportedItem[] => {
    const further = new Set([...rows.seconds(orderId), ...others.seconds(orderId)])
    const all = [orderId, ...[...further].filter((one) => !match.has('pos', one))].flatMap((one) => [
      ...rows.items(one),
      ...others.items(one),
    ])
    // Reports of several stations have nothing in common but the service's clock.
    const isShared = all.some(({ station }) => station !== null)
    return all.sort((one, other) => (isShared ? one.at - other.at : 0) || one.seq - other.seq)
  }
  for (const orderId of match.orders('here')) {
    if (ofDay.has(orderId) || match.partner('here', orderId) !== null) reported.set(orderId, read(orderId))
    await yieldNow()
  }

  const ours = new Map<string, NamedHere>()
  /** The products of a name, of which another station may not have told the id; null: there are several. */
  const idByName = new Map<string, string | null>()
  const keyOf = (item: ReportedItem): string => {
    const isNameOnly = item.station !== null && item.productId === null && item.name !== null
    const id = isNameOnly ? idByName.get(comparable(item.name ?? '')) : null
    return id ?? plainKeyOf(item)
  }
  const note = (key: string, name: string | null, posProductId: string | null, sku: string | null) => {
    const known = ours.get(key) ?? { key, name, posProductIds: [], skus: [] }
    known.name ??= name
    if (posProductId !== null && posProductId !== '') known.posProductIds.push(posProductId)
    if (sku !== null && sku.trim() !== '') known.skus.push(sku.trim())
    ours.set(key, known)
  }
  for (const { productId, posProductId, sku } of rows.mappings()) note(productId, null, posProductId, sku)
  for (let seen = 0; seen < mostCases; seen += casesAtOnce) {
    for (const { productId, name, sku } of rows.productsOfCases(seen, casesAtOnce)) note(productId, name, null, sku)
    await yieldNow()
  }
  const noteItems = async (isMeant: (item: ReportedItem) => boolean) => {
    for (const items of reported.values()) {
      for (const one of items.filter(isMeant)) {
        const key = keyOf(one)
        if (key !== unnamed && (ours.get(key)?.name ?? null) === null) note(key, one.name, null, null)
      }
      await yieldNow()
    }
  }
  const isNameOfOthers = ({ station, productId }: ReportedItem) => station !== null && productId === null
  await noteItems((one) => !isNameOfOthers(one))
  for (const { key, name } of ours.values()) {
    if (name === null || key.startsWith(byName)) continue
    const compared = comparable(name)
    idByName.set(compared, idByName.has(compared) ? null : key)
  }
  await noteItems(isNameOfOthers)
  for (const product of ours.values()) {
    if (product.name === null) continue
    for (const { posProductId, sku } of catalogue.ofProduct({ name: product.name, sku: product.skus[0] ?? null })) {
      note(product.key, null, posProductId, sku)
    }
    await yieldNow()
  }
  const theirs: NamedByPos[] = rows.products([...productIds])
  const products = createProductMatch(ours.values(), theirs)
  const everything = 'all'
  const groupOf = (item: ReportedItem) => (hasProducts ? products.ofHere(keyOf(item)) : everything)

  const sold = new Map<number, Sold>()
  const sideOfPos = (orderId: string, isCounted: boolean) => {
    const lines = rows.lines(load, orderId)
    const inOrder = new Set<number>()
    const counted = new Set(countedLines(lines))
    const compared = lines.flatMap((line) => {
      const { product, count, isVoided } = line
      if (product === null) return [{ group: everything, count, isVoided }]
      if (isCounted) {
        const one = sold.get(product) ?? { items: 0, orders: 0 }
        if (counted.has(line)) one.items += count / thousandth
        if (!inOrder.has(product)) one.orders++
        inOrder.add(product)
        sold.set(product, one)
      }
      return products.statusOf(product) === 'compared' ? [{ group: products.ofPos(product), count, isVoided }] : []
    })
    return {
      isCompared: compared.length > 0,
      side: sidePos(compared) ?? {
        isVoided: lines.every(({ isVoided }) => isVoided),
        counts: new Map<string, number>(),
      },
    }
  }

  const differences = new Map<string, FoundDifference>()
  const matched = new Set<string>()

  /** Compares one order of the POS, or one that only this station has. `isCounted`: its products are counted, too. */
  const judge = (posId: string | null, hereId: string | null, isCounted: boolean): void => {
    const orderId = posId ?? hereId
    if (orderId === null) return
    differences.delete(orderId)
    matched.delete(orderId)
    const items = hereId === null ? [] : (reported.get(hereId) ?? [])
    const reports = reportsOf(items, dayText, groupOf)
    // Sold around midnight, or scanned late: the sale is one of the POS's other day.
    const isSaleOfOther = posId === null && rows.isInOtherDay(orderId, load)
    const here = sideHere(isSaleOfOther ? withoutSalesOfDay(reports) : reports)
    const pos = posId === null ? undefined : sideOfPos(posId, isCounted)
    const found = compareOrder(pos?.side, here)
    if (!found) {
      if (pos?.isCompared === true || here !== undefined) matched.add(orderId)
      return
    }
    const lines = found.lines.slice(0, mostLines).map(({ group, pos: there, here: own }) => ({
      name: group === everything ? null : products.nameOf(group),
      pos: there / thousandth,
      here: own / thousandth,
    }))
    const more = found.lines.reduce((sum, line) => sum + line.pos - line.here, 0)
    differences.set(orderId, {
      orderId: OrderId.parse(orderId),
      kind: found.kind,
      hereId: here === undefined || hereId === null ? null : OrderId.parse(hereId),
      lines,
      moreLines: found.lines.length - lines.length,
      similar: posId === null ? match.similar('here', orderId) : match.similar('pos', orderId),
      stations: [...new Set(items.flatMap(({ station }) => station ?? []))].sort().slice(0, mostPosStations),
      isOwn: items.some(({ station }) => station === null),
      scan: scanFor(found.kind, more),
      mark: hashOf(found.kind, found.lines),
    })
  }

  let done = 0
  for (const orderId of match.orders('pos')) {
    judge(orderId, match.partner('pos', orderId), true)
    done++
    if (done % atOnce === 0) onProgress(done)
    await yieldNow()
  }
  for (const orderId of ofDay) {
    if (match.partner('here', orderId) === null) judge(null, orderId, false)
    await yieldNow()
  }

  /** A report of an order was made, changed or withdrawn. False if a product is new: then all must be compared again. */
  const reportChanged = (orderId: string): boolean => {
    const order = standsFor(orderId)
    const items = read(order)
    if (items.length > 0) match.add('here', order)
    if (items.some((one) => !products.knows(keyOf(one)))) return false
    reported.set(order, items)
    if (items.some(({ at }) => at >= from && at < to)) ofDay.add(order)
    else ofDay.delete(order)
    const related = match.related(order)
    for (const one of related.pos) judge(one, match.partner('pos', one), false)
    for (const one of related.here) {
      // Judged with its order of the POS.
      if (match.has('pos', one)) continue
      if (match.partner('here', one) === null && ofDay.has(one)) judge(null, one, false)
      else {
        differences.delete(one)
        matched.delete(one)
      }
    }
    return true
  }

  return {
    load,
    differences,
    matched,
    sold,
    products: theirs,
    statusOf: products.statusOf,
    posCount,
    reportChanged,
    /** The other stations told something else of some orders: judges these again, in turns. False as above. */
    async othersChanged(later: OtherReports): Promise<boolean> {
      const changed = others.changedIn(later)
      // An order may have stood for another one.
      const before = changed.map((orderId) => standsFor(orderId))
      others = later
      for (const orderId of new Set([...before, ...changed])) {
        if (!reportChanged(orderId)) return false
        await yieldNow()
      }
      return true
    },
    /** Whether another station completed an order under this number. */
    isSoldElsewhere: (orderId: string): boolean => others.items(orderId).some(({ kind }) => kind === 'complete'),
  }
}

/** What can be scanned: items that the POS sold and that were not scanned, or items that came back. */
function scanFor(kind: PosDifferenceKind, more: number): PosDifference['scan'] {
  if (kind !== 'only-pos' && kind !== 'count') return null
  if (more > 0) return 'sale'
  return more < 0 && kind === 'only-pos' ? 'return' : null
}

/** Changes with the difference, but not with what its products are called. */
const hashOf = (kind: PosDifferenceKind, lines: readonly { pos: number; here: number }[]): string => {
  const numbers = lines.map(({ pos, here }) => `${pos}/${here}`).sort()
  return createHash('sha256')
    .update(JSON.stringify([kind, numbers]))
    .digest('base64url')
    .slice(0, 22)
}

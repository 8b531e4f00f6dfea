import { createHash } from 'node:crypto'
import { OrderId } from '../../src-shared/ids'
import { type PosDifference, type PosDifferenceKind, mostPosStations } from '../../src-shared/ipc/contract/pos-day'
import type { YieldNow } from '../core/async'
import { spanOf } from './history'
import { type OrderDifference, compareOrder, countedLines, sideHere, sidePos, withoutSalesOfDay } from './pos-compare'
import type { LoadedFile, PosDayRows, PosPlace, StoredLine } from './pos-day-rows'
import { type Catalogue, KnownProducts } from './pos-known'
import type { OtherReports } from './pos-others'
import { OrderMatch } from './pos-orders'
import { type NamedByPos, ProductMatch } from './pos-products'
import { type DayInputs, DayReports, reportsOf } from './pos-reports'
import type { ReportedItem } from './reported-rows'

/** A difference without what a person said of it, and whether its order may only be unknown yet. */
export type FoundDifference = Omit<PosDifference, 'reason' | 'isPending'>

/** How many items and orders of the day are of a product of the POS. */
export interface Sold {
  items: number
  orders: number
}

/** Lines of a difference that are shown. */
const mostLines = 50
/** Orders that are read at once, and after which the progress is told. */
const atOnce = 500
const thousandth = 1_000
/** The group of all products, without a column of products. */
const everything = 'all'

/** What can be scanned: items that the POS sold and that were not scanned, or items that came back. */
function scanFor(kind: PosDifferenceKind, more: number): PosDifference['scan'] {
  if (kind !== 'only-pos' && kind !== 'count') return null
  if (more > 0) return 'sale'
  return more < 0 && kind === 'only-pos' ? 'return' : null
}

/** Changes with the difference, but not with what its products are called. */
const hashOf = ({ kind, lines }: OrderDifference): string => {
  const numbers = lines.map(({ pos, here }) => `${pos}/${here}`).sort()
  return createHash('sha256')
    .update(JSON.stringify([kind, numbers]))
    .digest('base64url')
    .slice(0, 22)
}

/** Compares all orders of a day with its file, in slices of a few ms. `onProgress`: orders compared so far. */
export async function compareDay(
  given: Omit<DayInputs, 'match' | 'span'>,
  catalogue: Catalogue,
  day: string,
  yieldNow: YieldNow,
  onProgress: (done: number) => void,
): Promise<Comparison> {
  const { rows, reported, loaded } = given
  const inputs = { ...given, match: new OrderMatch(), span: spanOf(day) }
  const productIds = await readOrders(rows, loaded, inputs.match, yieldNow)
  const reports = new DayReports(inputs)
  await reports.read(yieldNow)
  const known = new KnownProducts()
  await known.read(reported, catalogue, reports, yieldNow)
  const comparison = new Comparison(inputs, reports, known, rows.products(productIds))
  await comparison.judgeAll(yieldNow, onProgress)
  return comparison
}

/** Notes the orders of a file. Returns the products that it names. */
async function readOrders(
  rows: PosDayRows,
  { load }: LoadedFile,
  match: OrderMatch,
  yieldNow: YieldNow,
): Promise<number[]> {
  const products = new Set<number>()
  for (let after: PosPlace = { orderId: '', row: 0, product: null }; ;) {
    const lines = rows.orders(load, after, atOnce)
    for (const { orderId, product } of lines) {
      match.add('pos', orderId)
      if (product !== null) products.add(product)
    }
    await yieldNow()
    const last = lines.at(-1)
    if (!last || lines.length < atOnce) return [...products]
    after = last
  }
}

/** A day beside its file: what differs, and what is the same. An order is judged again once something else is reported of it. */
export class Comparison {
  readonly differences = new Map<string, FoundDifference>()
  readonly matched = new Set<string>()
  readonly sold = new Map<number, Sold>()
  /** The products that the file names. */
  readonly products: NamedByPos[]
  /** Orders of the file. */
  readonly posCount: number
  readonly #inputs: DayInputs
  readonly #reports: DayReports
  readonly #known: KnownProducts
  readonly #products: ProductMatch

  constructor(inputs: DayInputs, reports: DayReports, known: KnownProducts, theirs: NamedByPos[]) {
    this.#inputs = inputs
    this.#reports = reports
    this.#known = known
    this.products = theirs
    this.posCount = inputs.match.orders('pos').length
    this.#products = new ProductMatch(known.all(), theirs)
  }

  statusOf(productId: number): ReturnType<ProductMatch['statusOf']> {
    return this.#products.statusOf(productId)
  }

  /** Whether another station completed an order under this number. */
  isSoldElsewhere(orderId: string): boolean {
    return this.#reports.isSoldElsewhere(orderId)
  }

  async judgeAll(yieldNow: YieldNow, onProgress: (done: number) => void): Promise<void> {
    const { match } = this.#inputs
    let done = 0
    for (const orderId of match.orders('pos')) {
      this.#judgeOfPos(orderId, true)
      done++
      if (done % atOnce === 0) onProgress(done)
      await yieldNow()
    }
    for (const orderId of this.#reports.ofDay) {
      if (match.partner('here', orderId) === null) this.#judgeOfHere(orderId)
      await yieldNow()
    }
  }

  /** A report of an order was made, changed or withdrawn. False if a product is new: then all must be compared again. */
  reportChanged(orderId: string): boolean {
    const { match } = this.#inputs
    const { order, items } = this.#reports.again(orderId)
    if (items.some((one) => !this.#products.knows(this.#known.keyOf(one)))) return false
    this.#reports.keep(order, items)
    const related = match.related(order)
    for (const one of related.pos) this.#judgeOfPos(one, false)
    for (const one of related.here) {
      // Judged with its order of the POS.
      if (match.has('pos', one)) continue
      if (match.partner('here', one) === null && this.#reports.ofDay.has(one)) this.#judgeOfHere(one)
      else this.#forget(one)
    }
    return true
  }

  /** The other stations told something else of some orders: judges these again, in slices. False as above. */
  async othersChanged(later: OtherReports, yieldNow: YieldNow): Promise<boolean> {
    for (const orderId of this.#reports.othersChanged(later)) {
      if (!this.reportChanged(orderId)) return false
      await yieldNow()
    }
    return true
  }

  #forget(orderId: string): void {
    this.differences.delete(orderId)
    this.matched.delete(orderId)
  }

  /** Judges an order of the POS. `isCounted`: its products are counted, too. */
  #judgeOfPos(orderId: string, isCounted: boolean): void {
    const { rows, loaded, span, match } = this.#inputs
    const lines = rows.lines(loaded.load, orderId)
    if (isCounted && loaded.file.hasProducts) this.#count(lines)
    const compared = this.#comparedLines(lines)
    // Without products that are compared, it can still be voided.
    const isVoided = lines.every((line) => line.isVoided)
    const pos = sidePos(compared) ?? { isVoided, counts: new Map<string, number>() }
    const hereId = match.partner('pos', orderId)
    const items = hereId === null ? [] : this.#reports.of(hereId)
    const here = sideHere(reportsOf(items, span, (item) => this.#groupOf(item)))
    const found = compareOrder(pos, here)
    const isCompared = compared.length > 0 || here !== undefined
    this.#note(orderId, found, { items, isCompared, hereId: here && hereId, similar: match.similar('pos', orderId) })
  }

  /** Judges an order that only was reported. */
  #judgeOfHere(orderId: string): void {
    const { rows, loaded, span, match } = this.#inputs
    const items = this.#reports.of(orderId)
    const all = reportsOf(items, span, (item) => this.#groupOf(item))
    // Sold around midnight, or scanned late: the sale is one of the POS's other day.
    const here = sideHere(rows.isInOtherDay(orderId, loaded.load) ? withoutSalesOfDay(all) : all)
    const found = compareOrder(undefined, here)
    const isCompared = here !== undefined
    this.#note(orderId, found, { items, isCompared, hereId: here && orderId, similar: match.similar('here', orderId) })
  }

  #note(
    orderId: string,
    found: OrderDifference | null,
    of: {
      items: readonly ReportedItem[]
      isCompared: boolean
      hereId: string | null | undefined
      similar: string | null
    },
  ): void {
    this.#forget(orderId)
    if (!found) {
      if (of.isCompared) this.matched.add(orderId)
      return
    }
    const lines = found.lines.slice(0, mostLines)
    const more = found.lines.reduce((sum, line) => sum + line.pos - line.here, 0)
    this.differences.set(orderId, {
      orderId: OrderId.parse(orderId),
      kind: found.kind,
      hereId: of.hereId == null ? null : OrderId.parse(of.hereId),
      lines: lines.map(({ group, pos, here }) => ({
        name: group === everything ? null : this.#products.nameOf(group),
        pos: pos / thousandth,
        here: here / thousandth,
      })),
      moreLines: found.lines.length - lines.length,
      similar: of.similar,
      stations: [...new Set(of.items.flatMap(({ station }) => station ?? []))].sort().slice(0, mostPosStations),
      isOwn: of.items.some(({ station }) => station === null),
      scan: scanFor(found.kind, more),
      mark: hashOf(found),
    })
  }

  /** Counts the items and orders of each product of an order of the POS. */
  #count(lines: readonly StoredLine[]): void {
    const counted = new Set(countedLines(lines))
    const inOrder = new Set<number>()
    for (const line of lines) {
      if (line.product === null) continue
      const sold = this.sold.get(line.product) ?? { items: 0, orders: 0 }
      if (counted.has(line)) sold.items += line.count / thousandth
      if (!inOrder.has(line.product)) sold.orders++
      inOrder.add(line.product)
      this.sold.set(line.product, sold)
    }
  }

  /** The lines of the products that are compared. */
  #comparedLines(lines: readonly StoredLine[]) {
    return lines.flatMap(({ product, count, isVoided }) => {
      if (product === null) return [{ group: everything, count, isVoided }]
      return this.statusOf(product) === 'compared' ? [{ group: this.#products.ofPos(product), count, isVoided }] : []
    })
  }

  #groupOf(item: ReportedItem): string {
    const { hasProducts } = this.#inputs.loaded.file
    return hasProducts ? this.#products.ofHere(this.#known.keyOf(item)) : everything
  }
}

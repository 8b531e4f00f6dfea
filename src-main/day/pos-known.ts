import { comparable } from '../../src-shared/text'
import type { CachedProduct } from '../memory/store'
import type { YieldNow } from '../core/async'
import { type NamedHere, unnamed } from './pos-products'
import type { DayReports } from './pos-reports'
import type { ReportedItem, ReportedRows } from './reported-rows'

/** What the POS's catalog calls a product of ours. */
export interface Catalogue {
  ofProduct: (product: CachedProduct) => { posProductId: string; sku: string | null }[]
}

/** Cases that are read at once, and at most. */
const casesAtOnce = 25
const mostCases = 1_000

/** What the keys of products begin with that are known by their name alone. */
const byName = 'name:'

/** The product of an item: its id, else its name. */
function plainKeyOf({ productId, name }: Pick<ReportedItem, 'productId' | 'name'>): string {
  if (productId !== null) return productId
  return name === null ? unnamed : byName + comparable(name)
}

const isNameOfOthers = ({ station, productId }: ReportedItem) => station !== null && productId === null

/** The products of this store, with all that imports, cases, reports and the POS's catalog know them by. */
export class KnownProducts {
  readonly #ours = new Map<string, NamedHere>()
  /** The products of a name, of which another station may not have told the id; null: there are several. */
  readonly #idByName = new Map<string, string | null>()

  async read(
    rows: Pick<ReportedRows, 'mappings' | 'productsOfCases'>,
    catalogue: Catalogue,
    reports: DayReports,
    yieldNow: YieldNow,
  ): Promise<void> {
    for (const { productId, posProductId, sku } of rows.mappings()) this.#note(productId, null, posProductId, sku)
    for (let seen = 0; seen < mostCases; seen += casesAtOnce) {
      for (const { productId, name, sku } of rows.productsOfCases(seen, casesAtOnce)) {
        this.#note(productId, name, null, sku)
      }
      await yieldNow()
    }
    await this.#noteItems(reports, (item) => !isNameOfOthers(item), yieldNow)
    this.#noteNames()
    await this.#noteItems(reports, isNameOfOthers, yieldNow)
    for (const { key, name, skus } of this.#ours.values()) {
      if (name === null) continue
      for (const { posProductId, sku } of catalogue.ofProduct({ name, sku: skus[0] ?? null })) {
        this.#note(key, null, posProductId, sku)
      }
      await yieldNow()
    }
  }

  all(): Iterable<NamedHere> {
    return this.#ours.values()
  }

  keyOf(item: ReportedItem): string {
    const id = isNameOfOthers(item) && item.name !== null ? this.#idByName.get(comparable(item.name)) : null
    return id ?? plainKeyOf(item)
  }

  #note(key: string, name: string | null, posProductId: string | null, sku: string | null): void {
    const known = this.#ours.get(key) ?? { key, name, posProductIds: [], skus: [] }
    known.name ??= name
    if (posProductId !== null && posProductId !== '') known.posProductIds.push(posProductId)
    if (sku !== null && sku.trim() !== '') known.skus.push(sku.trim())
    this.#ours.set(key, known)
  }

  async #noteItems(reports: DayReports, isMeant: (item: ReportedItem) => boolean, yieldNow: YieldNow): Promise<void> {
    for (const items of reports.all()) {
      for (const one of items.filter(isMeant)) {
        const key = this.keyOf(one)
        if (key !== unnamed && (this.#ours.get(key)?.name ?? null) === null) this.#note(key, one.name, null, null)
      }
      await yieldNow()
    }
  }

  #noteNames(): void {
    for (const { key, name } of this.#ours.values()) {
      if (name === null || key.startsWith(byName)) continue
      const compared = comparable(name)
      this.#idByName.set(compared, this.#idByName.has(compared) ? null : key)
    }
  }
}

import type { TagId } from '../../../src-shared/ids'
import type { FoundItem, ProductSums } from './difference-rows'

/** What was found of an item: one object for all items of a product and result. */
interface Verdict {
  of: ProductSums
  result: 'found' | 'missing' | 'unexpected'
}
type OfProduct = ProductSums & { verdicts: Record<Verdict['result'], Verdict> }

function newProduct(product: string): OfProduct {
  const of: ProductSums = { product, productName: null, brandName: null, found: 0, missing: 0, unexpected: 0 }
  const verdict = (result: Verdict['result']) => ({ of, result })
  const verdicts = { found: verdict('found'), missing: verdict('missing'), unexpected: verdict('unexpected') }
  return Object.assign(of, { verdicts })
}

/** The last by the alphabet: a product that had several names always gets the same. */
const later = (one: string | null, other: string | null) =>
  one === null || (other !== null && other > one) ? other : one

/** Adds up what a finding finds, by product. An item that is found anew counts as it was found last. */
export class FoundTally {
  readonly #verdicts = new Map<TagId, Verdict | 'moved'>()
  readonly #products = new Map<string, OfProduct>()
  #moved = 0

  get moved(): number {
    return this.#moved
  }

  isKnown(tagId: TagId): boolean {
    return this.#verdicts.has(tagId)
  }

  note(item: FoundItem): void {
    const before = this.#verdicts.get(item.tagId)
    if (before) this.#add(before, -1)
    const verdict = this.#verdictOf(item)
    if (!verdict) {
      this.#verdicts.delete(item.tagId)
      return
    }
    this.#add(verdict, 1)
    this.#verdicts.set(item.tagId, verdict)
  }

  /** Products of which something was found. */
  products(): ProductSums[] {
    return [...this.#products.values()]
      .filter(({ found, missing, unexpected }) => found + missing + unexpected > 0)
      .map(({ verdicts: _, ...sums }) => sums)
  }

  #add(verdict: Verdict | 'moved', by: 1 | -1): void {
    if (verdict === 'moved') this.#moved += by
    else verdict.of[verdict.result] += by
  }

  #verdictOf({ result, product, productName, brandName }: FoundItem): Verdict | 'moved' | null {
    if (result === null || result === 'moved') return result
    const of = this.#products.get(product) ?? newProduct(product)
    this.#products.set(product, of)
    of.productName = later(of.productName, productName)
    of.brandName = later(of.brandName, brandName)
    return of.verdicts[result]
  }
}

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
export function createFoundTally() {
  const verdicts = new Map<TagId, Verdict | 'moved'>()
  const products = new Map<string, OfProduct>()
  let moved = 0

  const add = (verdict: Verdict | 'moved', by: 1 | -1) => {
    if (verdict === 'moved') moved += by
    else verdict.of[verdict.result] += by
  }
  const verdictOf = ({ result, product, productName, brandName }: FoundItem): Verdict | 'moved' | null => {
    if (result === null || result === 'moved') return result
    const of = products.get(product) ?? newProduct(product)
    products.set(product, of)
    of.productName = later(of.productName, productName)
    of.brandName = later(of.brandName, brandName)
    return of.verdicts[result]
  }
  return {
    isKnown: (tagId: TagId): boolean => verdicts.has(tagId),
    note(item: FoundItem): void {
      const before = verdicts.get(item.tagId)
      if (before) add(before, -1)
      const verdict = verdictOf(item)
      if (!verdict) {
        verdicts.delete(item.tagId)
        return
      }
      add(verdict, 1)
      verdicts.set(item.tagId, verdict)
    },
    moved: (): number => moved,
    /** Products of which something was found. */
    products: (): ProductSums[] =>
      [...products.values()]
        .filter(({ found, missing, unexpected }) => found + missing + unexpected > 0)
        .map(({ verdicts: _, ...sums }) => sums),
  }
}

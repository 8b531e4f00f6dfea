import type { TagId } from '../../../src-shared/ids'
import type { PackagedProductFacts } from '../../../src-shared/service/facts'
import type { CaseInBrief } from '../../memory/store'
import type { CountOfDelivery } from './count'

/** The items of a product that the case held when the count began. Items of no product are shown with the first. */
export function expectedOf(
  facts: CaseInBrief,
  product: PackagedProductFacts,
  index: number,
  count: Pick<CountOfDelivery, 'expected'> | undefined,
): TagId[] {
  const own = new Set(product.tagIds)
  const others = new Set(facts.packagedProducts.flatMap((one) => one.tagIds))
  const expected = count?.expected.get(facts.caseId) ?? []
  return expected.filter((tagId) => own.has(tagId) || (index === 0 && !others.has(tagId)))
}

import type { CaseFacts } from '../../src-shared/service/facts'
import { caseOf, thing } from './ids'

/** The service's answer for case n: it holds packaged products, each of the product with the same number. */
export const caseFactsOf = (
  n: number,
  { isImported = false, products = [n] }: { isImported?: boolean; products?: number[] } = {},
): CaseFacts => ({
  caseId: caseOf(n),
  identifier: `CASE-${n}`,
  name: null,
  requiredCount: null,
  packagedProducts: products.map((product) => ({
    packagedProductId: thing(product),
    productId: thing(product),
    productName: `Product ${product}`,
    brandName: null,
    sku: null,
    batchName: null,
    packagedOn: null,
    useBy: null,
    pictureUrl: null,
    tagIds: [],
    coa: { verdict: 'none', expiresOn: null },
    isImported,
  })),
  tags: [],
  packageUids: [],
})

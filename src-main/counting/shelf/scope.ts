import { z } from 'zod'
import { CaseId, ShortUuid } from '../../../src-shared/ids'
import type { ShelfScopeView } from '../../../src-shared/ipc/contract/stock'

/** What a count counts, as it is kept: a sample is the products that were picked. `names`: what a person calls them. */
export const KeptScope = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('all') }),
  z.object({
    kind: z.enum(['product', 'sample']),
    productIds: z.array(ShortUuid).max(50),
    names: z.array(z.string()).max(50),
  }),
  z.object({ kind: z.literal('brand'), brandName: z.string() }),
  z.object({ kind: z.literal('case'), caseId: CaseId, names: z.array(z.string()).max(50) }),
])
export type KeptScope = z.infer<typeof KeptScope>

/** What is known of an item that a scope may hold. */
export interface InScope {
  productId: string | null
  brandName: string | null
  caseId: string | null
}

export function viewOfScope(scope: KeptScope): ShelfScopeView {
  const { kind } = scope
  if (kind === 'all') return { kind, names: [] }
  return { kind, names: kind === 'brand' ? [scope.brandName] : scope.names }
}

/** Whether an item belongs to a scope; one of which nothing is known may belong to any. */
export function isInScope(scope: KeptScope, { productId, brandName, caseId }: InScope): boolean {
  switch (scope.kind) {
    case 'all':
      return true
    case 'brand':
      return brandName === null || brandName === scope.brandName
    case 'case':
      return caseId === null || caseId === scope.caseId
    case 'product':
    case 'sample':
      return productId === null || scope.productIds.some((one) => one === productId)
  }
}

/** The condition on rows with `product_id`, `brand_name` and `case_id`, and its value, a JSON list. */
export interface ScopeSql {
  column: 'case_id' | 'product_id' | 'brand_name' | null
  values: string
}

export function scopeSql(scope: KeptScope): ScopeSql {
  switch (scope.kind) {
    case 'all':
      return { column: null, values: '[]' }
    case 'brand':
      return { column: 'brand_name', values: JSON.stringify([scope.brandName]) }
    case 'case':
      return { column: 'case_id', values: JSON.stringify([scope.caseId]) }
    case 'product':
    case 'sample':
      return { column: 'product_id', values: JSON.stringify(scope.productIds) }
  }
}

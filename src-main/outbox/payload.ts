import { z } from 'zod'
import { CaseId, OrderId, PackageUid, ShortUuid, TagId } from '../../src-shared/ids'
import { assertNever } from '../../src-shared/result'
import {
  completeRequest,
  importRemovalRequest,
  importRequest,
  returnRequest,
  voidRequest,
} from '../../src-shared/service/requests'
import type { ReportPath } from '../service-client/v12'

/** What an operation reports. Stored as JSON, parsed on every read. */

const ofCase = {
  caseId: CaseId,
  packagedProductId: ShortUuid,
  packageUid: PackageUid,
  /** For the screen only. */
  productName: z.string().nullable(),
  itemCount: z.number().int().nonnegative(),
}

const ofOrder = { orderId: OrderId, tagIds: z.array(TagId) }

export const Payload = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('import'),
    ...ofCase,
    posProductId: z.string(),
    posInventoryId: z.string(),
    sku: z.string().optional(),
  }),
  z.object({ kind: z.literal('import-removal'), ...ofCase }),
  z.object({ kind: z.literal('complete'), ...ofOrder }),
  /** The tags are those we know of the order: they are not sent, but nobody may sell them before the void is done. */
  z.object({ kind: z.literal('void'), ...ofOrder }),
  z.object({ kind: z.literal('return'), ...ofOrder }),
])
export type Payload = z.infer<typeof Payload>

/** A lock on a thing: an operation waits for every earlier unfinished one that holds a conflicting key. */
export interface Key {
  key: string
  isExclusive: boolean
}

export const orderKey = (orderId: string) => `order:${orderId}`
export const caseKey = (caseId: string) => `case:${caseId}`
export const tagKey = (tagId: string) => `tag:${tagId}`

/**
 * The keys of an operation: an import or removal takes its case alone; a sale, return or void takes its order and its
 * tags alone and shares the cases of its tags, so that it waits for their import but not for another sale from them.
 */
export function keysOf(payload: Payload, caseOf: (tagId: TagId) => CaseId | undefined): Key[] {
  switch (payload.kind) {
    case 'import':
    case 'import-removal':
      return [{ key: caseKey(payload.caseId), isExclusive: true }]
    case 'complete':
    case 'void':
    case 'return': {
      const cases = new Set(payload.tagIds.map(caseOf).filter((caseId) => caseId !== undefined))
      return [
        { key: orderKey(payload.orderId), isExclusive: true },
        ...[...new Set(payload.tagIds)].map((tagId) => ({ key: tagKey(tagId), isExclusive: true })),
        ...[...cases].map((caseId) => ({ key: caseKey(caseId), isExclusive: false })),
      ]
    }
    default:
      return assertNever(payload)
  }
}

/** The request that reports an operation. `performedAt` is ISO 8601 with offset, by the service's clock. */
export function requestOf(payload: Payload, performedAt: string): { path: ReportPath; body: object } {
  switch (payload.kind) {
    case 'import':
      return { path: 'caseids/import/', body: importRequest(payload) }
    case 'import-removal':
      return { path: 'caseids/import/remove/', body: importRemovalRequest(payload) }
    case 'complete':
      return { path: 'transactions/complete/', body: completeRequest({ ...payload, performedAt }) }
    case 'void':
      return { path: 'transactions/void/', body: voidRequest({ ...payload, performedAt }) }
    case 'return':
      return { path: 'transactions/return/', body: returnRequest({ ...payload, performedAt }) }
    default:
      return assertNever(payload)
  }
}

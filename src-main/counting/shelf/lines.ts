import { z } from 'zod'
import { CaseId, ShortUuid, TagId } from '../../../src-shared/ids'
import { MissingHint, ShelfReason, UnexpectedWhy } from '../../../src-shared/ipc/contract/stock'

const counting = '(SELECT stock_count.round FROM stock_count WHERE seq = @count)'
/** The differences of `@count` that count: not those that a finding has only prepared, or that were left out by the last one. */
export const isShown = `(round <= ${counting} AND (gone IS NULL OR gone > ${counting}))`

/** A difference as it is kept. Instants are ms since 1970. */
export const DifferenceRow = z
  .object({
    position: z.number(),
    tag_id: TagId,
    result: z.enum(['found', 'missing', 'unexpected']),
    why: UnexpectedWhy.nullable(),
    hint: MissingHint.nullable(),
    order_id: z.string().nullable(),
    case_id: CaseId.nullable(),
    identifier: z.string().nullable(),
    product_id: ShortUuid.nullable(),
    product_name: z.string().nullable(),
    brand_name: z.string().nullable(),
    scanned_at: z.number().nullable(),
    reason: ShelfReason.nullable().catch(null),
    text: z.string().nullable(),
  })
  .transform((row) => ({
    position: row.position,
    tagId: row.tag_id,
    result: row.result,
    why: row.why,
    hint: row.hint,
    orderId: row.order_id,
    caseId: row.case_id,
    identifier: row.identifier,
    productId: row.product_id,
    productName: row.product_name,
    brandName: row.brand_name,
    scannedAt: row.scanned_at,
    reason: row.reason,
    text: row.text,
  }))
export type DifferenceRow = z.output<typeof DifferenceRow>

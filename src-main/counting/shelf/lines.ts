import { z } from 'zod'
import { CaseId, ShortUuid, TagId } from '../../../src-shared/ids'
import { MissingHint, ShelfReason, UnexpectedWhy } from '../../../src-shared/ipc/contract/stock'

const counting = '(SELECT stock_count.round FROM stock_count WHERE seq = @count)'
/** The differences of `@count` that count: not those that a finding has only prepared, or that were left out by the last one. */
export const isShown = `(round <= ${counting} AND (gone IS NULL OR gone > ${counting}))`

/** A difference as it is kept. Instants are ms since 1970. */
export const DifferenceRow = z.object({
  position: z.number(),
  tagId: TagId,
  result: z.enum(['found', 'missing', 'unexpected']),
  why: UnexpectedWhy.nullable(),
  hint: MissingHint.nullable(),
  orderId: z.string().nullable(),
  caseId: CaseId.nullable(),
  identifier: z.string().nullable(),
  productId: ShortUuid.nullable(),
  productName: z.string().nullable(),
  brandName: z.string().nullable(),
  scannedAt: z.number().nullable(),
  reason: ShelfReason.nullable().catch(null),
  text: z.string().nullable(),
})
export type DifferenceRow = z.output<typeof DifferenceRow>

import type { AppError, AppErrorOf } from '../../src-shared/errors'
import { TagId } from '../../src-shared/ids'
import type { Result } from '../../src-shared/result'

/** Errors about one item of an order, of which its texts name the product. */
const codes = [
  'checkout/duplicate',
  'checkout/already-sold',
  'checkout/already-returned',
  'checkout/in-other-order',
  'checkout/in-refused-order',
  'checkout/in-open-order',
  'checkout/sold-elsewhere',
  'checkout/unchecked',
  'checkout/not-sellable',
] as const
type ItemError = AppErrorOf<(typeof codes)[number]>
const isOfItem = (error: AppError): error is ItemError => codes.some((code) => code === error.code)

/**
 * Says in an error about an item which product that is, if it is known, and what was refused for it, unless it was its scan.
 * `nameOf`: null while the product isn't known.
 */
export function named<Value>(
  result: Result<Value, AppError>,
  nameOf: (tagId: TagId) => string | null,
  step?: ItemError['step'],
): Result<Value, AppError> {
  if (result.ok || !isOfItem(result.error)) return result
  const tagId = TagId.safeParse(result.error.tagId).data
  const productName = tagId === undefined ? null : nameOf(tagId)
  return { ok: false, error: { ...result.error, productName, ...(step && { step }) } }
}

import { z } from 'zod'
import { OrderId, TagId } from '../ids'
import { DateTime, Line } from './wire'

/** Bodies of `POST /api/v1.2/transactions/…/`; `performed_at` is ISO 8601 with offset. Spec: Transactions. */

const people = { customer_id: Line.optional(), budtender_id: Line.optional() }

export const CompleteRequest = z.strictObject({
  performed_at: DateTime,
  order_id: OrderId,
  items: z.array(TagId).min(1),
  ...people,
})
export type CompleteRequest = z.infer<typeof CompleteRequest>

export const VoidRequest = z.strictObject({ performed_at: DateTime, order_id: OrderId, ...people })
export type VoidRequest = z.infer<typeof VoidRequest>

export const ReturnRequest = z.strictObject({
  performed_at: DateTime,
  order_id: OrderId,
  items: z.array(TagId).min(1),
  ...people,
})
export type ReturnRequest = z.infer<typeof ReturnRequest>

/** 200 of any transaction; the specification does not show its body, so any body is accepted. */
export const TransactionAnswer = z.unknown()

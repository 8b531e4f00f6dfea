import { z } from 'zod'
import { OrderId, TagId } from '../ids'
import { DateTime } from './wire'

/** Bodies of `POST /api/v1.2/transactions/…/`; `performed_at` is ISO 8601 with offset. Spec: Transactions. */

const people = { customer_id: z.string().optional(), budtender_id: z.string().optional() }

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

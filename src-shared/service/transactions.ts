import { z } from 'zod'
import { OrderId, TagId } from '../ids'
import { DateTime, TextLine } from './wire'

const peopleFields = { customer_id: TextLine.optional(), budtender_id: TextLine.optional() }

/** The bodies of `POST /api/v1.2/transactions/…/`; `performed_at` is ISO 8601 with offset. Spec: Transactions. */
export const CompleteRequest = z.strictObject({
  performed_at: DateTime,
  order_id: OrderId,
  items: z.array(TagId).min(1),
  ...peopleFields,
})
export type CompleteRequest = z.infer<typeof CompleteRequest>

export const VoidRequest = z.strictObject({ performed_at: DateTime, order_id: OrderId, ...peopleFields })
export type VoidRequest = z.infer<typeof VoidRequest>

export const ReturnRequest = z.strictObject(CompleteRequest.shape)
export type ReturnRequest = z.infer<typeof ReturnRequest>

/** 200 of any transaction; the specification does not show its body, so any body is accepted. */
export const TransactionAnswer = z.unknown()

/** Countertag's terms of a sale, which the functions below translate to the wire's. */
interface Sale {
  orderId: OrderId
  tagIds: TagId[]
  budtenderId?: string | undefined
  customerId?: string | undefined
  /** ISO 8601 with offset, by the service's clock. */
  performedAt: string
}

const people = ({ budtenderId, customerId }: Pick<Sale, 'budtenderId' | 'customerId'>) => ({
  ...(budtenderId ? { budtender_id: budtenderId } : {}),
  ...(customerId ? { customer_id: customerId } : {}),
})

export const completeRequest = (of: Sale): CompleteRequest => ({
  performed_at: of.performedAt,
  order_id: of.orderId,
  items: of.tagIds,
  ...people(of),
})

export const returnRequest: (of: Sale) => ReturnRequest = completeRequest

export const voidRequest = (of: Omit<Sale, 'tagIds'>): VoidRequest => ({
  performed_at: of.performedAt,
  order_id: of.orderId,
  ...people(of),
})

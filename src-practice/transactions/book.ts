import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Refusal } from '../http/answers'
import { type Store, command, json, query } from '../store/query'

export type Kind = 'complete' | 'void' | 'return'

/** A report as it came, its items already read. */
export interface Report {
  kind: Kind
  dispensaryUuid: string
  orderId: string
  items: string[]
  /** ISO 8601, as the client wrote it. */
  performedAt: string
  /** Who the customer is, nobody needs to practise with: only that one was named is kept. */
  hasCustomer: boolean
}

export const alreadyProcessed: Refusal = { body: { message: 'This transaction has already been processed.' } }

const Order = z.object({ voided_at: z.string().nullable() })
const OrderItem = z.object({ tag_uuid: z.string(), freed_at: z.string().nullable() })

/** Orders, what they hold, and the list of accepted reports. Everything here runs inside the caller's transaction. */
export function createBook(store: Store, now: () => Date) {
  const order = query(store, 'SELECT voided_at FROM orders WHERE dispensary_uuid = ? AND order_id = ?', Order)
  const items = query(
    store,
    'SELECT tag_uuid, freed_at FROM order_items WHERE dispensary_uuid = ? AND order_id = ? ORDER BY rowid',
    OrderItem,
  )
  const addOrder = command(store, 'INSERT INTO orders (dispensary_uuid, order_id) VALUES (?, ?)')
  const addItem = command(
    store,
    'INSERT INTO order_items (dispensary_uuid, order_id, tag_uuid, sold_at) VALUES (?, ?, ?, ?)',
  )
  const voidOrder = command(store, 'UPDATE orders SET voided_at = ? WHERE dispensary_uuid = ? AND order_id = ?')
  const freeItem = command(
    store,
    `UPDATE order_items SET freed_at = ?
     WHERE dispensary_uuid = ? AND order_id = ? AND tag_uuid = ? AND freed_at IS NULL`,
  )
  const addTransaction = command(
    store,
    `INSERT INTO transactions (id, kind, dispensary_uuid, order_id, items, performed_at, accepted_at, has_customer)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  )

  return {
    order: ({ dispensaryUuid, orderId }: Report) => order.get(dispensaryUuid, orderId),
    items: ({ dispensaryUuid, orderId }: Report) => items.all(dispensaryUuid, orderId),
    open({ dispensaryUuid, orderId, items: tagIds, performedAt }: Report) {
      addOrder(dispensaryUuid, orderId)
      for (const tagId of tagIds) addItem(dispensaryUuid, orderId, tagId, performedAt)
    },
    markVoid: ({ dispensaryUuid, orderId, performedAt }: Report) => voidOrder(performedAt, dispensaryUuid, orderId),
    free({ dispensaryUuid, orderId, performedAt }: Report, tagIds: readonly string[]) {
      for (const tagId of tagIds) freeItem(performedAt, dispensaryUuid, orderId, tagId)
    },
    /** Notes an accepted report; answers its id. */
    accept(report: Report, tagIds: readonly string[]): string {
      const id = randomUUID()
      const { kind, dispensaryUuid, orderId, performedAt, hasCustomer } = report
      const acceptedAt = now().toISOString()
      const tags = JSON.stringify(tagIds)
      addTransaction(id, kind, dispensaryUuid, orderId, tags, performedAt, acceptedAt, hasCustomer ? 1 : 0)
      return id
    },
  }
}
export type Book = ReturnType<typeof createBook>

const Accepted = z
  .object({
    id: z.string(),
    kind: z.enum(['complete', 'void', 'return']),
    order_id: z.string(),
    items: json(z.array(z.string())),
    performed_at: z.string(),
    accepted_at: z.string(),
    dispensary_uuid: z.string(),
    dispensary_name: z.string(),
    has_customer: z.number(),
  })
  .transform(({ dispensary_uuid, dispensary_name, has_customer, ...rest }) => ({
    ...rest,
    dispensary: { uuid: dispensary_uuid, name: dispensary_name },
    customer_id: has_customer === 1,
  }))

/** A report that the service took. `items` of a void are those it freed; `customer_id` only says that there was one. */
export type AcceptedTransaction = z.infer<typeof Accepted>

/** The accepted reports in the order in which they were accepted. */
export function listTransactions(store: Store): AcceptedTransaction[] {
  return query(
    store,
    `SELECT t.id, t.kind, t.order_id, t.items, t.performed_at, t.accepted_at, t.dispensary_uuid,
       d.name AS dispensary_name, t.has_customer
     FROM transactions t JOIN dispensaries d ON d.uuid = t.dispensary_uuid ORDER BY t.seq`,
    Accepted,
  ).all()
}

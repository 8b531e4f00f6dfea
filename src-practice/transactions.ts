import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { parseId } from '../src-shared/ids'
import { err, ok, type Result } from '../src-shared/result'
import type { Refusal } from './http/endpoint'
import { command, json, query, type Store } from './store/query'

/** The id of the accepted report, or the body of the refusal. Nothing is written before all checks have passed. */
export type TransactionResult = Result<string, Refusal>

const Tag = z.object({ uuid: z.string() })

/**
 * A sale. Checked in this order: the order id was never completed (a voided order counts), the items are in this
 * dispensary's inventory, the items are not sold.
 */
export function createComplete(store: Store, book: Book) {
  const imported = query(
    store,
    `SELECT ii.tag_uuid AS uuid FROM import_items ii JOIN imports i ON i.id = ii.import_id
     WHERE i.dispensary_uuid = +? AND ii.tag_uuid IN (SELECT value FROM json_each(?))`,
    Tag,
  )
  const sold = query(
    store,
    `SELECT tag_uuid AS uuid FROM order_items
     WHERE freed_at IS NULL AND tag_uuid IN (SELECT value FROM json_each(?)) LIMIT 1`,
    Tag,
  )

  return function complete(report: ReceivedReport): TransactionResult {
    const { items, dispensaryUuid } = report
    if (book.order(report)) return err(alreadyProcessed)
    const inInventory = new Set(imported.all(dispensaryUuid, JSON.stringify(items)).map(({ uuid }) => uuid))
    const missing = items.filter((tagId) => !inInventory.has(tagId))
    if (missing.length > 0) {
      const message = 'This transaction contains non-imported TagIDs.'
      return err({ body: { message, non_imported_tagids: missing, valid_transaction: false } })
    }
    if (sold.get(JSON.stringify(items))) return err(alreadyProcessed)
    book.open(report)
    return ok(book.accept(report, items))
  }
}

const unknownOrder = ({ orderId }: ReceivedReport): Refusal => ({
  body: { order_id: [`Order ${orderId} was not completed at this dispensary.`] },
})

/** A void. Checked in this order: the order was completed here, it is not void. */
export function createVoid(book: Book) {
  return function voidOrder(report: ReceivedReport): TransactionResult {
    const order = book.order(report)
    if (order === undefined) return err(unknownOrder(report))
    if (order.voided_at !== null) return err(alreadyProcessed)
    const held = book.items(report).filter((item) => item.freed_at === null)
    const tagIds = held.map(({ tag_uuid }) => tag_uuid)
    book.free(report, tagIds)
    book.markVoid(report)
    return ok(book.accept(report, tagIds))
  }
}

/**
 * A return of some or all items of an order. Checked in this order: the order was completed here, the items were sold
 * in it, the items have not come back before (by a return or a void).
 */
export function createReturn(book: Book) {
  return function giveBack(report: ReceivedReport): TransactionResult {
    if (book.order(report) === undefined) return err(unknownOrder(report))
    const held = new Map(book.items(report).map((item) => [item.tag_uuid, item.freed_at]))
    const invalid = report.items.filter((tagId) => !held.has(tagId))
    if (invalid.length > 0) {
      return err(unusable({ invalid, unknown: [], valid: report.items.filter((tagId) => held.has(tagId)) }))
    }
    if (report.items.some((tagId) => held.get(tagId) !== null)) return err(alreadyProcessed)
    book.free(report, report.items)
    return ok(book.accept(report, report.items))
  }
}

const KnownItem = z.object({ uuid: z.string() })

/**
 * Reads a list of TagIDs: in short form, each once. Checked in this order: ids well-formed, ids known. `wireId` writes
 * the ids in the refusal. Spec: Errors > Transaction errors.
 */
export function createTagListReader(store: Store, wireId = (id: string) => id) {
  const known = query(store, 'SELECT uuid FROM tag_ids WHERE uuid IN (SELECT value FROM json_each(?))', KnownItem)

  return function readList(list: readonly unknown[]): Result<string[], Refusal> {
    const malformed = list.filter((item) => typeof item !== 'string' || parseId(item) === undefined)
    if (malformed.length > 0) return err({ body: { items: { 'Invalid TagIDs': malformed.map(asText) } } })
    const tagIds = [...new Set(list.map((item) => parseId(asText(item)) ?? ''))]
    const found = new Set(known.all(JSON.stringify(tagIds)).map(({ uuid }) => uuid))
    const unknown = tagIds.filter((tagId) => !found.has(tagId)).map(wireId)
    if (unknown.length === 0) return ok(tagIds)
    return err(unusable({ invalid: [], unknown, valid: tagIds.filter((one) => found.has(one)).map(wireId) }))
  }
}

/** Reads the `items` of a complete or return. Checked in this order: present, a list, then the checks of the list. */
export function createTagReader(store: Store) {
  const readList = createTagListReader(store)

  return function readTags(items: unknown): Result<string[], Refusal> {
    if (items === undefined || items === null || (Array.isArray(items) && items.length === 0)) {
      return err({ body: ['items should be specified when transaction type is complete or return.'] })
    }
    const list = z.array(z.unknown()).safeParse(items)
    return list.success ? readList(list.data) : err({ body: { items: ['Expected a list of items.'] } })
  }
}

/** The body that sorts a request's TagIDs. */
const unusable = (items: { invalid: string[]; unknown: string[]; valid: string[] }): Refusal => ({
  body: { items },
})

const asText = (item: unknown): string => (typeof item === 'string' ? item : JSON.stringify(item))

export type TransactionKind = 'complete' | 'void' | 'return'

/** A report as received, with its items parsed. */
export interface ReceivedReport {
  kind: TransactionKind
  dispensaryUuid: string
  orderId: string
  items: string[]
  /** ISO 8601, as the client wrote it. */
  performedAt: string
  /** Only whether a customer was named is stored: practice doesn't need to know the customer. */
  hasCustomer: boolean
}

const alreadyProcessed: Refusal = { body: { message: 'This transaction has already been processed.' } }

const Order = z.object({ voided_at: z.string().nullable() })
const OrderItem = z.object({ tag_uuid: z.string(), freed_at: z.string().nullable() })

/** Orders, their items, and the list of accepted reports. Everything here runs inside the caller's transaction. */
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
    order: ({ dispensaryUuid, orderId }: ReceivedReport) => order.get(dispensaryUuid, orderId),
    items: ({ dispensaryUuid, orderId }: ReceivedReport) => items.all(dispensaryUuid, orderId),
    open({ dispensaryUuid, orderId, items: tagIds, performedAt }: ReceivedReport) {
      addOrder(dispensaryUuid, orderId)
      for (const tagId of tagIds) addItem(dispensaryUuid, orderId, tagId, performedAt)
    },
    markVoid: ({ dispensaryUuid, orderId, performedAt }: ReceivedReport) =>
      voidOrder(performedAt, dispensaryUuid, orderId),
    free({ dispensaryUuid, orderId, performedAt }: ReceivedReport, tagIds: readonly string[]) {
      for (const tagId of tagIds) freeItem(performedAt, dispensaryUuid, orderId, tagId)
    },
    /** Stores an accepted report and returns its id. */
    accept(report: ReceivedReport, tagIds: readonly string[]): string {
      const id = randomUUID()
      const { kind, dispensaryUuid, orderId, performedAt, hasCustomer } = report
      const acceptedAt = now().toISOString()
      const tags = JSON.stringify(tagIds)
      addTransaction(id, kind, dispensaryUuid, orderId, tags, performedAt, acceptedAt, hasCustomer ? 1 : 0)
      return id
    },
  }
}
type Book = ReturnType<typeof createBook>

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

/**
 * A report that the service accepted. `items` of a void are those it freed; `customer_id` only says whether there was
 * one.
 */
export type AcceptedTransaction = z.infer<typeof Accepted>

/** The accepted reports in order of acceptance. */
export function listTransactions(store: Store): AcceptedTransaction[] {
  return query(
    store,
    `SELECT t.id, t.kind, t.order_id, t.items, t.performed_at, t.accepted_at, t.dispensary_uuid,
       d.name AS dispensary_name, t.has_customer
     FROM transactions t JOIN dispensaries d ON d.uuid = t.dispensary_uuid ORDER BY t.seq`,
    Accepted,
  ).all()
}

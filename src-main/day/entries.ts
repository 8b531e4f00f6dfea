import { createHash } from 'node:crypto'
import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import { OrderId, TagId } from '../../src-shared/ids'
import { OrderState } from '../../src-shared/ipc/contract/checkout'
import { OperationState } from '../../src-shared/ipc/contract/outbox'
import { type Operation, operationOf } from '../outbox/operation'
import { parseStored } from '../database/settings'
import type { Span } from './history'

/** The items of a report that are of one product. */
export interface ProductCount {
  name: string | null
  brand: string | null
  items: number
}

/** What the closing report reads of a sale, return or void. `at`: ms since 1970, by the service's clock. */
export interface SaleEntry {
  kind: z.infer<typeof SaleKind>
  orderId: string
  at: number
  budtenderId: string | null
  products: ProductCount[]
}

/** What the list reads of a sale, return or void. */
export interface OrderReport {
  seq: number
  orderId: OrderId
  kind: z.infer<typeof SaleKind>
  state: OperationState
  performedAt: string
  budtenderId: string | null
  tagIds: TagId[]
  /** The state of the whole order. */
  orderState: OrderState
}

const SaleKind = z.enum(['complete', 'return', 'void'])
const Products = z.array(
  z
    .tuple([z.string().nullable(), z.string().nullable(), z.number()])
    .transform(([name, brand, items]): ProductCount => ({ name, brand, items })),
)

/** The products of an entry, as the database keeps them; none if they can't be read. */
export const productsOf = (json: string): ProductCount[] => parseStored(Products, json) ?? []

/** Reads each spelling once: on a day, many orders are of the same products. */
class ProductReader {
  readonly #read = new Map<string, ProductCount[]>()

  of(json: string): ProductCount[] {
    const products = this.#read.get(json) ?? productsOf(json)
    this.#read.set(json, products)
    return products
  }
}

const EntryRow = z.tuple([SaleKind, z.string(), z.number(), z.string().nullable(), z.string()])
const OrderRow = z
  .tuple([z.number(), OrderId, SaleKind, OperationState, z.string(), z.string().nullable(), z.string(), OrderState])
  .transform(([seq, orderId, kind, state, performedAt, budtenderId, items, orderState]): OrderReport => {
    const tagIds = parseStored(z.array(TagId), items) ?? []
    return { seq, orderId, kind, state, performedAt, budtenderId, tagIds, orderState }
  })
const NameRow = z.tuple([TagId, z.string().nullable()])
const ProductsRow = z.tuple([z.number(), z.string()])

const ofDay = 'FROM sale_entry JOIN operation USING (seq) WHERE at >= ? AND at < ?'

const statementsOf = (db: Database) => ({
  operations: db.prepare(`SELECT operation.* ${ofDay} ORDER BY seq`),
  accepted: db
    .prepare(`SELECT kind, order_id, at, budtender_id, products ${ofDay} AND state = 'accepted' ORDER BY seq`)
    .raw(),
  products: db.prepare('SELECT seq, products FROM sale_entry WHERE at >= ? AND at < ?').raw(),
  ofOrders: db
    .prepare(
      `SELECT seq, entry.order_id, kind, state, performed_at, budtender_id,
         coalesce(CASE WHEN json_valid(payload) THEN payload -> '$.tagIds' END, '[]'), order_state
       FROM json_each(?) AS wanted CROSS JOIN sale_entry AS entry ON entry.order_id = (
         SELECT order_id FROM sale_entry WHERE seq = wanted.value) JOIN operation USING (seq)
       ORDER BY seq`,
    )
    .raw(),
  marked: db
    .prepare('SELECT seq, state FROM sale_entry JOIN operation USING (seq) WHERE at >= ? AND at < ? ORDER BY seq')
    .raw(),
  dismissed: db.prepare(`SELECT count(*) ${ofDay} AND dismissed_because IS NOT NULL`).pluck(),
  names: db
    .prepare(
      `SELECT id, name FROM memory WHERE kind = 'tag' AND form = 'facts' AND id IN (SELECT value FROM json_each(?))`,
    )
    .raw(),
})

/** The table `sale_entry`, which the database keeps beside the operations. What can't be read of it is left out. */
export class Entries {
  readonly #sql: ReturnType<typeof statementsOf>

  constructor(db: Database) {
    this.#sql = statementsOf(db)
  }

  /** The operations performed in the span, oldest first. */
  operations(span: Span): Operation[] {
    return this.#sql.operations.all(...span).map(operationOf)
  }

  /** Those of them that the service has taken. */
  accepted(span: Span): SaleEntry[] {
    const products = new ProductReader()
    return this.#sql.accepted.all(...span).flatMap((row): SaleEntry[] => {
      const found = EntryRow.safeParse(row)
      if (!found.success) return []
      const [kind, orderId, at, budtenderId, json] = found.data
      return [{ kind, orderId, at, budtenderId, products: products.of(json) }]
    })
  }

  /** Another text with every change of the reports in the span. */
  mark(span: Span): string {
    const hash = createHash('sha256')
    for (const row of this.#sql.marked.iterate(...span)) hash.update(JSON.stringify(row))
    return hash.digest('hex')
  }

  /** How many reports of the span were dismissed with a reason. */
  dismissed(span: Span): number {
    return z.number().parse(this.#sql.dismissed.get(...span))
  }

  /** What the items of each operation in the span are, by `seq`. */
  products(span: Span): Map<number, ProductCount[]> {
    const products = new ProductReader()
    const rows = this.#sql.products.all(...span).map((row) => ProductsRow.parse(row))
    return new Map(rows.map(([seq, json]) => [seq, products.of(json)]))
  }

  /** The sales, returns and voids of some orders, each known by its newest entry; oldest first. */
  ofOrders(newest: number[]): OrderReport[] {
    return this.#sql.ofOrders.all(JSON.stringify(newest)).flatMap((row) => OrderRow.safeParse(row).data ?? [])
  }

  /** The product names of those items that are remembered. */
  names(tagIds: TagId[]): Map<TagId, string | null> {
    const rows = this.#sql.names.all(JSON.stringify(tagIds)).map((row) => NameRow.safeParse(row).data)
    return new Map(rows.filter((row) => row !== undefined))
  }
}

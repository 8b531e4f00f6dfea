import type { Database } from 'better-sqlite3'
import { z } from 'zod'

/** A report by its place among those of a time. */
export interface ReportPlace {
  orderId: string
  at: number
  seq: number
}

/** An item that a report of an order names. */
export interface ReportedItem {
  seq: number
  kind: 'complete' | 'return' | 'void'
  at: number
  tagId: string | null
  name: string | null
  productId: string | null
  /** The other station that reported it; null: this one. */
  station: string | null
}

const ReportRow = z
  .tuple([z.string(), z.number(), z.number()])
  .transform(([orderId, at, seq]): ReportPlace => ({ orderId, at, seq }))
const ItemRow = z
  .tuple([
    z.number(),
    z.enum(['complete', 'return', 'void']),
    z.number(),
    z.string().nullable(),
    z.string().nullable(),
    z.string().nullable(),
  ])
  .transform(([seq, kind, at, tagId, name, productId]): ReportedItem => {
    return { seq, kind, at, tagId, name, productId, station: null }
  })
/** Id and name of a product. */
const ItemProduct = z.tuple([z.string().nullable(), z.string().nullable()]).readonly()
export type ItemProduct = z.infer<typeof ItemProduct>
const KnownProduct = z.tuple([z.string(), z.string().nullable(), z.string().nullable()])
const isReported = `state NOT IN ('cancelled', 'rejected')`

const statementsOf = (db: Database) => ({
  reported: db
    .prepare(
      `SELECT order_id, at, seq FROM sale_entry JOIN operation USING (seq)
       WHERE (at, seq) > (?, ?) AND at < ? AND ${isReported} ORDER BY at, seq LIMIT ?`,
    )
    .raw(),
  items: db
    .prepare(
      `SELECT seq, operation.kind, entry.at, tag.value, item.name,
         CASE WHEN json_valid(item.content) THEN item.content ->> '$.productId' END
       FROM sale_entry AS entry JOIN operation USING (seq)
         LEFT JOIN json_each(CASE WHEN json_valid(payload) THEN payload ELSE '{}' END, '$.tagIds') AS tag
         LEFT JOIN memory AS item ON item.kind = 'tag' AND item.id = tag.value AND item.form = 'facts'
       WHERE entry.order_id = +? AND ${isReported} ORDER BY seq`,
    )
    .raw(),
  itemProduct: db
    .prepare(
      `SELECT CASE WHEN json_valid(content) THEN content ->> '$.productId' END, name
       FROM memory WHERE kind = 'tag' AND id = ? AND form = 'facts'`,
    )
    .raw(),
  isOwn: db.prepare('SELECT 1 FROM operation WHERE id = ?'),
  mappings: db.prepare('SELECT DISTINCT product_id, pos_product_id, sku FROM pos_mapping').raw(),
  productsOfCases: db
    .prepare(
      `SELECT DISTINCT product.value ->> '$.productId', product.value ->> '$.productName', product.value ->> '$.sku'
       FROM (SELECT content FROM memory INDEXED BY memory_case WHERE kind = 'collection' AND form = 'facts'
         ORDER BY asked_at DESC, rowid LIMIT +? OFFSET +?) AS seen,
         json_each(CASE WHEN json_valid(seen.content) THEN seen.content ELSE '{}' END, '$.packagedProducts') AS product`,
    )
    .raw(),
})

/** What this station reported of orders, and what it knows of the products. */
export class ReportedRows {
  readonly #sql: ReturnType<typeof statementsOf>

  constructor(db: Database) {
    this.#sql = statementsOf(db)
  }

  /** Some reports that were neither withdrawn nor refused, after one and before a time, in the order of their times. */
  reported(after: ReportPlace, before: number, most: number): ReportPlace[] {
    return this.#sql.reported.all(after.at, after.seq, before, most).map((row) => ReportRow.parse(row))
  }

  /** What the reports of an order name, oldest first; one row without an item for a report that names none. */
  items(orderId: string): ReportedItem[] {
    return this.#sql.items.all(orderId).flatMap((row) => ItemRow.safeParse(row).data ?? [])
  }

  /** Id and name of the product of an item, as this station remembers it. */
  itemProduct(tagId: string): ItemProduct {
    return ItemProduct.safeParse(this.#sql.itemProduct.get(tagId)).data ?? [null, null]
  }

  /** Whether an operation is in this store. */
  isOwn(operationId: string): boolean {
    return this.#sql.isOwn.get(operationId) !== undefined
  }

  /** Product, POS product id and SKU, as entered with imports. */
  mappings() {
    const rows = z.array(KnownProduct).parse(this.#sql.mappings.all())
    return rows.map(([productId, posProductId, sku]) => ({ productId, posProductId, sku }))
  }

  /** Product, name and SKU of the cases seen last, some at a time. */
  productsOfCases(from: number, most: number) {
    return this.#sql.productsOfCases.all(most, from).flatMap((row) => {
      const [productId, name, sku] = KnownProduct.safeParse(row).data ?? []
      return productId === undefined ? [] : [{ productId, name: name ?? null, sku: sku ?? null }]
    })
  }
}

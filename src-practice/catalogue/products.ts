import { z } from 'zod'
import type { Listed } from '../http/paging'
import { type Store, command, json, query } from '../store/query'
import { ProductRecord } from './product-record'

const Row = z.object({ body: json(ProductRecord) }).transform(({ body }) => body)
const Count = z.object({ n: z.number() })

const ofCompany = 'products p JOIN brands b ON b.uuid = p.brand_uuid WHERE b.company_uuid = ?'

/** The products of companies. A company sees those of its own brands. */
export function createProductTable(store: Store) {
  const find = query(store, `SELECT p.body FROM ${ofCompany} AND p.uuid = ?`, Row)
  const count = query(store, `SELECT count(*) AS n FROM ${ofCompany}`, Count)
  const some = query(store, `SELECT p.body FROM ${ofCompany} ORDER BY p.rowid LIMIT ? OFFSET ?`, Row)
  const insert = command(store, 'INSERT INTO products (uuid, brand_uuid, body) VALUES (?, ?, ?)')
  const update = command(store, 'UPDATE products SET body = ? WHERE uuid = ?')
  const tagged = query(
    store,
    `SELECT EXISTS (SELECT 1 FROM packaged_products p JOIN tag_ids t ON t.packaged_product_uuid = p.uuid
       WHERE p.product_uuid = ?) AS n`,
    Count,
  )

  return {
    find: (uuid: string | undefined, companyUuid: string) =>
      uuid === undefined ? undefined : find.get(companyUuid, uuid),
    /** In the order in which they were created. */
    list: (companyUuid: string): Listed<ProductRecord> => ({
      count: count.get(companyUuid)?.n ?? 0,
      slice: (limit, offset) => some.all(companyUuid, limit, offset),
    }),
    insert: (record: ProductRecord) => {
      insert(record.uuid, record.brand_uuid, JSON.stringify(record))
    },
    save: (record: ProductRecord) => {
      update(JSON.stringify(record), record.uuid)
    },
    hasTagIds: (uuid: string) => tagged.get(uuid)?.n === 1,
  }
}

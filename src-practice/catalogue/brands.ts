import { z } from 'zod'
import { err, ok, type Result } from '../../src-shared/result'
import { BatchData, BrandData, PackagedProductData } from '../data/catalogue'
import { wrongField } from '../http/body'
import type { Caller } from '../http/context'
import type { Listed, Refusal } from '../http/endpoint'
import { command, json, query, type Store } from '../store/query'

const BrandRow = z.object({ body: json(BrandData) }).transform(({ body }) => body)

/** The brands of companies. */
export function createBrandTable(store: Store) {
  const all = query(store, 'SELECT body FROM brands WHERE company_uuid = ? ORDER BY rowid', BrandRow)
  const find = query(store, 'SELECT body FROM brands WHERE uuid = ?', BrandRow)
  return {
    list: (companyUuid: string) => all.all(companyUuid),
    /**
     * The brand for a new resource: the requested one, otherwise the account's default brand. Refused if there is none;
     * `forbidden` if it belongs to another company.
     */
    choose(asked: string | undefined, caller: Caller): Result<BrandData, Refusal | 'forbidden'> {
      const uuid = asked ?? caller.brandUuid
      if (uuid === null)
        return err(wrongField('brand_uuid', 'This field is required: the account has no default brand.'))
      const brand = find.get(uuid)
      if (brand === undefined) return err(wrongField('brand_uuid', 'This brand does not exist.'))
      return brand.company_uuid === caller.companyUuid ? ok(brand) : err('forbidden')
    },
    get: (uuid: string) => find.get(uuid),
  }
}

const KnownCoa = z.object({ uuid: z.string() })

/** The COAs that don't exist or don't belong to a batch of the company. */
export function createCoaCheck(store: Store) {
  const owned = query(
    store,
    `SELECT d.uuid FROM digital_coas d JOIN batches t ON t.uuid = d.batch_uuid JOIN brands b ON b.uuid = t.brand_uuid
     WHERE b.company_uuid = +? AND d.uuid IN (SELECT value FROM json_each(?))`,
    KnownCoa,
  )
  return function unknownCoas(uuids: readonly string[], companyUuid: string): string[] {
    const known = new Set(owned.all(companyUuid, JSON.stringify(uuids)).map(({ uuid }) => uuid))
    return uuids.filter((uuid) => !known.has(uuid))
  }
}

/** As in the data file, but without the packaged products, which have their own table. */
export const BatchRecord = z.object(BatchData.omit({ packaged_products: true }).shape)
export type BatchRecord = z.infer<typeof BatchRecord>

export const PackagedRecord = z.object(PackagedProductData.shape)
export type PackagedRecord = z.infer<typeof PackagedRecord>

const PackagedRow = z.object({ body: json(PackagedRecord) }).transform(({ body }) => body)
const RecordTotal = z.object({ n: z.number() })

/**
 * Records of `table` as JSON. A company sees those of its own brands. Reads take the uuid of the caller's company; a
 * record of another company is not found.
 */
export function createRecordTable<Stored extends { uuid: string; brand_uuid: string }>(
  store: Store,
  table: 'products' | 'batches',
  record: z.ZodType<Stored>,
) {
  const ofCompany = `${table} t JOIN brands b ON b.uuid = t.brand_uuid WHERE b.company_uuid = +?`
  const row = z.object({ body: json(record) }).transform(({ body }) => body)
  const find = query(store, `SELECT t.body FROM ${ofCompany} AND t.uuid = +?`, row)
  const count = query(store, `SELECT count(*) AS n FROM ${ofCompany}`, RecordTotal)
  const some = query(store, `SELECT t.body FROM ${ofCompany} ORDER BY t.rowid LIMIT +? OFFSET +?`, row)
  const insert = command(store, `INSERT INTO ${table} (uuid, brand_uuid, body) VALUES (?, ?, ?)`)
  const update = command(store, `UPDATE ${table} SET body = ? WHERE uuid = ?`)

  return {
    find: (uuid: string | undefined, companyUuid: string) =>
      uuid === undefined ? undefined : find.get(companyUuid, uuid),
    /** In order of creation. */
    list: (companyUuid: string): Listed<Stored> => ({
      count: count.get(companyUuid)?.n ?? 0,
      slice: (limit, offset) => some.all(companyUuid, limit, offset),
    }),
    insert: (one: Stored) => {
      insert(one.uuid, one.brand_uuid, JSON.stringify(one))
    },
    save: (one: Stored) => {
      update(JSON.stringify(one), one.uuid)
    },
  }
}

export const createBatchTable = (store: Store) => createRecordTable(store, 'batches', BatchRecord)

/** The products packaged from a batch. */
export function createPackagedTable(store: Store) {
  const all = query(store, 'SELECT body FROM packaged_products WHERE batch_uuid = ? ORDER BY rowid', PackagedRow)
  const find = query(store, 'SELECT body FROM packaged_products WHERE batch_uuid = ? AND uuid = ?', PackagedRow)
  const insert = command(
    store,
    'INSERT INTO packaged_products (uuid, batch_uuid, product_uuid, body) VALUES (?, ?, ?, ?)',
  )
  const update = command(store, 'UPDATE packaged_products SET product_uuid = ?, body = ? WHERE uuid = ?')
  const remove = command(store, 'DELETE FROM packaged_products WHERE uuid = ?')
  const tagged = query(store, 'SELECT EXISTS (SELECT 1 FROM tag_ids WHERE packaged_product_uuid = ?) AS n', RecordTotal)

  return {
    all: (batchUuid: string) => all.all(batchUuid),
    find: (batchUuid: string, uuid: string | undefined) => (uuid === undefined ? undefined : find.get(batchUuid, uuid)),
    insert: (batchUuid: string, record: PackagedRecord) => {
      insert(record.uuid, batchUuid, record.product_uuid, JSON.stringify(record))
    },
    save: (record: PackagedRecord) => {
      update(record.product_uuid, JSON.stringify(record), record.uuid)
    },
    remove: (uuid: string) => {
      remove(uuid)
    },
    hasTagIds: (uuid: string) => tagged.get(uuid)?.n === 1,
  }
}

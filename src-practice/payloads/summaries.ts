import { z } from 'zod'
import { parseId } from '../../src-shared/ids'
import { CollectionData } from '../data/people'
import type { Parts } from '../http/context'
import { json, query } from '../store/query'

/** The properties of a collection besides its columns. An inventory collection has few of them, so they have defaults. */
const SummaryBody = z.object(
  CollectionData.pick({
    name: true,
    sub_type: true,
    activated_on: true,
    last_audited_on: true,
    is_public: true,
    url_version: true,
    gtin_code: true,
    template: true,
    required_product_uuid: true,
    required_items_per_caseid: true,
    transfer_regulator_uid: true,
    synced_collections: true,
  }).shape,
)

export const CollectionRow = z.object({
  uuid: z.string(),
  identifier: z.string(),
  collection_type: z.string(),
  company_uuid: z.string(),
  company_name: z.string(),
  added_on: z.string(),
  removed_on: z.string().nullable(),
  tag_ids_count: z.number(),
  body: json(SummaryBody),
})
export type CollectionRow = z.infer<typeof CollectionRow>

/** `SELECT <columns>` of a collection `c`, for `CollectionRow`. */
export const collectionColumns = `c.uuid, c.identifier, c.collection_type, c.company_uuid, k.name AS company_name,
  c.added_on, c.removed_on, c.body, c.tag_ids_count`

export const collectionTables = 'collections c JOIN companies k ON k.uuid = c.company_uuid'

/**
 * Only the company that an inventory collection belongs to sees it, because it shows purchases. Binds the company's
 * uuid.
 */
export const visibleTo = "(c.collection_type <> 'inventory' OR c.company_uuid = +?)"

/** The address printed on a case; other collections have a similar one. */
export function collectionUrl(tagUrl: string, { collection_type, identifier }: CollectionRow): string {
  return `${tagUrl}/${collection_type === 'case' ? 'case' : 'collection'}/${encodeURIComponent(identifier)}`
}

/** A collection as an entry of `cases`, `regulator_ids` and `inventory_collections`. */
export const collectionEntry = (row: CollectionRow) => ({
  uuid: row.uuid,
  identifier: row.identifier,
  name: row.body.name,
  collection_type: row.collection_type,
  added_on: row.added_on,
  sub_type: row.body.sub_type,
  tag_ids_count: row.tag_ids_count,
})

/** A collection that holds an item, in the answers to add-items and add-case. Spec: Collection, "collections". */
export const heldIn = (row: CollectionRow) => ({
  uuid: row.uuid,
  uuid_legacy: null,
  identifier: row.identifier,
  collection_type: row.collection_type,
  company_uuid: row.company_uuid,
  added_on: row.added_on,
  name: row.body.name,
  is_public: row.body.is_public,
  removed_on: row.removed_on,
  url_version: row.body.url_version,
  gtin_code: row.body.gtin_code,
  activated_on: row.body.activated_on ?? row.added_on,
  sub_type: row.body.sub_type,
  tag_ids_count: row.tag_ids_count,
  company_name: row.company_name,
})

/**
 * Finds collections that a company may see, by uuid (either form) or by identifier. An identifier need not be unique (a
 * regulator package and our inventory of it share one): active collections come first, then the printed kinds, then the
 * newest.
 */
export function createFinder({ store }: Parts) {
  const from = `SELECT ${collectionColumns} FROM ${collectionTables}`
  const printedFirst = `CASE c.collection_type
    WHEN 'case' THEN 0 WHEN 'regulator' THEN 1 WHEN 'inventory' THEN 3 ELSE 2 END`
  const newestFirst = 'julianday(c.added_on) DESC, c.rowid DESC LIMIT 1'
  const byUuid = query(store, `${from} WHERE c.uuid = +? AND ${visibleTo}`, CollectionRow)
  const byIdentifier = query(
    store,
    `${from} WHERE c.identifier = +? AND ${visibleTo}
     ORDER BY c.removed_on IS NOT NULL, ${printedFirst}, ${newestFirst}`,
    CollectionRow,
  )
  const typedByIdentifier = query(
    store,
    `${from} WHERE c.identifier = +? AND c.collection_type = +? ORDER BY c.removed_on IS NOT NULL, ${newestFirst}`,
    CollectionRow,
  )
  const changeable = query(
    store,
    `${from} WHERE c.identifier = +? AND ${visibleTo}
     ORDER BY c.company_uuid <> ?, (c.removed_on IS NOT NULL) <> ?, ${printedFirst}, ${newestFirst}`,
    CollectionRow,
  )
  const withUuid = (id: string, companyUuid: string) => byUuid.get(parseId(id) ?? '', companyUuid)

  return {
    any: (id: string, companyUuid: string) => withUuid(id, companyUuid) ?? byIdentifier.get(id, companyUuid),
    /** A case or a regulator collection, which every company sees. */
    ofType(type: 'case' | 'regulator', id: string, companyUuid: string): CollectionRow | undefined {
      const found = withUuid(id, companyUuid)
      return found?.collection_type === type ? found : typedByIdentifier.get(id, type)
    },
    /**
     * The collection that a change is for: among several with one identifier, the company's own and one not changed yet
     * come first.
     */
    toChange: (id: string, companyUuid: string, now: 'active' | 'removed') =>
      withUuid(id, companyUuid) ?? changeable.get(id, companyUuid, companyUuid, now === 'removed' ? 1 : 0),
  }
}

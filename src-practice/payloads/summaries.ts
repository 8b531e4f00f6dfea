import { z } from 'zod'
import { CollectionData } from '../data/people'
import { json } from '../store/query'

/** What a collection carries besides its columns. An inventory collection has little of it: hence the defaults. */
const Body = z.object(
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
  body: json(Body),
})
export type CollectionRow = z.infer<typeof CollectionRow>

/** `SELECT <columns>` of a collection `c`, for `CollectionRow`. */
export const collectionColumns = `c.uuid, c.identifier, c.collection_type, c.company_uuid, k.name AS company_name,
  c.added_on, c.removed_on, c.body,
  (SELECT count(*) FROM memberships n WHERE n.collection_uuid = c.uuid AND n.removed_on IS NULL) AS tag_ids_count`

export const collectionTables = 'collections c JOIN companies k ON k.uuid = c.company_uuid'

/** An inventory collection says what a company has bought: only that company sees it. Binds the company's uuid. */
export const visibleTo = "(c.collection_type <> 'inventory' OR c.company_uuid = ?)"

/** The address printed on a case; other collections have one of the same kind. */
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

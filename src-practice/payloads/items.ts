import { z } from 'zod'
import { parseId } from '../../src-shared/ids'
import type { Parts } from '../http/context'
import { query } from '../store/query'
import { createBatches } from './batches'
import { entryV15 } from './collections-v15'
import type { LongForm } from './products'
import {
  collectionColumns,
  collectionEntry,
  CollectionRow,
  collectionTables,
  collectionUrl,
  visibleTo,
} from './summaries'

const CollectionOfItemRow = z.object({ ...CollectionRow.shape, left_on: z.string().nullable() })

/** A collection of an item, and when the item left it, either removed by itself or with the collection. */
type ItemCollectionRow = z.infer<typeof CollectionOfItemRow>

/** The collections of a TagID that a company may see, earliest first: those that hold it and those that it left. */
export function createItemCollections({ store }: Parts) {
  const rows = query(
    store,
    `SELECT ${collectionColumns}, coalesce(m.removed_on, c.removed_on) AS left_on
     FROM ${collectionTables} JOIN memberships m ON m.collection_uuid = c.uuid
     WHERE m.tag_uuid = +? AND ${visibleTo} ORDER BY julianday(c.added_on), c.rowid`,
    CollectionOfItemRow,
  )
  return (tagUuid: string, companyUuid: string) => {
    const found = rows.all(tagUuid, companyUuid)
    return {
      holding: found.filter(({ left_on }) => left_on === null),
      left: found.filter(({ left_on }) => left_on !== null),
    }
  }
}

/** Spec: TagID (item) > v1.2. */
export const itemCollection = (row: ItemCollectionRow, tagUrl: string) => ({
  ...collectionEntry(row),
  uuid_legacy: null,
  is_public: row.body.is_public,
  removed_on: row.left_on,
  activated_on: row.body.activated_on ?? row.added_on,
  company_name: row.company_name,
  collection_url: collectionUrl(tagUrl, row),
})

/** Spec: TagID (item) > v1.5. */
export const itemCollectionV15 = (row: ItemCollectionRow, ids: LongForm) => ({
  ...entryV15(row, ids),
  is_public: row.body.is_public,
  removed_on: row.left_on,
})

const Item = z.object({
  uuid: z.string(),
  created: z.string(),
  paired_on: z.string().nullable(),
  claimed_on: z.string().nullable(),
  claimed_by_user_uuid: z.string().nullable(),
  counterfeit_on: z.string().nullable(),
  packaged_product_uuid: z.string().nullable(),
  product_uuid: z.string().nullable(),
  batch_uuid: z.string().nullable(),
  brand_uuid: z.string().nullable(),
  dispensary_uuid: z.string().nullable(),
  dispensary_company_uuid: z.string().nullable(),
})
type Item = z.infer<typeof Item>

/** A TagID with its related data. Spec: TagID (item). */
export function createItems(parts: Parts) {
  const item = query(
    parts.store,
    `SELECT t.*, b.brand_uuid, p.product_uuid, p.batch_uuid, i.dispensary_uuid, d.company_uuid AS dispensary_company_uuid
     FROM tag_ids t
       LEFT JOIN packaged_products p ON p.uuid = t.packaged_product_uuid LEFT JOIN batches b ON b.uuid = p.batch_uuid
       LEFT JOIN import_items ii ON ii.tag_uuid = t.uuid LEFT JOIN imports i ON i.id = ii.import_id
       LEFT JOIN dispensaries d ON d.uuid = i.dispensary_uuid
     WHERE t.uuid = +?`,
    Item,
  )
  const { packagedProducts, batches } = createBatches(parts)

  return {
    /** By either form of its id. */
    find(id: string): Item | undefined {
      const uuid = parseId(id)
      return uuid === undefined ? undefined : item.get(uuid)
    },
    /** The COAs of its packaged product, then those of its batch. */
    coas({ packaged_product_uuid, batch_uuid }: Item): string[] {
      const packaged = packaged_product_uuid === null ? [] : packagedProducts([packaged_product_uuid])
      const batch = batch_uuid === null ? [] : batches([batch_uuid])
      return [...new Set([...packaged, ...batch].flatMap((one) => one.digital_coa_uuids))]
    },
  }
}

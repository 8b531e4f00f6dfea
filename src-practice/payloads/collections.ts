import type { Parts } from '../http/context'
import { query } from '../store/query'
import { createBatches } from './batches'
import { type Member, createMembers, distinct } from './members'
import { CollectionRow, collectionColumns, collectionEntry, collectionTables, collectionUrl } from './summaries'

/** A collection with everything that its payloads are made of. */
export interface Contents {
  row: CollectionRow
  /** Present members. */
  items: Member[]
  removedItems: Member[]
}

/** Reads collections and builds the fields that every v1.2 collection carries. Spec: Collection. */
export function createCollections(parts: Parts) {
  const { store, settings } = parts
  const members = createMembers(parts)
  const { packagedProducts, batches } = createBatches(parts)
  const inventories = query(
    store,
    `SELECT ${collectionColumns} FROM ${collectionTables}
     WHERE c.collection_type = 'inventory' AND c.company_uuid = ? AND c.uuid IN (
       SELECT m.collection_uuid FROM memberships m JOIN memberships own ON own.tag_uuid = m.tag_uuid
       WHERE m.removed_on IS NULL AND own.removed_on IS NULL AND own.collection_uuid = ?)
     ORDER BY c.added_on, c.rowid`,
    CollectionRow,
  )

  function contents(row: CollectionRow): Contents {
    const all = members(row.uuid)
    return {
      row,
      items: all.filter((member) => member.removed_on === null),
      removedItems: all.filter((member) => member.removed_on !== null),
    }
  }

  function fields({ row, items }: Contents, companyUuid: string) {
    const packaged = packagedProducts(distinct(items, 'packaged_product_uuid'))
    const batchUuids = distinct(items, 'batch_uuid')
    const coas = [...packaged, ...batches(batchUuids)].flatMap((one) => one.digital_coa_uuids)
    const { name: _name, sub_type: _subType, ...body } = row.body
    return {
      ...collectionEntry(row),
      ...body,
      uuid_legacy: null,
      is_removed: row.removed_on !== null,
      removed_on: row.removed_on,
      company_uuid: row.company_uuid,
      company_name: row.company_name,
      activated_on: row.body.activated_on ?? row.added_on,
      imported_to_inventory_on: latest(items.map((item) => item.imported_on)),
      data: {
        batch_uuids: batchUuids,
        brand_uuids: distinct(items, 'brand_uuid'),
        product_uuids: distinct(items, 'product_uuid'),
        packaged_product_uuids: packaged.map(({ uuid }) => uuid),
        members_count: items.length,
      },
      required_product_uuid: row.body.required_product_uuid ?? '',
      collection_url: collectionUrl(settings.tagUrl, row),
      packaged_products: packaged,
      digital_coa_uuids: [...new Set(coas)],
      inventory_collections: inventories.all(companyUuid, row.uuid).map(collectionEntry),
      regulator_licenses: [],
    }
  }

  return { contents, fields }
}

/** The latest of some moments, compared as moments: their offsets may differ. */
export function latest(moments: readonly (string | null)[]): string | null {
  let found: string | null = null
  for (const moment of moments) {
    if (moment !== null && (found === null || Date.parse(moment) > Date.parse(found))) found = moment
  }
  return found
}

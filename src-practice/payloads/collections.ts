import type { Holders } from '../collections/holders'
import type { Parts } from '../http/context'
import { createBatches } from './batches'
import { type Member, createMembers, distinct } from './members'
import { type CollectionRow, collectionEntry, collectionUrl } from './summaries'

/** A collection with everything that its payloads are made of. */
export interface Contents {
  row: CollectionRow
  /** Present members; a removed collection has none. */
  items: Member[]
  removedItems: Member[]
}

/** Reads collections and builds the fields that every v1.2 collection carries. Spec: Collection. */
export function createCollections(parts: Parts) {
  const { settings } = parts
  const members = createMembers(parts)
  const { packagedProducts, batches } = createBatches(parts)

  function contents(row: CollectionRow): Contents {
    const { removed_on, company_uuid, company_name } = row
    const all = members(row.uuid)
    const left = all.filter((member) => member.removed_on !== null)
    const held = all.filter((member) => member.removed_on === null)
    if (removed_on === null) return { row, items: held, removedItems: left }
    // Removing a collection takes it off all its TagIDs, and only its owner can have done that.
    const by = { removed_on, removed_by_company_uuid: company_uuid, removed_by_company_name: company_name }
    return { row, items: [], removedItems: [...left, ...held.map((member) => ({ ...member, ...by }))] }
  }

  function fields({ row, items }: Contents, holders: Holders) {
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
      inventory_collections: holders.ofType('inventory').map(collectionEntry),
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

import { createHolders, type Holders } from '../collections'
import type { Parts } from '../http/context'
import { createBatches } from './batches'
import { createProducts } from './products'
import { type MemberRow, createMembers, distinct, memberPayload } from './members'
import { collectionEntry, type CollectionRow, collectionUrl, heldIn } from './summaries'

/** A collection with everything that its payloads need. */
export interface Contents {
  row: CollectionRow
  /** Present members; a removed collection has none. */
  items: MemberRow[]
  removedItems: MemberRow[]
}

/** Reads collections and builds the fields that every v1.2 collection has. Spec: Collection. */
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
    // Removing a collection removes it from all its TagIDs, and only its owner can have done that.
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

/** The latest of some times, compared as moments, because their offsets may differ. */
export function latest(moments: readonly (string | null)[]): string | null {
  let found: string | null = null
  for (const moment of moments) {
    if (moment !== null && (found === null || Date.parse(moment) > Date.parse(found))) found = moment
  }
  return found
}

const tagIds = (members: readonly MemberRow[]) => members.map(({ tag_id }) => tag_id)

/** A collection with its items as `/api/v1.2` shows it, to one company. Spec: Collection. */
export function createCollectionDetail(parts: Parts) {
  const { tagUrl } = parts.settings
  const { contents, fields } = createCollections(parts)
  const holdersOf = createHolders(parts)

  function read(row: CollectionRow, companyUuid: string) {
    const found = contents(row)
    const holders = holdersOf(tagIds(found.items), companyUuid)
    const item = (member: MemberRow) => memberPayload(member, row, companyUuid, tagUrl)
    return { ...found, holders, item, common: fields(found, holders) }
  }

  return {
    collection(row: CollectionRow, companyUuid: string) {
      const { common, items, removedItems, item } = read(row, companyUuid)
      return { ...common, items: items.map(item), removed_items: removedItems.map(item) }
    },

    /** The answer to add-items and add-case: each item also names the collections that hold it. */
    changed(row: CollectionRow, companyUuid: string) {
      const { common, items, removedItems, holders, item } = read(row, companyUuid)
      const named = (of: Holders) => (member: MemberRow) => ({
        ...item(member),
        collections: of.of(member.tag_id).map(heldIn),
      })
      const elsewhere = holdersOf(tagIds(removedItems), companyUuid)
      return { ...common, items: items.map(named(holders)), removed_items: removedItems.map(named(elsewhere)) }
    },
  }
}

const idsOf = (rows: readonly CollectionRow[]) => rows.map(({ uuid }) => uuid)

/** A CaseID with everything that its items refer to, as `/api/v1.2` shows it. Spec: Collection > CaseID detail. */
export function createCaseDetail(parts: Parts) {
  const { contents, fields } = createCollections(parts)
  const holdersOf = createHolders(parts)
  const { products, brands } = createProducts(parts)
  const { batches, coas } = createBatches(parts)

  return function caseDetail(row: CollectionRow, companyUuid: string) {
    const found = contents(row)
    const holders = holdersOf(
      found.items.map(({ tag_id }) => tag_id),
      companyUuid,
    )
    const common = fields(found, holders)
    const certificates = coas(common.digital_coa_uuids)
    return {
      ...common,
      brands: brands(common.data.brand_uuids),
      products: products(distinct(found.items, 'product_uuid')),
      batches: batches(common.data.batch_uuids),
      digital_coas: certificates,
      testing_laboratories: [...new Map(certificates.map(({ testing_laboratory: one }) => [one.uuid, one])).values()],
      cases: holders.ofType('case').map(collectionEntry),
      regulator_ids: holders.ofType('regulator').map(collectionEntry),
      items: found.items.map((member) => caseItem(member, holders)),
      removed_items: found.removedItems.map((member) => memberPayload(member, row, companyUuid, parts.settings.tagUrl)),
    }
  }
}

const caseItem = ({ tag_id, brand_uuid, product_uuid, batch_uuid }: MemberRow, holders: Holders) => ({
  tag_id,
  brand_uuid,
  product_uuid,
  batch_uuid,
  regulator_id_uuids: idsOf(holders.of(tag_id, 'regulator')),
  cases_uuids: idsOf(holders.of(tag_id, 'case')),
  inventory_collection_uuids: idsOf(holders.of(tag_id, 'inventory')),
})

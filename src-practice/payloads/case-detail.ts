import { type Holders, createHolders } from '../collections/holders'
import type { Parts } from '../http/context'
import { createBatches } from './batches'
import { createCollections } from './collections'
import { type Member, distinct, memberPayload } from './members'
import { createProducts } from './products'
import { type CollectionRow, collectionEntry } from './summaries'

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

const caseItem = ({ tag_id, brand_uuid, product_uuid, batch_uuid }: Member, holders: Holders) => ({
  tag_id,
  brand_uuid,
  product_uuid,
  batch_uuid,
  regulator_id_uuids: idsOf(holders.of(tag_id, 'regulator')),
  cases_uuids: idsOf(holders.of(tag_id, 'case')),
  inventory_collection_uuids: idsOf(holders.of(tag_id, 'inventory')),
})

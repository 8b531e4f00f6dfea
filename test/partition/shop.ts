import { TagId } from '../../src-shared/ids'
import { DataFile } from '../../src-practice/data-file'
import { id } from '../../scripts/practice-data/ids'

/** A shop with the items that a drill sells, in cases of 25, all in our inventory. */

const moment = '2026-09-01T12:00:00Z'
const made = (kind: string, name: string | number) => id(`partition ${kind}`, String(name))
const company = made('company', 1)
const brand = made('brand', 1)
const packaged = made('packaged', 1)
const perCase = 25

export const account = { clientId: 'partition', clientSecret: 'partition-secret' }
export const dispensary = { uuid: made('dispensary', 1), name: 'Partition' }

export interface Shop {
  data: DataFile
  tagIds: TagId[]
  caseIds: string[]
}

export function shopOf(itemCount: number): Shop {
  const tagIds = Array.from({ length: itemCount }, (_, n) => TagId.parse(made('tag', n)))
  const caseIds = Array.from({ length: Math.ceil(itemCount / perCase) }, (_, n) => made('case', n))
  const data = DataFile.parse({
    format: 'countertag-practice-data',
    version: 1,
    tag_url: 'https://tag.example',
    companies: [{ uuid: company, name: 'Partition' }],
    dispensaries: [{ ...dispensary, state: 'NJ', company_uuid: company }],
    accounts: [
      {
        client_id: account.clientId,
        client_secret: account.clientSecret,
        product: 'retail',
        company_uuid: company,
        brand_uuid: brand,
        dispensary_uuid: dispensary.uuid,
      },
    ],
    brands: [{ uuid: brand, name: 'Partition', company_uuid: company, updated_on: moment }],
    products: [
      {
        uuid: made('product', 1),
        brand_uuid: brand,
        sku: 'P-1',
        name: 'Product',
        product_type: 'FLOWER',
        package_size: { name: 'Net weight', value: '3.5', unit: 'gram' },
        updated_on: moment,
      },
    ],
    batches: [
      {
        uuid: made('batch', 1),
        name: 'B-1',
        brand_uuid: brand,
        updated_on: moment,
        packaged_products: [{ uuid: packaged, product_uuid: made('product', 1) }],
      },
    ],
    tag_ids: tagIds.map((uuid) => ({ uuid, created: moment, packaged_product_uuid: packaged })),
    collections: caseIds.map((uuid, n) => ({
      uuid,
      identifier: `CASE-${n}`,
      collection_type: 'case',
      company_uuid: company,
      added_on: moment,
      members: tagIds.slice(n * perCase, (n + 1) * perCase),
    })),
    imports: caseIds.map((case_uuid, n) => ({
      case_uuid,
      packaged_product_uuid: packaged,
      dispensary_uuid: dispensary.uuid,
      package_uid: `PKG-${n}`,
      pos_product_id: 'POS-1',
      pos_inventory_id: `INV-${n}`,
      imported_on: moment,
    })),
  })
  return { data, tagIds, caseIds }
}

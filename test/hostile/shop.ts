import { CaseId, PackageUid, ShortUuid, TagId } from '../../src-shared/ids'
import { DataFile } from '../../src-practice/data-file'
import { id, packageTag } from '../../scripts/practice-data/ids'

/**
 * A shop with what one station's rows need: for each row a case to sell from, one for the other sales, and one to
 * import.
 */

const moment = '2026-09-01T12:00:00Z'
const made = (kind: string, name: string | number) => id(`hostile ${kind}`, String(name))
const company = made('company', 1)
const brand = made('brand', 1)

export const account = { clientId: 'hostile-kit', clientSecret: 'hostile-secret-7d1f4c9ab2e6' }
export const dispensary = { uuid: made('dispensary', 1), name: 'Hostile' }

/** One row's data. */
export interface Lot {
  /** The item that is sold, voided or returned, and an item of another case for the other sale. */
  tagId: TagId
  otherTagId: TagId
  /** More items to sell, from the same case as that other item. */
  crowd: TagId[]
  caseId: CaseId
  delivery: { caseId: CaseId; packagedProductId: ShortUuid; packageUid: PackageUid }
  /** The package that contains `tagId`. */
  packageUid: string
}

export interface Shop {
  data: DataFile
  lots: readonly Lot[]
}

export function shopOf(rows: number): Shop {
  const numbers = Array.from({ length: rows }, (_, n) => n)
  const packaged = ShortUuid.parse(made('packaged', 1))
  const box = (kind: 'shelf' | 'besides' | 'delivery', n: number) => ({
    uuid: CaseId.parse(made(`${kind} case`, n)),
    identifier: `${kind.toUpperCase()}-${n}`,
    tagIds: Array.from({ length: kind === 'besides' ? 10 : 2 }, (_, item) =>
      TagId.parse(made(`${kind} tag`, `${n} ${item}`)),
    ),
    packageUid: packageTag(7_000 + n * 3 + ['shelf', 'besides', 'delivery'].indexOf(kind)),
  })
  const shelf = numbers.map((n) => box('shelf', n))
  const besides = numbers.map((n) => box('besides', n))
  const deliveries = numbers.map((n) => box('delivery', n))
  const all = [...shelf, ...besides, ...deliveries]
  const data = DataFile.parse({
    format: 'countertag-practice-data',
    version: 1,
    tag_url: 'https://tag.example',
    companies: [{ uuid: company, name: 'Hostile' }],
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
    brands: [{ uuid: brand, name: 'Hostile', company_uuid: company, updated_on: moment }],
    products: [
      {
        uuid: made('product', 1),
        brand_uuid: brand,
        sku: 'H-1',
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
    tag_ids: all
      .flatMap(({ tagIds }) => tagIds)
      .map((uuid) => ({ uuid, created: moment, packaged_product_uuid: packaged })),
    collections: all.map(({ uuid, identifier, tagIds }) => ({
      uuid,
      identifier,
      collection_type: 'case',
      company_uuid: company,
      added_on: moment,
      members: tagIds,
    })),
    imports: [...shelf, ...besides].map(({ uuid, packageUid }) => ({
      case_uuid: uuid,
      packaged_product_uuid: packaged,
      dispensary_uuid: dispensary.uuid,
      package_uid: packageUid,
      pos_product_id: 'POS-1',
      pos_inventory_id: `INV-${packageUid}`,
      imported_on: moment,
    })),
  })
  const lots = numbers.map((n): Lot => {
    const [tagId] = shelf[n]?.tagIds ?? []
    const [otherTagId, ...crowd] = besides[n]?.tagIds ?? []
    const delivery = deliveries[n]
    const here = shelf[n]
    if (!tagId || !otherTagId || !delivery || !here) throw new Error('a shop without its cases')
    return {
      tagId,
      otherTagId,
      crowd,
      caseId: here.uuid,
      packageUid: here.packageUid,
      delivery: {
        caseId: delivery.uuid,
        packagedProductId: packaged,
        packageUid: PackageUid.parse(delivery.packageUid),
      },
    }
  })
  return { data, lots }
}

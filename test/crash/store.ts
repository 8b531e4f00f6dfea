import { CaseId, PackageUid, ShortUuid, TagId } from '../../src-shared/ids'
import { DataFile } from '../../src-practice/data-file'
import { id, packageTag } from '../../scripts/practice-data/ids'

/** The shop of the crash suite: small, so that a run is quick, and with a case for every reason to refuse. */

const moment = '2026-09-01T12:00:00Z'
const made = (kind: string, name: string | number) => id(`crash ${kind}`, String(name))

/** One packaged product of a case: what an import takes in. */
export interface Lot {
  caseId: CaseId
  packagedProductId: ShortUuid
  productName: string
  packageUid: PackageUid
  tagIds: TagId[]
  /**
   * `shelf` is in our inventory from the start; `delivery` waits to be imported; `closed` is never imported, so its items
   * can't be sold; `strange` is another dispensary's.
   */
  place: 'shelf' | 'delivery' | 'closed' | 'strange'
}

const lot = (place: Lot['place'], box: number, product: number, tagCount: number): Lot => ({
  place,
  caseId: CaseId.parse(made('case', `${place} ${box}`)),
  packagedProductId: ShortUuid.parse(made('packaged', product)),
  productName: productName(product),
  packageUid: PackageUid.parse(
    packageTag(9_000 + ['shelf', 'delivery', 'closed', 'strange'].indexOf(place) * 100 + box),
  ),
  tagIds: Array.from({ length: tagCount }, (_, n) => TagId.parse(made('tag', `${place} ${box} ${product} ${n}`))),
})
const productName = (product: number) => `Product ${product}`

export const lots: readonly Lot[] = [
  ...[0, 1, 2].map((box) => lot('shelf', box, box, 8)),
  ...[0, 1, 2].map((box) => lot('delivery', box, 3 + box, 4)),
  // A case of two products: two imports that share a key.
  lot('delivery', 3, 6, 3),
  lot('delivery', 3, 7, 3),
  lot('closed', 0, 8, 3),
  lot('strange', 0, 9, 2),
]
export const lotsOf = (place: Lot['place']) => lots.filter((one) => one.place === place)
export const lotOfTag = (tagId: string) => lots.find((one) => one.tagIds.some((each) => each === tagId))

export const account = { clientId: 'crash', clientSecret: 'crash-secret' }
export const dispensary = { uuid: made('dispensary', 'ours'), name: 'Crash' }
const stranger = { uuid: made('dispensary', 'strange'), name: 'Stranger' }
const company = made('company', 'ours')
const strangeCompany = made('company', 'strange')
const brand = made('brand', 1)
const productNumbers = [...new Set(lots.map((one) => Number(one.productName.split(' ').at(-1))))]

const cases = [...new Set(lots.map((one) => one.caseId))]
const tagsIn = (key: 'caseId' | 'packageUid', value: string) =>
  lots.filter((one) => one[key] === value).flatMap((one) => one.tagIds)
const collection = (uuid: string, collection_type: string, identifier: string, members: string[]) => ({
  uuid,
  identifier,
  collection_type,
  company_uuid: company,
  added_on: moment,
  members,
})

/** What the practice service starts with. */
export const storeData = (): DataFile =>
  DataFile.parse({
    format: 'countertag-practice-data',
    version: 1,
    tag_url: 'https://tag.example',
    companies: [
      { uuid: company, name: 'Crash' },
      { uuid: strangeCompany, name: 'Stranger' },
    ],
    dispensaries: [
      { ...dispensary, state: 'NJ', company_uuid: company },
      { ...stranger, state: 'NJ', company_uuid: strangeCompany },
    ],
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
    brands: [{ uuid: brand, name: 'Crash', company_uuid: company, updated_on: moment }],
    products: productNumbers.map((n) => ({
      uuid: made('product', n),
      brand_uuid: brand,
      sku: `C-${n}`,
      name: productName(n),
      product_type: 'FLOWER',
      package_size: { name: 'Net weight', value: '3.5', unit: 'gram' },
      updated_on: moment,
    })),
    batches: productNumbers.map((n) => ({
      uuid: made('batch', n),
      name: `B-${n}`,
      brand_uuid: brand,
      updated_on: moment,
      packaged_products: [{ uuid: made('packaged', n), product_uuid: made('product', n) }],
    })),
    tag_ids: lots.flatMap((one) =>
      one.tagIds.map((uuid) => ({ uuid, created: moment, packaged_product_uuid: one.packagedProductId })),
    ),
    collections: [
      ...cases.map((caseId) => collection(caseId, 'case', caseId, tagsIn('caseId', caseId))),
      ...[...new Set(lots.map((one) => one.packageUid))].map((uid) =>
        collection(made('regulator', uid), 'regulator', uid, tagsIn('packageUid', uid)),
      ),
    ],
    imports: [...lotsOf('shelf'), ...lotsOf('strange')].map((one) => ({
      case_uuid: one.caseId,
      packaged_product_uuid: one.packagedProductId,
      dispensary_uuid: one.place === 'shelf' ? dispensary.uuid : stranger.uuid,
      package_uid: one.packageUid,
      pos_product_id: 'POS-0',
      pos_inventory_id: `INV-${one.productName}`,
      imported_on: moment,
    })),
  })

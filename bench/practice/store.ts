import { DataFile } from '../../src-practice/data-file'
import { openStore } from '../../src-practice/store/open'
import { id } from '../../scripts/practice-data/ids'

/** A large store: 100,000 TagIDs, of which 30,000 are imported and can be sold. */

const moment = '2026-09-01T12:00:00Z'
const bench = (kind: string, name: string | number) => id(`bench ${kind}`, String(name))
const company = bench('company', 1)
const brand = bench('brand', 1)
const dispensary = bench('dispensary', 1)
const packaged = bench('packaged', 1)

export const account = { client_id: 'bench', client_secret: 'bench-secret' }
export const packageUid = 'BENCH-PACKAGE'
export const tagCount = 100_000

const tag = (n: number) => bench('tag', n)
const cases = [
  ...Array.from({ length: 88 }, (_, n) => ({ name: `large ${n}`, from: n * 1_000, count: 1_000, isImported: n < 30 })),
  ...Array.from({ length: 500 }, (_, n) => ({
    name: `small ${n}`,
    from: 88_000 + n * 24,
    count: 24,
    isImported: false,
  })),
]
const tagsOf = ({ from, count }: { from: number; count: number }) =>
  Array.from({ length: count }, (_, n) => tag(from + n))

export const smallCase = bench('case', 'small 0')
export const largeCase = bench('case', 'large 40')
/** TagIDs in our inventory, each good for one sale. */
export const sellable = cases.filter(({ isImported }) => isImported).flatMap(tagsOf)
export const anyTag = (n: number) => tag(n % tagCount)

const products = Array.from({ length: 60 }, (_, n) => ({
  uuid: bench('product', n),
  brand_uuid: brand,
  sku: `B-${n}`,
  name: `Product ${n}`,
  product_type: 'FLOWER',
  package_size: { name: 'Net weight', value: '3.5', unit: 'gram' },
  updated_on: moment,
}))
const collection = (uuid: string, collection_type: string, identifier: string, members: string[]) => ({
  uuid,
  identifier,
  collection_type,
  company_uuid: company,
  added_on: moment,
  members,
})

/** Fills a database file; the data is loaded like any other data file. */
export function fillStore(file: string): void {
  const inPackage = cases.filter(({ name }) => /^small \d$/.test(name)).flatMap(tagsOf)
  const data = DataFile.parse({
    format: 'countertag-practice-data',
    version: 1,
    tag_url: 'https://tag.example',
    companies: [{ uuid: company, name: 'Bench' }],
    dispensaries: [{ uuid: dispensary, name: 'Bench', state: 'NJ', company_uuid: company }],
    accounts: [
      { ...account, product: 'retail', company_uuid: company, brand_uuid: brand, dispensary_uuid: dispensary },
    ],
    brands: [{ uuid: brand, name: 'Bench', company_uuid: company, updated_on: moment }],
    products,
    batches: [
      {
        uuid: bench('batch', 1),
        name: 'B',
        brand_uuid: brand,
        updated_on: moment,
        packaged_products: [{ uuid: packaged, product_uuid: bench('product', 0) }],
      },
    ],
    tag_ids: Array.from({ length: tagCount }, (_, n) => ({
      uuid: tag(n),
      created: moment,
      packaged_product_uuid: packaged,
    })),
    collections: [
      ...cases.map((one) => collection(bench('case', one.name), 'case', `CASE ${one.name}`, tagsOf(one))),
      collection(bench('regulator', 1), 'regulator', packageUid, inPackage),
    ],
    imports: cases
      .filter(({ isImported }) => isImported)
      .map(({ name }) => ({
        case_uuid: bench('case', name),
        packaged_product_uuid: packaged,
        dispensary_uuid: dispensary,
        package_uid: `PKG ${name}`,
        pos_product_id: 'POS',
        pos_inventory_id: `INV ${name}`,
        imported_on: moment,
      })),
  })
  openStore(file, data).close()
}

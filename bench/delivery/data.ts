import type { DataFile } from '../../src-practice/data-file'
import { openStore } from '../../src-practice/store/open'
import { id, packageTag } from '../../scripts/practice-data/ids'
import { dispensary, only, sample } from '../sample'

/** The practice store on the day of a large delivery: packages of cases, each case with one product. */

export const packageCount = 5
export const casesPerPackage = 100
export const tagsPerCase = 100
export const caseCount = packageCount * casesPerPackage
/** A package with two cases more is received first, so that what the page compiles isn't taken for what it keeps. */
export const firstPackage = packageCount
const casesInAll = caseCount + 2

const ours = only(sample.collections.find((one) => one.dispensary_uuid === dispensary.uuid))
/** "Import all" skips failed or expired certificates, so there are none here. */
const good = new Set(
  sample.digital_coas
    .filter(
      ({ tests_performed, report_expires_on }) =>
        Date.parse(report_expires_on) > Date.now() && !Object.values(tests_performed).includes('fail'),
    )
    .map(({ uuid }) => uuid),
)
const packaged = sample.batches
  .flatMap(({ packaged_products }) => packaged_products)
  .filter(({ digital_coa_uuids }) => digital_coa_uuids.every((uuid) => good.has(uuid)))

const productOf = (caseNumber: number) => only(packaged[caseNumber % packaged.length])
const tag = (n: number) => id('bench tag', String(n))
const tags = Array.from({ length: casesInAll * tagsPerCase }, (_, n) => tag(n))

export const packageCode = (n: number): string => packageTag(700_000 + n)
export const caseName = (n: number): string => `BENCH-CASE-${n}`
/** The label text of the `n`-th case. */
export const caseCode = (n: number): string => `${sample.tag_url}/case/${caseName(n)}`
/** The label text of the `n`-th item; the items of a case have consecutive numbers. */
export const tagCode = (n: number): string => `${sample.tag_url}/${tag(n)}`

/** The POS catalog of each product in each package: a file that a manager loads before the delivery arrives. */
export const catalogue = Array.from({ length: packageCount + 1 }, (_, at) =>
  packaged.map(({ product_uuid }, product) => ({
    line: at * packaged.length + product + 2,
    packageUid: packageCode(at),
    productName: only(sample.products.find(({ uuid }) => uuid === product_uuid)).name,
    posProductId: `POS-${product}`,
    posInventoryId: `INV-${at}-${product}`,
    sku: null,
  })),
).flat()

/** The import request for the `n`-th case. */
export const importBody = (n: number) => ({
  case_uuid: id('bench case', String(n)),
  packaged_product_uuid: productOf(n).uuid,
  package_uid: packageCode(Math.floor(n / casesPerPackage)),
  pos_product_id: `POS-${n % packaged.length}`,
  pos_inventory_id: `INV-${n % packaged.length}`,
})

/** Fills a database file of the practice service. */
export function fillStore(file: string): void {
  const collection = { ...ours, name: '', removed_members: [] }
  const cases = Array.from({ length: casesInAll }, (_, n) => ({
    ...collection,
    uuid: id('bench case', String(n)),
    identifier: caseName(n),
    collection_type: 'case' as const,
    sub_type: '',
    dispensary_uuid: null,
    required_items_per_caseid: tagsPerCase,
    members: tags.slice(n * tagsPerCase, (n + 1) * tagsPerCase),
  }))
  const inPackage = casesPerPackage * tagsPerCase
  const packages = Array.from({ length: packageCount + 1 }, (_, n) => ({
    ...collection,
    uuid: id('bench package', String(n)),
    identifier: packageCode(n),
    members: tags.slice(n * inPackage, (n + 1) * inPackage),
  }))
  const data: DataFile = {
    ...sample,
    tag_ids: [
      ...sample.tag_ids,
      ...tags.map((uuid, n) => ({
        uuid,
        created: '2026-09-01T08:00:00Z',
        packaged_product_uuid: productOf(Math.floor(n / tagsPerCase)).uuid,
        paired_on: null,
        claimed_on: null,
        claimed_by_user_uuid: null,
        counterfeit_on: null,
      })),
    ],
    collections: [...sample.collections, ...cases, ...packages],
  }
  openStore(file, data).close()
}

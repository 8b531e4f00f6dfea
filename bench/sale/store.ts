import type { DataFile } from '../../src-practice/data-file'
import { openStore } from '../../src-practice/store/open'
import { id } from '../../scripts/practice-data/ids'
import { CaseId, ShortUuid, TagId } from '../../src-shared/ids'
import type { TagFacts } from '../../src-shared/service/facts'
import { dispensary, only, sample } from '../sample'

/** The practice store with a full stock room: imported cases of 24, each with one product. */

const perCase = 24
const moment = '2026-09-01T08:00:00Z'

const sampleCase = only(sample.collections.find((one) => one.collection_type === 'case'))
const sampleTag = only(sample.tag_ids[0])
/** Nothing speaks against these: the others have an expired or failed certificate, or are past their use-by date. */
const packaged = sample.batches
  .flatMap(({ packaged_products }) => packaged_products)
  .filter(({ product_uuid }) =>
    sample.products.some(({ uuid, name }) => uuid === product_uuid && /^(Blue Dune|Lemon Ferry|Palisades)/.test(name)),
  )

const caseOf = (n: number) => id('bench sale case', String(Math.floor(n / perCase)))
const packagedOf = (n: number) => only(packaged[Math.floor(n / perCase) % packaged.length])

/** The `n`-th item of the stock room. */
export const itemOf = (n: number): TagId => TagId.parse(id('bench sale item', String(n)))

/** What the station remembers about the item from its receipt. */
export const factsOf = (n: number): TagFacts => ({
  tagId: itemOf(n),
  caseId: CaseId.parse(caseOf(n)),
  productId: ShortUuid.parse(packagedOf(n).product_uuid),
  productName: sample.products.find(({ uuid }) => uuid === packagedOf(n).product_uuid)?.name ?? '',
  brandName: null,
  pictureUrl: null,
  isImported: true,
  soldOn: null,
})

/** Fills a practice service's database file with this many items and their related data. */
export function fillStore(file: string, items: number): void {
  const numbers = Array.from({ length: items }, (_, n) => n)
  const firsts = numbers.filter((n) => n % perCase === 0)
  const data: DataFile = {
    ...sample,
    tag_ids: [
      ...sample.tag_ids,
      ...numbers.map((n) => ({
        ...sampleTag,
        uuid: itemOf(n),
        packaged_product_uuid: packagedOf(n).uuid,
      })),
    ],
    collections: [
      ...sample.collections,
      ...firsts.map((n) => ({
        ...sampleCase,
        uuid: caseOf(n),
        identifier: caseOf(n),
        required_product_uuid: packagedOf(n).product_uuid,
        required_items_per_caseid: perCase,
        members: numbers.slice(n, n + perCase).map(itemOf),
        removed_members: [],
      })),
    ],
    imports: [
      ...sample.imports,
      ...firsts.map((n) => ({
        case_uuid: caseOf(n),
        packaged_product_uuid: packagedOf(n).uuid,
        dispensary_uuid: dispensary.uuid,
        package_uid: `BENCH-${n / perCase}`,
        pos_product_id: `POS-${n / perCase}`,
        pos_inventory_id: `INV-${n / perCase}`,
        sku: '',
        imported_on: moment,
      })),
    ],
  }
  openStore(file, data).close()
}

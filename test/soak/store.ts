import type { DataFile } from '../../src-practice/data-file'
import { openStore } from '../../src-practice/store/open'
import type { CatalogueRow } from '../../src-shared/ipc/contract/receiving'
import { id, packageTag } from '../../scripts/practice-data/ids'
import { dispensary, only, sample } from '../../bench/sample'

/** The soak's shop: a delivery for each day and station, enough for the hours of that day. */

export const stationCount = 2
const casesPerHour = 4
const perCase = 24
const perUncased = 6

interface Case {
  uuid: string
  productName: string
  items: string[]
}

/** The input of an hour's script for a station. */
interface HourGoods {
  cases: Case[]
  /** A case in the shop that is imported only when one of its items is sold. */
  uncased: Case
}

/** A station's day. */
export interface DayGoods {
  /** The package with the cases of all hours. */
  packageUid: string
  hours: HourGoods[]
  /** The POS product names of the package's contents. */
  catalogue: CatalogueRow[]
}

/** "Import all" skips failed or expired certificates, so there are none here. */
const good = new Set(
  sample.digital_coas
    .filter(
      ({ tests_performed, report_expires_on }) =>
        Date.parse(report_expires_on) > Date.parse('2029-01-01') && !Object.values(tests_performed).includes('fail'),
    )
    .map(({ uuid }) => uuid),
)
const packaged = sample.batches
  .flatMap(({ packaged_products }) => packaged_products)
  .filter(({ digital_coa_uuids }) => digital_coa_uuids.every((uuid) => good.has(uuid)))
  // What is past its date isn't sold without a manager.
  .filter(({ use_by: useBy }) => useBy == null || Date.parse(useBy) > Date.parse('2028-01-01'))
const packagedAt = (n: number) => only(packaged[n % packaged.length])
const nameAt = (n: number) => only(sample.products.find(({ uuid }) => uuid === packagedAt(n).product_uuid)).name

export const caseCode = (uuid: string): string => `${sample.tag_url}/case/${uuid}`

export const tagCode = (item: string): string => `${sample.tag_url}/${item}`

const deliveryTag = (day: number, station: number) => packageTag(600_000_000 + day * 10 + station)
const uncasedTag = (day: number, station: number) => packageTag(700_000_000 + day * 10 + station)

function caseOf(name: string, product: number, size: number): Case {
  return {
    uuid: id('soak case', name),
    productName: nameAt(product),
    items: Array.from({ length: size }, (_, n) => id('soak item', `${name} ${n}`)),
  }
}

/** A station's delivery on a day. */
export function goodsOf(day: number, station: number, hours: number): DayGoods {
  const packageUid = deliveryTag(day, station)
  return {
    packageUid,
    hours: Array.from({ length: hours }, (_, hour) => ({
      cases: Array.from({ length: casesPerHour }, (_one, n) =>
        caseOf(`${day} ${station} ${hour} ${n}`, productOf(hour, n), perCase),
      ),
      // A different product each hour: a day's imports are on one screen, and are told apart by name.
      uncased: caseOf(`${day} ${station} ${hour} later`, hour, perUncased),
    })),
    catalogue: packaged.map((_one, product) => ({
      line: product + 2,
      packageUid,
      productName: nameAt(product),
      posProductId: `POS-${product}`,
      posInventoryId: `INV-${day}-${station}-${product}`,
      sku: null,
    })),
  }
}
const productOf = (hour: number, n: number) => hour * casesPerHour + n

const moment = '2026-09-01T08:00:00Z'
const ours = only(sample.collections.find((one) => one.dispensary_uuid === dispensary.uuid))

/** Fills a database file of the practice service with this many days' deliveries. */
export function fillStore(file: string, days: number, hours: number): void {
  const tags: DataFile['tag_ids'] = []
  const collections: DataFile['collections'] = []
  const collection = { ...ours, name: '', removed_members: [] }
  const addCase = ({ uuid, items }: Case, product: number) => {
    tags.push(
      ...items.map((item) => ({
        uuid: item,
        created: moment,
        packaged_product_uuid: packagedAt(product).uuid,
        paired_on: null,
        claimed_on: null,
        claimed_by_user_uuid: null,
        counterfeit_on: null,
      })),
    )
    collections.push({
      ...collection,
      uuid,
      identifier: uuid,
      collection_type: 'case',
      sub_type: '',
      dispensary_uuid: null,
      required_items_per_caseid: items.length,
      members: items,
    })
  }
  const addPackage = (uid: string, members: string[]) => {
    collections.push({ ...collection, uuid: id('soak package', uid), identifier: uid, members })
  }
  for (let day = 0; day < days; day++) {
    for (let station = 0; station < stationCount; station++) {
      const goods = goodsOf(day, station, hours)
      for (const [hour, { cases, uncased }] of goods.hours.entries()) {
        for (const [n, one] of cases.entries()) addCase(one, productOf(hour, n))
        addCase(uncased, hour)
      }
      addPackage(
        goods.packageUid,
        goods.hours.flatMap(({ cases }) => cases.flatMap(({ items }) => items)),
      )
      addPackage(
        uncasedTag(day, station),
        goods.hours.flatMap(({ uncased }) => uncased.items),
      )
    }
  }
  const data: DataFile = {
    ...sample,
    tag_ids: [...sample.tag_ids, ...tags],
    collections: [...sample.collections, ...collections],
  }
  openStore(file, data).close()
}

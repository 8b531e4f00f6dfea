import { CaseId, PackageUid, ShortUuid, TagId } from '../../src-shared/ids'
import { DataFile } from '../../src-practice/data-file'
import { id, packageTag } from '../../scripts/practice-data/ids'

/** The crash suite's shop: small, so that a run is quick, with a case for every reason to refuse. */

const moment = '2026-09-01T12:00:00Z'
const made = (kind: string, name: string | number) => id(`crash ${kind}`, String(name))

/** One packaged product of a case: the unit of an import. */
export interface Lot {
  caseId: CaseId
  packagedProductId: ShortUuid
  productId: ShortUuid
  productName: string
  packageUid: PackageUid
  tagIds: TagId[]
  /** The text of the case's label: an identifier, or the CaseID itself. */
  label: string
  /**
   * `shelf` is in our inventory from the start; `delivery` waits to be imported; so does `unseen`, which was never
   * opened; `closed` is never imported, so its items can't be sold; `strange` belongs to another dispensary.
   */
  place: Place
}

const places = ['shelf', 'delivery', 'closed', 'strange', 'unseen'] as const
type Place = (typeof places)[number]

const lot = (place: Place, box: number, product: number, tagCount: number, label?: string): Lot => {
  const caseId = CaseId.parse(made('case', `${place} ${box}`))
  return {
    place,
    caseId,
    packagedProductId: ShortUuid.parse(made('packaged', product)),
    productId: ShortUuid.parse(made('product', product)),
    productName: productName(product),
    packageUid: PackageUid.parse(packageTag(9_000 + places.indexOf(place) * 100 + box)),
    tagIds: Array.from({ length: tagCount }, (_, n) => TagId.parse(made('tag', `${place} ${box} ${product} ${n}`))),
    label: label ?? caseId,
  }
}
const productName = (product: number) => `Product ${product}`

export const lots: readonly Lot[] = [
  ...[0, 1, 2].map((box) => lot('shelf', box, box, 8)),
  ...[0, 1, 2].map((box) => lot('delivery', box, 3 + box, 4)),
  // A case of two products: two imports that share a key.
  lot('delivery', 3, 6, 3),
  lot('delivery', 3, 7, 3),
  lot('closed', 0, 8, 3),
  lot('strange', 0, 9, 1),
  lot('strange', 0, 15, 1),
  lot('unseen', 0, 10, 3, 'C 2026/0001'),
  lot('unseen', 1, 11, 3, 'C 2026/0002'),
  lot('unseen', 2, 12, 3),
  // A case of two products: only a person can say which one is meant.
  lot('unseen', 3, 13, 2, 'C 2026/0004'),
  lot('unseen', 3, 14, 2, 'C 2026/0004'),
  // Cases that are counted: every item has its own product, so that its report identifies the item.
  ...[20, 21, 22, 23].map((product) => lot('shelf', 3, product, 1)),
  ...[30, 31, 32].map((product) => lot('delivery', 4, product, 1)),
]
export const lotsOf = (place: Place) => lots.filter((one) => one.place === place)
export const lotOfTag = (tagId: string) => lots.find((one) => one.tagIds.some((each) => each === tagId))

/** A label that belongs to no case. */
export const unusedLabel = 'C 1999/0001'

/** An item that may be added to or removed from a case. */
interface Item {
  tagId: TagId
  packagedProductId: ShortUuid
  productName: string
}

/** A case that is counted: the items inside it, and the items beside it that are in no case. */
export interface Counted {
  caseId: CaseId
  inside: Item[]
  beside: Item[]
  /** Another company's case: its contents can't be changed by us. */
  isForeign: boolean
}

const counted = (place: Place, box: number, products: number[]): Counted => {
  const { caseId } = lot(place, box, 0, 0)
  return {
    caseId,
    isForeign: place === 'strange',
    inside: lots
      .filter((one) => one.caseId === caseId)
      .flatMap((one) => one.tagIds.map((tagId) => ({ ...one, tagId }))),
    beside: products.map((product) => ({
      tagId: TagId.parse(made('tag', `beside ${product}`)),
      packagedProductId: ShortUuid.parse(made('packaged', product)),
      productName: productName(product),
    })),
  }
}
export const countedCases: readonly Counted[] = [
  counted('shelf', 3, [40, 41]),
  counted('delivery', 4, [42, 43]),
  counted('strange', 0, []),
]
const beside = countedCases.flatMap((one) => one.beside)

export const account = { clientId: 'crash', clientSecret: 'crash-secret' }
/** An account of the same company: it may change the contents of our cases. */
export const sourcing = { clientId: 'crash-sourcing', clientSecret: 'crash-sourcing-secret' }
export const dispensary = { uuid: made('dispensary', 'ours'), name: 'Crash' }
const stranger = { uuid: made('dispensary', 'strange'), name: 'Stranger' }
const company = made('company', 'ours')
const strangeCompany = made('company', 'strange')
const brand = made('brand', 1)
const productNumbers = [...new Set([...lots, ...beside].map((one) => Number(one.productName.split(' ').at(-1))))]

const cases = new Map(lots.map((one) => [one.caseId, one]))
const tagsIn = (key: 'caseId' | 'packageUid', value: string) =>
  lots.filter((one) => one[key] === value).flatMap((one) => one.tagIds)
const collection = (
  uuid: string,
  collection_type: string,
  identifier: string,
  members: string[],
  company_uuid: string = company,
) => ({
  uuid,
  identifier,
  collection_type,
  company_uuid,
  added_on: moment,
  members,
})

/** The practice service's initial data. */
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
      {
        client_id: sourcing.clientId,
        client_secret: sourcing.clientSecret,
        product: 'sourcing',
        company_uuid: company,
        brand_uuid: brand,
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
    tag_ids: [...lots, ...beside.map((one) => ({ ...one, tagIds: [one.tagId] }))].flatMap((one) =>
      one.tagIds.map((uuid) => ({ uuid, created: moment, packaged_product_uuid: one.packagedProductId })),
    ),
    collections: [
      ...[...cases].map(([caseId, { place, label }]) =>
        collection(caseId, 'case', label, tagsIn('caseId', caseId), place === 'strange' ? strangeCompany : company),
      ),
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

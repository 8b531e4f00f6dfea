import { packagedProductUuid } from './batches'
import { id, packageTag } from './ids'
import { companies, dispensaries } from './people'
import { products } from './products'

/** The items, the cases they came in, the four deliveries that brought the cases, and who imported what. */

interface CaseSketch {
  key: string
  /** The printed text; default: the CaseID itself. */
  identifier?: string
  company: keyof typeof companies
  holds: [sku: string, count: number][]
  required: number
  /** Items that were removed from the case. */
  removed?: number
  /** Items that came with the case but were never added to it. */
  loose?: number
  /** Null for a case that came in no delivery of these. */
  delivery: 1 | 2 | 3 | 4 | null
}

/** One case for every situation at a receiving desk. */
const sketches: CaseSketch[] = [
  { key: 'blue dune', company: 'hudson', holds: [['HF-BD-35', 24]], required: 24, delivery: 1 },
  { key: 'pre-rolls', company: 'hudson', holds: [['HF-GS-5PK', 20]], required: 20, delivery: 1 },
  {
    key: 'readable',
    identifier: 'HF 2026/0417',
    company: 'hudson',
    holds: [['HF-HG-7', 12]],
    required: 12,
    delivery: 1,
  },
  {
    key: 'two products',
    company: 'sunday',
    holds: [
      ['SK-PG-10', 12],
      ['SK-SC-10', 12],
    ],
    required: 24,
    delivery: 2,
  },
  { key: 'at hoboken', company: 'ironbound', holds: [['IB-FS-1', 20]], required: 20, delivery: 2 },
  { key: 'at a stranger', company: 'ironbound', holds: [['IB-FR-1', 16]], required: 16, delivery: 2 },
  { key: 'short', company: 'hudson', holds: [['HF-LF-35', 18]], required: 20, removed: 2, delivery: 3 },
  { key: 'on sale', company: 'hudson', holds: [['HF-PA-1', 20]], required: 20, delivery: 3 },
]

/** Cases packed by our own dispensary's company, which may change them; one of the three has two items beside it. */
const houseSketches: CaseSketch[] = [
  { key: 'house 1', company: 'greenDoor', holds: [['GD-HF-35', 12]], required: 12, delivery: 4 },
  { key: 'house 2', company: 'greenDoor', holds: [['GD-HF-35', 12]], required: 12, delivery: 4 },
  { key: 'house short', company: 'greenDoor', holds: [['GD-HF-35', 10]], required: 12, loose: 2, delivery: 4 },
]

/** In our inventory, and not to be sold just like that: one case for each reason. */
const heldBackSketches: CaseSketch[] = [
  { key: 'expired here', company: 'hudson', holds: [['HF-HG-7', 4]], required: 4, delivery: null },
  { key: 'failed here', company: 'sunday', holds: [['SK-SC-10', 4]], required: 4, delivery: null },
  { key: 'old here', company: 'ironbound', holds: [['IB-NS-05', 4]], required: 4, delivery: null },
  { key: 'unpublished here', company: 'ironbound', holds: [['IB-DS-1', 4]], required: 4, delivery: null },
]

const productOf = (sku: string) => {
  const product = products.find((one) => one.sku === sku)
  if (product === undefined) throw new Error(`No product ${sku}`)
  return product
}

const tag = (sku: string, name: string) => ({
  uuid: id('tag', name),
  created: '2026-09-01T08:00:00Z',
  packaged_product_uuid: packagedProductUuid(sku),
  paired_on: '2026-09-02T08:00:00Z',
})

const range = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

const filled = [...sketches, ...houseSketches, ...heldBackSketches].map((sketch) => ({
  ...sketch,
  uuid: id('case', sketch.key),
  tags: sketch.holds.flatMap(([sku, count]) => range(count).map((n) => tag(sku, `${sketch.key} ${sku} ${n}`))),
  removedTags: range(sketch.removed ?? 0).map((n) => tag(sketch.holds[0]?.[0] ?? '', `${sketch.key} removed ${n}`)),
  looseTags: range(sketch.loose ?? 0).map((n) => tag(sketch.holds[0]?.[0] ?? '', `${sketch.key} loose ${n}`)),
}))

/** A bottle that was taken out as a sample and is in no case. */
const single = tag('SK-SE-30', 'single')

export const tagIds = [
  ...filled.flatMap(({ tags, removedTags, looseTags }) => [...tags, ...removedTags, ...looseTags]),
  single,
]

const day = (index: number) => `2026-09-${String(index + 1).padStart(2, '0')}`

const cases = filled.map(({ uuid, identifier, company, holds, required, tags, removedTags }, index) => ({
  uuid,
  identifier: identifier ?? uuid,
  name: `Case of ${holds.map(([sku]) => productOf(sku).name).join(' and ')}`,
  collection_type: 'case',
  company_uuid: companies[company].uuid,
  added_on: `${day(index)}T13:00:00Z`,
  activated_on: `${day(index)}T13:05:00Z`,
  url_version: '1',
  required_product_uuid: holds.length === 1 ? productOf(holds[0]?.[0] ?? '').uuid : null,
  required_items_per_caseid: required,
  members: tags.map((one) => one.uuid),
  removed_members: removedTags.map((one) => ({
    tag_id: one.uuid,
    added_on: '2026-09-07T13:00:00Z',
    removed_on: '2026-09-12T10:00:00Z',
    removed_by_company_uuid: companies[company].uuid,
  })),
}))

/** The producer's package of an item is older than the delivery's package, so the delivery's counts. */
const regulator = (key: string, sub_type: string, identifier: string, company_uuid: string, added_on: string) => ({
  uuid: id('regulator', key),
  identifier,
  name: identifier,
  collection_type: 'regulator',
  sub_type,
  company_uuid,
  added_on,
})

const deliveries = [1, 2, 3, 4].map((number) => ({
  ...regulator(
    `delivery ${number}`,
    'Transfer',
    packageTag(number),
    number === 4 ? companies.greenDoor.uuid : companies.hudson.uuid,
    `2026-10-0${number}T07:00:00Z`,
  ),
  dispensary_uuid: dispensaries.newark.uuid,
  transfer_regulator_uid: `000041${number}`,
  members: filled
    .filter((one) => one.delivery === number)
    .flatMap(({ tags, looseTags }) => [...tags, ...looseTags].map((one) => one.uuid)),
}))

const producerPackages = ['HF-BD-35', 'HF-PA-1'].map((sku, index) => ({
  ...regulator(
    `producer ${sku}`,
    'Packaged product',
    packageTag(901 + index),
    companies.hudson.uuid,
    '2026-09-02T09:00:00Z',
  ),
  members: filled
    .flatMap(({ tags }) => tags)
    .filter((one) => one.packaged_product_uuid === packagedProductUuid(sku))
    .map((one) => one.uuid),
}))

/** The house's collection of origin: this type can be neither removed nor restored. */
const origin = {
  uuid: id('origin', 'house'),
  identifier: 'GREEN-DOOR-2026-07',
  name: 'Green Door Gardens, harvest of July 2026',
  collection_type: 'origin',
  company_uuid: companies.greenDoor.uuid,
  added_on: '2026-09-01T08:00:00Z',
  members: filled
    .filter((one) => one.company === 'greenDoor' && one.delivery === 4)
    .flatMap(({ tags }) => tags.map((one) => one.uuid)),
}

export const collections = [...cases, ...deliveries, ...producerPackages, origin]

const caseUuid = (key: string) => id('case', key)

export const imports = [
  {
    case_uuid: caseUuid('at hoboken'),
    packaged_product_uuid: packagedProductUuid('IB-FS-1'),
    dispensary_uuid: dispensaries.hoboken.uuid,
    package_uid: packageTag(2201),
    pos_product_id: 'H-1180',
    pos_inventory_id: 'H-INV-2201',
    sku: 'IB-FS-1',
    imported_on: '2026-10-02T15:30:00Z',
  },
  {
    case_uuid: caseUuid('at a stranger'),
    packaged_product_uuid: packagedProductUuid('IB-FR-1'),
    dispensary_uuid: dispensaries.stranger.uuid,
    package_uid: packageTag(7701),
    pos_product_id: 'CL-77',
    pos_inventory_id: 'CL-INV-7701',
    imported_on: '2026-10-02T17:00:00Z',
  },
  {
    case_uuid: caseUuid('on sale'),
    packaged_product_uuid: packagedProductUuid('HF-PA-1'),
    dispensary_uuid: dispensaries.newark.uuid,
    package_uid: packageTag(3),
    pos_product_id: 'N-2040',
    pos_inventory_id: 'N-INV-3001',
    sku: 'HF-PA-1',
    imported_on: '2026-10-03T14:20:00Z',
  },
  ...heldBackSketches.map(({ key, holds: [[sku] = ['']] }, index) => ({
    case_uuid: caseUuid(key),
    packaged_product_uuid: packagedProductUuid(sku),
    dispensary_uuid: dispensaries.newark.uuid,
    package_uid: packageTag(91),
    pos_product_id: `N-21${index + 10}`,
    pos_inventory_id: `N-INV-91${index + 10}`,
    sku,
    imported_on: '2026-10-03T15:00:00Z',
  })),
]

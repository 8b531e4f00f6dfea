import type { z } from 'zod'
import type { CaseDetail, Collection } from '../../../src-shared/service/collections'
import type {
  CaseDetailV15,
  CaseItemV15,
  CollectionV15,
  RemovedCollection,
} from '../../../src-shared/service/collections-v15'
import type { Item, ItemV15, ItemWithRemovedCollections } from '../../../src-shared/service/items'
import type { PackageCases } from '../../../src-shared/service/imports'
import type { Product } from '../../../src-shared/service/products'
import { batch, brand, coa, identifier, ids, laboratory, moment, packageUid, product, short } from './catalogue'

/** Examples of collections and TagIDs, in both versions. */

const caseEntry = { uuid: ids.case, identifier, name: 'Blue Dune, 24', collection_type: 'case', added_on: moment }
const regulatorEntry = {
  uuid: ids.regulator,
  identifier: packageUid,
  name: packageUid,
  collection_type: 'regulator',
  added_on: moment,
}
const state = { is_public: true, is_removed: false, removed_on: null, sub_type: '' }
const member = { tag_id: ids.tag, added_on: moment, removed_on: null, removed_by_company_uuid: null }

export const collection = {
  ...caseEntry,
  ...state,
  items: [member],
  removed_items: [],
} satisfies z.input<typeof CollectionV15>

/** The answer to add-items and add-case: fewer fields. */
export const added = { ...caseEntry, is_public: true, items: [member] } satisfies z.input<typeof CollectionV15>

const caseItem = {
  tag_id: ids.tag,
  brand_uuid: ids.brand,
  product_uuid: ids.product,
  batch_uuid: ids.batch,
  regulator_id_uuids: [ids.regulator],
  cases_uuids: [ids.case],
} satisfies z.input<typeof CaseItemV15>

export const removedTagIds = [caseItem]

export const caseDetail = {
  ...caseEntry,
  ...state,
  brands: [brand],
  products: [product],
  batches: [batch],
  digital_coas: [coa],
  testing_laboratories: [laboratory],
  cases: [caseEntry],
  regulator_ids: [regulatorEntry],
  items: [caseItem],
} satisfies z.input<typeof CaseDetailV15>

export const removedCollection = {
  ...caseEntry,
  company_uuid: ids.company,
  is_public: true,
  is_removed: true,
  removed_on: moment,
  tag_ids_count: 24,
} satisfies z.input<typeof RemovedCollection>

const holder = { ...caseEntry, is_public: true, removed_on: null }
const isOf = { brand_uuid: ids.brand, product_uuid: ids.product, batch_uuid: ids.batch }

export const item = {
  uuid: ids.tag,
  created: moment,
  ...isOf,
  digital_coa_uuids: [ids.coa],
  collections: [holder],
  removed_collections: [],
} satisfies z.input<typeof ItemV15>

export const itemWithRemoved = {
  uuid: ids.tag,
  created: moment,
  ...isOf,
  claimed_by_user_uuid: null,
  claimed_on: null,
  counterfeit_on: null,
  dispensary_uuid: null,
  is_claimed: false,
  is_counterfeit: false,
  is_paired: true,
  paired_on: moment,
  removed_collections: [{ ...holder, removed_on: moment, company_uuid: ids.company }],
} satisfies z.input<typeof ItemWithRemovedCollections>

const shortEntry = { ...caseEntry, uuid: short('case'), sub_type: '', tag_ids_count: 24 }
const shortOf = { brand_uuid: short('brand'), product_uuid: short('product'), batch_uuid: short('batch') }
const packaged = { uuid: short('packaged'), ...shortOf, packaged_on: '2026-09-12', use_by: '2027-09-12' }
const common = {
  ...shortEntry,
  ...state,
  company_uuid: short('company'),
  company_name: brand.company,
  imported_to_inventory_on: null,
  required_items_per_caseid: 24,
  collection_url: `https://tag.example/case/${identifier}`,
  packaged_products: [packaged],
  digital_coa_uuids: [short('coa')],
}

export const collectionV12 = {
  ...common,
  items: [
    {
      ...shortOf,
      tag_id: short('tag'),
      packaged_product_uuid: short('packaged'),
      added_on: moment,
      pos_package_uid: packageUid,
      sold_at_dispensary_on: null,
      tagid_url: `https://tag.example/${short('tag')}`,
    },
  ],
  removed_items: [],
} satisfies z.input<typeof Collection>

export const productV12 = {
  uuid: short('product'),
  sku: product.sku,
  name: product.name,
  brand_uuid: short('brand'),
  product_type: 'Flower',
  usage: 'Recreational',
  variety: 'Hybrid',
  package_size: product.package_size,
  published_on: '09/01/2026',
  shelf_life: { value: 12, unit: 'months' },
  positive_effects: [{ name: 'Relaxed', description: '', type: 'positive', effect: 'relaxed' }],
} satisfies z.input<typeof Product>

export const caseDetailV12 = {
  ...common,
  brands: [{ uuid: short('brand'), name: brand.name, enable_product_data_for_retail_inventory_ai: false }],
  products: [productV12],
  cases: [shortEntry],
  regulator_ids: [{ ...shortEntry, ...regulatorEntry, uuid: short('regulator'), sub_type: 'Transfer' }],
  items: [
    {
      ...shortOf,
      tag_id: short('tag'),
      regulator_id_uuids: [short('regulator')],
      cases_uuids: [short('case')],
      inventory_collection_uuids: [],
    },
  ],
} satisfies z.input<typeof CaseDetail>

export const itemV12 = {
  uuid: short('tag'),
  created: moment,
  tagid_url: `https://tag.example/${short('tag')}`,
  ...shortOf,
  collections: [{ ...shortEntry, collection_url: common.collection_url }],
  removed_collections: [],
} satisfies z.input<typeof Item>

export const packageCases = {
  package_uid: packageUid,
  case_ids: {
    [short('case')]: {
      is_imported: true,
      imported_on: moment,
      package_uid: packageUid,
      dispensary: { uuid: short('dispensary'), name: 'Green Door, Newark', state: 'NJ' },
    },
  },
} satisfies z.input<typeof PackageCases>

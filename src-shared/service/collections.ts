import { z } from 'zod'
import { CaseId, ShortUuid, TagId } from '../ids'
import { Batch, PackagedProduct } from './batches'
import { Brand } from './brands'
import { DigitalCoa, TestingLaboratory } from './coas'
import { Product } from './products'
import { DateTime, maybe } from './wire'

/**
 * The fields of every collection of `/api/v1.2`. `uuid_legacy` is deprecated. Spec: Collection; Endpoints > v1.2
 * endpoints.
 */
const collectionFields = {
  uuid: ShortUuid,
  uuid_legacy: maybe(z.string()),
  identifier: z.string(),
  name: maybe(z.string()),
  collection_type: z.string(),
  added_on: maybe(DateTime),
  is_public: maybe(z.boolean()),
  is_removed: maybe(z.boolean()),
  removed_on: maybe(DateTime),
  sub_type: maybe(z.string()),
  company_uuid: maybe(ShortUuid),
  company_name: maybe(z.string()),
  activated_on: maybe(DateTime),
  last_audited_on: maybe(DateTime),
  imported_to_inventory_on: maybe(DateTime),
  url_version: maybe(z.string()),
  gtin_code: maybe(z.string()),
  data: maybe(
    z.looseObject({
      batch_uuids: maybe(z.array(z.string())),
      brand_uuids: maybe(z.array(z.string())),
      product_uuids: maybe(z.array(z.string())),
      packaged_product_uuids: maybe(z.array(z.string())),
      members_count: maybe(z.number().int()),
    }),
  ),
  required_product_uuid: maybe(z.string()),
  required_items_per_caseid: maybe(z.number().int()),
  template: maybe(z.string()),
  transfer_regulator_uid: maybe(z.string()),
  tag_ids_count: maybe(z.number().int()),
  synced_collections: maybe(z.array(z.string())),
  collection_url: maybe(z.string()),
  packaged_products: maybe(z.array(PackagedProduct)),
  digital_coa_uuids: maybe(z.array(ShortUuid)),
  inventory_collections: maybe(z.array(z.unknown())),
  regulator_licenses: maybe(z.array(z.unknown())),
}

/** A collection that holds an item, as in the answers to add-items and add-case. */
const ItemHolder = z.looseObject({
  uuid: ShortUuid,
  uuid_legacy: maybe(z.string()),
  identifier: z.string(),
  collection_type: maybe(z.string()),
  company_uuid: maybe(z.string()),
  added_on: maybe(DateTime),
  name: maybe(z.string()),
  is_public: maybe(z.boolean()),
  removed_on: maybe(DateTime),
  url_version: maybe(z.string()),
  gtin_code: maybe(z.string()),
  activated_on: maybe(DateTime),
  sub_type: maybe(z.string()),
  tag_ids_count: maybe(z.number().int()),
  company_name: maybe(z.string()),
})

/** An item of a collection and its current state. Spec: Collection, "v1.2 collection item fields". */
export const CollectionItem = z.looseObject({
  tag_id: TagId,
  tag_id_legacy: maybe(z.string()),
  added_on: maybe(DateTime),
  removed_on: maybe(DateTime),
  removed_by_company_uuid: maybe(z.string()),
  brand_uuid: maybe(ShortUuid),
  product_uuid: maybe(ShortUuid),
  batch_uuid: maybe(ShortUuid),
  packaged_product_uuid: maybe(ShortUuid),
  pos_package_uid: maybe(z.string()),
  sell_in_age: maybe(z.unknown()),
  sell_out_age: maybe(z.unknown()),
  sold_at_dispensary_on: maybe(DateTime),
  imported_to_inventory_on: maybe(DateTime),
  paired_on: maybe(DateTime),
  last_audited_on: maybe(DateTime),
  regulator_licenses: maybe(z.array(z.unknown())),
  added_by: maybe(z.string()),
  removed_by: maybe(z.string()),
  added_by_company_name: maybe(z.string()),
  removed_by_company_name: maybe(z.string()),
  claimed_on: maybe(DateTime),
  tagid_url: maybe(z.string()),
  /** In the answers to add-items and add-case. */
  collections: maybe(z.array(ItemHolder)),
})
export type CollectionItem = z.infer<typeof CollectionItem>

/** `GET /api/v1.2/collections/<identifier>/`, and the answers to add-items and add-case. */
export const Collection = z.looseObject({
  ...collectionFields,
  items: z.array(CollectionItem),
  removed_items: maybe(z.array(CollectionItem)),
})
export type Collection = z.infer<typeof Collection>

/** An entry of `cases` or `regulator_ids` in a CaseID detail, in chronological order. */
export const CollectionEntry = z.looseObject({
  uuid: ShortUuid,
  identifier: z.string(),
  name: maybe(z.string()),
  collection_type: maybe(z.string()),
  added_on: maybe(DateTime),
  sub_type: maybe(z.string()),
  tag_ids_count: maybe(z.number().int()),
})
export type CollectionEntry = z.infer<typeof CollectionEntry>

/** An item inside a CaseID detail: the item and the collections that hold it. */
export const CaseItem = z.looseObject({
  tag_id: TagId,
  brand_uuid: maybe(ShortUuid),
  product_uuid: maybe(ShortUuid),
  batch_uuid: maybe(ShortUuid),
  regulator_id_uuids: maybe(z.array(ShortUuid)),
  cases_uuids: maybe(z.array(ShortUuid)),
  inventory_collection_uuids: maybe(z.array(ShortUuid)),
})
export type CaseItem = z.infer<typeof CaseItem>

/** `GET /api/v1.2/collections/case/<uuid>/`: self-contained, with everything its items refer to. */
export const CaseDetail = z.looseObject({
  ...collectionFields,
  brands: maybe(z.array(Brand)),
  products: maybe(z.array(Product)),
  batches: maybe(z.array(Batch)),
  digital_coas: maybe(z.array(DigitalCoa)),
  testing_laboratories: maybe(z.array(TestingLaboratory)),
  cases: maybe(z.array(CollectionEntry)),
  regulator_ids: maybe(z.array(CollectionEntry)),
  items: z.array(CaseItem),
})
export type CaseDetail = z.infer<typeof CaseDetail>

/** Body of `POST /api/v1.2/collections/case/<uuid>/add-items/`: existing TagIDs. */
export const AddItems = z.array(TagId).min(1)
export type AddItems = z.infer<typeof AddItems>

/**
 * Body of `POST /api/v1.2/collections/regulator/<identifier>/add-case/`; the packaged product is required if the case
 * has several.
 */
export const AddCase = z.strictObject({ case_uuid: CaseId, packaged_product_uuid: ShortUuid.optional() })
export type AddCase = z.infer<typeof AddCase>

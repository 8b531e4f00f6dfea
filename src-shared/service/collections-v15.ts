import { z } from 'zod'
import { BatchV15 } from './batches'
import { BrandV15 } from './brands'
import { DigitalCoaV15, TestingLaboratoryV15 } from './coas'
import { ProductV15 } from './products'
import { DateTime, LongCaseId, LongTagId, LongUuid, maybe } from './wire'

/**
 * The fields of all collections of `/api/v1.5`. Spec: Collection; Endpoints > Collections (v1.5). `collection_type` is `order`, `case`, `regulator`, `origin`, `collection`, or a type that the specification does not
 * show.
 */
const entryFields = {
  uuid: LongUuid,
  identifier: z.string(),
  name: maybe(z.string()),
  collection_type: z.string(),
  added_on: maybe(DateTime),
}

const collectionFields = {
  ...entryFields,
  is_public: maybe(z.boolean()),
  is_removed: maybe(z.boolean()),
  removed_on: maybe(DateTime),
  sub_type: maybe(z.string()),
}

/** An item of a collection. Spec: Collection, "Collection item (v1.5)". */
export const CollectionItemV15 = z.looseObject({
  tag_id: LongTagId,
  added_on: maybe(DateTime),
  removed_on: maybe(DateTime),
  removed_by_company_uuid: maybe(LongUuid),
})
export type CollectionItemV15 = z.infer<typeof CollectionItemV15>

/** `GET /api/v1.5/collections/<uuid>/`, and the answers to add-items and add-case, which have fewer fields. */
export const CollectionV15 = z.looseObject({
  ...collectionFields,
  items: z.array(CollectionItemV15),
  removed_items: maybe(z.array(CollectionItemV15)),
})
export type CollectionV15 = z.infer<typeof CollectionV15>

/** An entry of `cases` or `regulator_ids` in a CaseID detail, in chronological order. */
export const CollectionEntryV15 = z.looseObject(entryFields)
export type CollectionEntryV15 = z.infer<typeof CollectionEntryV15>

/** An item inside a CaseID detail, and in the list of removed TagIDs: the item and the collections that hold it. */
export const CaseItemV15 = z.looseObject({
  tag_id: LongTagId,
  brand_uuid: maybe(LongUuid),
  product_uuid: maybe(LongUuid),
  batch_uuid: maybe(LongUuid),
  regulator_id_uuids: maybe(z.array(LongUuid)),
  cases_uuids: maybe(z.array(LongUuid)),
})
export type CaseItemV15 = z.infer<typeof CaseItemV15>

/** `GET /api/v1.5/collections/case/<uuid>/`: self-contained, with everything its items refer to. */
export const CaseDetailV15 = z.looseObject({
  ...collectionFields,
  brands: maybe(z.array(BrandV15)),
  products: maybe(z.array(ProductV15)),
  batches: maybe(z.array(BatchV15)),
  digital_coas: maybe(z.array(DigitalCoaV15)),
  testing_laboratories: maybe(z.array(TestingLaboratoryV15)),
  cases: maybe(z.array(CollectionEntryV15)),
  regulator_ids: maybe(z.array(CollectionEntryV15)),
  items: z.array(CaseItemV15),
})
export type CaseDetailV15 = z.infer<typeof CaseDetailV15>

/** An entry of `GET /api/v1.5/removed-collections/`. Spec: Collection, "Removed collection list item". */
export const RemovedCollection = z.looseObject({
  ...entryFields,
  company_uuid: maybe(LongUuid),
  is_public: maybe(z.boolean()),
  is_removed: maybe(z.boolean()),
  removed_on: maybe(DateTime),
  tag_ids_count: maybe(z.number().int()),
})
export type RemovedCollection = z.infer<typeof RemovedCollection>

/** `GET /api/v1.5/removed-collections/` and `/removed-collections/<collection_type>/`: not paged. */
export const RemovedCollections = z.array(RemovedCollection)

/** `GET /api/v1.5/collections/<uuid>/removed-tag-ids/`: not paged. */
export const RemovedTagIds = z.array(CaseItemV15)

/** Body of `POST /api/v1.5/collections/case/<uuid>/add-items/`: existing TagIDs. */
export const AddItemsV15 = z.array(LongTagId).min(1)
export type AddItemsV15 = z.infer<typeof AddItemsV15>

/**
 * Body of `POST /api/v1.5/collections/regulator/<identifier>/add-case/`; the packaged product is required if the case
 * has several.
 */
export const AddCaseV15 = z.strictObject({ case_uuid: LongCaseId, packaged_product_uuid: LongUuid.optional() })
export type AddCaseV15 = z.infer<typeof AddCaseV15>

import { z } from 'zod'
import { ShortUuid } from '../ids'
import { TestingLaboratoryV15 } from './coas'
import { ProductV15 } from './products'
import { DateTime, Day, longIds, LongUuid, maybe, paged, ReadDate, shortIds, WrittenName, writtenText } from './wire'

/** A product packaged from a batch, in the flat form of `/api/v1.2` payloads. Spec: Packaged product. */
export const PackagedProduct = z.looseObject({
  uuid: ShortUuid,
  brand_uuid: maybe(ShortUuid),
  batch_uuid: maybe(ShortUuid),
  product_uuid: ShortUuid,
  regulatory_id: maybe(z.string()),
  packaged_on: maybe(ReadDate),
  digital_coa_uuids: maybe(z.array(ShortUuid)),
  batch_name: maybe(z.string()),
  use_by: maybe(ReadDate),
})
export type PackagedProduct = z.infer<typeof PackagedProduct>

/** Inside a batch detail of `/api/v1.5`, and the answer to create and update. Spec: Packaged product. */
export const PackagedProductV15 = z.looseObject({
  uuid: LongUuid,
  product: maybe(ProductV15),
  regulatory_id: maybe(z.string()),
  packaged_on: maybe(ReadDate),
  /** COAs of this packaged product alone. */
  digital_coa_uuids: maybe(z.array(LongUuid)),
  batch_name: maybe(z.string()),
  harvested_on: maybe(ReadDate),
  extraction_method: maybe(z.string()),
})
export type PackagedProductV15 = z.infer<typeof PackagedProductV15>

const fields = {
  regulatory_id: writtenText(255).nullish(),
  packaged_on: Day.nullish(),
  digital_coa_uuids: z.array(LongUuid).optional(),
}

/** Body of `POST /api/v1.5/batches/<uuid>/packaged-products/`. */
export const PackagedProductCreate = z.strictObject({ product_uuid: LongUuid, ...fields })
export type PackagedProductCreate = z.infer<typeof PackagedProductCreate>

/** Body of `PUT` and `PATCH /api/v1.5/batches/<batch_uuid>/packaged-products/<packaged_product_uuid>/update/`. */
export const PackagedProductUpdate = z.strictObject({ product_uuid: LongUuid.optional(), ...fields })
export type PackagedProductUpdate = z.infer<typeof PackagedProductUpdate>

const batchFields = <Id extends z.ZodType>({ id }: { id: Id }) => ({
  uuid: id,
  name: z.string(),
  /** May hold several identifiers separated by commas; may be empty. */
  regulatory_id: maybe(z.string()),
  produced_on: maybe(z.string()),
  brand_uuid: maybe(id),
  updated_on: maybe(DateTime),
  digital_coa_uuids: maybe(z.array(id)),
})

/** The batch inside a CaseID detail of `/api/v1.2`. Spec: Batch. */
export const Batch = z.looseObject({
  ...batchFields(shortIds),
  harvested_on: maybe(ReadDate),
  extraction_method: maybe(z.string()),
  solvents: maybe(z.string()),
})
export type Batch = z.infer<typeof Batch>

/** An entry of the list of batches, the answer to create and update, and the batch inside v1.5 payloads. Spec: Batch. */
export const BatchV15 = z.looseObject(batchFields(longIds))
export type BatchV15 = z.infer<typeof BatchV15>

/** One page of `GET /api/v1.5/batches/`. */
export const BatchPage = paged(BatchV15)

/** `GET /api/v1.5/batches/<uuid>/`. Spec: Batch. */
export const BatchDetail = z.looseObject({
  ...batchFields(longIds),
  testing_laboratories: maybe(z.array(TestingLaboratoryV15)),
  packaged_products: maybe(z.array(PackagedProductV15)),
})
export type BatchDetail = z.infer<typeof BatchDetail>

const RegulatoryIds = writtenText(1_000)

/** Body of `POST /api/v1.5/batches/create/`. Without a brand, the batch gets the account's default brand. */
export const BatchCreate = z.strictObject({
  name: WrittenName,
  regulatory_id: RegulatoryIds.optional(),
  produced_on: DateTime.nullish(),
  brand_uuid: LongUuid.optional(),
})
export type BatchCreate = z.infer<typeof BatchCreate>

/** Body of `PUT /api/v1.5/batches/<uuid>/update/`; fields left out are not updated. */
export const BatchUpdate = z.strictObject({
  name: WrittenName.optional(),
  regulatory_id: RegulatoryIds.optional(),
  produced_on: DateTime.nullish(),
})
export type BatchUpdate = z.infer<typeof BatchUpdate>

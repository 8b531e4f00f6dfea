import { z } from 'zod'
import { TestingLaboratoryV15 } from './laboratories'
import { PackagedProductV15 } from './packaged-products'
import { paged } from './paging'
import { DateTime, ReadDate, WrittenName, maybe, writtenText } from './wire'
import { LongUuid, longIds, shortIds } from './wire-ids'

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

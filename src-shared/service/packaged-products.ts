import { z } from 'zod'
import { ShortUuid } from '../ids'
import { ProductV15 } from './products'
import { Day, ReadDate, maybe, writtenText } from './wire'
import { LongUuid } from './wire-ids'

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

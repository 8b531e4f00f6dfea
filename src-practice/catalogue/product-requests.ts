import { z } from 'zod'
import {
  PotencyMeasure,
  ProductCreate,
  ProductPatch,
  ProductUpdate,
  SizeMeasure,
} from '../../src-shared/service/product-requests'
import { AnyId } from '../http/wire-fields'

/** The fields of product requests: those of the wire schemas, which also say what is allowed. */

/** Unknown fields are ignored inside measures too. */
const Size = z.object(SizeMeasure.shape)
const Potency = z.object(PotencyMeasure.shape)

/** Files are decoded and ids looked up later, each with a message of its own. */
const optional = {
  serving_size: Size.optional(),
  expected_total_cbd: Potency.optional(),
  expected_total_thc: Potency.optional(),
  photo_thumbnail: z.string().optional(),
  photo_primary: z.string().optional(),
  photo_banner: z.string().optional(),
  description_asset_uuid: AnyId.optional(),
  photo_thumbnail_asset_uuid: AnyId.optional(),
  photo_primary_asset_uuid: AnyId.optional(),
  photo_banner_asset_uuid: AnyId.optional(),
}

export const createShape = {
  ...ProductCreate.shape,
  ...optional,
  package_size: Size,
  brand_uuid: AnyId.optional(),
}
export const replaceShape = { ...ProductUpdate.shape, ...optional, package_size: Size }
export const patchShape = { ...ProductPatch.shape, ...optional, package_size: Size.optional() }

export type PatchFields = z.infer<z.ZodObject<typeof patchShape>>

/** The plain fields of a record that a whole-product request sets, whether it names them or not. */
export const isReplaced = (field: string): boolean => field in ProductUpdate.shape

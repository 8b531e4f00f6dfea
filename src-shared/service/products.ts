import { z } from 'zod'
import { ShortUuid } from '../ids'
import { DateTime, ImageSet, Measure, MediaObject, maybe } from './wire'

/** One step of a product's effects. Spec: Product. */
const Effect = z.looseObject({
  name: z.string(),
  description: maybe(z.string()),
  type: maybe(z.string()),
  effect: maybe(z.string()),
})

const Dosage = z.looseObject({
  name: z.string(),
  quantity: maybe(z.number()),
  quantity_unit: maybe(z.union([z.string(), z.looseObject({ singular: z.string(), multiple: z.string() })])),
  serving_size: maybe(z.number()),
  serving_size_unit: maybe(z.string()),
  thc: maybe(z.number()),
  thc_unit: maybe(z.string()),
  cbd: maybe(z.number()),
  cbd_unit: maybe(z.string()),
})

/** `GET /api/v1.2/products/<uuid>/`, and the products inside a CaseID detail. Spec: Product. */
export const Product = z.looseObject({
  uuid: ShortUuid,
  name: z.string(),
  sku: maybe(z.string()),
  description: maybe(z.string()),
  label_name: maybe(z.string()),
  container_type: maybe(z.string()),
  published_on: maybe(z.string()),
  available_on: maybe(z.string()),
  discontinued_on: maybe(z.string()),
  added_on: maybe(DateTime),
  updated_on: maybe(DateTime),
  brand_uuid: maybe(ShortUuid),
  product_type: maybe(z.string()),
  usage: maybe(z.string()),
  variety: maybe(z.string()),
  strain: maybe(z.string()),
  product_line: maybe(z.string()),
  package_size: maybe(Measure),
  upc: maybe(z.string()),
  barcode: maybe(z.string()),
  servings: maybe(z.string()),
  serving_size: maybe(Measure),
  pieces_per_package: maybe(z.number().int()),
  expected_total_thc: maybe(Measure),
  expected_total_cbd: maybe(Measure),
  thc_cbd_ratio: maybe(z.string()),
  additional_ingredients: maybe(z.string()),
  special_diet: maybe(z.array(z.string())),
  allergen: maybe(z.array(z.string())),
  ingredients: maybe(z.array(z.looseObject({ name: z.string() }))),
  documents: maybe(z.array(MediaObject)),
  videos: maybe(z.array(MediaObject)),
  images: maybe(ImageSet),
  dosages: maybe(z.array(Dosage)),
  shelf_life: maybe(z.looseObject({ value: z.number().int(), unit: z.string() })),
  positive_effects: maybe(z.array(Effect)),
  negative_effects: maybe(z.array(Effect)),
  medical_uses: maybe(z.array(Effect)),
  is_hidden: maybe(z.boolean()),
})
export type Product = z.infer<typeof Product>

/** A product packaged from a batch, in the flat form of a CaseID detail. Spec: Packaged product. */
export const PackagedProduct = z.looseObject({
  uuid: ShortUuid,
  brand_uuid: maybe(ShortUuid),
  batch_uuid: maybe(ShortUuid),
  product_uuid: ShortUuid,
  regulatory_id: maybe(z.string()),
  packaged_on: maybe(z.string()),
  digital_coa_uuids: maybe(z.array(z.string())),
  batch_name: maybe(z.string()),
  use_by: maybe(z.string()),
})
export type PackagedProduct = z.infer<typeof PackagedProduct>

/** The brand inside a CaseID detail. Spec: Brand. */
export const Brand = z.looseObject({
  uuid: ShortUuid,
  name: z.string(),
  company: maybe(z.string()),
  slug: maybe(z.string()),
  description: maybe(z.string()),
  website: maybe(z.string()),
  state: maybe(z.string()),
  country: maybe(z.string()),
  images: maybe(ImageSet),
  updated_on: maybe(DateTime),
  enable_product_data_for_retail_inventory_ai: maybe(z.boolean()),
  reward_program_uuid: maybe(z.string()),
})
export type Brand = z.infer<typeof Brand>

/** The batch inside a CaseID detail. Spec: Batch. */
export const Batch = z.looseObject({
  uuid: ShortUuid,
  name: z.string(),
  regulatory_id: maybe(z.string()),
  produced_on: maybe(z.string()),
  brand_uuid: maybe(ShortUuid),
  updated_on: maybe(DateTime),
  digital_coa_uuids: maybe(z.array(z.string())),
  harvested_on: maybe(z.string()),
  extraction_method: maybe(z.string()),
  solvents: maybe(z.string()),
})
export type Batch = z.infer<typeof Batch>

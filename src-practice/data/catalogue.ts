import { z } from 'zod'
import { ContainerType, ProductType, Usage, Variety } from '../../src-shared/service/allowed-values'
import { Day, Id, Measure, MediaName, Moment, Name, Picture, Text, list } from './fields'

/** Spec: Brand video. `file` is in the pictures folder. */
const BrandVideoData = z.strictObject({
  file: MediaName,
  description: Text,
  length_in_minutes: z.number().nullable().default(null),
  video_source_link: Text,
})

/** Spec: Brand. */
export const BrandData = z.strictObject({
  uuid: Id,
  name: Name,
  company_uuid: Id,
  slug: Text,
  description: Text,
  website: Text,
  state: Text,
  country: z.string().default('US'),
  address: Text,
  updated_on: Moment,
  picture: Picture,
  brand_video: BrandVideoData.nullable().default(null),
  /** Whether the brand's products may carry `ingredient_printing_data`. */
  ingredient_printing: z.boolean().default(false),
  enable_product_data_for_retail_inventory_ai: z.boolean().default(false),
  reward_program_uuid: Id.nullable().default(null),
})
export type BrandData = z.infer<typeof BrandData>

const Effect = z.strictObject({ name: Name, description: Text, type: Text, effect: Text })

const Dosage = z.strictObject({
  name: Name,
  quantity: z.number(),
  quantity_unit: z.strictObject({ singular: z.string(), multiple: z.string() }),
  serving_size: z.number().nullable().default(null),
  serving_size_unit: Text,
  thc: z.number().nullable().default(null),
  thc_unit: Text,
  cbd: z.number().nullable().default(null),
  cbd_unit: Text,
})

/** Spec: Product. Coded values (`FLOWER`, `R`, `HYB`) as in requests. */
export const ProductData = z.strictObject({
  uuid: Id,
  brand_uuid: Id,
  sku: Name,
  name: Name,
  description: Text,
  label_type: Text,
  label_name: Text,
  container_type: ContainerType.nullable().default(null),
  published_on: Day.nullable().default(null),
  available_on: Day.nullable().default(null),
  discontinued_on: Day.nullable().default(null),
  added_on: Moment.nullable().default(null),
  updated_on: Moment,
  product_type: ProductType,
  usage: Usage.nullable().default('R'),
  variety: Variety.nullable().default(null),
  strain: Text,
  chemotype: z.string().optional(),
  product_line: Text,
  package_size: Measure,
  upc: Text,
  barcode: Text,
  servings: Text,
  serving_size: Measure.nullable().default(null),
  gross_weight: Measure.nullable().default(null),
  product_packaging_approval_number: Text,
  pieces_per_package: z.number().int().nullable().default(null),
  additional_ingredients: Text,
  expected_total_thc: Measure.nullable().default(null),
  expected_total_cbd: Measure.nullable().default(null),
  thc_cbd_ratio: Text,
  tests_description: Text,
  about_ingredients: Text,
  special_diet: list(z.string()),
  allergen: list(z.string()),
  allergen_statement: z.string().optional(),
  special_diet_statement: z.string().optional(),
  hide_allergens_display: z.boolean().default(false),
  hide_special_diets: z.boolean().default(false),
  testing_methodology: Text,
  usage_recommendation: Text,
  ingredients: list(z.strictObject({ name: Name })),
  dosages: list(Dosage),
  shelf_life: z.strictObject({ value: z.number().int(), unit: z.string() }).nullable().default(null),
  positive_effects: list(Effect),
  negative_effects: list(Effect),
  medical_uses: list(Effect),
  is_hidden: z.boolean().default(false),
  /** Used in all three places of the image set. */
  picture: Picture,
  /** Ids of assets: images, videos and files. */
  supplemental_photos: list(Id),
  videos: list(Id),
  documents: list(Id),
})
export type ProductData = z.infer<typeof ProductData>

/** Spec: Packaged product. Its brand and batch are those of the batch that lists it. */
export const PackagedProductData = z.strictObject({
  uuid: Id,
  product_uuid: Id,
  regulatory_id: z.string().nullable().default(null),
  packaged_on: Day.nullable().default(null),
  use_by: Day.nullable().default(null),
  digital_coa_uuids: list(Id),
})
export type PackagedProductData = z.infer<typeof PackagedProductData>

/** Spec: Batch. */
export const BatchData = z.strictObject({
  uuid: Id,
  name: Name,
  brand_uuid: Id,
  regulatory_id: Text,
  produced_on: Moment.nullable().default(null),
  updated_on: Moment,
  harvested_on: Day.nullable().default(null),
  extraction_method: Text,
  solvents: Text,
  digital_coa_uuids: list(Id),
  packaged_products: list(PackagedProductData),
})
export type BatchData = z.infer<typeof BatchData>

/** Spec: Testing laboratory. */
export const LaboratoryData = z.strictObject({
  uuid: Id,
  name: Name,
  logo_url: Text,
  street_address_1: Text,
  street_address_2: Text,
  city: Text,
  state: Text,
  postal_code: Text,
})
export type LaboratoryData = z.infer<typeof LaboratoryData>

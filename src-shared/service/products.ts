import { z } from 'zod'
import { BrandV15 } from './brands'
import { DateTime, ImageSet, longIds, maybe, Measure, MediaObject, paged, ReadDate, shortIds } from './wire'

const Dosage = z.looseObject({
  name: z.string(),
  quantity: maybe(z.number()),
  /** A text; in v1.2 an object with both forms of the word. */
  quantity_unit: maybe(z.union([z.string(), z.looseObject({ singular: z.string(), multiple: z.string() })])),
  serving_size: maybe(z.number()),
  serving_size_unit: maybe(z.string()),
  thc: maybe(z.number()),
  thc_unit: maybe(z.string()),
  cbd: maybe(z.number()),
  cbd_unit: maybe(z.string()),
})

/** The product fields that both versions show. Spec: Product. */
const productFields = <Id extends z.ZodType>({ id }: { id: Id }) => ({
  uuid: id,
  name: z.string(),
  sku: maybe(z.string()),
  /** HTML: never shown as is. */
  description: maybe(z.string()),
  label_name: maybe(z.string()),
  container_type: maybe(z.string()),
  published_on: maybe(ReadDate),
  available_on: maybe(ReadDate),
  discontinued_on: maybe(ReadDate),
  added_on: maybe(DateTime),
  updated_on: maybe(DateTime),
  brand_uuid: maybe(id),
  /** A code in v1.5, a display name in v1.2; so are `usage` and `variety`. */
  product_type: maybe(z.string()),
  usage: maybe(z.string()),
  variety: maybe(z.string()),
  strain: maybe(z.string()),
  /** For brands in New Jersey. */
  chemotype: maybe(z.string()),
  product_line: maybe(z.string()),
  package_size: maybe(Measure),
  upc: maybe(z.string()),
  barcode: maybe(z.string()),
  /** A number as text. */
  servings: maybe(z.string()),
  serving_size: maybe(Measure),
  /** For brands in Arizona. */
  gross_weight: maybe(Measure),
  /** For brands in Missouri. */
  product_packaging_approval_number: maybe(z.string()),
  pieces_per_package: maybe(z.number().int()),
  additional_ingredients: maybe(z.string()),
  expected_total_cbd: maybe(Measure),
  expected_total_thc: maybe(Measure),
  thc_cbd_ratio: maybe(z.string()),
  about_ingredients: maybe(z.string()),
  special_diet: maybe(z.array(z.string())),
  allergen: maybe(z.array(z.string())),
  /** Present only if filled, like `special_diet_statement`. */
  allergen_statement: maybe(z.string()),
  special_diet_statement: maybe(z.string()),
  testing_methodology: maybe(z.string()),
  usage_recommendation: maybe(z.string()),
  ingredients: maybe(z.array(z.looseObject({ name: z.string() }))),
  documents: maybe(z.array(MediaObject)),
  videos: maybe(z.array(MediaObject)),
  images: maybe(ImageSet),
  dosages: maybe(z.array(Dosage)),
})

/** One of a product's effects as `/api/v1.2` shows it. Spec: Product. */
const Effect = z.looseObject({
  name: z.string(),
  description: maybe(z.string()),
  type: maybe(z.string()),
  effect: maybe(z.string()),
})

/** `GET /api/v1.2/products/<uuid>/`, and the products inside a CaseID detail of `/api/v1.2`. Spec: Product. */
export const Product = z.looseObject({
  ...productFields(shortIds),
  shelf_life: maybe(z.looseObject({ value: z.number().int(), unit: z.string() })),
  positive_effects: maybe(z.array(Effect)),
  negative_effects: maybe(z.array(Effect)),
  medical_uses: maybe(z.array(Effect)),
  is_hidden: maybe(z.boolean()),
})
export type Product = z.infer<typeof Product>

/**
 * `GET /api/v1.5/products/<uuid>/`, and the products inside batches and CaseID details of `/api/v1.5`. The detail nests
 * its brand; the other forms refer to it by `brand_uuid`, and the CaseID detail adds the totals and the effects. Spec:
 * Product.
 */
export const ProductV15 = z.looseObject({
  ...productFields(longIds),
  label_type: maybe(z.string()),
  brand: maybe(BrandV15),
  tests_description: maybe(z.string()),
  is_published: maybe(z.boolean()),
  total_thc: maybe(Measure),
  total_cbd: maybe(Measure),
  positive_effects: maybe(z.array(z.string())),
  negative_effects: maybe(z.array(z.string())),
  medical_uses: maybe(z.array(z.string())),
})
export type ProductV15 = z.infer<typeof ProductV15>

/** An entry of the list of products. Spec: Product, "List item (v1.5)". */
export const ProductEntry = z.looseObject({
  uuid: longIds.id,
  name: z.string(),
  sku: maybe(z.string()),
  product_type: maybe(z.string()),
  is_published: maybe(z.boolean()),
  brand_uuid: maybe(longIds.id),
})
export type ProductEntry = z.infer<typeof ProductEntry>

/** One page of `GET /api/v1.5/products/`. */
export const ProductPage = paged(ProductEntry)

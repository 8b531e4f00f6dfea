import { z } from 'zod'
import { BrandV15 } from './brands'
import { paged } from './paging'
import { productFields } from './product-fields'
import { Measure, maybe } from './wire'
import { longIds, shortIds } from './wire-ids'

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

import { z } from 'zod'
import {
  Chemotype,
  ContainerType,
  isPortioned,
  PotencyUnit,
  ProductType,
  SizeUnit,
  ThcCbdRatio,
  Usage,
  Variety,
} from './allowed-values'
import { Base64, Day, LongUuid, NumberText, Prose, TextLine, WrittenName, writtenText } from './wire'

/**
 * A measure as written, in one of the given units; the value is a number or a number as text. Spec: Endpoints >
 * Products > Product request fields.
 */
const measureIn = <Unit extends z.ZodType>(unit: Unit) =>
  z.strictObject({ name: TextLine.optional(), value: z.union([NumberText, z.number().nonnegative()]), unit })

export const SizeMeasure = measureIn(SizeUnit)
export const PotencyMeasure = measureIn(PotencyUnit)

const LongText = writtenText(5_000)

const required = { name: WrittenName, product_type: ProductType, package_size: SizeMeasure }

/** Null clears a date or a number that the resource shows as "or null". */
const optional = z
  .strictObject({
    sku: TextLine,
    label_name: TextLine,
    container_type: ContainerType,
    available_on: Day.nullable(),
    discontinued_on: Day.nullable(),
    usage: Usage,
    variety: Variety,
    strain: TextLine,
    /** For brands in New Jersey. */
    chemotype: Chemotype,
    product_line: TextLine,
    upc: TextLine,
    barcode: TextLine,
    servings: NumberText,
    serving_size: SizeMeasure,
    expected_total_cbd: PotencyMeasure,
    expected_total_thc: PotencyMeasure,
    thc_cbd_ratio: ThcCbdRatio,
    /** For brands in Missouri. */
    product_packaging_approval_number: TextLine,
    additional_ingredients: LongText,
    pieces_per_package: z.int32().nonnegative().nullable(),
    allergen_statement: LongText,
    special_diet_statement: LongText,
    hide_allergens_display: z.boolean(),
    hide_special_diets: z.boolean(),
    /** Only if enabled for the brand; the specification does not show its type. */
    ingredient_printing_data: z.unknown(),
    /** HTML. */
    description: Prose,
    photo_thumbnail: Base64,
    photo_primary: Base64,
    photo_banner: Base64,
    description_asset_uuid: LongUuid,
    photo_thumbnail_asset_uuid: LongUuid,
    photo_banner_asset_uuid: LongUuid,
    photo_primary_asset_uuid: LongUuid,
  })
  .partial().shape

interface Portions {
  product_type: string
  servings?: unknown
  serving_size?: unknown
}

/**
 * The missing fields of a product of its type: `servings` and `serving_size` are required for products that are eaten,
 * drunk or dosed.
 */
export const missingPortions = (product: Portions): ('servings' | 'serving_size')[] =>
  isPortioned(product.product_type)
    ? (['servings', 'serving_size'] as const).filter((field) => product[field] == null)
    : []

const hasPortions = (product: Portions, context: z.RefinementCtx<Portions>) => {
  for (const field of missingPortions(product)) {
    context.addIssue({ code: 'custom', path: [field], message: `is required for ${product.product_type}` })
  }
}

/** Body of `POST /api/v1.5/products/create/`. Without a brand, the product gets the account's default brand. */
export const ProductCreate = z
  .strictObject({ ...required, ...optional, brand_uuid: LongUuid.optional() })
  .superRefine(hasPortions)
export type ProductCreate = z.infer<typeof ProductCreate>

/** Body of `PUT /api/v1.5/products/<uuid>/update/`: the whole product. Its brand can't be changed. */
export const ProductUpdate = z.strictObject({ ...required, ...optional }).superRefine(hasPortions)
export type ProductUpdate = z.infer<typeof ProductUpdate>

/**
 * Body of `PATCH /api/v1.5/products/<uuid>/update/`: only the fields to change. Only the service can tell whether the
 * changed product still has its portions: see `missingPortions`.
 */
export const ProductPatch = z.strictObject({ ...z.strictObject(required).partial().shape, ...optional })
export type ProductPatch = z.infer<typeof ProductPatch>

/** Body of the six requests that attach an asset to a product or detach it. Spec: Endpoints > Products (v1.5). */
export const AssetReference = z.strictObject({ uuid: LongUuid })
export type AssetReference = z.infer<typeof AssetReference>

/** What a product needs to be published. Spec: States and transitions. */
export const publishNeeds = ['description', 'usage', 'photo_thumbnail', 'photo_banner', 'photo_primary'] as const

import { z } from 'zod'
import { BrandVideo, DateTime, ImageSet, longIds, maybe, shortIds } from './wire'

const brandFields = <Id extends z.ZodType>({ id }: { id: Id }) => ({
  uuid: id,
  name: z.string(),
  company: maybe(z.string()),
  slug: maybe(z.string()),
  description: maybe(z.string()),
  website: maybe(z.string()),
  updated_on: maybe(DateTime),
  state: maybe(z.string()),
  country: maybe(z.string()),
  images: maybe(ImageSet),
  brand_video: maybe(BrandVideo),
  /** May contain line breaks. */
  address: maybe(z.string()),
})

/** The brand inside a CaseID detail of `/api/v1.2`. Spec: Brand. */
export const Brand = z.looseObject({
  ...brandFields(shortIds),
  enable_product_data_for_retail_inventory_ai: maybe(z.boolean()),
  reward_program_uuid: maybe(z.string()),
})
export type Brand = z.infer<typeof Brand>

/** `GET /api/v1.5/brands/<uuid>/`, and the brands inside v1.5 products and CaseID details. Spec: Brand. */
export const BrandV15 = z.looseObject(brandFields(longIds))
export type BrandV15 = z.infer<typeof BrandV15>

/** An entry of the list of brands; `state` is the US state where it operates. Spec: Brand, "List item". */
export const BrandEntry = z.looseObject({ uuid: longIds.id, name: z.string(), state: maybe(z.string()) })
export type BrandEntry = z.infer<typeof BrandEntry>

/** `GET /api/v1.5/brands/`: all brands of the caller's company, not paged. */
export const BrandList = z.array(BrandEntry)

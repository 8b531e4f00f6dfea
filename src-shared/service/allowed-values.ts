import { z } from 'zod'

/**
 * The values that requests may carry, one list for client and practice service; product types are in
 * `product-types.ts`. Reading accepts any text, because the service may add values. Spec: Product > Allowed values;
 * Asset.
 */

/** Unit of `package_size` and `serving_size`. */
export const SizeUnit = z.enum(['milligram', 'gram', 'milliliter', 'liter', 'ounces', 'pounds'])

/** Unit of `expected_total_cbd` and `expected_total_thc`. */
export const PotencyUnit = z.enum([
  'percentage',
  'milligram_per_gram',
  'microgram_per_gram',
  'parts_per_million',
  'milligram_per_kilogram',
  'milligram_per_milliliter',
  'gram_per_milliliter',
  'parts_per_billion',
  'water_activity',
  'ph',
  'cfu_per_gram',
])

/** Recreational, medical. */
export const Usage = z.enum(['R', 'M'])

/** HSD is sativa dominant, HID indica dominant. */
export const Variety = z.enum([
  'IND',
  'STV',
  'HYB',
  'HSD',
  'HID',
  'CBD',
  'CBN',
  'CBN_CBD_THC',
  'CBG_CBD_THC',
  'THCV_CBD_THC',
  'CBD_THC',
])

/** For brands in New Jersey. */
export const Chemotype = z.enum([
  'high_thc_high_cbd',
  'high_thc_moderate_cbd',
  'high_thc_low_cbd',
  'moderate_thc_high_cbd',
  'moderate_thc_moderate_cbd',
  'moderate_thc_low_cbd',
  'low_thc_high_cbd',
  'low_thc_moderate_cbd',
  'low_thc_low_cbd',
])

export const ContainerType = z.enum(['bottle', 'can', 'capsule', 'cartridge', 'jar', 'pen', 'pouch', 'syringe', 'tube'])

/** THC and CBD around a colon, with no space or one on each side of it: `20:1`, `20 : 1`, `0.5 :1`. */
export const ThcCbdRatio = z
  .string()
  .max(40)
  .regex(/^\d+(\.\d+)? ?: ?\d+(\.\d+)?$/, {
    message: 'is not two numbers around a colon with at most one space a side',
  })

/** The purpose of a text asset. */
export const TextUsage = z.enum(['description', 'usage_recommendation', 'testing_methodology', 'about_ingredients'])

/** Path value `<asset_type>`. */
export const AssetType = z.enum(['texts', 'images', 'videos', 'files'])
export type AssetType = z.infer<typeof AssetType>

/** Known types of collections; the specification does not show a full list. Spec: Collection. */
export const seenCollectionTypes = ['order', 'case', 'regulator', 'origin', 'collection'] as const

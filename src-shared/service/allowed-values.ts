import { z } from 'zod'

/**
 * Unit of `package_size` and `serving_size`. The lists of this file are the values that requests may carry, for client
 * and practice service. Reading accepts any text, because the service may add values. Spec: Product > Allowed values;
 * Asset.
 */
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

/** The codes of all product types. Spec: Product > Allowed values. */
export const productTypes = [
  'BADDER',
  'BALM',
  'BATH_BOMB',
  'BATH_SALTS',
  'BHO',
  'BLUNT',
  'BODY_OIL',
  'BREATH_STRIPS',
  'BROWNIE',
  'BUBBLE_HASH',
  'BUCCAL_POUCHES',
  'BUDDER',
  'CAPSULE',
  'CBD_CIGARETTES',
  'CHEW',
  'CHOCOLATE',
  'CIGARETTE',
  'CLEANSER',
  'CO2_OIL',
  'COFFEE_POD',
  'CONCENTRATE',
  'COOKIE',
  'COOKING_OIL',
  'CRACKER',
  'CREAM',
  'CRUMBLE',
  'CRUSHED_DIAMONDS',
  'CURED_BUDDER',
  'CURED_CRUMBLE',
  'CURED_SUGAR',
  'CURED_SUGAR_AND_SAUCE',
  'DECARB_OIL',
  'DIAMONDS',
  'DISPOSABLE_VAPE',
  'DISSOLVABLE',
  'DISTILLATE',
  'DRINK_MIX',
  'DRY_HERB_VAPE',
  'E_LIQUID',
  'EDIBLE',
  'EXTRACT',
  'FACE_MASK',
  'FLOWER',
  'GEL',
  'GRANOLA',
  'GUMMY',
  'HARD_CANDY',
  'HASH',
  'HONEY',
  'HONEY_OIL_EXTRACT',
  'INFUSED_BEER',
  'INFUSED_BEVERAGE',
  'INFUSED_BLUNT',
  'INFUSED_CARBONATED_BEVERAGE',
  'INFUSED_FLOWER',
  'INFUSED_PREROLL',
  'INFUSED_ROLLING_PAPER',
  'INHALER',
  'JOINT',
  'KIEF',
  'LIVE_BUDDER',
  'LIVE_DIAMONDS_AND_SAUCE',
  'LIVE_RESIN',
  'LIVE_ROSIN',
  'LIVE_SAUCE',
  'LIVE_SUGAR',
  'LIVE_SUGAR_AND_SAUCE',
  'LOZENGES',
  'LUBE',
  'MASSAGE_OIL',
  'MINTS',
  'MOON_ROCKS',
  'NANO_INFUSED_EDIBLE',
  'NANO_INFUSED_GUMMY',
  'NANO_INFUSED_LIQUID',
  'NANO_INFUSED_PREROLL',
  'OIL',
  'PHO',
  'PRE_GROUND',
  'PRE_ROLLS',
  'RESIN',
  'ROLLER_BALL_GEL_PEN',
  'ROSIN',
  'RSO_OIL',
  'SALVE',
  'SAUCE',
  'SHAKE',
  'SHATTER',
  'SPREAD',
  'SUBLINGUAL',
  'SUBLINGUAL_SPRAY',
  'SUBLINGUAL_TABLET',
  'SUGAR',
  'SUPPOSITORY',
  'SYRINGE',
  'TABLET',
  'TEA',
  'TERPENE_SAUCE',
  'TINCTURE',
  'TOPICAL_CREAM',
  'TRANSDERMAL_GEL',
  'TRANSDERMAL_PATCH',
  'TROCHE',
  'VAPE',
  'WAX',
] as const

export const ProductType = z.enum(productTypes)
export type ProductType = z.infer<typeof ProductType>

/** The types for which a request must give `servings` and `serving_size`. Spec: Product > Allowed values. */
export const portionedProductTypes = [
  'BREATH_STRIPS',
  'BROWNIE',
  'CAPSULE',
  'CHEW',
  'CHOCOLATE',
  'COFFEE_POD',
  'COOKIE',
  'COOKING_OIL',
  'CRACKER',
  'CREAM',
  'DISSOLVABLE',
  'DRINK_MIX',
  'EDIBLE',
  'GRANOLA',
  'GUMMY',
  'HARD_CANDY',
  'HONEY',
  'INFUSED_BEER',
  'INFUSED_BEVERAGE',
  'INFUSED_CARBONATED_BEVERAGE',
  'INHALER',
  'LOZENGES',
  'NANO_INFUSED_EDIBLE',
  'NANO_INFUSED_GUMMY',
  'SPREAD',
  'SUBLINGUAL',
  'SUBLINGUAL_SPRAY',
  'SUBLINGUAL_TABLET',
  'SUGAR',
  'SUPPOSITORY',
  'TABLET',
  'TEA',
  'TINCTURE',
  'TRANSDERMAL_PATCH',
] as const satisfies readonly ProductType[]

const portioned: ReadonlySet<string> = new Set(portionedProductTypes)

/** Whether a product of this type needs `servings` and `serving_size`. */
export const isPortioned = (productType: string): boolean => portioned.has(productType)

import { z } from 'zod'

/** Spec: Product > Allowed values. Requests carry the codes; the v1.2 payloads show names. */

const productTypes =
  `BADDER BALM BATH_BOMB BATH_SALTS BHO BLUNT BODY_OIL BREATH_STRIPS BROWNIE BUBBLE_HASH BUCCAL_POUCHES BUDDER CAPSULE
  CBD_CIGARETTES CHEW CHOCOLATE CIGARETTE CLEANSER CO2_OIL COFFEE_POD CONCENTRATE COOKIE COOKING_OIL CRACKER CREAM CRUMBLE
  CRUSHED_DIAMONDS CURED_BUDDER CURED_CRUMBLE CURED_SUGAR CURED_SUGAR_AND_SAUCE DECARB_OIL DIAMONDS DISPOSABLE_VAPE
  DISSOLVABLE DISTILLATE DRINK_MIX DRY_HERB_VAPE E_LIQUID EDIBLE EXTRACT FACE_MASK FLOWER GEL GRANOLA GUMMY HARD_CANDY HASH
  HONEY HONEY_OIL_EXTRACT INFUSED_BEER INFUSED_BEVERAGE INFUSED_BLUNT INFUSED_CARBONATED_BEVERAGE INFUSED_FLOWER
  INFUSED_PREROLL INFUSED_ROLLING_PAPER INHALER JOINT KIEF LIVE_BUDDER LIVE_DIAMONDS_AND_SAUCE LIVE_RESIN LIVE_ROSIN
  LIVE_SAUCE LIVE_SUGAR LIVE_SUGAR_AND_SAUCE LOZENGES LUBE MASSAGE_OIL MINTS MOON_ROCKS NANO_INFUSED_EDIBLE
  NANO_INFUSED_GUMMY NANO_INFUSED_LIQUID NANO_INFUSED_PREROLL OIL PHO PRE_GROUND PRE_ROLLS RESIN ROLLER_BALL_GEL_PEN ROSIN
  RSO_OIL SALVE SAUCE SHAKE SHATTER SPREAD SUBLINGUAL SUBLINGUAL_SPRAY SUBLINGUAL_TABLET SUGAR SUPPOSITORY SYRINGE TABLET
  TEA TERPENE_SAUCE TINCTURE TOPICAL_CREAM TRANSDERMAL_GEL TRANSDERMAL_PATCH TROCHE VAPE WAX`.split(/\s+/)

export const ProductType = z.enum(productTypes)
export const Usage = z.enum(['R', 'M'])
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
export const ContainerType = z.enum(['bottle', 'can', 'capsule', 'cartridge', 'jar', 'pen', 'pouch', 'syringe', 'tube'])

const usageNames: Record<z.infer<typeof Usage>, string> = { R: 'Recreational', M: 'Medical' }

const varietyNames: Partial<Record<z.infer<typeof Variety>, string>> = {
  IND: 'Indica',
  STV: 'Sativa',
  HYB: 'Hybrid',
  HSD: 'Sativa dominant',
  HID: 'Indica dominant',
}

/** Names whose capitals or hyphens the general rule below would get wrong. */
const unruly: Record<string, string> = {
  BHO: 'BHO',
  CBD_CIGARETTES: 'CBD cigarettes',
  CO2_OIL: 'CO2 oil',
  INFUSED_PREROLL: 'Infused pre-roll',
  NANO_INFUSED_PREROLL: 'Nano infused pre-roll',
  PHO: 'PHO',
  PRE_ROLLS: 'Pre-rolls',
  RSO_OIL: 'RSO oil',
}

export const usageName = (code: z.infer<typeof Usage>): string => usageNames[code]

/** The blends (`CBG_CBD_THC`) are named by their parts. */
export const varietyName = (code: z.infer<typeof Variety>): string => varietyNames[code] ?? code.replaceAll('_', '/')

export const productTypeName = (code: string): string =>
  unruly[code] ?? code.charAt(0) + code.slice(1).toLowerCase().replaceAll('_', ' ')

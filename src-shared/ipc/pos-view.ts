import { z } from 'zod'
import { PackageUid, ShortUuid } from '../ids'

/** An id or name in the POS: remembered from imports, or loaded from the POS catalogue, never guessed. */
export const PosText = z.string().trim().min(1).max(100)

/** One product in one package, whose POS ids are wanted. */
export const PosPair = z.object({ productId: ShortUuid, packageUid: PackageUid })
export type PosPair = z.infer<typeof PosPair>

/** A suggested value and its source: `remembered` at `at` (ISO 8601), or line `line` of the catalogue. */
export const Suggestion = z.object({
  value: z.string(),
  source: z.enum(['remembered', 'catalogue']),
  /** True if it is for this very package, false if for the product in another one. */
  isOfPackage: z.boolean(),
  /** It is certainly for this product: if it is the only suggestion, it is filled in without asking. */
  isCertain: z.boolean(),
  at: z.iso.datetime(),
  line: z.number().int().positive().nullable(),
})
export type Suggestion = z.infer<typeof Suggestion>

/** Suggestions for each field, best first. A single certain one is filled in; from others a person chooses. */
export const Prefill = PosPair.extend({
  posProductId: z.array(Suggestion),
  posInventoryId: z.array(Suggestion),
  sku: z.array(Suggestion),
})
export type Prefill = z.infer<typeof Prefill>

/** A row of the POS catalogue. `line`: its number in the file. */
export const CatalogueRow = z.object({
  line: z.number().int().positive(),
  packageUid: PosText.nullable(),
  productName: PosText.nullable(),
  posProductId: PosText,
  posInventoryId: PosText.nullable(),
  sku: PosText.nullable(),
})
export type CatalogueRow = z.infer<typeof CatalogueRow>

export const CatalogueView = z.object({
  fileName: z.string(),
  loadedAt: z.iso.datetime(),
  rows: z.number().int().nonnegative(),
})
export type CatalogueView = z.infer<typeof CatalogueView>

/** Larger catalogues are refused. */
export const mostCatalogueRows = 250_000

/** A catalogue is sent in parts, in order; `start` rows were sent before. The last part replaces the old catalogue. */
export const CataloguePart = z.object({
  fileName: z.string().trim().min(1).max(300),
  start: z.number().int().nonnegative(),
  rows: z.array(CatalogueRow).max(300),
  isLast: z.boolean(),
})
export type CataloguePart = z.infer<typeof CataloguePart>

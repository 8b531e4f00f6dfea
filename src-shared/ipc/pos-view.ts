import { z } from 'zod'
import { PackageUid, ShortUuid } from '../ids'

/** What the POS calls things: remembered from imports, or loaded from the POS's catalogue. Never guessed. */

/** A text that the POS knows something by. */
export const PosText = z.string().trim().min(1).max(100)

/** Whose ids are asked for: one product in one package. */
export const PosPair = z.object({ productId: ShortUuid, packageUid: PackageUid })
export type PosPair = z.infer<typeof PosPair>

/** A value that may be meant, and where it comes from: `remembered` at `at` (ISO 8601), or line `line` of the catalogue. */
export const Suggestion = z.object({
  value: z.string(),
  source: z.enum(['remembered', 'catalogue']),
  /** Whether it was of this very package, or of the product in another one. */
  isOfPackage: z.boolean(),
  /** It is of this very product as far as anybody can tell: alone, it may be filled in without asking. */
  isCertain: z.boolean(),
  at: z.iso.datetime(),
  line: z.number().int().positive().nullable(),
})
export type Suggestion = z.infer<typeof Suggestion>

/** For each field none, one that is filled in and marked if it is certain, or several that a person chooses from; best first. */
export const Prefill = PosPair.extend({
  posProductId: z.array(Suggestion),
  posInventoryId: z.array(Suggestion),
  sku: z.array(Suggestion),
})
export type Prefill = z.infer<typeof Prefill>

/** A line of the POS's catalogue. `line` is its number in the file. */
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

/** More rows than any shop sells products: a catalogue with more is refused. */
export const mostCatalogueRows = 250_000

/** A catalogue comes in parts, in order: `start` rows came before these. The last part replaces the one before. */
export const CataloguePart = z.object({
  fileName: z.string().trim().min(1).max(300),
  start: z.number().int().nonnegative(),
  rows: z.array(CatalogueRow).max(300),
  isLast: z.boolean(),
})
export type CataloguePart = z.infer<typeof CataloguePart>

import { z } from 'zod'

/**
 * What is known of an item before it is sold or brought back. `returnable`: in a return, and sold as the service or this
 * station knows; `not-sold`: in a return, and the service doesn't show it as sold; `sale-unknown`: in a return, and nothing
 * is known of a sale; `in-open-order`: in
 * another order that is being filled; `sold`: by an order of this station, or (`orderId` null) at another till;
 * `refused-order`: in a sale that the service refused; `sister-store`: in the inventory of another dispensary of our company;
 * `other-company`: in an inventory that the service doesn't name; `looking`: being asked; `unchecked`: the service could not
 * be asked. The specification has no recalls: an unpublished product is the nearest it says.
 */
export const VerdictKind = z.enum([
  'sellable',
  'returnable',
  'not-sold',
  'sale-unknown',
  'looking',
  'unchecked',
  'in-open-order',
  'sold',
  'refused-order',
  'sister-store',
  'other-company',
  'not-imported',
  'removed-from-case',
  'certificate-failed',
  'certificate-expired',
  'past-use-by',
  'product-unpublished',
  'counterfeit',
  'unknown',
])
export type VerdictKind = z.infer<typeof VerdictKind>

/** What the counter does: takes it, takes it with a warning, takes it with the manager's PIN and a reason, refuses it. */
export const VerdictLevel = z.enum(['ok', 'warn', 'pin', 'refuse'])
export type VerdictLevel = z.infer<typeof VerdictLevel>

/** One thing that is known of an item, and what its words need. */
export const Reason = z.object({
  kind: VerdictKind,
  /** If it is remembered: when the service said so. Null if it was asked now, or if only this station knows it. */
  asOf: z.iso.datetime().nullable(),
  /** The order that holds the item, or that it came back from. */
  orderId: z.string().nullable(),
  /** When it was sold; when its certificate or use-by date ended. As the service gives it. */
  at: z.string().nullable(),
  /** The sister store. */
  dispensary: z.string().nullable(),
  /** It was sold by this station before and came back. */
  past: z.enum(['returned', 'voided']).nullable(),
  /** Its case can be imported by this station. */
  canImport: z.boolean(),
})
export type Reason = z.infer<typeof Reason>

/** Why an item can't be sold: the gravest reason, and what else speaks against it at the same level. */
export const VerdictReasons = Reason.extend({
  /** An approval covers only what is named here and in `kind`. Since 0.2. */
  also: z.array(Reason).default([]),
})
export type VerdictReasons = z.infer<typeof VerdictReasons>

export const Verdict = VerdictReasons.extend({ level: VerdictLevel })
export type Verdict = z.infer<typeof Verdict>

/** The reasons whose level a manager may set, in the order in which Settings lists them. */
export const VerdictRule = VerdictKind.extract([
  'sold',
  'sister-store',
  'other-company',
  'not-imported',
  'removed-from-case',
  'certificate-failed',
  'certificate-expired',
  'past-use-by',
  'product-unpublished',
  'counterfeit',
  'unknown',
  'not-sold',
])
export type VerdictRule = z.infer<typeof VerdictRule>

/** The levels of a station that has set none. */
export const usualLevels: Record<VerdictRule, VerdictLevel> = {
  sold: 'refuse',
  'sister-store': 'refuse',
  'other-company': 'refuse',
  'not-imported': 'warn',
  'removed-from-case': 'refuse',
  'certificate-failed': 'refuse',
  'certificate-expired': 'pin',
  'past-use-by': 'pin',
  'product-unpublished': 'warn',
  counterfeit: 'refuse',
  unknown: 'refuse',
  'not-sold': 'pin',
}

/** The levels that a manager set; the others are the usual ones. */
export const VerdictLevels = z.partialRecord(VerdictRule, VerdictLevel)
export type VerdictLevels = z.infer<typeof VerdictLevels>

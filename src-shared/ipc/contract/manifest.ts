import { z } from 'zod'
import { CaseId, DeliveryId, ManifestId, PackageUid, ShortUuid } from '../../ids'
import { call, done, nothing } from './call'

const ManifestText = z.string().trim().min(1).max(100)
const Amount = z.number().int().nonnegative()

/** More lines are refused: a truck holds fewer. */
export const mostManifestLines = 5_000

/** What a manifest says of a product in a package. `line`: its number in the file; `lines`: how many were added up. */
export const ManifestRow = z.object({
  line: z.number().int().positive(),
  packageUid: PackageUid,
  productName: ManifestText.nullable(),
  sku: ManifestText.nullable(),
  posProductId: ManifestText.nullable(),
  /** Items; null if the file gives no number that can be read. */
  count: Amount.nullable(),
  lines: z.number().int().positive(),
})
export type ManifestRow = z.infer<typeof ManifestRow>

/** A manifest is sent in parts, in order; `start` rows were sent before. The last part puts it in force. */
export const ManifestPart = z.object({
  fileName: z.string().trim().min(1).max(300),
  start: Amount,
  rows: z.array(ManifestRow).max(300),
  /** Lines of the file that could not be read. */
  leftOut: Amount,
  isLast: z.boolean(),
})
export type ManifestPart = z.infer<typeof ManifestPart>

/** A product that a package of the delivery holds. */
export const ManifestProduct = z.object({ productId: ShortUuid, productName: z.string(), count: Amount })
export type ManifestProduct = z.infer<typeof ManifestProduct>

/** What of a line, or of all lines of a package, is in the delivery. */
export const ManifestState = z.discriminatedUnion('kind', [
  /** The package isn't in the delivery; or of a line: some of its cases are, but nothing of the line, which may still come. */
  z.object({ kind: z.literal('missing') }),
  /** The package is here, but it is not known yet, or not wholly, what it holds. */
  z.object({ kind: z.literal('unread') }),
  /** Here, with as many items as the manifest says, if it says. */
  z.object({ kind: z.literal('here') }),
  z.object({
    kind: z.literal('short'),
    /** 0 of a package if the manifest doesn't say of how many items nothing is here. */
    by: z.number().int().nonnegative(),
    /** Only cases of the package were scanned, not the package: the others may still come. */
    isPartly: z.literal(true).optional(),
  }),
  z.object({ kind: z.literal('over'), by: z.number().int().positive() }),
  /** The package holds no product that is certainly the line's: these are in their place. */
  z.object({ kind: z.literal('other-product'), instead: z.array(ManifestProduct) }),
])
export type ManifestState = z.infer<typeof ManifestState>

/** By what a product of the package is the line's. `said`: a person said so. */
export const MatchedBy = z.enum(['said', 'sku', 'pos-id', 'name'])
export type MatchedBy = z.infer<typeof MatchedBy>

/** By what a product of the package is probably the line's: a person confirms it. */
export const ProposedBy = z.enum(['prefix', 'sku', 'name'])
export type ProposedBy = z.infer<typeof ProposedBy>

export const ManifestLine = ManifestRow.omit({ packageUid: true }).extend({
  state: ManifestState,
  /** Items in the delivery: those counted if a count of their case is finished (`isCounted`), else those its case lists. */
  found: Amount.nullable(),
  isCounted: z.boolean(),
  /** Null if the manifest names no product, or none of the package is certainly the same. */
  matched: ManifestProduct.omit({ count: true }).extend({ by: MatchedBy }).nullable(),
  /** Where another product stands in its place: the one that is probably meant. */
  proposal: ManifestProduct.extend({ by: ProposedBy }).optional(),
})
export type ManifestLine = z.infer<typeof ManifestLine>

/** A package of the manifest. `state`: the gravest of its lines. */
export const ManifestPackage = z.object({
  packageUid: PackageUid,
  state: ManifestState,
  lines: z.array(ManifestLine),
})
export type ManifestPackage = z.infer<typeof ManifestPackage>

/** In the delivery, but not on the manifest. `count`: items, null if not known. */
export const ManifestExtra = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('package'), packageUid: PackageUid, count: Amount.nullable() }),
  /** A case whose package was not scanned, or that is in none or several. */
  z.object({
    kind: z.literal('case'),
    caseId: CaseId,
    identifier: z.string(),
    productName: z.string().nullable(),
    count: Amount.nullable(),
  }),
  /** A product in a package that is on the manifest without it. */
  z.object({
    kind: z.literal('product'),
    packageUid: PackageUid,
    productId: ShortUuid,
    productName: z.string(),
    count: Amount,
  }),
])
export type ManifestExtra = z.infer<typeof ManifestExtra>

/** Packages of the manifest by their state, and what is extra. */
export const ManifestSums = z.object({
  packages: Amount,
  /** All but the missing ones. */
  here: Amount,
  missing: Amount,
  unread: Amount,
  /** Without those of which more may come. */
  short: Amount,
  /** Some of their cases are here, and more may come. */
  partly: Amount.default(0),
  over: Amount,
  /** Without those whose lines all have a proposal. */
  otherProduct: Amount,
  proposed: Amount.default(0),
  extra: Amount,
  /** What is extra, by its kind; records before 0.3 only have the sum. */
  extraOf: z.object({ package: Amount, case: Amount, product: Amount }).optional(),
  /** Everything is here as the manifest says, and nothing else. */
  isComplete: z.boolean(),
})
export type ManifestSums = z.infer<typeof ManifestSums>

/** Which manifest, and how it stands. `deliveryId`: null while it waits for the next delivery. */
export const ManifestHead = z.object({
  id: ManifestId,
  fileName: z.string(),
  loadedAt: z.iso.datetime(),
  deliveryId: DeliveryId.nullable(),
  /** Lines of the file that could not be read. */
  leftOut: Amount,
  sums: ManifestSums,
})
export type ManifestHead = z.infer<typeof ManifestHead>

/** How a delivery compares with its manifest, for its report and record. */
export const ManifestResult = ManifestHead.extend({
  /** In the order of the file. */
  packages: z.array(ManifestPackage),
  extras: z.array(ManifestExtra),
})
export type ManifestResult = z.infer<typeof ManifestResult>

/** The manifest of the delivery under way or of the next one, or what changed in it. */
export const ManifestView = z.object({
  /** Null if there is none. */
  manifest: ManifestHead.nullable(),
  /** False: only packages that changed are told, and they replace those of the same UID. */
  isWhole: z.boolean(),
  packages: z.array(ManifestPackage),
  extras: z.array(ManifestExtra),
  /** The manifest that was removed or replaced last: it can be put in force again. */
  undoable: z.object({ manifestId: ManifestId, fileName: z.string(), how: z.enum(['removed', 'replaced']) }).nullable(),
  /** Counts what was told since main started: an event can overtake an answer. */
  revision: Amount,
})
export type ManifestView = z.infer<typeof ManifestView>

/** What was ordered or shipped, compared with what comes. */
export const manifestCalls = {
  'receiving.manifest': call(nothing, ManifestView),
  /** Replaces the one in force; without a delivery under way it waits for the next. Errors: receiving/manifest-broken. */
  'receiving.loadManifest': call(ManifestPart, done),
  'receiving.removeManifest': call(z.object({ manifestId: ManifestId }), done),
  /** Puts a removed or replaced manifest in force again, in place of the present one. */
  'receiving.restoreManifest': call(z.object({ manifestId: ManifestId }), done),
  /** A person says which product of the package a line means, for this and later manifests; null takes it back. */
  'receiving.matchManifest': call(
    z.object({ manifestId: ManifestId, line: z.number().int().positive(), productId: ShortUuid.nullable() }),
    done,
  ),
} as const

/** The event of a change is sent before the answer to the call that made it. */
export const manifestEvents = {
  'receiving.manifestChanged': ManifestView,
} as const

import { z } from 'zod'
import { AppError } from '../../errors'
import { CaseId, CountId, ShortUuid, TagId } from '../../ids'
import { call, done, gated, mostAtOnce, nothing } from './call'

/** An answer holds at most so many differences, lines of a file, or products. */
export const mostDifferences = 200
export const mostShelfLines = 5_000
export const mostProducts = 2_000
/** A count takes at most so many scans. */
export const mostShelfScans = 200_000

/** What to count. `sample`: all items of so many products, picked at random when the count starts. */
export const ShelfScope = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('all') }),
  z.object({ kind: z.literal('product'), productId: ShortUuid }),
  z.object({ kind: z.literal('brand'), brandName: z.string().trim().min(1).max(300) }),
  z.object({ kind: z.literal('case'), caseId: CaseId }),
  z.object({ kind: z.literal('sample'), products: z.number().int().min(1).max(50) }),
])
export type ShelfScope = z.infer<typeof ShelfScope>

/** What a count counts, with the names of its products, its brand or its case; none for `all`. */
export const ShelfScopeView = z.object({
  kind: z.enum(['all', 'product', 'brand', 'case', 'sample']),
  names: z.array(z.string()).max(50),
})
export type ShelfScopeView = z.infer<typeof ShelfScopeView>

/**
 * The result of a count. Items that were sold, returned or imported while it was open, and were not scanned, are neither
 * found nor missing: `moved`. `expected`: found and missing. `accuracy`: found / expected, from 0 to 1; null if nothing was
 * expected. `open`: differences without a reason.
 */
export const ShelfResults = z.object({
  expected: z.number().int().nonnegative(),
  found: z.number().int().nonnegative(),
  missing: z.number().int().nonnegative(),
  unexpected: z.number().int().nonnegative(),
  moved: z.number().int().nonnegative(),
  open: z.number().int().nonnegative(),
  accuracy: z.number().min(0).max(1).nullable(),
})
export type ShelfResults = z.infer<typeof ShelfResults>

/**
 * How old the station's knowledge is: cases of this store, how many of them were never read from the service as a whole, and
 * when the one that was read longest ago was (ISO 8601).
 */
export const ShelfAsOf = z.object({
  cases: z.number().int().nonnegative(),
  unread: z.number().int().nonnegative(),
  oldestAt: z.iso.datetime().nullable(),
})
export type ShelfAsOf = z.infer<typeof ShelfAsOf>

/** Who scanned how many items, if several stations of a store count; `station` is null for this one. Empty otherwise. */
const ScannedBy = z.array(z.object({ station: z.string().nullable(), scanned: z.number().int().nonnegative() }))

/**
 * A count of the shelf. While it is `counting` or `paused` it is blind: `results` is null. `finished`: its differences wait
 * for reasons and the signature; after that it is `signed` and never changes. Times are ISO 8601.
 */
export const ShelfCount = z.object({
  id: CountId,
  scope: ShelfScopeView,
  state: z.enum(['counting', 'paused', 'finished', 'signed', 'dropped']),
  /** The differences are being counted again. */
  isRecount: z.boolean(),
  startedAt: z.iso.datetime(),
  finishedAt: z.iso.datetime().nullable(),
  signedAt: z.iso.datetime().nullable(),
  /** What its results were made with; until it is finished, what was known when it started. */
  asOf: ShelfAsOf,
  /** Items scanned, each once. */
  scanned: z.number().int().nonnegative(),
  results: ShelfResults.nullable(),
  /** What the person who signed it wrote; null before, and if no reason was wanted. */
  signature: z.string().nullable(),
  stations: ScannedBy,
  /** Scans of any station that came after it was signed: they are not in it. */
  late: z.number().int().nonnegative(),
  /** The other station that signed it too, apart from this one: the store has that signature. */
  signedToo: z
    .object({ station: z.string(), at: z.iso.datetime().nullable(), results: ShelfResults.nullable() })
    .nullable(),
  /** The other station that finished it, which has its differences and signs it; null if that is this one. */
  finishedBy: z.string().nullable(),
  /** Raised by each change of its differences and reasons: what is signed is what was seen. */
  revision: z.number().int().nonnegative(),
})
export type ShelfCount = z.infer<typeof ShelfCount>

/** An item that was scanned. `at`: ISO 8601. */
export const ShelfScan = z.object({ tagId: TagId, productName: z.string().nullable(), at: z.iso.datetime() })
export type ShelfScan = z.infer<typeof ShelfScan>

/** A scan that came after the count was signed: it isn't in it. `station`: the one that made it; null for this one. */
export const ShelfLate = ShelfScan.extend({ brandName: z.string().nullable(), station: z.string().nullable() })
export type ShelfLate = z.infer<typeof ShelfLate>

/**
 * The answer to a scan. It doesn't say whether the item was expected. `not-of-count`: known to be of another product, brand
 * or case, or, when differences are counted again, none of them; it isn't counted.
 */
export const ShelfScanResult = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('counted'), productName: z.string().nullable() }),
  /** Scanned at `at`, by another station of the store if `station` is set. */
  z.object({
    kind: z.literal('again'),
    productName: z.string().nullable(),
    at: z.iso.datetime(),
    station: z.string().nullable(),
  }),
  z.object({ kind: z.literal('not-of-count'), productName: z.string().nullable() }),
])
export type ShelfScanResult = z.infer<typeof ShelfScanResult>

/** What scans, or their undo, changed. `last`: of this station. `undone`: the item that is no longer counted. */
export const ShelfProgress = z.object({
  countId: CountId,
  scanned: z.number().int().nonnegative(),
  stations: ScannedBy,
  last: ShelfScan.nullable(),
  undone: TagId.nullable(),
})
export type ShelfProgress = z.infer<typeof ShelfProgress>

/**
 * Why a scanned item was not expected: it was sold or is of an import that was taken back or never made (`not-imported`), is
 * in an inventory that the service doesn't name, was taken out of its case, or nothing is known of it.
 */
export const UnexpectedWhy = z.enum(['sold', 'not-imported', 'elsewhere', 'taken-out', 'unknown'])
export type UnexpectedWhy = z.infer<typeof UnexpectedWhy>

/**
 * What may explain a missing item: it is in an order being filled or on hold, in a sale that was refused, or in an import
 * that the service does not have yet.
 */
export const MissingHint = z.enum(['open-order', 'refused-order', 'import-unsent'])
export type MissingHint = z.infer<typeof MissingHint>

/** A person's explanation of a difference. `other` needs words. */
export const ShelfReason = z.enum([
  'sold-unscanned',
  'not-recorded',
  'damaged',
  'lost',
  'theft',
  'other-place',
  'not-taken',
  'returned-unscanned',
  'import-due',
  'found-again',
  'label',
  'other',
])
export type ShelfReason = z.infer<typeof ShelfReason>

/** What a difference is: missing, or why it was not expected. */
export const DifferenceKind = z.enum(['missing', ...UnexpectedWhy.options])
export type DifferenceKind = z.infer<typeof DifferenceKind>

/** The reasons that a difference of each kind may have, in the order in which they are offered. */
export const reasonsOf: Readonly<Record<DifferenceKind, readonly ShelfReason[]>> = {
  missing: ['sold-unscanned', 'other-place', 'damaged', 'lost', 'theft', 'label', 'other'],
  sold: ['not-taken', 'returned-unscanned', 'label', 'other'],
  'not-imported': ['import-due', 'not-recorded', 'label', 'other'],
  elsewhere: ['not-recorded', 'label', 'other'],
  'taken-out': ['found-again', 'label', 'other'],
  unknown: ['not-recorded', 'label', 'other'],
}

/** An item that was expected and not scanned (`missing`), or scanned and not expected. */
export const ShelfDifference = z.object({
  tagId: TagId,
  result: z.enum(['missing', 'unexpected']),
  /** Null for a missing item. */
  why: UnexpectedWhy.nullable(),
  /** Null for an unexpected item, and if nothing explains it. */
  hint: MissingHint.nullable(),
  /** The order that sold it, or of the hint; null if there is none or it has no number. */
  orderId: z.string().nullable(),
  caseId: CaseId.nullable(),
  identifier: z.string().nullable(),
  productId: ShortUuid.nullable(),
  productName: z.string().nullable(),
  brandName: z.string().nullable(),
  scannedAt: z.iso.datetime().nullable(),
  reason: ShelfReason.nullable(),
  /** Words of the person who gave the reason. */
  text: z.string().nullable(),
})
export type ShelfDifference = z.infer<typeof ShelfDifference>

/** A product of a count. `productId` is null for items whose product isn't known. */
export const ShelfProduct = z.object({
  productId: ShortUuid.nullable(),
  productName: z.string().nullable(),
  brandName: z.string().nullable(),
  expected: z.number().int().nonnegative(),
  found: z.number().int().nonnegative(),
  missing: z.number().int().nonnegative(),
  unexpected: z.number().int().nonnegative(),
})
export type ShelfProduct = z.infer<typeof ShelfProduct>

/** The kind of a difference. One of an earlier version may not say why it was not expected. */
export const kindOf = ({ result, why }: Pick<ShelfDifference, 'result' | 'why'>): DifferenceKind =>
  result === 'missing' ? 'missing' : (why ?? 'unknown')

/** Which differences; left out: all. `why`: unexpected ones. `isOpen`: only those without a reason. `productId` null: of no known product. */
export const DifferenceFilter = z.object({
  result: ShelfDifference.shape.result.optional(),
  why: UnexpectedWhy.optional(),
  productId: ShortUuid.nullable().optional(),
  isOpen: z.literal(true).optional(),
})
export type DifferenceFilter = z.infer<typeof DifferenceFilter>

/** Single differences, or all that a filter names. `revision`: of the count as it was shown; by default the present one. */
export const DifferenceChoice = z.union([
  z.strictObject({ tagIds: z.array(TagId).min(1).max(mostAtOnce) }),
  z.strictObject({ filter: DifferenceFilter, revision: z.number().int().nonnegative().optional() }),
])
export type DifferenceChoice = z.infer<typeof DifferenceChoice>

/** An item of a count for its file: differences and items that were found. */
export const ShelfLine = ShelfDifference.extend({ result: z.enum(['found', 'missing', 'unexpected']) })
export type ShelfLine = z.infer<typeof ShelfLine>

/** A count in the history, newest first. */
export const ShelfPast = ShelfCount.pick({
  id: true,
  scope: true,
  state: true,
  startedAt: true,
  finishedAt: true,
  signedAt: true,
  results: true,
  stations: true,
  finishedBy: true,
  late: true,
  signedToo: true,
}).extend({ number: z.number().int().positive() })
export type ShelfPast = z.infer<typeof ShelfPast>

/**
 * A count that is under way at another station of the store. `overlaps`: counts under way here that hold some of the same
 * items.
 */
export const StoreShelfCount = z.object({
  id: CountId,
  station: z.string(),
  scope: ShelfScopeView,
  isRecount: z.boolean(),
  startedAt: z.iso.datetime(),
  scanned: z.number().int().nonnegative(),
  overlaps: z.array(CountId),
})
export type StoreShelfCount = z.infer<typeof StoreShelfCount>

/** What can be counted: names that contain the text, at most 100 each, in the order of names. */
export const ShelfChoices = z.object({
  products: z.array(z.object({ productId: ShortUuid, productName: z.string(), brandName: z.string().nullable() })),
  brands: z.array(z.string()),
  cases: z.array(z.object({ caseId: CaseId, identifier: z.string(), productName: z.string().nullable() })),
})
export type ShelfChoices = z.infer<typeof ShelfChoices>

/** A case that was never read from the service as a whole. */
export const UnreadCase = z.object({ caseId: CaseId, productName: z.string().nullable() })
export type UnreadCase = z.infer<typeof UnreadCase>

/**
 * What this station expects on the shelf. `items`: expected here now. `isKnown`: it knows items of this store, wherever they are by
 * now; without that it can't say what is expected. `isCatchingUp`: it still works through reports of
 * before. `refresh`: reading the cases of this store from the service; `waiting`: until the service answers again, because of
 * `error`. `done` and `total` are packages and cases. `unread`: the first of the cases that `asOf` counts as unread.
 */
export const ShelfLedger = z.object({
  items: z.number().int().nonnegative(),
  isKnown: z.boolean(),
  asOf: ShelfAsOf,
  unread: z.array(UnreadCase).max(20),
  isCatchingUp: z.boolean(),
  refresh: z.object({
    state: z.enum(['idle', 'running', 'waiting']),
    done: z.number().int().nonnegative(),
    total: z.number().int().nonnegative(),
    /** Cases that the service refused to show in this refresh. */
    failed: z.number().int().nonnegative(),
    /** Why the last of these failed; null if none did. */
    failure: AppError.nullable(),
    error: AppError.nullable(),
  }),
})
export type ShelfLedger = z.infer<typeof ShelfLedger>

const ofCount = z.object({ countId: CountId })

/** Counts of the shelf: what should be here by the reports of this station and the service, and what was scanned. */
export const stockCalls = {
  'stock.ledger': call(nothing, ShelfLedger),
  /** Reads all cases of this store from the service, a few at a time. Goes on after an outage and a restart. */
  'stock.refresh': call(nothing, done),
  /** Ends the reading; what was read stays. */
  'stock.stopRefresh': call(nothing, done),
  'stock.choices': call(z.object({ text: z.string().trim().max(200) }), ShelfChoices),

  /** Counts that are neither signed nor dropped, oldest first. */
  'stock.open': call(nothing, z.array(ShelfCount)),
  /** Errors: stock/no-count. */
  'stock.count': call(ofCount, ShelfCount),
  /** Errors: stock/nothing-here, stock/count-open, stock/counted-elsewhere, stock/too-many-counts. */
  'stock.start': call(z.object({ scope: ShelfScope }), ShelfCount.pick({ id: true })),
  /** Counts under way at other stations of the store that this one doesn't count along, as they were read last. */
  'stock.storeCounts': call(nothing, z.array(StoreShelfCount)),
  /**
   * Counts along: from then on the scans of all stations are one count. Starts a refresh. Errors: hub/unreachable, stock/no-count,
   * stock/count-open, stock/too-many-counts, stock/wrong-state.
   */
  'stock.join': call(ofCount, done),
  /** The other stations that may have scans of a count that are not here, by name. */
  'stock.behind': call(ofCount, z.array(z.string())),
  /** Errors: stock/no-count, stock/wrong-state (not counting), stock/count-full, scan/wrong-place (the label of a case). */
  'stock.scan': call(z.object({ countId: CountId, tagId: TagId }), ShelfScanResult),
  /** Takes a scan back; nothing happens if there is none. Errors: stock/no-count, stock/wrong-state. */
  'stock.unscan': call(z.object({ countId: CountId, tagId: TagId }), done),
  /** The last 20 scans, newest first. Errors: stock/no-count. */
  'stock.recent': call(ofCount, z.array(ShelfScan)),
  /**
   * The scans after the signature that this station can name, sorted by TagID. Pass `next` as `after` to read on; it is null at
   * the end. Errors: stock/no-count.
   */
  'stock.late': call(
    z.object({ countId: CountId, after: TagId.nullable() }),
    z.object({ scans: z.array(ShelfLate).max(mostDifferences), next: TagId.nullable() }),
  ),
  /** Errors: stock/no-count, stock/wrong-state. */
  'stock.pause': call(ofCount, done),
  /** Goes on with a paused count. Errors: stock/no-count, stock/wrong-state. */
  'stock.resume': call(ofCount, done),
  /**
   * Ends the count, or the second count of its differences, and finds what differs. Errors: stock/no-count, stock/wrong-state,
   * stock/not-read (this station knows nothing of what another one began to count).
   */
  'stock.finish': call(ofCount, done),
  /** Gives a count up that was not signed, for all stations. Errors: stock/no-count, stock/wrong-state, stock/finished-elsewhere. */
  'stock.drop': call(ofCount, done),
  /**
   * Counts the differences of a finished count again, at all stations: a missing item that is scanned now is found. At a station
   * that didn't finish it, it opens the count again, to be finished there. Errors: stock/no-count, stock/wrong-state,
   * stock/count-open, stock/counted-elsewhere, stock/no-differences.
   */
  'stock.recount': call(ofCount, done),

  /** By product: most differences first. `more`: products left out. Empty until the count is finished. */
  'stock.products': call(
    ofCount,
    z.object({ products: z.array(ShelfProduct).max(mostProducts), more: z.number().int().nonnegative() }),
  ),
  /** In pages: pass `next` as `after`; null at the end. `kinds`: of all that the filter names. Empty until the count is finished. */
  'stock.differences': call(
    z.object({
      countId: CountId,
      filter: DifferenceFilter,
      after: z.number().int().nonnegative().nullable(),
    }),
    z.object({
      differences: z.array(ShelfDifference).max(mostDifferences),
      total: z.number().int().nonnegative(),
      kinds: z.array(z.object({ kind: DifferenceKind, count: z.number().int().positive() })),
      next: z.number().int().nonnegative().nullable(),
    }),
  ),
  /**
   * Gives differences a reason; null takes it back. Answers how many there were, and the revision of the count after it. Errors:
   * stock/no-count, stock/wrong-state, stock/changed, stock/reason-words (`other` without words), stock/reason-misfit (not a reason of all their kinds), stock/finished-elsewhere.
   */
  'stock.explain': call(
    z.object({
      countId: CountId,
      which: DifferenceChoice,
      reason: ShelfReason.nullable(),
      text: z.string().trim().max(300).optional(),
    }),
    z.object({ explained: z.number().int().nonnegative(), revision: z.number().int().nonnegative() }),
  ),
  /**
   * Signs a finished count as it was seen. Errors: stock/no-count, stock/wrong-state, stock/changed, stock/unexplained,
   * stock/finished-elsewhere, and those of the gate `sign-count`.
   */
  'stock.sign': call(z.object({ countId: CountId, revision: z.number().int().nonnegative(), ...gated }), done),
  /**
   * In parts: pass `next` as `after`; null at the end. Found, missing and unexpected items. Errors: stock/no-count,
   * stock/wrong-state (neither finished nor signed, also if that changed between two parts), stock/finished-elsewhere.
   */
  'stock.export': call(
    z.object({ countId: CountId, after: z.number().int().nonnegative().nullable() }),
    z.object({
      fileName: z.string(),
      lines: z.array(ShelfLine).max(mostShelfLines),
      next: z.number().int().nonnegative().nullable(),
    }),
  ),
  /** Finished and signed counts, 100 at a time: pass `next` as `before`; null at the end. */
  'stock.history': call(
    z.object({ before: z.number().int().positive().nullable() }),
    z.object({ counts: z.array(ShelfPast).max(100), next: z.number().int().positive().nullable() }),
  ),
} as const

/** The event of a change is sent before the answer to the call that made it. */
export const stockEvents = {
  /** A count was started, or anything of it but its scans has changed. */
  'stock.count': ShelfCount,
  'stock.progress': ShelfProgress,
  'stock.storeCounts': z.array(StoreShelfCount),
  /** At most every 200 ms. */
  'stock.ledger': ShelfLedger,
} as const

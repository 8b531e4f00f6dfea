import { z } from 'zod'
import { AppError } from '../../errors'
import { CaseId, CountId, DeliveryId, OperationId, TagId } from '../../ids'
import { call, done, gated, mostAtOnce, nothing } from './call'
import { OperationView } from './outbox'

/** How much of one case was counted. */
export const CountedCase = z.object({
  caseId: CaseId,
  identifier: z.string(),
  productName: z.string().nullable(),
  /** Items in the case according to the service. */
  tagCount: z.number().int().nonnegative(),
  counted: z.number().int().nonnegative(),
})
export type CountedCase = z.infer<typeof CountedCase>

/** A count of a case or a delivery. `strangers`: scanned items that belong to none of its cases. Times are ISO 8601. */
export const CountView = z.object({
  id: CountId,
  deliveryId: DeliveryId.nullable(),
  /** Null when it counts the whole delivery. */
  caseId: CaseId.nullable(),
  startedAt: z.iso.datetime(),
  finishedAt: z.iso.datetime().nullable(),
  /** Whether it can be gone on with: finished today, and no other count is open. */
  canReopen: z.boolean(),
  cases: z.array(CountedCase),
  total: z.number().int().nonnegative(),
  counted: z.number().int().nonnegative(),
  strangers: z.number().int().nonnegative(),
  /** Who scanned how many items, if several stations count; `station` is null for this one. Empty otherwise. */
  stations: z.array(z.object({ station: z.string().nullable(), scanned: z.number().int().nonnegative() })),
})
export type CountView = z.infer<typeof CountView>

/** A count without its cases, of which there may be hundreds. */
export const CountSums = CountView.pick({ id: true, total: true, counted: true, strangers: true, stations: true })
export type CountSums = z.infer<typeof CountSums>

/** What a scan changed of a count. `case`: the case that the item belongs to; null if it belongs to none. */
export const CountChange = z.object({ count: CountSums, case: CountedCase.nullable() })
export type CountChange = z.infer<typeof CountChange>

/** The result of one scan of a count. */
export const CountScanResult = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('counted'), case: CountedCase }),
  /** Scanned before, at `at` (ISO 8601), by another station of the store if `station` is set. */
  z.object({
    kind: z.literal('repeat'),
    at: z.iso.datetime(),
    productName: z.string().nullable(),
    station: z.string().nullable(),
  }),
  /** It belongs to another case, or to none. */
  z.object({
    kind: z.literal('stranger'),
    caseId: CaseId.nullable(),
    identifier: z.string().nullable(),
    productName: z.string().nullable(),
  }),
  /** The service could not be asked. The item is kept and looked up when the count is opened again. */
  z.object({ kind: z.literal('unknown'), error: AppError }),
])
export type CountScanResult = z.infer<typeof CountScanResult>

/**
 * Why our account can't take items out of a case: it has no access to that part of the service, or the case belongs to
 * another company (`company`: its name, if known).
 */
export const CannotTakeOut = z.object({
  why: z.enum(['no-account', 'other-company']),
  company: z.string().nullable(),
})
export type CannotTakeOut = z.infer<typeof CannotTakeOut>

/**
 * Differences with one cause, which a person can settle together. `refused`: their reports were refused, for `reason`.
 * `settled`: nothing is left to do.
 */
export const DifferenceGroup = z.object({
  key: z.string(),
  cause: z.enum(['refused', 'missing', 'stranger', 'settled']),
  count: z.number().int().positive(),
  /** The case that the items are missing from, or that strangers belong to. Null: none, unknown, or several. */
  caseId: CaseId.nullable(),
  identifier: z.string().nullable(),
  /** Null if all of its items may be corrected: taken out of their case, or added to one. */
  objection: CannotTakeOut.nullable(),
  reason: AppError.nullable(),
})
export type DifferenceGroup = z.infer<typeof DifferenceGroup>

/**
 * An item that is in the case and was not scanned (`missing`), or was scanned and is not in the case (`stranger`), and what
 * was done about it. `operationId`: the report that removes or adds it.
 */
export const Difference = z.object({
  tagId: TagId,
  kind: z.enum(['missing', 'stranger']),
  /** The case it is missing from; for a stranger the case it belongs to now, if known. */
  caseId: CaseId.nullable(),
  identifier: z.string().nullable(),
  productName: z.string().nullable(),
  resolution: z.enum(['open', 'ignored', 'removed', 'added']),
  operationId: OperationId.nullable(),
  /** Key of its group. */
  group: z.string(),
  /** Whether the service can be told: the item taken out of its case, or added to one. */
  canCorrect: z.boolean(),
  /** Why a person ignores it. */
  because: z.string().nullable(),
})
export type Difference = z.infer<typeof Difference>

/**
 * `operations`: the reports of the differences, in their current state. Differences lie in the order of their groups. `behind`:
 * other stations that counted along and may have scans that are not here yet.
 */
export const CountDetail = z.object({
  behind: z.array(z.string()),
  count: CountView,
  groups: z.array(DifferenceGroup),
  differences: z.array(Difference),
  operations: z.array(OperationView),
})
export type CountDetail = z.infer<typeof CountDetail>

/** An item of a count for its file. `scannedAt`: ISO 8601, null if it wasn't scanned. */
export const CountLine = z.object({
  identifier: z.string().nullable(),
  caseId: CaseId.nullable(),
  productName: z.string().nullable(),
  tagId: TagId,
  result: z.enum(['counted', 'missing', 'stranger']),
  scannedAt: z.iso.datetime().nullable(),
  resolution: Difference.shape.resolution.nullable(),
  because: z.string().nullable(),
})
export type CountLine = z.infer<typeof CountLine>

/** A whole count, for a file in the words and the time of the screen. */
export const CountExport = z.object({ fileName: z.string(), lines: z.array(CountLine) })
export type CountExport = z.infer<typeof CountExport>

/**
 * Resolves differences: adds to or removes from the case of each change, ignores, or reopens (`open`). All cases are in one
 * request, because a person is asked about all of them at once. `because`: why they are ignored; their refused reports are
 * dismissed for it, and without it such differences can't be ignored.
 */
export const Resolve = z.object({
  countId: CountId,
  changes: z
    .array(z.object({ caseId: CaseId, tagIds: z.array(TagId).min(1).max(mostAtOnce) }))
    .min(1)
    .max(mostAtOnce),
  how: z.enum(['remove', 'add', 'ignore', 'open']),
  because: z.string().trim().min(1).max(500).optional(),
})
export type Resolve = z.infer<typeof Resolve>

/** A count that another station of the store has begun. `name`: of its case; null if it counts several. Times are ISO 8601. */
export const StoreCount = z.object({
  id: CountId,
  station: z.string(),
  startedAt: z.iso.datetime(),
  name: z.string().nullable(),
  caseCount: z.number().int().positive(),
  total: z.number().int().nonnegative(),
  scanned: z.number().int().nonnegative(),
})
export type StoreCount = z.infer<typeof StoreCount>

/** Counts of cases, and the resolution of their differences. */
export const countCalls = {
  /** The open count; null if there is none. */
  'receiving.openCount': call(nothing, CountView.nullable()),
  /** Starts a count of one case, or of all cases of the delivery under way (`caseId` null). */
  'receiving.startCount': call(z.object({ caseId: CaseId.nullable() }), CountView.pick({ id: true })),
  /** The counts under way at other stations of the store, as they were read last; none without a hub. */
  'receiving.storeCounts': call(nothing, z.array(StoreCount)),
  /**
   * Counts along: from then on the scans of all stations are one count. Errors: hub/unreachable, receiving/no-count,
   * receiving/count-open.
   */
  'receiving.joinCount': call(z.object({ countId: CountId }), CountView.pick({ id: true })),
  'receiving.countTag': call(z.object({ countId: CountId, tagId: TagId }), CountScanResult),
  'receiving.uncountTag': call(z.object({ countId: CountId, tagId: TagId }), done),
  'receiving.finishCount': call(z.object({ countId: CountId }), done),
  /** Opens a count that was finished today. */
  'receiving.reopenCount': call(z.object({ countId: CountId }), done),
  'receiving.countDetail': call(z.object({ countId: CountId }), CountDetail),
  /**
   * Returns the reports that were made: none for `ignore` and `open`. Of a count by several stations, the first that settles
   * a difference settles all. Errors also: receiving/settled-elsewhere, hub/unreachable.
   */
  'receiving.resolve': call(Resolve.extend(gated), z.array(OperationView)),
  /**
   * Makes this station the one that settles the differences of a count, with a reason and the PIN, while the one that began to is
   * off: it is told. Errors: receiving/settled-elsewhere, hub/unreachable, those of approvals.
   */
  'receiving.takeOverSettling': call(z.object({ countId: CountId, ...gated }), done),
  'receiving.exportCount': call(z.object({ countId: CountId }), CountExport),
} as const

/** The event of a change is sent before the answer to the call that made it. */
export const countEvents = {
  /** A count was started or finished, or a difference of it was resolved or reopened. */
  'receiving.count': CountView,
  'receiving.counted': CountChange,
  'receiving.storeCounts': z.array(StoreCount),
} as const

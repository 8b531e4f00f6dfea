import { z } from 'zod'
import { AppError } from '../../errors'
import { CaseId, CountId, DeliveryId, OperationId, TagId } from '../../ids'
import { call, done, ExportFile, gated, nothing } from './call'
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
  cases: z.array(CountedCase),
  total: z.number().int().nonnegative(),
  counted: z.number().int().nonnegative(),
  strangers: z.number().int().nonnegative(),
})
export type CountView = z.infer<typeof CountView>

/** A count without its cases, of which there may be hundreds. */
export const CountSums = CountView.pick({ id: true, total: true, counted: true, strangers: true })
export type CountSums = z.infer<typeof CountSums>

/** What a scan changed of a count. `case`: the case that the item belongs to; null if it belongs to none. */
export const CountChange = z.object({ count: CountSums, case: CountedCase.nullable() })
export type CountChange = z.infer<typeof CountChange>

/** The result of one scan of a count. */
export const CountFinding = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('counted'), case: CountedCase }),
  /** Scanned before, at `at` (ISO 8601). */
  z.object({ kind: z.literal('repeat'), at: z.iso.datetime(), productName: z.string().nullable() }),
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
export type CountFinding = z.infer<typeof CountFinding>

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
})
export type Difference = z.infer<typeof Difference>

/** `operations`: the reports of the differences, in their current state. */
export const CountDetail = z.object({
  count: CountView,
  differences: z.array(Difference),
  operations: z.array(OperationView),
})
export type CountDetail = z.infer<typeof CountDetail>

/** Resolves differences: adds to or removes from `caseId`, ignores, or reopens (`open`). */
export const Resolve = z.object({
  countId: CountId,
  caseId: CaseId,
  tagIds: z.array(TagId).min(1).max(500),
  how: z.enum(['remove', 'add', 'ignore', 'open']),
})
export type Resolve = z.infer<typeof Resolve>

/** Counts of cases, and the resolution of their differences. */
export const countCalls = {
  /** The open count; null if there is none. */
  'receiving.openCount': call(nothing, CountView.nullable()),
  /** Starts a count of one case, or of all cases of the delivery under way (`caseId` null). */
  'receiving.startCount': call(z.object({ caseId: CaseId.nullable() }), CountView.pick({ id: true })),
  'receiving.countTag': call(z.object({ countId: CountId, tagId: TagId }), CountFinding),
  'receiving.uncountTag': call(z.object({ countId: CountId, tagId: TagId }), done),
  'receiving.finishCount': call(z.object({ countId: CountId }), done),
  'receiving.countDetail': call(z.object({ countId: CountId }), CountDetail),
  /** Returns the reports that were made: none for `ignore` and `open`. */
  'receiving.resolve': call(Resolve.extend(gated), z.array(OperationView)),
  'receiving.exportCount': call(z.object({ countId: CountId }), ExportFile),
} as const

/** The event of a change is sent before the answer to the call that made it. */
export const countEvents = {
  /** A count was started or finished, or a difference of it was resolved or reopened. */
  'receiving.count': CountView,
  'receiving.counted': CountChange,
} as const

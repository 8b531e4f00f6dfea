import { z } from 'zod'
import { AppError } from '../../errors'
import { CaseId, CountId, DeliveryId, OperationId, TagId } from '../../ids'
import { call, nothing } from './call'
import { OperationView } from './outbox'
import { ExportFile } from './call'

/** Counting what came: every item of a case, or of a delivery, is scanned while it is unpacked. */

/** How much of one case was counted. */
export const CountedCase = z.object({
  caseId: CaseId,
  identifier: z.string(),
  productName: z.string().nullable(),
  /** Items that the case holds by what the service says. */
  tagCount: z.number().int().nonnegative(),
  counted: z.number().int().nonnegative(),
})
export type CountedCase = z.infer<typeof CountedCase>

/** `strangers` are items that were scanned and belong to none of the cases. Instants are ISO 8601. */
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

/** What a scan changes of a count, besides one of its cases: with hundreds of them the others are not told again. */
export const CountSums = CountView.pick({ id: true, total: true, counted: true, strangers: true })
export type CountSums = z.infer<typeof CountSums>

/** What one scan of a count was. */
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
  /** Nobody could say where it belongs; it is kept, and looked up when the count is opened again. */
  z.object({ kind: z.literal('unknown'), error: AppError }),
])
export type CountFinding = z.infer<typeof CountFinding>

/**
 * An item that is in the case and was not scanned (`missing`), or was scanned and is not in the case (`stranger`), and
 * what a person made of it. `operationId` is the report that takes it out or puts it in.
 */
export const Difference = z.object({
  tagId: TagId,
  kind: z.enum(['missing', 'stranger']),
  /** The case that it concerns: the one it is missing from; of a stranger the one it belongs to now, if that is known. */
  caseId: CaseId.nullable(),
  identifier: z.string().nullable(),
  productName: z.string().nullable(),
  resolution: z.enum(['open', 'ignored', 'removed', 'added']),
  operationId: OperationId.nullable(),
})
export type Difference = z.infer<typeof Difference>

/** `operations`: the reports that the differences name, as they stand now. */
export const CountDetail = z.object({
  count: CountView,
  differences: z.array(Difference),
  operations: z.array(OperationView),
})
export type CountDetail = z.infer<typeof CountDetail>

/** Resolving differences: into or out of `caseId`, ignored, or taken up again (`open`). */
export const Resolve = z.object({
  countId: CountId,
  caseId: CaseId,
  tagIds: z.array(TagId).min(1).max(500),
  how: z.enum(['remove', 'add', 'ignore', 'open']),
})
export type Resolve = z.infer<typeof Resolve>

/** Counts of cases, and what is made of their differences. */
export const countCalls = {
  /** The count that is not finished; null when there is none. */
  'receiving.openCount': call(nothing, CountView.nullable()),
  /** Starts a count of one case, or of all cases of the delivery under way (`caseId` null). */
  'receiving.startCount': call(z.object({ caseId: CaseId.nullable() }), CountView),
  'receiving.countTag': call(
    z.object({ countId: CountId, tagId: TagId }),
    z.object({ count: CountSums, finding: CountFinding }),
  ),
  /** `case`: the one that the item is of, as it stands now; null when it is of none. */
  'receiving.uncountTag': call(
    z.object({ countId: CountId, tagId: TagId }),
    z.object({ count: CountSums, case: CountedCase.nullable() }),
  ),
  'receiving.finishCount': call(z.object({ countId: CountId }), CountView),
  'receiving.countDetail': call(z.object({ countId: CountId }), CountDetail),
  /** Gives back what is reported: nothing for `ignore` and `open`. */
  'receiving.resolve': call(Resolve, z.array(OperationView)),
  'receiving.exportCount': call(z.object({ countId: CountId }), ExportFile),
} as const

import { z } from 'zod'
import { ActName } from '../../acts'
import { OperationId } from '../../ids'
import { PersonId } from '../../people'
import { call, nothing } from './call'
import { JournalEntry, OperationKind, OperationState } from './outbox'

/** What a line says: a step of a report, or what people did about none. */
export const LineWhat = z.enum([...JournalEntry.shape.what.options, ...ActName.options])
export type LineWhat = z.infer<typeof LineWhat>

/** A line of the journal. `hash`: see `src-main/outbox/chain.ts`. */
export const JournalLine = z.object({
  ...{ entry: z.number().int().positive(), at: z.iso.datetime(), actor: JournalEntry.shape.actor, what: LineWhat },
  /** The report that it is about, with the id of its order or else of its case; null if it is about none. */
  report: z.object({ id: OperationId, kind: OperationKind, about: z.string().nullable() }).nullable(),
  ...{ from: OperationState.nullable(), to: OperationState.nullable() },
  /** What it is about, if that is no report: a person, a count, a day. */
  subject: z.string().nullable(),
  name: z.string().nullable(),
  approvedBy: z.string().nullable(),
  /** The text that a person entered. */
  because: z.string().nullable(),
  hash: z.string(),
})
export type JournalLine = z.infer<typeof JournalLine>

/** `kind`: of the report, or `other` for what is about none. `from`, `to`: from the first moment to before the second. */
export const JournalFilter = z.object({
  person: PersonId.optional(),
  kind: z.union([OperationKind, z.literal('other')]).optional(),
  from: z.iso.datetime({ offset: true }).optional(),
  to: z.iso.datetime({ offset: true }).optional(),
  orderId: z.string().trim().max(100).optional(),
  item: z.string().trim().max(100).optional(),
})
export type JournalFilter = z.infer<typeof JournalFilter>

const JournalPart = z.object({ filter: JournalFilter, before: z.number().int().positive().optional() })
const JournalLines = z.object({ lines: z.array(JournalLine), older: z.number().int().positive().nullable() })

const count = z.number().int().nonnegative()
export const ChainFault = z.union([
  z.object({ kind: z.enum(['changed', 'cut']), entry: count }),
  z.object({ kind: z.literal('missing'), first: count, last: count }),
])

/** The journal of all that was done at this station. */
export const journalCalls = {
  /**
   * Newest first; pass `older` as `before` for the next part, which may be empty: a part is so many lines of the journal, whatever
   * of them the filter leaves. Null at the end.
   */
  'journal.page': call(JournalPart, JournalLines),
  /** A part of the journal for a file: the journal says that it was exported. */
  'journal.export': call(JournalPart, JournalLines),
  /** Checks the whole chain. The first faults of `total`. */
  'journal.verify': call(nothing, z.object({ lines: count, faults: z.array(ChainFault).max(500), total: count })),
} as const

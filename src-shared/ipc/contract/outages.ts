import { z } from 'zod'
import { call } from './call'
import { OperationView, ReportLine } from './outbox'

/**
 * Why the service could not be worked with, as known. `unreachable`: there was no connection, and nothing said why.
 * `foreign-answer`: something else answered, such as the sign-in page of a network. `station-off`: Countertag was closed, or
 * another connection was in use. `asleep`: the computer slept, or its clock was set ahead. `clock-changed`: its clock was set
 * back or corrected, so times before and after it may not be by one clock.
 */
export const OutageCause = z.enum([
  'unreachable',
  'out-of-files',
  'no-network',
  'no-name',
  'refused',
  'timed-out',
  'not-trusted',
  'foreign-answer',
  'failing',
  'busy',
  'credentials-refused',
  'credentials-missing',
  'keychain',
  'station-off',
  'asleep',
  'clock-changed',
])
export type OutageCause = z.infer<typeof OutageCause>

const count = z.number().int().nonnegative()
const moment = z.iso.datetime()

/** A time without the service: from the first request that failed to the first that was answered. */
export const Outage = z.object({
  /** An outage keeps its id in every answer. */
  id: z.number().int(),
  from: moment,
  /** Null while it lasts. */
  to: moment.nullable(),
  /** In ms; until now while it lasts. Never negative, also after a clock was set back. */
  lengthMs: count,
  /** What was wrong, oldest first, each until the next. */
  causes: z.array(z.object({ from: moment, cause: OutageCause })).min(1),
  /** There are as many causes as are kept: later ones are not. */
  isCut: z.boolean(),
  /** Reports made during it, and those that waited already when it began; where they all stand now. */
  counts: z.object({ made: count, before: count, reported: count, waiting: count, attention: count, canceled: count }),
})
export type Outage = z.infer<typeof Outage>

/** A report of an outage: done at `performedAt`, with the service since `reportedAt`. */
export const OutageLine = ReportLine.extend({
  ...OperationView.pick({ id: true, seq: true, orderId: true, collectionId: true, productName: true, itemCount: true })
    .shape,
  /** Whether the service has it; `unknown` while an attempt may have been taken and nothing says whether it was. */
  reported: z.enum(['yes', 'no', 'unknown']),
  /** Null unless the service has it; also if it isn't kept since when. */
  reportedAt: moment.nullable(),
  /** Between the two, in ms. */
  delayMs: count.nullable(),
  /** The computer's clock was changed between the two, and the time at which it was reported can't be told from that. */
  isDoubtful: z.boolean(),
  /** It was done before the outage, and waited when that began. */
  isBefore: z.boolean(),
})
export type OutageLine = z.infer<typeof OutageLine>

/** More than a year of outages can't be asked for at once. */
const longestSpan = 400 * 86_400_000

/** From `from` until before `to`. */
export const OutageSpan = z
  .object({ from: moment, to: moment })
  .refine(({ from, to }) => Date.parse(to) > Date.parse(from) && Date.parse(to) - Date.parse(from) <= longestSpan, {
    error: 'span',
  })
export type OutageSpan = z.infer<typeof OutageSpan>

/** Those that touch the span, newest first: the first hundred of `total`. */
export const OutageList = z.object({
  outages: z.array(Outage),
  total: count,
  /** Over all of the span: how long they were, in ms, and how many reports came late or are still not there, each once. */
  sums: z.object({ lengthMs: count, reported: count, open: count }),
})
export type OutageList = z.infer<typeof OutageList>

/** The outages of a span with everything that was done during them, for a file or on paper. */
export const OutageExport = z.object({
  fileName: z.string(),
  /** When the ledger was made, by the service's clock. */
  madeAt: moment,
  storeName: z.string(),
  station: z.string(),
  /** True if the store has other stations: their outages are in their own ledgers. */
  isOfMany: z.boolean(),
  outages: z.array(z.object({ outage: Outage, lines: z.array(OutageLine) })),
  /** Lines that were left out, because there are too many for one file. */
  left: count,
  /** Outages that were left out for the same reason: the oldest. */
  leftOutages: count,
})
export type OutageExport = z.infer<typeof OutageExport>

/** The times without the service, and what was done during them. */
export const outageCalls = {
  'outbox.outages': call(OutageSpan, OutageList),
  /** What was done during one, in its order: the next 200 after `after` (a `seq`). Errors: outbox/no-outage. */
  'outbox.outage': call(
    z.object({ id: z.number().int(), after: count }),
    z.object({ outage: Outage, lines: z.array(OutageLine), hasMore: z.boolean() }),
  ),
  'outbox.exportOutages': call(OutageSpan, OutageExport),
} as const

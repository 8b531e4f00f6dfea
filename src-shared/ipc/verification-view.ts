import { z } from 'zod'
import { OrderId, TagId } from '../ids'

/**
 * How an item at the service differs from what this station reported. `not-sold`: reported sold, shown as not sold;
 * `still-sold`: reported returned or voided, shown as sold; `other-time`: shown as sold at another moment than ours, by a
 * service that keeps our moments; `not-shown`: nothing about it could be read.
 */
export const DifferenceKind = z.enum(['not-sold', 'still-sold', 'other-time', 'not-shown'])
export type DifferenceKind = z.infer<typeof DifferenceKind>

/** Instants are ISO 8601. */
export const ReadBackDifference = z.object({
  kind: DifferenceKind,
  tagId: TagId,
  orderId: OrderId,
  productName: z.string().nullable(),
  /** The report that decides where the item should stand. */
  reported: z.enum(['complete', 'return', 'void']),
  reportedAt: z.iso.datetime(),
  /** When the service shows it as sold; null when it shows no sale, or nothing at all. */
  shownSoldAt: z.iso.datetime().nullable(),
})
export type ReadBackDifference = z.infer<typeof ReadBackDifference>

const count = z.number().int().nonnegative()

/** So many differences are named; `differenceCount` counts all. */
export const mostDifferences = 500

/** How far the items of a day were read back from the service, and what it showed. Instants are ISO 8601. */
export const DayVerification = z.object({
  day: z.iso.date(),
  /** `none`: never verified. `paused`: it waits, see `waitsFor`. */
  state: z.enum(['none', 'running', 'paused', 'finished']),
  /**
   * Why it is paused. `person`: until a person resumes it; `connection`: until the service answers again; `sending`: while
   * operations of this station are being sent.
   */
  waitsFor: z.enum(['person', 'connection', 'sending']).nullable(),
  startedAt: z.iso.datetime().nullable(),
  /** When it was finished: what it says is of that moment. */
  asOf: z.iso.datetime().nullable(),
  /** Items that this station sold, returned or voided on the day, as far as the service took the reports. */
  total: count,
  done: count,
  /** Items that stand at the service where this station's reports leave them. */
  asReported: count,
  /** Items with a newer report of this station that isn't settled: nothing can be said of them yet. */
  notSettled: count,
  /** Of `asReported`: sold, at a time of the service's own. */
  ownTimes: count,
  /** Of `asReported`: returned or voided here, and sold again since by another till. */
  soldSince: count,
  /** Empty until it is finished. */
  differences: z.array(ReadBackDifference).max(mostDifferences),
  differenceCount: count,
  /** The service took reports of the day since it began. */
  isOutOfDate: z.boolean(),
})
export type DayVerification = z.infer<typeof DayVerification>

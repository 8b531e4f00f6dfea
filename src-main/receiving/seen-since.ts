import type { Operation } from '../outbox/operation'
import type { Outbox } from '../outbox/outbox'

/**
 * Whether something was asked for (at `askedAt`, ms) after the service took a report of ours: then the answer knows better
 * than the report, also when it is only remembered. Of one that nobody knows when it was taken, it does as well.
 */
export type SeenSince = (report: Operation, askedAt: number) => boolean

export const createSeenSince =
  (outbox: Pick<Outbox, 'journalOf'>): SeenSince =>
  (report, askedAt) => {
    const journal = outbox.journalOf(report.id)
    const accepted = journal.ok ? journal.value.findLast((entry) => entry.to === 'accepted') : undefined
    return accepted === undefined || askedAt > Date.parse(accepted.at)
  }

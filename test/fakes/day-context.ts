import type { DayContext } from '../../src-main/day/day-context'
import { silentLog } from '../../src-main/core/log'
import { err } from '../../src-shared/result'

/** The context of a day at a station alone: offline, without a catalog of the POS. */
export function dayContext(
  parts: Pick<DayContext, 'db' | 'events' | 'outbox' | 'clock'> & Partial<DayContext>,
): DayContext {
  const noAnswer = () => Promise.resolve(err({ code: 'service/unreachable' as const }))
  return {
    client: { collections: { get: noAnswer }, items: { get: noAnswer } },
    connection: { isAnswering: () => false },
    lookup: { cached: () => undefined, tag: noAnswer },
    serviceClock: { offset: () => 0 },
    catalogue: { ofProduct: () => [] },
    log: silentLog,
    ...parts,
  }
}

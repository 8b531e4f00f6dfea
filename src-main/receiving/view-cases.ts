import { setImmediate } from 'node:timers/promises'
import type { CaseId } from '../../src-shared/ids'
import type { DeliveryCase } from '../../src-shared/ipc/delivery-view'
import type { Outbox } from '../outbox/outbox'
import type { CaseReading } from './case-reading'
import type { ListedCase } from './delivery-rows'

/** Cases looked up in the store in one go: then scans have their turn. */
const atOnce = 25

/** Many cases as they are remembered, in pieces, for a delivery may be large; all as they stand when the last is done. */
export type ViewCases = (listed: ListedCase[]) => Promise<DeliveryCase[]>

export function createViewCases(reading: Pick<CaseReading, 'remembered'>, outbox: Pick<Outbox, 'onChange'>): ViewCases {
  return async (listed) => {
    const changed = new Set<CaseId>()
    const stop = outbox.onChange(({ payload }) => {
      if (payload && 'caseId' in payload && payload.caseId !== null) changed.add(payload.caseId)
    })
    try {
      const cases: DeliveryCase[] = []
      for (let from = 0; from < listed.length; from += atOnce) {
        if (from > 0) await setImmediate()
        cases.push(...listed.slice(from, from + atOnce).map(reading.remembered()))
      }
      // Everybody was told of these already: the older state must not come after the newer one.
      const remembered = reading.remembered()
      return cases.map((one) => (changed.has(one.caseId) ? remembered(one) : one))
    } finally {
      stop()
    }
  }
}

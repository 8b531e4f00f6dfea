import type { OperationId, TagId } from '../../src-shared/ids'
import type { ServiceClock } from '../clock'
import type { Operation } from '../outbox/operation'
import type { Outbox } from '../outbox/outbox'
import { type Entries, spanOf } from './entries'
import { type History, itemsIn, ofOrder } from './history'
import { type Reported, reportedOf } from './readback'

/** What is to be read back, from this station's own operations. */
export interface ReadBackPlan {
  /** Items that the accepted sales, returns and voids of a day changed, each once. */
  itemsOf(day: string): TagId[]
  /** Where all reports of this station leave an item, of whatever day; undefined when the service took none. */
  reported(tagId: TagId): Reported | undefined
}

interface PlanParts {
  entries: Pick<Entries, 'operations'>
  history: Pick<History, 'reportsOf' | 'order'>
  outbox: Pick<Outbox, 'journalOf'>
  serviceClock: Pick<ServiceClock, 'offset'>
}

export function createReadBackPlan({ entries, history, outbox, serviceClock }: PlanParts): ReadBackPlan {
  // An accepted operation stays accepted, and its journal entry stays as it is.
  const settled = new Map<OperationId, number>()
  const mostRemembered = 10_000

  const settledAtOf = ({ id, performedAt }: Operation): number => {
    const known = settled.get(id)
    if (known !== undefined) return known
    const journal = outbox.journalOf(id)
    const step = journal.ok ? journal.value.findLast(({ to }) => to === 'accepted') : undefined
    const at = step ? Date.parse(step.at) + serviceClock.offset() : Date.parse(performedAt)
    if (settled.size >= mostRemembered) settled.clear()
    settled.set(id, at)
    return at
  }

  /** Reports that name an item and voids of its orders, oldest first: a void need not name it. */
  const operationsOf = (tagId: TagId): Operation[] => {
    const own = history.reportsOf(tagId)
    const orders = new Set(own.flatMap((one) => ofOrder(one)?.orderId ?? []))
    const voids = [...orders].flatMap((orderId) => history.order(orderId)).filter(({ kind }) => kind === 'void')
    const bySeq = new Map([...own, ...voids].map((one) => [one.seq, one]))
    return [...bySeq.values()].sort((a, b) => a.seq - b.seq)
  }

  return {
    itemsOf(day) {
      const tagIds = new Set<TagId>()
      for (const operation of entries.operations(spanOf(day))) {
        const payload = operation.state === 'accepted' ? ofOrder(operation) : undefined
        if (!payload) continue
        for (const tagId of payload.tagIds) tagIds.add(tagId)
        if (payload.kind !== 'void') continue
        for (const { tagId, state } of itemsIn(history.order(payload.orderId))) {
          if (state === 'voided') tagIds.add(tagId)
        }
      }
      return [...tagIds]
    },
    reported: (tagId) => reportedOf(tagId, operationsOf(tagId), settledAtOf),
  }
}

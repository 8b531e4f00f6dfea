import type { OperationId } from '../../../src-shared/ids'
import type { ReportsView } from '../../../src-shared/ipc/contract/checkout'
import type { OperationView } from '../../../src-shared/ipc/contract/outbox'

/** A report of the counter once no outcome is to be expected soon: as the screens show it then. */
export async function outcomeOf(
  { ask }: { ask: (name: 'checkout.reports', input: undefined) => Promise<ReportsView> },
  id: OperationId,
): Promise<OperationView> {
  for (let look = 0; ; look++) {
    const { orders } = await ask('checkout.reports', undefined)
    const found = orders.find(({ operation }) => operation.id === id)
    if (!found) throw new Error(`${id} is not among the orders that were finished lately`)
    const isExpected = found.word === 'sending' || found.word === 'behind'
    if (!isExpected || look === 90) return found.operation
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

import type { Station } from './station'
import { stepsOf } from './steps'

export type When = 'before-commit' | 'after-commit'

/** Steps around a report whose connection drops before or after the service took it. */
export function droppedReportOf(station: () => Station) {
  const { sell, sellable } = stepsOf(station)
  /** Drops the next report, and keeps the station from checking it until `settle`. */
  const dropNext = (when: When) =>
    station().knobs.setFaults({
      rules: [
        { kind: 'drop', when, method: 'POST', times: 1 },
        { kind: 'status', code: 500, method: 'GET' },
      ],
    })
  /** Lets the station check, and returns the report afterwards. */
  const settle = async () => {
    await station().knobs.setFaults({})
    await station().ask('outbox.sendNow', undefined)
    await station().drained()
    const lists = await Promise.all(
      (['recent', 'attention'] as const).map((show) => station().ask('outbox.list', { show })),
    )
    return lists.flatMap(({ operations }) => operations).toSorted((one, other) => other.seq - one.seq)[0]
  }
  const fillReturn = async (tagIds: string[]) => {
    for (const tagId of tagIds) await station().ask('checkout.addItem', { mode: 'return', tagId })
  }
  const imports = async () =>
    (await station().knobs.imports()).map(({ caseId, packageUid }) => `${caseId} ${packageUid}`)

  /**
   * An order of two items, and later an order of one item from the same case. The later order stays, as proof that the
   * service keeps our times.
   */
  const sold = async () => {
    const [a = '', b = '', c = ''] = await sellable(3)
    await sell('1', [a, b])
    await sell('2', [c])
    return { a, b, c }
  }
  const complete = (orderId: string, ...tagIds: string[]) => ({ kind: 'complete', orderId, tagIds })
  const giveBack = (orderId: string, ...tagIds: string[]) => ({ kind: 'return', orderId, tagIds })
  const voided = (orderId: string, ...tagIds: string[]) => ({ kind: 'void', orderId, tagIds })

  return { dropNext, settle, fillReturn, imports, sold, complete, giveBack, voided }
}

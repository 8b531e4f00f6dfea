import { setTimeout as pause } from 'node:timers/promises'
import { OrderId } from '../../src-shared/ids'
import type { AppError } from '../../src-shared/errors'
import type { Client } from '../../src-shared/ipc/client'
import type { CallInput, CallName, CallOutput } from '../../src-shared/ipc/contract'
import type { CartMode } from '../../src-shared/ipc/contract/checkout'
import type { OperationView } from '../../src-shared/ipc/contract/outbox'
import type { Result } from '../../src-shared/result'
import type { Report } from './judge'
import type { Kind } from './misbehaviour'
import type { Lot } from './shop'

/** What the clerk enters where a gate asks. */
const approval = { reason: 'Hostile suite' }

/** The report, and the call that made it, which may take 2 s. */
export interface Started {
  report: Report
  answer: Promise<Result<OperationView, AppError>>
}

/** Limit for a report to leave the cart, in ms: a customer waits no longer. */
const patience = 5_000
const longestPreparation = 30_000

/** The person at one station, by the calls that the screens make. */
export function createClerk(client: Client) {
  const ask = async <Name extends CallName>(name: Name, input: CallInput<Name>): Promise<CallOutput<Name>> => {
    const answer = await client.call(name, input)
    if (!answer.ok) throw new Error(`${name}: ${JSON.stringify(answer.error).slice(0, 300)}`)
    return answer.value
  }

  /** Reports the cart's content; resolves once the cart is empty, with the call still open. */
  const finish = async (mode: CartMode): Promise<Promise<Result<OperationView, AppError>>[]> => {
    const { orderId, itemCount, revision } = await ask('checkout.cart', { mode })
    const call = { isAnswered: false }
    const answer = client.call('checkout.finish', { mode, orderId, itemCount, revision, isMeant: true }).finally(() => {
      call.isAnswered = true
    })
    const until = performance.now() + patience
    while (!call.isAnswered && performance.now() < until && (await ask('checkout.cart', { mode })).itemCount > 0) {
      await pause(10)
    }
    return [answer]
  }

  const sell = async (orderId: string, tagId: Lot['tagId'], customerId?: string): Promise<Started> => {
    const mode = 'sale' as const
    await ask('checkout.setOrder', { mode, orderId: OrderId.parse(orderId) })
    if (customerId !== undefined) await ask('checkout.setCustomer', { mode, customerId })
    await ask('checkout.addItem', { mode, tagId })
    const [answer] = await finish(mode)
    if (!answer) throw new Error('nothing was finished')
    return { report: { kind: 'complete', subject: orderId }, answer }
  }

  /** The operation of a report, in whichever list shows it. */
  const find = async ({ kind, subject }: Report): Promise<OperationView | undefined> => {
    for (const show of ['waiting', 'attention', 'recent'] as const) {
      const { operations } = await ask('outbox.list', { show })
      const found = operations.find((one) => one.kind === kind && (one.orderId === subject || one.caseId === subject))
      if (found) return found
    }
    return undefined
  }

  return {
    ask,
    sell,
    /** Prepares what can't be prepared while the service misbehaves. */
    async prepare(kind: Kind, orderId: string, lot: Lot): Promise<void> {
      if (kind === 'import') await ask('receiving.case', { identifier: lot.delivery.caseId })
      if (kind !== 'void' && kind !== 'return') return
      const { report, answer } = await sell(orderId, lot.tagId)
      await answer
      // On a busy machine this may take longer than the call waits.
      const until = performance.now() + longestPreparation
      while ((await find(report))?.state !== 'accepted') {
        if (performance.now() > until) throw new Error('a sale before it all was not taken')
        await pause(50)
      }
    },
    async start(kind: Kind, orderId: string, lot: Lot, customerId: string): Promise<Started> {
      switch (kind) {
        case 'complete':
          return sell(orderId, lot.tagId, customerId)
        case 'return': {
          const mode = 'return' as const
          await ask('checkout.addItem', { mode, tagId: lot.tagId })
          await ask('checkout.setCustomer', { mode, customerId })
          const [answer] = await finish(mode)
          if (!answer) throw new Error('nothing was finished')
          return { report: { kind, subject: orderId }, answer }
        }
        case 'void':
          return {
            report: { kind, subject: orderId },
            answer: client.call('checkout.void', { orderId: OrderId.parse(orderId), approval }),
          }
        case 'import': {
          const form = { ...lot.delivery, posProductId: 'POS-2', posInventoryId: `INV-${orderId}` }
          return {
            report: { kind, subject: lot.delivery.caseId },
            answer: client.call('receiving.import', { ...form, approval }),
          }
        }
      }
    },
    find,
  }
}

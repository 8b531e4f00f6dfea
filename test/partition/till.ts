import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createClient } from '../../src-shared/ipc/client'
import type { CallInput, CallName, CallOutput } from '../../src-shared/ipc/contract'
import type { CartMode } from '../../src-shared/ipc/contract/checkout'
import { compose } from '../../src-main/app/compose'
import { createDispatch } from '../../src-main/ipc/dispatch'
import { unlimited } from '../../src-main/ipc/limits'
import { fakeScanners } from '../fakes/hid-layer'
import { type OutsidePractice, outsidePractice } from '../fakes/outside-practice'

/** A station with the real core, and a cashier who sees "saved" and continues. */
export interface Till {
  seeCase(caseId: string): Promise<void>
  sell(orderId: string, tagId: string): Promise<void>
  takeBack(tagId: string): Promise<void>
  unsent(): Promise<number>
  /** The station's own complaints about a drill: nothing should need attention. */
  complaints(): Promise<string[]>
  close(): Promise<void>
}

const resourcesDir = join(import.meta.dirname, '../../resources')

export async function startTill(parts: { dataDir: string; practice: OutsidePractice }): Promise<Till> {
  const app = await compose({
    dataDir: parts.dataDir,
    resourcesDir,
    version: '0.0.0-partition',
    scanners: fakeScanners().layer,
    startPractice: outsidePractice(parts.practice),
  })
  const dispatch = createDispatch({ station: app, rateLimit: unlimited, isTrusted: () => true })
  const client = createClient({
    invoke: (call, input) => dispatch('partition', call, input),
    subscribe: () => () => undefined,
  })
  const ask = async <Name extends CallName>(name: Name, input: CallInput<Name>): Promise<CallOutput<Name>> => {
    const answer = await client.call(name, input)
    if (!answer.ok) throw new Error(`${name}: ${JSON.stringify(answer.error)}`)
    return answer.value
  }
  const reports = new Set<Promise<unknown>>()
  /**
   * The next customer is served as soon as the cart is empty, because the order is saved then, without waiting for the
   * service.
   */
  const finish = async (mode: CartMode) => {
    const { orderId, itemCount, revision } = await ask('checkout.cart', { mode })
    const report = ask('checkout.finish', { mode, orderId, itemCount, revision, isMeant: true }).finally(() =>
      reports.delete(report),
    )
    reports.add(report)
    while ((await ask('checkout.cart', { mode })).itemCount > 0) await pause(2)
  }

  return {
    async seeCase(caseId) {
      await ask('receiving.case', { identifier: caseId })
    },
    async sell(orderId, tagId) {
      await ask('checkout.setOrder', { mode: 'sale', orderId })
      await ask('checkout.addItem', { mode: 'sale', tagId })
      await finish('sale')
    },
    async takeBack(tagId) {
      await ask('checkout.addItem', { mode: 'return', tagId })
      await finish('return')
    },
    unsent: async () => (await ask('app.status', undefined)).unsent,
    async complaints() {
      const { operations } = await ask('outbox.list', { show: 'attention' })
      return operations.map((one) => `refused: ${one.kind} ${one.orderId ?? ''}, ${JSON.stringify(one.reason)}`)
    },
    async close() {
      await Promise.all(reports)
      await app.close()
    },
  }
}

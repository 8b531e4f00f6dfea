import { setTimeout as pause } from 'node:timers/promises'
import { compose } from '../../src-main/app/compose'
import { createDispatch } from '../../src-main/ipc/dispatch'
import { unlimited } from '../../src-main/ipc/limits'
import { createClient } from '../../src-shared/ipc/client'
import { practiceId } from '../../src-shared/ipc/contract/station'
import type { Ledger } from '../crash/ledger'
import { type At, createCashier } from '../crash/person-checkout'
import { createDatabaseHost } from '../crash/person-outbox'
import { createClerk } from '../crash/person-receiving'
import { inNeed, sightOf, waiting } from '../crash/sight'
import { account, dispensary, lotsOf, sourcing } from '../crash/store'
import { createTeller } from '../crash/teller'
import { fakeScanners } from '../fakes/hid-layer'
import { practiceKnobs } from '../fakes/practice-admin'
import { outsidePractice } from '../fakes/outside-practice'
import type { LifeOrder, Notebook, Phase } from './notebook'

export interface Scene extends Omit<LifeOrder, 'life'> {
  notebook: Notebook
}

/** The notebook at the network records everything that the crash suite's ledger would. */
const unread: Ledger = { before: [], write: () => undefined, close: () => undefined }
const at = (n: number): At => ({ n, patience: 3_000, isAgain: false })
/** Limit until everything is sent, in ms. */
const most = 60_000

/**
 * The whole station on its data, and the people who work at it. `looks`: how often they look whether a report was taken.
 */
export async function openHands(
  { notebook, dataDir, resourcesDir, service }: Omit<Scene, 'seed' | 'notebookFile'>,
  looks?: number,
) {
  const app = await compose({
    dataDir,
    resourcesDir,
    version: '0.0.0-suite',
    scanners: fakeScanners().layer,
    startPractice: outsidePractice({ ...service, account, sourcing, dispensary }),
  })
  const stopListening = notebook.listen(app.events)
  const dispatch = createDispatch({ station: app, rateLimit: unlimited, isTrusted: () => true })
  const client = createClient({
    invoke: notebook.tap((call, input) => dispatch('suite', call, input)),
    subscribe: () => () => undefined,
  })
  const teller = createTeller(client, unread)
  const hands = { client, teller, ledger: unread }
  const cashier = createCashier({ ...hands, ...(looks !== undefined && { looks }) })
  const clerk = createClerk(hands)
  const host = createDatabaseHost({ ...hands, cashier, clerk, knobs: practiceKnobs(service.adminUrl) })
  return {
    client,
    teller,
    cashier,
    clerk,
    host,
    close: async () => {
      await app.close(Infinity)
      stopListening()
    },
  }
}

/** The same for the lives of this suite. */
export async function openShop(scene: Scene, phase: Phase) {
  const begin = (next: Phase) => {
    scene.notebook.write({ line: 'scene', phase: next, folder: practiceId })
  }
  begin(phase)
  const { client, teller, cashier, clerk, host, close } = await openHands(scene)
  const [shelf = [], delivery = []] = [lotsOf('shelf'), lotsOf('delivery')].map((lots) =>
    lots.flatMap((lot) => lot.tagIds),
  )

  const hold = async () => {
    const cart = await teller.ask(0, 'checkout.cart', { mode: 'sale' })
    if (cart) await teller.ask(0, 'checkout.hold', { revision: cart.revision })
    return teller.ask(0, 'checkout.held', undefined)
  }
  const drained = async () => {
    const until = Date.now() + most
    while (Date.now() < until) {
      const left = await waiting(client)
      // Operations that wait for a person are not awaited.
      if (left.every((one) => one.heldUpBy?.state === 'rejected')) return
      await teller.ask(0, 'outbox.sendNow', undefined)
      await pause(20)
    }
    throw new Error('the outbox did not drain')
  }
  const attend = async (how: 'retry' | 'dismiss' | 'reopen', times: number) => {
    for (let n = 0; n < times && (await inNeed(client)).length > 0; n++) await host.attend(at(n), n, how)
  }

  return {
    begin,
    lookAround: async () => {
      // The older version's cart is put aside.
      await hold()
      await clerk.open(at(0))
    },
    sellOffline: async () => {
      await teller.ask(0, 'app.setLocale', { locale: 'en' })
      for (const [n, lot] of lotsOf('delivery').slice(0, 3).entries()) await clerk.import(at(n), lot, `INV-${n}`)
      for (let n = 0; n < 8; n++) await cashier.sell(at(n), `OFF-${n}`, shelf.slice(n * 2, n * 2 + 2))
      await cashier.sell(at(8), 'OFF-8', delivery.slice(0, 3))
      await cashier.takeBack(at(9), 'OFF-0', shelf.slice(0, 1))
      await cashier.void(at(10), 'OFF-1')
      await teller.ask(0, 'checkout.setOrder', { mode: 'sale', orderId: 'HELD-1' })
      await teller.ask(0, 'checkout.addItem', { mode: 'sale', tagId: shelf[16] ?? '' })
      await hold()
      await host.withdraw(at(11), 4)
      await host.withdraw(at(12), 6)
      await teller.ask(0, 'outbox.setLimits', { count: 77, hours: 5 })
    },
    settle: async () => {
      await drained()
      await attend('retry', 2)
      await attend('dismiss', 40)
      await drained()
    },
    sellOnline: async () => {
      await teller.ask(0, 'app.setLocale', { locale: 'es' })
      const closed = lotsOf('closed').flatMap((lot) => lot.tagIds)
      for (let n = 0; n < 4; n++) await cashier.sell(at(n), `ON-${n}`, shelf.slice(17 + n * 2, 19 + n * 2))
      await cashier.sell(at(5), 'ON-5', closed.slice(0, 2))
      await attend('reopen', 1)
      const held = await teller.ask(0, 'checkout.held', undefined)
      const last = held?.at(-1)
      if (last) await teller.ask(0, 'checkout.resume', { heldId: last.id })
      // Not awaited: the process is killed during these calls.
      const ending = { ...at(6), patience: 1 }
      await cashier.void(ending, 'ON-0')
      await cashier.takeBack(ending, 'ON-1', shelf.slice(19, 20))
    },
    /** Reads everything first, which shows the work that the last life left unfinished. */
    takeUp: async (n: number) => {
      await sightOf(client)
      await drained()
      await cashier.sell(at(1), `AFTER-${n}`, shelf.slice(24 + n, 25 + n))
      for (const lot of lotsOf('delivery').slice(2 + n, 3 + n)) await clerk.import(at(n), lot, `INV-A${n}`)
      await teller.ask(0, 'checkout.addItem', { mode: 'sale', tagId: shelf[27] ?? '' })
      await teller.settled()
    },
    close: async () => {
      begin('closing')
      await close()
    },
  }
}

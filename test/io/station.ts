import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { AppStartError } from '../../src-main/database/open'
import { CallAnswer } from '../../src-shared/ipc/client'
import { practiceId } from '../../src-shared/ipc/contract/station'
import { chanceOf } from '../crash/chance'
import type { At } from '../crash/person-checkout'
import { sightOf, waiting } from '../crash/sight'
import { lotsOf } from '../crash/store'
import { practiceKnobs } from '../fakes/practice-admin'
import { type Notebook, noteSending, openNotebook } from '../power/notebook'
import { openHands } from '../power/shop'
import { LifeOrder, type Refusal } from './lives'

/** One life of a station, with the real core, on a disk that fails. It ends with a kill, except the one that is closed. */

type Hands = Awaited<ReturnType<typeof openHands>>

const at = (n: number): At => ({ n, patience: 3_000, isAgain: false })
/** A refused report is not in the cart's way for long. */
const looks = 3
/** How long a life waits for its reports, in ms: on a failing disk they may never be sent. */
const patience = 1_000

const shelf = lotsOf('shelf').flatMap((lot) => lot.tagIds)
const items = (from: number, to: number) => shelf.slice(from, to)

/** A life that hangs ends by itself after this time, in ms: a killed strace would leave it running. */
const longestLife = 580_000

async function live(order: LifeOrder): Promise<void> {
  setTimeout(() => process.exit(3), longestLife).unref()
  const { life, seed, notebookFile, service } = order
  const chance = chanceOf('io', seed, life)
  Math.random = () => chance.next()
  const notebook = order.isShort ? dyingAtFailure(openNotebook(notebookFile)) : openNotebook(notebookFile)
  noteSending(notebook)
  notebook.write({ line: 'scene', phase: 'opening', folder: practiceId })
  const hands = await open(order, notebook)
  if (!hands) process.exit(0)
  notebook.write({ line: 'scene', phase: 'selling', folder: practiceId })
  switch (life) {
    case 'closed':
    case 'killed':
      await prepare(hands, service.adminUrl)
      await sightOf(hands.client)
      if (life === 'killed') break
      await hands.close()
      process.exit(0)
      break
    case 'offline':
      await sellOffline(hands)
      break
    case 'online':
      await sellOnline(hands)
      break
    case 'starting':
      // What it shows is the promise.
      break
  }
  await sightOf(hands.client)
  await hands.teller.ask(0, 'checkout.held', undefined)
  // What closing does to the files is under test too.
  if (life === 'online') await hands.close()
  process.kill(process.pid, 'SIGKILL')
}

/** Dies as soon as a person was told that something isn't saved. */
const dyingAtFailure = (notebook: Notebook): Notebook => ({
  ...notebook,
  tap(invoke) {
    const tapped = notebook.tap(invoke)
    return async (name, input) => {
      const answer = CallAnswer.parse(await tapped(name, input))
      if (!answer.ok && answer.error.code === 'store/not-saved') process.kill(process.pid, 'SIGKILL')
      return answer
    }
  },
})

/** Undefined if the station says that it can't start. */
async function open(order: LifeOrder, notebook: Notebook): Promise<Hands | undefined> {
  try {
    return await openHands({ ...order, notebook }, looks)
  } catch (cause) {
    if (!(cause instanceof AppStartError)) throw cause
    const refusal: Refusal = { code: cause.code, message: cause.message }
    process.stdout.write(JSON.stringify(refusal))
    return undefined
  }
}

/** A station that knows its shop, with something sold, something waiting, an order on hold and one in front. */
async function prepare({ teller, cashier, clerk, client }: Hands, adminUrl: string) {
  await clerk.open(at(0))
  await cashier.sell(at(1), 'SOLD', items(0, 2))
  while ((await waiting(client)).length > 0) await pause(20)
  await practiceKnobs(adminUrl).setFaults({ offline: true })
  await cashier.sell(at(2), 'WAITING', items(2, 4))
  await put({ teller }, 'HELD', items(4, 6))
  const cart = await teller.ask(0, 'checkout.cart', { mode: 'sale' })
  await teller.ask(0, 'checkout.hold', { revision: cart?.revision ?? 0 })
  await teller.ask(0, 'checkout.held', undefined)
  await put({ teller }, 'FRONT', items(6, 8))
}

/** A sale that may fail, and what a person does about it; then the rest of a day. */
async function sellOffline({ client, teller, cashier, host }: Hands) {
  await put({ teller }, 'OFF-1', items(8, 11))
  const seen = await teller.ask(0, 'checkout.cart', { mode: 'sale' })
  const { revision = 0, itemCount = 0 } = seen ?? {}
  await client.call('checkout.finish', { mode: 'sale', orderId: 'OFF-1', itemCount, revision, isMeant: true })
  await teller.ask(0, 'checkout.removeItem', { mode: 'sale', tagId: shelf[9] ?? '' })
  await teller.ask(0, 'checkout.setOrder', { mode: 'sale', orderId: 'OFF-2' })
  await teller.ask(0, 'checkout.cart', { mode: 'sale' })
  await cashier.void(at(2), 'SOLD')
  await host.withdraw(at(3), 0)
  await teller.ask(0, 'app.setLocale', { locale: 'es' })
  await teller.ask(0, 'checkout.held', undefined)
}

async function sellOnline({ client, teller, cashier }: Hands) {
  await teller.ask(0, 'outbox.sendNow', undefined)
  await cashier.sell(at(1), 'ON-1', items(8, 9))
  await cashier.void(at(2), 'SOLD')
  const until = Date.now() + patience
  while (Date.now() < until && (await waiting(client)).length > 0) await pause(20)
}

async function put({ teller }: Pick<Hands, 'teller'>, orderId: string, tagIds: string[]) {
  await teller.ask(0, 'checkout.setOrder', { mode: 'sale', orderId })
  for (const tagId of tagIds) await teller.ask(0, 'checkout.addItem', { mode: 'sale', tagId })
}

void live(LifeOrder.parse(JSON.parse(process.argv[2] ?? '')))

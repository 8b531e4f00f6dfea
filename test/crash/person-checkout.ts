import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '../../src-shared/ipc/client'
import type { CartMode } from '../../src-shared/ipc/contract/checkout'
import type { Intent, Ledger } from './ledger'
import { kept } from './sight'
import type { Teller } from './teller'

/** What the person enters where a gate asks. */
const approval = { reason: 'Crash suite' }

export interface PersonParts {
  client: Client
  teller: Teller
  ledger: Ledger
}

/** How often a person looks whether the cart has been emptied before they take it to be refused. */
const mostLooks = 200

/** A deed's number, how long its person waits, and whether the station died during it before. */
export interface At {
  n: number
  patience: number
  isAgain: boolean
}

/** What a person does at the counter. */
export function createCashier({ client, teller, ledger, looks = mostLooks }: PersonParts & { looks?: number }) {
  const cart = async ({ n }: At, mode: CartMode) => {
    const view = await teller.ask(n, 'checkout.cart', { mode })
    return {
      revision: view?.revision ?? 0,
      orderId: view?.orderId ?? null,
      tagIds: view?.lines.flatMap((one) => one.items.map((item) => item.tagId)) ?? [],
    }
  }

  /** Takes one item out of the cart, or all items and the order number. */
  const drop = async (at: At, mode: CartMode, tagId: string | null) => {
    const { n } = at
    ledger.write({ line: 'drops', mode, tagId })
    if (tagId === null) {
      // A late answer may change the cart during this loop.
      for (let tries = 0; tries < 20; tries++) {
        const { revision } = await cart(at, mode)
        if (await teller.ask(n, 'checkout.clear', { mode, revision })) break
      }
    } else await teller.ask(n, 'checkout.removeItem', { mode, tagId })
    ledger.write({ line: 'dropped', mode, tagId })
  }

  const fill = async (at: At, mode: CartMode, orderId: string, tagIds: string[]) => {
    await teller.ask(at.n, 'checkout.setOrder', { mode, orderId })
    for (const tagId of tagIds) {
      ledger.write({ line: 'scans', mode, tagId })
      const added = await teller.ask(at.n, 'checkout.addItem', { mode, tagId })
      if (added) ledger.write({ line: 'scanned', mode, tagId })
    }
  }

  /** Reports the cart's content, and continues when the cart is empty: then the report is saved. */
  const finish = async (at: At, mode: CartMode) => {
    const { orderId, tagIds, revision } = await cart(at, mode)
    if (orderId === null || tagIds.length === 0) {
      await drop(at, mode, null)
      return
    }
    const intent: Intent = { kind: mode === 'sale' ? 'complete' : 'return', orderId, tagIds }
    const seen = { mode, orderId, itemCount: tagIds.length, revision, isMeant: true }
    await teller.mean(at.n, intent, () => client.call('checkout.finish', seen), at.patience)
    for (let look = 0; (await cart(at, mode)).tagIds.length > 0; look++) {
      // The station itself refused the report: the customer is sent away.
      if (look === looks) return drop(at, mode, null)
      await pause(10)
    }
    ledger.write({ line: 'dropped', mode, tagId: null })
  }

  const isThere = async (kind: 'complete' | 'return' | 'void', orderId: string) =>
    (await kept(client)).find((one) => one.kind === kind && one.orderId === orderId && one.state !== 'cancelled')

  return {
    async sell(at: At, orderId: string, tagIds: string[]) {
      const done = at.isAgain ? await isThere('complete', orderId) : undefined
      if (done) {
        ledger.write({ line: 'found', n: at.n, view: done })
        return
      }
      if ((await cart(at, 'sale')).tagIds.length > 0) await drop(at, 'sale', null)
      await fill(at, 'sale', orderId, tagIds)
      await finish(at, 'sale')
    },
    // When the deed is repeated after a crash, items already in the cart are refused as "already returned": no need to
    // check first.
    async takeBack(at: At, orderId: string, tagIds: string[]) {
      if ((await cart(at, 'return')).tagIds.length > 0) await drop(at, 'return', null)
      await fill(at, 'return', orderId, tagIds)
      await finish(at, 'return')
    },
    async void(at: At, orderId: string) {
      const done = at.isAgain ? await isThere('void', orderId) : undefined
      if (done) ledger.write({ line: 'found', n: at.n, view: done })
      else
        await teller.mean(
          at.n,
          { kind: 'void', orderId },
          () => client.call('checkout.void', { orderId, approval }),
          at.patience,
        )
    },
    /** Opens a refused sale or return, removes the refused items, and reports the rest. */
    async reopen(at: At, operationId: string, mode: CartMode, refused: string[]) {
      if ((await cart(at, mode)).tagIds.length > 0) await drop(at, mode, null)
      const intent: Intent = { kind: 'reopen', operationId, mode }
      const opened = await teller.step(at.n, intent, () => client.call('checkout.reopen', { operationId }))
      if (!opened) return
      ledger.write({ line: 'reopened', mode, tagIds: (await cart(at, mode)).tagIds })
      for (const tagId of refused) await drop(at, mode, tagId)
      await finish(at, mode)
    },
  }
}

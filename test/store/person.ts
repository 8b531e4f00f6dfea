import { setTimeout as pause } from 'node:timers/promises'
import { OperationId, OrderId, TagId } from '../../src-shared/ids'
import type { CartMode, CartView } from '../../src-shared/ipc/contract/checkout'
import type { Chance } from '../crash/chance'
import type { PracticeKnobs } from '../fakes/practice-admin'
import type { Deed, DeedName } from './script'
import type { Till } from './till'

/** What the persons of a store know of each other's sales: a customer may come back to any station. */
export interface Sold {
  station: string
  orderId: OrderId
  tagIds: TagId[]
}

interface PersonParts {
  till: Till
  tagIds: readonly TagId[]
  /** Sales of all stations. */
  sold: Sold[]
  chance: Chance
  knobs: Pick<PracticeKnobs, 'transactions'>
}

export const itemsIn = ({ lines }: CartView) => lines.flatMap(({ items }) => items)
const approval = { reason: 'Store suite' }

/** A person at a station: one deed after the other, whatever breaks. */
export function createPerson({ till, tagIds, sold, chance, knobs }: PersonParts) {
  let orders = 0
  const cart = (mode: CartMode = 'sale') => till.look('checkout.cart', { mode })
  const isOnline = async () => (await till.look('hub.view', undefined)).situation === 'online'
  /** No two orders of a run share a number that a person gave. */
  const setOrder = async () => {
    const orderId = OrderId.parse(`${till.name}-${++orders}`)
    const { kind } = await till.ask('checkout.setOrder', { mode: 'sale', orderId })
    return kind === 'ok' ? orderId : undefined
  }

  const scan = async () => {
    const tagId = chance.pick(tagIds)
    const wantsIt = chance.hits(0.3)
    const wasOnline = await isOnline()
    const said = await till.ask('checkout.addItem', { mode: 'sale', tagId }, [tagId])
    if (said.kind !== 'killed') said.entry.isOnline = wasOnline && (await isOnline())
    if (said.kind === 'ok') said.entry.answer = said.value.claim
    if (said.kind !== 'refused' || said.error.code !== 'checkout/claimed' || said.error.by.isSold || !wantsIt) return
    // Sometimes the other station has gone on by then.
    await pause(chance.below(chance.hits(0.3) ? 300 : 30))
    const { stationId, revision } = said.error.by
    await takeOver(tagId, { stationId, revision })
  }
  const takeOver = async (tagId: TagId, from: { stationId: string; revision: number }) => {
    const said = await till.ask('checkout.addItem', { mode: 'sale', tagId, takeOver: from, approval }, [tagId])
    if (said.kind === 'ok') said.entry.answer = said.value.claim
  }
  const remove = async () => {
    const items = itemsIn(await cart())
    if (items.length === 0) return
    const { tagId } = chance.pick(items)
    await till.ask('checkout.removeItem', { mode: 'sale', tagId }, [tagId])
  }
  const clear = async (mode: CartMode = 'sale') => {
    const view = await cart(mode)
    const { revision } = view
    return till.ask('checkout.clear', { mode, revision }, tagsOf(view))
  }

  /** Puts the cart on hold under a number of its own; one without items is cleared. Returns false if it is still there. */
  const hold = async () => {
    if ((await cart()).itemCount === 0) return (await clear()).kind === 'ok'
    const orderId = await setOrder()
    const view = await cart()
    if (orderId === undefined || view.itemCount === 0) return false
    const said = await till.ask('checkout.hold', { revision: view.revision }, tagsOf(view))
    if (said.kind === 'ok') said.entry.answer = { orderId }
    return said.kind === 'ok'
  }
  const resume = async () => {
    const held = await till.look('checkout.held', undefined)
    if (held.length === 0 || !(await hold())) return
    const { id, orderId } = chance.pick(held)
    const said = await till.ask('checkout.resume', { heldId: id })
    if (said.kind !== 'ok') return
    const view = await cart()
    said.entry.tagIds = tagsOf(view)
    said.entry.answer = { orderId }
  }
  const drop = async () => {
    const held = await till.look('checkout.held', undefined)
    if (held.length === 0) return
    await till.ask('checkout.dropHeld', { heldId: chance.pick(held).id })
  }

  const complete = async (isAgain = false): Promise<void> => {
    let view = await cart()
    if (view.itemCount === 0) return
    if (view.orderId === null) {
      if ((await setOrder()) === undefined) return
      view = await cart()
    }
    const { orderId, itemCount, revision } = view
    const items = tagsOf(view)
    if (orderId === null || itemCount === 0) return
    const seen = { mode: 'sale' as const, orderId, itemCount, revision, isMeant: true }
    const said = await till.ask('checkout.finish', seen, items)
    if (said.kind === 'ok') {
      said.entry.answer = { id: said.value.id }
      sold.push({ station: till.name, orderId, tagIds: items })
    }
    if (said.kind !== 'refused' || isAgain) return
    const { error } = said
    if (error.code === 'checkout/claimed' && chance.hits(0.3) && !error.by.isSold) {
      const { stationId, revision: from } = error.by
      await takeOver(TagId.parse(error.tagId), { stationId, revision: from })
      return complete(true)
    }
    // The customer goes without the item, or with another number on the receipt.
    const refused = 'tagId' in error ? items.find((one) => one === error.tagId) : undefined
    if (refused !== undefined) {
      await till.ask('checkout.removeItem', { mode: 'sale', tagId: refused }, [refused])
      return complete(true)
    }
    if (error.code === 'checkout/order-id-used') await setOrder()
  }

  /** A sale of this station, or of another one. */
  const pastSale = (isElsewhere: boolean) => {
    const those = sold.filter(({ station }) => (station === till.name) !== isElsewhere)
    return those.length === 0 ? undefined : chance.pick(those.slice(-6))
  }
  const voidSale = async (isElsewhere: boolean) => {
    const sale = pastSale(isElsewhere)
    if (!sale) return
    const said = await till.ask('checkout.void', { orderId: sale.orderId, approval }, sale.tagIds)
    if (said.kind === 'ok') said.entry.answer = { id: said.value.id }
  }
  const giveBack = async (isElsewhere: boolean) => {
    const sale = pastSale(isElsewhere)
    if (!sale) return
    const { orderId } = sale
    await clear('return')
    await till.ask('checkout.setOrder', { mode: 'return', orderId })
    for (const tagId of sale.tagIds) {
      if (chance.hits(0.7)) await till.ask('checkout.addItem', { mode: 'return', tagId }, [tagId])
    }
    const { itemCount, revision, ...view } = await cart('return')
    if (itemCount === 0 || view.orderId !== orderId) return
    const items = tagsOf({ lines: view.lines })
    const seen = { mode: 'return' as const, orderId, itemCount, revision, isMeant: true }
    const said = await till.ask('checkout.finish', seen, items)
    if (said.kind === 'ok') said.entry.answer = { id: said.value.id }
  }
  const withdraw = async () => {
    const { operations } = await till.look('outbox.list', { show: 'waiting' })
    const those = operations.filter(({ undo }) => undo === 'withdraw')
    if (those.length === 0) return
    await till.ask('outbox.withdraw', { operationId: chance.pick(those).id })
  }

  /** Deals with what the service refused, or left open. `isOver`: nothing is put back into a cart. */
  const reason = 'Store suite'
  /** Reports in doubt that this person had sent again. */
  const sentAgain = new Set<OperationId>()
  const attend = async (isOver: boolean) => {
    const { operations } = await till.look('outbox.list', { show: 'attention' })
    for (const { id, kind, state, orderId } of operations) {
      const operationId = OperationId.parse(id)
      if (state === 'unknown') {
        const taken = await knobs.transactions()
        const isTaken = taken.some((one) => one.kind === kind && one.orderId === orderId)
        if (isTaken) await till.ask('outbox.confirm', { operationId })
        // Sent again, and still in doubt: another station has sold its item, and only a person can end it.
        else if (isOver && sentAgain.has(operationId)) await till.ask('outbox.dismiss', { operationId, reason })
        else if ((await till.ask('outbox.retry', { operationId, approval })).kind === 'ok') sentAgain.add(operationId)
      } else if (!isOver && kind === 'complete' && chance.hits(0.5) && (await cart()).itemCount === 0) {
        const said = await till.ask('checkout.reopen', { operationId })
        if (said.kind === 'ok') said.entry.tagIds = tagsOf(await cart())
      } else await till.ask('outbox.dismiss', { operationId, reason })
    }
  }

  const deeds: Record<DeedName, () => Promise<unknown>> = {
    scan,
    remove,
    clear,
    hold,
    resume,
    drop,
    'set order': setOrder,
    complete,
    void: () => voidSale(false),
    return: () => giveBack(false),
    'return elsewhere': () => giveBack(true),
    'void elsewhere': () => voidSale(true),
    withdraw,
    attend: () => attend(false),
  }
  return {
    async work(day: readonly Deed[]): Promise<void> {
      for (const deed of day) {
        await pause(deed.pause)
        await deeds[deed.do]()
      }
    },
    attend: () => attend(true),
  }
}
export type Person = ReturnType<typeof createPerson>

const tagsOf = ({ lines }: Pick<CartView, 'lines'>): TagId[] =>
  lines.flatMap(({ items }) => items.map(({ tagId }) => tagId)).sort()

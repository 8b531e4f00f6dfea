import { describe, expect, it } from 'vitest'
import type { OperationId } from '../../../../src-shared/ids'
import { order, tag } from '../../../fakes/ids'
import { accepted, facts, useCounter } from './counter-desk'

describe('a refused sale', () => {
  const counter = useCounter()
  const refusedSale = async () => {
    counter.shelf.put(facts(tag(1)), facts(tag(2)))
    const sale = await counter.sell('1', tag(1), tag(2))
    counter.refuse({ code: 'service/not-imported', tagIds: [tag(2)] })
    return sale
  }
  const amend = (id: OperationId, ...without: number[]) =>
    counter.checkout.finishing.amend(id, without.map(tag), 'Stayed in the store')

  it('is resent in its place without the refused item, which can be sold again', async () => {
    const sale = await refusedSale()
    expect(counter.value(amend(sale.id, 2))).toMatchObject({ id: sale.id, seq: sale.seq, itemCount: 1 })
    await counter.sell('2', tag(2))
    // The two sales don't block each other any more.
    expect(counter.outbox.read.waiting(9).map(({ blockers }) => blockers)).toEqual([0, 0])
    counter.send()
    expect(counter.checkout.orders.order(order('1')).items).toMatchObject([{ tagId: tag(1), state: 'sold' }])
    expect(counter.value(counter.checkout.orders.orderOfItem(tag(2))).orderId).toBe('2')
  })

  it('keeps the reason for what was taken out in its history', async () => {
    const sale = await refusedSale()
    counter.value(amend(sale.id, 2))
    const steps = counter.value(counter.outbox.journalOf(sale.id))
    expect(steps.at(-1)).toMatchObject({ actor: 'person', what: 'corrected', because: 'Stayed in the store' })
  })

  it('unblocks operations that waited for a removed item', async () => {
    const sale = await refusedSale()
    // A second sale of the same item can be queued behind the first one only after a salvage.
    counter.value(counter.outbox.enqueue({ kind: 'complete', orderId: order('2'), tagIds: [tag(2)] }))
    expect(counter.outbox.read.waiting(9).map(({ blockers }) => blockers)).toEqual([1])
    counter.value(amend(sale.id, 2))
    counter.refuse()
    expect(counter.outbox.read.counts()).toMatchObject({ unsent: 0, attention: 2 })
  })

  it("can't be amended by an item that the service didn't name: that item was sold", async () => {
    const sale = await refusedSale()
    expect(counter.refusal(amend(sale.id, 1))).toEqual({ code: 'checkout/cart-changed' })
    expect(counter.outbox.read.byId(sale.id)).toMatchObject({ state: 'rejected' })
  })

  it("can't lose all its items, or an item that it doesn't contain", async () => {
    const sale = await refusedSale()
    expect(counter.refusal(amend(sale.id, 1, 2))).toEqual({ code: 'checkout/empty-cart' })
    expect(counter.refusal(amend(sale.id, 3))).toEqual({ code: 'checkout/cart-changed' })
    expect(counter.outbox.read.byId(sale.id)?.state).toBe('rejected')
  })

  it('is amended together with others of its cause, but not if it names items that the person did not see', async () => {
    counter.shelf.put(facts(tag(1)), facts(tag(2)), facts(tag(3)), facts(tag(4)))
    const one = await counter.sell('1', tag(1), tag(2))
    counter.refuse({ code: 'service/not-imported', tagIds: [tag(2)] })
    const other = await counter.sell('2', tag(3), tag(4))
    counter.refuse({ code: 'service/not-imported', tagIds: [tag(4)] })
    const ids = [one.id, other.id]
    const amendMany = (...without: number[]) =>
      counter.checkout.finishing.amendMany(ids, without.map(tag), 'Stayed in the store')
    expect(await amendMany(2)).toEqual({
      done: 1,
      refused: [{ operationId: other.id, error: { code: 'checkout/cart-changed' } }],
    })
    expect(counter.outbox.read.byId(other.id)?.state).toBe('rejected')
    expect(await amendMany(2, 4)).toMatchObject({ done: 1, refused: [{ operationId: one.id }] })
    expect(ids.map((id) => counter.outbox.read.byId(id)?.state)).toEqual(['queued', 'queued'])
    const steps = counter.value(counter.outbox.journalOf(other.id))
    expect(steps.at(-1)).toMatchObject({ what: 'corrected', because: 'Stayed in the store' })
  })

  it('can be amended only while it is refused and certainly not accepted earlier', async () => {
    counter.shelf.put(facts(tag(1)), facts(tag(2)))
    const sale = await counter.sell('1', tag(1), tag(2))
    expect(counter.refusal(amend(sale.id, 2))).toEqual({ code: 'outbox/wrong-state', state: 'queued' })
    const claimed = counter.outbox.claim()
    counter.outbox.settle(claimed?.seq ?? 0, {
      kind: 'unknown',
      reason: { code: 'service/unreachable' },
      afterMs: null,
    })
    counter.outbox.retryAll()
    counter.refuse({ code: 'service/already-processed', detail: '' })
    expect(counter.outbox.read.byId(sale.id)).toMatchObject({ state: 'rejected', isUncertain: true })
    expect(counter.refusal(amend(sale.id, 2))).toEqual({ code: 'outbox/wrong-state', state: 'rejected' })
    expect(counter.refusal(amend(counter.value(voided('9')).id, 2))).toEqual({ code: 'outbox/not-found' })
  })
  const voided = (orderId: string) => counter.checkout.orders.void(order(orderId))

  it('is reopened into the cart with its budtender and customer', async () => {
    counter.shelf.put(facts(tag(1)))
    counter.value(counter.checkout.setBudtender('sale', 'B-1'))
    counter.value(counter.checkout.setCustomer('sale', 'CUSTOMER-1'))
    const sale = await counter.sell('1', tag(1))
    counter.refuse()
    counter.value(counter.checkout.setBudtender('sale', 'B-2'))
    expect(counter.shown(counter.checkout.finishing.reopen(sale.id))).toMatchObject({
      orderId: '1',
      customerId: 'CUSTOMER-1',
      budtender: { id: 'B-1' },
      itemCount: 1,
    })
  })

  it('is reopened with the note of a return', async () => {
    counter.shelf.put(facts(tag(1)))
    await counter.sell('1', tag(1))
    counter.send()
    counter.value(counter.checkout.setOrder('return', order('1')))
    await counter.add(tag(1), 'return')
    const again = counter.finish('return', 'torn bag')
    counter.refuse()
    expect(counter.value(counter.checkout.finishing.reopen(again.id))).toMatchObject({
      mode: 'return',
      note: 'torn bag',
    })
  })
})

describe('a reported order', () => {
  const counter = useCounter()

  it('says what voiding it will do: withdraw, wait, or report', async () => {
    counter.shelf.put(facts(tag(1)), facts(tag(2)))
    await counter.sell('1', tag(1))
    const willOf = (id: string) => counter.checkout.orders.order(order(id)).voidWill
    expect(willOf('1')).toBe('withdraw')
    const claimed = counter.outbox.claim()
    expect(willOf('1')).toBe('wait')
    counter.outbox.settle(claimed?.seq ?? 0, accepted)
    expect(willOf('1')).toBe('report')
    expect(willOf('never seen')).toBe('report')
    // The same with an unsent return in the queue.
    await counter.add(tag(1), 'return')
    counter.finish('return')
    expect(willOf('1')).toBe('wait')
  })

  it('keeps the notes of returns, voids, withdrawals and dismissals, without sending them', async () => {
    const { checkout, value } = counter
    counter.shelf.put(facts(tag(1)), facts(tag(2)), facts(tag(3)))
    value(checkout.setBudtender('sale', 'B-1'))
    await counter.sell('1', tag(1), tag(2))
    counter.send()
    await counter.add(tag(1), 'return')
    counter.finish('return', 'wrong strain')
    value(checkout.orders.void(order('1'), 'changed their mind'))
    counter.send()
    const { notes, items, budtender } = checkout.orders.order(order('1'))
    expect(notes.map(({ text }) => text)).toEqual(['wrong strain', 'changed their mind'])
    expect(items.map(({ state }) => state)).toEqual(['returned', 'voided'])
    expect(budtender).toEqual({ id: 'B-1', name: 'B-1' })
    await counter.sell('2', tag(3))
    value(checkout.orders.void(order('2'), 'rung up twice'))
    expect(checkout.orders.order(order('2')).notes.map(({ text }) => text)).toEqual(['rung up twice'])
    await counter.sell('3', tag(3))
    counter.refuse()
    value(
      counter.outbox.dismiss(
        counter.outbox.read.attention(1)[0]?.id ?? value(checkout.orders.void(order('x'))).id,
        'lost',
      ),
    )
    expect(checkout.orders.order(order('3')).notes.map(({ text }) => text)).toEqual(['lost'])
  })

  it('can be returned only while some of it is sold and none of its reports was refused', async () => {
    counter.shelf.put(facts(tag(1)), facts(tag(2)))
    const canReturn = (id: string) => counter.checkout.orders.order(order(id)).canReturn
    expect(canReturn('1')).toBe(false)
    await counter.sell('1', tag(1), tag(2))
    counter.send()
    await counter.add(tag(1), 'return')
    counter.finish('return')
    expect(canReturn('1')).toBe(true)
    counter.value(counter.checkout.orders.void(order('1')))
    expect(canReturn('1')).toBe(false)
    await counter.sell('2', tag(1))
    counter.send()
    expect(canReturn('2')).toBe(true)
    await counter.add(tag(1), 'return')
    counter.finish('return')
    counter.refuse()
    expect(canReturn('2')).toBe(false)
  })

  it('is found by an item that was sold here and not taken back', async () => {
    const { checkout, value, refusal } = counter
    counter.shelf.put(facts(tag(1)))
    expect(refusal(checkout.orders.orderOfItem(tag(1)))).toEqual({ code: 'checkout/never-sold-here', tagId: tag(1) })
    await counter.sell('1', tag(1))
    expect(value(checkout.orders.orderOfItem(tag(1))).orderId).toBe('1')
    value(checkout.orders.void(order('1')))
    expect(refusal(checkout.orders.orderOfItem(tag(1)))).toMatchObject({ code: 'checkout/never-sold-here' })
  })

  it('of another till can have an item returned if its number is given', async () => {
    counter.shelf.put(facts(tag(1)))
    await counter.add(tag(1), 'return')
    expect(counter.finishRefused('return')).toEqual({ code: 'checkout/order-id-missing' })
    counter.value(counter.checkout.setOrder('return', order('OTHER-1')))
    expect(counter.finish('return')).toMatchObject({ kind: 'return', orderId: 'OTHER-1' })
  })

  it('is not reported if the screen showed another order', async () => {
    counter.shelf.put(facts(tag(1)))
    await counter.fill('1', tag(1))
    const seen = { ...counter.seen('sale'), orderId: order('2') }
    expect(counter.refusal(counter.checkout.finishing.finish('sale', seen))).toEqual({ code: 'checkout/cart-changed' })
  })
})

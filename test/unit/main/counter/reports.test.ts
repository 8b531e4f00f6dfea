import { describe, expect, it } from 'vitest'
import type { Outcome } from '../../../../src-main/outbox/operation'
import { order, tag } from '../../../fakes/ids'
import { accepted, facts, useCounter } from './counter-desk'

const unsettled: Outcome = {
  kind: 'unknown',
  reason: { code: 'outbox/unsettled', status: 409, said: '' },
  afterMs: null,
}

describe('the reports of the orders that were finished', () => {
  const counter = useCounter()
  const stock = () => {
    counter.shelf.put(...Array.from({ length: 9 }, (_, n) => facts(tag(n + 1))))
  }
  const words = () => counter.reports.view().orders.map(({ operation, word }) => [operation.orderId, word])
  const unseen = () => counter.reports.view().unseen.map(({ operation }) => operation.orderId)
  const settle = (outcome: Outcome) => {
    counter.send(() => outcome)
  }

  it('says at once that an order is saved, before its cart is announced as empty', async () => {
    stock()
    await counter.fill('1', tag(1))
    const before = counter.announced.carts.length
    const finished = counter.finish()
    expect(finished).toMatchObject({ state: 'queued', mode: 'sale' })
    expect(counter.announced.reports.at(-1)?.orders).toMatchObject([{ operation: { orderId: '1' }, word: 'sending' }])
    expect(counter.announced.carts.length).toBe(before + 1)
  })

  it('says what became of each, newest first', async () => {
    stock()
    await counter.sell('1', tag(1))
    settle(accepted)
    await counter.sell('2', tag(2))
    counter.refuse()
    await counter.sell('3', tag(3))
    settle(unsettled)
    await counter.sell('4', tag(4))
    counter.setConnection('unreachable')
    expect(words()).toEqual([
      ['4', 'later'],
      ['3', 'unclear'],
      ['2', 'refused'],
      ['1', 'reported'],
    ])
    counter.setConnection('online')
    expect(words()[0]).toEqual(['4', 'soon'])
    settle({ kind: 'retry', reason: { code: 'service/unreachable' }, afterMs: null })
    expect(words()[0]).toEqual(['4', 'again'])
  })

  it('says that a void waits for its unsent sale, and that a withdrawn sale is canceled', async () => {
    stock()
    await counter.sell('1', tag(1))
    counter.outbox.claim()
    counter.value(counter.checkout.orders.void(order('1')))
    expect(words()).toEqual([
      ['1', 'behind'],
      ['1', 'sending'],
    ])
    await counter.sell('2', tag(2))
    await counter.sell('3', tag(3))
    counter.value(counter.checkout.orders.void(order('2')))
    expect(words()[0]).toEqual(['2', 'cancelled'])
  })

  it('shows the last five, and every refusal that no person has seen', async () => {
    stock()
    await counter.sell('1', tag(1))
    counter.refuse()
    for (let n = 2; n <= 8; n++) await counter.sell(String(n), tag(n))
    expect(words().map(([orderId]) => orderId)).toEqual(['8', '7', '6', '5', '4', '1'])
    counter.value(counter.reports.seeAll(counter.reports.view().revision))
    expect(words().map(([orderId]) => orderId)).toEqual(['8', '7', '6', '5', '4'])
  })

  it('remembers after a restart what was finished and what was seen', async () => {
    stock()
    await counter.sell('1', tag(1))
    await counter.sell('2', tag(2))
    counter.refuse()
    const seen = counter.reports.view().unseen.find(({ operation }) => operation.orderId === '1')
    counter.value(counter.reports.see(seen ? [seen.operation.id] : []))
    counter.restart()
    expect(unseen()).toEqual(['2'])
    expect(words()).toEqual([
      ['2', 'refused'],
      ['1', 'refused'],
    ])
  })

  it('counts as news again what is refused a second time, or refused after it was unclear', async () => {
    stock()
    const { id } = await counter.sell('1', tag(1))
    settle(unsettled)
    counter.value(counter.reports.seeAll(counter.reports.view().revision))
    expect(unseen()).toEqual([])
    counter.clock.advance(3_600_000)
    settle(unsettled)
    expect(unseen()).toEqual([])
    counter.clock.advance(3_600_000)
    counter.refuse()
    expect(unseen()).toEqual(['1'])
    counter.value(counter.reports.see([id]))
    counter.value(counter.outbox.retry(id))
    expect(counter.reports.view().unseenCount).toBe(0)
    counter.refuse()
    expect(unseen()).toEqual(['1'])
  })

  it('lists the newest refusals, and counts all', async () => {
    const tags = Array.from({ length: 25 }, (_, n) => tag(n + 1))
    counter.shelf.put(...tags.map((one) => facts(one)))
    for (const [n, one] of tags.entries()) await counter.sell(`N${n}`, one)
    counter.refuse()
    const view = counter.reports.view()
    expect([view.unseen.length, view.unseenCount, view.unseen[0]?.operation.orderId]).toEqual([20, 25, 'N24'])
  })

  it('tells the service’s word on the last orders at once, however soon it follows', async () => {
    stock()
    await counter.sell('1', tag(1))
    await counter.sell('2', tag(2))
    for (let waiting = 2; waiting > 0; waiting--) {
      const before = counter.announced.reports.length
      const operation = counter.outbox.claim()
      if (!operation) throw new Error('nothing waits')
      counter.outbox.settle(operation.seq, accepted)
      const orders = counter.announced.reports.slice(before).at(-1)?.orders
      expect(orders?.find(({ operation: one }) => one.id === operation.id)?.word).toBe('reported')
    }
  })

  it('tells the screens of a refusal that comes later', async () => {
    stock()
    await counter.sell('1', tag(1))
    const told = counter.announced.reports.length
    counter.refuse()
    await expect.poll(() => counter.announced.reports.at(-1)?.unseenCount).toBe(1)
    expect(counter.announced.reports.length).toBeGreaterThan(told)
  })

  it('keeps unseen what was refused after the view that a person saw', async () => {
    stock()
    await counter.sell('1', tag(1))
    await counter.sell('2', tag(2))
    counter.outbox.claim()
    const second = counter.outbox.claim()
    counter.outbox.settle(second?.seq ?? 0, { kind: 'rejected', reason: { code: 'service/forbidden' } })
    const { revision } = counter.reports.view()
    // Older, and refused later.
    const first = counter.outbox.read.byKey('order:1')[0]
    counter.outbox.settle(first?.seq ?? 0, { kind: 'rejected', reason: { code: 'service/forbidden' } })
    counter.value(counter.reports.seeAll(revision))
    expect(unseen()).toEqual(['1'])
    counter.value(counter.reports.seeAll(counter.reports.view().revision))
    expect(unseen()).toEqual([])
  })
})

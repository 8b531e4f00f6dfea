import { describe, expect, it } from 'vitest'
import { isLostBy } from '../../../../src-main/counter/open-orders'
import { order, tag } from '../../../fakes/ids'
import { facts, useCounter } from './counter-desk'

describe('orders on hold', () => {
  const counter = useCounter()
  const onShelf = (...numbers: number[]) => {
    counter.shelf.put(...numbers.map((n) => facts(tag(n), { product: n })))
  }

  it('make room for the next order, which keeps the budtender', async () => {
    onShelf(1, 2)
    const { checkout, value } = counter
    value(checkout.setBudtender('sale', 'B-7'))
    value(checkout.setCustomer('sale', 'CUSTOMER-1'))
    await counter.fill('1', tag(1), tag(2))
    expect(counter.shown(counter.hold())).toMatchObject({
      orderId: null,
      customerId: null,
      itemCount: 0,
      budtender: { id: 'B-7', name: 'B-7' },
    })
    const held = [{ orderId: '1', itemCount: 2, products: ['Product 1', 'Product 2'], budtender: { id: 'B-7' } }]
    expect(checkout.held()).toMatchObject(held)
    expect(counter.announced.holds).toMatchObject([held])
  })

  it('are resumed unchanged, and the order in front is held instead', async () => {
    onShelf(1, 2, 3)
    const { checkout, value } = counter
    value(checkout.setCustomer('sale', 'CUSTOMER-1'))
    await counter.fill('1', tag(1))
    value(checkout.setExpected('sale', counter.shown(checkout.setOrder('sale', order('1'))).lines[0]?.key ?? '', 2))
    value(counter.hold())
    await counter.fill('2', tag(2))
    counter.clock.advance(1_000)
    const [first] = checkout.held()
    expect(counter.shown(checkout.holding.resume(first?.id ?? 0))).toMatchObject({
      orderId: '1',
      customerId: 'CUSTOMER-1',
      lines: [{ items: [{ tagId: tag(1) }], expected: 2 }],
    })
    expect(checkout.held()).toMatchObject([{ orderId: '2', itemCount: 1 }])
    // An empty order isn't held: without items, the list couldn't show whose order it is.
    value(counter.clear())
    value(checkout.holding.resume(checkout.held()[0]?.id ?? 0))
    expect(checkout.held()).toEqual([])
  })

  it('hold items: a number or a customer alone is refused, and stays in the cart', () => {
    const { checkout, value, refusal } = counter
    value(checkout.setOrder('sale', order('7')))
    value(checkout.setCustomer('sale', 'CUSTOMER-1'))
    expect(refusal(counter.hold())).toEqual({ code: 'checkout/nothing-to-hold' })
    expect(checkout.held()).toEqual([])
    expect(checkout.cart('sale')).toMatchObject({ orderId: '7', customerId: 'CUSTOMER-1' })
  })

  it('are not resumed over a number or a customer that was typed for another order, which stay', async () => {
    onShelf(1)
    const { checkout, value, refusal } = counter
    await counter.fill('1', tag(1))
    value(counter.hold())
    const id = checkout.held()[0]?.id ?? 0
    value(checkout.setOrder('sale', order('7')))
    expect(refusal(checkout.holding.resume(id))).toEqual({ code: 'checkout/order-begun', orderId: '7' })
    value(checkout.setOrder('sale', null))
    value(checkout.setCustomer('sale', 'CUSTOMER-1'))
    expect(refusal(checkout.holding.resume(id))).toEqual({ code: 'checkout/order-begun', orderId: null })
    expect([checkout.cart('sale').customerId, checkout.held()]).toMatchObject(['CUSTOMER-1', [{ orderId: '1' }]])
    // The same number names the same order: what was typed for it goes into it.
    value(checkout.setOrder('sale', order('1')))
    expect(counter.shown(checkout.holding.resume(id))).toMatchObject({
      orderId: '1',
      customerId: 'CUSTOMER-1',
      itemCount: 1,
    })
    expect(checkout.held()).toEqual([])
  })

  it.each([
    { front: {}, resumed: { orderId: '1' }, lost: false, why: 'nothing was typed' },
    { front: { orderId: '1' }, resumed: { orderId: '1' }, lost: false, why: 'it has the same number' },
    { front: { orderId: '7' }, resumed: { orderId: '1' }, lost: true, why: 'the number is another one' },
    { front: { orderId: '7' }, resumed: {}, lost: true, why: 'the number may be of another order' },
    { front: { customerId: 'c' }, resumed: { orderId: '1' }, lost: true, why: 'the customer may be of another order' },
    { front: { customerId: 'c' }, resumed: {}, lost: true, why: 'no number says whose customer it is' },
    { front: { orderId: '1', customerId: 'c' }, resumed: { orderId: '1' }, lost: false, why: 'the customer moves' },
    {
      front: { orderId: '1', customerId: 'c' },
      resumed: { orderId: '1', customerId: 'd' },
      lost: true,
      why: 'an order has one customer',
    },
  ])('lose what was typed in front: $lost, because $why', ({ front, resumed, lost }) => {
    const about = ({ orderId, customerId }: { orderId?: string; customerId?: string }) => ({
      orderId: orderId === undefined ? null : order(orderId),
      customerId: customerId ?? null,
    })
    expect(isLostBy(about(front), about(resumed))).toBe(lost)
  })

  it('survive a power cut up to the last scan, and so does the order in front', async () => {
    onShelf(1, 2, 3, 4)
    const { value } = counter
    for (const n of [1, 2, 3]) {
      await counter.fill(String(n), tag(n))
      value(counter.hold())
      counter.clock.advance(1_000)
    }
    await counter.fill('4', tag(4))
    const all = () => {
      const { checkout } = counter
      // Only the revision belongs to the process.
      return [
        checkout.held(),
        ...(['sale', 'return'] as const).map((mode) => ({ ...checkout.cart(mode), revision: 0 })),
      ]
    }
    const before = all()
    counter.restart()
    expect(all()).toEqual(before)
    expect(before[0]).toMatchObject([{ orderId: '1' }, { orderId: '2' }, { orderId: '3' }])
  })

  it('change in a single commit each', async () => {
    onShelf(1, 2)
    const { checkout, value } = counter
    await counter.fill('1', tag(1))
    const commitsOf = (step: () => unknown) => counter.commitsOf(() => Promise.resolve(step()))
    expect(await commitsOf(() => value(counter.hold()))).toBe(1)
    await counter.fill('2', tag(2))
    expect(await commitsOf(() => value(checkout.holding.resume(checkout.held()[0]?.id ?? 0)))).toBe(1)
    expect(await commitsOf(() => value(checkout.holding.drop(checkout.held()[0]?.id ?? 0)))).toBe(1)
    expect(await commitsOf(() => counter.finish())).toBe(1)
  })

  it('are dropped with their items, which can be sold again', async () => {
    onShelf(1)
    const { checkout, value } = counter
    await counter.fill('1', tag(1))
    value(counter.hold())
    value(checkout.holding.drop(checkout.held()[0]?.id ?? 0))
    expect([checkout.held(), counter.announced.holds.at(-1)]).toEqual([[], []])
    expect(counter.db.prepare('SELECT count(*) AS n FROM open_order_item').get()).toEqual({ n: 0 })
    await counter.add(tag(1))
  })

  it("are never empty, and an order that is gone or in front can't be resumed or dropped", async () => {
    onShelf(1)
    const { checkout, refusal, value } = counter
    expect(refusal(counter.hold())).toEqual({ code: 'checkout/nothing-to-hold' })
    await counter.fill('1', tag(1))
    value(counter.hold())
    const id = checkout.held()[0]?.id ?? 0
    value(checkout.holding.resume(id))
    for (const wrong of [id, 999]) {
      expect(refusal(checkout.holding.resume(wrong))).toEqual({ code: 'checkout/not-held' })
      expect(refusal(checkout.holding.drop(wrong))).toEqual({ code: 'checkout/not-held' })
    }
  })

  it('receive late answers, which are announced to the screen', async () => {
    const { checkout, value, shelf } = counter
    shelf.goSilent()
    await counter.fill('1', tag(1))
    value(counter.hold())
    onShelf(1)
    shelf.speak()
    await checkout.news.askAgain()
    expect(checkout.held()).toMatchObject([{ products: ['Product 1'] }])
    expect(counter.announced.holds.at(-1)).toEqual(checkout.held())
    value(checkout.holding.resume(checkout.held()[0]?.id ?? 0))
    expect(checkout.cart('sale').lines[0]?.items[0]?.verdict.kind).toBe('sellable')
  })
})

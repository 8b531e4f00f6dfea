import { describe, expect, it } from 'vitest'
import { order, tag } from '../../../fakes/ids'
import { facts, useCounter } from './counter-desk'

describe('a second sale of an item', () => {
  const counter = useCounter()
  const onShelf = (...numbers: number[]) => {
    counter.shelf.put(...numbers.map((n) => facts(tag(n))))
  }

  it('is refused if the item is in this order, on hold, or being returned, and the refusal says where', async () => {
    onShelf(1, 2, 3)
    const { value } = counter
    await counter.fill('1', tag(1))
    expect(await counter.addRefused(tag(1))).toEqual({ code: 'checkout/duplicate', tagId: tag(1) })
    value(counter.hold())
    expect(await counter.addRefused(tag(1))).toEqual({ code: 'checkout/in-open-order', tagId: tag(1), orderId: '1' })
    expect(await counter.addRefused(tag(1), 'return')).toMatchObject({ code: 'checkout/in-open-order' })
    await counter.add(tag(2), 'return')
    expect(await counter.addRefused(tag(2))).toEqual({ code: 'checkout/in-open-order', tagId: tag(2), orderId: null })
  })

  it('is refused if the first is unsent, accepted or refused, until the item is returned', async () => {
    onShelf(1, 2)
    await counter.sell('1', tag(1))
    const sold = { code: 'checkout/already-sold', tagId: tag(1), orderId: '1', soldAt: '2026-11-21T14:00:00.000Z' }
    expect(await counter.addRefused(tag(1))).toEqual(sold)
    counter.send()
    expect(await counter.addRefused(tag(1))).toEqual(sold)
    await counter.add(tag(1), 'return')
    counter.finish('return', 'wrong strain')
    await counter.sell('2', tag(1))
    counter.send()
    await counter.sell('3', tag(2))
    counter.refuse()
    expect(await counter.addRefused(tag(2))).toEqual({
      code: 'checkout/in-refused-order',
      tagId: tag(2),
      orderId: '3',
    })
  })

  it('is also refused on completion, if the item was sold after it was scanned', async () => {
    onShelf(1)
    await counter.fill('1', tag(1))
    // Another process, or a database restored from a backup, could cause this.
    counter.value(counter.outbox.enqueue({ kind: 'complete', orderId: order('0'), tagIds: [tag(1)] }))
    expect(counter.finishRefused()).toMatchObject({ code: 'checkout/already-sold', orderId: '0' })
  })

  it('is refused if the service shows the item as sold elsewhere, and the item leaves the cart', async () => {
    counter.shelf.put(facts(tag(1), { soldOn: '2026-11-21T13:00:00Z' }))
    expect(await counter.addRefused(tag(1))).toEqual({
      code: 'checkout/sold-elsewhere',
      tagId: tag(1),
      soldOn: '2026-11-21T13:00:00Z',
    })
    expect(counter.checkout.cart('sale').itemCount).toBe(0)
  })

  it('is flagged when the answer arrives late', async () => {
    const { shelf, clock, checkout } = counter
    shelf.put(facts(tag(1), { soldOn: '2026-11-21T13:00:00Z' }))
    shelf.remember(facts(tag(1)))
    shelf.dawdle()
    counter.setOutOfReach(true)
    expect(await counter.add(tag(1))).toMatchObject({ verdict: { kind: 'sellable' } })
    clock.advance(2_000)
    await shelf.answerAll()
    expect(checkout.cart('sale').lines[0]?.items[0]?.verdict.kind).toBe('sold')
    expect(counter.announced.carts.at(-1)).toEqual(checkout.cart('sale'))
  })

  it('is allowed after a return, by this till or by another', async () => {
    const { shelf, clock } = counter
    shelf.put(facts(tag(1)), facts(tag(2)))
    await counter.sell('1', tag(1))
    counter.send()
    clock.advance(60_000)
    await counter.add(tag(1), 'return')
    counter.finish('return')
    // Our return isn't sent yet, so the service still shows our sale.
    shelf.put(facts(tag(1), { soldOn: '2026-11-21T14:00:00.000Z' }))
    expect(await counter.add(tag(1))).toMatchObject({ verdict: { kind: 'sellable' } })
    counter.value(counter.clear())
    counter.send()
    // Sold again by another till in the meantime.
    shelf.put(facts(tag(1), { soldOn: '2026-11-21T14:05:00.000Z' }))
    expect(await counter.addRefused(tag(1))).toMatchObject({ code: 'checkout/sold-elsewhere' })
    shelf.put(facts(tag(1), { soldOn: null }))
    expect(await counter.add(tag(1))).toMatchObject({ verdict: { kind: 'sellable' } })
  })
})

describe('a return of an item that came back before', () => {
  const counter = useCounter()
  const soldAndReturned = async () => {
    counter.shelf.put(facts(tag(1)))
    await counter.sell('1', tag(1))
    counter.send()
    counter.clock.advance(60_000)
    await counter.add(tag(1), 'return')
    counter.finish('return')
    counter.send()
    counter.clock.advance(60_000)
  }

  it('is refused, whatever was remembered of the sale that it undid', async () => {
    await soldAndReturned()
    for (const soldOn of [null, '2026-11-21T14:00:00.000Z']) {
      counter.shelf.put(facts(tag(1), { soldOn }))
      expect(await counter.addRefused(tag(1), 'return')).toMatchObject({ code: 'checkout/already-returned' })
    }
    counter.setOutOfReach(true)
    expect(await counter.addRefused(tag(1), 'return')).toMatchObject({ code: 'checkout/already-returned' })
  })

  it('is taken if another till has sold it since', async () => {
    await soldAndReturned()
    const soldOn = '2026-11-21T14:01:30.000Z'
    counter.shelf.put(facts(tag(1), { soldOn }))
    expect(await counter.add(tag(1), 'return')).toMatchObject({ verdict: { kind: 'returnable', at: soldOn } })
    counter.value(counter.checkout.setOrder('return', order('7')))
    expect(counter.outbox.read.byId(counter.finish('return').id)?.payload).toMatchObject({
      orderId: '7',
      tagIds: [tag(1)],
    })
  })
})

describe('the rules of the counter', () => {
  const counter = useCounter()

  it('decide whether an unchecked item can be sold', async () => {
    const { checkout, shelf, value } = counter
    shelf.goSilent()
    expect(await counter.add(tag(1))).toMatchObject({ verdict: { kind: 'unchecked' }, productName: null })
    expect(checkout.cart('sale').lines).toMatchObject([{ key: 'unknown' }])
    value(checkout.setSettings({ takesUnchecked: false, requiresBudtender: false, budtenders: [] }))
    expect(await counter.addRefused(tag(2))).toEqual({ code: 'checkout/unchecked', tagId: tag(2) })
    expect(checkout.cart('sale').itemCount).toBe(1)
    value(checkout.setOrder('sale', order('1')))
    expect(counter.finishRefused()).toEqual({ code: 'checkout/unchecked', tagId: tag(1) })
    // A remembered item can be sold.
    shelf.remember(facts(tag(3)))
    value(counter.clear())
    await counter.sell('1', tag(3))
  })

  it('can require a budtender, who stays for the next order and is shown with the name from the settings', async () => {
    const { checkout, shelf, value } = counter
    shelf.put(facts(tag(1)), facts(tag(2)))
    value(
      checkout.setSettings({
        takesUnchecked: true,
        requiresBudtender: true,
        budtenders: [{ id: 'B-7', name: 'Rosa' }],
      }),
    )
    await counter.fill('1', tag(1))
    expect(counter.finishRefused()).toEqual({ code: 'checkout/budtender-missing' })
    expect(counter.shown(checkout.setBudtender('sale', 'B-7')).budtender).toEqual({ id: 'B-7', name: 'Rosa' })
    expect(checkout.cart('return').budtender).toMatchObject({ name: 'Rosa' })
    const sale = counter.finish()
    expect(counter.outbox.read.byId(sale.id)?.payload).toMatchObject({ budtenderId: 'B-7', tagIds: [tag(1)] })
    expect(checkout.cart('sale')).toMatchObject({ budtender: { id: 'B-7' }, orderId: null, itemCount: 0 })
    counter.restart()
    expect(counter.checkout.cart('sale').budtender).toEqual({ id: 'B-7', name: 'Rosa' })
    expect(counter.shown(counter.checkout.setBudtender('sale', 'BADGE 9')).budtender).toEqual({
      id: 'BADGE 9',
      name: 'BADGE 9',
    })
    expect(counter.shown(counter.checkout.setBudtender('sale', null)).budtender).toBeNull()
  })

  it('hold back an order with a wrong quantity until the quantity matches or the expectation is removed', async () => {
    const { checkout, shelf, value, refusal } = counter
    shelf.put(facts(tag(1)), facts(tag(2)))
    await counter.fill('1', tag(1))
    const key = checkout.cart('sale').lines[0]?.key ?? ''
    expect(refusal(checkout.setExpected('sale', 'no such line', 2))).toEqual({ code: 'checkout/cart-changed' })
    expect(counter.shown(checkout.setExpected('sale', key, 2)).lines[0]).toMatchObject({ expected: 2, items: [{}] })
    expect(counter.finishRefused()).toEqual({ code: 'checkout/not-as-expected', expected: 2, scanned: 1 })
    await counter.add(tag(2))
    value(checkout.setExpected('sale', key, 1))
    expect(counter.finishRefused()).toEqual({ code: 'checkout/not-as-expected', expected: 1, scanned: 2 })
    value(checkout.setExpected('sale', key, null))
    counter.finish()
    expect(counter.db.prepare('SELECT count(*) AS n FROM open_order_expected').get()).toEqual({ n: 0 })
  })

  it('clear the customer with the order', async () => {
    const { checkout, shelf, value } = counter
    shelf.put(facts(tag(1)))
    value(checkout.setCustomer('sale', 'CUSTOMER-1'))
    const sale = await counter.sell('1', tag(1))
    expect(counter.outbox.read.byId(sale.id)?.payload).toMatchObject({ customerId: 'CUSTOMER-1' })
    expect(checkout.cart('sale').customerId).toBeNull()
    value(checkout.setCustomer('sale', 'CUSTOMER-2'))
    expect(counter.shown(counter.clear()).customerId).toBeNull()
  })
})

describe('a scan', () => {
  const counter = useCounter()

  it('of a remembered item is one commit, of a new item two', async () => {
    const { shelf } = counter
    shelf.put(facts(tag(1)), facts(tag(2)))
    shelf.remember(facts(tag(1)))
    expect(await counter.commitsOf(() => counter.add(tag(1)))).toBe(1)
    expect(await counter.commitsOf(() => counter.add(tag(2)))).toBe(2)
  })

  it('without an answer before a crash is looked up again afterwards', async () => {
    const { shelf } = counter
    counter.db.exec(`INSERT INTO open_order_item (open_order, tag_id, scanned_at, flag)
      SELECT id, '${tag(1)}', 1, 'looking' FROM open_order WHERE mode = 'sale'`)
    counter.restart()
    shelf.put(facts(tag(1), { isImported: false }))
    await counter.checkout.news.askAgain()
    expect(counter.checkout.cart('sale').lines[0]?.items[0]?.verdict.kind).toBe('not-imported')
  })

  it('can remove an item from its own order only', async () => {
    const { checkout, shelf } = counter
    shelf.put(facts(tag(1)))
    await counter.add(tag(1))
    expect(counter.shown(checkout.removeItem('return', tag(1))).itemCount).toBe(0)
    expect(checkout.cart('sale').itemCount).toBe(1)
    expect(counter.shown(checkout.removeItem('sale', tag(1))).itemCount).toBe(0)
  })
})

import { describe, expect, it } from 'vitest'
import { order, tag } from '../../../fakes/ids'
import { facts, useCounter } from './counter-desk'

describe('never twice', () => {
  const counter = useCounter()
  const onShelf = (...numbers: number[]) => {
    counter.shelf.put(...numbers.map((n) => facts(tag(n))))
  }

  it('refuses an item that is in this order, on hold, or being brought back, and says where', async () => {
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

  it('refuses an item of a sale that is unsent, accepted or refused, until it comes back', async () => {
    onShelf(1, 2)
    await counter.sell('1', tag(1))
    const sold = { code: 'checkout/already-sold', tagId: tag(1), orderId: '1', soldAt: '2026-11-21T14:00:00.000Z' }
    expect(await counter.addRefused(tag(1))).toEqual(sold)
    counter.send()
    expect(await counter.addRefused(tag(1))).toEqual(sold)
    await counter.add(tag(1), 'return')
    await counter.finish('return', 'wrong strain')
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

  it('looks again when an order is finished: it may have been sold since it was scanned', async () => {
    onShelf(1)
    await counter.fill('1', tag(1))
    // As a database brought back from a backup, or another process, would leave it.
    counter.value(counter.outbox.enqueue({ kind: 'complete', orderId: order('0'), tagIds: [tag(1)] }))
    expect(await counter.finishRefused()).toMatchObject({ code: 'checkout/already-sold', orderId: '0' })
  })

  it('refuses what the service shows as sold elsewhere, and takes it out again', async () => {
    counter.shelf.put(facts(tag(1), { soldOn: '2026-11-21T13:00:00Z' }))
    expect(await counter.addRefused(tag(1))).toEqual({
      code: 'checkout/sold-elsewhere',
      tagId: tag(1),
      soldOn: '2026-11-21T13:00:00Z',
    })
    expect(counter.checkout.cart('sale').itemCount).toBe(0)
  })

  it('flags it when the answer comes late', async () => {
    const { shelf, clock, checkout } = counter
    shelf.put(facts(tag(1), { soldOn: '2026-11-21T13:00:00Z' }))
    shelf.remember(facts(tag(1)))
    shelf.dawdle()
    counter.setOutOfReach(true)
    expect(await counter.add(tag(1))).toMatchObject({ flag: null })
    clock.advance(2_000)
    await shelf.answerAll()
    expect(checkout.cart('sale').lines[0]?.items[0]?.flag).toBe('sold-elsewhere')
    expect(counter.announced.carts.at(-1)).toEqual(checkout.cart('sale'))
  })

  it('sells what came back, whoever brought it', async () => {
    const { shelf, clock } = counter
    shelf.put(facts(tag(1)), facts(tag(2)))
    await counter.sell('1', tag(1))
    counter.send()
    clock.advance(60_000)
    await counter.add(tag(1), 'return')
    await counter.finish('return')
    // Our return is not sent yet, so the service still shows our sale.
    shelf.put(facts(tag(1), { soldOn: '2026-11-21T14:00:00.000Z' }))
    expect(await counter.add(tag(1))).toMatchObject({ flag: null })
    counter.value(counter.clear())
    counter.send()
    // Sold again by another till since.
    shelf.put(facts(tag(1), { soldOn: '2026-11-21T14:05:00.000Z' }))
    expect(await counter.addRefused(tag(1))).toMatchObject({ code: 'checkout/sold-elsewhere' })
    shelf.put(facts(tag(1), { soldOn: null }))
    expect(await counter.add(tag(1))).toMatchObject({ flag: null })
  })
})

describe('the rules of the counter', () => {
  const counter = useCounter()

  it('let an item that nobody could be asked about be sold, or not', async () => {
    const { checkout, shelf, value } = counter
    shelf.goSilent()
    expect(await counter.add(tag(1))).toMatchObject({ flag: 'unchecked', productName: null })
    expect(checkout.cart('sale').lines).toMatchObject([{ key: 'unknown' }])
    value(checkout.setSettings({ takesUnchecked: false, requiresBudtender: false, budtenders: [] }))
    expect(await counter.addRefused(tag(2))).toEqual({ code: 'checkout/unchecked', tagId: tag(2) })
    expect(checkout.cart('sale').itemCount).toBe(1)
    value(checkout.setOrder('sale', order('1')))
    expect(await counter.finishRefused()).toEqual({ code: 'checkout/unchecked', tagId: tag(1) })
    // What was once seen may be sold.
    shelf.remember(facts(tag(3)))
    value(counter.clear())
    await counter.sell('1', tag(3))
  })

  it('want a budtender where they say so, who stays for the next order and has the name of the settings', async () => {
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
    expect(await counter.finishRefused()).toEqual({ code: 'checkout/budtender-missing' })
    expect(counter.shown(checkout.setBudtender('sale', 'B-7')).budtender).toEqual({ id: 'B-7', name: 'Rosa' })
    expect(checkout.cart('return').budtender).toMatchObject({ name: 'Rosa' })
    const sale = await counter.finish()
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

  it('hold an order back that is not what it should be, until it is or is said to be right', async () => {
    const { checkout, shelf, value, refusal } = counter
    shelf.put(facts(tag(1)), facts(tag(2)))
    await counter.fill('1', tag(1))
    const key = checkout.cart('sale').lines[0]?.key ?? ''
    expect(refusal(checkout.setExpected('sale', 'no such line', 2))).toEqual({ code: 'checkout/cart-changed' })
    expect(counter.shown(checkout.setExpected('sale', key, 2)).lines[0]).toMatchObject({ expected: 2, items: [{}] })
    expect(await counter.finishRefused()).toEqual({ code: 'checkout/not-as-expected', expected: 2, scanned: 1 })
    await counter.add(tag(2))
    value(checkout.setExpected('sale', key, 1))
    expect(await counter.finishRefused()).toEqual({ code: 'checkout/not-as-expected', expected: 1, scanned: 2 })
    value(checkout.setExpected('sale', key, null))
    await counter.finish()
    expect(counter.db.prepare('SELECT count(*) AS n FROM open_order_expected').get()).toEqual({ n: 0 })
  })

  it('forget the customer with the order', async () => {
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

  it('of an item that was seen before is one commit, of a new one two', async () => {
    const { shelf } = counter
    shelf.put(facts(tag(1)), facts(tag(2)))
    shelf.remember(facts(tag(1)))
    expect(await counter.commitsOf(() => counter.add(tag(1)))).toBe(1)
    expect(await counter.commitsOf(() => counter.add(tag(2)))).toBe(2)
  })

  it('that was never answered before a crash is asked about again after it', async () => {
    const { shelf } = counter
    counter.db.exec(`INSERT INTO open_order_item (open_order, tag_id, scanned_at, flag)
      SELECT id, '${tag(1)}', 1, 'looking' FROM open_order WHERE mode = 'sale'`)
    counter.restart()
    shelf.put(facts(tag(1), { isImported: false }))
    await counter.checkout.askAgain()
    expect(counter.checkout.cart('sale').lines[0]?.items[0]?.flag).toBe('not-imported')
  })

  it('removes an item from its own order only', async () => {
    const { checkout, shelf } = counter
    shelf.put(facts(tag(1)))
    await counter.add(tag(1))
    expect(counter.shown(checkout.removeItem('return', tag(1))).itemCount).toBe(0)
    expect(checkout.cart('sale').itemCount).toBe(1)
    expect(counter.shown(checkout.removeItem('sale', tag(1))).itemCount).toBe(0)
  })
})

import { describe, expect, it } from 'vitest'
import { order, tag } from '../../../fakes/ids'
import { facts, useCounter } from './counter-desk'

const changed = { code: 'checkout/cart-changed' }

describe('a cart on two pages', () => {
  const counter = useCounter()
  const onShelf = (...numbers: number[]) => {
    counter.shelf.put(...numbers.map((n) => facts(tag(n), { product: n })))
  }

  it('is announced with every change, so that the other follows', async () => {
    onShelf(1)
    const { checkout, value } = counter
    const last = () => counter.announced.carts.at(-1)
    const steps = [
      () => counter.add(tag(1)),
      () => value(checkout.setOrder('sale', order('1'))),
      () => value(checkout.setCustomer('sale', 'CUSTOMER-1')),
      () => value(checkout.setExpected('sale', checkout.cart('sale').lines[0]?.key ?? '', 1)),
      () => counter.finish(),
      () => value(counter.clear()),
    ]
    for (const step of steps) {
      const before = counter.announced.carts.length
      await step()
      expect(counter.announced.carts.length).toBeGreaterThan(before)
      expect(last()).toEqual(checkout.cart('sale'))
    }
    value(checkout.setBudtender('sale', 'B-1'))
    expect(counter.announced.carts.slice(-2).map(({ mode, budtender }) => [mode, budtender?.id])).toEqual([
      ['sale', 'B-1'],
      ['return', 'B-1'],
    ])
  })

  it('is not completed, held or cleared by one that saw another one, though it had as many items', async () => {
    onShelf(1, 2)
    const { checkout, refusal, value } = counter
    await counter.fill('1', tag(1))
    const stale = counter.seen('sale')
    value(checkout.removeItem('sale', tag(1)))
    await counter.add(tag(2))
    expect(refusal(await checkout.finish('sale', stale))).toEqual(changed)
    expect(refusal(checkout.hold(stale.revision))).toEqual(changed)
    expect(refusal(checkout.clear('sale', stale.revision))).toEqual(changed)
    expect(checkout.cart('sale').itemCount).toBe(1)
    await counter.finish()
  })

  it('is another one after a restart, and the other cart and held orders leave it alone', async () => {
    onShelf(1, 2)
    const { value } = counter
    await counter.fill('1', tag(1))
    value(counter.hold())
    await counter.fill('2', tag(2))
    const { revision } = counter.seen('sale')
    value(counter.checkout.setOrder('return', order('9')))
    await counter.checkout.askAgain()
    expect(counter.seen('sale').revision).toBe(revision)
    counter.restart()
    expect(counter.refusal(counter.checkout.clear('sale', revision))).toEqual(changed)
  })

  it('has changed when an item turns out to be one that is refused, and not when it turns out well', async () => {
    onShelf(1)
    counter.shelf.remember(facts(tag(1)))
    for (const [soldOn, isChanged] of [
      [null, false],
      ['2026-11-21T13:00:00Z', true],
    ] as const) {
      counter.shelf.put(facts(tag(1), { soldOn }))
      counter.setOutOfReach(true)
      counter.shelf.dawdle()
      await counter.add(tag(1))
      const { revision } = counter.seen('sale')
      await counter.shelf.answerAll()
      expect(counter.seen('sale').revision > revision).toBe(isChanged)
      counter.value(counter.clear())
    }
  })
})

describe('an answer that comes late', () => {
  const counter = useCounter()

  it('takes its item out of the order it was scanned into, and of no other', async () => {
    const { checkout, shelf, value, refusal } = counter
    shelf.dawdle()
    const scanned = checkout.addItem('sale', tag(1))
    // Nobody knows it yet; meanwhile the order is cleared, and the item scanned into the next.
    value(counter.clear())
    const again = checkout.addItem('sale', tag(1))
    value(checkout.setOrder('sale', order('2')))
    value(counter.hold())
    shelf.put(facts(tag(1), { soldOn: '2026-11-21T13:00:00Z' }))
    await shelf.answerAll()
    expect(refusal(await scanned)).toEqual(changed)
    expect(refusal(await again)).toMatchObject({ code: 'checkout/sold-elsewhere' })
    // Held meanwhile, it is the order that it was put into all the same.
    expect(checkout.held()).toMatchObject([{ orderId: '2', itemCount: 0 }])
  })

  it('leaves the item alone that was put into another order before', async () => {
    const { checkout, shelf, value, refusal } = counter
    shelf.dawdle()
    const scanned = checkout.addItem('sale', tag(1))
    value(counter.clear())
    counter.db.exec(`INSERT INTO open_order_item (open_order, tag_id, scanned_at)
      SELECT id, '${tag(1)}', 1 FROM open_order WHERE mode = 'sale'`)
    await shelf.answerAll()
    expect(refusal(await scanned)).toEqual(changed)
    expect(checkout.cart('sale').itemCount).toBe(1)
  })
})

describe('how many there should be', () => {
  const counter = useCounter()
  const key = () => counter.checkout.cart('sale').lines[0]?.key ?? ''
  const expecting = async (expected: number) => {
    counter.shelf.put(facts(tag(1)), facts(tag(2)))
    await counter.fill('1', tag(1))
    counter.value(counter.checkout.setExpected('sale', key(), expected))
  }

  it('is passed over by whoever means it, in the commit of the report', async () => {
    await expecting(2)
    const { checkout, value } = counter
    expect(await counter.finishRefused()).toMatchObject({ code: 'checkout/not-as-expected' })
    expect(checkout.cart('sale').lines[0]?.expected).toBe(2)
    const commits = await counter.commitsOf(async () =>
      value(await checkout.finish('sale', { ...counter.seen('sale'), isMeant: true })),
    )
    expect([commits, checkout.cart('sale').lines]).toEqual([1, []])
  })

  it('stays on the screen when the last item is taken out, also after a restart, until it is set to none', async () => {
    await expecting(2)
    counter.value(counter.checkout.removeItem('sale', tag(1)))
    const empty = [{ key: key(), productName: 'Product 1', items: [], expected: 2 }]
    expect(counter.checkout.cart('sale').lines).toMatchObject(empty)
    expect(counter.checkout.cart('sale')).toMatchObject({ itemCount: 0 })
    counter.db
      .prepare(`INSERT INTO memory (kind, id, form, asked_at, content) VALUES ('tag', ?, 'facts', 1, ?)`)
      .run(tag(1), JSON.stringify(facts(tag(1))))
    counter.restart()
    expect(counter.checkout.cart('sale').lines).toMatchObject(empty)
    // It is the same line again when an item comes.
    await counter.add(tag(2))
    expect(counter.checkout.cart('sale').lines).toMatchObject([{ key: key(), items: [{}], expected: 2 }])
    counter.value(counter.checkout.removeItem('sale', tag(2)))
    expect(counter.value(counter.checkout.setExpected('sale', key(), null)).lines).toEqual([])
  })
})

describe('a refused report that is put back into the cart', () => {
  const counter = useCounter()

  it('does not overwrite an order that was begun without items', async () => {
    const { checkout, value, refusal } = counter
    counter.shelf.put(facts(tag(1)))
    const sale = await counter.sell('1', tag(1))
    counter.refuse()
    const begin = [() => checkout.setOrder('sale', order('2')), () => checkout.setCustomer('sale', 'CUSTOMER-2')]
    for (const one of begin) {
      value(one())
      expect(refusal(checkout.reopen(sale.id))).toEqual({ code: 'checkout/cart-not-empty' })
      value(counter.clear())
    }
    expect(value(checkout.reopen(sale.id))).toMatchObject({ orderId: '1', itemCount: 1 })
    expect(counter.announced.carts.at(-1)).toEqual(checkout.cart('sale'))
  })
})

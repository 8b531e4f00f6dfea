import { describe, expect, it } from 'vitest'
import { order, tag } from '../../../fakes/ids'
import { facts, useCounter } from './counter-desk'

const changed = { code: 'checkout/cart-changed' }

describe('a cart on two pages', () => {
  const counter = useCounter()
  const onShelf = (...numbers: number[]) => {
    counter.shelf.put(...numbers.map((n) => facts(tag(n), { product: n })))
  }

  it('is announced once for each change, with a higher revision that the answer to the change contains', async () => {
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
      const before = { count: counter.announced.carts.length, revision: last()?.revision ?? 0 }
      const answer = await step()
      expect(counter.announced.carts.length).toBe(before.count + 1)
      expect(last()).toEqual(checkout.cart('sale'))
      expect(last()?.revision).toBeGreaterThan(before.revision)
      if ('revision' in answer) expect(answer.revision).toBe(last()?.revision)
    }
  })

  it('follows the settings, which are announced once they are saved', () => {
    const settings = { takesUnchecked: false, requiresBudtender: true, budtenders: [{ id: 'B-7', name: 'Rosa' }] }
    counter.value(counter.checkout.setSettings(settings))
    expect(counter.announced.settings).toEqual([settings])
    counter.db.exec(`CREATE TRIGGER full BEFORE UPDATE ON setting BEGIN SELECT RAISE(ABORT, 'full'); END`)
    expect(() => counter.checkout.setSettings({ ...settings, budtenders: [] })).toThrow('full')
    expect(counter.announced.settings).toEqual([settings])
  })

  it('takes over the budtender of the other cart until it is started', async () => {
    onShelf(1)
    const { checkout, value, announced } = counter
    const told = () => announced.carts.splice(0).map(({ mode, budtender }) => [mode, budtender?.id])
    value(checkout.setBudtender('sale', 'B-1'))
    expect(told()).toEqual([
      ['sale', 'B-1'],
      ['return', 'B-1'],
    ])
    await counter.add(tag(1), 'return')
    told()
    value(checkout.setBudtender('sale', 'B-2'))
    expect(told()).toEqual([['sale', 'B-2']])
    expect(checkout.cart('return').budtender?.id).toBe('B-1')
    value(checkout.setBudtender('return', 'B-3'))
    expect(told()).toEqual([
      ['return', 'B-3'],
      ['sale', 'B-3'],
    ])
  })

  it('is neither changed nor announced when the disk refuses', async () => {
    onShelf(1)
    const { checkout, db, announced } = counter
    await counter.fill('1', tag(1))
    counter.value(counter.hold())
    announced.carts.length = 0
    announced.holds.length = 0
    db.pragma('query_only = ON')
    expect(counter.refusal(checkout.holding.drop(checkout.held()[0]?.id ?? 0))).toEqual({ code: 'store/not-saved' })
    expect(counter.refusal(checkout.setBudtender('sale', 'B-1'))).toEqual({ code: 'store/not-saved' })
    expect(counter.refusal(checkout.clear('sale', counter.seen('sale').revision))).toEqual({ code: 'store/not-saved' })
    expect([announced.carts, announced.holds]).toEqual([[], []])
  })

  it('keeps its revision when a commit fails, so that it can be completed as it was seen', async () => {
    onShelf(1)
    const { checkout, db, announced } = counter
    await counter.fill('1', tag(1))
    const seen = counter.seen('sale')
    announced.carts.length = 0
    db.pragma('query_only = ON')
    for (const refused of [
      checkout.setOrder('sale', order('2')),
      checkout.removeItem('sale', tag(1)),
      checkout.finishing.finish('sale', seen),
    ]) {
      expect(counter.refusal(refused)).toEqual({ code: 'store/not-saved' })
    }
    db.pragma('query_only = OFF')
    // The last step of the commit fails: the cart was changed within the transaction and is rolled back.
    db.exec("CREATE TRIGGER full BEFORE INSERT ON open_order BEGIN SELECT RAISE(ABORT, 'full'); END")
    expect(() => checkout.finishing.finish('sale', seen)).toThrow('full')
    expect(() => checkout.clear('sale', seen.revision)).toThrow('full')
    db.exec('DROP TRIGGER full')
    expect([counter.seen('sale'), announced.carts]).toEqual([seen, []])
    expect(checkout.finishing.finish('sale', seen).ok).toBe(true)
  })

  it('gets another id with each order, and keeps it while an order is being filled', async () => {
    onShelf(1)
    const { checkout, value } = counter
    const id = () => checkout.cart('sale').id
    const first = id()
    await counter.fill('1', tag(1))
    expect(id()).toBe(first)
    value(counter.hold())
    const second = id()
    value(checkout.holding.resume(checkout.held()[0]?.id ?? 0))
    expect(id()).toBe(first)
    const { revision } = counter.finish()
    expect(revision).toBe(counter.seen('sale').revision)
    const third = id()
    value(counter.clear())
    expect(new Set([first, second, third, id()]).size).toBe(4)
  })

  it('is announced with an item whose flag the disk refuses', async () => {
    onShelf(1)
    const { checkout, db, announced } = counter
    const adding = checkout.scanning.addItem('sale', tag(1))
    db.pragma('query_only = ON')
    expect(counter.refusal(await adding)).toEqual({ code: 'store/not-saved' })
    expect(checkout.cart('sale').itemCount).toBe(1)
    expect(announced.carts.at(-1)).toEqual(checkout.cart('sale'))
  })

  it('is not completed, held or cleared by a page that saw another version, even with the same item count', async () => {
    onShelf(1, 2)
    const { checkout, refusal, value } = counter
    await counter.fill('1', tag(1))
    const stale = counter.seen('sale')
    value(checkout.removeItem('sale', tag(1)))
    await counter.add(tag(2))
    expect(refusal(checkout.finishing.finish('sale', stale))).toEqual(changed)
    expect(refusal(checkout.holding.hold(stale.revision))).toEqual(changed)
    expect(refusal(checkout.clear('sale', stale.revision))).toEqual(changed)
    expect(checkout.cart('sale').itemCount).toBe(1)
    counter.finish()
  })

  it('has a new revision after a restart, but not after changes of the other cart or of held orders', async () => {
    onShelf(1, 2)
    const { value } = counter
    await counter.fill('1', tag(1))
    value(counter.hold())
    await counter.fill('2', tag(2))
    const { revision } = counter.seen('sale')
    value(counter.checkout.setOrder('return', order('9')))
    await counter.checkout.news.askAgain()
    expect(counter.seen('sale').revision).toBe(revision)
    counter.restart()
    expect(counter.refusal(counter.checkout.clear('sale', revision))).toEqual(changed)
  })

  it('is asked about again when a late answer refuses an item, but not when it approves the item', async () => {
    for (const [one, soldOn] of [
      [tag(1), '2026-11-21T13:00:00Z'],
      [tag(2), null],
    ] as const) {
      counter.shelf.remember(facts(one))
      counter.shelf.put(facts(one, { soldOn }))
      counter.setOutOfReach(true)
      counter.shelf.dawdle()
      await counter.fill('1', one)
      const { revision } = counter.seen('sale')
      await counter.shelf.answerAll()
      expect(counter.seen('sale').revision).toBeGreaterThan(revision)
      const finished = counter.checkout.finishing.finish('sale', { ...counter.seen('sale'), revision, isMeant: true })
      expect(finished).toMatchObject(soldOn ? { error: { code: 'checkout/doubtful-items' } } : { ok: true })
      // What was seen can be cleared.
      if (soldOn) counter.value(counter.checkout.clear('sale', revision))
    }
  })
})

describe('a late answer', () => {
  const counter = useCounter()

  it('is announced as a flag change after the scan was answered, also if it only confirms what was remembered', async () => {
    const { shelf, announced } = counter
    shelf.remember(facts(tag(1)), facts(tag(2)))
    shelf.put(facts(tag(1), { soldOn: '2026-11-21T13:00:00Z' }), facts(tag(2)))
    counter.setOutOfReach(true)
    shelf.dawdle()
    expect(await counter.add(tag(1))).toMatchObject({
      verdict: { kind: 'sellable' },
      lineCount: 1,
      itemCount: 1,
      expected: null,
    })
    expect(await counter.add(tag(2))).toMatchObject({ verdict: { kind: 'sellable' }, lineCount: 2, itemCount: 2 })
    expect(announced.flags).toEqual([])
    await shelf.answerAll()
    expect(announced.flags).toMatchObject([
      { mode: 'sale', tagId: tag(1), verdict: { kind: 'sold' }, productName: 'Product 1', lineCount: 2, itemCount: 2 },
      { mode: 'sale', tagId: tag(2), verdict: { kind: 'sellable', asOf: null }, lineCount: 2 },
    ])
  })

  it('is not announced for a removed item or for an order on hold', async () => {
    const { checkout, shelf, announced, value } = counter
    shelf.remember(facts(tag(1)), facts(tag(2)))
    counter.setOutOfReach(true)
    shelf.dawdle()
    await counter.add(tag(1))
    await counter.add(tag(2))
    value(checkout.removeItem('sale', tag(1)))
    value(counter.hold())
    announced.carts.length = 0
    announced.holds.length = 0
    await shelf.answerAll()
    expect([announced.carts, announced.flags, announced.holds.length]).toEqual([[], [], 1])
  })

  it('removes its item from the order it was scanned into, and from no other order', async () => {
    const { checkout, shelf, value, refusal } = counter
    shelf.dawdle()
    const scanned = checkout.scanning.addItem('sale', tag(1))
    // The lookup is still open; meanwhile the order is cleared and the item is scanned into the next order.
    value(counter.clear())
    const again = checkout.scanning.addItem('sale', tag(1))
    value(checkout.setOrder('sale', order('2')))
    value(counter.hold())
    shelf.put(facts(tag(1), { soldOn: '2026-11-21T13:00:00Z' }))
    await shelf.answerAll()
    expect(refusal(await scanned)).toEqual(changed)
    expect(refusal(await again)).toMatchObject({ code: 'checkout/sold-elsewhere' })
    // The second order is on hold now, and its item is still removed.
    expect(checkout.held()).toMatchObject([{ orderId: '2', itemCount: 0 }])
  })

  it('leaves the item alone if it was put into another order first', async () => {
    const { checkout, shelf, value, refusal } = counter
    shelf.dawdle()
    const scanned = checkout.scanning.addItem('sale', tag(1))
    value(counter.clear())
    counter.db.exec(`INSERT INTO open_order_item (open_order, tag_id, scanned_at)
      SELECT id, '${tag(1)}', 1 FROM open_order WHERE mode = 'sale'`)
    await shelf.answerAll()
    expect(refusal(await scanned)).toEqual(changed)
    expect(checkout.cart('sale').itemCount).toBe(1)
  })
})

describe('the expected quantity', () => {
  const counter = useCounter()
  const key = () => counter.checkout.cart('sale').lines[0]?.key ?? ''
  const expecting = async (expected: number) => {
    counter.shelf.put(facts(tag(1)), facts(tag(2)))
    await counter.fill('1', tag(1))
    counter.value(counter.checkout.setExpected('sale', key(), expected))
  }

  it('can be overridden by a person, in the commit of the report', async () => {
    await expecting(2)
    const { checkout, value } = counter
    expect(counter.finishRefused()).toMatchObject({ code: 'checkout/not-as-expected' })
    expect(checkout.cart('sale').lines[0]?.expected).toBe(2)
    const commits = await counter.commitsOf(() =>
      Promise.resolve(value(checkout.finishing.finish('sale', { ...counter.seen('sale'), isMeant: true }))),
    )
    expect([commits, checkout.cart('sale').lines]).toEqual([1, []])
  })

  it('must be confirmed if it differs, once there is an order to complete; so must doubtful items', async () => {
    const { checkout, value, shelf } = counter
    const cart = () => checkout.cart('sale')
    const differences = () => cart().lines.map(({ difference }) => difference)
    shelf.put(facts(tag(1)), facts(tag(2)), facts(tag(3), { isImported: false }))
    await counter.add(tag(1))
    expect([differences(), cart().mustConfirm]).toEqual([[null], false])
    value(checkout.setExpected('sale', key(), 2))
    expect([differences(), cart().mustConfirm]).toEqual([[-1], false])
    value(checkout.setOrder('sale', order('1')))
    expect(cart().mustConfirm).toBe(true)
    await counter.add(tag(2))
    expect([differences(), cart().mustConfirm]).toEqual([[0], false])
    value(checkout.setExpected('sale', key(), 1))
    expect([differences(), cart().mustConfirm]).toEqual([[1], true])
    value(checkout.setExpected('sale', key(), null))
    await counter.add(tag(3))
    expect(cart().lines[0]?.items.map(({ isDoubtful }) => isDoubtful)).toEqual([false, false, true])
    expect(cart().mustConfirm).toBe(true)
    expect(counter.finishRefused()).toEqual({ code: 'checkout/doubtful-items', count: 1 })
    expect(counter.finish()).toMatchObject({ itemCount: 3 })
  })

  it('set for a line known by name counts for it when its product becomes known meanwhile', async () => {
    const { checkout, value, shelf } = counter
    shelf.put(facts(tag(1), { productId: null }))
    await counter.fill('1', tag(1))
    const byName = key()
    shelf.remember(facts(tag(1)))
    expect(key()).not.toBe(byName)
    value(checkout.setExpected('sale', byName, 3))
    expect(checkout.cart('sale').lines).toMatchObject([{ key: key(), expected: 3, difference: -2 }])
  })

  it('stays on the screen when the last item is removed, also after a restart, until it is cleared', async () => {
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
    // A new item joins the same line.
    await counter.add(tag(2))
    expect(counter.checkout.cart('sale').lines).toMatchObject([{ key: key(), items: [{}], expected: 2 }])
    counter.value(counter.checkout.removeItem('sale', tag(2)))
    expect(counter.shown(counter.checkout.setExpected('sale', key(), null)).lines).toEqual([])
  })
})

describe('reopening a refused report into the cart', () => {
  const counter = useCounter()

  it('does not overwrite an order that was started without items', async () => {
    const { checkout, value, refusal } = counter
    counter.shelf.put(facts(tag(1)))
    const sale = await counter.sell('1', tag(1))
    counter.refuse()
    const begin = [() => checkout.setOrder('sale', order('2')), () => checkout.setCustomer('sale', 'CUSTOMER-2')]
    for (const one of begin) {
      value(one())
      expect(refusal(checkout.finishing.reopen(sale.id))).toEqual({ code: 'checkout/cart-not-empty' })
      value(counter.clear())
    }
    expect(counter.shown(checkout.finishing.reopen(sale.id))).toMatchObject({ orderId: '1', itemCount: 1 })
    expect(counter.announced.carts.at(-1)).toEqual(checkout.cart('sale'))
  })
})

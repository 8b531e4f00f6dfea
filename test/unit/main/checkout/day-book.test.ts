import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { DayReport } from '../../../../src-shared/ipc/contract/checkout'
import type { Operation } from '../../../../src-main/outbox/operation'
import type { Outcome } from '../../../../src-main/outbox/operation'
import { orderKey } from '../../../../src-main/outbox/payload'
import { order, tag } from '../../../fakes/ids'
import { entriesThatDiffer } from '../../../fakes/sale-entries'
import { facts, useCounter } from './counter-desk'
import { createModelService, rejected } from './model-service'

const day = '2026-11-21'

describe("the file of a store's day", () => {
  const counter = useCounter()

  it.each([
    ['accepted', false, null, null],
    ['rejected', true, null, null],
    ['unknown', true, null, { shown: null }],
    ['cancelled', false, null, null],
    // Refused there, and put back into the cart.
    ['cancelled', true, 'taken-back', null],
  ] as const)('has a report of another station that is %s, for a person: %s', (state, needsPerson, note, unsettled) => {
    const entry = {
      ...{
        id: 'a',
        at: Date.parse(`${day}T12:00:00Z`),
        stationId: 'b',
        stationName: 'Back',
        kind: 'complete' as const,
      },
      ...{ orderId: order('1'), state, needsPerson, budtenderId: null, tagIds: [tag(1)], products: [] },
    }
    const store = { entries: [entry], unread: 0, mark: '', closed: null, stations: [] }
    expect(counter.checkout.exportStoreDay(day, store, 'a').lines).toMatchObject([{ state, note, unsettled }])
  })
})

describe('closing the day', () => {
  const counter = useCounter()

  it('counts what the service accepted, by budtender and product, and lists the rest', async () => {
    const { checkout, value, shelf } = counter
    shelf.put(...[1, 2, 3, 4, 5].map((n) => facts(tag(n), { product: n < 3 ? 1 : 2 })))
    for (const n of [1, 2, 3, 4, 5]) shelf.remember(facts(tag(n), { product: n < 3 ? 1 : 2 }))
    value(checkout.setBudtender('sale', 'B-1'))
    await counter.sell('1', tag(1), tag(2), tag(3))
    counter.send()
    value(checkout.setBudtender('sale', 'B-2'))
    await counter.add(tag(1), 'return')
    counter.finish('return')
    counter.send()
    await counter.sell('2', tag(4))
    counter.send()
    value(checkout.void(order('2')))
    counter.send()
    await counter.sell('3', tag(4))
    await counter.fill('4', tag(5))
    value(counter.hold())
    const report = checkout.day(day)
    expect(report).toMatchObject({
      storeName: 'Green Door',
      station: 'TILL 3/front',
      completed: { orders: 2, items: 4 },
      returned: { orders: 1, items: 1 },
      voided: { orders: 1, items: 1 },
      confirmed: 4,
      unsent: [{ orderId: '3' }],
      refused: [],
      held: [{ orderId: '4', itemCount: 1 }],
    })
    expect(report.byBudtender).toEqual([
      { budtender: { id: 'B-1', name: 'B-1' }, sold: 3, returned: 0, voided: 0, orders: 1 },
      { budtender: { id: 'B-2', name: 'B-2' }, sold: 1, returned: 1, voided: 1, orders: 1 },
    ])
    expect(report.byProduct).toEqual([
      { productName: 'Product 1', brandName: 'Hudson', sold: 2, returned: 1, voided: 0 },
      { productName: 'Product 2', brandName: 'Hudson', sold: 2, returned: 0, voided: 1 },
    ])
    // Four sold, one brought back, one voided.
    expect(report.net).toEqual({ orders: 1, items: 2 })
    const hour = new Date('2026-11-21T14:00:00Z').getHours()
    expect(report.byHour).toEqual([{ hour, orders: 2, sold: 4, returned: 1, voided: 1 }])
    expect(checkout.day('2026-11-22')).toMatchObject({ confirmed: 0, unsent: [{ orderId: '3' }] })
  })

  it('gives every hour from the first to the last report, and nothing for a day without one', async () => {
    const { checkout, clock, shelf } = counter
    shelf.put(facts(tag(1)), facts(tag(2)), facts(tag(3)))
    await counter.sell('1', tag(1), tag(2))
    clock.advance(2 * 3_600_000)
    await counter.sell('2', tag(3))
    counter.send()
    const first = new Date('2026-11-21T14:00:00Z').getHours()
    const none = { returned: 0, voided: 0 }
    expect(checkout.day(day).byHour).toEqual([
      { hour: first, orders: 1, sold: 2, ...none },
      { hour: first + 1, orders: 0, sold: 0, ...none },
      { hour: first + 2, orders: 1, sold: 1, ...none },
    ])
    expect(checkout.day('2026-11-20')).toMatchObject({ byHour: [], net: { orders: 0, items: 0 }, outages: [] })
  })

  it('gives the lines of its file without the customer', async () => {
    counter.shelf.put(facts(tag(1)), facts(tag(2)))
    counter.shelf.remember(facts(tag(1)), facts(tag(2)))
    counter.value(counter.checkout.setCustomer('sale', 'CUSTOMER-1'))
    counter.value(counter.checkout.setBudtender('sale', 'B-1'))
    await counter.sell('7', tag(1), tag(2))
    counter.send()
    const file = counter.checkout.exportDay(day)
    expect(JSON.stringify(file)).not.toContain('CUSTOMER')
    expect(file).toMatchObject({
      fileName: `orders-TILL-3-front-${day}.csv`,
      lines: [
        {
          station: 'TILL 3/front',
          ...{ kind: 'complete', orderId: '7', state: 'accepted', budtender: 'B-1', remark: null, reason: null },
          performedAt: '2026-11-21T14:00:00.000Z',
          tagIds: [tag(1), tag(2)],
          products: ['Product 1'],
        },
      ],
    })
  })
})

/** Steps at a counter in any order; few orders and few items, so that the steps collide. */
const mode = fc.constantFrom('sale', 'sale', 'return')
const few = fc.integer({ min: 1, max: 3 })
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('scan'), n: few, mode }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('finish'), n: few, mode }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constantFrom('claim', 'claim', 'accept', 'accept', 'refuse', 'retry'), n: few }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('hold', 'resume', 'void', 'void', 'amend', 'reopen', 'dismiss', 'dismiss', 'restart'),
      n: few,
    }),
  },
)
type Step = { kind: string; n: number; mode?: 'sale' | 'return' }

describe('any sequence of steps at the counter', () => {
  const counter = useCounter()
  let service = createModelService()
  /** The operation being sent while other steps happen. */
  let onItsWay: Operation | undefined
  /** Voids made while a sale of their order stood; the remaining voids concern sales that another till may have made. */
  const ofSales = new Set<string>()

  const take = async ({ kind, n, mode = 'sale' }: Step) => {
    const { checkout, outbox } = counter
    const refused = outbox.read.attention(1)[0]
    counter.clock.advance(1_000)
    if (kind === 'scan') await checkout.addItem(mode, tag(n))
    if (kind === 'finish') {
      // A return already has the order number of the item's sale.
      if (mode === 'sale' || checkout.cart(mode).orderId === null) checkout.setOrder(mode, order(n))
      checkout.finish(mode, { ...counter.seen(mode), isMeant: true })
    }
    if (kind === 'hold') counter.hold()
    if (kind === 'resume') checkout.resume(checkout.held()[0]?.id ?? 0)
    if (kind === 'void') {
      const isOfSale = outbox.read
        .byKey(orderKey(order(n)))
        .some((one) => one.kind === 'complete' && one.state !== 'cancelled')
      const made = checkout.void(order(n))
      if (made.ok && isOfSale) ofSales.add(made.value.id)
    }
    if (kind === 'claim') onItsWay ??= outbox.claim()
    if (kind === 'accept') send(answer)
    if (kind === 'refuse') send(() => rejected)
    if (kind === 'restart') {
      counter.restart()
      onItsWay = undefined
    }
    if (!refused) return
    if (kind === 'retry') outbox.retry(refused.id)
    if (kind === 'amend') checkout.amend(refused.id, [tag(n)])
    if (kind === 'reopen') checkout.reopen(refused.id)
    if (kind === 'dismiss') outbox.dismiss(refused.id, 'so it goes')
  }

  const send = (outcomeOf: (operation: Operation) => Outcome) => {
    const sent = onItsWay ?? counter.outbox.claim()
    onItsWay = undefined
    if (sent) counter.outbox.settle(sent.seq, outcomeOf(sent))
    return sent !== undefined
  }
  const answer = (operation: Operation) => service.answer(operation, ofSales.has(operation.id))
  /** Continues until no operation waits or is refused and no order is open. */
  const comeToRest = () => {
    const { outbox, checkout } = counter
    for (let isMoving = true; isMoving;) {
      while (send(answer));
      const [refused] = outbox.read.attention(1)
      isMoving = refused !== undefined && outbox.dismiss(refused.id, 'so it goes').ok
    }
    for (const { id } of checkout.held()) checkout.dropHeld(id)
    counter.clear('sale')
    counter.clear('return')
  }

  it('never puts an item into two open orders or voids another sale, reports what the service holds, and can sell what is free there', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 80 }), async (steps) => {
        counter.db.exec(`
          DROP TRIGGER journal_keeps_delete; DELETE FROM journal; DELETE FROM operation_key; DELETE FROM operation_wait;
          DELETE FROM sale_entry; DELETE FROM operation; DELETE FROM open_order WHERE held_at IS NOT NULL;
          DELETE FROM open_order_item; UPDATE open_order SET order_id = NULL;
          CREATE TRIGGER journal_keeps_delete BEFORE DELETE ON journal BEGIN SELECT RAISE(ABORT, 'x'); END;`)
        counter.shelf.put(...[1, 2, 3, 4, 5, 6].map((n) => facts(tag(n))))
        service = createModelService()
        onItsWay = undefined
        ofSales.clear()
        for (const one of steps) {
          await take(one)
          const doubled = counter.db.prepare('SELECT tag_id FROM open_order_item GROUP BY tag_id HAVING count(*) > 1')
          expect(doubled.all()).toEqual([])
        }
        expect(entriesThatDiffer(counter.db)).toEqual([])
        comeToRest()
        expect(entriesThatDiffer(counter.db)).toEqual([])
        const { sums, count, sold, idleVoids } = service
        expect(idleVoids).toEqual([])
        const report = counter.checkout.day(day)
        expect(report.confirmed).toBe(count)
        const items = (kind: keyof typeof sums) => report[kind].items
        expect({ completed: items('completed'), returned: items('returned'), voided: items('voided') }).toEqual(sums)
        const sum = (rows: Pick<DayReport['byProduct'][number], 'sold' | 'returned' | 'voided'>[]) =>
          (['sold', 'returned', 'voided'] as const).map((one) => rows.reduce((all, row) => all + row[one], 0))
        const expected = [sums.completed, sums.returned, sums.voided]
        expect(sum(report.byProduct)).toEqual(expected)
        expect(sum(report.byBudtender)).toEqual(expected)
        for (const tagId of [1, 2, 3].map(tag)) {
          const added = await counter.checkout.addItem('sale', tagId)
          expect(added.ok ? null : added.error.code).toBe(sold.has(tagId) ? 'checkout/already-sold' : null)
        }
      }),
      { numRuns: 100 },
    )
  }, 60_000)
})

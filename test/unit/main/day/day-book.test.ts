import { describe, expect, it } from 'vitest'
import { order, tag } from '../../../fakes/ids'
import { facts, useCounter } from '../counter/counter-desk'

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
    expect(counter.checkout.dayBook.exportStoreDay(day, store, 'a').lines).toMatchObject([{ state, note, unsettled }])
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
    value(checkout.orders.void(order('2')))
    counter.send()
    await counter.sell('3', tag(4))
    await counter.fill('4', tag(5))
    value(counter.hold())
    const report = checkout.dayBook.day(day)
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
    expect(checkout.dayBook.day('2026-11-22')).toMatchObject({ confirmed: 0, unsent: [{ orderId: '3' }] })
  })

  it('is signed as it was seen, and says when its reports have changed since', async () => {
    const { checkout, shelf } = counter
    const { dayBook } = checkout
    shelf.put(facts(tag(1)), facts(tag(2)))
    await counter.sell('1', tag(1))
    const { mark, signed } = dayBook.day(day)
    expect(signed).toBeNull()
    counter.send()
    // The service has taken it meanwhile: what is signed is what was seen.
    expect(dayBook.sign(day, mark, 'Maya')).toEqual({ ok: false, error: { code: 'hub/day-changed' } })
    expect(dayBook.sign(day, dayBook.day(day).mark, 'Maya')).toMatchObject({
      value: { signed: { name: 'Maya', isChanged: false } },
    })
    expect(dayBook.day('2026-11-22').signed).toBeNull()
    await counter.sell('2', tag(2))
    expect(dayBook.day(day).signed).toMatchObject({ name: 'Maya', isChanged: true })
    expect(dayBook.sign(day, dayBook.day(day).mark, 'Ravi')).toMatchObject({
      value: { signed: { name: 'Ravi', isChanged: false } },
    })
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
    expect(checkout.dayBook.day(day).byHour).toEqual([
      { hour: first, orders: 1, sold: 2, ...none },
      { hour: first + 1, orders: 0, sold: 0, ...none },
      { hour: first + 2, orders: 1, sold: 1, ...none },
    ])
    expect(checkout.dayBook.day('2026-11-20')).toMatchObject({ byHour: [], net: { orders: 0, items: 0 }, outages: [] })
  })

  it('gives the lines of its file without the customer', async () => {
    counter.shelf.put(facts(tag(1)), facts(tag(2)))
    counter.shelf.remember(facts(tag(1)), facts(tag(2)))
    counter.value(counter.checkout.setCustomer('sale', 'CUSTOMER-1'))
    counter.value(counter.checkout.setBudtender('sale', 'B-1'))
    await counter.sell('7', tag(1), tag(2))
    counter.send()
    const file = counter.checkout.dayBook.exportDay(day)
    expect(JSON.stringify(file)).not.toContain('CUSTOMER')
    expect(file).toMatchObject({
      fileName: `orders-TILL-3-front-${day}.csv`,
      lines: [
        {
          station: 'TILL 3/front',
          ...{ kind: 'complete', orderId: '7', state: 'accepted', budtender: 'B-1', remark: null, reason: null },
          performedAt: '2026-11-21T14:00:00.000Z',
          items: [tag(1), tag(2)].map((tagId) => ({ tagId, product: 'Product 1' })),
        },
      ],
    })
  })
})

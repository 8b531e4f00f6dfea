import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import type { OrdersFilter } from '../../../../src-shared/ipc/contract/checkout'
import { spanOf } from '../../../../src-main/day/history'
import { migrate } from '../../../../src-main/database/migrations'
import { Memory } from '../../../../src-main/memory/store'
import { order, tag } from '../../../fakes/ids'
import { entriesThatDiffer } from '../../../fakes/sale-entries'
import { facts, useCounter } from '../counter/counter-desk'

const everything: OrdersFilter = { days: null, state: null, budtenderId: null, text: '' }
const dayMs = 24 * 3_600_000
/** The local date of an instant. */
const dayOf = (ms: number) => {
  const date = new Date(ms)
  const two = (n: number) => String(n).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

const on = (day: string, to = day) => ({ days: { from: day, to } })

describe('the orders of the day', () => {
  const counter = useCounter()
  const idsOf = (filter: Partial<OrdersFilter>, before: number | null = null) =>
    counter.checkout.orders.page({ ...everything, ...filter }, before).orders.map(({ orderId }) => orderId)
  const sellOne = async (orderId: string, n: number, budtender: string | null = null) => {
    const known = facts(tag(n), { product: n })
    counter.shelf.put(known)
    new Memory(counter.db).keepTag(known, 1)
    counter.value(counter.checkout.setBudtender('sale', budtender))
    return counter.sell(orderId, tag(n))
  }

  it('are listed newest first with their states, and the states are counted', async () => {
    const { checkout, value } = counter
    await sellOne('reported', 1)
    counter.send()
    await sellOne('refused', 2)
    counter.refuse()
    await sellOne('voided', 3)
    counter.send()
    value(checkout.orders.void(order('voided')))
    counter.send()
    await sellOne('withdrawn', 4)
    value(checkout.orders.void(order('withdrawn')))
    await sellOne('waiting', 5)
    const page = checkout.orders.page(everything, null)
    expect(page.orders.map(({ orderId, state }) => [orderId, state])).toEqual([
      ['waiting', 'unsent'],
      ['withdrawn', 'withdrawn'],
      ['voided', 'voided'],
      ['refused', 'attention'],
      ['reported', 'reported'],
    ])
    expect(page).toMatchObject({
      total: 5,
      byState: { unsent: 1, attention: 1, reported: 1, voided: 1, withdrawn: 1 },
    })
    const refused = checkout.orders.page({ ...everything, state: 'attention' }, null)
    expect(refused).toMatchObject({ total: 1, orders: [{ orderId: 'refused' }], byState: page.byState })
  })

  it('are also listed on the day of a later return', async () => {
    await sellOne('1', 1)
    counter.send()
    const first = dayOf(counter.clock.now())
    counter.clock.advance(dayMs)
    await sellOne('2', 2)
    await counter.add(tag(1), 'return')
    counter.finish('return')
    const second = dayOf(counter.clock.now())
    expect(idsOf(on(first))).toEqual(['1'])
    expect(idsOf(on(second))).toEqual(['1', '2'])
    expect(idsOf(on(dayOf(counter.clock.now() + dayMs)))).toEqual([])
    expect(counter.checkout.orders.page({ ...everything, ...on(second) }, null).orders[0]).toMatchObject({
      state: 'unsent',
      itemCount: 1,
      returnedCount: 1,
      products: [{ name: 'Product 1', count: 1 }],
    })
  })

  it("belong to the service's day when this computer's clock is wrong", async () => {
    const { clock } = counter
    const right = clock.now()
    const date = new Date(right).toUTCString()
    clock.advance(dayMs)
    clock.serviceClock.seen(date, clock.now(), clock.now())
    await sellOne('1', 1)
    expect(idsOf(on(dayOf(right)))).toEqual(['1'])
    expect(idsOf(on(dayOf(right + dayMs)))).toEqual([])
  })

  it('are found by number, item, product and budtender, ignoring case and accents', async () => {
    const { checkout, value } = counter
    value(
      checkout.setSettings({
        takesUnchecked: true,
        requiresBudtender: false,
        budtenders: [{ id: 'B-1', name: 'José' }],
      }),
    )
    await sellOne('Nº 10/482 🌿', 1, 'B-1')
    await sellOne('10483', 2, 'B-2')
    const [first, second] = ['Nº 10/482 🌿', '10483']
    expect(idsOf({ text: '48' })).toEqual([second, first])
    expect(idsOf({ text: '🌿' })).toEqual([first])
    expect(idsOf({ text: tag(2) })).toEqual([second])
    expect(idsOf({ text: 'product 1' })).toEqual([first])
    expect(idsOf({ text: 'JOSE' })).toEqual([first])
    expect(idsOf({ text: 'b-2' })).toEqual([second])
    for (const text of ['%', '_', "' OR 1=1 --", 'no match', '\u0000']) expect(idsOf({ text })).toEqual([])
    expect(idsOf({ budtenderId: 'B-2' })).toEqual([second])
    expect(idsOf({ budtenderId: 'B-3' })).toEqual([])
  })

  it('are found by a product name that was learned after the sale', async () => {
    counter.shelf.goSilent()
    await counter.sell('1', tag(1))
    expect(idsOf({ text: 'product 1' })).toEqual([])
    new Memory(counter.db).keepTag(facts(tag(1)), 1)
    expect(idsOf({ text: 'product 1' })).toEqual(['1'])
  })

  it('are found by what a product is called now', async () => {
    await sellOne('1', 1)
    new Memory(counter.db).keepTag(facts(tag(1), { productName: 'Piña Colada' }), 2)
    expect(idsOf({ text: 'product 1' })).toEqual([])
    expect(idsOf({ text: 'pina' })).toEqual(['1'])
    counter.send()
    expect(counter.checkout.dayBook.day(dayOf(counter.clock.now())).byProduct).toMatchObject([
      { productName: 'Piña Colada', brandName: 'Hudson', sold: 1 },
    ])
    expect(entriesThatDiffer(counter.db)).toEqual([])
  })

  it('are listed from the first to the last of some days, each once', async () => {
    const days: string[] = []
    for (const n of [1, 2, 3, 4]) {
      await sellOne(String(n), n)
      counter.send()
      days.push(dayOf(counter.clock.now()))
      counter.clock.advance(dayMs)
    }
    const [first = '', second = '', third = '', fourth = ''] = days
    expect(idsOf(on(first, fourth))).toEqual(['4', '3', '2', '1'])
    expect(idsOf(on(second, third))).toEqual(['3', '2'])
    expect(idsOf({ ...on(second, third), text: 'product 3' })).toEqual(['3'])
    expect(idsOf(on(third, second))).toEqual([])
    // A return on the last day brings its order to the top; it is counted once.
    await counter.add(tag(2), 'return')
    counter.finish('return')
    const page = counter.checkout.orders.page({ ...everything, ...on(first, dayOf(counter.clock.now())) }, null)
    expect(page).toMatchObject({
      total: 4,
      byState: { unsent: 1, reported: 3 },
      orders: [{ orderId: '2' }, {}, {}, {}],
    })
  })

  it('are found by the budtender of another day, and counted once', async () => {
    await sellOne('1', 1, 'B-1')
    counter.send()
    counter.clock.advance(dayMs)
    counter.value(counter.checkout.setBudtender('return', 'B-2'))
    for (const text of ['', 'b-1']) {
      if (text === '') {
        await counter.add(tag(1), 'return')
        counter.finish('return')
      }
      const today = dayOf(counter.clock.now())
      const filter = { ...everything, ...on(today), text }
      for (const budtenderId of ['B-1', 'B-2']) {
        const page = counter.checkout.orders.page({ ...filter, budtenderId }, null)
        expect(page).toMatchObject({ total: 1, byState: { unsent: 1 }, orders: [{ budtender: { id: 'B-1' } }] })
      }
      expect(counter.checkout.orders.page({ ...filter, budtenderId: 'B-3' }, null).total).toBe(0)
    }
  })

  it('are counted by state without a filter as with one', async () => {
    await sellOne('1', 1)
    await sellOne('2', 2)
    counter.refuse()
    await sellOne('3', 3)
    counter.send()
    const { byState } = counter.checkout.orders.page(everything, null)
    expect(byState).toEqual({ unsent: 0, attention: 2, reported: 1, voided: 0, withdrawn: 0 })
    expect(counter.checkout.orders.page({ ...everything, text: 'product' }, null).byState).toEqual(byState)
    expect(counter.checkout.orders.page({ ...everything, ...on(dayOf(counter.clock.now())) }, null).byState).toEqual(
      byState,
    )
    const page = counter.checkout.orders.page({ ...everything, state: 'attention' }, null)
    expect(page).toMatchObject({ total: 2, orders: [{ orderId: '2' }, { orderId: '1' }] })
  })

  it('are not found by an item that was removed from them', async () => {
    counter.shelf.put(facts(tag(1)), facts(tag(2)))
    const sale = await counter.sell('1', tag(1), tag(2))
    counter.refuse({ code: 'service/not-imported', tagIds: [tag(2)] })
    counter.value(counter.checkout.finishing.amend(sale.id, [tag(2)], 'Stayed in the store'))
    expect(idsOf({ text: tag(2) })).toEqual([])
    expect(idsOf({ text: tag(1) })).toEqual(['1'])
  })

  it('are listed in pages of a hundred, without duplicates', async () => {
    for (let n = 1; n <= 250; n++) await sellOne(`N-${n}`, n)
    const seen: string[] = []
    let before: number | null = null
    for (let pages = 0; pages < 4; pages++) {
      const page = counter.checkout.orders.page(everything, before)
      expect(page.total).toBe(250)
      seen.push(...page.orders.map(({ orderId }) => orderId))
      before = page.orders.at(-1)?.seq ?? before
    }
    expect(seen).toEqual(Array.from({ length: 250 }, (_, n) => `N-${250 - n}`))
  })

  it('of an earlier version are all migrated, with the carts', () => {
    const db = new Sqlite(':memory:')
    db.exec(readFileSync(join(import.meta.dirname, '../../../fixtures/schemas/002.sql'), 'utf8'))
    const count = (sql: string) => db.prepare(`SELECT count(*) FROM ${sql}`).pluck().get()
    const reports = count(`operation WHERE kind IN ('complete', 'return', 'void') AND json_valid(payload)`)
    const items = count('cart_item')
    migrate(db)
    expect(reports).toBeGreaterThan(0)
    expect(items).toBeGreaterThan(0)
    expect(count('sale_entry')).toBe(reports)
    expect(entriesThatDiffer(db)).toEqual([])
    expect(count('open_order_item JOIN open_order ON open_order = open_order.id WHERE held_at IS NULL')).toBe(items)
    db.close()
  })

  it("leave out operations that can't be read", () => {
    const insert = counter.db.prepare(
      `INSERT INTO operation (id, kind, payload, state, performed_at, performed_at_raw, clock_offset)
       VALUES (?, 'complete', ?, 'rejected', '2026-11-21T14:00:00.000Z', 0, 0)`,
    )
    for (const [n, payload] of ['', 'no json', '{}', '[]', 'null', '{"orderId": null}'].entries()) {
      insert.run(`00000000-0000-4000-8000-00000000000${n}`, payload)
    }
    expect(counter.checkout.orders.page(everything, null).total).toBe(0)
  })
})

describe('a local day', () => {
  it.each(['2026-11-21', '2026-03-08', '2026-11-01', '2024-02-29', '2026-12-31'])(
    '%s begins and ends at midnight',
    (day) => {
      const [from, to] = spanOf(day)
      expect([dayOf(from), dayOf(from - 1) < day, dayOf(to - 1), dayOf(to) > day]).toEqual([day, true, day, true])
    },
  )
})

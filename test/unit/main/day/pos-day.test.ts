import { beforeEach, describe, expect, it } from 'vitest'
import { spanOf } from '../../../../src-main/day/history'
import { Memory } from '../../../../src-main/memory/store'
import { createPos } from '../../../../src-main/receiving/manifest/pos'
import { silentLog } from '../../../../src-main/core/log'
import { createSettings } from '../../../../src-main/database/settings'
import type { OthersOfDay } from '../../../../src-main/day/store-day'
import type { OrderId, TagId } from '../../../../src-shared/ids'
import { ok } from '../../../../src-shared/result'
import { caseFactsOf } from '../../../fakes/case-facts'
import { order, packageUid, tag, thing } from '../../../fakes/ids'
import { facts } from '../counter/counter-desk'
import { day, partsOf, usePosDesk } from './pos-desk'

const header = 'Order,Date,Product,Qty,Voided\n'
const line = (orderId: string, product = 1, qty = 1, voided = '') =>
  `${orderId},${day} 10:00,Product ${product},${qty},${voided}\n`

describe('comparing the day with the POS', () => {
  const desk = usePosDesk()
  const { counter } = desk

  beforeEach(() => {
    const items = Array.from({ length: 20 }, (_, n) => facts(tag(n), { product: n < 10 ? 1 : 2 }))
    counter.shelf.put(...items)
    counter.shelf.remember(...items)
    // Products are known from the cases that were seen.
    new Memory(counter.db).keepCase(caseFactsOf(1, { products: [1, 2] }), 1, 1)
  })
  /** Items of product 1 and of product 2. */
  const sell = (orderId: string, ...tagIds: TagId[]) => counter.sell(orderId, ...tagIds)
  /** Sets the clock. */
  const at = (ms: number) => {
    counter.clock.advance(ms - counter.clock.now())
  }
  const giveBack = async (orderId: string, ...tagIds: TagId[]) => {
    counter.value(counter.checkout.setOrder('return', order(orderId)))
    for (const tagId of tagIds) await counter.add(tagId, 'return')
    counter.finish('return')
  }

  it('says that everything matches, and that no file is loaded before', async () => {
    expect(desk.days.view(day)).toMatchObject({ state: 'none', file: null, matched: 0, isSettled: false })
    await sell('1001', tag(1), tag(2), tag(11))
    await sell('1002', tag(3))
    const view = await desk.load(header + line('1001', 1, 2) + line('1001', 2) + line('1002'))
    expect(view).toMatchObject({ state: 'compared', matched: 2, reasoned: 0, unknownCount: 0, isSettled: true })
    expect(view.file).toMatchObject({ fileName: 'sales.csv', lines: 3, orders: 2, hasProducts: true })
    expect(desk.differences()).toEqual([])
  })

  it('isn’t settled while lines of the file could not be read; these and products to decide about are told', async () => {
    await sell('1', tag(1))
    const file = header + line('1')
    expect(await desk.load(`${file}2,${day} 10:00,Product 1,many,\n`)).toMatchObject({
      ...{ matched: 1, isSettled: false },
      file: { faulty: 1 },
    })
    expect(await desk.days.all(day)).toMatchObject({ differences: [], faulty: 1, unknown: 0 })
    await desk.load(file + line('1', 50) + line('3', 51))
    expect(await desk.days.all(day)).toMatchObject({ faulty: 0, unknown: 2 })
    expect((await desk.load(file)).isSettled).toBe(true)
  })

  it('names each kind of difference, with products and numbers', async () => {
    await sell('1', tag(1), tag(2))
    await sell('2', tag(3))
    await sell('3', tag(4))
    await sell('4', tag(5))
    counter.send()
    counter.value(counter.checkout.orders.void(order('4')))
    await sell('5', tag(6), tag(11))
    const view = await desk.load(
      header + line('1', 1, 3) + line('3', 1, 1, 'yes') + line('4') + line('5', 1, 2) + line('6', 2, 2),
    )
    expect(desk.brief()).toEqual([
      '1 count: Product 1 3/2',
      '2 only-here: Product 1 0/1',
      '3 voided-pos: Product 1 0/1',
      '4 voided-here: Product 1 1/0',
      '5 count: Product 1 2/1 Product 2 0/1',
      '6 only-pos: Product 2 2/0',
    ])
    expect(view.open).toEqual({ 'only-pos': 1, 'only-here': 1, count: 2, 'voided-pos': 1, 'voided-here': 1 })
    expect(desk.differences().map(({ scan, hereId }) => [scan, hereId])).toEqual([
      ['sale', '1'],
      [null, '2'],
      [null, '3'],
      [null, '4'],
      [null, '5'],
      ['sale', null],
    ])
    expect(desk.days.list(day, 'count', 1)).toMatchObject({ total: 2, differences: [{ orderId: '5' }] })
  })

  it('takes a voided line with a negative count for the void of its sale', async () => {
    await sell('1', tag(1), tag(2))
    await sell('2', tag(3), tag(4))
    counter.send()
    counter.value(counter.checkout.orders.void(order('2')))
    const reversed = (orderId: string) => line(orderId, 1, 2) + line(orderId, 1, -2, 'Void')
    const view = await desk.load(header + reversed('1') + reversed('2') + line('3', 50, 2) + line('3', 50, -2, 'Void'))
    expect(desk.brief()).toEqual(['1 voided-pos: Product 1 0/2'])
    expect([view.matched, view.unknown]).toMatchObject([1, [{ productName: 'Product 50', items: 0, orders: 1 }]])
  })

  it('follows: what is sold, brought back or voided afterwards makes a difference vanish, or one appear', async () => {
    await sell('1', tag(1), tag(2))
    await desk.load(header + line('1', 1, 1) + line('2', 2, 1))
    expect(desk.brief()).toEqual(['1 count: Product 1 1/2', '2 only-pos: Product 2 1/0'])
    await sell('2', tag(11))
    expect(desk.brief()).toEqual(['1 count: Product 1 1/2'])
    expect(desk.views.at(-1)).toMatchObject({ matched: 1, open: { 'only-pos': 0, count: 1 } })
    await giveBack('1', tag(2))
    expect([desk.brief(), desk.days.view(day).isSettled]).toEqual([[], true])
    await sell('3', tag(3))
    expect(desk.brief()).toEqual(['3 only-here: Product 1 0/1'])
    counter.value(counter.checkout.orders.void(order('3')))
    expect(desk.brief()).toEqual([])
    // A refused sale isn't reported.
    await sell('4', tag(4))
    counter.refuse()
    expect(desk.brief()).toContain('2 only-pos: Product 2 1/0')
    expect(desk.brief().some((one) => one.startsWith('4 '))).toBe(false)
  })

  it('takes a product that was never seen before into the comparison once it is sold', async () => {
    await desk.load(header + line('1', 7))
    expect(desk.days.view(day)).toMatchObject({
      unknownCount: 1,
      isSettled: false,
      unknown: [{ productName: 'Product 7' }],
    })
    counter.shelf.put(facts(tag(70), { product: 7 }))
    counter.shelf.remember(facts(tag(70), { product: 7 }))
    await sell('1', tag(70))
    expect(await desk.compared()).toMatchObject({ unknownCount: 0, matched: 1, isSettled: true })
  })

  it('survives a restart, with its file, its reasons and what isn’t tracked', async () => {
    await desk.load(header + line('1') + line('2', 9))
    const { orderId, mark } = desk.difference('1')
    counter.value(desk.days.setReason(day, orderId, mark, 'Rung up twice'))
    const [unknown] = desk.days.view(day).unknown
    counter.value(desk.days.setTracked(day, unknown?.id ?? 0, false))
    await desk.compared()
    await desk.restart()
    expect(desk.days.view(day).state).toBe('comparing')
    expect(await desk.compared()).toMatchObject({
      state: 'compared',
      reasoned: 1,
      unknownCount: 0,
      untracked: [{ productName: 'Product 9' }],
      isSettled: true,
    })
    expect(desk.difference('1').reason).toMatchObject({ text: 'Rung up twice', isCurrent: true })
  })

  it('counts a reason until its difference changes, and takes it back', async () => {
    await sell('1', tag(1))
    await desk.load(header + line('1', 1, 3))
    const before = desk.difference('1')
    counter.value(desk.days.setReason(day, before.orderId, before.mark, 'Bag of three'))
    expect(desk.days.view(day)).toMatchObject({ reasoned: 1, isSettled: true })
    expect(desk.days.list(day, 'open', 0).total).toBe(0)
    await desk.load(header + line('1', 1, 2))
    const after = desk.difference('1')
    expect(after.reason).toMatchObject({ text: 'Bag of three', isCurrent: false })
    expect(desk.days.view(day)).toMatchObject({ reasoned: 0, open: { count: 1 } })
    // As the person saw it before.
    expect(counter.refusal(desk.days.setReason(day, before.orderId, before.mark, 'x'))).toEqual({
      code: 'pos-day/changed',
    })
    expect(counter.refusal(desk.days.setReason(day, order('9'), before.mark, 'x'))).toEqual({ code: 'pos-day/changed' })
    counter.value(desk.days.setReason(day, after.orderId, after.mark, null))
    expect(desk.difference('1').reason).toBeNull()
  })

  it('has the newest file of a day only: loading one twice doubles nothing', async () => {
    const csv = header + line('1', 1, 2) + line('2', 2)
    await desk.load(csv)
    const first = desk.brief()
    await desk.load(csv)
    expect(desk.brief()).toEqual(first)
    await desk.load(header + line('2', 2), day, 'second.csv')
    expect([desk.brief(), desk.days.view(day).file?.fileName]).toEqual([['2 only-pos: Product 2 1/0'], 'second.csv'])
    const left = counter.db.prepare('SELECT count(*) FROM pos_day_line').pluck()
    await expect.poll(() => left.get()).toBe(1)
    counter.value(desk.days.forget(day))
    expect(desk.days.view(day)).toMatchObject({ state: 'none', file: null })
    expect(desk.differences()).toEqual([])
    await expect.poll(() => left.get()).toBe(0)
  })

  it('keeps the earlier file while another arrives, also if that one breaks off or the process ends', async () => {
    await desk.load(header + line('1'))
    const parts = partsOf(header + line('2') + line('3') + line('4'), day, 'second.csv', 1)
    const [first, second, third] = parts
    if (!first || !second || !third) throw new Error('too few parts')
    expect(counter.value(desk.days.load(first))).toBeNull()
    const broken = { code: 'pos-day/broken' }
    // Left out, of another file, of another day, and one that comes without an earlier one.
    expect(counter.refusal(desk.days.load(third))).toEqual(broken)
    counter.value(desk.days.load(first))
    expect(counter.refusal(desk.days.load({ ...second, file: { ...second.file, fileName: 'x' } }))).toEqual(broken)
    counter.value(desk.days.load(first))
    expect(counter.refusal(desk.days.load({ ...second, day: '2026-11-20' }))).toEqual(broken)
    expect(counter.refusal(desk.days.load(second))).toEqual(broken)
    counter.value(desk.days.load(first))
    await desk.restart()
    await desk.compared()
    expect([desk.brief(), desk.days.view(day).file?.fileName]).toEqual([['1 only-pos: Product 1 1/0'], 'sales.csv'])
    await expect.poll(() => counter.db.prepare('SELECT count(*) FROM pos_day_line').pluck().get()).toBe(1)
  })

  it('never takes two orders for one, and says which number is almost the same', async () => {
    await sell('1001', tag(1))
    await desk.load(header + line('#1001', 1, 1) + line('01001', 1, 1))
    expect(desk.brief()).toEqual([
      '#1001 only-pos: Product 1 1/0',
      '01001 only-pos: Product 1 1/0',
      '1001 only-here: Product 1 0/1',
    ])
    expect(desk.difference('#1001').similar).toBe('1001')
    // Alone it is taken for the order.
    await desk.load(header + line('#01001', 1, 2))
    expect(desk.brief()).toEqual(['#01001 count: Product 1 2/1'])
    expect(desk.difference('#01001')).toMatchObject({ hereId: '1001', similar: null })
    // Until another order comes that it could be.
    await sell('01001', tag(2))
    expect(desk.brief()).toHaveLength(3)
  })

  it('takes an order scanned after midnight, or days later, for the POS’s day; and not as one of its own day', async () => {
    const [, midnight] = spanOf(day)
    await desk.load(header + line('1') + line('2') + line('3'))
    at(midnight + 300_000)
    await sell('1', tag(1))
    at(midnight + 3 * 86_400_000)
    await sell('2', tag(2))
    expect(desk.brief()).toEqual(['3 only-pos: Product 1 1/0'])
    const next = 'Order,Date,Product\n9,2026-11-22,Product 1\n'
    await desk.load(next, '2026-11-22')
    expect(desk.brief('2026-11-22')).toEqual(['9 only-pos: Product 1 1/0'])
    // Too late to be of that day.
    at(midnight + 20 * 86_400_000)
    await sell('3', tag(3))
    expect(desk.brief()).toEqual(['3 only-pos: Product 1 1/0'])
  })

  it('compares returns of earlier sales by themselves', async () => {
    const [start] = spanOf(day)
    const noon = counter.clock.now()
    at(start - 5 * 86_400_000)
    await sell('1', tag(1), tag(2))
    await sell('2', tag(3))
    at(noon)
    await giveBack('1', tag(1))
    await desk.load(header + line('1', 1, -1) + line('2', 1, -1))
    expect(desk.brief()).toEqual(['2 only-pos: Product 1 -1/0'])
    expect(desk.difference('2')).toMatchObject({ scan: 'return', hereId: null })
    await giveBack('2', tag(3))
    expect(desk.brief()).toEqual([])
  })

  it('gives a further number for missing items of an order that was reported, and counts its sale for the order', async () => {
    await sell('1', tag(1))
    await sell('1-2', tag(2))
    await desk.load(header + line('1', 1, 3) + line('1-2') + line('1-3', 2) + line('8'))
    expect(counter.value(desk.days.saleNumber(day, order('8')))).toEqual({ orderId: '8' })
    // 1-2 was used, 1-3 is an order of the POS.
    expect(counter.value(desk.days.saleNumber(day, order('1')))).toEqual({ orderId: '1-4' })
    await sell('1-4', tag(3), tag(4))
    expect(desk.brief()).toEqual(['1-3 only-pos: Product 2 1/0', '8 only-pos: Product 1 1/0'])
    await desk.restart()
    await desk.compared()
    expect(desk.brief()).toEqual(['1-3 only-pos: Product 2 1/0', '8 only-pos: Product 1 1/0'])
    expect(counter.refusal(desk.days.saleNumber(day, order('1')))).toEqual({ code: 'pos-day/changed' })
  })

  it('finds products by the POS product id of their import, by the catalog, else by name', async () => {
    const { db, clock } = counter
    const pos = createPos({ db, seen: new Memory(db), settings: createSettings(db, silentLog), clock })
    pos.remember([
      { productId: thing(1), packageUid: packageUid(1), posProductId: 'POS-1', posInventoryId: 'I', sku: 'S-1' },
    ])
    const named = { line: 1, packageUid: null, posInventoryId: null }
    counter.value(
      pos.catalogue.load({
        ...{ fileName: 'menu.csv', start: 0, isLast: true },
        rows: [{ ...named, productName: 'Product 2', posProductId: 'POS-2', sku: null }],
      }),
    )
    await sell('1', tag(1), tag(11))
    await desk.load('Order,Product ID,SKU,Product\n1,POS-1,,Blue\n1,pos-2,,Red\n2,,S-1,Blue again\n3,POS-9,S-9,Green\n')
    expect(desk.brief()).toEqual(['2 only-pos: Product 1 1/0'])
    expect(desk.days.view(day).unknown).toMatchObject([
      { posProductId: 'POS-9', productName: 'Green', items: 1, orders: 1 },
    ])
  })

  it('compares the number of items alone if the file names no products', async () => {
    await sell('1', tag(1), tag(11))
    await desk.load('Order,Qty\n1,2\n2,1\n')
    expect(desk.brief()).toEqual(['2 only-pos: null 1/0'])
    expect(desk.days.view(day)).toMatchObject({ matched: 1, unknownCount: 0, file: { hasProducts: false } })
  })

  it('lists unknown products apart; what isn’t tracked counts on no day, what is tracked does', async () => {
    await sell('1', tag(1))
    await desk.load(header + line('1') + line('1', 50, 2) + line('2', 50) + line('3', 51))
    expect(desk.brief()).toEqual([])
    const [lighter, gummies] = desk.days.view(day).unknown
    expect([lighter, gummies]).toMatchObject([
      { productName: 'Product 50', items: 3, orders: 2 },
      { productName: 'Product 51', items: 1, orders: 1 },
    ])
    counter.value(desk.days.setTracked(day, lighter?.id ?? 0, false))
    counter.value(desk.days.setTracked(day, gummies?.id ?? 0, true))
    expect(await desk.compared()).toMatchObject({
      unknownCount: 0,
      untracked: [{ id: lighter?.id }],
      tracked: [{ id: gummies?.id }],
    })
    expect(desk.brief()).toEqual(['3 only-pos: Product 51 1/0'])
    await desk.load('Order,Product\n7,Product 50\n', '2026-11-20')
    expect(await desk.compared('2026-11-20')).toMatchObject({ unknownCount: 0, isSettled: true })
    counter.value(desk.days.setTracked(day, lighter?.id ?? 0, null))
    expect(await desk.compared()).toMatchObject({ unknownCount: 1, untracked: [] })
    expect(counter.refusal(desk.days.setTracked(day, 999, true))).toEqual({ code: 'pos-day/changed' })
  })

  it('keeps nothing of other columns than those that were matched', async () => {
    await desk.load('Order,Product,Customer Name,Phone\n1,Product 1,Jane Roe,555-0101\n')
    const tables = ['pos_day', 'pos_day_line', 'pos_product', 'pos_day_reason', 'setting']
    for (const table of tables) {
      expect(JSON.stringify(counter.db.prepare(`SELECT * FROM ${table}`).all())).not.toMatch(/Jane|555/)
    }
  })

  it('waits with what is reported while it compares, and judges it then', async () => {
    for (const part of partsOf(header + line('1') + line('2'))) counter.value(desk.days.load(part))
    expect(desk.days.view(day).state).toBe('comparing')
    await sell('1', tag(1))
    await desk.compared()
    expect(desk.brief()).toEqual(['2 only-pos: Product 1 1/0'])
  })

  describe('several days', () => {
    const others = ['2026-11-22', '2026-11-20', '2026-11-19'] as const
    const [next] = others

    it('compares a day again once the file of another day has its order, and once that is forgotten', async () => {
      await sell('9', tag(1))
      await desk.load(header + line('1'))
      expect(desk.brief()).toContain('9 only-here: Product 1 0/1')
      await desk.load(`Order,Date,Product\n9,${next},Product 1\n`, next)
      await desk.compared()
      expect(desk.brief()).toEqual(['1 only-pos: Product 1 1/0'])
      counter.value(desk.days.forget(next))
      await desk.compared()
      expect(desk.brief()).toContain('9 only-here: Product 1 0/1')
    })

    describe('what comes back of a sale of an earlier day, which the POS lacks', () => {
      const later = '2026-11-23'
      const lateFile = `Order,Date,Product,Qty\n9,${later},Product 1,1\n`
      const briefLater = () => desk.brief(later)
      /** Order 1001 is sold in both on the first day, and 9 on the later one; the clock is on the later one then. */
      const soldOnBoth = async () => {
        await sell('1001', tag(1), tag(2))
        counter.send()
        await desk.load(header + line('1001', 1, 2))
        at(spanOf(later)[0] + 43_200_000)
        await sell('9', tag(9))
        counter.send()
      }

      it('differs if it was returned, before the day is compared or after', async () => {
        await soldOnBoth()
        await giveBack('1001', tag(1))
        expect((await desk.load(lateFile, later)).isSettled).toBe(false)
        expect(briefLater()).toEqual(['1001 only-here: Product 1 0/-1'])
        await giveBack('1001', tag(2))
        expect(briefLater()).toEqual(['1001 only-here: Product 1 0/-2'])
        await desk.load(`${lateFile}1001,${later},Product 1,-2\n`, later)
        await desk.compared()
        expect([briefLater(), desk.brief()]).toEqual([[], []])
      })

      it('differs if it was voided, before the day is compared or after', async () => {
        await soldOnBoth()
        await desk.load(lateFile, later)
        expect(desk.days.view(later).isSettled).toBe(true)
        counter.value(counter.checkout.orders.void(order('1001')))
        expect([briefLater(), desk.days.view(later).isSettled]).toEqual([['1001 voided-here: Product 1 0/-2'], false])
        await desk.load(lateFile, later)
        expect(briefLater()).toEqual(['1001 voided-here: Product 1 0/-2'])
      })

      it('differs beside items of the same order that were sold late', async () => {
        await sell('1001', tag(1))
        counter.send()
        await desk.load(header + line('1001', 1, 2))
        at(spanOf(later)[0] + 43_200_000)
        await sell('9', tag(9))
        const { orderId } = counter.value(desk.days.saleNumber(day, order('1001')))
        await sell(orderId, tag(2))
        counter.send()
        await desk.load(lateFile, later)
        expect(briefLater()).toEqual([])
        await giveBack('1001', tag(1))
        expect(briefLater()).toEqual(['1001 only-here: Product 1 0/-1'])
      })

      it('doesn’t differ if the sale itself was scanned on that day', async () => {
        await desk.load(header + line('1001', 1, 2))
        at(spanOf(later)[0] + 43_200_000)
        await sell('9', tag(9))
        await sell('1001', tag(1), tag(2))
        counter.send()
        await desk.load(lateFile, later)
        expect([briefLater(), desk.days.view(later).isSettled]).toEqual([[], true])
        counter.value(counter.checkout.orders.void(order('1001')))
        await desk.compared()
        expect([briefLater(), desk.brief()]).toEqual([[], ['1001 voided-here: Product 1 2/0']])
      })
    })

    it('ends every wait, also of more days than are kept in memory', async () => {
      const all = [day, ...others]
      for (const one of all) {
        for (const part of partsOf(`Order,Date,Product\n${one},${one},Product 1\n`, one)) {
          counter.value(desk.days.load(part))
        }
      }
      const found = await Promise.all(all.map((one) => desk.days.all(one)))
      expect(found.map(({ differences, isMissing }) => [differences.map(({ orderId }) => orderId), isMissing])).toEqual(
        all.map((one) => [[one], false]),
      )
    })

    it('says that a comparison broke off, to who waits and on the screen, and makes it anew when asked', async () => {
      for (const part of partsOf(header + line('1'))) counter.value(desk.days.load(part))
      for (const part of partsOf(`Order,Product\n2,Product 1\n`, next)) counter.value(desk.days.load(part))
      counter.db.exec('ALTER TABLE pos_mapping RENAME TO gone')
      const missing = { differences: [], left: 0, isMissing: true, faulty: 0, unknown: 0, store: null }
      expect(await Promise.all([desk.days.all(day), desk.days.all(next)])).toEqual([missing, missing])
      expect(desk.views.findLast((view) => view.day === day)).toMatchObject({ state: 'failed', isSettled: false })
      expect(desk.days.list(day, 'all', 0).total).toBe(0)
      counter.db.exec('ALTER TABLE gone RENAME TO pos_mapping')
      expect(desk.days.view(day).state).toBe('comparing')
      await desk.compared()
      expect([desk.brief(), desk.days.view(day).state]).toEqual([['1 only-pos: Product 1 1/0'], 'compared'])
    })
  })

  it('says how many differences did not fit into the file', async () => {
    await desk.load(header + Array.from({ length: 10_003 }, (_, n) => line(`order ${n}`)).join(''))
    const { differences, left, isMissing } = await desk.days.all(day)
    expect([differences.length, left, isMissing]).toEqual([10_000, 3, false])
  })
})

describe('a day that other stations report on, too', () => {
  let entries: OthersOfDay['entries'] = []
  const desk = usePosDesk({
    ownId: 'one',
    others: () => Promise.resolve(ok({ entries, unread: 0, stations: [] })),
  })
  const sold = (orderId: OrderId): OthersOfDay['entries'][number] => ({
    ...{ id: `sale of ${orderId}`, at: desk.counter.clock.now(), kind: 'complete', orderId, state: 'accepted' },
    ...{ needsPerson: false, budtenderId: null, products: [], itemProducts: [[thing(1), 'Product 1']] },
    ...{ tagIds: [tag(1)], stationId: 'two', stationName: 'Front 2' },
  })

  it('is compared anew if reading what they reported broke off, so that no report is left out', async () => {
    entries = []
    new Memory(desk.counter.db).keepCase(caseFactsOf(1, { products: [1] }), 1, 1)
    await desk.load(header + line('1'))
    expect(desk.brief()).toEqual(['1 only-pos: Product 1 1/0'])
    // None of them can be judged.
    desk.counter.db.exec('ALTER TABLE pos_day_line RENAME TO gone')
    entries = [sold(order('2')), sold(order('1'))]
    await desk.days.all(day)
    expect(desk.views.at(-1)?.state).toBe('failed')
    desk.counter.db.exec('ALTER TABLE gone RENAME TO pos_day_line')
    await desk.compared()
    expect(desk.brief()).toEqual(['2 only-here: Product 1 0/1'])
  })
})

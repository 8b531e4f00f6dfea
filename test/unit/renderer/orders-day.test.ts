import '../../../src-renderer/messages/later'
import { describe, expect, it } from 'vitest'
import { Day } from '../../../src-renderer/orders/day/day.svelte'
import { planPaper } from '../../../src-renderer/orders/day/paper-plan'
import { DayReport } from '../../../src-shared/ipc/checkout-view'
import { createClient } from '../../../src-shared/ipc/client'
import { at, operation, operationId } from './examples'
import { createFakeWire } from './fake-wire'

const none = { orders: 0, items: 0 }
const report = (fields: object = {}) =>
  DayReport.parse({
    day: '2026-11-21',
    storeName: 'Green Door',
    station: 'TILL-3',
    madeAt: at,
    completed: none,
    returned: none,
    voided: none,
    byBudtender: [],
    byProduct: [],
    confirmed: 0,
    unsent: [],
    refused: [],
    held: [],
    verification: null,
    ...fields,
  })

function createDay() {
  const fake = createFakeWire()
  const day = new Day(createClient(fake.wire), '2026-11-21')
  const answer = async (fields: object) => {
    const asked = fake.next('checkout.day')
    await asked.answer(report(fields))
    return asked.input
  }
  return { fake, day, answer }
}

describe('the closing report over midnight', () => {
  it('stays that of the day it was opened for when something happens, and says that a new day began', async () => {
    const { day, answer } = createDay()
    void day.load()
    await answer({})
    day.noticeDay('2026-11-21')
    expect(day.isOfDayBefore).toBe(false)
    day.noticeDay('2026-11-22')
    void day.load()
    expect(await answer({})).toEqual({ day: '2026-11-21' })
    expect([day.isOfDayBefore, day.when, day.date, day.today]).toEqual([true, 'day', '2026-11-21', '2026-11-22'])
    // A second midnight changes nothing.
    day.noticeDay('2026-11-23')
    expect([day.isOfDayBefore, day.day]).toEqual([true, '2026-11-21'])
    day.when = 'today'
    void day.choose()
    expect(await answer({ day: '2026-11-23' })).toEqual({ day: '2026-11-23' })
    expect(day.isOfDayBefore).toBe(false)
  })

  it.each([
    ['yesterday', '2026-11-20', true],
    ['day', '2026-11-02', false],
  ] as const)('keeps %s as well, and speaks of a new day only where it mattered', (when, shown, isTold) => {
    const { day } = createDay()
    day.when = when
    day.date = when === 'day' ? shown : ''
    day.noticeDay('2026-11-22')
    expect([day.day, day.isOfDayBefore]).toEqual([shown, isTold])
  })

  it('saves the file of the report on the screen, not of the day that is being asked for', async () => {
    const { fake, day, answer } = createDay()
    expect(await day.export()).toBeNull()
    void day.load()
    await answer({})
    day.when = 'yesterday'
    void day.choose()
    void day.export()
    const asked = fake.next('checkout.exportDay')
    expect(asked.input).toEqual({ day: '2026-11-21' })
    await asked.answer({ fileName: 'a.csv', text: '' })
    await answer({ day: '2026-11-20' })
    void day.export()
    expect(fake.next('checkout.exportDay').input).toEqual({ day: '2026-11-20' })
  })
})

const figures = (n: number) => ({ sold: n, returned: 1, voided: 2 })
const products = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ productName: `P ${i}`, brandName: null, ...figures(count - i) }))
const budtenders = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    budtender: { id: `B-${i}`, name: `B ${i}` },
    orders: 1,
    ...figures(count - i),
  }))
const unsent = (count: number) =>
  Array.from({ length: count }, (_, i) => operation({ id: operationId(i + 1), state: 'queued' }))

describe('the plan of the paper', () => {
  it.each([
    ['nothing', 0, 0, 0],
    ['one of each', 1, 1, 1],
    ['a usual day', 14, 4, 0],
    ['many products', 60, 12, 0],
    ['many products on a bad day', 60, 12, 40],
    ['a chain in one shop', 900, 70, 900],
  ])('names or counts everything once: %s', (_what, ofProducts, ofBudtenders, ofUnsent) => {
    const full = report({
      byProduct: products(ofProducts),
      byBudtender: budtenders(ofBudtenders),
      unsent: unsent(ofUnsent),
    })
    const plan = planPaper(full, null)
    const [left, right] = plan.byProduct
    expect([...left, ...right]).toEqual(full.byProduct.slice(0, left.length + right.length))
    expect(left.length + right.length + (plan.moreProducts?.count ?? 0)).toBe(ofProducts)
    expect(plan.byBudtender.length + (plan.moreBudtenders?.count ?? 0)).toBe(ofBudtenders)
    expect(plan.undone.length + plan.moreUndone).toBe(ofUnsent)
    const sold = (rows: { sold: number }[]) => rows.reduce((all, row) => all + row.sold, 0)
    expect(sold([...left, ...right]) + (plan.moreProducts?.sold ?? 0)).toBe(sold(full.byProduct))
    expect(sold(plan.byBudtender) + (plan.moreBudtenders?.sold ?? 0)).toBe(sold(full.byBudtender))
    expect(left.length - right.length).toBeLessThanOrEqual(1)
    expect(left.length + right.length).toBeGreaterThanOrEqual(Math.min(ofProducts, 8))
  })
})

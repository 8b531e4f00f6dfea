import { describe, expect, it } from 'vitest'
import { Day } from '../../../src-renderer/orders/day/day.svelte'
import { bestSellers, planPaper } from '../../../src-renderer/orders/day/day-report'
import { DayReport, DayVerification } from '../../../src-shared/ipc/contract/checkout'
import { createClient } from '../../../src-shared/ipc/client'
import { say } from '../../../src-renderer/text/text.svelte'
import { titleOf, toneOf } from '../../../src-renderer/orders/day/verification-text'
import { tag } from '../../fakes/ids'
import { at, operation, operationId } from './examples'
import { createFakeWire } from './fake-wire'

const none = { orders: 0, items: 0 }
const report = (fields: object = {}) =>
  DayReport.parse({
    day: '2026-11-21',
    storeName: 'Green Door',
    station: 'TILL-3',
    store: null,
    madeAt: at,
    completed: none,
    returned: none,
    voided: none,
    net: none,
    byHour: [],
    outages: [],
    byBudtender: [],
    byProduct: [],
    confirmed: 0,
    unsent: [],
    refused: [],
    permitted: [],
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
  it('stays on the day it was opened for after a change, and says that a new day began', async () => {
    const { day, answer } = createDay()
    void day.load()
    await answer({})
    day.noticeDay('2026-11-21')
    expect(day.isOfDayBefore).toBe(false)
    day.noticeDay('2026-11-22')
    void day.load()
    expect(await answer({})).toEqual({ day: '2026-11-21' })
    expect([day.isOfDayBefore, day.when, day.date, day.today]).toEqual([true, 'day', '2026-11-21', '2026-11-22'])
    // The day stays the same after a second midnight.
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
  ] as const)('stays on %s as well, and mentions a new day only if it matters', (when, shown, isTold) => {
    const { day } = createDay()
    day.when = when
    day.date = when === 'day' ? shown : ''
    day.noticeDay('2026-11-22')
    expect([day.day, day.isOfDayBefore]).toEqual([shown, isTold])
  })

  it('exports the report on the screen, not the day that is being read', async () => {
    const { fake, day, answer } = createDay()
    expect(await day.export()).toBeNull()
    void day.load()
    await answer({})
    day.when = 'yesterday'
    void day.choose()
    void day.export()
    const asked = fake.next('checkout.exportDay')
    expect(asked.input).toEqual({ day: '2026-11-21' })
    await asked.answer({
      fileName: 'a.csv',
      station: 'TILL-3',
      lines: [],
      pos: [],
      posLeft: 0,
      isPosMissing: false,
      posFaulty: 0,
      posUnknown: 0,
      posStore: null,
    })
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

describe('items whose product is not known', () => {
  const nameless = { productName: null, brandName: null, ...figures(500) }

  it('are no best seller, and are printed last instead of among other products', () => {
    const full = report({ byProduct: [nameless, ...products(400)] })
    expect(bestSellers(full).map(({ name }) => name)).not.toContain('Product not known yet')
    const { byProduct, moreProducts } = planPaper(full, null)
    expect(byProduct.flat().at(-1)).toEqual(nameless)
    expect(byProduct.flat().length - 1 + (moreProducts?.count ?? 0)).toBe(400)
  })
})

describe('the plan of the printed report', () => {
  it.each([
    ['nothing', 0, 0, 0],
    ['one of each', 1, 1, 1],
    ['a usual day', 14, 4, 0],
    ['many products', 60, 12, 0],
    ['many products on a bad day', 60, 12, 40],
    ['a chain in one shop', 900, 70, 900],
  ])('names or counts everything exactly once: %s', (_what, ofProducts, ofBudtenders, ofUnsent) => {
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

const verification = (fields: object = {}) =>
  DayVerification.parse({
    day: '2026-11-21',
    state: 'finished',
    waitsFor: null,
    startedAt: at,
    asOf: at,
    total: 412,
    done: 412,
    asReported: 412,
    notSettled: 0,
    ownTimes: 0,
    soldSince: 0,
    differences: [],
    differenceCount: 0,
    isOutOfDate: false,
    ...fields,
  })
const differences = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    kind: 'not-sold',
    tagId: tag(n),
    orderId: '501',
    productName: null,
    reported: 'complete',
    reportedAt: at,
    shownSoldAt: null,
  }))

describe('verifying the day with the service', () => {
  it('follows main for the shown day only', async () => {
    const { fake, day, answer } = createDay()
    void day.load()
    await answer({ verification: verification({ state: 'none', done: 0 }) })
    void day.verification.start()
    const asked = fake.next('checkout.verifyDay')
    expect(asked.input).toEqual({ day: '2026-11-21' })
    await asked.answer(verification({ state: 'running', done: 0 }))
    day.verification.changed(verification({ state: 'running', done: 120 }))
    day.verification.changed(verification({ day: '2026-11-20', done: 7 }))
    expect(day.verification.view).toMatchObject({ state: 'running', done: 120 })
    void day.verification.pause()
    await fake.next('checkout.stopVerifying').refuse({ code: 'store/not-saved' })
    expect(day.verification.error).toEqual({ code: 'store/not-saved' })
    void day.load()
    await answer({ day: '2026-11-20', verification: null })
    expect([day.verification.view, day.verification.error]).toEqual([null, null])
  })

  it.each([
    [verification(), 'good', '412 of 412 read back as reported'],
    [verification({ state: 'none', done: 0 }), 'plain', 'Not verified with the service yet'],
    [verification({ state: 'none', total: 0 }), 'plain', /^Nothing to verify/],
    [verification({ state: 'running', done: 120 }), 'working', 'Reading back: 120 of 412 items'],
    [
      verification({ state: 'paused', waitsFor: 'connection', done: 1 }),
      'waiting',
      'Waiting: 1 of 412 items read back',
    ],
    [verification({ state: 'paused', waitsFor: 'person', done: 1 }), 'waiting', 'Paused: 1 of 412 items read back'],
    [
      verification({ asReported: 409, differences: differences(3), differenceCount: 3 }),
      'attention',
      '409 of 412 read back as reported. 3 differ',
    ],
    [verification({ asReported: 411, notSettled: 1 }), 'attention', '411 of 412 read back as reported'],
    [verification({ isOutOfDate: true }), 'attention', '412 of 412 read back as reported'],
  ])('shows its state, %#', (view, tone, title) => {
    expect(toneOf(view)).toBe(tone)
    expect(say(titleOf(view))).toMatch(title)
  })

  it('names some differences on paper and counts the rest, which leaves less room for products', () => {
    const full = report({ byProduct: products(60) })
    const plan = planPaper(full, verification({ differences: differences(9), differenceCount: 30 }))
    expect([plan.differences.length, plan.moreDifferences]).toEqual([6, 24])
    const rows = (one: ReturnType<typeof planPaper>) => one.byProduct[0].length
    expect(rows(plan)).toBeLessThan(rows(planPaper(full, null)))
  })
})

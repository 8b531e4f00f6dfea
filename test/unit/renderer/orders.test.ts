import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { OrderDetail } from '../../../src-renderer/orders/order-detail.svelte'
import { dayMeant, dayText, daysMeant, withPage } from '../../../src-renderer/orders/listing'
import { Orders } from '../../../src-renderer/orders/orders.svelte'
import { isAllThere, openOf } from '../../../src-renderer/orders/day/day-report'
import { OrderSummary, type OrderState } from '../../../src-shared/ipc/contract/checkout'
import { createClient } from '../../../src-shared/ipc/client'
import { OrderId } from '../../../src-shared/ids'
import { appStatus, at, dayReport, held, operation } from './examples'
import { createFakeWire } from './fake-wire'

const summary = (seq: number, state: OrderState = 'reported', orderId = String(seq)) =>
  OrderSummary.parse({
    orderId,
    seq,
    firstAt: at,
    lastAt: at,
    state,
    itemCount: 1,
    returnedCount: 0,
    budtender: null,
    products: [],
  })
/** Orders from `from` down to `to`, newest first. */
const many = (from: number, to: number, state: OrderState = 'reported') =>
  Array.from({ length: from - to + 1 }, (_, i) => summary(from - i, state))
const page = (orders: OrderSummary[], total = orders.length) => ({
  orders,
  total,
  byState: { unsent: 0, attention: 0, reported: total, voided: 0, withdrawn: 0 },
})
const idsOf = (orders: readonly OrderSummary[] | null) => (orders ?? []).map(({ orderId }) => Number(orderId))

function createOrders() {
  const fake = createFakeWire()
  const front = { isThere: true }
  /** Sets the computer's clock, and how far the service's clock is ahead. */
  const time = { own: new Date(2026, 10, 21, 9, 0).getTime(), offset: 0 }
  const orders = new Orders({
    client: createClient(fake.wire),
    isInFront: () => front.isThere,
    serviceTime: () => time.own + time.offset,
  })
  return { fake, orders, front, time }
}

describe('the list of orders', () => {
  it('loads page by page, and reads no more when it is complete or a page is being read', async () => {
    const { fake, orders } = createOrders()
    void orders.load()
    await fake.next('checkout.orders').answer(page(many(250, 151), 250))
    void orders.more()
    void orders.more()
    expect(fake.asked).toHaveLength(1)
    const second = fake.next('checkout.orders')
    expect(second.input).toMatchObject({ before: 151 })
    await second.answer(page(many(150, 51), 250))
    void orders.more()
    await fake.next('checkout.orders').answer(page(many(50, 1), 250))
    expect(idsOf(orders.orders)).toEqual(idsOf(many(250, 1)))
    await orders.more()
    expect(fake.asked).toEqual([])
  })

  it('shows the answer to the newest filter, whichever answer comes last', async () => {
    const { fake, orders } = createOrders()
    orders.text = 'a'
    void orders.load()
    const slow = fake.next('checkout.orders')
    orders.text = 'ab'
    void orders.load()
    await fake.next('checkout.orders').answer(page([summary(2)]))
    await slow.answer(page([summary(1)]))
    expect(idsOf(orders.orders)).toEqual([2])
  })

  it("uses the service's day for today and yesterday, whatever the computer's clock says", async () => {
    const { fake, orders, time } = createOrders()
    const asked = async () => {
      void orders.load()
      const question = fake.next('checkout.orders')
      await question.answer(page([]))
      return question.input
    }
    expect(await asked()).toMatchObject({ filter: { days: { from: '2026-11-21', to: '2026-11-21' } } })
    for (const [offset, today, yesterday] of [
      [86_400_000, '2026-11-22', '2026-11-21'],
      [-86_400_000, '2026-11-20', '2026-11-19'],
      [15 * 3_600_000, '2026-11-22', '2026-11-21'],
    ] as const) {
      time.offset = offset
      orders.when = 'today'
      expect(await asked()).toMatchObject({ filter: { days: { from: today, to: today } } })
      orders.when = 'yesterday'
      expect(await asked()).toMatchObject({ filter: { days: { from: yesterday, to: yesterday } } })
    }
  })

  it('keeps its rows when main is unreachable, and says so', async () => {
    const { fake, orders } = createOrders()
    void orders.load()
    await fake.next('checkout.orders').answer(page([summary(1)]))
    void orders.load()
    await fake.next('checkout.orders').disconnect()
    expect([idsOf(orders.orders), orders.error?.code]).toEqual([[1], 'ipc/disconnected'])
  })

  it('searches all days for a scan and opens the order if only one has it', async () => {
    const { fake, orders } = createOrders()
    orders.state = 'voided'
    const found = orders.scan('10482')
    const asked = fake.next('checkout.orders')
    expect(asked.input).toMatchObject({ filter: { days: null, state: null, text: '10482' } })
    await asked.answer(page([summary(7)]))
    expect((await found).tone).toBe('good')
    expect(orders.selectedId).toBe('7')
    const none = orders.scan('nothing')
    await fake.next('checkout.orders').answer(page([]))
    expect(await none).toMatchObject({ tone: 'attention', what: { key: 'orders.scan.none' } })
  })

  it('answers a scan with its own result, whichever list is shown by then', async () => {
    const { fake, orders } = createOrders()
    void orders.load()
    await fake.next('checkout.orders').answer(page(many(3, 1)))
    const found = orders.scan('10482')
    const asked = fake.next('checkout.orders')
    // The search field asks after the scan.
    void orders.load()
    const late = fake.next('checkout.orders')
    await asked.answer(page([summary(7)]))
    expect(await found).toMatchObject({ tone: 'good', what: { key: 'orders.order', values: { orderId: '7' } } })
    expect(orders.selectedId).toBe('7')
    await late.answer(page([summary(7)]))
    expect(idsOf(orders.orders)).toEqual([7])
  })

  it('opens the order of the newer of two scans, whichever answer comes first', async () => {
    const { fake, orders } = createOrders()
    const scans = [orders.scan('10482'), orders.scan('10483')]
    const [older, newer] = [fake.next('checkout.orders'), fake.next('checkout.orders')]
    await newer.answer(page([summary(8)]))
    await older.answer(page([summary(7)]))
    expect((await Promise.all(scans)).map(({ what }) => what)).toMatchObject([
      { values: { orderId: '7' } },
      { values: { orderId: '8' } },
    ])
    expect([orders.selectedId, idsOf(orders.orders)]).toEqual(['8', [8]])
  })

  it('does not claim that no order matches if main could not be asked', async () => {
    const { fake, orders } = createOrders()
    const found = orders.scan('10482')
    await fake.next('checkout.orders').disconnect()
    expect(await found).toMatchObject({ tone: 'bad', what: { key: 'error.ipc/disconnected.what' } })
    expect(orders.error?.code).toBe('ipc/disconnected')
  })
})

describe('the list of orders while reports go out', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  const changed = (orderId: string) => operation({ orderId })

  it('reads the first page and the visible page at most twice a second, however many orders change', async () => {
    const { fake, orders } = createOrders()
    fake.always('checkout.orders', page(many(300, 201), 300))
    await orders.load()
    orders.orders = many(300, 1)
    orders.seen(210)
    const invoke = vi.spyOn(fake.wire, 'invoke')
    for (let ms = 0; ms < 5_000; ms += 5) {
      orders.operationChanged(changed('50'))
      await vi.advanceTimersByTimeAsync(5)
    }
    expect(invoke.mock.calls.length).toBeGreaterThanOrEqual(10)
    expect(invoke.mock.calls.length).toBeLessThanOrEqual(22)
  })

  it('reads nothing for a list out of sight, or for reports without an order', async () => {
    const { fake, orders, front } = createOrders()
    fake.always('checkout.orders', page([summary(1)]))
    await orders.load()
    const invoke = vi.spyOn(fake.wire, 'invoke')
    orders.operationChanged(operation({ kind: 'import', orderId: null }))
    front.isThere = false
    orders.operationChanged(changed('1'))
    await vi.advanceTimersByTimeAsync(5_000)
    expect(invoke).not.toHaveBeenCalled()
  })
})

describe('a page that is read again', () => {
  it('replaces the old page, and an order voided since then appears only at the top', () => {
    const old = many(200, 1)
    const voided = summary(201, 'voided', '150')
    const renewed = withPage(
      old,
      null,
      [voided, ...many(200, 101).filter(({ orderId }) => orderId !== '150')].slice(0, 100),
    )
    expect(renewed.filter(({ orderId }) => orderId === '150')).toEqual([voided])
    expect(new Set(idsOf(renewed)).size).toBe(renewed.length)
    expect(renewed).toHaveLength(200)
  })

  it('keeps the rows above and below it, and the objects of unchanged rows', () => {
    const old = many(300, 1)
    const renewed = withPage(old, 201, [summary(200, 'voided'), ...many(199, 101)])
    expect(idsOf(renewed)).toEqual(idsOf(old))
    expect(renewed[100]?.state).toBe('voided')
    expect(renewed[101]).toBe(old[101])
    expect(renewed[250]).toBe(old[250])
  })

  it('ends the list if it is short or empty', () => {
    expect(idsOf(withPage(many(300, 1), 201, many(200, 199)))).toEqual(idsOf(many(300, 199)))
    expect(withPage(many(3, 1), null, [])).toEqual([])
  })
})

describe('one order', () => {
  const orderId = OrderId.parse('10482')
  const view = {
    orderId,
    operations: [operation({ orderId })],
    items: [],
    canReturn: false,
    canVoid: true,
    voidWill: 'report',
    budtender: null,
    notes: [],
  }

  it('is voided with a note, or without one', async () => {
    const fake = createFakeWire()
    const detail = new OrderDetail(createClient(fake.wire), orderId)
    fake.always('checkout.order', view)
    void detail.void('')
    const bare = fake.next('checkout.void')
    expect(bare.input).toEqual({ orderId })
    await bare.refuse({ code: 'checkout/order-voided', orderId })
    expect(detail.voiding.error?.code).toBe('checkout/order-voided')
    void detail.void('wrong customer')
    void detail.void('pressed twice')
    expect(fake.asked.map(({ input }) => input)).toEqual([{ orderId, note: 'wrong customer' }])
    await fake.next('checkout.void').answer(operation({ kind: 'void', orderId }))
    expect([detail.voiding.error, detail.voiding.isSaving]).toEqual([null, false])
  })

  it('counts what was returned', async () => {
    const fake = createFakeWire()
    const detail = new OrderDetail(createClient(fake.wire), orderId)
    const item = (state: string) => ({
      tagId: 'A222222222222222222223',
      productName: null,
      caseId: null,
      state,
      standing: null,
      isUnclaimed: false,
    })
    void detail.load()
    await fake.next('checkout.order').answer({ ...view, items: [item('sold'), item('returned')], canReturn: true })
    expect([detail.returnedCount, detail.canReturn]).toEqual([1, true])
  })
})

describe('a day', () => {
  it('is a calendar day of this computer, also on the first of a month and with no date given', () => {
    const first = dayText(new Date(2026, 2, 1, 0, 5))
    expect(first).toBe('2026-03-01')
    expect(dayMeant('yesterday', '', first)).toBe('2026-02-28')
    expect(dayMeant('day', '2026-01-02', first)).toBe('2026-01-02')
    expect(dayMeant('day', '', first)).toBe('2026-03-01')
  })

  it.each([
    ['today', '', '', '2026-03-01', '2026-03-01'],
    ['yesterday', '', '', '2026-02-28', '2026-02-28'],
    ['week', '', '', '2026-02-23', '2026-03-01'],
    ['days', '2026-01-02', '2026-01-09', '2026-01-02', '2026-01-09'],
    ['days', '2026-01-09', '2026-01-02', '2026-01-02', '2026-01-09'],
    ['days', '2026-01-09', '', '2026-01-09', '2026-01-09'],
    ['days', '', '2026-01-09', '2026-01-09', '2026-01-09'],
    ['days', '', '', '2026-03-01', '2026-03-01'],
  ] as const)('is one or several for the list: %s, %s, %s', (when, one, other, from, to) => {
    expect(daysMeant(when, one, other, '2026-03-01')).toEqual({ from, to })
  })

  it('is none if all are listed', () => {
    expect(daysMeant('all', '2026-01-02', '', '2026-03-01')).toBeNull()
  })

  const report = dayReport

  it('has the orders that were on hold by its end, and none of later days', () => {
    const heldAt = (moment: string) => held(1, null, { heldAt: new Date(moment).toISOString() })
    const found = report({ held: [heldAt('2026-11-20T12:00'), heldAt('2026-11-21T23:59'), heldAt('2026-11-22T00:01')] })
    expect(openOf(found, appStatus(), true)?.held).toBe(2)
  })

  it.each([
    ['nothing is open', report(), appStatus(), true, true],
    ['one is unsent', report({ unsent: [operation({ state: 'queued' })] }), appStatus(), true, false],
    ['one was refused', report({ refused: [operation({ state: 'rejected' })] }), appStatus(), true, false],
    ['the outbox knows of one more than the report', report(), appStatus({ unsent: 1 }), true, false],
    ['the outbox knows of a refused one', report(), appStatus({ attention: 1 }), true, false],
    ['what is shown is old', report(), appStatus(), false, false],
    ['there is no report', null, appStatus(), true, false],
    ['the status is not known', report(), null, true, false],
  ])('says that the service has everything only if it has: %s', (_what, found, status, isCurrent, isThere) => {
    expect(isAllThere(openOf(found, status, isCurrent))).toBe(isThere)
  })
})

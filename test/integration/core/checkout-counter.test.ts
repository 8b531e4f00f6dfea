import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { OrdersFilter } from '../../../src-shared/ipc/contract/checkout'
import { otherTill } from './other-till'
import { type Station, idIn, startStation } from './station'
import { stepsOf } from './steps'

const everything: OrdersFilter = { days: null, state: null, budtenderId: null, text: '' }
/** The date of an instant in this computer's time zone. */
const dayOf = (date: Date) => {
  const two = (n: number) => String(n).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

describe('a busy counter, against the practice service', () => {
  let station: Station
  const { clear, fillCart, finish, finishRefused, held, hold, sell, voidOrder } = stepsOf(() => station)
  const sellable = async (count: number) => {
    const codes = await station.ask('practice.codes', undefined)
    const ours = codes.filter(({ kind, about }) => kind === 'tag' && about === null).map(({ text }) => idIn(text))
    if (ours.length < count) throw new Error(`the practice store shows ${ours.length} items that can be sold`)
    return ours.slice(0, count)
  }
  const foreign = async () => (await station.codes('tag', 'case-not-imported')).map(idIn)[0] ?? ''
  const add = (tagId: string, mode: 'sale' | 'return' = 'sale') => station.ask('checkout.addItem', { mode, tagId })
  /** What is said of the one item in the cart. */
  const flagOf = async () => (await station.ask('checkout.cart', { mode: 'sale' })).lines[0]?.items[0]?.verdict.kind
  const addRefused = (tagId: string, mode: 'sale' | 'return' = 'sale') =>
    station.refused('checkout.addItem', { mode, tagId })
  beforeEach(async () => {
    station = await startStation()
  })
  afterEach(async () => {
    await station.close()
  })

  it('keeps three held orders and an open one through a restart without a network', async () => {
    const tags = await sellable(6)
    const itemsOf = [tags.slice(0, 1), tags.slice(1, 3), tags.slice(3, 5)]
    await station.ask('checkout.setBudtender', { mode: 'sale', budtenderId: 'BADGE 7' })
    for (const n of [0, 1, 2]) {
      await fillCart(`H-${n}`, itemsOf[n] ?? [])
      await hold()
    }
    await fillCart('FRONT', tags.slice(5))
    await station.ask('checkout.setCustomer', { mode: 'sale', customerId: 'CUSTOMER-1' })
    const before = [
      await station.ask('checkout.held', undefined),
      await station.ask('checkout.cart', { mode: 'sale' }),
    ] as const
    expect(before).toMatchObject([
      [0, 1, 2].map((n) => ({ orderId: `H-${n}`, itemCount: itemsOf[n]?.length, budtender: { id: 'BADGE 7' } })),
      { orderId: 'FRONT', customerId: 'CUSTOMER-1', itemCount: 1 },
    ])
    await station.restart()
    expect(await station.ask('checkout.held', undefined)).toEqual(before[0])
    // The same carts as before, but read from disk by a new process, which asks about the items again.
    const cart = () => station.ask('checkout.cart', { mode: 'sale' })
    expect((await cart()).revision).not.toBe(before[1].revision)
    await expect.poll(async () => ({ ...(await cart()), revision: 0 })).toEqual({ ...before[1], revision: 0 })

    // All four orders can be sold, once each.
    await finish('sale')
    for (const { id } of before[0]) {
      await station.ask('checkout.resume', { heldId: id })
      await finish('sale')
    }
    expect(new Map((await held()).map(({ orderId, tagIds }) => [orderId, tagIds]))).toEqual(
      new Map([
        ['FRONT', tags.slice(5)],
        ['H-0', itemsOf[0]],
        ['H-1', itemsOf[1]],
        ['H-2', itemsOf[2]],
      ]),
    )
  })

  it('refuses at the scan an item that another till sold, and sells it once it was returned there', async () => {
    const [a = '', b = ''] = await sellable(2)
    const till = otherTill(station)
    await till.sell('OTHER-1', [a])
    expect(await addRefused(a)).toMatchObject({ code: 'checkout/sold-elsewhere', tagId: a })
    expect(await station.ask('checkout.cart', { mode: 'sale' })).toMatchObject({ itemCount: 0 })
    await till.giveBack('OTHER-1', [a])
    expect(await sell('1', [a, b])).toMatchObject({ state: 'accepted' })
    // Sold here and returned at the other till: for this station it stays sold until its return is scanned here.
    await till.giveBack('1', [b])
    expect(await addRefused(b)).toMatchObject({ code: 'checkout/already-sold', orderId: '1' })
  })

  it('accepts an item that it returned itself, unless the other till has sold it since', async () => {
    const [a = ''] = await sellable(1)
    await sell('1', [a])
    await add(a, 'return')
    await finish('return')
    expect(await add(a)).toMatchObject({ verdict: { kind: 'sellable' } })
    await clear('sale')
    await otherTill(station).sell('OTHER-1', [a])
    expect(await addRefused(a)).toMatchObject({ code: 'checkout/sold-elsewhere' })
  })

  it('flags an item that another till sold if the answer comes late', async () => {
    await station.close()
    station = await startStation({ lookupPatience: 100 })
    const [a = ''] = await sellable(1)
    await add(a)
    await expect.poll(flagOf).toBe('sellable')
    await clear('sale')
    await otherTill(station).sell('OTHER-1', [a])
    await station.knobs.setFaults({ rules: [{ kind: 'latency', ms: 500 }] })
    const steps: unknown[] = []
    const flags: unknown[] = []
    const stops = [
      station.client.on('checkout.cartStep', (step) => steps.push(step)),
      station.client.on('checkout.flags', (changes) => flags.push(...changes)),
    ]
    expect(await add(a)).toMatchObject({ verdict: { kind: 'sellable' } })
    await expect.poll(() => steps.length, { timeout: 5_000 }).toBe(2)
    for (const stop of stops) stop()
    expect(flags).toMatchObject([{ tagId: a, verdict: { kind: 'sold' }, itemCount: 1 }])
    expect(steps[1]).toMatchObject({ changed: [{ items: [{ tagId: a, verdict: { kind: 'sold' } }] }] })
  })

  it('sends a refused sale again without the refused items', async () => {
    const [a = ''] = await sellable(1)
    const bad = await foreign()
    const refused = await sell('1', [a, bad])
    expect(refused).toMatchObject({ state: 'rejected', reason: { code: 'service/not-imported', tagIds: [bad] } })
    const { id: operationId } = refused
    const reason = 'Stayed in the store'
    expect(await station.refused('checkout.amend', { operationId, without: [a, bad], reason })).toEqual({
      code: 'checkout/empty-cart',
    })
    const { id } = await station.ask('checkout.amend', { operationId, without: [bad], reason })
    expect(await station.outcomeOf(id)).toMatchObject({ state: 'accepted' })
    expect(await held()).toEqual([{ kind: 'complete', orderId: '1', tagIds: [a] }])
    expect(await add(bad)).toMatchObject({ verdict: { kind: 'not-imported' } })
  })

  it('looks up unchecked items again once the service can be reached', async () => {
    const [a = '', b = ''] = await sellable(2)
    await station.knobs.setFaults({ offline: true })
    await fillCart('1', [a])
    await hold()
    expect(await add(b)).toMatchObject({ verdict: { kind: 'unchecked' } })
    await station.ask('checkout.setSettings', { takesUnchecked: false })
    await station.ask('checkout.setOrder', { mode: 'sale', orderId: '2' })
    expect(await finishRefused('sale')).toMatchObject({ code: 'checkout/unchecked', tagId: b, step: 'finish' })
    // An interruption of two seconds counts as an outage.
    await new Promise((resolve) => setTimeout(resolve, 2_100))
    await station.knobs.setFaults({})
    await station.online()
    await expect.poll(flagOf, { timeout: 5_000 }).toBe('sellable')
    await expect.poll(async () => (await station.ask('checkout.held', undefined))[0]?.products.length).toBe(1)
    expect(await finish('sale')).toMatchObject({ state: 'accepted' })
  })

  it('closes the day with exactly the orders that the service has, after an outage, holds, returns and voids', async () => {
    const [a = '', b = '', c = '', d = '', e = '', f = ''] = await sellable(6)
    await station.ask('checkout.setSettings', { budtenders: [{ id: 'B-1', name: 'Rosa' }] })
    await station.ask('checkout.setBudtender', { mode: 'sale', budtenderId: 'B-1' })
    await sell('1', [a, b])
    await station.knobs.setFaults({ offline: true })
    await fillCart('2', [c])
    await hold()
    await sell('3', [d])
    await add(a, 'return')
    await finish('return')
    await station.knobs.setFaults({})
    await station.drained()
    const [waiting] = await station.ask('checkout.held', undefined)
    await station.ask('checkout.resume', { heldId: waiting?.id ?? 0 })
    await finish('sale')
    await station.outcomeOf((await station.ask('checkout.void', { orderId: '3', note: 'changed their mind' })).id)
    await sell('4', [a])
    await sell('5', [e, await foreign()])
    await station.knobs.setFaults({ offline: true })
    await sell('6', [f])

    const report = await station.ask('checkout.day', { day: dayOf(new Date()) })
    const book = await held()
    const sums = (kind: string) => {
      const those = book.filter((one) => one.kind === kind)
      return { orders: those.length, items: those.reduce((sum, one) => sum + one.tagIds.length, 0) }
    }
    expect(report).toMatchObject({
      completed: sums('complete'),
      returned: sums('return'),
      confirmed: book.length,
      voided: { orders: 1, items: 1 },
      unsent: [{ orderId: '6' }],
      refused: [{ orderId: '5' }],
    })
    expect(sums('complete')).toEqual({ orders: 4, items: 5 })
    expect(sums('void').orders).toBe(1)
    expect(report.byBudtender).toEqual([
      { budtender: { id: 'B-1', name: 'Rosa' }, sold: 5, returned: 1, voided: 1, orders: 4 },
    ])
    const { byState, total } = await station.ask('checkout.orders', { filter: everything, before: null })
    expect({ total, ...byState }).toEqual({ total: 6, unsent: 1, attention: 1, reported: 3, voided: 1, withdrawn: 0 })
    expect((await station.ask('outbox.export', undefined)).lines).toHaveLength(8)
    expect((await station.ask('checkout.exportDay', { day: dayOf(new Date()) })).lines).toHaveLength(8)
  })

  it('keeps the customer out of every file, list and log', async () => {
    const [a = ''] = await sellable(1)
    await station.ask('checkout.setCustomer', { mode: 'sale', customerId: 'CUSTOMER-1' })
    const { id } = await sell('1', [a])
    const day = dayOf(new Date())
    const said = JSON.stringify([
      await station.ask('checkout.day', { day }),
      await station.ask('checkout.exportDay', { day }),
      await station.ask('outbox.export', undefined),
      await station.ask('checkout.order', { orderId: '1' }),
      await station.ask('outbox.journal', { operationId: id }),
      await station.ask('checkout.orders', { filter: { ...everything, text: 'CUSTOMER-1' }, before: null }),
    ])
    expect(said).not.toContain('CUSTOMER-1')
    expect(said).toContain(a)
  })

  it('reports an unusual order number unchanged, and finds it again', async () => {
    const tags = await sellable(3)
    const odd = ['A B / C', 'Nº 10/482 🌿', '"><script>']
    for (const [n, orderId] of odd.entries()) {
      expect(await sell(orderId, [tags[n] ?? ''])).toMatchObject({ orderId, state: 'accepted' })
      const found = await station.ask('checkout.orders', { filter: { ...everything, text: orderId }, before: null })
      expect(found.orders.map((one) => one.orderId)).toEqual([orderId])
    }
    expect((await held()).map(({ orderId }) => orderId)).toEqual(odd)
  })

  it.each([
    ['of 200 characters', 'x'.repeat(200)],
    ['of nothing but spaces', '   '],
    ['that is empty', ''],
  ])('refuses an order number %s', async (_, orderId) => {
    for (const call of ['checkout.void', 'checkout.order'] as const) {
      expect(await station.refused(call, { orderId })).toMatchObject({ code: 'ipc/invalid-input' })
    }
    expect(await station.refused('checkout.setOrder', { mode: 'sale', orderId })).toMatchObject({
      code: 'ipc/invalid-input',
    })
  })

  it('refuses with a clear reason: a case in the cart, an empty order, an unknown order, an item never sold here', async () => {
    const caseId = idIn((await station.codes('case', 'imported-here'))[0] ?? '')
    const [a = ''] = await sellable(1)
    expect(await addRefused(caseId)).toMatchObject({ code: 'scan/wrong-place', found: 'case' })
    await station.ask('checkout.setOrder', { mode: 'sale', orderId: '1' })
    expect(await finishRefused('sale')).toEqual({ code: 'checkout/empty-cart' })
    expect(await station.refused('checkout.orderOfItem', { tagId: a })).toEqual({
      code: 'checkout/never-sold-here',
      tagId: a,
    })
    expect(await addRefused(a, 'return')).toMatchObject({
      code: 'checkout/not-sellable',
      verdict: { kind: 'not-sold', level: 'pin' },
    })
    // The customer has a receipt of it: a manager approves it.
    await station.ask('checkout.addItem', { mode: 'return', tagId: a, approval: { reason: 'Has a receipt' } })
    expect(await finishRefused('return')).toEqual({ code: 'checkout/order-id-missing' })
    await station.ask('checkout.setOrder', { mode: 'return', orderId: 'NOT-OURS' })
    expect(await finish('return')).toMatchObject({ state: 'rejected' })
    expect(await voidOrder('UNKNOWN')).toMatchObject({ state: 'rejected' })
  })

  it("assigns sales to the service's day if the clock is wrong by a day", async () => {
    const [a = ''] = await sellable(1)
    const skewMs = 24 * 3_600_000
    await station.knobs.setFaults({ dateSkewMs: skewMs })
    await add(a)
    expect((await station.ask('app.status', undefined)).clockOffset).toBeGreaterThan(skewMs - 60_000)
    await station.ask('checkout.setOrder', { mode: 'sale', orderId: '1' })
    await finish('sale')
    const day = dayOf(new Date(Date.now() + skewMs))
    const filter = { ...everything, days: { from: day, to: day } }
    expect(await station.ask('checkout.orders', { filter, before: null })).toMatchObject({ total: 1 })
    expect(await station.ask('checkout.day', { day: dayOf(new Date()) })).toMatchObject({ confirmed: 0 })
  })
})

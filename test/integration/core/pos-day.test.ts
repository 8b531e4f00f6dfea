import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { dayOf } from '../../../src-main/day/history'
import type { PosDayView } from '../../../src-shared/ipc/contract/pos-day'
import { partsOf } from '../../unit/main/day/pos-parts'
import { type Station, startStation } from './station'
import { stepsOf } from './steps'

const today = () => dayOf(Date.now())

describe('comparing the day with the POS, against the practice service', () => {
  let station: Station
  const { caseToImport, finish, sell, sellable, voidOrder } = stepsOf(() => station)
  beforeEach(async () => {
    station = await startStation()
  })
  afterEach(async () => {
    await station.close()
  })

  const view = () => station.ask('posDay.view', { day: today() })
  const load = async (csv: string, fileName?: string) => {
    for (const part of partsOf(csv, today(), fileName, 2)) await station.ask('posDay.load', part)
    await expect.poll(async () => (await view()).state).toBe('compared')
    return view()
  }
  const differences = async () =>
    (await station.ask('posDay.list', { day: today(), filter: 'all', from: 0 })).differences
  const brief = async () => (await differences()).map(({ orderId, kind }) => `${orderId} ${kind}`)
  /** The lines of an order as the POS writes them; each line has one item. */
  const lines = (orderId: string, names: (string | null)[], status = 'Completed') =>
    names.map((name) => `${orderId},${today()} 12:00,"${name}",1.00,${status},Jane Roe\n`).join('')
  const header = 'Order Number,Date,Item,Qty,Status,Customer\n'
  const nameOf = async (orderId: string) => {
    const { items } = await station.ask('checkout.order', { orderId })
    return items.map(({ productName }) => productName)
  }

  it('finds each difference, follows until nothing is left, and pushes every view', async () => {
    const [a = '', b = '', c = '', d = '', e = ''] = await sellable(5)
    await sell('1', [a, b])
    await sell('2', [c])
    await sell('3', [d])
    await voidOrder('3')
    const [one = null, two = null] = await nameOf('1')
    const [three = null] = await nameOf('3')
    const first = await load(
      header +
        lines('#1', [one]) +
        lines('3', [three]) +
        lines('4', [two]) +
        lines('5', ['Lighter']) +
        lines('6', [one], 'Void'),
    )
    expect(await brief()).toEqual(['#1 count', '2 only-here', '3 voided-here', '4 only-pos'])
    expect(first).toMatchObject({ unknown: [{ productName: 'Lighter', items: 1, orders: 1 }], isSettled: false })

    const views: PosDayView[] = []
    const stop = station.client.on('posDay.changed', (pushed) => views.push(pushed))
    await sell('4', [e])
    await station.ask('checkout.addItem', { mode: 'return', tagId: b })
    await finish('return')
    expect(await brief()).toEqual(['2 only-here', '3 voided-here'])
    expect(views.at(-1)).toEqual(await view())
    stop()

    const [here, voided] = await differences()
    if (!here || !voided) throw new Error('two differences were expected')
    for (const { orderId, mark } of [here, voided]) {
      await station.ask('posDay.setReason', { day: today(), orderId, mark, reason: 'Agreed with the manager' })
    }
    await station.ask('posDay.setTracked', { day: today(), productId: first.unknown[0]?.id ?? 0, isTracked: false })
    await expect.poll(async () => (await view()).state).toBe('compared')
    expect(await view()).toMatchObject({ isSettled: true, reasoned: 2, unknownCount: 0 })
  })

  it('is kept over a restart, and what is left is in the file of the day', async () => {
    const [a = ''] = await sellable(1)
    await sell('1', [a])
    const [name = null] = await nameOf('1')
    await load(header + lines('1', [name, name]) + lines('9', [name]))
    const { mark, orderId } = (await differences())[0] ?? { mark: '', orderId: '' }
    await station.ask('posDay.setReason', { day: today(), orderId, mark, reason: 'Second item damaged' })
    await station.restart()
    const { pos, lines: reports } = await station.ask('checkout.exportDay', { day: today() })
    expect(reports).toHaveLength(1)
    expect(pos).toMatchObject([
      { orderId: '9', kind: 'only-pos', reason: null, lines: [{ name, pos: 1, here: 0 }] },
      { orderId: '1', kind: 'count', reason: { text: 'Second item damaged', isCurrent: true } },
    ])
    expect(JSON.stringify(pos)).not.toContain('Jane')
  })

  it('knows products by the POS product id that was entered with an import', async () => {
    const { form } = await caseToImport()
    await station.ask('receiving.import', form)
    await station.drained()
    const all = await station.ask('practice.codes', undefined)
    const [item = ''] = all.flatMap(({ kind, caseText, text }) =>
      kind === 'tag' && caseText?.endsWith(form.caseId) === true ? [text.slice(-22)] : [],
    )
    await sell('1', [item])
    await load('Order Number,Product ID,Item\n1,POS-1,Another name\n2,POS-1,Another name\n')
    expect(await brief()).toEqual(['2 only-pos'])
    expect((await view()).unknownCount).toBe(0)
  })

  it('refuses parts that don’t fit together, and changes nothing', async () => {
    await load(header + lines('1', ['A']))
    const before = await view()
    const [first, second] = partsOf(header + lines('2', ['A', 'B', 'C']), today(), 'other.csv', 2)
    if (!first || !second) throw new Error('two parts were expected')
    expect(await station.refused('posDay.load', second)).toEqual({ code: 'pos-day/broken' })
    await station.ask('posDay.load', first)
    expect(await station.refused('posDay.load', { ...second, start: 3 })).toEqual({ code: 'pos-day/broken' })
    expect(await view()).toEqual(before)
    expect(await station.refused('posDay.saleNumber', { day: today(), orderId: '77' })).toEqual({
      code: 'pos-day/changed',
    })
  })
})

import { describe, expect, it } from 'vitest'
import { dayOf } from '../../../src-main/day/history'
import { joinHub } from '../../hub/station'
import { situation } from '../../hub/store'
import { useStore } from '../../hub/use-store'
import { partsOf } from '../../unit/main/day/pos-parts'
import type { Station } from '../core/station'
import { stepsOf } from '../core/steps'

const store = useStore()

const today = () => dayOf(Date.now())
const header = 'Order Number,Date,Item,Qty,Status,Customer\n'
/** The lines of an order as the POS writes them; each line has one item. */
const lines = (orderId: string, names: (string | null)[], status = 'Completed') =>
  names.map((name) => `${orderId},${today()} 12:00,"${name}",1.00,${status},Jane Roe\n`).join('')

const view = (station: Station) => station.ask('posDay.view', { day: today() })
/** Once the other stations were asked again. */
const asked = async (station: Station) => {
  await station.ask('checkout.exportDay', { day: today() })
  return view(station)
}
const load = async (station: Station, csv: string) => {
  for (const part of partsOf(header + csv, today())) await station.ask('posDay.load', part)
  await expect.poll(async () => (await view(station)).state).toBe('compared')
  return view(station)
}
const differences = async (station: Station) =>
  (await station.ask('posDay.list', { day: today(), filter: 'all', from: 0 })).differences
const brief = async (station: Station) => (await differences(station)).map(({ orderId, kind }) => `${orderId} ${kind}`)
const namesOf = async (station: Station, orderId: string) => {
  const { items } = await station.ask('checkout.order', { orderId })
  return items.map(({ productName }) => productName)
}

describe('comparing the day of a store with the POS', () => {
  it('finds no difference in a file with the orders of two stations', async () => {
    const [one, two] = [await store.station('Front 1'), await store.station('Front 2')]
    const [here, there] = [stepsOf(() => one), stepsOf(() => two)]
    const [a = '', b = '', c = ''] = await here.sellable(3)
    await here.sell('1', [a])
    await there.sell('2', [b, c])
    await Promise.all([one.drained(), two.drained()])
    const names = [await namesOf(one, '1'), await namesOf(two, '2')] as const
    const compared = await load(one, lines('1', names[0]) + lines('2', names[1]))
    expect(await brief(one)).toEqual([])
    expect(compared).toMatchObject({
      ...{ matched: 2, isSettled: true },
      store: { trouble: null, unread: 0, byName: [], isIncomplete: false },
    })
    expect(
      compared.store?.stations.map(({ name, isThis, status, isMissing }) => [name, isThis, status, isMissing]),
    ).toEqual([
      ['Front 1', true, 'answered', false],
      ['Front 2', false, 'answered', false],
    ])
    const { posStore } = await one.ask('checkout.exportStoreDay', { day: today() })
    expect(posStore).toMatchObject({ isIncomplete: false })
    expect(Date.parse(posStore?.asOf ?? '')).toBeGreaterThanOrEqual(Date.parse(compared.store?.asOf ?? ''))
  })

  it('says which station has an order that differs, and follows what is reported there', async () => {
    const [one, two] = [await store.station('Front 1'), await store.station('Front 2')]
    const [here, there] = [stepsOf(() => one), stepsOf(() => two)]
    const [a = '', b = '', c = '', d = '', e = ''] = await here.sellable(5)
    await here.sell('1', [a])
    await there.sell('2', [b, c])
    await there.sell('3', [d])
    const [name = null] = await namesOf(two, '2')
    await load(one, lines('#2', await namesOf(two, '2')) + lines('#2', [name]) + lines('4', [name]))
    const found = await differences(one)
    expect(found.map(({ orderId, kind, hereId, stations, isOwn }) => [orderId, kind, hereId, stations, isOwn])).toEqual(
      [
        ['#2', 'count', '2', ['Front 2'], false],
        ['1', 'only-here', '1', [], true],
        ['3', 'only-here', '3', ['Front 2'], false],
        ['4', 'only-pos', null, [], false],
      ],
    )
    await there.sell('4', [e])
    await two.ask('checkout.void', { orderId: '3' })
    // The other station tells the hub in its own time.
    const afterwards = async () => {
      await asked(one)
      return brief(one)
    }
    await expect.poll(afterwards).toEqual(['#2 count', '1 only-here'])
  })

  it('counts what comes back at another station than the sale’s', async () => {
    const [one, two] = [await store.station('Front 1'), await store.station('Front 2')]
    const [here, there] = [stepsOf(() => one), stepsOf(() => two)]
    const [a = '', b = ''] = await here.sellable(2)
    await here.sell('1', [a, b])
    await one.drained()
    const [name = null, other = null] = await namesOf(one, '1')
    await two.ask('checkout.setOrder', { mode: 'return', orderId: '1' })
    await two.ask('checkout.addItem', { mode: 'return', tagId: b })
    await there.finish('return')
    await load(one, lines('1', [name]))
    expect(await brief(one)).toEqual([])
    await load(two, lines('1', [name, other]))
    expect(await differences(two)).toMatchObject([{ orderId: '1', kind: 'count', stations: ['Front 1'], isOwn: true }])
  })

  it('sells the missing items of another station’s order under a number that counts for it at both', async () => {
    const [one, two] = [await store.station('Front 1'), await store.station('Front 2')]
    const [here, there] = [stepsOf(() => one), stepsOf(() => two)]
    const [a = '', b = ''] = await here.sellable(2)
    await there.sell('1', [a])
    await here.sell('2', [b])
    const [[name = null], [other = null]] = [await namesOf(two, '1'), await namesOf(one, '2')]
    await one.ask('checkout.void', { orderId: '2' })
    await one.drained()
    const file = lines('1', [name, other])
    await load(one, file)
    const { orderId } = await one.ask('posDay.saleNumber', { day: today(), orderId: '1' })
    expect(orderId).toBe('1-2')
    await here.sell(orderId, [b])
    await asked(one)
    const left = (await brief(one)).filter((text) => text.startsWith('1'))
    await load(two, file)
    expect([left, (await brief(two)).filter((text) => text.startsWith('1'))]).toEqual([[], []])
  })

  it('calls nothing a difference that a station may have reported which did not answer', async () => {
    const [one, two] = [await store.station('Front 1'), await store.station('Front 2')]
    const [here, there] = [stepsOf(() => one), stepsOf(() => two)]
    const [a = '', b = ''] = await here.sellable(2)
    await here.sell('1', [a])
    const [name = null] = await namesOf(one, '1')
    await there.sell('2', [b])
    const file = lines('1', [name]) + lines('2', await namesOf(two, '2')) + lines('9', [name])
    await one.ask('hub.presence', undefined)
    let compared: Awaited<ReturnType<typeof view>> | undefined
    let found: Awaited<ReturnType<typeof differences>> = []
    await two.restart(async () => {
      // As if it had been cut off: it didn't say that it was closed, and the hub lacks its sale.
      await store.sql(`UPDATE countertag.station SET says = says || '{"isOff": false}' WHERE name = 'Front 2'`)
      await store.sql(`DELETE FROM countertag.day_entry WHERE body ->> 'orderId' = '2'`)
      compared = await load(one, file)
      found = await differences(one)
      expect((await one.ask('posDay.list', { day: today(), filter: 'open', from: 0 })).total).toBe(0)
      expect((await one.ask('posDay.list', { day: today(), filter: 'only-pos', from: 0 })).total).toBe(0)
      expect((await one.ask('posDay.list', { day: today(), filter: 'pending', from: 0 })).total).toBe(2)
      expect(await one.refused('posDay.saleNumber', { day: today(), orderId: '2' })).toEqual({
        code: 'pos-day/changed',
      })
    })
    expect(compared).toMatchObject({
      ...{ pending: 2, open: { 'only-pos': 0 }, isSettled: false },
      store: { isIncomplete: true, stations: [{ isMissing: false }, { status: 'silent', isMissing: true }] },
    })
    expect(found).toMatchObject([
      { orderId: '2', kind: 'only-pos', isPending: true, scan: null },
      { orderId: '9', kind: 'only-pos', isPending: true, scan: null },
    ])
    await situation(two, 'online')
    await expect.poll(async () => (await asked(one)).store?.isIncomplete).toBe(false)
    await expect
      .poll(async () => {
        await asked(one)
        return brief(one)
      })
      .toEqual(['9 only-pos'])
    expect(await differences(one)).toMatchObject([{ isPending: false, scan: 'sale' }])
  })

  it('compares with what is known here while the hub is out of reach, and says so', async () => {
    const [one, two] = [await store.station('Front 1'), await store.station('Front 2')]
    const [here, there] = [stepsOf(() => one), stepsOf(() => two)]
    const [a = '', b = '', c = ''] = await here.sellable(3)
    await here.sell('1', [a])
    await there.sell('2', [b])
    const file = lines('1', await namesOf(one, '1')) + lines('2', await namesOf(two, '2'))
    await store.stop()
    await situation(one, 'offline')
    expect(await load(one, file)).toMatchObject({
      ...{ matched: 1, pending: 1, isSettled: false },
      store: { asOf: null, trouble: 'unreachable', isIncomplete: true },
    })
    await store.start()
    await Promise.all([situation(one, 'online'), situation(two, 'online')])
    await expect.poll(async () => (await asked(one)).matched).toBe(2)
    expect(await view(one)).toMatchObject({ pending: 0, store: { trouble: null } })
    const { store: before } = await view(one)
    await store.stop()
    await situation(one, 'offline')
    await here.sell('3', [c])
    // What was read before still counts.
    expect(await asked(one)).toMatchObject({ matched: 2, pending: 0, store: { trouble: 'unreachable' } })
    expect((await view(one)).store?.asOf).toBe(before?.asOf)
    expect(await brief(one)).toEqual(['3 only-here'])
    await store.start()
  })

  it('compares by name what a station of version 0.2 told, says so, and has it told anew without opening a closed day', async () => {
    const [one, two] = [await store.station('Front 1'), await store.station('Front 2')]
    const there = stepsOf(() => two)
    const [a = '', b = ''] = await there.sellable(2)
    await there.sell('1', [a, b])
    await two.drained()
    const report = await one.ask('checkout.storeDay', { day: today() })
    await one.ask('checkout.closeStoreDay', { day: today(), mark: report.store?.mark ?? '', name: 'Maya' })
    const names = await namesOf(two, '1')
    const old = `UPDATE countertag.day_entry SET body = body - 'itemProducts'`
    await store.sql(old)
    expect(await load(one, lines('1', names))).toMatchObject({ matched: 1, store: { byName: ['Front 2'] } })
    expect(await brief(one)).toEqual([])
    await two.restart(() => store.sql(old).then(() => undefined))
    await situation(two, 'online')
    await expect.poll(async () => (await asked(one)).store?.byName).toEqual([])
    expect(await brief(one)).toEqual([])
    const { store: again } = await one.ask('checkout.storeDay', { day: today() })
    expect(again?.closed).toMatchObject({ isChanged: false })
  })

  it('reads all that another station reported, however much it is, and counts what it can’t read', async () => {
    const hub = await joinHub(store.address, 'Front 9')
    const body = {
      ...{ kind: 'complete', state: 'accepted', needsPerson: false, budtenderId: null, tagIds: [], products: [] },
    }
    const day: [number, number] = [1_000_000, 2_000_000]
    // Many at one moment: none is left out between two parts.
    await store.sql(
      `INSERT INTO countertag.day_entry (station, operation, station_name, at, digest, body, turn)
      SELECT '00000000-0000-4000-8000-000000000001', 'op ' || n, 'Front 2', $1::bigint + n / 700, '',
        $2::jsonb || jsonb_build_object('orderId', n::text), 1 FROM generate_series(1, 1300) AS n`,
      [day[0], body],
    )
    await store.sql(`UPDATE countertag.day_entry SET body = body - 'kind' WHERE operation IN ('op 500', 'op 1300')`)
    const read = await hub.day.others(day, day)
    expect(new Set(read?.entries.map(({ id }) => id)).size).toBe(1_298)
    expect([read?.entries.length, read?.unread]).toEqual([1_298, 2])
    await hub.close()
  })

  it('reads an earlier sale of an order that came back, and no other order of that time', async () => {
    const hub = await joinHub(store.address, 'Front 9')
    const entry = (operation: string, at: number, orderId: string) =>
      store.sql(
        `INSERT INTO countertag.day_entry (station, operation, station_name, at, digest, body, turn)
        VALUES ('00000000-0000-4000-8000-000000000001', $1, 'Front 2', $2, '', $3, 1)`,
        [
          operation,
          at,
          {
            ...{ kind: 'complete', orderId, state: 'accepted', needsPerson: false, budtenderId: null },
            ...{ tagIds: [], products: [] },
          },
        ],
      )
    await entry('sold', 500, '1')
    await entry('other', 500, '2')
    await entry('returned', 1_500, '1')
    await entry('later', 2_500, '1')
    const read = await hub.day.others([1_000, 2_000], [1_000, 2_000])
    expect(read?.entries.map(({ id }) => id)).toEqual(['sold', 'returned'])
    await hub.close()
  })
})

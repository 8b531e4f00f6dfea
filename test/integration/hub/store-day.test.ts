import { join } from 'node:path'
import BetterSqlite from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { OrderId, TagId } from '../../../src-shared/ids'
import type { DayReport } from '../../../src-shared/ipc/contract/checkout'
import { dayOf } from '../../../src-main/day/history'
import { joinHub } from '../../hub/station'
import { situation } from '../../hub/store'
import { useStore } from '../../hub/use-store'
import { otherTill } from '../core/other-till'
import { type Station, idIn } from '../core/station'

const store = useStore()

const today = () => dayOf(Date.now())
const sellable = async (station: Station) => {
  const codes = await station.ask('practice.codes', undefined)
  return codes
    .filter(({ kind, about }) => kind === 'tag' && (about === null || about === 'imported-here'))
    .map(({ text }) => TagId.parse(idIn(text)))
}
const sell = async (station: Station, orderId: string, tagIds: TagId[]) => {
  for (const tagId of tagIds) await station.ask('checkout.addItem', { mode: 'sale', tagId })
  await station.ask('checkout.setOrder', { mode: 'sale', orderId })
  const { itemCount, revision } = await station.ask('checkout.cart', { mode: 'sale' })
  await station.ask('checkout.finish', { mode: 'sale', orderId, itemCount, revision, isMeant: true })
}
const storeDay = (station: Station) => station.ask('checkout.storeDay', { day: today() })
const exported = (station: Station) => station.ask('checkout.exportStoreDay', { day: today() })
const closeDay = (station: Station, report: DayReport) =>
  station.client.call('checkout.closeStoreDay', { day: today(), mark: report.store?.mark ?? '', name: 'Maya' })
const figures = ({ completed, returned, voided, net }: DayReport) => ({ completed, returned, voided, net })
const statuses = (report: DayReport) =>
  report.store?.stations.map(({ name, status, unsent, sold }) => [name, status, unsent, sold])

describe('the day of a store', () => {
  it('is the sum of its stations at each of them, and equals what the service has', async () => {
    const [one, two] = [await store.station('Front 1'), await store.station('Front 2')]
    const [a, b, c, d] = await sellable(one)
    if (!a || !b || !c || !d) throw new Error('too few')
    await sell(one, '1', [a, b])
    await sell(two, '2', [c])
    await sell(two, '3', [d])
    await Promise.all([one.drained(), two.drained()])
    await two.ask('checkout.void', { orderId: '3' })
    await two.drained()
    const expected = {
      completed: { orders: 3, items: 4 },
      returned: { orders: 0, items: 0 },
      voided: { orders: 1, items: 1 },
      net: { orders: 2, items: 3 },
    }
    for (const station of [one, two]) {
      const report = await storeDay(station)
      expect(figures(report)).toEqual(expected)
      expect(report).toMatchObject({ confirmed: 4, store: { isComplete: true, closed: null, unread: 0 } })
      expect(statuses(report)).toEqual([
        ['Front 1', 'answered', 0, 2],
        ['Front 2', 'answered', 0, 2],
      ])
    }
    const there = await one.knobs.transactions()
    expect(there.filter(({ kind }) => kind === 'complete').flatMap(({ tagIds }) => tagIds)).toHaveLength(4)
    const file = await one.ask('checkout.exportStoreDay', { day: today() })
    expect(file.lines.map(({ station, orderId, kind, state }) => [station, orderId, kind, state])).toEqual([
      ['Front 1', '1', 'complete', 'accepted'],
      ['Front 2', '2', 'complete', 'accepted'],
      ['Front 2', '3', 'complete', 'accepted'],
      ['Front 2', '3', 'void', 'accepted'],
    ])
  })

  it('is closed from any station once the service has everything, and says if reports change afterwards', async () => {
    const [one, two] = [await store.station('Front 1'), await store.station('Front 2')]
    const [a, b] = await sellable(one)
    if (!a || !b) throw new Error('too few')
    await one.knobs.setFaults({ offline: true })
    await sell(one, '1', [a])
    const open = await storeDay(two)
    expect(open.store?.isComplete).toBe(false)
    expect((await exported(two)).fileName).toMatch(/-incomplete\.csv$/)
    expect(statuses(open)).toEqual([
      ['Front 1', 'answered', 1, 0],
      ['Front 2', 'answered', 0, 0],
    ])
    expect(await closeDay(two, open)).toMatchObject({ ok: false, error: { code: 'hub/day-open' } })
    await one.knobs.setFaults({})
    await one.ask('outbox.sendNow', undefined)
    await one.drained()
    expect(await closeDay(two, open)).toMatchObject({ ok: false, error: { code: 'hub/day-changed' } })
    const done = await storeDay(two)
    expect(done.store?.isComplete).toBe(true)
    expect((await exported(two)).fileName).not.toContain('incomplete')
    expect(await closeDay(two, done)).toMatchObject({
      ok: true,
      value: { store: { closed: { station: 'Front 2', isChanged: false } } },
    })
    expect((await storeDay(one)).store?.closed).toMatchObject({ station: 'Front 2', isChanged: false })
    await sell(one, '2', [b])
    await one.drained()
    const after = await storeDay(two)
    expect(after.store?.closed).toMatchObject({ isChanged: true })
    expect(await closeDay(one, done)).toMatchObject({ ok: false, error: { code: 'hub/day-changed' } })
    expect(await closeDay(one, after)).toMatchObject({
      ok: true,
      value: { completed: { orders: 2 }, store: { closed: { station: 'Front 1', isChanged: false } } },
    })
  })

  it('names a station that was closed, one that is not heard, and one that was removed', async () => {
    const [one, two] = [await store.station('Front 1'), await store.station('Front 2')]
    const [a] = await sellable(one)
    if (!a) throw new Error('too few')
    await sell(two, '1', [a])
    await two.drained()
    let closed: DayReport | undefined
    await two.restart(async () => {
      closed = await storeDay(one)
    })
    expect(closed && statuses(closed)).toEqual([
      ['Front 1', 'answered', 0, 0],
      ['Front 2', 'off', 0, 1],
    ])
    expect(closed?.store?.isComplete).toBe(true)
    await situation(two, 'online')
    expect(statuses(await storeDay(one))?.[1]).toEqual(['Front 2', 'answered', 0, 1])
    await store.sql(`INSERT INTO countertag.station (id, name, version, seen_at, says)
      VALUES (gen_random_uuid(), 'Back', '0', now() - interval '2 hours', '{}')`)
    const silent = await storeDay(one)
    expect(statuses(silent)?.[0]).toEqual(['Back', 'silent', 0, 0])
    expect(silent.store?.isComplete).toBe(false)
    const says = { unsent: 0, attention: 0, clockOffset: 0, hasScannerTrouble: false, untold: 0, isOff: true }
    await store.sql(`UPDATE countertag.station SET says = $1 WHERE name = 'Back'`, [says])
    const off = await storeDay(one)
    expect(statuses(off)?.[0]).toEqual(['Back', 'off', 0, 0])
    expect(off.store?.isComplete).toBe(true)
    await store.sql(`UPDATE countertag.station SET says = $1 WHERE name = 'Back'`, [{ ...says, untold: 1 }])
    expect((await storeDay(one)).store?.isComplete).toBe(false)
    await store.sql(`UPDATE countertag.day_entry SET station = gen_random_uuid(), station_name = 'Old'
      WHERE station = (SELECT id FROM countertag.station WHERE name = 'Front 2')`)
    expect(statuses(await storeDay(one))).toContainEqual(['Old', 'left', 0, 1])
  })

  it('has what was sold apart once the hub answers again, and says that it is not known meanwhile', async () => {
    const one = await store.station('Front 1')
    const [a] = await sellable(one)
    if (!a) throw new Error('too few')
    await store.stop()
    await situation(one, 'offline')
    await sell(one, '1', [a])
    await one.drained()
    expect(await one.refused('checkout.storeDay', { day: today() })).toEqual({ code: 'hub/unreachable' })
    await store.start()
    await situation(one, 'online')
    expect((await storeDay(one)).completed).toEqual({ orders: 1, items: 1 })
  })

  it('is told again to a hub that lost it', async () => {
    const one = await store.station('Front 1')
    const [a] = await sellable(one)
    if (!a) throw new Error('too few')
    await sell(one, '1', [a])
    await one.drained()
    expect((await storeDay(one)).completed.orders).toBe(1)
    await store.sql('DELETE FROM countertag.day_entry')
    expect((await storeDay(one)).completed.orders).toBe(0)
    await one.restart()
    await situation(one, 'online')
    await expect.poll(async () => (await storeDay(one)).completed.orders).toBe(1)
  })

  it('is told again with all that a hub keeps, also what is weeks old', async () => {
    const one = await store.station('Front 1')
    const [a, b] = await sellable(one)
    if (!a || !b) throw new Error('too few')
    await sell(one, '1', [a])
    await sell(one, '2', [b])
    await one.drained()
    await storeDay(one)
    const weeks = 40 * 24 * 3_600_000
    await one.restart(async () => {
      const reports = new BetterSqlite(join(one.dataDir, 'practice/countertag.db'))
      reports.prepare('UPDATE sale_entry SET at = at - ? WHERE seq = (SELECT min(seq) FROM sale_entry)').run(weeks)
      reports.close()
      await store.sql('DELETE FROM countertag.day_entry')
    })
    await situation(one, 'online')
    await expect.poll(() => store.sql('SELECT at FROM countertag.day_entry')).toHaveLength(2)
    const report = await one.ask('checkout.storeDay', { day: dayOf(Date.now() - weeks) })
    expect(report.completed).toEqual({ orders: 1, items: 1 })
  })

  it('is refused where the hub has forgotten it, and not shown as a day without sales', async () => {
    const one = await store.station('Front 1')
    for (const days of [60, 61, 400]) {
      const day = dayOf(Date.now() - days * 24 * 3_600_000)
      expect(await one.refused('checkout.storeDay', { day })).toEqual({ code: 'hub/day-too-old' })
      expect(await one.refused('checkout.exportStoreDay', { day })).toEqual({
        code: 'hub/day-too-old',
      })
    }
    const day = dayOf(Date.now() - 58 * 24 * 3_600_000)
    expect((await one.ask('checkout.storeDay', { day })).completed.orders).toBe(0)
  })

  it('is told again to a hub made anew by a station that has sold nothing for weeks, and stays closed as it was, though the hub forgets what is older', async () => {
    const one = await store.station('Front 1')
    const [a, b] = await sellable(one)
    if (!a || !b) throw new Error('too few')
    await sell(one, '1', [a])
    await sell(one, '2', [b])
    await one.drained()
    await storeDay(one)
    const days = (count: number) => count * 24 * 3_600_000
    await one.restart(async () => {
      const reports = new BetterSqlite(join(one.dataDir, 'practice/countertag.db'))
      const age = reports.prepare('UPDATE sale_entry SET at = at - ? WHERE seq = ?')
      const [first, second] = reports.prepare('SELECT seq FROM sale_entry ORDER BY seq').pluck().all()
      age.run(days(58), first)
      age.run(days(62), second)
      reports.close()
      await store.sql('DELETE FROM countertag.day_entry')
    })
    await situation(one, 'online')
    const day = dayOf(Date.now() - days(58))
    const read = () => one.ask('checkout.storeDay', { day })
    await expect.poll(async () => (await read()).completed.orders).toBe(1)
    const closed = await one.ask('checkout.closeStoreDay', {
      day,
      mark: (await read()).store?.mark ?? '',
      name: 'Maya',
    })
    expect(closed.store?.closed).toMatchObject({ isChanged: false })
    // What is older than the hub keeps goes at the next connection.
    await store.sql(
      `INSERT INTO countertag.day_entry
      SELECT station, 'old', station_name, at - $1, digest, body, turn FROM countertag.day_entry`,
      [days(4)],
    )
    await one.restart()
    await situation(one, 'online')
    await expect.poll(() => store.sql(`SELECT 1 FROM countertag.day_entry WHERE operation = 'old'`)).toEqual([])
    expect((await read()).store?.closed).toMatchObject({ isChanged: false })
    for (const count of [59, 60, 62]) {
      const older = dayOf(Date.now() - days(count) - 1)
      expect(await one.refused('checkout.storeDay', { day: older })).toEqual({ code: 'hub/day-too-old' })
    }
  })

  it('is not closed while a station has read it back and the service differs', async () => {
    const [one, two] = [await store.station('Front 1'), await store.station('Front 2')]
    const [a, b] = await sellable(one)
    if (!a || !b) throw new Error('too few')
    await sell(one, '1', [a])
    await sell(one, '2', [b])
    await one.drained()
    expect((await storeDay(two)).store?.isComplete).toBe(true)
    await otherTill(one).void('1')
    await one.ask('checkout.verifyDay', { day: today() })
    const verification = async () => (await one.ask('checkout.day', { day: today() })).verification
    await expect.poll(async () => (await verification())?.state).toBe('finished')
    expect(await verification()).toMatchObject({ total: 2, differenceCount: 1 })
    const report = await storeDay(two)
    expect(report.store?.stations.map(({ name, isDone }) => [name, isDone])).toEqual([
      ['Front 1', false],
      ['Front 2', true],
    ])
    expect(report.store).toMatchObject({ isComplete: false })
    expect(await closeDay(two, report)).toMatchObject({ ok: false, error: { code: 'hub/day-open' } })
  })

  it('is not complete with a report that can’t be read', async () => {
    const one = await store.station('Front 1')
    const [a] = await sellable(one)
    if (!a) throw new Error('too few')
    await sell(one, '1', [a])
    await one.drained()
    await storeDay(one)
    for (const body of ['{}', '[]', '{"kind": "gift"}']) {
      await store.sql('UPDATE countertag.day_entry SET body = $1', [body])
      expect(await storeDay(one)).toMatchObject({ completed: { orders: 0 }, store: { unread: 1, isComplete: false } })
    }
  })

  it('ignores an older state that reaches the hub after a newer one', async () => {
    const hub = await joinHub(store.address, 'Front 9')
    const [before, after] = [await hub.epoch(), await hub.epoch()]
    if (before === undefined || after === undefined) throw new Error('no answer')
    const told = (state: 'queued' | 'accepted') => [
      {
        digest: state,
        entry: {
          ...{ id: 'one', at: Date.now(), kind: 'complete' as const, orderId: OrderId.parse('1'), state },
          ...{ needsPerson: false, budtenderId: null, tagIds: [], products: [] },
        },
      },
    ]
    expect(await hub.day.push(after, told('accepted'))).toBe(true)
    expect(await hub.day.push(before, told('queued'))).toBe(true)
    expect(await store.sql(`SELECT body ->> 'state' AS state FROM countertag.day_entry`)).toEqual([
      { state: 'accepted' },
    ])
    await hub.close()
  })
})

import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { CountId, TagId } from '../../../src-shared/ids'
import type { Hub } from '../../../src-main/hub/port'
import { joinHub } from '../../hub/station'
import { inStore, situation } from '../../hub/store'
import { useStore } from '../../hub/use-store'
import { delivery, tagNamed } from '../core/receiving-desk'
import type { Station } from '../core/station'
import { stepsOf } from '../core/steps'

const store = useStore()

/** 20 items of one case that the store has imported. */
const items = Array.from({ length: 20 }, (_, at) => tagNamed(`on sale HF-PA-1 ${at + 1}`))
const item = (place: number) => items[place] ?? ''

/** A station that has read the shelf. */
const opened = async (name: string) => {
  const station = await store.station(name)
  await station.ask('receiving.package', { packageUid: delivery(3) })
  await station.ask('stock.refresh', undefined)
  await expect.poll(async () => (await station.ask('stock.ledger', undefined)).items).toBe(20)
  return station
}
const begin = async (station: Station) => (await station.ask('stock.start', { scope: { kind: 'all' } })).id
const scan = async (station: Station, countId: CountId, ...tagIds: string[]) => {
  const kinds: string[] = []
  for (const tagId of tagIds) kinds.push((await station.ask('stock.scan', { countId, tagId })).kind)
  return kinds
}
const count = (station: Station, countId: CountId) => station.ask('stock.count', { countId })
const state = async (station: Station, countId: CountId) => {
  const { state: now, finishedBy } = await count(station, countId)
  return { state: now, finishedBy }
}
const scanned = (station: Station, countId: CountId) => expect.poll(async () => (await count(station, countId)).scanned)
const results = (station: Station, countId: CountId) => expect.poll(async () => (await count(station, countId)).results)
const offered = (station: Station) => station.ask('stock.storeCounts', undefined)
const join = async (station: Station, countId: CountId) => {
  await expect.poll(() => offered(station)).toMatchObject([{ id: countId }])
  await station.ask('stock.join', { countId })
}
const both = async () => {
  const [one, two] = [await opened('Station 1'), await opened('Station 2')]
  const id = await begin(one)
  await join(two, id)
  return { one, two, id }
}
const apart = async (...stations: Station[]) => {
  await store.stop()
  await Promise.all(stations.map((station) => situation(station, 'offline')))
}
const back = async (...stations: Station[]) => {
  await store.start()
  await Promise.all(stations.map((station) => situation(station, 'online')))
}

describe('a count of the shelf by two stations', () => {
  it('is offered at the other one, and has the scans of both at both, each item once', async () => {
    const [one, two] = [await opened('Station 1'), await opened('Station 2')]
    const id = await begin(one)
    await scan(one, id, item(0))
    await expect
      .poll(() => offered(two))
      .toMatchObject([{ id, station: 'Station 1', scope: { kind: 'all' }, isRecount: false, scanned: 1, overlaps: [] }])
    expect(await offered(one)).toEqual([])
    await two.ask('stock.join', { countId: id })
    await scanned(two, id).toBe(1)
    expect(await two.ask('stock.scan', { countId: id, tagId: item(0) })).toMatchObject({
      kind: 'again',
      station: 'Station 1',
    })
    await scan(two, id, item(1), item(2))
    await scanned(one, id).toBe(3)
    expect((await count(one, id)).stations).toEqual([
      { station: null, scanned: 1 },
      { station: 'Station 2', scanned: 2 },
    ])
    // Blind: only its own scans are listed.
    expect((await one.ask('stock.recent', { countId: id })).map(({ tagId }) => tagId)).toEqual([item(0)])
    await two.ask('stock.unscan', { countId: id, tagId: item(2) })
    await scanned(one, id).toBe(2)
    expect(await offered(two)).toEqual([])
  })

  it('is finished at one of them, which has the differences and signs; the other one shows how it ended', async () => {
    const { one, two, id } = await both()
    await scan(one, id, ...items.slice(0, 10))
    await scan(two, id, ...items.slice(10, 19))
    await scanned(one, id).toBe(19)
    const shown: string[] = []
    const stop = one.client.on('stock.storeCounts', (list) => shown.push(...list.map((listed) => listed.id)))
    await one.ask('stock.finish', { countId: id })
    expect(await offered(one)).toEqual([])
    expect(await state(one, id)).toEqual({ state: 'finished', finishedBy: null })
    await results(one, id).toMatchObject({ found: 19, missing: 1, unexpected: 0 })
    await expect.poll(() => state(two, id)).toEqual({ state: 'finished', finishedBy: 'Station 1' })
    await results(two, id).toMatchObject({ found: 19, missing: 1 })
    // It was never offered to the stations that count it.
    expect(shown).toEqual([])
    stop()
    const elsewhere = { code: 'stock/finished-elsewhere', station: 'Station 1' }
    const all = { countId: id, which: { filter: {} }, reason: 'label' as const }
    expect(await two.refused('stock.explain', all)).toEqual(elsewhere)
    expect(await two.refused('stock.drop', { countId: id })).toEqual(elsewhere)
    expect(await two.refused('stock.export', { countId: id, after: null })).toEqual(elsewhere)
    expect((await two.ask('stock.differences', { countId: id, filter: {}, after: null })).total).toBe(0)
    await one.ask('stock.explain', all)
    await results(two, id).toMatchObject({ open: 0 })
    const { revision } = await count(one, id)
    await one.ask('stock.sign', { countId: id, revision, approval: { reason: 'Counted twice' } })
    await expect.poll(() => state(two, id)).toEqual({ state: 'signed', finishedBy: 'Station 1' })
    const [past] = (await two.ask('stock.history', { before: null })).counts
    expect(past).toMatchObject({
      ...{ id, state: 'signed', finishedBy: 'Station 1' },
      stations: [
        { station: null, scanned: 9 },
        { station: 'Station 1', scanned: 10 },
      ],
    })
    await two.restart()
    expect(await state(two, id)).toEqual({ state: 'signed', finishedBy: 'Station 1' })
  })

  it('is opened again for all by counting the differences again, and may be finished at the other station then', async () => {
    const { one, two, id } = await both()
    await scan(one, id, ...items.slice(0, 18))
    await scanned(two, id).toBe(18)
    await one.ask('stock.finish', { countId: id })
    await expect.poll(() => state(two, id)).toMatchObject({ state: 'finished' })
    await one.ask('stock.recount', { countId: id })
    await expect.poll(() => count(two, id)).toMatchObject({ state: 'counting', isRecount: true, finishedBy: null })
    expect(await scan(two, id, item(0), item(18))).toEqual(['again', 'counted'])
    await scanned(one, id).toBe(19)
    await two.ask('stock.finish', { countId: id })
    await results(two, id).toMatchObject({ found: 19, missing: 1 })
    await expect.poll(() => state(one, id)).toEqual({ state: 'finished', finishedBy: 'Station 2' })
    // Station 2 is off: its count is opened again at the first one.
    await two.restart(async () => {
      await one.ask('stock.recount', { countId: id })
      await scan(one, id, item(19))
      await one.ask('stock.finish', { countId: id })
      await results(one, id).toMatchObject({ found: 20, missing: 0 })
    })
    await situation(two, 'online')
    await expect.poll(() => state(two, id)).toEqual({ state: 'finished', finishedBy: 'Station 1' })
  })

  it('is joined while its differences are counted again', async () => {
    const [one, two] = [await opened('Station 1'), await opened('Station 2')]
    const before = await begin(one)
    await one.ask('stock.finish', { countId: before })
    // One that was just finished is no rival, also before the store knows that it was.
    const id = await begin(one)
    await scan(one, id, ...items.slice(0, 19))
    // The store knows each step: of a finish that was undone before it was told, it would know nothing.
    await expect.poll(() => offered(two)).toMatchObject([{ id }])
    await one.ask('stock.finish', { countId: id })
    await expect.poll(() => offered(two)).toEqual([])
    await one.ask('stock.recount', { countId: id })
    await expect.poll(() => offered(two)).toMatchObject([{ id, isRecount: true }])
    await join(two, id)
    expect(await count(two, id)).toMatchObject({ state: 'counting', isRecount: true })
    await scanned(two, id).toBe(19)
    expect(await scan(two, id, item(19))).toEqual(['counted'])
    await scanned(one, id).toBe(20)
    await one.ask('stock.finish', { countId: id })
    await results(one, id).toMatchObject({ found: 20, missing: 0 })
  })

  it('is counted again also for the others, if its end was never told', async () => {
    const [one, two] = [await opened('Station 1'), await opened('Station 2')]
    const id = await begin(one)
    await scan(one, id, ...items.slice(0, 19))
    await expect.poll(() => offered(two)).toMatchObject([{ id, isRecount: false }])
    await apart(one, two)
    await one.ask('stock.finish', { countId: id })
    await one.ask('stock.recount', { countId: id })
    await back(one, two)
    await expect.poll(() => offered(two)).toMatchObject([{ id, isRecount: true }])
    await join(two, id)
    expect(await count(two, id)).toMatchObject({ state: 'counting', isRecount: true })
  })

  it('goes on apart: what was scanned is told later, also after a crash, and counts once', async () => {
    const { one, two, id } = await both()
    await apart(one, two)
    expect(await offered(two)).toEqual([])
    await scan(one, id, ...items.slice(0, 6))
    expect(await scan(two, id, ...items.slice(4, 12))).not.toContain('again')
    await two.restart()
    await back(one, two)
    for (const station of [one, two]) {
      await scanned(station, id).toBe(12)
      const { stations } = await count(station, id)
      expect(stations.reduce((sum, by) => sum + by.scanned, 0)).toBe(12)
    }
    await scan(one, id, ...items.slice(12))
    await scanned(two, id).toBe(20)
    await two.ask('stock.finish', { countId: id })
    await results(two, id).toMatchObject({ found: 20, missing: 0, unexpected: 0 })
  })

  it('takes scans that were made apart into its finished results; once it is signed it never changes', async () => {
    const { one, two, id } = await both()
    await scan(one, id, ...items.slice(0, 18))
    await scanned(two, id).toBe(18)
    await apart(one, two)
    await scan(two, id, item(18))
    await one.ask('stock.finish', { countId: id })
    await results(one, id).toMatchObject({ missing: 2 })
    await back(one, two)
    await results(one, id).toMatchObject({ found: 19, missing: 1 })
    await apart(one, two)
    // The other one doesn't know that it is finished... it was, when both were together.
    await one.ask('stock.explain', { countId: id, which: { filter: {} }, reason: 'label' })
    const { revision } = await count(one, id)
    await one.ask('stock.sign', { countId: id, revision, approval: { reason: 'Done' } })
    await back(one, two)
    await expect.poll(() => state(two, id)).toEqual({ state: 'signed', finishedBy: 'Station 1' })
    expect((await count(one, id)).results).toMatchObject({ found: 19, missing: 1 })
  })

  it('says at both stations how many scans came after the signature, which has only what was told before', async () => {
    const { one, two, id } = await both()
    await scan(one, id, ...items.slice(0, 17))
    await scan(two, id, item(17))
    for (const station of [one, two]) await scanned(station, id).toBe(18)
    expect(await count(one, id)).toMatchObject({ late: 0 })
    await apart(one, two)
    await scan(two, id, item(18))
    await two.restart(async () => {
      await back(one)
      await one.ask('stock.finish', { countId: id })
      await one.ask('stock.explain', { countId: id, which: { filter: {} }, reason: 'label' })
      const { revision } = await count(one, id)
      await one.ask('stock.sign', { countId: id, revision, approval: { reason: 'Done' } })
    })
    const signed = await count(one, id)
    await situation(two, 'online')
    await expect.poll(() => state(two, id)).toEqual({ state: 'signed', finishedBy: 'Station 1' })
    await expect.poll(async () => (await count(one, id)).late).toBe(1)
    expect(await count(one, id)).toEqual({ ...signed, late: 1 })
    const came = await one.ask('stock.late', { countId: id, after: null })
    expect(came).toMatchObject({ scans: [{ tagId: item(18), station: 'Station 2' }], next: null })
    expect(came.scans[0]?.productName).toEqual(expect.any(String))
    expect(came.scans[0]?.at).toEqual(expect.any(String))
    const there = await count(two, id)
    expect(there).toMatchObject({ late: 1, scanned: 18, results: { found: 18, missing: 2 } })
    expect(there.stations).toEqual([
      { station: null, scanned: 1 },
      { station: 'Station 1', scanned: 17 },
    ])
    // The same again from a hub that was made anew.
    await store.sql('DELETE FROM countertag.shared_shelf')
    for (const station of [one, two]) {
      await station.restart()
      await situation(station, 'online')
    }
    for (const station of [one, two]) {
      expect(await count(station, id)).toMatchObject({ late: 1, scanned: 18 })
      const [past] = (await station.ask('stock.history', { before: null })).counts
      expect(past).toMatchObject({ id, late: 1 })
    }
  })

  const signed = async (station: Station, id: CountId) => {
    await station.ask('stock.explain', { countId: id, which: { filter: {} }, reason: 'label' })
    const { revision } = await count(station, id)
    await station.ask('stock.sign', { countId: id, revision, approval: { reason: 'Done' } })
    await expect.poll(() => store.sql('SELECT is_over FROM countertag.shared_shelf')).toEqual([{ is_over: true }])
  }

  it.each(['stock.recount', 'stock.finish'] as const)(
    'is signed also at a station that did %s apart, before it knew',
    async (step) => {
      const { one, two, id } = await both()
      await scan(one, id, ...items.slice(0, 18))
      await scanned(two, id).toBe(18)
      if (step === 'stock.recount') {
        await one.ask('stock.finish', { countId: id })
        await expect.poll(() => state(two, id)).toMatchObject({ state: 'finished' })
      }
      await apart(one, two)
      await two.ask(step, { countId: id })
      await two.restart(async () => {
        await back(one)
        if (step === 'stock.finish') await one.ask('stock.finish', { countId: id })
        await signed(one, id)
      })
      await situation(two, 'online')
      await expect.poll(() => state(two, id)).toEqual({ state: 'signed', finishedBy: 'Station 1' })
      expect(await two.refused('stock.scan', { countId: id, tagId: item(19) })).toMatchObject({
        code: 'stock/wrong-state',
      })
    },
  )

  it('says where it is signed in the store, at a station that signed it too, apart', async () => {
    const { one, two, id } = await both()
    await scan(one, id, ...items.slice(0, 18))
    await scanned(two, id).toBe(18)
    await apart(one, two)
    await scan(two, id, item(18))
    const sign = async (station: Station) => {
      await station.ask('stock.finish', { countId: id })
      await station.ask('stock.explain', { countId: id, which: { filter: {} }, reason: 'label' })
      const { revision } = await count(station, id)
      await station.ask('stock.sign', { countId: id, revision, approval: { reason: 'Done' } })
      return count(station, id)
    }
    const second = await sign(two)
    await two.restart(async () => {
      await sign(one)
      await back(one)
      await expect.poll(() => store.sql('SELECT is_over FROM countertag.shared_shelf')).toEqual([{ is_over: true }])
    })
    const first = await count(one, id)
    await situation(two, 'online')
    const signedToo = { station: 'Station 1', at: first.signedAt, results: first.results }
    await expect.poll(() => count(two, id)).toEqual({ ...second, signedToo })
    expect(second.results).toMatchObject({ found: 19, missing: 1 })
    await expect.poll(() => count(one, id)).toEqual({ ...first, late: 1 })
    expect(first).toMatchObject({ signedToo: null, results: { found: 18, missing: 2 } })
    await two.restart()
    expect(await count(two, id)).toEqual({ ...second, signedToo })
  })

  it('is signed at all stations, however long after its end', async () => {
    const { one, two, id } = await both()
    await scan(one, id, ...items.slice(0, 18))
    await scanned(two, id).toBe(18)
    await one.ask('stock.finish', { countId: id })
    await expect.poll(() => state(two, id)).toMatchObject({ state: 'finished' })
    await two.restart(async () => {
      inStore(two, `UPDATE stock_count SET finished_at = finished_at - 8 * 24 * 3600000`)
      await signed(one, id)
    })
    await situation(two, 'online')
    await expect.poll(() => state(two, id)).toEqual({ state: 'signed', finishedBy: 'Station 1' })
  })

  it('is not opened again by a station that stopped in the middle of joining it', async () => {
    const [one, two] = [await opened('Station 1'), await opened('Station 2')]
    const id = await begin(one)
    await scan(one, id, ...items.slice(0, 18))
    // The commit after the one that has the count.
    const stops = `CREATE TRIGGER stops BEFORE UPDATE OF mark ON shared_list BEGIN SELECT RAISE(ABORT, 'stopped'); END`
    await two.restart(() => {
      inStore(two, stops)
    })
    await situation(two, 'online')
    await expect.poll(() => offered(two)).toHaveLength(1)
    await expect(two.ask('stock.join', { countId: id })).rejects.toThrow()
    await two.restart(async () => {
      inStore(two, 'DROP TRIGGER stops')
      await one.ask('stock.finish', { countId: id })
      await expect
        .poll(() => store.sql('SELECT finished_at IS NOT NULL AS finished FROM countertag.shared_shelf'))
        .toEqual([{ finished: true }])
    })
    await situation(two, 'online')
    await expect.poll(() => state(two, id)).toEqual({ state: 'finished', finishedBy: 'Station 1' })
    expect(await state(one, id)).toEqual({ state: 'finished', finishedBy: null })
  })

  it('is named with the stations that may have scans to tell, before it is finished', async () => {
    const { one, two, id } = await both()
    const behind = () => one.ask('stock.behind', { countId: id })
    await expect.poll(behind).toEqual([])
    const says = (text: string) => store.sql(`UPDATE countertag.station SET ${text} WHERE name = 'Station 2'`)
    await two.restart(async () => {
      expect(await behind()).toEqual([])
      await says(`says = says || '{"scansUntold": 2}'`)
      expect(await behind()).toEqual(['Station 2'])
      await says(`says = says || '{"isOff": false, "scansUntold": 0}', seen_at = now() - interval '1 hour'`)
      expect(await behind()).toEqual(['Station 2'])
    })
    await situation(two, 'online')
    await expect.poll(behind).toEqual([])
    await scan(two, id, item(0))
    await scanned(one, id).toBe(1)
    await apart(one, two)
    expect(await behind()).toEqual(['Station 2'])
    await back(one, two)
  })

  it('is given up for all; one that another station finished meanwhile is not', async () => {
    const { one, two, id } = await both()
    await scan(one, id, item(0))
    await scan(two, id, item(1))
    await scanned(one, id).toBe(2)
    await two.ask('stock.drop', { countId: id })
    await expect.poll(() => state(one, id)).toEqual({ state: 'dropped', finishedBy: 'Station 2' })
    await expect.poll(() => one.ask('stock.open', undefined)).toEqual([])

    const second = await begin(one)
    await join(two, second)
    await scan(one, second, item(0))
    await scan(two, second, item(1))
    await scanned(one, second).toBe(2)
    await apart(one, two)
    await one.ask('stock.finish', { countId: second })
    await two.ask('stock.drop', { countId: second })
    await back(one, two)
    await expect
      .poll(() =>
        store.sql(`SELECT ended::json ->> 'state' AS ended FROM countertag.shared_shelf WHERE id = '${second}'`),
      )
      .toEqual([{ ended: 'finished' }])
    expect(await state(one, second)).toEqual({ state: 'finished', finishedBy: null })
    expect((await count(one, second)).scanned).toBe(2)
  })

  it('is given up while its differences are counted again, by a station that counts along', async () => {
    const [one, two] = [await opened('Station 1'), await opened('Station 2')]
    const finished = async () => {
      const id = await begin(one)
      await scan(one, id, ...items.slice(0, 18))
      await one.ask('stock.finish', { countId: id })
      return id
    }
    const givenUp = async (id: CountId) => {
      await two.ask('stock.drop', { countId: id })
      expect(await state(two, id)).toEqual({ state: 'dropped', finishedBy: null })
      await expect.poll(() => state(one, id)).toEqual({ state: 'dropped', finishedBy: 'Station 2' })
      await expect
        .poll(() =>
          store.sql(`SELECT ended::json ->> 'state' AS ended, is_over FROM countertag.shared_shelf WHERE id = '${id}'`),
        )
        .toEqual([{ ended: 'dropped', is_over: true }])
    }
    // Joined while it is counted again.
    const joined = await finished()
    await one.ask('stock.recount', { countId: joined })
    // Not as it was before its end: that may be told in between.
    await expect.poll(() => offered(two)).toMatchObject([{ id: joined, isRecount: true }])
    await join(two, joined)
    await givenUp(joined)
    // Joined before it was finished.
    const id = await begin(one)
    await join(two, id)
    await one.ask('stock.finish', { countId: id })
    await expect.poll(() => state(two, id)).toEqual({ state: 'finished', finishedBy: 'Station 1' })
    await one.ask('stock.recount', { countId: id })
    await expect.poll(() => count(two, id)).toMatchObject({ state: 'counting', isRecount: true })
    await givenUp(id)
  })

  it('is named with them also at a hub that lost it', async () => {
    const { one, two, id } = await both()
    await scan(one, id, item(0))
    await scanned(two, id).toBe(1)
    await store.sql('DELETE FROM countertag.shared_shelf')
    await one.restart()
    await situation(one, 'online')
    await expect.poll(() => store.sql('SELECT scanned FROM countertag.shared_shelf')).toEqual([{ scanned: 1 }])
    await two.restart()
    await situation(two, 'online')
    const counting = () =>
      store.sql(
        'SELECT name FROM countertag.shelf_station JOIN countertag.station ON station.id = station ORDER BY name',
      )
    await expect.poll(counting).toEqual([{ name: 'Station 1' }, { name: 'Station 2' }])
    await two.restart(async () => {
      await store.sql(`UPDATE countertag.station SET says = says || '{"scansUntold": 2}' WHERE name = 'Station 2'`)
      expect(await one.ask('stock.behind', { countId: id })).toEqual(['Station 2'])
    })
    await situation(two, 'online')
  })

  it('is told again to a hub that lost it, and stays finished there', async () => {
    const { one, two, id } = await both()
    await scan(one, id, item(0))
    await scan(two, id, item(1))
    for (const station of [one, two]) await scanned(station, id).toBe(2)
    await store.sql('DELETE FROM countertag.shared_shelf')
    await one.restart()
    await two.restart()
    await Promise.all([situation(one, 'online'), situation(two, 'online')])
    await expect.poll(() => store.sql('SELECT scanned FROM countertag.shared_shelf')).toEqual([{ scanned: 2 }])
    await one.ask('stock.finish', { countId: id })
    await expect.poll(() => state(two, id)).toEqual({ state: 'finished', finishedBy: 'Station 1' })
    await store.sql('DELETE FROM countertag.shared_shelf')
    await two.restart()
    await situation(two, 'online')
    await expect
      .poll(() => store.sql('SELECT finished_at IS NOT NULL AS finished FROM countertag.shared_shelf'))
      .toEqual([{ finished: true }])
    expect(await state(one, id)).toEqual({ state: 'finished', finishedBy: null })
    expect(await state(two, id)).toEqual({ state: 'finished', finishedBy: 'Station 1' })
  })
})

describe('two counts of the same items', () => {
  it('are refused, and the other one can be joined', async () => {
    const [one, two] = [await opened('Station 1'), await opened('Station 2')]
    const id = await begin(one)
    await expect.poll(() => offered(two)).toHaveLength(1)
    const brand = (await two.ask('stock.choices', { text: '' })).brands[0] ?? ''
    expect(await two.refused('stock.start', { scope: { kind: 'brand', brandName: brand } })).toMatchObject({
      ...{ code: 'stock/counted-elsewhere', countId: id, station: 'Station 1' },
    })
    await two.ask('stock.join', { countId: id })
    expect(await two.refused('stock.start', { scope: { kind: 'all' } })).toMatchObject({ code: 'stock/count-open' })
    await one.ask('stock.finish', { countId: id })
    await expect.poll(() => state(two, id)).toMatchObject({ state: 'finished' })
    const next = await begin(two)
    expect(next).not.toBe(id)
    await expect.poll(() => offered(one)).toHaveLength(1)
    expect(await one.refused('stock.recount', { countId: id })).toMatchObject({ code: 'stock/counted-elsewhere' })
  })

  it('that began apart both stand, and each station is told', async () => {
    const [one, two] = [await opened('Station 1'), await opened('Station 2')]
    await apart(one, two)
    const [first, second] = [await begin(one), await begin(two)]
    await scan(one, first, item(0))
    await scan(two, second, item(1))
    await back(one, two)
    await expect.poll(() => offered(one)).toMatchObject([{ id: second, station: 'Station 2', overlaps: [first] }])
    await expect.poll(() => offered(two)).toMatchObject([{ id: first, station: 'Station 1', overlaps: [second] }])
    expect((await count(one, first)).scanned).toBe(1)
    expect((await count(two, second)).scanned).toBe(1)
    expect(await two.refused('stock.join', { countId: first })).toMatchObject({ code: 'stock/count-open' })
    await two.ask('stock.drop', { countId: second })
    await expect.poll(() => offered(one)).toEqual([])
    await join(two, first)
    await scanned(two, first).toBe(1)
  })

  it('is not joined if it is unknown, and not without an answer', async () => {
    const one = await opened('Station 1')
    const countId = CountId.parse(randomUUID())
    expect(await one.refused('stock.join', { countId })).toEqual({ code: 'stock/no-count' })
    await apart(one)
    expect(await one.refused('stock.join', { countId })).toEqual({ code: 'hub/unreachable' })
    await back(one)
  })
})

describe('what a station of a count knows', () => {
  it('decides what was expected of its scans: an item that was sold there is unexpected, also before the service has it', async () => {
    const { one, two, id } = await both()
    await scan(one, id, ...items.slice(2))
    // Sold at the second station, found on the shelf there, and the service doesn't take the report.
    await two.knobs.setFaults({ rules: [{ kind: 'status', code: 503, method: 'POST' }] })
    await stepsOf(() => two).sell('FRONT-1', [item(0)])
    await scan(two, id, item(0))
    await scanned(one, id).toBe(19)
    await one.ask('stock.finish', { countId: id })
    const read = () => one.ask('stock.ledger', undefined)
    await expect.poll(async () => (await read()).refresh.state).toBe('idle')
    await results(one, id).toMatchObject({ found: 18, missing: 1, unexpected: 1 })
    await two.knobs.setFaults({})
    await two.drained()
    await one.ask('stock.refresh', undefined)
    await expect.poll(async () => (await read()).items).toBe(19)
    await results(one, id).toMatchObject({ found: 18, missing: 1, unexpected: 1 })
    const { differences } = await one.ask('stock.differences', { countId: id, filter: {}, after: null })
    expect(differences).toContainEqual(expect.objectContaining({ tagId: item(0), result: 'unexpected', why: 'sold' }))
  })

  it('is corrected by a newer return at the station that finishes, once its case was read', async () => {
    const [one, two] = [await opened('Station 1'), await opened('Station 2')]
    await stepsOf(() => two).sell('FRONT-1', [item(0)])
    await two.drained()
    // The other station doesn't know of it.
    await one.ask('checkout.setOrder', { mode: 'return', orderId: 'FRONT-1' })
    await one.ask('checkout.addItem', { mode: 'return', tagId: item(0) })
    await stepsOf(() => one).finish('return')
    await one.drained()
    const id = await begin(one)
    await join(two, id)
    await scan(two, id, ...items)
    await scanned(one, id).toBe(20)
    await one.ask('stock.finish', { countId: id })
    await results(one, id).toMatchObject({ found: 20, missing: 0, unexpected: 0 })
  })

  it('counts an item as found that was scanned and then sold at another station', async () => {
    const { one, two, id } = await both()
    await scan(two, id, ...items)
    await stepsOf(() => two).sell('FRONT-1', [item(0)])
    await two.drained()
    await scanned(one, id).toBe(20)
    await one.ask('stock.finish', { countId: id })
    await results(one, id).toMatchObject({ found: 20, missing: 0, unexpected: 0 })
  })

  it('is no difference if it sold an item after the count began and before it joined', async () => {
    const [one, two] = [await opened('Station 1'), await opened('Station 2')]
    const id = await begin(one)
    const steps = stepsOf(() => two)
    await steps.sell('FRONT-1', [item(0)])
    await two.drained()
    await join(two, id)
    await scan(two, id, ...items.slice(1))
    await scanned(one, id).toBe(19)
    await two.ask('stock.finish', { countId: id })
    await results(two, id).toMatchObject({ found: 19, missing: 0, unexpected: 0, moved: 1 })
  })
})

describe('a station of a count that has not read the shelf', () => {
  const missing = async (station: Station, countId: CountId) => {
    const { differences } = await station.ask('stock.differences', { countId, filter: {}, after: null })
    return differences.map(({ tagId, result }) => [tagId, result]).toSorted()
  }
  const lost = [item(18), item(19)].map((tagId) => [tagId, 'missing']).toSorted()

  it('reads it when it counts along, and finds what is missing', async () => {
    const [one, two] = [await opened('Station 1'), await store.station('Station 2')]
    await two.ask('receiving.package', { packageUid: delivery(3) })
    const id = await begin(one)
    await join(two, id)
    await scan(one, id, ...items.slice(0, 18))
    await scanned(two, id).toBe(18)
    await expect.poll(async () => (await two.ask('stock.ledger', undefined)).items).toBe(20)
    await two.ask('stock.finish', { countId: id })
    await results(two, id).toMatchObject({ expected: 20, found: 18, missing: 2, moved: 0 })
    expect(await missing(two, id)).toEqual(lost)
  })

  it('reads the cases that the station expected that began, also those in which nothing was scanned', async () => {
    const [one, two] = [await opened('Station 1'), await store.station('Station 2')]
    const id = await begin(one)
    await join(two, id)
    await expect.poll(async () => (await two.ask('stock.ledger', undefined)).items).toBe(20)
    await two.ask('stock.finish', { countId: id })
    await results(two, id).toMatchObject({ expected: 20, found: 0, missing: 20 })
  })

  it('can’t finish it while it knows nothing of what is counted; what it reads afterwards is expected', async () => {
    const [one, two] = [await opened('Station 1'), await store.station('Station 2')]
    const id = await begin(one)
    await two.knobs.setFaults({ rules: [{ kind: 'status', code: 503, method: 'GET' }] })
    await join(two, id)
    await scan(one, id, ...items.slice(0, 18))
    await scanned(two, id).toBe(18)
    // The service doesn't answer: what should be here can't be read.
    expect((await two.ask('stock.ledger', undefined)).asOf).toMatchObject({ cases: 1, unread: 1 })
    expect(await two.refused('stock.finish', { countId: id })).toEqual({ code: 'stock/not-read' })
    expect(await state(two, id)).toMatchObject({ state: 'counting' })
    await two.knobs.setFaults({})
    await two.ask('stock.refresh', undefined)
    await expect.poll(async () => (await two.ask('stock.ledger', undefined)).items).toBe(20)
    await two.ask('stock.finish', { countId: id })
    await results(two, id).toMatchObject({ expected: 20, found: 18, missing: 2 })
  })
})

describe('a shelf count at the hub', () => {
  const scope = { kind: 'all' as const }
  const epochOf = async (hub: Hub) => {
    const epoch = await hub.epoch()
    if (epoch === undefined) throw new Error('no answer')
    return epoch
  }
  const begun = async (hub: Hub) => {
    const id = CountId.parse(randomUUID())
    expect(await hub.shelf.put(id, { scope, startedAt: 1 }, false)).toBe(true)
    return id
  }
  const end = (hub: Hub, as: 'finished' | 'signed' | 'dropped') =>
    JSON.stringify({
      ...{ state: as, stationId: hub.stationId, station: 'X', at: 1, signedAt: null, signature: null, results: null },
    })
  const ended = async (hub: Hub, id: CountId) => (await hub.shelf.status([id]))?.get(id)

  it('keeps the first scan of an item with what its station knew, until that is undone', async () => {
    const [one, two] = [await joinHub(store.address, 'A'), await joinHub(store.address, 'B')]
    const id = await begun(one)
    const key = TagId.parse(item(0))
    const entry = (value: string, isGone = false) => ({ key, value, at: 1, isGone, isOthers: false })
    await one.shelf.push(await epochOf(one), id, [entry('first')])
    await two.shelf.push(await epochOf(two), id, [entry('second')])
    const there = async () => (await two.shelf.since(id, 0))?.entries
    expect(await there()).toMatchObject([{ value: 'first', stationName: 'A' }])
    await one.shelf.push(await epochOf(one), id, [entry('first', true)])
    await two.shelf.push(await epochOf(two), id, [entry('second')])
    expect(await there()).toMatchObject([{ value: 'second', stationName: 'B', isGone: false }])
    expect((await one.shelf.open())?.map((open) => open.scanned)).toEqual([1])
    await Promise.all([one.close(), two.close()])
  })

  it('is over once it is signed, whatever is told later, and can’t be given up by a station that didn’t finish it', async () => {
    const [one, two] = [await joinHub(store.address, 'A'), await joinHub(store.address, 'B')]
    const id = await begun(one)
    expect(await one.shelf.finish(await epochOf(one), id, true, end(one, 'finished'))).toBe(true)
    expect(await two.shelf.finish(await epochOf(two), id, true, end(two, 'dropped'))).toBe(true)
    expect(await ended(two, id)).toMatchObject({ isFinished: true, ended: end(one, 'finished') })
    expect(await one.shelf.finish(await epochOf(one), id, true, end(one, 'signed'))).toBe(true)
    const before = await ended(one, id)
    expect(before).toMatchObject({ ended: end(one, 'signed') })
    expect(await two.shelf.finish(await epochOf(two), id, false)).toBe(true)
    expect(await two.shelf.finish(await epochOf(two), id, true, end(two, 'finished'))).toBe(true)
    expect(await ended(two, id)).toEqual(before)
    // Given up at one while the other one, apart, finished it.
    const another = await begun(one)
    expect(await two.shelf.finish(await epochOf(two), another, true, end(two, 'dropped'))).toBe(true)
    expect(await two.shelf.finish(await epochOf(two), another, false)).toBe(true)
    expect(await ended(two, another)).toMatchObject({ ended: end(two, 'dropped') })
    expect(await one.shelf.finish(await epochOf(one), another, true, end(one, 'finished'))).toBe(true)
    expect(await ended(two, another)).toMatchObject({ ended: end(one, 'finished') })
    await Promise.all([one.close(), two.close()])
  })

  it('is finished by the station that finished it, also if another one gave it up with a later epoch and was first', async () => {
    const [one, two] = [await joinHub(store.address, 'A'), await joinHub(store.address, 'B')]
    const id = await begun(one)
    // Both come back in the same moment.
    const [stale, reopened, ofOne] = [await epochOf(one), await epochOf(one), await epochOf(one)]
    const ofTwo = await epochOf(two)
    expect(await two.shelf.finish(ofTwo, id, true, end(two, 'dropped'))).toBe(true)
    expect(await one.shelf.finish(ofOne, id, true, end(one, 'finished'))).toBe(true)
    expect(await ended(two, id)).toMatchObject({ ended: end(one, 'finished') })

    // An end that was taken back before it was given up is over, however late it comes.
    const another = await begun(one)
    expect(await one.shelf.finish(reopened, another, false)).toBe(true)
    expect(await two.shelf.finish(ofTwo, another, true, end(two, 'dropped'))).toBe(true)
    expect(await one.shelf.finish(stale, another, true, end(one, 'finished'))).toBe(true)
    expect(await ended(two, another)).toMatchObject({ ended: end(two, 'dropped') })
    await Promise.all([one.close(), two.close()])
  })

  it('ignores what reaches it late, and leaves out what it can’t read', async () => {
    const hub = await joinHub(store.address, 'A')
    const id = await begun(hub)
    const [late, now] = [await epochOf(hub), await epochOf(hub)]
    expect(await hub.shelf.finish(now, id, true, end(hub, 'finished'))).toBe(true)
    expect(await hub.shelf.finish(late, id, false)).toBe(true)
    expect(await ended(hub, id)).toMatchObject({ isFinished: true })
    expect(await hub.shelf.join(id)).toBe('unknown')
    const open = await begun(hub)
    await store.sql(`UPDATE countertag.shared_shelf SET body = '{}' WHERE id = '${open}'`)
    expect(await hub.shelf.open()).toEqual([])
    expect(await hub.shelf.join(open)).toBe('unknown')
    await hub.close()
  })
})

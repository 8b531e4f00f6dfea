import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { CaseId, CountId, TagId } from '../../../src-shared/ids'
import type { CountView } from '../../../src-shared/ipc/contract/count'
import type { Hub } from '../../../src-main/hub/port'
import type { CountBody } from '../../../src-main/hub/rows'
import { joinHub } from '../../hub/station'
import { inStore, situation } from '../../hub/store'
import { useStore } from '../../hub/use-store'
import { caseNamed, tagNamed } from '../core/receiving-desk'
import type { Station } from '../core/station'

const store = useStore()

const house = caseNamed('house 1')
const tags = Array.from({ length: 12 }, (_, at) => tagNamed(`house 1 GD-HF-35 ${at + 1}`))
const tag = (place: number) => tags[place] ?? ''
const loose = tagNamed('house short loose 1')

const begin = async (station: Station) => {
  await station.ask('receiving.case', { identifier: house })
  return (await station.ask('receiving.startCount', { caseId: house })).id
}
const scan = (station: Station, countId: string, tagId: string) => station.ask('receiving.countTag', { countId, tagId })
const openCount = (station: Station) => station.ask('receiving.openCount', undefined)
const figures = (count: CountView | null) =>
  count && { counted: count.counted, strangers: count.strangers, stations: count.stations }
const follows = (station: Station) => expect.poll(async () => figures(await openCount(station)))
/** Two stations that count one case. */
const both = async () => {
  const [one, two] = [await store.station('Station 1'), await store.station('Station 2')]
  const id = await begin(one)
  await expect.poll(() => two.ask('receiving.storeCounts', undefined)).toHaveLength(1)
  await two.ask('receiving.joinCount', { countId: id })
  return { one, two, id }
}

describe('a count by two stations', () => {
  it('is offered at the other one, and has the scans of both at both', async () => {
    const [one, two] = [await store.station('Station 1'), await store.station('Station 2')]
    const id = await begin(one)
    await scan(one, id, tag(0))
    await expect
      .poll(() => two.ask('receiving.storeCounts', undefined))
      .toMatchObject([{ id, station: 'Station 1', caseCount: 1, total: 12, scanned: 1 }])
    expect(await one.ask('receiving.storeCounts', undefined)).toEqual([])
    expect(await two.ask('receiving.joinCount', { countId: id })).toEqual({ id })
    await follows(two).toEqual({ counted: 1, strangers: 0, stations: [{ station: 'Station 1', scanned: 1 }] })
    expect(await scan(two, id, tag(0))).toMatchObject({ kind: 'repeat', station: 'Station 1' })
    await scan(two, id, tag(1))
    await scan(two, id, loose)
    await follows(one).toEqual({
      counted: 2,
      strangers: 1,
      stations: [
        { station: null, scanned: 1 },
        { station: 'Station 2', scanned: 2 },
      ],
    })
    await one.ask('receiving.uncountTag', { countId: id, tagId: tag(1) })
    await follows(two).toMatchObject({ counted: 1, strangers: 1 })
    expect(await two.ask('receiving.storeCounts', undefined)).toEqual([])
  })

  it('is not offered while the hub does not answer, and again afterwards', async () => {
    const [one, two] = [await store.station('Station 1'), await store.station('Station 2')]
    await begin(one)
    const offered = () => two.ask('receiving.storeCounts', undefined)
    await expect.poll(offered).toHaveLength(1)
    const shown: number[] = []
    const stop = two.client.on('receiving.storeCounts', (list) => shown.push(list.length))
    await store.stop()
    await situation(two, 'offline')
    await expect.poll(offered).toEqual([])
    expect(shown.at(-1)).toBe(0)
    await store.start()
    await situation(two, 'online')
    await expect.poll(offered).toHaveLength(1)
    stop()
  })

  it('is joined by starting one with the same case, and refused while another one is open', async () => {
    const [one, two] = [await store.station('Station 1'), await store.station('Station 2')]
    const id = await begin(one)
    await expect.poll(() => two.ask('receiving.storeCounts', undefined)).toHaveLength(1)
    expect(await begin(two)).toBe(id)
    const another = '9af49740-96f5-40ee-9e25-02420ae59635'
    expect(await one.refused('receiving.joinCount', { countId: another })).toEqual({ code: 'receiving/no-count' })
    const strange = caseNamed('blue dune')
    await two.ask('receiving.case', { identifier: strange })
    expect(await two.refused('receiving.startCount', { caseId: strange })).toEqual({ code: 'receiving/count-open' })
  })

  it('counts an item once that both scanned while apart, and is finished and reopened for both', async () => {
    const { one, two, id } = await both()
    await store.stop()
    await Promise.all([situation(one, 'offline'), situation(two, 'offline')])
    for (const place of [0, 1, 2]) await scan(one, id, tag(place))
    for (const place of [2, 3]) expect((await scan(two, id, tag(place))).kind).toBe('counted')
    await store.start()
    await Promise.all([situation(one, 'online'), situation(two, 'online')])
    await follows(one).toMatchObject({ counted: 4 })
    await follows(two).toMatchObject({ counted: 4 })
    const sums = async (station: Station) =>
      (await openCount(station))?.stations.reduce((sum, { scanned }) => sum + scanned, 0)
    await expect.poll(() => Promise.all([sums(one), sums(two)])).toEqual([4, 4])
    await two.ask('receiving.finishCount', { countId: id })
    await expect.poll(() => openCount(one)).toBeNull()
    const missing = async (station: Station) =>
      (await station.ask('receiving.countDetail', { countId: id })).differences.map(({ tagId }) => tagId).sort()
    expect(await missing(one)).toEqual(tags.slice(4).toSorted())
    expect(await missing(two)).toEqual(await missing(one))
    await one.ask('receiving.reopenCount', { countId: id })
    await expect.poll(async () => (await openCount(two))?.id).toBe(id)
  })

  it('keeps what was scanned before a crash, and tells it after the start', async () => {
    const { one, two, id } = await both()
    await store.stop()
    await situation(two, 'offline')
    await scan(two, id, tag(5))
    await two.restart()
    await store.start()
    await Promise.all([situation(one, 'online'), situation(two, 'online')])
    await follows(one).toMatchObject({ counted: 1, stations: [{ station: 'Station 2', scanned: 1 }] })
  })

  it('takes scans that were made apart into a finished count, which stays finished', async () => {
    const { one, two, id } = await both()
    await store.stop()
    await Promise.all([situation(one, 'offline'), situation(two, 'offline')])
    await scan(two, id, tag(7))
    await one.ask('receiving.finishCount', { countId: id })
    await store.start()
    await Promise.all([situation(one, 'online'), situation(two, 'online')])
    await expect.poll(() => openCount(two)).toBeNull()
    await expect
      .poll(async () => (await one.ask('receiving.countDetail', { countId: id })).count)
      .toMatchObject({ counted: 1 })
    expect((await one.ask('receiving.countDetail', { countId: id })).count.finishedAt).not.toBeNull()
  })

  it('is told again to a hub that lost it', async () => {
    const { one, two, id } = await both()
    await scan(one, id, tag(0))
    await scan(two, id, tag(1))
    await follows(one).toMatchObject({ counted: 2 })
    await follows(two).toMatchObject({ counted: 2 })
    await store.sql('DELETE FROM countertag.shared_count')
    await one.restart()
    await two.restart()
    await Promise.all([situation(one, 'online'), situation(two, 'online')])
    await expect
      .poll(() => store.sql('SELECT count(*)::int AS scans FROM countertag.count_scan'))
      .toEqual([{ scans: 2 }])
    await follows(one).toMatchObject({ counted: 2 })
  })

  it('is not opened again by a station that stopped in the middle of joining it', async () => {
    const [one, two] = [await store.station('Station 1'), await store.station('Station 2')]
    const id = await begin(one)
    await scan(one, id, tag(0))
    // The commit after the one that has the count.
    await two.restart(() => {
      inStore(
        two,
        `CREATE TRIGGER stops BEFORE UPDATE OF mark ON shared_list BEGIN SELECT RAISE(ABORT, 'stopped'); END`,
      )
    })
    await situation(two, 'online')
    await expect.poll(() => two.ask('receiving.storeCounts', undefined)).toHaveLength(1)
    await expect(two.ask('receiving.joinCount', { countId: id })).rejects.toThrow()
    const finished = () => store.sql('SELECT finished_at IS NOT NULL AS finished FROM countertag.shared_count')
    await two.restart(async () => {
      inStore(two, 'DROP TRIGGER stops')
      await one.ask('receiving.finishCount', { countId: id })
      await expect.poll(finished).toEqual([{ finished: true }])
    })
    await situation(two, 'online')
    await expect.poll(() => openCount(two)).toBeNull()
    expect(await openCount(one)).toBeNull()
    expect(await finished()).toEqual([{ finished: true }])
  })

  it('stays finished in a hub made anew, also for a station that was off when it was finished', async () => {
    const { one, two, id } = await both()
    await scan(two, id, tag(3))
    await follows(one).toMatchObject({ counted: 1 })
    const finished = () => store.sql('SELECT finished_at IS NOT NULL AS finished FROM countertag.shared_count')
    await two.restart(async () => {
      await one.ask('receiving.finishCount', { countId: id })
      await expect.poll(finished).toEqual([{ finished: true }])
      await store.sql('DELETE FROM countertag.shared_count')
      await one.restart()
      await situation(one, 'online')
      await expect.poll(finished).toEqual([{ finished: true }])
    })
    await situation(two, 'online')
    await expect.poll(() => store.sql('SELECT tag FROM countertag.count_scan')).toEqual([{ tag: tag(3) }])
    await expect.poll(() => openCount(two)).toBeNull()
    expect(await finished()).toEqual([{ finished: true }])
    expect(await openCount(one)).toBeNull()
  })

  it('has its differences settled by one station', async () => {
    const { one, two, id } = await both()
    for (const tagId of tags.slice(1)) await scan(one, id, tagId)
    await follows(two).toMatchObject({ counted: 11 })
    await one.ask('receiving.finishCount', { countId: id })
    await expect.poll(() => openCount(two)).toBeNull()
    const settle = { countId: id, changes: [{ caseId: house, tagIds: [tag(0)] }], how: 'ignore' as const }
    await one.ask('receiving.resolve', settle)
    const elsewhere = { code: 'receiving/settled-elsewhere', station: 'Station 1', isOff: false }
    expect(await two.refused('receiving.resolve', settle)).toEqual(elsewhere)
    // Not while that station is there.
    const takeOver = { countId: id, approval: { reason: 'Station 1 has no power' } }
    expect(await two.refused('receiving.takeOverSettling', takeOver)).toEqual(elsewhere)
    expect(await two.refused('receiving.takeOverSettling', { countId: id })).toEqual({ code: 'gate/reason-missing' })
    await one.restart(async () => {
      expect(await two.refused('receiving.resolve', settle)).toEqual({ ...elsewhere, isOff: true })
      expect(await two.refused('receiving.takeOverSettling', { countId: id })).toEqual({ code: 'gate/reason-missing' })
      await two.ask('receiving.takeOverSettling', takeOver)
      // Again after a lost answer.
      await two.ask('receiving.takeOverSettling', takeOver)
      await two.ask('receiving.resolve', settle)
    })
    await situation(one, 'online')
    await expect
      .poll(() => one.ask('hub.notices', undefined))
      .toMatchObject([{ what: 'settling', station: 'Station 2', because: 'Station 1 has no power' }])
    expect(await two.ask('hub.notices', undefined)).toEqual([])
    expect(await one.refused('receiving.resolve', settle)).toEqual({ ...elsewhere, station: 'Station 2' })
    const unknown = { ...takeOver, countId: '9af49740-96f5-40ee-9e25-02420ae59635' }
    expect(await two.refused('receiving.takeOverSettling', unknown)).toEqual({ code: 'receiving/no-count' })
    await store.stop()
    await situation(one, 'offline')
    expect(await one.refused('receiving.takeOverSettling', takeOver)).toEqual({ code: 'hub/unreachable' })
    await store.start()
    await Promise.all([situation(one, 'online'), situation(two, 'online')])
  })

  it('names a station that counted along and may have scans that are not told, before items are reported as missing', async () => {
    const { one, two, id } = await both()
    await scan(one, id, tag(0))
    await one.ask('receiving.finishCount', { countId: id })
    const behind = async () => (await one.ask('receiving.countDetail', { countId: id })).behind
    await expect.poll(behind).toEqual([])
    const says = (text: string) => store.sql(`UPDATE countertag.station SET ${text} WHERE name = 'Station 2'`)
    await two.restart(async () => {
      // It was closed, and said that nothing was left.
      await says(`seen_at = now() - interval '1 hour'`)
      expect(await behind()).toEqual([])
      await says(`says = says || '{"scansUntold": 2}'`)
      expect(await behind()).toEqual(['Station 2'])
      // It was cut off: what it has is not known.
      await says(`says = says || '{"isOff": false, "scansUntold": 0}'`)
      expect(await behind()).toEqual(['Station 2'])
      await says(`says = '{}'`)
      expect(await behind()).toEqual(['Station 2'])
    })
    await situation(two, 'online')
    await expect.poll(behind).toEqual([])
    // A station that never counted along has nothing to tell.
    await store.sql(`INSERT INTO countertag.station (id, name, version, seen_at)
      VALUES (gen_random_uuid(), 'Front 3', '0', now() - interval '1 hour')`)
    expect(await behind()).toEqual([])
  })

  it('names it also at a hub that lost the count', async () => {
    const { one, two, id } = await both()
    await scan(one, id, tag(0))
    await follows(two).toMatchObject({ counted: 1 })
    await store.sql('DELETE FROM countertag.shared_count')
    await one.restart()
    await situation(one, 'online')
    await expect.poll(() => store.sql('SELECT scanned FROM countertag.shared_count')).toEqual([{ scanned: 1 }])
    await two.restart()
    await situation(two, 'online')
    const counting = () =>
      store.sql(
        'SELECT name FROM countertag.count_station JOIN countertag.station ON station.id = station ORDER BY name',
      )
    await expect.poll(counting).toEqual([{ name: 'Station 1' }, { name: 'Station 2' }])
    await two.restart(async () => {
      await store.sql(`UPDATE countertag.station SET says = says || '{"scansUntold": 2}' WHERE name = 'Station 2'`)
      await one.ask('receiving.finishCount', { countId: id })
      expect((await one.ask('receiving.countDetail', { countId: id })).behind).toEqual(['Station 2'])
    })
    await situation(two, 'online')
  })

  it('keeps an item that one station scanned and undid while the other one scanned it, both apart', async () => {
    const { one, two, id } = await both()
    await store.stop()
    await Promise.all([situation(one, 'offline'), situation(two, 'offline')])
    for (const tagId of tags.slice(0, 6)) {
      await scan(one, id, tagId)
      await scan(two, id, tagId)
    }
    for (const tagId of tags.slice(0, 3)) await one.ask('receiving.uncountTag', { countId: id, tagId })
    for (const tagId of tags.slice(3, 6)) await two.ask('receiving.uncountTag', { countId: id, tagId })
    await store.start()
    await Promise.all([situation(one, 'online'), situation(two, 'online')])
    await follows(one).toMatchObject({ counted: 6 })
    await follows(two).toMatchObject({ counted: 6 })
  })

  it('reads on behind thousands of scans that can’t be read', async () => {
    const { one, id } = await both()
    await store.sql(`INSERT INTO countertag.count_scan
      SELECT '${id}', 'bad ' || n, gen_random_uuid(), 'Old', 1, false, 0, n + 10 FROM generate_series(1, 2500) AS n`)
    await store.sql(
      `INSERT INTO countertag.count_scan VALUES ('${id}', '${tag(0)}', gen_random_uuid(), 'Old', 1, false, 0, 3000)`,
    )
    await store.sql('UPDATE countertag.shared_count SET revision = 3000')
    await store.sql(`NOTIFY countertag, 'counts'`)
    await follows(one).toMatchObject({ counted: 1, stations: [{ station: 'Old', scanned: 1 }] })
  })

  it('leaves out a scan that can’t be read, and joins no count that can’t be read', async () => {
    const { one, id } = await both()
    await scan(one, id, tag(0))
    await expect
      .poll(() => store.sql('SELECT count(*)::int AS scans FROM countertag.count_scan'))
      .toEqual([{ scans: 1 }])
    await store.sql(`INSERT INTO countertag.count_scan
      SELECT count, 'not a tag', gen_random_uuid(), 'Old', 1, false, 0, revision FROM countertag.count_scan`)
    await store.sql(`UPDATE countertag.shared_count SET revision = revision + 1`)
    await scan(one, id, tag(1))
    await follows(one).toMatchObject({ counted: 2, strangers: 0 })
    await one.ask('receiving.finishCount', { countId: id })
    const three = await store.station('Station 3')
    for (const body of ['{}', '{"caseId": null, "startedAt": 1, "cases": []}']) {
      await store.sql(`UPDATE countertag.shared_count SET body = '${body}', finished_at = NULL`)
      expect(await three.refused('receiving.joinCount', { countId: id })).toEqual({ code: 'receiving/no-count' })
    }
  })

  it('is one count where two stations begin it in the same moment, with what both scanned', async () => {
    const [one, two] = [await store.station('Station 1'), await store.station('Station 2')]
    for (const station of [one, two]) await station.ask('receiving.case', { identifier: house })
    const shown: string[] = []
    const stop = two.client.on('receiving.count', ({ id }) => shown.push(id))
    const [first, second] = await Promise.all(
      [one, two].map(async (station, place) => {
        const { id } = await station.ask('receiving.startCount', { caseId: house })
        await scan(station, id, tag(place))
        return id
      }),
    )
    if (first === undefined || second === undefined) throw new Error('no count')
    for (const station of [one, two]) await follows(station).toMatchObject({ counted: 2 })
    const there = (await openCount(one))?.id
    expect((await openCount(two))?.id).toBe(there)
    expect([first, second]).toContain(there)
    expect(await store.sql('SELECT id, scanned FROM countertag.shared_count')).toEqual([{ id: there, scanned: 2 }])
    // A page that has not heard of it yet goes on.
    await scan(two, second, tag(2))
    await scan(one, first, tag(3))
    for (const station of [one, two]) await follows(station).toMatchObject({ counted: 4 })
    expect(shown.at(-1)).toBe(there)
    stop()
    await one.ask('receiving.finishCount', { countId: first })
    await expect.poll(() => openCount(two)).toBeNull()
  })

  it('is one count where two stations began it apart, also after a crash', async () => {
    const [one, two] = [await store.station('Station 1'), await store.station('Station 2')]
    await store.stop()
    await Promise.all([situation(one, 'offline'), situation(two, 'offline')])
    const ids = [await begin(one), await begin(two)]
    await scan(one, ids[0] ?? '', tag(0))
    await scan(two, ids[1] ?? '', tag(0))
    await scan(two, ids[1] ?? '', tag(1))
    await two.restart()
    await store.start()
    await Promise.all([situation(one, 'online'), situation(two, 'online')])
    await follows(one).toMatchObject({ counted: 2, strangers: 0 })
    await follows(two).toMatchObject({ counted: 2, strangers: 0 })
    expect((await openCount(one))?.id).toBe((await openCount(two))?.id)
    expect(await store.sql('SELECT scanned FROM countertag.shared_count')).toEqual([{ scanned: 2 }])
  })

  it('stays beside another one that began after it was finished, if it is reopened', async () => {
    const [one, two] = [await store.station('Station 1'), await store.station('Station 2')]
    const before = await begin(one)
    await one.ask('receiving.finishCount', { countId: before })
    await expect
      .poll(() => store.sql('SELECT 1 FROM countertag.shared_count WHERE finished_at IS NOT NULL'))
      .toHaveLength(1)
    const after = await begin(two)
    expect(after).not.toBe(before)
    await expect
      .poll(() => store.sql('SELECT 1 FROM countertag.shared_count WHERE finished_at IS NULL'))
      .toHaveLength(1)
    await one.ask('receiving.reopenCount', { countId: before })
    await expect
      .poll(() => store.sql('SELECT 1 FROM countertag.shared_count WHERE finished_at IS NULL'))
      .toHaveLength(2)
    expect((await openCount(one))?.id).toBe(before)
    expect((await openCount(two))?.id).toBe(after)
  })
})

describe('a count at the hub', () => {
  const body = (caseId: CaseId | null): CountBody => ({
    ...{ caseId, startedAt: Date.now() },
    cases: [{ caseId: CaseId.parse(house), identifier: 'house 1', productName: null, tagIds: [TagId.parse(tag(0))] }],
  })
  const open = { isFinished: false, openCase: CaseId.parse(house) }
  const begun = async (hub: Hub) => {
    const [id, turn] = [CountId.parse(randomUUID()), await hub.epoch()]
    if (turn === undefined) throw new Error('no answer')
    return { id, turn, there: await hub.counts.put(turn, id, body(open.openCase), open) }
  }
  const ended = async (hub: Hub, id: CountId) => (await hub.counts.status([id]))?.get(id)?.isFinished

  it('is the first one of its case, for all that begin it at once and for those that begin it again', async () => {
    const hubs = await Promise.all(['A', 'B', 'C', 'D'].map((name) => joinHub(store.address, name)))
    for (let round = 0; round < 5; round++) {
      const all = await Promise.all(hubs.map(begun))
      const [there, another] = new Set(all.map((one) => one.there))
      expect([there !== undefined, another]).toEqual([true, undefined])
      const [hub] = hubs
      const first = all.find(({ id }) => id === there)
      if (!hub || !first) throw new Error('no count')
      expect(await hub.counts.put(first.turn, first.id, body(open.openCase), open)).toBe(there)
      const epoch = (await hub.epoch()) ?? 0
      expect(await hub.counts.finish(epoch, first.id, true)).toBe(true)
    }
    await Promise.all(hubs.map((hub) => hub.close()))
  })

  it('lets its case go after a week, and shares a count of several cases with no other', async () => {
    const hub = await joinHub(store.address, 'A')
    const before = await begun(hub)
    await store.sql(`UPDATE countertag.shared_count SET started_at = now() - interval '8 days'`)
    const after = await begun(hub)
    expect([before.there, after.there]).toEqual([before.id, after.id])
    for (let count = 0; count < 2; count++) {
      const id = CountId.parse(randomUUID())
      const how = { isFinished: false, openCase: null }
      expect(await hub.counts.put((await hub.epoch()) ?? 0, id, body(null), how)).toBe(id)
    }
    await hub.close()
  })

  it('ignores an end that reaches it after a newer reopening, and a reopening after a newer end', async () => {
    const hub = await joinHub(store.address, 'A')
    const { id } = await begun(hub)
    for (const isFinished of [true, false]) {
      const [late, now] = [await hub.epoch(), await hub.epoch()]
      if (late === undefined || now === undefined) throw new Error('no answer')
      expect(await hub.counts.finish(now, id, isFinished)).toBe(true)
      const before = await hub.counts.status([id])
      expect(await hub.counts.finish(late, id, !isFinished)).toBe(true)
      expect(await ended(hub, id)).toBe(isFinished)
      // Nothing changed: no station has to read it again.
      expect(await hub.counts.status([id])).toEqual(before)
      // Told again after a lost answer.
      expect(await hub.counts.finish(now, id, isFinished)).toBe(true)
      expect(await ended(hub, id)).toBe(isFinished)
    }
    expect(await hub.counts.finish(1, CountId.parse(randomUUID()), true)).toBe('unknown')
    await hub.close()
  })

  it('knows how many items were scanned without counting them, whatever was told, undone and told again', async () => {
    const [one, two] = [await joinHub(store.address, 'A'), await joinHub(store.address, 'B')]
    const { id } = await begun(one)
    const scans = (from: number, to: number, isGone: boolean, isOthers = false) =>
      tags.slice(from, to).map((tagId) => ({ key: TagId.parse(tagId), value: null, at: 1, isGone, isOthers }))
    const tell = async (hub: Hub, list: ReturnType<typeof scans>) =>
      expect(await hub.counts.push((await hub.epoch()) ?? 0, id, list)).toBe(true)
    const scanned = async () => {
      const [listed] = (await one.counts.open()) ?? []
      const [counted] = await store.sql('SELECT count(*)::int AS scans FROM countertag.count_scan WHERE NOT is_gone')
      expect(listed?.scanned).toBe(counted?.scans)
      return listed?.scanned
    }
    await tell(one, scans(0, 6, false))
    expect(await scanned()).toBe(6)
    await tell(two, scans(4, 9, false))
    expect(await scanned()).toBe(9)
    await tell(one, [...scans(0, 3, true), ...scans(10, 12, true)])
    expect(await scanned()).toBe(6)
    await tell(two, [...scans(0, 1, false), ...scans(3, 4, true, true)])
    expect(await scanned()).toBe(6)
    await Promise.all(
      [one, two].flatMap((hub) => [0, 1, 2].map((n) => tell(hub, scans(n, 12, hub === two && n === 1)))),
    )
    await scanned()
    await Promise.all([one.close(), two.close()])
  })
})

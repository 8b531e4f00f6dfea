import { randomUUID } from 'node:crypto'
import Sqlite from 'better-sqlite3'
import { z } from 'zod'
import { afterEach, describe, expect, it } from 'vitest'
import { createHubMemory, rememberStations, seenSetting } from '../../../src-main/hub/memory'
import type { Hub } from '../../../src-main/hub/port'
import { silentLog } from '../../../src-main/core/log'
import { schemaVersion } from '../../../src-main/database/migrations'
import { emptyFile } from '../../../src-main/database/schema'
import { createSettings } from '../../../src-main/database/settings'
import { tag } from '../../fakes/ids'
import { startSlowLine } from '../../hub/slow-line'
import { joinHub, openHub, situation } from '../../hub/station'
import { useHub } from '../../hub/use-store'

const server = useHub()
const closing: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})
const later = (hub: Hub): Hub => {
  closing.push(() => hub.close())
  return hub
}

/** The last session wasn't heard of for long, however young the server of the test is. */
const notHeard = () => server.sql(`UPDATE countertag.session SET heard_at = '-infinity'`)

const scan = (n: number) => ({ tagId: tag(n), kind: 'cart', orderId: null, at: 0 }) as const
const [tillId, otherId] = [randomUUID(), randomUUID()]

/** The data of a computer. `image`: what a copy of it has from its past. */
const computer = (image?: Buffer, id = tillId) => {
  const db = new Sqlite(image ?? emptyFile(schemaVersion))
  closing.push(() => void db.close())
  const settings = createSettings(db, silentLog)
  return {
    settings,
    image: () => db.serialize(),
    /** Each is a start of the app. */
    start: () => ({ stationId: id, memory: createHubMemory(db, settings, { id, name: 'Till 1' }) }),
  }
}

describe('two computers from one disk image', () => {
  it('work one at a time: the second is refused, both say so, and it begins once the first has ended', async () => {
    const first = computer()
    const one = await joinHub(server.address, 'Till 1', first.start())
    const image = first.image()
    const two = later(openHub(server.address, 'Till 1', computer(image).start()))
    await expect.poll(() => two.view().trouble).toBe('in-use')
    expect(await two.claims.take(scan(1))).toEqual({ kind: 'offline' })
    expect(await one.claims.take(scan(1))).toMatchObject({ kind: 'granted' })
    await expect.poll(() => one.view().hasRival, { timeout: 15_000 }).toBe(true)
    await one.close()
    await situation(two, 'online')
  })

  it('sell no item twice, though the first was cut off: what it holds is the other copy’s', async () => {
    const line = await startSlowLine(server.address.port)
    closing.push(() => line.close())
    const first = computer()
    const image = first.image()
    const one = later(
      await joinHub({ ...server.address, port: line.port }, 'Till 1', { ...first.start(), longest: 500 }),
    )
    expect(await one.claims.take(scan(1))).toMatchObject({ kind: 'granted' })
    line.cut('refused')
    await situation(one, 'offline')
    const two = later(openHub(server.address, 'Till 1', computer(image).start()))
    await expect.poll(() => two.view().trouble).toBe('in-use')
    await notHeard()
    await situation(two, 'online')
    expect(await two.claims.take(scan(1))).toMatchObject({ kind: 'held', by: { stationName: 'Till 1 (copy)' } })
    expect(await two.claims.own()).toMatchObject({ claims: [] })
    expect(two.view().hasCopy).toBe(true)
    // The first finds the identity in use when it comes back.
    line.mend()
    await expect.poll(() => one.view().trouble).toBe('in-use')
    // Once a person removes the copy, its items are free.
    const copy = (await two.stations.list())?.find(({ copyOf }) => copyOf === tillId)
    expect(copy).toMatchObject({ name: 'Till 1 (copy)', isGone: true })
    await two.stations.remove(copy?.id ?? '')
    expect(await two.claims.take(scan(1))).toMatchObject({ kind: 'granted' })
  })

  it('don’t change places at a short cut: the identity stays with the first, with what its orders hold', async () => {
    const line = await startSlowLine(server.address.port)
    closing.push(() => line.close())
    const first = computer()
    const image = first.image()
    const one = later(
      await joinHub({ ...server.address, port: line.port }, 'Till 1', { ...first.start(), longest: 500 }),
    )
    await one.claims.take(scan(1))
    line.cut('refused')
    await situation(one, 'offline')
    // Its connections are gone, as when PostgreSQL is restarted.
    await server.sql(
      `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name LIKE 'countertag%'`,
    )
    const two = later(openHub(server.address, 'Till 1', computer(image).start()))
    await expect.poll(() => two.view().trouble).toBe('in-use')
    line.mend()
    await situation(one, 'online')
    expect(await one.claims.own()).toMatchObject({ claims: [{ tagId: tag(1) }] })
    expect(one.view().hasCopy).toBe(false)
    expect(two.view().trouble).toBe('in-use')
  })

  it('change places at once after an orderly end', async () => {
    const first = computer()
    const image = first.image()
    await (await joinHub(server.address, 'Till 1', first.start())).close()
    const two = later(await joinHub(server.address, 'Till 1', computer(image).start()))
    expect(two.view().trouble).toBe(null)
  })

  it('are told apart by a new identity: claims of the other one are not kept as own', () => {
    const first = computer()
    first.start()
    const copy = computer(first.image(), randomUUID())
    copy.start()
    expect(copy.settings.read('hub.identity', z.looseObject({}))).toMatchObject({ from: 0 })
  })
})

describe('the connections of a session', () => {
  it('are ended before another process takes the identity of one that is not heard: nothing is granted on them later', async () => {
    const line = await startSlowLine(server.address.port)
    closing.push(() => line.close())
    later(await joinHub({ ...server.address, port: line.port }, 'Till 1', computer().start()))
    const connected = () =>
      server.sql('SELECT one FROM countertag.session, unnest(backends) AS one WHERE countertag.is_connected(one)')
    const before = await connected()
    expect(before).toHaveLength(2)
    line.cut('both swallowed')
    await notHeard()
    const two = later(await joinHub(server.address, 'Till 1', computer().start()))
    expect(await two.claims.take(scan(1))).toMatchObject({ kind: 'granted' })
    const now = await connected()
    expect(now).toHaveLength(2)
    expect(now.filter(({ one }) => before.some((other) => other['one'] === one))).toEqual([])
  })

  it('are made again by the same process after a cut, with its claims', async () => {
    const line = await startSlowLine(server.address.port)
    closing.push(() => line.close())
    const one = later(await joinHub({ ...server.address, port: line.port }, 'Till 1', computer().start()))
    await one.claims.take(scan(1))
    line.swallow()
    line.cut('refused')
    await situation(one, 'offline')
    line.mend()
    await situation(one, 'online')
    expect(await one.claims.own()).toMatchObject({ claims: [{ tagId: tag(1) }] })
  })

  it('end with a process: the next start has its claims at once', async () => {
    const till = computer()
    const one = await joinHub(server.address, 'Till 1', till.start())
    await one.claims.take(scan(1))
    // As the system does for a process that is killed.
    await server.sql(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'countertag Till 1'`,
    )
    closing.push(() => one.close())
    const next = till.start()
    await server.sql('UPDATE countertag.session SET backends = $1', ['{}'])
    const two = later(await joinHub(server.address, 'Till 1', next))
    expect(await two.claims.own()).toMatchObject({ claims: [{ tagId: tag(1) }] })
    expect(two.view().hasCopy).toBe(false)
  })
})

describe('a hub that was made anew or restored', () => {
  /** A station that was in sync with a hub, with another station. */
  const remembering = async (newest = 5) => {
    const till = computer()
    const hub = await joinHub(server.address, 'Till 1', till.start())
    const own = await hub.claims.own()
    await hub.close()
    till.settings.write(seenSetting, { hubId: own?.hubId, newest, upTo: 0 })
    rememberStations(till.settings, [
      { id: tillId, name: 'Till 1' },
      { id: otherId, name: 'Till 2' },
    ])
    return till
  }

  it.each([
    ['made anew', `DELETE FROM countertag.claim; UPDATE countertag.store SET id = gen_random_uuid()`],
    ['restored', `SELECT setval('countertag.claim_revision', 1)`],
  ])(
    '%s: what it grants is not checked with the other station until that has announced what it holds',
    async (_, sql) => {
      const till = await remembering()
      await server.sql(sql)
      const one = later(await joinHub(server.address, 'Till 1', till.start()))
      expect(one.view().awaited).toEqual(['Till 2'])
      expect(await one.claims.take(scan(1))).toMatchObject({ kind: 'granted', awaited: ['Till 2'] })
      const fresh = later(await joinHub(server.address, 'Till 3'))
      expect(await fresh.claims.take(scan(2))).toMatchObject({ kind: 'granted', awaited: ['Till 1', 'Till 2'] })
      await one.claims.announced()
      const two = later(await joinHub(server.address, 'Till 2', { stationId: otherId }))
      expect(await two.claims.own()).toMatchObject({ isAwaited: true, awaited: [] })
      await two.claims.announced()
      expect(await one.claims.take(scan(3))).toEqual({ kind: 'granted', revision: expect.any(Number) as number })
      // Known by now: nothing is awaited again.
      await one.close()
      const again = later(await joinHub(server.address, 'Till 1', till.start()))
      expect(again.view().awaited).toEqual([])
    },
  )

  it('restored to before the last start of a station: what its orders hold is its own and no copy’s, and the others are awaited', async () => {
    const till = await remembering(0)
    const one = await joinHub(server.address, 'Till 1', till.start())
    expect(await one.claims.take(scan(1))).toMatchObject({ kind: 'granted' })
    const backup = await server.sql('SELECT id FROM countertag.session')
    await one.close()
    const two = await joinHub(server.address, 'Till 1', till.start())
    const own = await two.claims.own()
    till.settings.write(seenSetting, { hubId: own?.hubId, newest: own?.newest, upTo: 0 })
    await two.close()
    // Nothing was claimed since the backup: the revisions don't show it.
    await server.sql('UPDATE countertag.session SET id = $1', [backup[0]?.['id']])
    const three = later(await joinHub(server.address, 'Till 1', till.start()))
    expect(three.view()).toMatchObject({ hasCopy: false, awaited: ['Till 2'] })
    expect(await three.claims.own()).toMatchObject({ claims: [{ tagId: tag(1) }] })
  })

  it('that lost only its last seconds, as a standby: the station whose writes are gone awaits the others', async () => {
    const till = await remembering(0)
    const line = await startSlowLine(server.address.port)
    closing.push(() => line.close())
    const one = later(
      await joinHub({ ...server.address, port: line.port }, 'Till 1', { ...till.start(), longest: 500 }),
    )
    const sessions = async () =>
      (await server.sql('SELECT jsonb_agg(session)::text AS rows FROM countertag.session'))[0]?.['rows']
    const standby = await sessions()
    expect(await one.claims.take(scan(1))).toMatchObject({ kind: 'granted' })
    await expect.poll(sessions).not.toEqual(standby)
    line.cut('refused')
    await situation(one, 'offline')
    await server.sql('DELETE FROM countertag.claim')
    await server.sql('DELETE FROM countertag.session')
    await server.sql(
      'INSERT INTO countertag.session SELECT * FROM jsonb_populate_recordset(null::countertag.session, $1::jsonb)',
      [standby],
    )
    line.mend()
    await situation(one, 'online')
    expect(one.view().awaited).toEqual(['Till 2'])
  })

  it('grants again once a person goes on without the other station', async () => {
    const till = await remembering()
    await server.sql('UPDATE countertag.store SET id = gen_random_uuid()')
    const one = later(await joinHub(server.address, 'Till 1', till.start()))
    expect(one.view().awaited).toEqual(['Till 2'])
    await one.goOn(['Till 2'])
    expect(one.view().awaited).toEqual([])
    expect(await one.claims.take(scan(1))).toEqual({ kind: 'granted', revision: expect.any(Number) as number })
  })

  it('awaits none for a station that knows it', async () => {
    const till = await remembering()
    const known = z
      .array(z.object({ hubId: z.string() }))
      .parse(await server.sql('SELECT id AS "hubId" FROM countertag.store'))
    till.settings.write(seenSetting, { ...known[0], newest: 0, upTo: 0 })
    const one = later(await joinHub(server.address, 'Till 1', till.start()))
    expect(one.view().awaited).toEqual([])
  })
})

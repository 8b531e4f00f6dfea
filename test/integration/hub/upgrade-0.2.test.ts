import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CountId, DeliveryId } from '../../../src-shared/ids'
import type { Hub } from '../../../src-main/hub/port'
import { tablesVersion } from '../../../src-main/hub/postgres/tables'
import { caseOf, packageUid, tag } from '../../fakes/ids'
import { joinHub, openHub, situation } from '../../hub/station'
import { useHub } from '../../hub/use-store'

/** Written by version 0.2.0: a store with the stations 1 and 2. */
const written = readFileSync(join(import.meta.dirname, '../../fixtures/hub-0.2.0.sql'), 'utf8')
const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
const soldAt = Date.UTC(2026, 10, 20, 17)

describe('the hub of a store under version 0.2.0', () => {
  const server = useHub()
  let front: Hub
  let back: Hub
  beforeEach(async () => {
    await server.sql(written)
    // Both at once, as when the stations are started after an update: one of them brings the tables up to date.
    ;[front, back] = await Promise.all([
      joinHub(server.address, 'Front counter', { stationId: idOf(1) }),
      joinHub(server.address, 'Back counter', { stationId: idOf(2) }),
    ])
  })
  afterEach(() => Promise.all([front.close(), back.close()]))

  it('is brought up to date once, and stays the same store', async () => {
    const rows = await server.sql('SELECT count(*)::int AS count, max(version) AS newest FROM countertag.migration')
    expect(rows).toEqual([{ count: tablesVersion, newest: tablesVersion }])
    expect((await front.stations.list())?.map(({ name, copyOf }) => [name, copyOf])).toEqual([
      ['Back counter', null],
      ['Front counter', null],
    ])
  })

  it('gives epochs above those of before, and grants imports with them', async () => {
    expect(await front.epoch()).toBeGreaterThan(1_000)
    const key = { caseId: caseOf(2), packagedProductId: null }
    expect([await front.imports.take([key]), await back.imports.take([key])]).toEqual([
      [],
      [{ ...key, stationName: 'Front counter' }],
    ])
    const [turn] = await server.sql('SELECT turn FROM countertag.case_import ORDER BY turn DESC LIMIT 1')
    expect(Number(turn?.['turn'])).toBeGreaterThan(1_000)
  })

  it('awaits each station until it was updated and has announced what it holds', async () => {
    expect(await back.claims.own()).toMatchObject({ awaited: ['Front counter'], isAwaited: true })
    const granted = await back.claims.take({ tagId: tag(9), kind: 'cart', orderId: '2005', at: 0 })
    expect(granted).toMatchObject({ kind: 'granted', awaited: ['Front counter'] })
    await front.claims.announced()
    await back.claims.announced()
    expect(await back.claims.own()).toMatchObject({ awaited: [], isAwaited: false })
  })

  it('awaits a station that was connected while another one, of a newer version, brought the tables up to date', async () => {
    for (const one of [front, back]) await one.claims.announced()
    await server.sql(`INSERT INTO countertag.migration (version) VALUES (${tablesVersion + 1})`)
    await server.sql(`UPDATE countertag.awaited SET is_here = false`)
    await front.claims.announced()
    expect(await server.sql('SELECT name FROM countertag.awaited WHERE NOT is_here ORDER BY name')).toEqual([
      { name: 'Back counter' },
      { name: 'Front counter' },
    ])
    // With its next heartbeat it finds out, and works apart from the hub.
    await expect.poll(() => front.view()).toMatchObject({ situation: 'offline', trouble: 'newer' })
  })

  it('keeps which order of which station every item is in', async () => {
    expect(
      (await front.claims.own(soldAt - 1))?.claims.map(({ tagId, kind, orderId }) => [tagId, kind, orderId]),
    ).toEqual(
      expect.arrayContaining([
        [tag(1), 'cart', '1001'],
        [tag(2), 'held', '1002'],
        [tag(3), 'sale', '1003'],
      ]),
    )
    const asks = (number: number) =>
      back.claims
        .take({ tagId: tag(number), kind: 'cart', orderId: '2004', at: 0 })
        .then((answer) =>
          answer.kind === 'held' ? [answer.by.stationName, answer.by.kind, answer.by.orderId] : answer.kind,
        )
    expect(await Promise.all([1, 2, 3, 5].map(asks))).toEqual([
      ['Front counter', 'cart', '1001'],
      ['Front counter', 'held', '1002'],
      ['Front counter', 'sale', '1003'],
      // It came back.
      'granted',
    ])
    expect(await back.claims.announce([{ tagId: tag(6), kind: 'sale', orderId: '2003', at: soldAt }])).toEqual(
      new Map([[tag(6), { kind: 'over' }]]),
    )
    expect(await back.notices.read()).toMatchObject([{ tagId: tag(4), what: 'collided', orderId: '1009' }])
  })

  it('keeps orders on hold, settings, POS ids, imports, deliveries, counts and the day', async () => {
    expect(await back.held.take(idOf(11))).toMatchObject({
      kind: 'taken',
      order: { body: { orderId: '1002', items: [{ tagId: tag(2) }] } },
      claims: [{ tagId: tag(2) }],
    })
    expect(await back.log.since('settings', 0)).toMatchObject({
      records: [{ key: 'scanner.prefix', body: '{"value" : {"on": true}, "edit" : 1}' }],
    })
    const [posId] = (await back.log.since('pos', 0))?.records ?? []
    expect(JSON.parse(posId?.body ?? '')).toMatchObject({ packageUid: packageUid(1), posProductId: 'P' })
    expect(await back.imports.since(0)).toMatchObject({
      imports: [{ caseId: caseOf(1), state: 'imported', stationName: 'Front counter' }],
    })
    expect((await back.deliveries.since(DeliveryId.parse(idOf(21)), 0))?.entries.map(({ key }) => key).sort()).toEqual([
      `case ${caseOf(1)}`,
      `package ${packageUid(1)}`,
    ])
    const count = CountId.parse(idOf(31))
    expect(await back.counts.body(count)).toMatchObject({ caseId: caseOf(1), cases: [{ tagIds: [tag(7), tag(8)] }] })
    expect(await server.sql('SELECT count, station FROM countertag.count_station ORDER BY station')).toEqual([
      { count, station: idOf(1) },
      { count, station: idOf(2) },
    ])
    expect(await back.counts.since(count, 0)).toMatchObject({
      entries: [{ key: tag(7), stationName: 'Front counter' }],
    })
    expect(await back.day.read('2026-11-20', [soldAt - 1, soldAt + 1])).toMatchObject({
      entries: [{ orderId: '1003', tagIds: [tag(3)], stationName: 'Front counter' }],
      unread: 0,
    })
  })
})

describe('bringing it up to date while a station of version 0.2.0 is connected', () => {
  const server = useHub()
  let older: pg.Client
  let newer: Hub | undefined
  beforeEach(async () => {
    await server.sql(written)
    older = new pg.Client({ ...server.address, application_name: 'countertag Front counter' })
    older.on('error', () => undefined)
    await older.connect()
  })
  afterEach(async () => {
    await newer?.close()
    newer = undefined
    await older.end().catch(() => undefined)
  })

  it('waits for its claim before anything else is locked', async () => {
    await older.query('BEGIN')
    await older.query(`SELECT FROM countertag.claim; SET LOCAL lock_timeout = 500`)
    newer = openHub(server.address, 'Back counter', { stationId: idOf(2) })
    const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
    await expect.poll(async () => (await server.sql(waiting)).length).toBe(1)
    await older.query('SELECT FROM countertag.station, countertag.store')
    await older.query('COMMIT')
    await situation(newer, 'online')
  })

  it('ends its connections: it would not give back what a sale took from another order', async () => {
    let isEnded = false
    older.on('end', () => (isEnded = true))
    newer = await joinHub(server.address, 'Back counter', { stationId: idOf(2) })
    await expect.poll(() => isEnded).toBe(true)
  })
})

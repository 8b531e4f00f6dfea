import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { HubAddress } from '../../../src-main/hub/postgres/connections'
import { tryHub } from '../../../src-main/hub/postgres/trial'
import { asServer } from '../../../src-main/hub/server-user'
import { storeHashOf } from '../../../src-main/hub/store-identity'
import { removeFolder } from '../../remove-folder'
import { type TestServer, freePort, startTestServer } from '../../hub/server'
import { joinHub, openHub, situation, testStore } from '../../hub/station'

/** Debian's package. */
const canRun = process.platform === 'linux' && spawnSync('pgbouncer', ['--version']).status === 0
const isRequired = process.env['COUNTERTAG_PGBOUNCER'] === 'required'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const isListening = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    }).once('error', () => {
      resolve(false)
    })
  })

/** A PgBouncer before a database, with these settings beside the factory's. */
async function startPooler(address: HubAddress, settings: Record<string, string>): Promise<HubAddress> {
  const folder = mkdtempSync(join(tmpdir(), 'countertag-pgbouncer-'))
  const port = await freePort()
  const { host, database, user, password } = address
  const all = { listen_addr: '127.0.0.1', listen_port: port, unix_socket_dir: '', auth_type: 'any', ...settings }
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(
    file,
    [
      '[databases]',
      `${database} = host=${host} port=${address.port} dbname=${database} user=${user} password=${password}`,
      '[pgbouncer]',
      ...Object.entries(all).map(([name, value]) => `${name} = ${value}`),
    ].join('\n'),
  )
  chmodSync(folder, 0o755)
  // It refuses to run as root.
  const child: ChildProcess = spawn('pgbouncer', [file], { ...asServer(), stdio: 'ignore' })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  closing.push(async () => {
    child.kill()
    await ended
    await removeFolder(folder)
  })
  await expect.poll(() => isListening(port)).toBe(true)
  return { ...address, port }
}

/** Resolves once the pooler has this many sessions: as many connections as hold one at the same time. */
async function sessionsOpen(through: HubAddress, count: number): Promise<void> {
  const clients = await Promise.all(Array.from({ length: count }, () => connected(through)))
  for (const client of clients) await client.query('BEGIN')
  for (const client of clients) await client.query('ROLLBACK')
  for (const client of clients) await client.end()
}

async function connected({ host, port, database, user, password }: HubAddress): Promise<pg.Client> {
  const client = new pg.Client({ host, port, database, user, password })
  await client.connect()
  return client
}

describe.skipIf(!canRun && !isRequired)('PgBouncer, a real one', { timeout: 60_000 }, () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer()
  })
  afterAll(() => server.close())

  const tried = (address: HubAddress) =>
    tryHub({ address, stationId: 'id', stationName: 'Till 9', storeHash: storeHashOf(testStore) })

  it('with factory settings gives a session to a connection: stations work through it, and hear news', async () => {
    const address = await server.store()
    const through = await startPooler(address, {})
    expect(await tried(through)).toMatchObject({ trouble: null, isNew: true })
    const station = await joinHub(through, 'Till 1')
    closing.push(() => station.close())
    const heard: string[] = []
    station.onNews('stations', () => heard.push('stations'))
    const other = await joinHub(address, 'Till 2')
    closing.push(() => other.close())
    await other.stations.beat({
      ...{ unsent: 1, attention: 0, clockOffset: 0, hasScannerTrouble: false, untold: 0, scansUntold: 0 },
      ...{ entriesUntold: 0, importsUntold: 0, manifestOf: null, isOff: false },
    })
    await expect.poll(() => heard.length).toBeGreaterThan(0)
  })

  it.each<[string, Record<string, string>]>([
    ['factory settings otherwise', {}],
    ['settings of a connection ignored', { ignore_startup_parameters: 'statement_timeout,lock_timeout' }],
    ['one session for all', { default_pool_size: '1' }],
    ['sessions in turn', { server_round_robin: '1', min_pool_size: '5' }],
    ['two sessions in turn', { server_round_robin: '1', min_pool_size: '2', default_pool_size: '2' }],
  ])('in transaction mode is named, by a try and by a station that has joined: %s', async (_, settings) => {
    const address = await server.store()
    const first = await joinHub(address, 'Till 1')
    closing.push(() => first.close())
    const through = await startPooler(address, { pool_mode: 'transaction', ...settings })
    expect(await tried(through)).toMatchObject({ trouble: 'pooler', names: [] })
    // PgBouncer opens its sessions a little later. With two of them in turn, a pooler is the hardest to tell.
    await sessionsOpen(through, Number(settings['min_pool_size'] ?? '1'))
    expect(await tried(through)).toMatchObject({ trouble: 'pooler', names: [] })
    const station = openHub(through, 'Till 2')
    closing.push(() => station.close())
    await expect.poll(() => station.view().trouble).toBe('pooler')
    await situation(first, 'online')
  })

  it('that has no connection left is told with its own answer', async () => {
    const address = await server.store()
    const full = await startPooler(address, { max_client_conn: '0' })
    expect(await tried(full)).toMatchObject({
      trouble: 'too-many',
      answer: '08P01 no more connections allowed (max_client_conn)',
    })
  })
})

import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { type Server as NetServer, createServer } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import pg from 'pg'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { AppError } from '../../../src-shared/errors'
import { createClient } from '../../../src-shared/ipc/client'
import type { CallInput, CallName, CallOutput } from '../../../src-shared/ipc/contract'
import { TagId } from '../../../src-shared/ids'
import type { JoinForm } from '../../../src-shared/ipc/contract/join'
import { systemClock } from '../../../src-main/core/clock'
import { connectionOf } from '../../../src-main/hub/postgres/connections'
import { runnablePrograms } from '../../../src-main/hub/runnable-programs'
import { dataPlace } from '../../../src-main/hub/server-user'
import { createDispatch } from '../../../src-main/ipc/dispatch'
import { unlimited } from '../../../src-main/ipc/limits'
import type { Computer } from '../../../src-main/station/station-context'
import { openStation } from '../../../src-main/station/station'
import { writeJoinCode } from '../../../src-main/station/join-code'
import { fakeKeychain } from '../../fakes/keychain'
import { practiceKnobs } from '../../fakes/practice-admin'
import { freePort, testPrograms } from '../../hub/server'
import { removeFolder } from '../../remove-folder'
import { idIn } from '../core/station'

const resourcesDir = join(import.meta.dirname, '../../../resources')
const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** An address that other computers reach; on a computer without a network, loopback. */
const lan =
  Object.values(networkInterfaces())
    .flat()
    .find((one) => one?.family === 'IPv4' && !one.internal)?.address ?? '127.0.0.1'

async function openTestStation(computer: Computer = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'countertag-keeping-'))
  const fake = fakeKeychain()
  const open = async () => {
    const station = await openStation({
      ...{ dataDir, resourcesDir, version: '0.0.0-test', keychain: fake.keychain, clock: systemClock },
      computer: { programPlaces: () => [testPrograms().folder], ...computer },
    })
    const dispatch = createDispatch({ station, rateLimit: unlimited, isTrusted: () => true })
    const client = createClient({
      invoke: async (call, input) => z.unknown().parse(JSON.parse(JSON.stringify(await dispatch('test', call, input)))),
      subscribe: (name, listener) =>
        station.events.listen((event, payload) => {
          if (event === name) listener(payload)
        }),
    })
    return { station, client }
  }
  let running = await open()
  closing.push(async () => {
    await running.station.close()
    await removeFolder(dataDir)
  })
  const own = {
    dataDir,
    keychain: fake,
    data: join(dataDir, 'store.hub', 'data'),
    get station() {
      return running.station
    },
    async ask<Name extends CallName>(name: Name, input: CallInput<Name>): Promise<CallOutput<Name>> {
      const answer = await running.client.call(name, input)
      if (!answer.ok) throw new Error(`${name}: ${JSON.stringify(answer.error)}`)
      return answer.value
    },
    async refused<Name extends CallName>(name: Name, input: CallInput<Name>): Promise<AppError> {
      const answer = await running.client.call(name, input)
      if (answer.ok) throw new Error(`${name} was expected to fail: ${JSON.stringify(answer.value)}`)
      return answer.error
    },
    situation: (wanted: 'alone' | 'online' | 'offline') =>
      expect.poll(async () => (await own.ask('hub.view', undefined)).situation).toBe(wanted),
    state: (wanted: object) =>
      expect.poll(async () => (await own.ask('hosting.view', undefined)).state).toMatchObject(wanted),
    pid: () => Number(readFileSync(join(own.data, 'postmaster.pid'), 'utf8').split('\n')[0]),
    /** As the end of its process leaves it; the PostgreSQL that it started goes on. */
    async restart(between: () => unknown = () => undefined) {
      await running.station.close()
      await between()
      running = await open()
    },
  }
  return own
}
type TestStation = Awaited<ReturnType<typeof openTestStation>>

const hostForm = (port: number, more: Partial<CallInput<'hosting.start'>> = {}): CallInput<'hosting.start'> => ({
  ...{ address: lan, port, folder: null, stationName: 'Front', policy: 'warn' },
  ...more,
})
const fromCode = (id: string, stationName: string): JoinForm => ({
  ...{ host: '', port: 0, database: '-', user: '-', certificate: null, password: null },
  ...{ stationName, policy: 'warn', fromCode: id, makesKey: false, replacesStore: false },
})
const Secret = z.object({ password: z.string(), storeKey: z.string() })
async function addressOf(station: TestStation) {
  const { hub } = await station.ask('join.view', undefined)
  const [, text] = [...station.keychain.entries].find(([account]) => account.endsWith('/hub/practice')) ?? []
  if (!hub || text === undefined) throw new Error('not joined')
  return { ...hub, ...Secret.parse(JSON.parse(text)) }
}
async function query(config: pg.ClientConfig, text: string) {
  const client = new pg.Client(config)
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end()
  }
}
async function codeTextOf(station: TestStation) {
  const address = await addressOf(station)
  const { expiresAt } = await station.ask('join.code', undefined)
  const [row] = await query(connectionOf(address), 'SELECT mark FROM countertag.store')
  return writeJoinCode({
    ...address,
    expiresAt: Date.parse(expiresAt),
    storeHash: String(row?.['mark']),
    storeName: null,
  }).text
}
const listenOn = (port: number, host: string) =>
  new Promise<NetServer>((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(port, host, () => {
      resolve(server)
    })
  })
const closed = (server: NetServer) => new Promise((resolve) => server.close(resolve))
const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

describe('a computer that keeps the store', { timeout: 60_000 }, () => {
  it('is joined by another station with its join code, over TLS, and comes back after a restart', async () => {
    const port = await freePort()
    const station = await openTestStation()
    expect(await station.ask('hosting.view', undefined)).toEqual({ state: { kind: 'off' }, hosted: null })
    const options = await station.ask('hosting.options', { folder: null })
    expect(options.addresses.map(({ address }) => address)).toContain(lan)
    expect(options.programs?.version).toMatch(/^\d+/)
    expect(await station.ask('hosting.start', hostForm(port))).toEqual({
      state: { kind: 'running' },
      hosted: { address: lan, port, isOther: false },
    })
    await station.situation('online')
    expect(await station.refused('hosting.start', hostForm(port))).toEqual({ code: 'keep/kept' })

    const second = await openTestStation()
    const { id } = await second.ask('join.scanned', { text: await codeTextOf(station) })
    await second.ask('join.join', fromCode(id, 'Back'))
    await second.situation('online')
    expect(await station.ask('hosting.others', undefined)).toEqual({ names: ['Back'] })

    const address = await addressOf(second)
    // The role of the stations owns its database and nothing else, and no connection is let in without TLS.
    const as = connectionOf(address)
    for (const text of ['CREATE ROLE more', 'CREATE DATABASE more', 'SELECT rolpassword FROM pg_authid'])
      await expect(query(as, text)).rejects.toThrow(/permission denied/)
    await expect(query({ ...as, database: 'postgres' }, 'SELECT 1')).rejects.toThrow(/no pg_hba.conf entry/)
    if (lan !== '127.0.0.1') {
      await expect(query({ ...as, ssl: false }, 'SELECT 1')).rejects.toThrow(/no pg_hba.conf entry/)
      await expect(query({ ...as, user: 'owner' }, 'SELECT 1')).rejects.toThrow(/no pg_hba.conf entry/)
      const [tls] = await query(as, 'SELECT version FROM pg_stat_ssl WHERE pid = pg_backend_pid()')
      expect(z.object({ version: z.string() }).parse(tls).version).toMatch(/^TLSv1\.[23]$/)
    }

    const pid = station.pid()
    await station.restart(() => {
      expect(isAlive(pid)).toBe(false)
    })
    await station.situation('online')
    await second.situation('online')
    expect(await addressOf(station)).toMatchObject({ certificate: address.certificate, password: address.password })

    // Nothing but the keychain holds a password.
    const written = readdirSync(station.dataDir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.parentPath.includes(join('store.hub', 'data')))
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
      .join('\n')
    expect(written).not.toContain(address.password)
    const [, kept = ''] = [...station.keychain.entries].find(([account]) => account.endsWith('/keep')) ?? []
    expect(written).not.toContain(z.object({ owner: z.string() }).parse(JSON.parse(kept)).owner)

    await station.ask('hosting.stop', undefined)
    expect(await station.ask('hosting.view', undefined)).toEqual({ state: { kind: 'off' }, hosted: null })
    await station.situation('alone')
    await second.situation('offline')
    expect([...station.keychain.entries.keys()].filter((account) => /\/(keep|hub\/.+)$/.test(account))).toEqual([])
    expect(readdirSync(station.dataDir)).not.toContain('store.hub')
    await station.ask('hosting.start', hostForm(port))
    await station.situation('online')
  })

  it('starts PostgreSQL again when it is killed', async () => {
    const station = await openTestStation()
    await station.ask('hosting.start', hostForm(await freePort()))
    const pid = station.pid()
    process.kill(pid, 'SIGKILL')
    await expect.poll(() => (isAlive(pid) ? pid : station.pid())).not.toBe(pid)
    await station.state({ kind: 'running' })
    await station.situation('online')
  })

  it('goes on with the PostgreSQL that a killed Countertag left behind, and starts another one for another port', async () => {
    const station = await openTestStation()
    const port = await freePort()
    await station.ask('hosting.start', hostForm(port))
    let left: ChildProcess | undefined
    await station.restart(async () => {
      left = await leaveBehind(station, port)
      return answering(port)
    })
    await station.state({ kind: 'running' })
    expect(station.pid()).toBe(left?.pid)
    await station.situation('online')
    const other = await freePort()
    await station.ask('hosting.renew', { address: lan, port: other })
    await station.situation('online')
    expect(left?.exitCode ?? left?.signalCode).not.toBe(null)
    expect((await station.ask('hosting.view', undefined)).hosted).toMatchObject({ port: other })
  })

  it('says that the port is taken and changes nothing; once it is free, the store is kept', async () => {
    const port = await freePort()
    const station = await openTestStation()
    const program = await listenOn(port, '127.0.0.1')
    expect(await station.refused('hosting.start', hostForm(port))).toMatchObject({
      code: 'keep/failed',
      reason: 'port',
    })
    expect(await station.ask('hosting.view', undefined)).toEqual({ state: { kind: 'off' }, hosted: null })
    expect(await station.ask('join.view', undefined)).toMatchObject({ hub: null })
    await closed(program)
    await station.ask('hosting.start', hostForm(port))

    let again: NetServer | undefined
    await station.restart(async () => {
      again = await listenOn(port, '127.0.0.1')
    })
    await station.state({ kind: 'failed', reason: 'port' })
    await station.situation('offline')
    if (again) await closed(again)
    await station.ask('hosting.retry', undefined)
    await station.situation('online')
  })

  it('says that the address is gone, and is kept at a new one with a new certificate', async () => {
    let addresses = [{ address: lan, network: 'lan' }]
    const station = await openTestStation({ addresses: () => addresses })
    const port = await freePort()
    expect(await station.refused('hosting.start', hostForm(port, { address: '192.0.2.200' }))).toEqual({
      code: 'keep/address',
    })
    const first = lan === '127.0.0.1' ? '127.0.0.2' : lan
    addresses = [{ address: first, network: 'lan' }]
    await station.ask('hosting.start', hostForm(port, { address: first }))
    const before = await addressOf(station)
    await station.restart(() => (addresses = []))
    await station.state({ kind: 'failed', reason: 'address', detail: first })
    await station.situation('offline')
    addresses = [{ address: '127.0.0.2', network: 'lan' }]
    const moved = lan === '127.0.0.1' ? '127.0.0.1' : '127.0.0.2'
    await station.ask('hosting.renew', { address: moved, port })
    await station.situation('online')
    const after = await addressOf(station)
    expect(after).toMatchObject({ host: moved, password: before.password, storeKey: before.storeKey })
    expect(after.certificate).not.toBe(before.certificate)
  })

  it('says that there is no PostgreSQL, and takes one from the folder that is named', async () => {
    const station = await openTestStation({ programPlaces: () => [] })
    expect((await station.ask('hosting.options', { folder: null })).programs).toBe(null)
    expect((await station.ask('hosting.options', { folder: station.dataDir })).programs).toBe(null)
    const port = await freePort()
    expect(await station.refused('hosting.start', hostForm(port))).toMatchObject({
      code: 'keep/failed',
      reason: 'missing',
    })
    const { folder } = testPrograms()
    expect((await station.ask('hosting.options', { folder })).programs).toMatchObject({ folder })
    await station.ask('hosting.start', hostForm(port, { folder }))
    await station.restart()
    await station.situation('online')
  })

  it('says which version of PostgreSQL the data needs, and leaves the data as it is', async () => {
    const station = await openTestStation()
    await station.ask('hosting.start', hostForm(await freePort()))
    const file = join(station.data, 'PG_VERSION')
    const own = readFileSync(file, 'utf8')
    await station.restart(() => {
      writeFileSync(file, '9\n')
    })
    await station.state({ kind: 'failed', reason: 'version', detail: '9' })
    expect(readFileSync(file, 'utf8')).toBe('9\n')
    await station.restart(() => {
      writeFileSync(file, own)
    })
    await station.situation('online')
  })

  it('says that the data is damaged', async () => {
    const station = await openTestStation()
    await station.ask('hosting.start', hostForm(await freePort()))
    await station.restart(() => {
      writeFileSync(join(station.data, 'global', 'pg_control'), 'x')
    })
    await station.state({ kind: 'failed', reason: 'damaged' })
  })

  it('makes the store hub anew if its data is gone: the stations tell it again', async () => {
    const station = await openTestStation()
    await station.ask('hosting.start', hostForm(await freePort()))
    await station.restart(() => removeFolder(station.data))
    await station.situation('online')
  })

  it('does not stop while reports are unsent', async () => {
    const station = await openTestStation()
    await station.ask('hosting.start', hostForm(await freePort()))
    await station.situation('online')
    await practiceKnobs(station.station.practice?.adminUrl ?? '').setFaults({ offline: true })
    const codes = await station.ask('practice.codes', undefined)
    const item = codes.find(({ kind, about }) => kind === 'tag' && (about === null || about === 'imported-here'))
    const tagId = TagId.parse(idIn(item?.text ?? ''))
    await station.ask('checkout.setOrder', { mode: 'sale', orderId: '1' })
    await station.ask('checkout.addItem', { mode: 'sale', tagId })
    const { orderId, itemCount, revision } = await station.ask('checkout.cart', { mode: 'sale' })
    await station.ask('checkout.finish', { mode: 'sale', orderId, itemCount, revision, isMeant: true })
    expect(await station.refused('hosting.stop', undefined)).toEqual({ code: 'join/unsent', count: 1 })
    expect(await station.ask('hosting.view', undefined)).toMatchObject({ state: { kind: 'running' } })
  })
})

/** A PostgreSQL as a Countertag that was killed leaves it: in the same folder, with the same certificate. */
async function leaveBehind(station: TestStation, port: number): Promise<ChildProcess> {
  const folder = join(station.dataDir, 'store.hub')
  const place = dataPlace(station.data)
  const settings = {
    listen_addresses: lan === '127.0.0.1' ? lan : `127.0.0.1,${lan}`,
    unix_socket_directories: '',
    hba_file: place.whole(join(folder, 'pg_hba.conf')),
    ssl: 'on',
    ssl_cert_file: place.beside(join(folder, 'tls.pem')),
    ssl_key_file: place.beside(join(folder, 'tls.key')),
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const { postgres } = await runnablePrograms(testPrograms())
  const child = spawn(postgres, ['-D', place.data, '-p', String(port), ...flags], { ...place.options, stdio: 'ignore' })
  closing.push(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGINT')
    await ended
  })
  return child
}
const answering = (port: number) =>
  expect
    .poll(() =>
      query({ host: '127.0.0.1', port, user: 'countertag', password: 'x', database: 'store' }, 'SELECT 1').catch(
        String,
      ),
    )
    .toContain('password')

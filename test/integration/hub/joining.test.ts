import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, readdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { AppError } from '../../../src-shared/errors'
import { createClient } from '../../../src-shared/ipc/client'
import type { CallInput, CallName, CallOutput } from '../../../src-shared/ipc/contract'
import type { JoinForm } from '../../../src-shared/ipc/contract/join'
import { TagId, parseId } from '../../../src-shared/ids'
import { systemClock } from '../../../src-main/core/clock'
import type { HubAddress } from '../../../src-main/hub/postgres/connections'
import { storeIdOf } from '../../../src-main/hub/store-identity'
import { tablesVersion } from '../../../src-main/hub/postgres/tables'
import { createDispatch } from '../../../src-main/ipc/dispatch'
import { unlimited } from '../../../src-main/ipc/limits'
import { openStation } from '../../../src-main/station/station'
import { type JoinCodeContent, writeJoinCode } from '../../../src-main/station/join-code'
import { fakeKeychain } from '../../fakes/keychain'
import { practiceKnobs } from '../../fakes/practice-admin'
import { tag } from '../../fakes/ids'
import { type TestServer, freePort, startTestServer } from '../../hub/server'
import { joinHub, testStore } from '../../hub/station'
import { removeFolder } from '../../remove-folder'

const resourcesDir = join(import.meta.dirname, '../../../resources')
const closing: (() => Promise<unknown>)[] = []

/** A whole station with its own keychain, as a person uses it in Settings. */
async function openTestStation() {
  const dataDir = mkdtempSync(join(tmpdir(), 'countertag-joining-'))
  const fake = fakeKeychain()
  let aheadMs = 0
  const heard: string[] = []
  /** Secret texts that main has handed out. */
  const given: { text: string; lastsMs: number }[] = []
  const open = async () => {
    const station = await openStation({
      ...{ dataDir, resourcesDir, version: '0.0.0-test', keychain: fake.keychain },
      clock: { now: () => systemClock.now() + aheadMs },
      secretOutlet: {
        kind: 'clipboard',
        give(text, lastsMs) {
          given.push({ text, lastsMs })
          return Promise.resolve()
        },
      },
    })
    station.events.listen((_, payload) => heard.push(JSON.stringify(payload)))
    const dispatch = createDispatch({ station, rateLimit: unlimited, isTrusted: () => true })
    const client = createClient({
      async invoke(call, input) {
        const answer = JSON.stringify(await dispatch('test', call, input))
        if (call !== 'join.code') heard.push(answer)
        return z.unknown().parse(JSON.parse(answer))
      },
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
    heard,
    given,
    get knobs() {
      return practiceKnobs(running.station.practice?.adminUrl ?? '')
    },
    get client() {
      return running.client
    },
    setClockAhead: (ms: number) => (aheadMs = ms),
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
    /** Resolves once the hub is in a situation, with its trouble. */
    situation: (wanted: 'alone' | 'online' | 'offline') =>
      expect.poll(async () => (await own.ask('hub.view', undefined)).situation, { timeout: 15_000 }).toBe(wanted),
    trouble: (wanted: string) =>
      expect.poll(async () => (await own.ask('hub.view', undefined)).trouble, { timeout: 15_000 }).toBe(wanted),
    async restart() {
      await running.station.close()
      running = await open()
    },
    fileText: () => readFileSync(join(dataDir, 'station.json'), 'utf8'),
    /** Everything that the station has written, except its keychain. */
    written: () =>
      readdirSync(dataDir, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
        .join('\n'),
  }
  return own
}
type TestStation = Awaited<ReturnType<typeof openTestStation>>

const formOf = (address: HubAddress, stationName: string, more: Partial<JoinForm> = {}): JoinForm => ({
  ...address,
  ...{ stationName, policy: 'warn', fromCode: null, makesKey: false, replacesStore: false },
  ...more,
})
/** With the address of a scanned code: what is entered beside it does not count. */
const fromCode = (id: string, stationName: string, replacesStore = false): JoinForm => ({
  ...{ host: '', port: 0, database: '-', user: '-', certificate: null, password: null },
  ...{ stationName, policy: 'warn', fromCode: id, makesKey: false, replacesStore },
})

/** Runs a statement as the owner of the database. */
async function sql(address: HubAddress, text: string): Promise<Record<string, unknown>[]> {
  const { default: pg } = await import('pg')
  const { certificate: _, ...config } = address
  const client = new pg.Client(config)
  await client.connect()
  try {
    return [await client.query<Record<string, unknown>>(text)].flat().at(-1)?.rows ?? []
  } finally {
    await client.end()
  }
}
const names = async (address: HubAddress) =>
  (await sql(address, 'SELECT name FROM countertag.station ORDER BY name')).map(({ name }) => name)

const markOf = async (address: HubAddress) =>
  String((await sql(address, 'SELECT mark FROM countertag.store'))[0]?.['mark'])
/** Who is connected to a hub. */
const connections = async ({ database, ...address }: HubAddress) => {
  const rows = await sql(
    { ...address, database: 'postgres' },
    `SELECT application_name AS name FROM pg_stat_activity WHERE datname = '${database}' ORDER BY 1`,
  )
  return rows.map(({ name }) => name)
}

/** The secret in a fake keychain, and the text of a join code made with it. */
const Secret = z.object({ password: z.string(), storeKey: z.string() })
const secretOf = ({ keychain }: TestStation) => {
  const found = [...keychain.entries].find(([account]) => account.endsWith('/hub/practice'))
  return found && Secret.parse(JSON.parse(found[1]))
}

describe('a station', { timeout: 60_000 }, () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer()
  })
  afterAll(() => server.close())
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close()
  })

  /** The text of the code that a station shows: made from what it carries, as the picture can't be read here. */
  const codeTextOf = async (station: TestStation, different: Partial<JoinCodeContent> = {}) => {
    const { expiresAt } = await station.ask('join.code', undefined)
    const { hub } = await station.ask('join.view', undefined)
    const secret = secretOf(station)
    if (!hub || !secret) throw new Error('not joined')
    const [{ mark } = { mark: '' }] = await sql(
      { ...hub, password: secret.password },
      'SELECT mark FROM countertag.store',
    )
    return writeJoinCode({
      ...{ ...hub, ...secret, expiresAt: Date.parse(expiresAt), storeHash: String(mark), storeName: 'Green Door' },
      ...different,
    }).text
  }

  /** A station that joined with a connection of its own; its service doesn't answer. */
  const joinWithConnection = async () => {
    const address = await server.store()
    const station = await openTestStation()
    const service = `http://127.0.0.1:${await freePort()}`
    const profile = {
      ...{ kind: 'test' as const, name: 'Shop', baseUrl: service, retailAuthUrl: service, sourcingAuthUrl: null },
      ...{ dispensaryId: null, sendsSku: false, caFile: null },
    }
    const { profiles } = await station.ask('profile.save', { id: null, profile })
    const id = profiles.at(-1)?.id ?? ''
    await station.ask('profile.use', { id })
    await station.ask('join.join', formOf(address, 'Station 1'))
    await station.situation('online')
    return { station, id, address }
  }

  it('tries a hub without changing it, joins as the first of its store, and is together after a restart', async () => {
    const address = await server.store()
    const station = await openTestStation()
    expect(await station.ask('join.view', undefined)).toEqual({ hub: null, place: null })
    const form = formOf(address, 'Station 1')
    const works = { kind: 'works', stations: 0, isNew: true, needsCode: false, replaces: null }
    expect(await station.ask('join.try', form)).toEqual(works)
    expect(await sql(address, `SELECT 1 FROM pg_namespace WHERE nspname = 'countertag'`)).toEqual([])

    const { password, ...place } = address
    const { view, isTold } = await station.ask('join.join', form)
    const storeId = storeIdOf(secretOf(station)?.storeKey ?? '')
    const joined = { ...place, stationName: 'Station 1', policy: 'warn', storeId }
    expect({ view, isTold }).toEqual({ view: { hub: joined, place: 'keychain' }, isTold: null })
    await station.situation('online')
    expect(await names(address)).toEqual(['Station 1'])
    expect(Buffer.from(secretOf(station)?.storeKey ?? '', 'base64')).toHaveLength(32)

    await station.restart()
    await station.situation('online')
    expect(await station.ask('join.view', undefined)).toEqual({ hub: joined, place: 'keychain' })
    expect(await station.ask('join.try', { ...form, password: null })).toEqual({ ...works, isNew: false })
    await station.ask('support.diagnostics', undefined)
    for (const secret of [password, secretOf(station)?.storeKey ?? '']) {
      expect(station.written()).not.toContain(secret)
      expect(station.heard.join('\n')).not.toContain(secret)
    }
  })

  it('says what is wrong with a hub, and saves nothing', async () => {
    const address = await server.store()
    const station = await openTestStation()
    const finds = async (different: Partial<JoinForm>, stationName = 'Station 2') => {
      const form = formOf(address, stationName, different)
      const found = await station.ask('join.try', form)
      const trouble = found.kind === 'trouble' ? found.trouble : found.kind
      if (found.kind === 'trouble')
        expect(await station.refused('join.join', form)).toEqual({
          ...{ code: 'join/trouble', trouble, answer: found.answer, freeName: null },
        })
      return trouble
    }
    expect(await finds({ port: await freePort() })).toBe('refused')
    expect(await finds({ host: 'hub.invalid' })).toBe('unknown-host')
    expect(await finds({ password: 'wrong' })).toBe('password')
    expect(await finds({ database: 'nowhere' })).toBe('no-database')
    const pem = readFileSync(join(import.meta.dirname, '../../fixtures/tls/authority.pem'), 'utf8')
    expect(await finds({ certificate: pem })).toBe('no-tls')

    await sql(address, `CREATE ROLE stranger LOGIN PASSWORD 'only-for-tests'`)
    expect(await finds({ user: 'stranger' })).toBe('rights')
    const other = await joinHub(address, 'station 2', { store: { ...testStore, dispensaryId: 'another' } })
    expect(await finds({})).toBe('other-store')
    expect(await finds({ user: 'stranger' })).toBe('rights')
    await other.close()
    await sql(address, `INSERT INTO countertag.migration (version) VALUES (${tablesVersion + 1})`)
    expect(await finds({})).toBe('newer')
    expect(await station.ask('join.view', undefined)).toEqual({ hub: null, place: null })
    expect(secretOf(station)).toBe(undefined)
    expect(await names(address)).toEqual(['station 2'])
  })

  it('refuses an address, a certificate or a form that can’t be used, each by its own name', async () => {
    const address = await server.store()
    const station = await openTestStation()
    const refused = (different: Partial<JoinForm>) =>
      station.refused('join.join', formOf(address, 'Station 1', different))
    expect(await refused({ host: '' })).toEqual({ code: 'join/address', reason: 'empty' })
    expect(await refused({ host: 'https://hub.example' })).toEqual({ code: 'join/address', reason: 'scheme' })
    expect(await refused({ host: 'hub example' })).toEqual({ code: 'join/address', reason: 'form' })
    expect(await refused({ port: 70_000 })).toEqual({ code: 'join/address', reason: 'port' })
    expect(await refused({ certificate: 'secret words' })).toEqual({ code: 'join/certificate' })
    expect(await refused({ password: null })).toEqual({ code: 'join/password-missing' })
    expect(await station.refused('join.join', fromCode('unread', 'Station 1'))).toEqual({
      ...{ code: 'join/code-unusable', reason: 'none' },
    })
    expect(await station.refused('join.leave', undefined)).toEqual({ code: 'join/not-joined' })
    expect(await station.refused('join.code', undefined)).toEqual({ code: 'join/not-joined' })
  })

  it('hands out the text of the code that it shows, past the page, until the code ends', async () => {
    const address = await server.store()
    const first = await openTestStation()
    await first.ask('join.join', formOf(address, 'Station 1'))
    await first.situation('online')
    const unusable = (reason: string) => ({ code: 'join/code-unusable', reason })
    expect(await first.refused('join.giveCode', undefined)).toEqual(unusable('none'))
    expect((await first.ask('join.code', undefined)).textTo).toBe('clipboard')
    await first.ask('join.giveCode', undefined)
    const [{ text, lastsMs } = { text: '', lastsMs: 0 }] = first.given
    expect(text).toMatch(/^CTJOIN1[A-Z2-7]+$/)
    expect([lastsMs > 590_000, lastsMs <= 600_000]).toEqual([true, true])
    expect(first.heard.join('\n')).not.toContain(text)

    const second = await openTestStation()
    const named = await second.ask('join.scanned', { text })
    await second.ask('join.join', fromCode(named.id, 'Station 2'))
    await second.situation('online')

    first.setClockAhead(600_000)
    expect(await first.refused('join.giveCode', undefined)).toEqual(unusable('expired'))
    expect(first.given).toHaveLength(1)
    first.setClockAhead(0)
    await first.ask('join.code', undefined)
    await first.ask('join.leave', undefined)
    expect(await first.refused('join.giveCode', undefined)).toEqual(unusable('none'))
  })

  it('joins a store with the code of another station: address, password and store key come with it, once and in time', async () => {
    const address = await server.store()
    const first = await openTestStation()
    await first.ask('join.join', formOf(address, 'Station 1', { policy: 'refuse' }))
    await first.situation('online')
    const { picture, lacksCertificate, isLocal } = await first.ask('join.code', undefined)
    expect(picture).toMatch(/^data:image\/svg\+xml,%3Csvg/)
    expect({ lacksCertificate, isLocal }).toEqual({ lacksCertificate: false, isLocal: true })
    const text = await codeTextOf(first)

    const second = await openTestStation()
    const scan = second.client.on('scanner.scanned', (scanned) => {
      expect(scanned).toMatchObject({ raw: '', meaning: { kind: 'join' } })
    })
    // As a keyboard-mode scanner sends it.
    await second.ask('scanner.submit', { text, source: 'wedge' })
    scan()
    const named = await second.ask('join.scanned', { text: null })
    expect(named).toMatchObject({ host: address.host, port: address.port, policy: 'refuse', stationName: 'Station 2' })
    expect(JSON.stringify(named)).not.toContain(address.password)
    expect(await second.refused('join.scanned', { text: null })).toEqual({
      ...{ code: 'join/code-unusable', reason: 'none' },
    })
    // Nothing was connected to before a person has seen what the code names.
    expect(named).toMatchObject({ store: { name: 'Green Door' }, madeBy: 'Station 1', own: null })
    expect(await connections(address)).toEqual(['countertag Station 1', 'countertag Station 1'])
    expect(await second.ask('join.try', fromCode(named.id, 'station 1'))).toEqual({
      ...{ kind: 'trouble', trouble: 'name-taken', answer: null, freeName: 'station 2' },
    })
    expect(await second.ask('join.try', fromCode(named.id, 'Station 2'))).toEqual({
      ...{ kind: 'works', stations: 1, isNew: false, needsCode: false, replaces: null },
    })
    await second.ask('join.join', fromCode(named.id, 'Station 2'))
    await second.situation('online')
    expect(await names(address)).toEqual(['Station 1', 'Station 2'])
    expect(secretOf(second)?.storeKey).toBe(secretOf(first)?.storeKey)

    // Neither the code nor its secrets stay anywhere.
    await second.ask('scanner.recent', {})
    await second.restart()
    for (const secret of [text.slice(0, 60), text.slice(-60), address.password]) {
      expect(second.written()).not.toContain(secret)
      expect(second.heard.join('\n')).not.toContain(secret)
    }
  })

  it('ends a code by the clock of the hub: a clock here that is wrong by years neither takes nor refuses one', async () => {
    const address = await server.store()
    const first = await openTestStation()
    await first.ask('join.join', formOf(address, 'Station 1'))
    await first.situation('online')
    const second = await openTestStation()
    const year = 365 * 86_400_000
    const joinWith = async (expiresAt: number, ahead: number) => {
      second.setClockAhead(ahead)
      const { id } = await second.ask('join.scanned', { text: await codeTextOf(first, { expiresAt }) })
      const answer = await second.client.call('join.join', fromCode(id, 'Station 2'))
      return answer.ok ? 'joined' : 'reason' in answer.error ? answer.error.reason : answer.error.code
    }
    const now = systemClock.now()
    expect(await joinWith(now - 1_000, -year)).toBe('expired')
    expect(await joinWith(now + year, year)).toBe('endless')
    expect(await joinWith(now + 3_600_000, 3_000_000)).toBe('endless')
    expect(await names(address)).toEqual(['Station 1'])
    expect(await joinWith(now + 500_000, year)).toBe('joined')
    // A station whose own clock is wrong makes a code that ends by the hub's.
    first.setClockAhead(-year)
    const code = await first.ask('join.code', undefined)
    expect(Date.parse(code.expiresAt)).toBeLessThan(now)
  })

  it('shows no code while its hub doesn’t answer: the code would have no end', async () => {
    const own = await startTestServer()
    try {
      const station = await openTestStation()
      await station.ask('join.join', formOf(await own.store(), 'Station 1'))
      await station.situation('online')
      await own.stop('immediate')
      expect(await station.refused('join.code', undefined)).toMatchObject({ code: 'join/trouble', trouble: 'refused' })
    } finally {
      await own.close()
    }
  })

  it('refuses the code of another store, and connects to no address of it', async () => {
    const station = await openTestStation()
    const reached: number[] = []
    const forger = createServer((socket) => reached.push(socket.destroy().bytesRead))
    await new Promise<void>((resolve) => forger.listen(0, '127.0.0.1', resolve))
    const { port } = z.object({ port: z.number() }).parse(forger.address())
    const forged = {
      ...{ host: '127.0.0.1', port, database: 'd', user: 'u', password: 'p', certificate: null },
      ...{ storeKey: Buffer.alloc(32).toString('base64'), stationName: 'Station 1', policy: 'warn' as const },
      ...{ storeName: 'Green Door', expiresAt: systemClock.now() + 60_000 },
    }
    const foreign = writeJoinCode({ ...forged, storeHash: 'x'.repeat(43) }).text
    expect(await station.refused('join.scanned', { text: foreign })).toEqual({
      ...{ code: 'join/code-unusable', reason: 'foreign' },
    })
    // One of this store's service: shown, and not connected to before a person says so.
    const address = await server.store()
    await station.ask('join.join', formOf(address, 'Station 1'))
    await station.situation('online')
    const text = writeJoinCode({ ...forged, storeHash: await markOf(address) }).text
    const { id, own } = await station.ask('join.scanned', { text })
    expect(own).toMatchObject({ host: address.host, port: address.port, database: address.database })
    expect(await station.refused('join.join', fromCode(id, 'Station 1'))).toEqual({ code: 'join/other-store' })
    expect(reached).toEqual([])
    await station.refused('join.join', fromCode(id, 'Station 1', true))
    expect(reached.length).toBeGreaterThan(0)
    forger.close()
  })

  it('keeps its key and store whatever code is scanned, until a person confirms the other store; then leaves its own', async () => {
    const [address, other] = [await server.store(), await server.store()]
    const [station, theirs] = [await openTestStation(), await openTestStation()]
    await station.ask('join.join', formOf(address, 'Station 1'))
    await theirs.ask('join.join', formOf(other, 'Back'))
    await station.situation('online')
    await theirs.situation('online')
    const before = secretOf(station)

    const { id, store, own } = await station.ask('join.scanned', { text: await codeTextOf(theirs) })
    expect(own?.id).toMatch(/^[0-9A-F-]{19}$/)
    expect(own?.id).not.toBe(store.id)
    expect(await station.refused('join.join', fromCode(id, 'Station 1'))).toEqual({ code: 'join/other-store' })
    expect([secretOf(station), await names(address)]).toEqual([before, ['Station 1']])

    // The same hub with another key is asked about as well.
    const key = Buffer.alloc(32, 1).toString('base64')
    const forged = await station.ask('join.scanned', { text: await codeTextOf(station, { storeKey: key }) })
    expect(forged.own).toMatchObject({ id: own?.id, host: address.host })
    expect(await station.refused('join.join', fromCode(forged.id, 'Station 1'))).toEqual({ code: 'join/other-store' })
    // What was shown before counts no longer: another page may have scanned this one.
    expect(await station.refused('join.join', fromCode(id, 'Station 1', true))).toMatchObject({ reason: 'none' })

    // A code of its own store needs no question, with a lost password neither.
    for (const account of station.keychain.entries.keys())
      if (account.endsWith('/hub/practice')) station.keychain.entries.delete(account)
    const text = writeJoinCode({
      ...{ ...address, storeKey: before?.storeKey ?? '', stationName: 'Station 1', policy: 'warn' },
      ...{ expiresAt: systemClock.now() + 60_000, storeName: null, storeHash: await markOf(address) },
    }).text
    await station.restart()
    const mine = await station.ask('join.scanned', { text })
    expect(mine.own).toBe(null)
    await station.ask('join.join', fromCode(mine.id, 'Station 1'))
    expect(secretOf(station)).toEqual(before)

    const again = await station.ask('join.scanned', { text: await codeTextOf(theirs) })
    await station.ask('join.join', fromCode(again.id, 'Station 2', true))
    await station.situation('online')
    expect([await names(address), await names(other)]).toEqual([[], ['Back', 'Station 2']])
    expect(secretOf(station)?.storeKey).toBe(secretOf(theirs)?.storeKey)
  })

  it('joins another store by a typed address only after the question, with no key of its own store, and leaves that one', async () => {
    const [address, other] = [await server.store(), await server.store()]
    const [station, mate, theirs] = [await openTestStation(), await openTestStation(), await openTestStation()]
    await station.ask('join.join', formOf(address, 'Station 1'))
    await station.situation('online')
    const code = await mate.ask('join.scanned', { text: await codeTextOf(station) })
    await mate.ask('join.join', fromCode(code.id, 'Station 2'))
    await theirs.ask('join.join', formOf(other, 'Back'))
    await mate.situation('online')
    await theirs.situation('online')
    const before = secretOf(station)

    const form = formOf(other, 'Front')
    const found = await station.ask('join.try', form)
    expect(found).toMatchObject({
      ...{ kind: 'works', needsCode: true },
      replaces: { store: { database: other.database }, own: { database: address.database } },
    })
    expect(await station.refused('join.join', { ...form, makesKey: true })).toEqual({ code: 'join/other-store' })
    expect(await station.refused('join.join', { ...form, replacesStore: true })).toEqual({
      ...{ code: 'join/code-needed', count: 1 },
    })
    expect([secretOf(station), await names(address)]).toEqual([before, ['Station 1', 'Station 2']])
    // The name of the station, and all else of the same hub, is no other store.
    await station.ask('join.join', formOf(address, 'Station 1a', { password: null }))
    expect(secretOf(station)).toEqual(before)

    const replacing = { ...form, makesKey: true, replacesStore: true }
    expect(await station.ask('join.join', replacing)).toMatchObject({ isTold: true })
    await station.situation('online')
    expect([await names(address), await names(other)]).toEqual([['Station 2'], ['Back', 'Front']])
    expect(secretOf(station)?.storeKey).not.toBe(before?.storeKey)
    // What it remembers of the stations of its old store is not awaited here.
    expect(await theirs.ask('hub.view', undefined)).toMatchObject({ awaited: [] })
    expect(await sql(other, 'SELECT name FROM countertag.awaited')).toEqual([])
  })

  it('joins another store while its old hub does not answer, and says that this one still lists it', async () => {
    const own = await startTestServer()
    try {
      const [old, other] = [await own.store(), await server.store()]
      const station = await openTestStation()
      await station.ask('join.join', formOf(old, 'Station 1'))
      await station.situation('online')
      await own.stop('immediate')
      const done = await station.ask('join.join', formOf(other, 'Front', { replacesStore: true }))
      expect(done).toMatchObject({ isTold: false, view: { hub: { database: other.database } } })
      await station.situation('online')
      await own.start()
      expect([await names(old), await names(other)]).toEqual([['Station 1'], ['Front']])
    } finally {
      await own.close()
    }
  })

  it('follows its hub to another address with its key and without a question', async () => {
    const address = await server.store()
    const station = await openTestStation()
    await station.ask('join.join', formOf(address, 'Station 1'))
    await station.situation('online')
    const before = secretOf(station)
    const moved = { ...address, database: `${address.database}_moved` }
    await sql({ ...address, database: 'postgres' }, `ALTER DATABASE ${address.database} ALLOW_CONNECTIONS false`)
    await sql(
      { ...address, database: 'postgres' },
      `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '${address.database}'`,
    )
    await sql({ ...address, database: 'postgres' }, `CREATE DATABASE ${moved.database} TEMPLATE ${address.database}`)
    await sql({ ...address, database: 'postgres' }, `ALTER DATABASE ${address.database} ALLOW_CONNECTIONS true`)
    await station.ask('join.join', formOf(moved, 'Station 1'))
    await station.situation('online')
    expect(secretOf(station)).toEqual(before)
    expect(await names(address)).toEqual(['Station 1'])
  })

  it('asks for a join code where a store has stations and its key is unknown, unless none of them is left', async () => {
    const address = await server.store()
    const first = await openTestStation()
    await first.ask('join.join', formOf(address, 'Station 1'))
    await first.situation('online')
    const second = await openTestStation()
    const form = formOf(address, 'Station 2')
    expect(await second.ask('join.try', form)).toMatchObject({ kind: 'works', stations: 1, needsCode: true })
    expect(await second.refused('join.join', form)).toEqual({ code: 'join/code-needed', count: 1 })
    await second.ask('join.join', { ...form, makesKey: true })
    await second.situation('online')
  })

  it('keeps the saved password from every other server', async () => {
    const address = await server.store()
    const station = await openTestStation()
    await station.ask('join.join', formOf(address, 'Station 1'))
    await station.situation('online')
    const form = { ...formOf(address, 'Station 1'), password: null }
    for (const other of [{ host: 'localhost' }, { port: await freePort() }])
      expect(await station.refused('join.try', { ...form, ...other })).toEqual({ code: 'join/password-missing' })
    expect(await station.ask('join.try', form)).toMatchObject({ kind: 'works' })
  })

  it('changes name, policy and password; without a new password the saved one stays', async () => {
    const address = await server.store()
    const station = await openTestStation()
    await station.ask('join.join', formOf(address, 'Station 1'))
    await station.situation('online')
    const { storeKey } = secretOf(station) ?? {}
    await station.ask('join.join', formOf(address, 'Front desk', { policy: 'refuse', password: null }))
    await station.situation('online')
    expect(await names(address)).toEqual(['Front desk'])
    expect((await station.ask('hub.view', undefined)).policy).toBe('refuse')

    await sql(address, `CREATE ROLE till LOGIN PASSWORD 'first-password'`)
    await sql(address, `GRANT ALL ON DATABASE ${address.database} TO till; GRANT ALL ON SCHEMA countertag TO till`)
    await sql(
      address,
      'GRANT ALL ON ALL TABLES IN SCHEMA countertag TO till; GRANT ALL ON ALL SEQUENCES IN SCHEMA countertag TO till',
    )
    const other = { user: 'till', password: 'first-password' }
    await station.ask('join.join', formOf(address, 'Front desk', other))
    await station.situation('online')
    await sql(address, `ALTER ROLE till PASSWORD 'second-password'`)
    await server.crash()
    await station.trouble('password')
    expect(await station.refused('join.join', formOf(address, 'Front desk', other))).toMatchObject({
      ...{ code: 'join/trouble', trouble: 'password' },
      answer: '28P01 password authentication failed for user "till"',
    })
    await station.ask('join.join', formOf(address, 'Front desk', { ...other, password: 'second-password' }))
    await station.situation('online')
    expect(secretOf(station)).toEqual({ password: 'second-password', storeKey })
  })

  it('is told when its keychain lost the password; entered again, it is together', async () => {
    const address = await server.store()
    const station = await openTestStation()
    await station.ask('join.join', formOf(address, 'Station 1'))
    await station.situation('online')
    await station.restart()
    for (const account of station.keychain.entries.keys())
      if (account.endsWith('/hub/practice')) station.keychain.entries.delete(account)
    await station.restart()
    await station.trouble('secret-missing')
    expect(await station.ask('join.view', undefined)).toMatchObject({ place: 'gone' })
    expect(await station.refused('join.code', undefined)).toEqual({ code: 'join/password-missing' })
    await station.ask('join.join', formOf(address, 'Station 1'))
    await station.situation('online')
  })

  it('keeps the password in memory without a keychain, and in the keychain once that answers', async () => {
    const address = await server.store()
    const station = await openTestStation()
    station.keychain.fail('keychain/missing')
    expect(await station.ask('join.join', formOf(address, 'Station 1'))).toMatchObject({ view: { place: 'memory' } })
    await station.situation('online')
    expect(station.written()).not.toContain(address.password)
    station.keychain.fail(undefined)
    await station.ask('join.try', formOf(address, 'Station 1', { password: null }))
    expect(await station.ask('join.view', undefined)).toMatchObject({ place: 'keychain' })
  })

  it('does not send its password to an address that was written into its file', async () => {
    const address = await server.store()
    const station = await openTestStation()
    await station.ask('join.join', formOf(address, 'Station 1'))
    await station.situation('online')
    const { writeFileSync } = await import('node:fs')
    const text = station.fileText().replace('"host": "127.0.0.1"', '"host": "127.0.0.2"')
    writeFileSync(join(station.dataDir, 'station.json'), text)
    await station.restart()
    await station.trouble('secret-missing')
  })

  it('leaves: other stations get the items of its open orders, its list forgets it, and no password stays', async () => {
    const address = await server.store()
    const station = await openTestStation()
    await station.ask('join.join', formOf(address, 'Station 1'))
    await station.situation('online')
    const stationId = z.object({ stationId: z.uuid() }).parse(JSON.parse(station.fileText())).stationId
    await sql(
      address,
      `INSERT INTO countertag.claim (tag, station, kind, since) VALUES ('${tag(1)}', '${stationId}', 'cart', now()),
        ('${tag(2)}', '${stationId}', 'sale', now() - interval '1 day')`,
    )
    // One of its orders is on hold, which stays here; another one was resumed by another station.
    const [held, resumed] = [randomUUID(), randomUUID()]
    await sql(
      address,
      `INSERT INTO countertag.held_order (id, station, tags, body, taken_by)
        VALUES ('${held}', '${stationId}', '{}', '{}', NULL), ('${resumed}', '${stationId}', '{}', '{}', '${randomUUID()}');
      INSERT INTO countertag.awaited (station, name, is_here) VALUES ('${stationId}', 'Station 1', false)`,
    )
    expect(await station.ask('join.leave', undefined)).toEqual({ view: { hub: null, place: null }, isTold: true })
    expect(await sql(address, 'SELECT id FROM countertag.held_order')).toEqual([{ id: resumed }])
    expect(await sql(address, 'SELECT is_here FROM countertag.awaited')).toEqual([{ is_here: true }])
    await station.situation('alone')
    expect(await names(address)).toEqual([])
    expect(await sql(address, 'SELECT tag FROM countertag.claim')).toEqual([{ tag: tag(2) }])
    expect(secretOf(station)).toBe(undefined)
    expect(station.fileText()).not.toContain(address.database)
  })

  it('tries and joins a hub with a certificate, which the join code carries to the next station', async () => {
    const own = await startTestServer({ tls: 'service' })
    try {
      const pem = (name: string) => readFileSync(join(import.meta.dirname, `../../fixtures/tls/${name}.pem`), 'utf8')
      const address = { ...(await own.store()), certificate: pem('authority') }
      const first = await openTestStation()
      const other = formOf(address, 'Station 1', { certificate: pem('self-signed') })
      expect(await first.ask('join.try', other)).toMatchObject({ kind: 'trouble', trouble: 'certificate' })
      await first.ask('join.join', formOf(address, 'Station 1'))
      await first.situation('online')
      const second = await openTestStation()
      const { id } = await second.ask('join.scanned', { text: await codeTextOf(first) })
      await second.ask('join.join', fromCode(id, 'Station 2'))
      await second.situation('online')
      const { hub } = await second.ask('join.view', undefined)
      expect(hub?.certificate).toBe((await first.ask('join.view', undefined)).hub?.certificate)
      expect(hub?.certificate).toContain('BEGIN CERTIFICATE')
      for (const close of closing.splice(0).reverse()) await close()
    } finally {
      await own.close()
    }
  })

  it('leaves the store of a connection that is removed', async () => {
    const { station, id, address } = await joinWithConnection()
    await station.ask('profile.use', { id: 'practice' })
    await station.ask('profile.remove', { id })
    expect(await names(address)).toEqual([])
    expect([...station.keychain.entries.keys()].filter((account) => account.includes('/hub/'))).toEqual([])
    expect(station.fileText()).not.toContain(address.database)
  })

  it('belongs to a store with one connection, and works alone with another', async () => {
    const { station, id } = await joinWithConnection()
    await station.ask('profile.use', { id: 'practice' })
    await station.situation('alone')
    expect(await station.ask('join.view', undefined)).toEqual({ hub: null, place: null })
    await station.ask('profile.use', { id })
    await station.situation('online')
  })

  it('refuses to leave while a report is unsent; leaves without the hub, and says that it was not told', async () => {
    const own = await startTestServer()
    try {
      const address = await own.store()
      const station = await openTestStation()
      await station.ask('join.join', formOf(address, 'Station 1'))
      await station.situation('online')
      await station.knobs.setFaults({ offline: true })
      const codes = await station.ask('practice.codes', undefined)
      const item =
        codes.find(({ kind, about }) => kind === 'tag' && about === 'imported-here') ??
        codes.find(({ kind }) => kind === 'tag')
      const tagId = TagId.parse(parseId(decodeURIComponent(item?.text.split('/').at(-1) ?? '')))
      await station.ask('checkout.setOrder', { mode: 'sale', orderId: '1' })
      await station.ask('checkout.addItem', { mode: 'sale', tagId })
      const cart = await station.ask('checkout.cart', { mode: 'sale' })
      const { orderId, itemCount, revision } = cart
      await station.ask('checkout.finish', { mode: 'sale', orderId, itemCount, revision, isMeant: true })
      expect(await station.refused('join.leave', undefined)).toEqual({ code: 'join/unsent', count: 1 })
      expect((await station.ask('join.view', undefined)).hub).not.toBe(null)

      await own.stop('immediate')
      await station.knobs.setFaults({})
      await station.ask('outbox.sendNow', undefined)
      await expect.poll(async () => (await station.ask('app.status', undefined)).unsent, { timeout: 15_000 }).toBe(0)
      expect(await station.ask('join.leave', undefined)).toMatchObject({ isTold: false, view: { hub: null } })
      await station.situation('alone')
      await own.start()
      expect(await names(address)).toEqual(['Station 1'])
    } finally {
      await own.close()
    }
  })
})

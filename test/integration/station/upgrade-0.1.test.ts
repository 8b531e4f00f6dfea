import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import Sqlite, { type Database } from 'better-sqlite3'
import { request } from 'undici'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { createDispatch } from '../../../src-main/ipc/dispatch'
import { unlimited } from '../../../src-main/ipc/limits'
import { openStation } from '../../../src-main/station/station'
import { migrate, schemaVersion } from '../../../src-main/database/migrations'
import { openStore } from '../../../src-main/database/open'
import { AppStartError } from '../../../src-main/database/start-error'
import { parseDataFile } from '../../../src-practice/data-file'
import { startPracticeService } from '../../../src-practice/start'
import { CountId, OperationId } from '../../../src-shared/ids'
import { createClient } from '../../../src-shared/ipc/client'
import type { CallInput, CallName, CallOutput } from '../../../src-shared/ipc/contract'
import { endpointsV12 } from '../../../src-shared/service/endpoints'
import { Token } from '../../../src-shared/service/token'
import { fakeKeychain } from '../../fakes/keychain'
import { outsidePractice } from '../../fakes/outside-practice'
import { practiceKnobs } from '../../fakes/practice-admin'
import { removeFolder } from '../../remove-folder'
import { practiceAccount } from '../core/station'

const fixture = join(import.meta.dirname, '../../fixtures/station-0.1.0')
const resourcesDir = join(import.meta.dirname, '../../../resources')
const other = 'green-door-newark-test'
const unpacked = (name: string) => gunzipSync(readFileSync(join(fixture, `${name}.gz`)))

/** A database of 0.1.0 as it was left on the disk; in memory without a file. */
function released(name: string, file = ':memory:'): Database {
  const db = new Sqlite(file)
  db.pragma('foreign_keys = OFF')
  db.exec(unpacked(name).toString())
  return db
}

/** Puts a whole station of 0.1.0 into a folder, as a power cut left it. */
function place(dataDir: string): void {
  writeFileSync(join(dataDir, 'station.json'), readFileSync(join(fixture, 'station.json')))
  for (const [folder, name] of [
    ['practice', 'practice.sql'],
    [other, 'other.sql'],
  ] as const) {
    mkdirSync(join(dataDir, folder))
    released(name, join(dataDir, folder, 'countertag.db')).close()
  }
}

const { imports, transactions } = z
  .object({
    imports: z.array(z.record(z.string(), z.string())),
    transactions: z.array(
      z.object({
        kind: z.enum(['complete', 'void', 'return']),
        order_id: z.string(),
        items: z.array(z.string()),
        performed_at: z.string(),
      }),
    ),
  })
  .parse(JSON.parse(readFileSync(join(fixture, 'service.json'), 'utf8')))

/** A service that holds what 0.1.0's held: reported to it again, in the same order. */
async function startService() {
  const data = parseDataFile(readFileSync(join(resourcesDir, 'practice', 'store.json'), 'utf8'))
  if (!data.ok) throw new Error(data.error)
  const service = await startPracticeService({
    data: () => data.value,
    db: ':memory:',
    port: 0,
    picturesDir: undefined,
  })
  const { clientId, clientSecret } = practiceAccount()
  const post = async (url: string, body: string, headers: Record<string, string>) => {
    const answer = await request(url, { method: 'POST', body, headers })
    const text = await answer.body.text()
    if (answer.statusCode >= 300) throw new Error(`${url}: ${answer.statusCode} ${text}`)
    return text
  }
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
  })
  const token = await post(`${service.authUrl}/o/token/`, form.toString(), {
    'content-type': 'application/x-www-form-urlencoded',
  })
  const headers = {
    'content-type': 'application/json',
    authorization: `Bearer ${Token.parse(JSON.parse(token)).access_token}`,
  }
  const report = (path: string, body: object) => post(`${service.baseUrl}${path}`, JSON.stringify(body), headers)
  for (const one of imports) await report(endpointsV12.imports.create.path, one)
  for (const { kind, ...body } of transactions) await report(`/api/v1.2/transactions/${kind}/`, body)
  return service
}

/** Rows of a table by columns that both versions have. */
const rowsOf = (db: Database, sql: string) => z.array(z.record(z.string(), z.unknown())).parse(db.prepare(sql).all())
const Operation = z.looseObject({
  seq: z.number(),
  id: z.string(),
  kind: z.string(),
  payload: z.string(),
  state: z.string(),
})
const Payload = z.object({ orderId: z.string().optional(), tagIds: z.array(z.string()).optional() })

type Ask = <Name extends CallName>(name: Name, input: CallInput<Name>) => Promise<CallOutput<Name>>
interface Running {
  station: Awaited<ReturnType<typeof openStation>>
  ask: Ask
}
/** Of nothing: a call with it fails. */
const missingId = OperationId.parse('00000000-0000-4000-8000-000000000000')

const before = released('practice.sql')
const operations = rowsOf(before, 'SELECT * FROM operation ORDER BY seq').map((row) => Operation.parse(row))

describe("a whole station of 0.1.0, opened by today's code", { timeout: 60_000 }, () => {
  let dataDir: string
  let running: Running | undefined
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'countertag upgrade '))
    place(dataDir)
  })
  afterEach(async () => {
    await running?.station.close()
    running = undefined
    await removeFolder(dataDir)
  })

  /** Without a network nothing listens where the practice service was. */
  const withoutNetwork = outsidePractice({
    baseUrl: 'http://127.0.0.1:9',
    authUrl: 'http://127.0.0.1:9/auth',
    adminUrl: 'http://127.0.0.1:9',
    account: { clientId: 'till', clientSecret: 'of the test' },
    dispensary: { uuid: '2FF7RYgQAgHXk4zrmWXXoB', name: 'Green Door, Newark' },
  })
  async function open(startPractice = withoutNetwork): Promise<Running> {
    const station = await openStation({
      dataDir,
      resourcesDir,
      version: '0.0.0-test',
      keychain: fakeKeychain().keychain,
      keychainPatience: 0,
      startPractice,
    })
    const dispatch = createDispatch({ station, rateLimit: unlimited, isTrusted: () => true })
    const client = createClient({
      invoke: async (call, input) => z.json().parse(await dispatch('test', call, input)),
      subscribe: () => () => undefined,
    })
    const ask: Ask = async (name, input) => {
      const answer = await client.call(name, input)
      if (!answer.ok) throw new Error(`${name}: ${JSON.stringify(answer.error)}`)
      return answer.value
    }
    running = { station, ask }
    return running
  }
  const close = async () => {
    await running?.station.close()
    running = undefined
  }
  const drained = async (ask: Ask) => {
    const waiting = async () =>
      (await ask('outbox.list', { show: 'waiting' })).operations.map(({ orderId, state, reason }) => ({
        orderId,
        state,
        reason,
      }))
    await expect.poll(waiting, { timeout: 20_000 }).toEqual([])
  }

  /** What a person sees of everything that 0.1.0 had saved, except the state of what waits. */
  async function expectEverything(ask: Ask) {
    const { lines } = await ask('outbox.export', undefined)
    expect(lines.map(({ seq }) => seq)).toEqual(operations.map(({ seq }) => seq))
    for (const old of operations) {
      const { orderId = null, tagIds } = Payload.parse(JSON.parse(old.payload))
      const now = lines.find(({ seq }) => seq === old.seq)
      expect(now).toMatchObject({ id: old.id, kind: old.kind, performedAt: old['performed_at'], orderId })
      if (tagIds && tagIds.length > 0) expect(now?.tagIds).toEqual(tagIds)
      if (['accepted', 'rejected', 'cancelled'].includes(old.state)) {
        expect(now).toMatchObject({ state: old.state, note: old['note'], dismissedBecause: old['dismissed_because'] })
      }
      const steps = rowsOf(
        before,
        `SELECT at, what, to_state FROM journal WHERE operation_seq = ${old.seq} ORDER BY entry`,
      )
      const journal = await ask('outbox.journal', { operationId: now?.id ?? missingId })
      expect(journal.slice(0, steps.length).map(({ at, what, to }) => [Date.parse(at), what, to])).toEqual(
        steps.map(({ at, what, to_state }) => [at, what, to_state]),
      )
    }

    const held = await ask('checkout.held', undefined)
    expect(held.map(({ orderId, budtender, itemCount }) => [orderId, budtender?.name, itemCount]).sort()).toEqual([
      ['H-1', 'Jonas', 2],
      ['H-2', 'Jonas', 1],
    ])
    expect(await ask('checkout.cart', { mode: 'sale' })).toMatchObject({ orderId: 'F-1', itemCount: 1 })
    expect(await ask('checkout.cart', { mode: 'return' })).toMatchObject({ orderId: 'A-1', itemCount: 1 })
    const { budtenders } = await ask('checkout.settings', undefined)
    expect(budtenders.map(({ name }) => name)).toEqual(['Maya', 'Jonas'])

    const deliveries = await ask('receiving.deliveries', undefined)
    expect(deliveries).toHaveLength(2)
    const under = await ask('receiving.delivery', undefined)
    const cases = rowsOf(before, 'SELECT case_id FROM delivery_case WHERE delivery = 2 ORDER BY position')
    expect(under?.cases.map(({ caseId }) => caseId)).toEqual(cases.map((row) => row['case_id']))
    const count = await ask('receiving.openCount', undefined)
    expect(count).toMatchObject({ total: 34, counted: 5 })
    const { differences } = await ask('receiving.countDetail', { countId: CountId.parse(count?.id) })
    const scanned = rowsOf(before, 'SELECT tag_id FROM tag_count_scanned').map((row) => row['tag_id'])
    const missing = rowsOf(before, 'SELECT tag_id FROM tag_count_expected').filter(
      (row) => !scanned.includes(row['tag_id']),
    )
    expect(differences.map(({ tagId }) => String(tagId)).sort()).toEqual(
      missing.map((row) => String(row['tag_id'])).sort(),
    )

    expect((await ask('app.status', undefined)).locale).toBe('es')
    expect(await ask('outbox.limits', undefined)).toEqual({ count: 77, hours: 7 })
    const { active, profiles } = await ask('profile.settings', undefined)
    expect([active, ...profiles.map(({ id, profile }) => `${id}: ${profile.name}`)]).toEqual([
      'practice',
      'green-door-newark-test: Green Door Newark, test',
      'green-door-hoboken: Green Door Hoboken',
    ])
  }

  it('holds every report, order, count and setting without a network, also at the next start', async () => {
    const { ask } = await open()
    await expectEverything(ask)
    expect(await ask('app.status', undefined)).toMatchObject({ unsent: 4, attention: 1 })
    const [first] = (await ask('checkout.held', undefined)).filter(({ orderId }) => orderId === 'H-1')
    await close()

    const again = await open()
    await expectEverything(again.ask)
    expect(await again.ask('app.status', undefined)).toMatchObject({ unsent: 4, attention: 1 })
    // The order on hold can be resumed, with its items in their order.
    await again.ask('checkout.resume', { heldId: first?.id ?? 0 })
    const items = rowsOf(
      before,
      `SELECT tag_id FROM open_order_item WHERE open_order = (
      SELECT id FROM open_order WHERE order_id = 'H-1') ORDER BY position`,
    )
    const cart = await again.ask('checkout.cart', { mode: 'sale' })
    expect(cart.orderId).toBe('H-1')
    const shown = cart.lines.flatMap((line) => line.items.map(({ tagId }) => String(tagId)))
    expect(shown.sort()).toEqual(items.map((row) => String(row['tag_id'])).sort())
  })

  it('sends exactly once what waited: queued, on the wire, and with a lost answer', async () => {
    const service = await startService()
    onTestFinished(() => service.close())
    const online = outsidePractice({
      ...service,
      account: practiceAccount(),
      dispensary: { uuid: '2FF7RYgQAgHXk4zrmWXXoB', name: 'Green Door, Newark' },
    })
    const { ask } = await open(online)
    await drained(ask)
    await expectEverything(ask)
    const knobs = practiceKnobs(service.adminUrl)
    const atService = async () => (await knobs.transactions()).map(({ kind, orderId }) => `${kind} ${orderId}`).sort()
    const everything = [
      'complete A-1',
      'complete A-2',
      'complete A-3',
      'complete Q-1',
      'complete S-1',
      'complete U-1',
      'complete other R-1',
      'complete other R-2',
      'return A-1',
      'return S-1',
      'void A-2',
    ]
    expect(await atService()).toEqual(everything)
    expect(await ask('app.status', undefined)).toMatchObject({ unsent: 0, attention: 1 })
    await close()

    const again = await open(online)
    await again.ask('outbox.sendNow', undefined)
    await expectEverything(again.ask)
    expect(await atService()).toEqual(everything)
  })

  it("opens another connection's data too, where an order waits and another is on hold", async () => {
    const { ask } = await open()
    await ask('profile.use', { id: other })
    await expect
      .poll(async () => (await ask('app.status', undefined)).profile.name, { timeout: 10_000 })
      .toBe('Green Door Newark, test')
    expect(await ask('app.status', undefined)).toMatchObject({ unsent: 1, attention: 0 })
    const { lines } = await ask('outbox.export', undefined)
    expect(lines.map(({ orderId, kind }) => [orderId, kind])).toEqual([['T-1', 'complete']])
    expect((await ask('checkout.held', undefined)).map(({ orderId }) => orderId)).toEqual(['T-2'])
  })

  it('keeps a copy of the data from before the upgrade, once', async () => {
    const backups = join(dataDir, 'practice', 'backups')
    const copies = () => readdirSync(backups).filter((name) => name.startsWith('before-upgrade-'))
    await open()
    expect(copies()).toEqual([expect.stringMatching(/^before-upgrade-7-\d{8}T\d{6}Z\.db$/)])
    await close()
    await open()
    expect(copies()).toHaveLength(1)
    // It is what 0.1.0 would open: its schema, with every row.
    const copy = new Sqlite(join(backups, copies()[0] ?? ''), { readonly: true })
    expect(copy.pragma('user_version', { simple: true })).toBe(7)
    expect(rowsOf(copy, 'SELECT * FROM operation ORDER BY seq')).toEqual(
      rowsOf(before, 'SELECT * FROM operation ORDER BY seq'),
    )
    expect(rowsOf(copy, 'SELECT * FROM seen_tag ORDER BY tag_id')).toEqual(
      rowsOf(before, 'SELECT * FROM seen_tag ORDER BY tag_id'),
    )
    copy.close()
  })

  it('is not opened by an older version afterwards, which says why and where the way back is', async () => {
    await open()
    await close()
    const file = join(dataDir, 'practice', 'countertag.db')
    // To this version, the data of the next one is what this version's data is to 0.1.0.
    const db = new Sqlite(file)
    expect(db.pragma('user_version', { simple: true })).toBe(schemaVersion)
    db.pragma(`user_version = ${schemaVersion + 1}`)
    db.close()
    expect(() => openStore(file)).toThrow(AppStartError)
    expect(() => openStore(file)).toThrow(
      /was written by a newer Countertag\. Update this one\. The data as it was before the upgrade is in .*backups.before-upgrade-7-/,
    )
    expect(() => migrate(new Sqlite(file))).toThrow(/newer/)
  })

  it('is upgraded by a disk that has no room for a copy, too', async () => {
    // A file in the place of the folder refuses it like a full disk does.
    writeFileSync(join(dataDir, 'practice', 'backups'), '')
    const { ask } = await open()
    await expectEverything(ask)
    const log = readFileSync(join(dataDir, 'practice', 'countertag.log'), 'utf8')
    expect(log).toContain('migrated without a copy of the data before')
    expect(existsSync(join(dataDir, 'practice', 'countertag.db'))).toBe(true)
  })
})

it('the fixture names no customer and holds no secret', () => {
  for (const name of ['practice.sql', 'other.sql']) {
    const db = released(name)
    expect(rowsOf(db, `SELECT payload FROM operation WHERE payload LIKE '%customerId%'`)).toEqual([])
    expect(rowsOf(db, 'SELECT customer_id FROM open_order WHERE customer_id IS NOT NULL')).toEqual([])
    db.close()
  }
  const texts = ['practice.sql', 'other.sql'].map((name) => unpacked(name).toString())
  for (const text of [...texts, readFileSync(join(fixture, 'station.json'), 'utf8')]) {
    expect(text).not.toMatch(/secret|Bearer|password|access_token/i)
  }
})

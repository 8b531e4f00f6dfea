import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type Socket, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterEach, describe, expect, it } from 'vitest'
import type { Hub } from '../../../src-main/hub/port'
import { type HubAddress, HubConnections, connectionOf } from '../../../src-main/hub/postgres/connections'
import { leaveHub, tryHub } from '../../../src-main/hub/postgres/trial'
import { storeHashOf } from '../../../src-main/hub/store-identity'
import { silentLog } from '../../../src-main/core/log'
import { tag } from '../../fakes/ids'
import { bindAny } from '../../../src-practice/listener'
import { startTestServer } from '../../hub/server'
import { startSlowLine } from '../../hub/slow-line'
import { joinHub, openHub, situation, testStore } from '../../hub/station'

const closing: (() => Promise<void>)[] = []
/** Closed after the test, the last one first. */
const later = <T extends { close(): Promise<void> }>(one: T): T => {
  closing.push(() => one.close())
  return one
}
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const pem = (name: string) => readFileSync(join(import.meta.dirname, '../../fixtures/tls', `${name}.pem`), 'utf8')
const troubleOf = (hub: Hub, wanted: string | null) => expect.poll(() => hub.view().trouble).toBe(wanted)

/** How many connections of this name the server has. */
const connectionsOf = async (address: HubAddress, name: string) => {
  const client = new pg.Client(address)
  await client.connect()
  const { rowCount } = await client.query('SELECT 1 FROM pg_stat_activity WHERE application_name = $1', [name])
  await client.end()
  return rowCount
}

describe('two tries at once', () => {
  it('to reach a hub are one', async () => {
    const server = later(await startTestServer())
    const address = await server.store()
    let tries = 0
    const line = later(
      new HubConnections({
        address: () => {
          tries++
          return Promise.resolve(address)
        },
        name: 'Till 1',
        log: silentLog,
        prepare: () => Promise.resolve(null),
        onChange: () => undefined,
      }),
    )
    line.retryNow()
    line.retryNow()
    await expect.poll(() => line.trouble()).toBe(null)
    expect(tries).toBe(1)
    expect(await connectionsOf(address, 'Till 1')).toBe(2)
  })

  it('of a hub that is to be joined are answered the same, and no connection is left', async () => {
    const server = later(await startTestServer())
    const address = await server.store()
    later(await joinHub(address, 'Till 1'))
    const form = { address, stationId: randomUUID(), stationName: 'Till 2', storeHash: storeHashOf(testStore) }
    const found = { trouble: null, names: ['Till 1'], isNew: false }
    expect(await Promise.all([tryHub(form), tryHub(form)])).toMatchObject([found, found])
    await expect.poll(() => connectionsOf(address, 'countertag trial')).toBe(0)
  })
})

describe('the certificate of a hub', () => {
  it('is checked against its authority, for a name and for an address', async () => {
    const server = later(await startTestServer({ tls: 'service' }))
    const address = { ...(await server.store()), certificate: pem('authority') }
    later(await joinHub(address, 'By address'))
    later(await joinHub({ ...address, host: 'localhost' }, 'By name'))
    await troubleOf(later(openHub({ ...address, certificate: pem('self-signed') }, 'Stranger')), 'certificate')
  })

  it('may be its own authority', async () => {
    const server = later(await startTestServer({ tls: 'self-signed' }))
    later(await joinHub({ ...(await server.store()), certificate: pem('self-signed') }, 'Till 1'))
  })

  it('is refused with another name', async () => {
    const server = later(await startTestServer({ tls: 'other-name' }))
    const address = { ...(await server.store()), certificate: pem('authority') }
    await troubleOf(later(openHub(address, 'Till 1')), 'certificate')
  })

  it('is refused if the server has none', async () => {
    const server = later(await startTestServer())
    const address = { ...(await server.store()), certificate: pem('authority') }
    await troubleOf(later(openHub(address, 'Till 1')), 'no-tls')
  })

  it('is never done without, except on this computer', () => {
    const rest = { port: 5432, database: 'store', user: 'store', password: '-', certificate: null }
    expect(connectionOf({ ...rest, host: '192.168.1.20' }).ssl).toMatchObject({ rejectUnauthorized: true })
    expect(connectionOf({ ...rest, host: 'localhost.example' }).ssl).toMatchObject({ rejectUnauthorized: true })
    expect(connectionOf({ ...rest, host: '127.0.0.1' }).ssl).toBe(false)
  })
})

describe('a line that swallows answers', () => {
  it('sets a station apart, though its claim was granted: the other station is refused, and the claim can be compared', async () => {
    const server = later(await startTestServer())
    const address = await server.store()
    const line = later(await startSlowLine(address.port))
    const one = later(await joinHub({ ...address, port: line.port }, 'Till 1', { patience: 300 }))
    const two = later(await joinHub(address, 'Till 2'))
    const wish = { tagId: tag(1), kind: 'cart', orderId: null, at: 0 } as const

    line.swallow()
    expect(await one.claims.take(wish)).toEqual({ kind: 'offline' })
    expect(one.view()).toMatchObject({ situation: 'offline', trouble: 'silent' })
    // Without a line, nothing waits.
    expect(await one.claims.take(wish)).toEqual({ kind: 'offline' })
    expect(await two.claims.take(wish)).toMatchObject({ kind: 'held', by: { stationName: 'Till 1' } })

    line.mend()
    await situation(one, 'online')
    expect(await one.claims.own()).toMatchObject({ claims: [{ tagId: tag(1) }] })
  })

  it('is tried at once, however often a person asks for it', async () => {
    const server = later(await startTestServer())
    const address = await server.store()
    const line = later(await startSlowLine(address.port))
    line.cut('refused')
    const one = later(openHub({ ...address, port: line.port }, 'Till 1'))
    await expect.poll(() => one.view().trouble).toBe('silent')
    line.mend()
    const asking = setInterval(() => {
      one.retryNow()
    }, 5)
    await situation(one, 'online')
    clearInterval(asking)
    expect(await one.claims.own()).toMatchObject({ claims: [] })
  })

  it('is given up when it breaks after the connection was made, and the hub is reached by the next one', async () => {
    const server = later(await startTestServer())
    const address = await server.store()
    const line = later(await startSlowLine(address.port))
    line.swallowAnswerTo('LISTEN')
    const one = later(await joinHub({ ...address, port: line.port }, 'Till 1', { longest: 1_000 }))
    expect(await one.claims.own()).toMatchObject({ claims: [] })
  })

  it('is left alone by a station that closes', async () => {
    const server = later(await startTestServer())
    const address = await server.store()
    const line = later(await startSlowLine(address.port))
    const one = await joinHub({ ...address, port: line.port }, 'Till 1')
    line.swallow()
    await one.close()
    expect(await one.claims.take({ tagId: tag(1), kind: 'cart', orderId: null, at: 0 })).toEqual({ kind: 'offline' })
  })
})

describe('a station that closes while it connects, and then leaves its hub,', () => {
  /** `begin`: resolves once the connection waits. `goOn`: lets it go on. Returns the stations of the hub once it has ended. */
  async function leftWhile(
    address: HubAddress,
    port: number,
    begin: () => Promise<unknown>,
    goOn: () => Promise<unknown>,
  ): Promise<unknown[]> {
    const stationId = randomUUID()
    const hub = openHub({ ...address, port }, 'Till 1', { stationId })
    await begin()
    await hub.close()
    expect(await leaveHub(address, stationId, true)).toBe(true)
    await goOn()
    await expect.poll(() => connectionsOf(address, 'countertag Till 1')).toBe(0)
    const client = new pg.Client(address)
    await client.connect()
    const { rows } = await client.query<{ name: string }>('SELECT name FROM countertag.station')
    await client.end()
    return rows
  }

  it('is not listed there again: its connection is made afterwards', async () => {
    const server = later(await startTestServer())
    const address = await server.store()
    await (await joinHub(address, 'Back')).close()
    const sockets = new Set<Socket>()
    const gate = Promise.withResolvers<undefined>()
    const line = createServer((near) => {
      sockets.add(near.on('close', () => sockets.delete(near)).on('error', () => undefined))
      void gate.promise.then(() => {
        near.pipe(connect(address.port, '127.0.0.1').on('error', () => undefined)).pipe(near)
      })
    })
    const port = await bindAny(line)
    later({ close: () => promisify(line.close.bind(line))() })
    const rows = await leftWhile(
      address,
      port,
      () => expect.poll(() => sockets.size).toBe(1),
      async () => {
        gate.resolve(undefined)
        await expect.poll(() => sockets.size).toBe(0)
      },
    )
    expect(rows).toEqual([{ name: 'Back' }])
  })

  it('is not listed there again: what it asked last is done afterwards', async () => {
    const server = later(await startTestServer())
    const address = await server.store()
    await (await joinHub(address, 'Back')).close()
    // Another station takes the name, and may still give it back: the hub can't write this one before that is known.
    const other = new pg.Client(address)
    await other.connect()
    await other.query('BEGIN')
    await other.query(`INSERT INTO countertag.station (id, name, version) VALUES ($1, 'Till 1', '')`, [randomUUID()])
    const waiting = async () => {
      const { rowCount } = await other.query(
        `SELECT 1 FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE NOT granted AND application_name = 'countertag Till 1'`,
      )
      return rowCount
    }
    const rows = await leftWhile(
      address,
      address.port,
      () => expect.poll(waiting, { interval: 10 }).toBe(1),
      () => other.query('ROLLBACK'),
    )
    await other.end()
    expect(rows).toEqual([{ name: 'Back' }])
  })
})

describe('a hub that can be read and not written', () => {
  /** Runs statements as an administrator does. */
  const administer = async (address: HubAddress, ...statements: string[]) => {
    const client = new pg.Client(address)
    await client.connect()
    for (const one of statements) await client.query(one)
    await client.end()
  }

  it('sets its stations apart without a scan, with a word of its own, until it takes writes again', async () => {
    const server = later(await startTestServer())
    const address = await server.store()
    const one = later(await joinHub(address, 'Till 1'))
    const form = { address, stationId: randomUUID(), stationName: 'Till 2', storeHash: storeHashOf(testStore) }
    await administer(address, 'ALTER SYSTEM SET default_transaction_read_only = on', 'SELECT pg_reload_conf()')
    await expect.poll(() => one.view().trouble, { timeout: 20_000 }).toBe('read-only')
    expect(await tryHub(form)).toMatchObject({ trouble: 'read-only' })
    expect(await one.claims.take({ tagId: tag(1), kind: 'cart', orderId: null, at: 0 })).toEqual({ kind: 'offline' })
    await administer(
      address,
      'SET default_transaction_read_only = off',
      'ALTER SYSTEM RESET default_transaction_read_only',
      'SELECT pg_reload_conf()',
    )
    await situation(one, 'online')
  }, 40_000)

  it('is found by the first claim', async () => {
    const server = later(await startTestServer())
    const address = await server.store()
    const one = later(await joinHub(address, 'Till 1'))
    await administer(address, 'ALTER SYSTEM SET default_transaction_read_only = on', 'SELECT pg_reload_conf()')
    const wish = { tagId: tag(1), kind: 'cart', orderId: null, at: 0 } as const
    await expect.poll(() => one.claims.take(wish)).toEqual({ kind: 'offline' })
    expect(one.view()).toMatchObject({ situation: 'offline', trouble: 'read-only' })
  })

  it('is not worked with while its disk is full, though a connection can be made', async () => {
    const server = later(await startTestServer())
    const address = await server.store()
    const one = later(await joinHub(address, 'Till 1'))
    // No room for temporary files; and no room for a new claim.
    await administer(
      address,
      `CREATE FUNCTION countertag.no_room() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$`,
      'CREATE TRIGGER no_room BEFORE INSERT ON countertag.claim EXECUTE FUNCTION countertag.no_room()',
      `ALTER SYSTEM SET temp_file_limit = '0'`,
      'SELECT pg_reload_conf()',
    )
    const asked = one.claims.take({ tagId: tag(1), kind: 'cart', orderId: null, at: 0 })
    expect(await asked).toEqual({ kind: 'offline' })
    const seen = new Set<string | null>()
    const stop = one.onSituation(() => seen.add(one.view().trouble))
    for (let tries = 0; tries < 3; tries++) {
      one.retryNow()
      await setTimeout(300)
    }
    expect(one.view().trouble).toBe('full')
    expect([...seen]).not.toContain(null)
    stop()
    await administer(address, 'ALTER SYSTEM RESET temp_file_limit', 'SELECT pg_reload_conf()')
    one.retryNow()
    await situation(one, 'online')
  })
})

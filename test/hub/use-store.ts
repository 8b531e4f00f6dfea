import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import type { HubAddress } from '../../src-main/hub/postgres/connections'
import { type TestServer, startTestServer } from './server'
import { type TestStore, openTestStore } from './store'

/** A PostgreSQL for the tests of a file, with a new store for each test. Call it at the top of the file. */
export function useHub() {
  let server: TestServer | undefined
  let address: HubAddress | undefined
  const started = () => {
    if (!server) throw new Error('only tests can use the hub')
    return server
  }
  beforeAll(async () => {
    server = await startTestServer()
  })
  afterAll(() => server?.close())
  beforeEach(async () => {
    address = await started().store()
  })
  const hub = {
    get address(): HubAddress {
      if (!address) throw new Error('only tests can use the hub')
      return address
    },
    /** A fresh database at the same server. */
    another: () => started().store(),
    crash: () => started().crash(),
    /** Ends every connection at once. */
    stop: () => started().stop('immediate'),
    start: () => started().start(),
    /** Asks the database itself. */
    async sql(text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
      const client = new pg.Client(hub.address)
      await client.connect()
      try {
        const { rows } = await client.query<Record<string, unknown>>(text, values)
        return rows
      } finally {
        await client.end()
      }
    },
  }
  return hub
}

/** The same with whole stations of that store. */
export function useStore() {
  const hub = useHub()
  let store: TestStore | undefined
  beforeEach(async () => {
    store = await openTestStore(hub.address)
  })
  afterEach(() => store?.close())
  const station: TestStore['station'] = (...about) => {
    if (!store) throw new Error('only tests have stations')
    return store.station(...about)
  }
  return Object.assign(hub, { station })
}

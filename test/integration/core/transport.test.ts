import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createServiceClock, systemClock } from '../../../src-main/core/clock'
import { type Http, createHttp } from '../../../src-main/service/http'
import { type TestCertificate, selfSigned } from '../../fixtures/certificate'
import { type RawOptions, type RawServer, type Visit, startRawServer } from './raw-server'

const day = 86_400_000
const from = (days: number) => new Date(Date.now() + days * day)
const certificates = {
  good: selfSigned({ address: '127.0.0.1', from: from(-1), to: from(1) }),
  'that is self-signed': selfSigned({ address: '127.0.0.1', from: from(-1), to: from(1) }),
  'that has expired': selfSigned({ address: '127.0.0.1', from: from(-9), to: from(-1) }),
  'that is valid from tomorrow': selfSigned({ address: '127.0.0.1', from: from(1), to: from(9) }),
  'for another address': selfSigned({ address: '10.0.0.1', from: from(-1), to: from(1) }),
} satisfies Record<string, TestCertificate>

const say =
  (text: string, then: (visit: Visit) => void = () => undefined) =>
  (visit: Visit) => {
    visit.socket.write(text, () => then(visit))
  }
const hangUp = ({ socket }: Visit) => socket.end()
const reset = ({ socket }: Visit) => void socket.resetAndDestroy()
/** Leaves received data unread, and breaks the connection once the data must have arrived. */
const unread = (end: (visit: Visit) => void) => (visit: Visit) => {
  visit.socket.pause()
  setTimeout(() => end(visit), 50)
}
const aMoment = () => new Promise((resolve) => setTimeout(resolve, 50))
const ok = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}'

/** Real undici connections over loopback, to servers that break in every way, as `transport.ts` judges them. */
describe('a report without an answer', () => {
  let server: RawServer | undefined
  let http: Http | undefined
  const trusted = getCACertificates('default')
  beforeAll(() => {
    const { 'that is self-signed': _, ...known } = certificates
    setDefaultCACertificates([...trusted, ...Object.values(known).map(({ cert }) => cert)])
  })
  afterAll(() => {
    setDefaultCACertificates(trusted)
  })
  afterEach(async () => {
    await http?.close()
    await server?.close()
  })

  const open = async (options: RawOptions, scheme: 'http' | 'https' = 'http', host = '127.0.0.1') => {
    server = await startRawServer(options)
    const origin = `${scheme}://${host}:${server.port}`
    const client = createHttp({
      origins: new Set([origin]),
      clockOrigin: origin,
      clock: systemClock,
      serviceClock: createServiceClock(),
      timeouts: { connect: 400, headers: 300, body: 300 },
    })
    http = client
    const report = (headers: Record<string, string> = {}) =>
      client.send({
        method: 'POST',
        url: `${origin}/api/v1.2/transactions/complete/`,
        headers,
        body: '{"order_id":"1"}',
      })
    return { server, client, report }
  }

  it('is answered if nothing breaks, with and without TLS, so the test servers work', async () => {
    const plain = await open({ onRequest: say(ok) })
    expect(await plain.report()).toMatchObject({ kind: 'answer', status: 200 })
    await http?.close()
    await server?.close()
    const tls = await open({ onRequest: say(ok), certificate: certificates.good }, 'https')
    expect(await tls.report()).toMatchObject({ kind: 'answer', status: 200 })
  })

  it.each(['127.0.0.1', 'localhost'])('was not sent if no server listens at %s', async (host) => {
    const { report, server } = await open({}, 'http', host)
    await server.close()
    expect(await report()).toEqual({ kind: 'no-answer', code: 'ECONNREFUSED', sent: false })
  })

  it.each([
    ['that is self-signed', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    ['that has expired', 'CERT_HAS_EXPIRED'],
    ['that is valid from tomorrow', 'CERT_NOT_YET_VALID'],
    ['for another address', 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ] as const)('was not sent if the certificate is one %s', async (which, code) => {
    const { report, server } = await open({ onRequest: say(ok), certificate: certificates[which] }, 'https')
    expect(await report()).toEqual({ kind: 'no-answer', code, sent: false })
    expect(server.bytes()).toBe(0)
  })

  it('was not sent if the handshake takes too long', async () => {
    const { report, server } = await open({}, 'https')
    expect(await report()).toEqual({ kind: 'no-answer', code: 'UND_ERR_CONNECT_TIMEOUT', sent: false })
    expect(server.connections()).toBe(1)
  })

  it('was not sent if undici rejects its headers', async () => {
    const { report, server } = await open({ onRequest: say(ok) })
    const reply = await report({ authorization: 'Bearer a\nb' })
    expect(reply).toEqual({ kind: 'no-answer', code: 'UND_ERR_INVALID_ARG', sent: false })
    expect(server.connections()).toBe(0)
  })

  const big = `x-long: ${'x'.repeat(1_000)}\r\n`.repeat(40)
  const after: [string, RawOptions, string | RegExp][] = [
    ['is reset before it is read', { onConnection: unread(reset) }, /^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/],
    ['is hung up on before it is read', { onConnection: unread(hangUp) }, /^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/],
    ['is reset after it was read', { onRequest: reset }, 'ECONNRESET'],
    ['is hung up on after it was read', { onRequest: hangUp }, 'UND_ERR_SOCKET'],
    ['is not answered in time', {}, 'UND_ERR_HEADERS_TIMEOUT'],
    ['gets an answer that is not HTTP', { onRequest: say('220 mail.example ESMTP\r\n') }, 'UNKNOWN'],
    [
      'is answered by headers without end',
      { onRequest: say(`HTTP/1.1 200 OK\r\n${big}\r\n`) },
      'UND_ERR_HEADERS_OVERFLOW',
    ],
    ['is answered by half of the headers', { onRequest: say('HTTP/1.1 200 OK\r\ncontent-', hangUp) }, 'UND_ERR_SOCKET'],
    [
      'is answered by half a body',
      { onRequest: say('HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{"status":', hangUp) },
      'UND_ERR_SOCKET',
    ],
    [
      'is answered by half a body on a connection that was to be closed',
      { onRequest: say('HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 99\r\n\r\n{"status":', hangUp) },
      'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
    ],
    [
      'is answered by half a body and a reset',
      { onRequest: say('HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{"status":', reset) },
      /^(ECONNRESET|UND_ERR_SOCKET)$/,
    ],
    [
      'is answered by a chunk that stops in the middle',
      { onRequest: say('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nff\r\n{"sta', hangUp) },
      'UND_ERR_SOCKET',
    ],
    [
      'is answered by a body that never ends',
      { onRequest: say('HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{"status":') },
      'UND_ERR_BODY_TIMEOUT',
    ],
    [
      'is answered by two lengths',
      { onRequest: say('HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}') },
      'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
    ],
    [
      'is answered by another protocol',
      { onRequest: say('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: other\r\n\r\n') },
      'UND_ERR_SOCKET',
    ],
    ['is told to go on, and nothing else', { onRequest: say('HTTP/1.1 100 Continue\r\n\r\n') }, 'UND_ERR_SOCKET'],
  ]
  it.each(after)('may have arrived when it %s', async (_, options, code) => {
    const { report } = await open(options)
    const reply = await report()
    expect(reply).toMatchObject({ kind: 'no-answer', sent: true })
    expect(reply.kind === 'no-answer' && reply.code).toMatch(code)
  })

  it('may have arrived, judging by its code, if a handshake breaks', async () => {
    const cut = await open(
      { onConnection: ({ socket }) => void socket.once('data', () => socket.resetAndDestroy()) },
      'https',
    )
    expect(await cut.report()).toMatchObject({ kind: 'no-answer', sent: true })
    expect(cut.server.requests()).toBe(0)
    await http?.close()
    await server?.close()
    const plain = await open({ onConnection: say('HTTP/1.1 400 Bad Request\r\n\r\n', hangUp) }, 'https')
    expect(await plain.report()).toMatchObject({ kind: 'no-answer', sent: true })
    expect(plain.server.requests()).toBe(0)
  })

  it('goes over a new connection, once, if the old one was closed between two reports', async () => {
    const { report, server } = await open({
      onRequest: say(ok, (visit) => {
        if (visit.requests === 1) hangUp(visit)
      }),
    })
    expect(await report()).toMatchObject({ status: 200 })
    await expect.poll(() => server.open()).toBe(0)
    expect(await report()).toMatchObject({ status: 200 })
    expect([server.connections(), server.requests()]).toEqual([2, 2])
  })

  it('is never sent twice by undici itself if a kept connection is cut during the report', async () => {
    const { report, server } = await open({
      onRequest: (visit) => {
        if (visit.requests === 2) reset(visit)
        else visit.socket.write(ok)
      },
    })
    expect(await report()).toMatchObject({ status: 200 })
    await aMoment()
    expect(await report()).toEqual({ kind: 'no-answer', code: 'ECONNRESET', sent: true })
    expect([server.connections(), server.requests()]).toEqual([1, 2])
  })

  it('may have arrived if the app closes meanwhile, even if it still waits for a connection', async () => {
    const { report, client, server } = await open({})
    const reports = Array.from({ length: 20 }, () => report())
    await expect.poll(() => server.requests()).toBe(16)
    await client.close()
    for (const reply of await Promise.all(reports)) {
      expect(reply).toEqual({ kind: 'no-answer', code: 'UND_ERR_DESTROYED', sent: true })
    }
    expect(await report()).toEqual({ kind: 'no-answer', code: 'UND_ERR_DESTROYED', sent: true })
    expect(server.requests()).toBe(16)
  })
})

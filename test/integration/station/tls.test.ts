import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { type IncomingMessage, type Server, createServer as createPlain } from 'node:http'
import { createServer } from 'node:https'
import { type AddressInfo, type Socket, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createServiceClock, systemClock } from '../../../src-main/core/clock'
import { type Http, createHttp } from '../../../src-main/service/http'
import { errorOfReply } from '../../../src-main/service/read'

const fixture = (name: string) => join(import.meta.dirname, '../../fixtures/tls', name)
const authority = fixture('authority.pem')

describe('a service behind TLS', () => {
  const ends: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end()
  })

  const listen = async (server: Server, host = '127.0.0.1') => {
    await new Promise<void>((resolve) => server.listen(0, host, resolve))
    ends.push(async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    })
    const address: AddressInfo | string | null = server.address()
    return typeof address === 'object' && address ? address.port : 0
  }

  const startService = async (certificate: string) => {
    const asked: string[] = []
    const server = createServer(
      { key: readFileSync(fixture(`${certificate}.key`)), cert: readFileSync(fixture(`${certificate}.pem`)) },
      (request, response) => {
        asked.push(request.url ?? '')
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
      },
    )
    server.on('tlsClientError', () => undefined)
    return { port: await listen(server), asked }
  }

  /** A proxy that tunnels any name to the services of these tests. */
  const startProxy = async (answer: 'tunnel' | 'refuse' | 'say nothing', port = 0) => {
    const asked: string[] = []
    const sockets = new Set<Socket>()
    const server = createPlain()
    server.on('connect', (request: IncomingMessage, socket: Socket) => {
      asked.push(request.url ?? '')
      sockets.add(socket.on('error', () => undefined))
      if (answer === 'refuse') socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
      if (answer !== 'tunnel') return
      const onward = connect(port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n')
        onward.pipe(socket)
        socket.pipe(onward)
      }).on('error', () => undefined)
      sockets.add(onward)
    })
    const own = await listen(server)
    ends.push(() => {
      for (const socket of sockets) socket.destroy()
      return Promise.resolve()
    })
    return { url: `http://127.0.0.1:${own}`, asked }
  }

  const httpTo = (url: string, caFile: string | null, environment: NodeJS.ProcessEnv = {}): Http => {
    const http = createHttp({
      origins: new Set([new URL(url).origin]),
      clockOrigin: url,
      clock: systemClock,
      serviceClock: createServiceClock(),
      timeouts: { connect: 5_000, headers: 2_000, body: 2_000 },
      caFile,
      environment,
    })
    ends.push(() => http.close())
    return http
  }
  const ask = async (url: string, caFile: string | null, environment?: NodeJS.ProcessEnv) =>
    httpTo(url, caFile, environment).send({ method: 'GET', url: `${url}/x` })

  it('is trusted only if its issuer is in the file of the profile', async () => {
    const { port, asked } = await startService('service')
    const url = `https://127.0.0.1:${port}`
    expect(await ask(url, authority)).toMatchObject({ kind: 'answer', status: 200 })
    const refused = await ask(url, null)
    expect(refused).toMatchObject({ kind: 'no-answer', sent: false })
    expect(errorOfReply(refused, '')).toEqual({ code: 'service/not-trusted', reason: 'issuer' })
    expect(asked).toEqual(['/x'])
  })

  it('is not trusted with the certificate of another address', async () => {
    const { port, asked } = await startService('other-name')
    const refused = await ask(`https://127.0.0.1:${port}`, authority)
    expect(errorOfReply(refused, '')).toEqual({ code: 'service/not-trusted', reason: 'name' })
    expect([asked, refused]).toMatchObject([[], { sent: false }])
  })

  it('gets no request while the file of certificates is missing, but does once the file exists', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'countertag ca ü '))
    ends.push(() => {
      rmSync(folder, { recursive: true })
      return Promise.resolve()
    })
    const { port, asked } = await startService('service')
    const url = `https://127.0.0.1:${port}`
    const caFile = join(folder, 'company ca.pem')
    const http = httpTo(url, caFile)
    expect(await http.send({ method: 'GET', url: `${url}/x` })).toEqual({
      kind: 'not-asked',
      error: { code: 'profile/no-ca-file', path: caFile },
    })
    expect([asked, await http.download(`${url}/x`, 10)]).toEqual([[], undefined])
    copyFileSync(authority, caFile)
    expect(await http.send({ method: 'GET', url: `${url}/x` })).toMatchObject({ kind: 'answer', status: 200 })
  })

  it("is reached through the computer's proxy, which sees only its name", async () => {
    const { port, asked } = await startService('other-name')
    const proxy = await startProxy('tunnel', port)
    const url = 'https://elsewhere.test'
    for (const named of [proxy.url, proxy.url.replace('http://', '')]) {
      expect(await ask(url, authority, { HTTPS_PROXY: named })).toMatchObject({ kind: 'answer', status: 200 })
    }
    expect([proxy.asked, asked]).toEqual([
      ['elsewhere.test:443', 'elsewhere.test:443'],
      ['/x', '/x'],
    ])
    expect(errorOfReply(await ask(url, null, { https_proxy: proxy.url }), '')).toMatchObject({ reason: 'issuer' })
  })

  it('is reached through a proxy with a URL of 300 characters, but not if that URL leads nowhere', async () => {
    const { port, asked } = await startService('other-name')
    const proxy = await startProxy('tunnel', port)
    const long = (url: string) => `${url}/${'p'.repeat(299 - url.length)}`
    expect(long(proxy.url)).toHaveLength(300)
    const withWord = proxy.url.replace('http://', `http://user:${'w'.repeat(300)}@`)
    for (const HTTPS_PROXY of [long(proxy.url), withWord]) {
      expect(await ask('https://elsewhere.test', authority, { HTTPS_PROXY })).toMatchObject({ status: 200 })
    }
    expect(asked).toEqual(['/x', '/x'])
    const nowhere = await ask('https://elsewhere.test', authority, { HTTPS_PROXY: long('http://127.0.0.1:9') })
    expect(nowhere).toMatchObject({ kind: 'no-answer', sent: false })
  })

  it('is trusted with a self-signed certificate only if it is in the file of the profile', async () => {
    const { port, asked } = await startService('self-signed')
    const url = `https://127.0.0.1:${port}`
    const refused = await ask(url, authority)
    expect(errorOfReply(refused, '')).toEqual({ code: 'service/not-trusted', reason: 'issuer' })
    expect([asked, refused]).toMatchObject([[], { kind: 'no-answer', sent: false }])
    expect(await ask(url, fixture('self-signed.pem'))).toMatchObject({ kind: 'answer', status: 200 })
  })

  it('is not trusted on a computer whose environment turns certificate checks off, even through a proxy', async () => {
    const { port, asked } = await startService('self-signed')
    const proxy = await startProxy('tunnel', port)
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
    ends.push(() => Promise.resolve(vi.unstubAllEnvs()))
    const untrusted = { code: 'service/not-trusted', reason: 'issuer' }
    expect(errorOfReply(await ask(`https://127.0.0.1:${port}`, null), '')).toEqual(untrusted)
    const proxied = await ask('https://elsewhere.test', null, { HTTPS_PROXY: proxy.url })
    expect(errorOfReply(proxied, '')).toEqual(untrusted)
    // A proxy over TLS is not trusted either.
    const named = { HTTPS_PROXY: `https://127.0.0.1:${port}` }
    expect(errorOfReply(await ask('https://elsewhere.test', null, named), '')).toEqual(untrusted)
    expect(asked).toEqual([])
  })

  it('is reached directly on this computer, whatever the proxy', async () => {
    const { port } = await startService('service')
    const proxy = await startProxy('tunnel', port)
    for (const host of ['127.0.0.1', 'localhost']) {
      const reply = await ask(`https://${host}:${port}`, authority, { HTTPS_PROXY: proxy.url, NO_PROXY: 'x.test' })
      expect(reply, host).toMatchObject({ kind: 'answer', status: 200 })
    }
    expect(proxy.asked).toEqual([])
  })

  it.each(['refuse', 'say nothing'] as const)('was certainly not reached if the proxy chose to %s', async (answer) => {
    const proxy = await startProxy(answer)
    const reply = await ask('https://elsewhere.test', authority, { HTTPS_PROXY: proxy.url })
    expect(reply).toMatchObject({ kind: 'no-answer' })
    // The silence of a proxy doesn't prove that it passed nothing on.
    if (answer === 'refuse') expect(reply).toMatchObject({ sent: false })
    expect(proxy.asked).toHaveLength(1)
  })

  it('was certainly not reached if the proxy does not exist', async () => {
    const reply = await ask('https://elsewhere.test', authority, { HTTPS_PROXY: 'http://127.0.0.1:9' })
    expect(reply).toMatchObject({ kind: 'no-answer', sent: false })
  })

  it.each(['', '  ', 'nonsense://x', 'http://'])('is reached directly if the proxy is %j', async (HTTPS_PROXY) => {
    const { port } = await startService('service')
    expect(await ask(`https://127.0.0.1:${port}`, authority, { HTTPS_PROXY })).toMatchObject({ status: 200 })
  })
})

import { afterEach, describe, expect, it } from 'vitest'
import { createServiceClock, systemClock } from '../../../src-main/core/clock'
import { type Http, createHttp } from '../../../src-main/service/http'
import { type ResolveProxy, createSystemProxy } from '../../../src-main/service/system-proxy'
import { type Ends, deadPort, fixture, startHttpProxy, startService, startSocksProxy } from './proxies'

const elsewhere = 'https://elsewhere.test'

describe('a service behind the proxy of the operating system', () => {
  const ends: Ends = []
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end()
  })

  const httpWith = (resolve: ResolveProxy, url = elsewhere, environment: NodeJS.ProcessEnv = {}): Http => {
    const http = createHttp({
      origins: new Set([new URL(url).origin]),
      clockOrigin: url,
      clock: systemClock,
      serviceClock: createServiceClock(),
      timeouts: { connect: 5_000, headers: 5_000, body: 5_000 },
      caFile: fixture('authority.pem'),
      environment,
      systemProxy: createSystemProxy({ resolve }),
    })
    ends.push(() => http.close())
    return http
  }
  const answering = (text: string) => () => Promise.resolve(text)
  const ask = (http: Http, url = elsewhere) =>
    http.send({ method: 'POST', url: `${url}/x`, headers: { authorization: 'Bearer the-token' }, body: 'the-report' })
  const got = { kind: 'answer', status: 200 }

  it('is reached through a tunnel that reveals neither token nor report', async () => {
    const service = await startService(ends)
    const proxy = await startHttpProxy(ends, service.port)
    const asked: string[] = []
    const http = httpWith((url) => {
      asked.push(url)
      return Promise.resolve(`PROXY 127.0.0.1:${proxy.port}`)
    })
    expect([await ask(http), await ask(http)]).toMatchObject([got, got])
    expect([asked, new Set(proxy.asked), service.asked]).toEqual([
      [`${elsewhere}/`],
      new Set(['elsewhere.test:443']),
      ['/x', '/x'],
    ])
    expect(proxy.read()).not.toMatch(/the-token|the-report/)
    expect(proxy.read().length).toBeGreaterThan(100)
  })

  it('is reached through the second proxy of the list if the first is dead, and directly through it from then on', async () => {
    const service = await startService(ends)
    const proxy = await startHttpProxy(ends, service.port)
    const hangsUp = await startHttpProxy(ends, service.port, 'hang up')
    const list = `PROXY 127.0.0.1:${await deadPort()}; PROXY 127.0.0.1:${hangsUp.port}; PROXY 127.0.0.1:${proxy.port}`
    const http = httpWith(answering(list))
    expect([await ask(http), await ask(http), await ask(http)]).toMatchObject([got, got, got])
    // From then on the failed proxy is tried last.
    expect([hangsUp.asked.length, service.asked.length]).toEqual([1, 3])
  })

  it('is reached through a proxy over TLS only if the proxy is trusted', async () => {
    const service = await startService(ends)
    const proxy = await startHttpProxy(ends, service.port, 'tunnel', 'service')
    const other = await startHttpProxy(ends, service.port)
    const list = `HTTPS 127.0.0.1:${proxy.port}; PROXY 127.0.0.1:${other.port}`
    // The proxy's issuer is in the file of the profile, but that file applies to the service only.
    expect(await ask(httpWith(answering(list)))).toMatchObject({ kind: 'no-answer', sent: false })
    expect([proxy.asked, service.asked]).toEqual([[], []])
  })

  it('is reached through a SOCKS5 proxy, which gets the name and not an address', async () => {
    const service = await startService(ends)
    const proxy = await startSocksProxy(ends, service.port)
    expect(await ask(httpWith(answering(`SOCKS5 127.0.0.1:${proxy.port}`)))).toMatchObject(got)
    expect([proxy.asked, service.asked]).toEqual([['elsewhere.test:443'], ['/x']])
    expect(proxy.read()).not.toMatch(/the-token|the-report/)
  })

  it('is trusted through a SOCKS5 proxy only with its own certificate', async () => {
    const service = await startService(ends, 'self-signed')
    const proxy = await startSocksProxy(ends, service.port)
    const reply = await ask(httpWith(answering(`SOCKS5 127.0.0.1:${proxy.port}`)))
    expect([reply, service.asked]).toMatchObject([{ kind: 'no-answer', sent: false }, []])
  })

  it.each([1, 4, 5])("is reached by the next route if a SOCKS5 proxy can't connect (%i)", async (reply) => {
    const service = await startService(ends)
    const socks = await startSocksProxy(ends, service.port, reply)
    const proxy = await startHttpProxy(ends, service.port)
    const list = `SOCKS5 127.0.0.1:${socks.port}; PROXY 127.0.0.1:${proxy.port}`
    expect(await ask(httpWith(answering(list)))).toMatchObject(got)
    expect([socks.asked.length, proxy.asked.length]).toEqual([1, 1])
  })

  it('is reached despite unsupported entries in the list', async () => {
    const service = await startService(ends)
    const proxy = await startHttpProxy(ends, service.port)
    const list = `SOCKS 127.0.0.1:1; QUIC 127.0.0.1:2; rubbish; PROXY 127.0.0.1:${proxy.port}`
    expect(await ask(httpWith(answering(list)))).toMatchObject(got)
  })

  it('is not reached around a proxy that refuses the tunnel, because some companies block sites this way', async () => {
    const service = await startService(ends)
    const refusing = await startHttpProxy(ends, service.port, 'refuse')
    const socks = await startSocksProxy(ends, service.port, 2)
    const proxy = await startHttpProxy(ends, service.port)
    for (const first of [`PROXY 127.0.0.1:${refusing.port}`, `SOCKS5 127.0.0.1:${socks.port}`]) {
      const reply = await ask(httpWith(answering(`${first}; PROXY 127.0.0.1:${proxy.port}`)))
      expect(reply, first).toMatchObject({ kind: 'no-answer', sent: false })
    }
    expect([refusing.asked.length, socks.asked.length, proxy.asked, service.asked]).toEqual([1, 1, [], []])
  })

  it('gets no second request by the next route if the first may have sent the report', async () => {
    const failing = await startService(ends, 'other-name', 'hang up')
    const service = await startService(ends)
    const [first, second] = [await startHttpProxy(ends, failing.port), await startHttpProxy(ends, service.port)]
    const reply = await ask(httpWith(answering(`PROXY 127.0.0.1:${first.port}; PROXY 127.0.0.1:${second.port}`)))
    expect(reply).toMatchObject({ kind: 'no-answer', sent: true })
    expect([failing.asked, second.asked, service.asked]).toEqual([['/x'], [], []])
  })

  it('gets no request by another route if its certificate is not trusted', async () => {
    const impostor = await startService(ends, 'self-signed')
    const service = await startService(ends)
    const first = await startHttpProxy(ends, impostor.port)
    const proxy = await startHttpProxy(ends, service.port)
    const reply = await ask(httpWith(answering(`PROXY 127.0.0.1:${first.port}; PROXY 127.0.0.1:${proxy.port}`)))
    expect([reply, proxy.asked, service.asked]).toMatchObject([{ kind: 'no-answer', sent: false }, [], []])
  })

  it('is reached directly on this computer, without asking the system', async () => {
    const service = await startService(ends, 'service')
    const asked: string[] = []
    const url = `https://127.0.0.1:${service.port}`
    const http = httpWith((of) => {
      asked.push(of)
      return Promise.resolve('PROXY 127.0.0.1:9')
    }, url)
    expect([await ask(http, url), asked]).toMatchObject([got, []])
  })

  it('is reached by the proxy of the environment if there is one, without asking the system', async () => {
    const service = await startService(ends)
    const [ofEnvironment, ofSystem] = [
      await startHttpProxy(ends, service.port),
      await startHttpProxy(ends, service.port),
    ]
    const http = httpWith(answering(`PROXY 127.0.0.1:${ofSystem.port}`), elsewhere, {
      HTTPS_PROXY: `http://127.0.0.1:${ofEnvironment.port}`,
    })
    expect([await ask(http), ofEnvironment.asked.length, ofSystem.asked]).toMatchObject([got, 1, []])
  })

  it('certainly got no request if no route works', async () => {
    const http = httpWith(answering(`PROXY 127.0.0.1:${await deadPort()}; SOCKS5 127.0.0.1:${await deadPort()}`))
    expect(await ask(http)).toMatchObject({ kind: 'no-answer', sent: false })
  })

  it('gets no request once the station is closed, even if the system answers afterwards', async () => {
    const service = await startService(ends)
    const proxy = await startHttpProxy(ends, service.port)
    const { promise, resolve } = Promise.withResolvers<string>()
    const http = httpWith(() => promise)
    const reply = ask(http)
    await http.close()
    resolve(`PROXY 127.0.0.1:${proxy.port}`)
    expect([await reply, proxy.asked]).toMatchObject([{ kind: 'no-answer', code: 'UND_ERR_DESTROYED' }, []])
  })
})

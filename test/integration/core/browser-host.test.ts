import { connect } from 'node:net'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RawData, WebSocket } from 'ws'
import { z } from 'zod'
import { type BrowserHost, startBrowserHost } from '../../../src-main/browser/server'
import { createSecretFile } from '../../../src-main/browser/secret-file'
import { secretFilePath } from '../../../src-shared/ipc/contract/join'
import { createStaticFiles } from '../../../src-main/browser/pages'
import { parseOptions } from '../../../src-main/browser/options'
import { type App, compose } from '../../../src-main/app/compose'

const Said = z.object({
  id: z.number().optional(),
  event: z.string().optional(),
  payload: z.object({ raw: z.string().optional() }).nullish(),
})
const textOf = (data: RawData) => (Buffer.isBuffer(data) ? data.toString() : '')

describe('the browser host', () => {
  const folder = mkdtempSync(join(tmpdir(), 'countertag-'))
  let app: App
  let host: BrowserHost
  let origin: string
  let token: string

  beforeAll(async () => {
    writeFileSync(join(folder, 'index.html'), '<title>Countertag</title>')
    app = await compose({
      dataDir: join(folder, 'data'),
      resourcesDir: join(import.meta.dirname, '../../../resources'),
      version: '0',
    })
    host = await startBrowserHost({ app, port: 0, pages: () => Promise.resolve(createStaticFiles(folder)) })
    const url = new URL(host.url)
    origin = url.origin
    token = url.hash.slice(1)
  })
  afterAll(async () => {
    await host.close()
    await app.close()
    rmSync(folder, { recursive: true })
  })

  const status = async (path: string, headers: Record<string, string> = {}) =>
    (await request(`${origin}${path}`, { headers })).statusCode
  const openSession = (body: string, headers: Record<string, string> = {}) =>
    request(`${origin}/session`, {
      method: 'POST',
      body,
      headers: { origin, 'content-type': 'application/json', ...headers },
    })
  const openSocket = (headers: Record<string, string>) =>
    new Promise<{ socket: WebSocket; refused?: number }>((resolve, reject) => {
      const socket = new WebSocket(`${origin.replace('http', 'ws')}/ipc`, { headers })
      socket.on('unexpected-response', (_, response) => resolve({ socket, refused: response.statusCode ?? 0 }))
      socket.on('close', (code) => resolve({ socket, refused: code }))
      socket.on('error', reject)
      socket.on('message', () => resolve({ socket }))
      socket.on('open', () => socket.send(JSON.stringify({ id: 1, call: 'app.status' })))
    })
  /** What the server answers to a request that the test writes byte by byte. */
  const raw = (head: string) =>
    new Promise<string>((resolve) => {
      const socket = connect(Number(new URL(origin).port), '127.0.0.1', () => socket.write(head))
      let answer = ''
      socket.on('data', (data) => (answer += data.toString()))
      socket.on('close', () => resolve(answer.split('\r\n')[0] ?? ''))
    })

  it('serves the page under a policy that allows nothing from other origins', async () => {
    const { statusCode, headers } = await request(`${origin}/`)
    expect(statusCode).toBe(200)
    expect(headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
    expect(headers['content-security-policy']).not.toContain('unsafe')
    expect(headers['x-content-type-options']).toBe('nosniff')
  })

  it.each([
    '/../package.json',
    '/..%2fpackage.json',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/....//x',
    '/data/practice/countertag.db',
    '/%00',
    '/%ZZ',
    '/nothing.html',
  ])('serves nothing for %s', async (path) => {
    expect(await raw(`GET ${path} HTTP/1.1\r\nHost: ${new URL(origin).host}\r\nConnection: close\r\n\r\n`)).toMatch(
      / 40[03-4] /,
    )
  })

  it('answers only under its own name, so that a foreign name for 127.0.0.1 gets nothing', async () => {
    expect(await raw('GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n')).toContain('403')
    expect(await raw('GET / HTTP/1.0\r\n\r\n')).toContain('403')
    expect(await status('/', { origin: 'http://evil.example' })).toBe(403)
    expect(await status('/', { origin: 'null' })).toBe(403)
  })

  it('accepts the token once, and only from its own page', async () => {
    expect((await openSession('{"token":"wrong"}')).statusCode).toBe(401)
    expect((await openSession('not json')).statusCode).toBe(401)
    expect((await openSession(`{"token":"${'x'.repeat(5_000)}"}`)).statusCode).toBe(401)
    expect((await openSession(JSON.stringify({ token }), { origin: 'http://evil.example' })).statusCode).toBe(403)
    expect((await request(`${origin}/session`, { method: 'POST', body: JSON.stringify({ token }) })).statusCode).toBe(
      403,
    )
    const opened = await openSession(JSON.stringify({ token }))
    expect(opened.statusCode).toBe(204)
    const cookie = String(opened.headers['set-cookie'])
    expect(cookie).toContain('HttpOnly')
    expect(cookie).toContain('SameSite=Strict')
    expect((await openSession(JSON.stringify({ token }))).statusCode).toBe(401)
    const session = cookie.split(';')[0] ?? ''
    expect((await openSession(JSON.stringify({ token }), { cookie: session })).statusCode).toBe(204)

    const { socket, refused } = await openSocket({ origin, cookie: session })
    expect(refused).toBeUndefined()
    socket.terminate()
    expect((await openSocket({ origin })).refused).toBe(4401)
    expect((await openSocket({ origin, cookie: session.replace(/=.*/, '=guess') })).refused).toBe(4401)
    expect((await openSocket({ origin: 'http://evil.example', cookie: session })).refused).toBe(403)
    expect((await openSocket({ cookie: session })).refused).toBe(403)
  })

  it('serves a secret file once, to its own page with the session only', async () => {
    const secretFile = createSecretFile()
    const own = await startBrowserHost({
      ...{ app, port: 0, pages: () => Promise.resolve(createStaticFiles(folder)) },
      secretFile,
    })
    const { link } = own
    const get = (headers: Record<string, string> = {}) => request(`${link.origin}${secretFilePath}`, { headers })
    const opened = await request(`${link.origin}/session`, {
      ...{ method: 'POST', body: JSON.stringify({ token: link.token }) },
      headers: { origin: link.origin, 'content-type': 'application/json' },
    })
    const cookie = String(opened.headers['set-cookie']).split(';')[0] ?? ''
    expect((await get({ cookie })).statusCode).toBe(404)
    await secretFile.give('CTJOIN1A', 60_000)
    expect((await get()).statusCode).toBe(404)
    expect((await get({ cookie, origin: 'http://evil.example' })).statusCode).toBe(403)
    const given = await get({ cookie })
    expect([given.statusCode, given.headers['content-disposition'], given.headers['cache-control']]).toEqual([
      ...[200, 'attachment', 'no-store'],
    ])
    expect(await given.body.text()).toBe('CTJOIN1A')
    expect((await get({ cookie })).statusCode).toBe(404)
    await own.close()
  })

  it('takes the token once from the form of a file, which has no origin, and from no other page', async () => {
    const second = await startBrowserHost({
      ...{ app, port: 0, pages: () => Promise.resolve(createStaticFiles(folder)) },
      onEntered: () => void used.push('used'),
    })
    const used: string[] = []
    const { link } = second
    const enter = (text: string, headers: Record<string, string> = { origin: 'null' }) =>
      request(`${link.origin}/enter`, {
        method: 'POST',
        body: new URLSearchParams({ token: text }).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      })
    expect(second.url).toBe(`${link.origin}/#${link.token}`)
    for (const origin of ['http://evil.example', 'file://'])
      expect((await enter(link.token, { origin })).statusCode).toBe(403)
    expect((await enter(link.token, {})).statusCode).toBe(403)
    expect((await enter(link.token, { origin: 'null', host: 'evil.example' })).statusCode).toBe(403)
    expect(
      (await request(`${link.origin}/enter?token=${link.token}`, { headers: { origin: 'null' } })).statusCode,
    ).toBe(403)
    for (const wrong of ['', 'wrong', 'x'.repeat(5_000)]) {
      const { statusCode, headers } = await enter(wrong)
      expect([statusCode, headers.location, headers['set-cookie']]).toEqual([303, '/', undefined])
    }
    expect(used).toEqual([])

    const { statusCode, headers } = await enter(link.token)
    expect([statusCode, headers.location, headers['cache-control']]).toEqual([303, '/', 'no-store'])
    expect(String(headers['set-cookie'])).toMatch(/^countertag-\d+=\S+; Path=\/; HttpOnly; SameSite=Strict$/)
    expect(used).toEqual(['used'])
    expect((await enter(link.token)).headers['set-cookie']).toBeUndefined()
    // The printed address has the same token.
    const body = JSON.stringify({ token: link.token })
    expect(
      (await request(`${link.origin}/session`, { method: 'POST', body, headers: { origin: link.origin } })).statusCode,
    ).toBe(401)
    await second.close()
  })

  it.each([
    ['for nothing', '//', {}],
    ['for another path', '/x', {}],
    ['from a foreign page', '/ipc', { Origin: 'http://evil.example' }],
    ['under a foreign name', '/ipc', { Host: 'evil.example' }],
  ])('survives a socket that is asked for %s and then cut', async (_, path, headers) => {
    const all = { Host: new URL(origin).host, Connection: 'Upgrade', Upgrade: 'websocket', ...headers }
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
    for (let cut = 0; cut < 5; cut++) {
      await new Promise<void>((resolve) => {
        const socket = connect(Number(new URL(origin).port), '127.0.0.1', () => {
          socket.write([`GET ${path} HTTP/1.1`, ...lines, '', ''].join('\r\n'), () => {
            setTimeout(() => socket.resetAndDestroy(), cut * 3)
          })
        })
        socket.on('close', () => {
          resolve()
        })
        socket.on('error', () => undefined)
      })
    }
    expect(await status('/')).toBe(200)
  })

  it('accepts POST for the session only', async () => {
    expect((await request(`${origin}/`, { method: 'POST', headers: { origin } })).statusCode).toBe(405)
    expect((await request(`${origin}/session`, { method: 'PUT', headers: { origin } })).statusCode).toBe(405)
  })

  it('survives garbage on an open socket, and closes it on a message that is too large', async () => {
    const fresh = await startBrowserHost({ app, port: 0, pages: () => Promise.resolve(createStaticFiles(folder)) })
    const url = new URL(fresh.url)
    const opened = await request(`${url.origin}/session`, {
      method: 'POST',
      headers: { origin: url.origin },
      body: JSON.stringify({ token: url.hash.slice(1) }),
    })
    const cookie = String(opened.headers['set-cookie']).split(';')[0] ?? ''
    const socket = new WebSocket(`${url.origin.replace('http', 'ws')}/ipc`, { headers: { origin: url.origin, cookie } })
    await new Promise((resolve) => socket.on('open', resolve))
    for (const rubbish of ['', '{', '[]', 'null', '{"id":"x"}', '{"id":1.5,"call":"app.status"}', '\u0000'])
      socket.send(rubbish)
    socket.send(Buffer.from([0xff, 0xfe, 0x00]))
    const answer = new Promise<string>((resolve) => socket.on('message', (data) => resolve(textOf(data))))
    socket.send('{"id":7,"call":"no.such.call"}')
    expect(JSON.parse(await answer)).toMatchObject({
      id: 7,
      answer: { ok: false, error: { code: 'ipc/unknown-call' } },
    })
    const closed = new Promise<number>((resolve) => socket.on('close', resolve))
    socket.send(`{"id":8,"call":"${'x'.repeat(300_000)}"}`)
    expect(await closed).toBe(1009)
    await fresh.close()
  })

  it('gives a scan to one page only: the last one that set its place, or the previous one once that closes', async () => {
    const fresh = await startBrowserHost({ app, port: 0, pages: () => Promise.resolve(createStaticFiles(folder)) })
    const url = new URL(fresh.url)
    const opened = await request(`${url.origin}/session`, {
      method: 'POST',
      headers: { origin: url.origin },
      body: JSON.stringify({ token: url.hash.slice(1) }),
    })
    const cookie = String(opened.headers['set-cookie']).split(';')[0] ?? ''
    const openPage = async () => {
      const headers = { origin: url.origin, cookie }
      const socket = new WebSocket(`${url.origin.replace('http', 'ws')}/ipc`, { headers })
      const answers = new Map<number, () => void>()
      const heard: string[] = []
      socket.on('message', (data) => {
        const said = Said.parse(JSON.parse(textOf(data)))
        if (said.event === 'scanner.scanned') heard.push(said.payload?.raw ?? '')
        if (said.id !== undefined) answers.get(said.id)?.()
      })
      await new Promise((resolve) => socket.on('open', resolve))
      let last = 0
      const call = (name: string, input?: unknown) =>
        new Promise<void>((resolve) => {
          answers.set(++last, resolve)
          socket.send(JSON.stringify({ id: last, call: name, input }))
        })
      /** The events received so far. Events come before the answer to a later call. */
      const scans = async () => {
        await call('app.status')
        return heard.splice(0)
      }
      const close = async () => {
        const closed = new Promise((resolve) => socket.on('close', resolve))
        socket.close()
        await closed
      }
      return { call, scans, close }
    }
    const scan = async (text: string) => app.handlers['scanner.submit']({ text, source: 'typed' })
    const one = await openPage()
    await scan('scanned before any place is known')
    expect(await one.scans()).toEqual(['scanned before any place is known'])
    await one.call('scanner.setPlace', { place: 'receiving' })
    const other = await openPage()
    await scan('the other has only come')
    expect([await one.scans(), await other.scans()]).toEqual([['the other has only come'], []])
    await other.call('scanner.setPlace', { place: 'checkout' })
    await scan('the other is looked at')
    expect([await one.scans(), await other.scans()]).toEqual([[], ['the other is looked at']])
    await one.call('scanner.submit', { text: 'handed in', source: 'typed' })
    expect([await one.scans(), await other.scans()]).toEqual([['handed in'], []])
    await other.call('scanner.setPlace', { place: 'checkout' })
    await other.close()
    await scan('the other is gone')
    expect(await one.scans()).toEqual(['the other is gone'])
    await one.close()
    await fresh.close()
  })

  it.each([
    [['--port', 'abc'], '--port'],
    [['--port', '70000'], '--port'],
    [['--profile', 'production'], 'profile'],
    [['--frobnicate'], 'frobnicate'],
    [['--data-dir'], 'data-dir'],
  ])('refuses the flags %j with a sentence', (args, word) => {
    const options = parseOptions(args)
    expect(options).toMatchObject({ ok: false })
    expect(options.ok ? '' : options.error).toContain(word)
  })
})

import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { createServiceClock, systemClock } from '../../../src-main/core/clock'
import { type AnswerKind, largestAnswer } from '../../../src-main/service/answer'
import { type Http, createHttp } from '../../../src-main/service/http'
import { type RawServer, type Visit, startRawServer } from './raw-server'

/** Sends the same text again and again, without an end. */
const drip =
  (start: string, again: string, everyMs = 40) =>
  ({ socket }: Visit) => {
    socket.write(start)
    const timer = setInterval(() => socket.write(again), everyMs)
    socket.on('close', () => {
      clearInterval(timer)
    })
  }
const answer =
  (body: Buffer | string, headers = '', status = '200 OK') =>
  ({ socket }: Visit) => {
    const bytes = Buffer.from(body)
    socket.write(
      `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${bytes.length}\r\n${headers}\r\n`,
    )
    socket.write(bytes)
  }
const chunked = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n'

/** Harmful forms of an answer that a station must withstand. */
describe('an answer without limits', () => {
  let server: RawServer | undefined
  let http: Http | undefined
  afterEach(async () => {
    await http?.close()
    await server?.close()
  })

  const open = async (onRequest: (visit: Visit) => void, total = 600) => {
    const started = await startRawServer({ onRequest })
    server = started
    const origin = `http://127.0.0.1:${started.port}`
    const client = createHttp({
      origins: new Set([origin]),
      clockOrigin: origin,
      clock: systemClock,
      serviceClock: createServiceClock(),
      timeouts: { connect: 5_000, headers: 5_000, body: 5_000, total },
    })
    http = client
    const ask = (expects?: AnswerKind, patience?: number) =>
      client.send({
        method: 'GET',
        url: `${origin}/x/`,
        ...(expects === undefined ? {} : { expects }),
        ...(patience === undefined ? {} : { patience }),
      })
    return { server: started, client, ask, origin }
  }
  const bodyOf = async (onRequest: (visit: Visit) => void, expects?: AnswerKind) => {
    const { ask } = await open(onRequest, 20_000)
    const reply = await ask(expects)
    return reply.kind === 'answer' ? reply.body : reply
  }

  it.each([
    ['a body', drip('HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n', 'x')],
    ['a body in chunks', drip(`${chunked}\r\n`, '1\r\nx\r\n')],
    ['headers', drip('HTTP/1.1 200 OK\r\n', 'x')],
    ['announcements of an answer', drip('', 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n')],
  ])('ends by its deadline if %s come byte by byte', async (_, onRequest) => {
    const { ask, server } = await open(onRequest)
    expect(await ask()).toEqual({ kind: 'no-answer', code: 'DEADLINE', sent: true })
    await expect.poll(() => server.open()).toBe(0)
  })

  it('ends by the deadline of its request if that is shorter', async () => {
    const { ask } = await open(drip('HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n', 'x'), 3_600_000)
    expect(await ask('read', 200)).toMatchObject({ code: 'DEADLINE' })
  })

  it('ends for requests that wait for a connection too, and they are never sent afterwards', async () => {
    const late: Visit[] = []
    const { ask, server } = await open((visit) => late.push(visit), 20_000)
    const first = Array.from({ length: 16 }, () => ask())
    await expect.poll(() => server.requests()).toBe(16)
    const waiting = await Promise.all(Array.from({ length: 8 }, () => ask('read', 100)))
    for (const reply of waiting) expect(reply).toEqual({ kind: 'no-answer', code: 'DEADLINE', sent: true })
    for (const visit of late) answer('{}')(visit)
    for (const reply of await Promise.all(first)) expect(reply).toMatchObject({ kind: 'answer', status: 200 })
    // This request is queued behind the ones that were given up.
    const last = ask()
    await expect.poll(() => server.requests()).toBe(17)
    for (const visit of late.slice(16)) answer('{}')(visit)
    expect(await last).toMatchObject({ status: 200 })
    expect(server.requests()).toBe(17)
  })

  it('ends for a picture', async () => {
    const { client, origin } = await open(
      drip('HTTP/1.1 200 OK\r\ncontent-type: image/png\r\ncontent-length: 9999\r\n\r\n', 'x'),
    )
    expect(await client.download(`${origin}/a.png`, 100_000)).toBeUndefined()
  })

  it.each(['token', 'report', 'read'] as const)(
    'is refused by its announced length before it is read: %s',
    async (expects) => {
      const { ask, server } = await open(
        ({ socket }) => socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${largestAnswer[expects] + 1}\r\n\r\n`),
        20_000,
      )
      expect(await ask(expects)).toMatchObject({
        kind: 'answer',
        status: 200,
        body: { kind: 'unusable', why: 'too-large' },
      })
      await expect.poll(() => server.open()).toBe(0)
    },
  )

  it('is read only up to its limit, and its connection is closed', async () => {
    const block = `10000\r\n${'x'.repeat(65_536)}\r\n`
    const { ask, server } = await open(({ socket }) => {
      socket.write(`${chunked}\r\n`)
      const more = () => {
        while (!socket.destroyed && socket.write(block));
      }
      socket.on('drain', more)
      more()
    }, 60_000)
    const before = process.memoryUsage().rss
    expect(await ask('report')).toMatchObject({ body: { kind: 'unusable', why: 'too-large' } })
    await expect.poll(() => server.open()).toBe(0)
    expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000)
  })

  it('is accepted at its limit', async () => {
    const text = JSON.stringify('x'.repeat(largestAnswer.token - 2))
    expect(await bodyOf(answer(text), 'token')).toMatchObject({ kind: 'json' })
  })

  const good = Buffer.from('{"uuid":"a"}')
  it.each([
    ['gzip', gzipSync(good)],
    ['x-gzip', gzipSync(good)],
    ['deflate', deflateSync(good)],
    ['br', brotliCompressSync(good)],
    ['gzip, br', brotliCompressSync(gzipSync(good))],
    ['identity', good],
  ])('is decompressed even if compression was not requested: %s', async (encoding, bytes) => {
    expect(await bodyOf(answer(bytes, `content-encoding: ${encoding}\r\n`))).toEqual({
      kind: 'json',
      value: { uuid: 'a' },
    })
  })

  it.each([
    ['gzip', good],
    ['gzip', gzipSync(good).subarray(0, -9)],
    ['br', Buffer.from('no brotli at all')],
    ['zz', good],
    ['gzip, gzip, gzip', gzipSync(gzipSync(gzipSync(good)))],
  ])('proves nothing if its compression is broken or unknown: %s', async (encoding, bytes) => {
    expect(await bodyOf(answer(bytes, `content-encoding: ${encoding}\r\n`))).toEqual({
      kind: 'unusable',
      why: 'encoding',
    })
  })

  it.each(['gzip', 'gzip, gzip'])('is not decompressed if it is a bomb: 400 MB in a few kB (%s)', async (encoding) => {
    const once = gzipSync(Buffer.alloc(400_000_000))
    const bomb = encoding === 'gzip' ? once : gzipSync(once)
    const before = process.memoryUsage().rss
    expect(await bodyOf(answer(bomb, `content-encoding: ${encoding}\r\n`))).toEqual({
      kind: 'unusable',
      why: 'too-large',
    })
    expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000)
  })

  it.each([
    ['lists', '['.repeat(10_000) + ']'.repeat(10_000)],
    ['objects', '{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000)],
    ['values', `[${'0,'.repeat(500_000)}0]`],
  ])('proves nothing with too many %s', async (_, text) => {
    expect(await bodyOf(answer(text))).toEqual({ kind: 'unusable', why: 'too-deep' })
  })

  it.each([
    ['ends in the middle', '{"status": "acc'],
    ['is not UTF-8', Buffer.from([0x22, 0xc3, 0x28, 0x22])],
  ])('proves nothing as JSON that %s', async (_, body) => {
    expect(await bodyOf(answer(body))).toEqual({ kind: 'unusable', why: 'broken' })
  })

  it.each(['999 Odd', '600 Odd', '200', '204 No Content'])(
    'may have any status that HTTP allows: %s',
    async (status) => {
      expect(await bodyOf(answer('', '', status))).toEqual({ kind: 'none' })
    },
  )
})

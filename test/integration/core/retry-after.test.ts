import { afterEach, describe, expect, it } from 'vitest'
import { createServiceClock, systemClock } from '../../../src-main/core/clock'
import { createHttp } from '../../../src-main/service/http'
import { type RawServer, startRawServer } from './raw-server'

const day = 86_400_000

describe('the wait that a service asks for', () => {
  let server: RawServer | undefined
  afterEach(() => server?.close())

  const waitOf = async (retryAfter: string, offset = 0) => {
    server = await startRawServer({
      onRequest: ({ socket }) =>
        socket.end(`HTTP/1.1 503 Busy\r\nretry-after: ${retryAfter}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`),
    })
    const origin = `http://127.0.0.1:${server.port}`
    const http = createHttp({
      origins: new Set([origin]),
      clockOrigin: origin,
      clock: systemClock,
      serviceClock: createServiceClock({ offset }),
    })
    const reply = await http.send({ method: 'POST', url: `${origin}/report/`, body: '{}' })
    await http.close()
    await server.close()
    return reply.kind === 'answer' ? reply.retryAfterMs : reply
  }

  it.each([
    ['7', 7_000],
    ['999999', 3_600_000],
    ['1000000', null],
    ['-5', null],
    ['soon', null],
  ])('is read from the header: %s', async (header, ms) => {
    expect(await waitOf(header)).toBe(ms)
  })

  it('is counted from the time of the service, on a till whose clock is a day wrong', async () => {
    for (const offset of [-day, 0, day]) {
      const inTenMinutes = new Date(Date.now() + offset + 600_000).toUTCString()
      // The header has whole seconds, and the answer takes its time: nine minutes at least, and never more than ten.
      const ms = await waitOf(inTenMinutes, offset)
      expect(ms).toBeGreaterThan(540_000)
      expect(ms).toBeLessThanOrEqual(600_000)
    }
  })
})

import { once } from 'node:events'
import { request } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { PracticeService } from '../../../src-practice/start'
import { type ServiceCaller, callerOf, importOf, requestToken, sale, shop, start, textLike } from './practice'
import { blueDune, onSale, tag } from './sample'

const [a, b] = [tag(onSale, 0), tag(onSale, 1)]

/** Why a fetch came to nothing. */
async function causeOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise
    return 'nothing failed'
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined
    return cause instanceof Error && 'code' in cause ? String(cause.code) : String(error)
  }
}

/** Status or error code of a request on a connection of its own: a pooled one may not have noticed yet that it is cut. */
function reach(url: string): Promise<number | string | undefined> {
  return new Promise((resolve) => {
    const asked = request(url, { agent: false }, (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    })
    asked.on('error', (error) => {
      resolve('code' in error ? String(error.code) : error.message)
    })
    asked.end()
  })
}

describe('faults', () => {
  let service: PracticeService
  let caller: ServiceCaller
  beforeEach(async () => {
    service = await start()
    caller = await callerOf(service, shop)
  })
  afterEach(() => service.close())

  const complete = (order: string, item: string) => caller.post('transactions/complete/', sale(order, [item]))
  const accepted = () => service.admin.transactions().map(({ order_id }) => order_id)

  it('refuses connections while offline, and keeps its port and data when online again', async () => {
    await complete('1', a)
    await service.admin.setFaults({ offline: true })
    expect(await reach(service.baseUrl)).toBe('ECONNREFUSED')
    await service.admin.setFaults({ offline: true })
    expect(await reach(`${service.adminUrl}/faults`)).toBe(200)
    await service.admin.setFaults({})
    expect(await reach(service.baseUrl)).toBe(404)
    expect(accepted()).toEqual(['1'])
  })

  it('cuts open connections when it goes offline', async () => {
    await service.admin.setFaults({ rules: [{ kind: 'latency', ms: 600_000 }] })
    const raw = request(`${service.baseUrl}/media/x`, { agent: false })
    const connected = new Promise((resolve) => raw.on('socket', (socket) => socket.on('connect', resolve)))
    raw.end()
    await connected
    const cut = once(raw, 'error')
    await service.admin.setFaults({ offline: true })
    expect((await cut)[0]).toMatchObject({ code: 'ECONNRESET' })
  })

  it('goes offline and online one after the other when told both at once, and stays closed once closed', async () => {
    await Promise.all([true, false, true, false].map((offline) => service.admin.setFaults({ offline })))
    expect(await reach(service.baseUrl)).toBe(404)
    const other = await start()
    await Promise.all([other.admin.setFaults({ offline: true }), other.close(), other.admin.setFaults({})])
    expect(await reach(other.baseUrl)).toBe('ECONNREFUSED')
  })

  it.each([500, 502, 503, 504, 429] as const)('answers %i without a body and does nothing', async (code) => {
    await service.admin.setFaults({ rules: [{ kind: 'status', code, retryAfter: 7 }] })
    const answer = await complete('1', a)
    expect(answer).toMatchObject({ status: code, body: undefined })
    expect(answer.headers.get('Retry-After')).toBe('7')
    expect(accepted()).toEqual([])
  })

  it('limits a rule to a number of requests, a method and a path, or to the token endpoint', async () => {
    await service.admin.setFaults({
      rules: [
        { kind: 'status', code: 503, times: 2, method: 'POST', path: '/api/v1.2/transactions/' },
        { kind: 'status', code: 500, times: 1, path: '/auth/' },
      ],
    })
    expect((await caller.get(`items/${a}/`)).status).toBe(200)
    expect((await complete('1', a)).status).toBe(503)
    expect(service.admin.faults().rules).toMatchObject([{ times: 1 }, { times: 1 }])
    expect((await complete('1', a)).status).toBe(503)
    const answer = await complete('1', a)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('Retry-After')).toBeNull()
    expect((await requestToken(service, {})).status).toBe(500)
    expect((await requestToken(service, {})).status).toBe(400)
    expect(service.admin.faults().rules).toEqual([])
  })

  it('drops the connection before or after the request is processed', async () => {
    await service.admin.setFaults({ rules: [{ kind: 'drop', when: 'before-commit', times: 1 }] })
    expect(await causeOf(complete('1', a))).toMatch(/UND_ERR_SOCKET|ECONNRESET/)
    expect(accepted()).toEqual([])
    await service.admin.setFaults({ rules: [{ kind: 'drop', when: 'after-commit', times: 1 }] })
    expect(await causeOf(complete('2', b))).toMatch(/UND_ERR_SOCKET|ECONNRESET/)
    expect(accepted()).toEqual(['2'])
    expect((await complete('2', b)).body).toEqual({ message: 'This transaction has already been processed.' })
  })

  it('drops imports after the commit as well', async () => {
    await service.admin.setFaults({ rules: [{ kind: 'drop', when: 'after-commit', path: '/api/v1.2/caseids/' }] })
    await causeOf(caller.post('caseids/import/', importOf(blueDune, 'P-1')))
    expect(service.admin.imports().some((one) => one.package_uid === 'P-1')).toBe(true)
  })

  it('stalls: processes the request, but sends only the headers and half of the body', async () => {
    await service.admin.setFaults({ rules: [{ kind: 'stall' }] })
    const response = await fetch(`${service.baseUrl}/api/v1.2/transactions/complete/`, {
      method: 'POST',
      headers: { ...caller.authorization, 'Content-Type': 'application/json' },
      body: JSON.stringify(sale('1', [a])),
    })
    expect(response.status).toBe(200)
    const reader = response.body?.getReader()
    const first = await reader?.read()
    expect(new TextDecoder().decode(first?.value)).toMatch(/^\{"status":/)
    expect(accepted()).toEqual(['1'])
    const rest = reader?.read()
    await service.admin.setFaults({ offline: true })
    await expect(rest).rejects.toThrow()
  })

  it('answers garbage and does nothing', async () => {
    await service.admin.setFaults({
      rules: [
        { kind: 'garbage', answer: 'html', times: 1 },
        { kind: 'garbage', answer: 'empty' },
      ],
    })
    const page = await complete('1', a)
    expect(page).toMatchObject({ status: 200, body: textLike(/<!doctype html>/) })
    expect(page.headers.get('Content-Type')).toMatch(/^text\/html/)
    expect(await complete('1', a)).toMatchObject({ status: 200, body: undefined })
    expect(accepted()).toEqual([])
  })

  it('sets the Date header ahead of the clock or behind it', async () => {
    const fixed = new Date('2026-11-02T12:00:00Z')
    const other = await start({ now: () => fixed })
    try {
      for (const dateSkewMs of [0, 300_000, -300_000]) {
        await other.admin.setFaults({ dateSkewMs })
        const response = await fetch(`${other.baseUrl}/media/none.svg`)
        expect(response.headers.get('Date')).toBe(new Date(fixed.getTime() + dateSkewMs).toUTCString())
      }
    } finally {
      await other.close()
    }
  })

  it('delays a request and then serves it, or fails it if another rule applies', async () => {
    await service.admin.setFaults({
      rules: [
        { kind: 'latency', ms: 1, times: 2 },
        { kind: 'status', code: 502, times: 1 },
      ],
    })
    expect((await complete('1', a)).status).toBe(502)
    expect((await complete('1', a)).status).toBe(200)
    expect(service.admin.faults().rules).toEqual([])
  })

  it('that are waiting do not delay closing, and do nothing afterwards', async () => {
    const other = await start()
    const another = await callerOf(other, shop)
    await other.admin.setFaults({ rules: [{ kind: 'latency', ms: 600_000 }] })
    const waiting = causeOf(another.post('transactions/complete/', sale('1', [a])))
    await other.close()
    expect(await waiting).not.toBe('nothing failed')
  })
})

import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PracticeService } from '../../../src-practice/start'
import { type ServiceCaller, answerOf, callerOf, sale, shop, someText, start } from './practice'
import { onSale, tag } from './sample'

describe('admin over HTTP', () => {
  let service: PracticeService
  let caller: ServiceCaller
  beforeAll(async () => {
    service = await start()
    caller = await callerOf(service, shop)
  })
  afterAll(() => service.close())

  const admin = async (path: string, init: RequestInit = {}) =>
    answerOf(await fetch(`${service.adminUrl}${path}`, init))
  const put = (faults: unknown) => admin('/faults', { method: 'PUT', body: JSON.stringify(faults) })

  it('lists its requests', async () => {
    expect((await admin('/')).body).toHaveProperty('PUT /faults')
  })

  it('sets, shows and ends faults', async () => {
    const faults = { offline: false, dateSkewMs: 0, rules: [{ kind: 'status', code: 503, retryAfter: 1 }] }
    expect(await put({ rules: faults.rules })).toMatchObject({ status: 200, body: faults })
    expect((await admin('/faults')).body).toEqual(faults)
    expect((await caller.get('items/x/')).status).toBe(503)
    expect((await admin('/faults', { method: 'DELETE' })).body).toEqual({ ...faults, rules: [] })
    expect((await caller.get('items/x/')).status).toBe(404)
  })

  it('goes offline and comes back', async () => {
    await put({ offline: true })
    await expect(caller.get('items/x/')).rejects.toThrow()
    expect(await put({ offline: false })).toMatchObject({ status: 200, body: { offline: false } })
    await expect.poll(async () => (await caller.get('items/x/')).status).toBe(404)
  })

  it.each([
    [{ ofline: true }, ''],
    [{ offline: 'yes' }, 'offline'],
    [{ dateSkewMs: 1.5 }, 'dateSkewMs'],
    [{ rules: [{ kind: 'status', code: 418 }] }, 'rules.0.code'],
    [{ rules: [{ kind: 'explode' }] }, 'rules.0.kind'],
    [{ rules: [{ kind: 'latency', ms: -1 }] }, 'rules.0.ms'],
    [{ rules: [{ kind: 'stall', times: 0 }] }, 'rules.0.times'],
    [{ rules: [{ kind: 'stall', path: 'api' }] }, 'rules.0.path'],
    [null, ''],
  ])('refuses %j and names the place', async (faults, path) => {
    const answer = await put(faults)
    expect(answer).toMatchObject({ status: 400, body: { issues: [{ path }] } })
    expect(service.admin.faults()).toEqual({ offline: false, dateSkewMs: 0, rules: [] })
  })

  it('refuses faults that are not JSON', async () => {
    expect((await admin('/faults', { method: 'PUT', body: '{' })).status).toBe(400)
  })

  it('lists transactions, imports and requests, the last without secrets', async () => {
    await caller.post('transactions/complete/', sale('1', [tag(onSale, 0)]))
    await caller.get('items/x/?secret=1')
    expect((await admin('/transactions')).body).toEqual(service.admin.transactions())
    expect((await admin('/imports')).body).toHaveLength(7)
    const requests = (await admin('/requests')).body
    expect(requests).toEqual(service.admin.requests())
    expect(requests).toContainEqual({
      at: someText,
      method: 'POST',
      path: '/api/v1.2/transactions/complete/',
      status: 200,
      fault: null,
    })
    expect(JSON.stringify(requests)).not.toContain('secret')
  })

  it('expires all tokens', async () => {
    expect((await admin('/tokens/expire', { method: 'POST' })).status).toBe(204)
    expect((await caller.get('items/x/')).status).toBe(401)
  })

  it('refuses web pages: requests with an Origin or for another host name', async () => {
    expect((await admin('/transactions', { headers: { Origin: 'https://shop.example' } })).status).toBe(403)
    const status = await new Promise((resolve, reject) => {
      const headers = { Host: 'practice.example' }
      request(`${service.adminUrl}/transactions`, { headers }, (answer) => {
        answer.resume()
        resolve(answer.statusCode)
      })
        .on('error', reject)
        .end()
    })
    expect(status).toBe(403)
  })

  it('answers 404 to unknown addresses', async () => {
    expect((await admin('/nothing')).status).toBe(404)
  })
})

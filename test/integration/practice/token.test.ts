import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PracticeService } from '../../../src-practice/start'
import { Token } from '../../../src-shared/service/token'
import { answerOf, brand, callerOf, requestToken, shop, start } from './practice'
import { data } from './sample'

const good = { grant_type: 'client_credentials', client_id: shop, client_secret: `${shop}-secret` }

describe('token endpoint', () => {
  let service: PracticeService
  beforeAll(async () => (service = await start()))
  afterAll(() => service.close())

  it('gives a Bearer token for ten hours that opens the API', async () => {
    const answer = await requestToken(service, good)
    expect(answer.status).toBe(200)
    const token = Token.parse(answer.body)
    expect(token).toMatchObject({ token_type: 'Bearer', expires_in: 36_000, scope: 'read write' })
    expect(answer.headers.get('Cache-Control')).toBe('no-store')
    const headers = { Authorization: `Bearer ${token.access_token}` }
    expect((await fetch(`${service.baseUrl}/api/v1.2/package-uids/x/caseids/`, { headers })).status).toBe(200)
  })

  it('gives each product its tokens at its own address, and not those of the other product', async () => {
    const sourcing = { ...good, client_id: brand, client_secret: `${brand}-secret` }
    expect((await requestToken(service, good, '/retail')).status).toBe(200)
    expect((await requestToken(service, sourcing, '/sourcing')).status).toBe(200)
    expect(await requestToken(service, good, '/sourcing')).toMatchObject({
      status: 401,
      body: { error: 'invalid_client' },
    })
    expect((await requestToken(service, sourcing, '/retail')).status).toBe(401)
  })

  it.each([
    ['a wrong grant type', { ...good, grant_type: 'password' }, 400, 'unsupported_grant_type'],
    ['no grant type', { client_id: shop, client_secret: 'x' }, 400, 'invalid_request'],
    ['no client id', { grant_type: 'client_credentials', client_secret: 'x' }, 400, 'invalid_request'],
    ['no secret', { grant_type: 'client_credentials', client_id: shop }, 400, 'invalid_request'],
    ['an empty secret', { ...good, client_secret: '' }, 400, 'invalid_request'],
    ['a wrong secret', { ...good, client_secret: 'practice-hoboken-secret' }, 401, 'invalid_client'],
    ['an unknown client', { ...good, client_id: 'unknown' }, 401, 'invalid_client'],
  ])('refuses %s', async (_, form, status, error) => {
    expect(await requestToken(service, form)).toMatchObject({ status, body: { error } })
  })

  it('refuses a repeated parameter, JSON, and an empty body', async () => {
    const url = `${service.authUrl}/o/token/`
    const twice = new URLSearchParams([...Object.entries(good), ['client_id', shop]])
    for (const init of [
      { body: twice },
      { body: JSON.stringify(good), headers: { 'Content-Type': 'application/json' } },
      {},
    ]) {
      const answer = await answerOf(await fetch(url, { method: 'POST', ...init }))
      expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
    }
  })

  it('answers 405 to GET', async () => {
    const answer = await answerOf(await fetch(`${service.authUrl}/o/token/`))
    expect(answer).toMatchObject({ status: 405, body: { detail: 'Method "GET" not allowed.' } })
  })
})

describe('access tokens', () => {
  it('end after the seconds that the data file gives them', async () => {
    let time = Date.parse('2026-11-02T12:00:00Z')
    const service = await start({ data: { ...data, expires_in: 90 }, now: () => new Date(time) })
    try {
      expect(Token.parse((await requestToken(service, good)).body).expires_in).toBe(90)
      const caller = await callerOf(service, shop)
      time += 89_999
      expect((await caller.get('items/x/')).status).toBe(404)
      time += 1
      expect(await caller.get('items/x/')).toMatchObject({ status: 401, body: undefined })
    } finally {
      await service.close()
    }
  })

  it('end when the admin expires them all, and a new one works', async () => {
    const service = await start()
    try {
      const caller = await callerOf(service, shop)
      service.admin.expireTokens()
      expect((await caller.get('items/x/')).status).toBe(401)
      expect((await (await callerOf(service, shop)).get('items/x/')).status).toBe(404)
    } finally {
      await service.close()
    }
  })
})

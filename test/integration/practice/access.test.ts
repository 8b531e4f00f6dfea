import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PracticeService } from '../../../src-practice/start'
import {
  type ServiceCaller,
  answerOf,
  brand,
  callerOf,
  importOf,
  sale,
  shop,
  someList,
  start,
  textLike,
} from './practice'
import { blueDune, data, onSale, tag } from './sample'

const reading = [
  `items/${tag(onSale, 0)}/`,
  `collections/${onSale.uuid}/`,
  `collections/case/${onSale.uuid}/`,
  `products/${onSale.productUuid}/`,
  'package-uids/X/caseids/',
]
const writing = [
  'caseids/import/',
  'caseids/import/remove/',
  'transactions/complete/',
  'transactions/void/',
  'transactions/return/',
]

describe('access to the API', () => {
  let service: PracticeService
  let caller: ServiceCaller
  beforeAll(async () => {
    service = await start({
      data: {
        ...data,
        accounts: data.accounts.flatMap((account) => [
          account,
          {
            ...account,
            client_id: `${account.client_id}-office`,
            client_secret: `${account.client_id}-office-secret`,
            dispensary_uuid: null,
          },
        ]),
      },
    })
    caller = await callerOf(service, shop)
  })
  afterAll(() => service.close())

  it.each([...reading, ...writing])(
    'answers %s with 401 and no body to no token, an unknown one and another scheme',
    async (path) => {
      for (const Authorization of [
        '',
        'Bearer',
        'Bearer nonsense',
        'Basic cHJhY3RpY2U6eA==',
        `Bearer ${'x'.repeat(5000)}`,
      ]) {
        const method = writing.includes(path) ? 'POST' : 'GET'
        const answer = await answerOf(
          await fetch(`${service.baseUrl}/api/v1.2/${path}`, { method, headers: { Authorization } }),
        )
        expect(answer).toMatchObject({ status: 401, body: undefined })
        expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer')
      }
    },
  )

  it.each(writing)('answers %s with 403 to a sourcing token and to an account without a dispensary', async (path) => {
    for (const client of [brand, `${shop}-office`]) {
      const answer = await (
        await callerOf(service, client)
      ).post(path, { ...importOf(blueDune, 'X'), ...sale('1', []) })
      expect(answer).toMatchObject({
        status: 403,
        body: { detail: 'You do not have permission to perform this action.' },
      })
    }
  })

  it('lets a sourcing token and an account without a dispensary read; a package holds nothing for them', async () => {
    for (const client of [brand, `${shop}-office`]) {
      const other = await callerOf(service, client)
      expect((await other.get(`items/${tag(onSale, 0)}/`)).status).toBe(200)
      expect((await other.get('package-uids/X/caseids/')).body).toEqual({ package_uid: 'X', case_ids: {} })
    }
  })

  it.each([...reading, ...writing])('answers 405 on %s to every other method', async (path) => {
    const own = writing.includes(path) ? 'POST' : 'GET'
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter((one) => one !== own)) {
      const answer = await caller.send(method, path)
      expect(answer).toMatchObject({ status: 405, body: { detail: `Method "${method}" not allowed.` } })
      expect(answer.headers.get('Allow')).toBe(own)
    }
  })

  it.each(writing)('answers 415 on %s to a form, to plain text and to no content type', async (path) => {
    for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'application/jsonp', undefined]) {
      const headers: Record<string, string> = type === undefined ? {} : { 'Content-Type': type }
      const answer = await caller.send('POST', path, headers, new TextEncoder().encode('{}'))
      expect(answer).toMatchObject({
        status: 415,
        body: { detail: `Unsupported media type "${type ?? ''}" in request.` },
      })
    }
  })

  it.each(writing)('answers 400 on %s to JSON that is broken, cut off, empty or not UTF-8', async (path) => {
    const headers = { 'Content-Type': 'application/json; charset=utf-8' }
    for (const body of ['{', '{"a":1', '', 'undefined', new Uint8Array([0x22, 0xff, 0x22])]) {
      const answer = await caller.send('POST', path, headers, body)
      expect(answer.status).toBe(400)
      expect(answer.body).toMatchObject({ detail: textLike(/^JSON parse error - /) })
    }
  })

  it.each(writing)('answers 400 on %s to JSON that is not an object', async (path) => {
    for (const body of [null, [], 'text', 1, true]) {
      expect(await caller.post(path, body)).toMatchObject({
        status: 400,
        body: { non_field_errors: someList },
      })
    }
  })

  it('answers 413 to more than a megabyte', async () => {
    const answer = await caller.post(
      'transactions/complete/',
      sale(
        '1',
        Array.from({ length: 50_000 }, () => onSale.uuid),
      ),
    )
    expect(answer.status).toBe(413)
  })

  it('answers 404 to unknown addresses, slashes included', async () => {
    for (const path of [
      '',
      'items/',
      `items/${tag(onSale, 0)}`,
      'transactions/refund/',
      'collections/a/b/',
      'brands/',
    ]) {
      expect(await caller.get(path)).toMatchObject({ status: 404, body: { detail: 'Not found.' } })
    }
    expect((await fetch(service.baseUrl)).status).toBe(404)
  })
})

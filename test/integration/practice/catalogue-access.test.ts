import { z } from 'zod'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PracticeService } from '../../../src-practice/start'
import { BrandList, BrandV15 } from '../../../src-shared/service/brands'
import { Token } from '../../../src-shared/service/token'
import {
  type CatalogueCaller,
  both,
  brands,
  catalogueCaller,
  catalogueData,
  foreignBatch,
  foreignProduct,
  hudsonBatches,
  hudsonProducts,
  leastProduct,
  longId,
  sourcing,
  startCatalogue,
} from './catalogue'
import { answerOf, callerOf, requestToken, shop, someList, someText, textLike } from './practice'
import { only } from './sample'

const product = longId(only(hudsonProducts[0], 'product').uuid)
const batch = only(hudsonBatches[0], 'batch')
const packaged = `${longId(batch.uuid)}/packaged-products/${longId(only(batch.packaged_products[0], 'packaged').uuid)}`
const foreignPackaged = only(foreignBatch.packaged_products[0], 'foreign packaged product')

const reading = [
  'brands/',
  `brands/${brands.hudson}/`,
  'products/',
  `products/${product}/`,
  'batches/',
  `batches/${longId(batch.uuid)}/`,
  `digital_coas/${longId(only(batch.digital_coa_uuids[0], 'COA'))}/`,
  'assets/texts/',
  'assets/images/',
  'assets/videos/',
  'assets/files/',
]
/** With a body. */
const writing: [path: string, methods: string[]][] = [
  ['products/create/', ['POST']],
  [`products/${product}/update/`, ['PUT', 'PATCH']],
  [`products/${product}/supplemental-photos/`, ['POST']],
  [`products/${product}/videos/`, ['POST']],
  [`products/${product}/documents/`, ['POST']],
  [`products/${product}/supplemental-photos/delete/`, ['POST']],
  [`products/${product}/videos/delete/`, ['POST']],
  [`products/${product}/documents/delete/`, ['POST']],
  ['batches/create/', ['POST']],
  [`batches/${longId(batch.uuid)}/update/`, ['PUT']],
  [`batches/${longId(batch.uuid)}/packaged-products/`, ['POST']],
  [`batches/${packaged}/update/`, ['PUT', 'PATCH']],
  ['assets/texts/create/', ['POST']],
  ['assets/images/create/', ['POST']],
  ['assets/videos/create/', ['POST']],
  ['assets/files/create/', ['POST']],
]
const bodyless: [path: string, methods: string[]][] = [
  [`products/${product}/publish/`, ['POST']],
  [`products/${product}/unpublish/`, ['POST']],
  [`batches/${packaged}/delete/`, ['DELETE']],
  [`assets/text/${product}/delete/`, ['DELETE']],
]
const all: [path: string, methods: string[]][] = [
  ...reading.map((path): [string, string[]] => [path, ['GET']]),
  ...writing,
  ...bodyless,
]

describe('access to the catalogue', () => {
  let service: PracticeService
  let caller: CatalogueCaller
  beforeAll(async () => {
    service = await startCatalogue()
    caller = await catalogueCaller(service, sourcing)
  })
  afterAll(() => service.close())

  it.each(all)('answers %s with 401 and no body without a valid token', async (path, [method = 'GET']) => {
    for (const Authorization of ['', 'Bearer nonsense', 'Basic eDp5']) {
      const answer = await answerOf(
        await fetch(`${service.baseUrl}/api/v1.5/${path}`, { method, headers: { Authorization } }),
      )
      expect(answer).toMatchObject({ status: 401, body: undefined })
    }
  })

  it('answers 401 to an expired token', async () => {
    const other = await startCatalogue()
    try {
      const late = await catalogueCaller(other, sourcing)
      expect((await late.get('brands/')).status).toBe(200)
      other.admin.expireTokens()
      for (const [path, [method = 'GET']] of all) expect((await late.send(method, path)).status).toBe(401)
    } finally {
      await other.close()
    }
  })

  it.each(all)('answers %s with 405 to every other method', async (path, own) => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter((one) => !own.includes(one))) {
      const answer = await caller.send(method, path)
      expect(answer).toMatchObject({ status: 405, body: { detail: `Method "${method}" not allowed.` } })
      expect(answer.headers.get('Allow')).toBe(own.join(', '))
    }
  })

  it('lets a retail token read, and the company of its store has no catalogue', async () => {
    const retail = await catalogueCaller(service, 'practice-stranger')
    expect(await retail.get('brands/')).toMatchObject({ status: 200, body: [] })
    for (const path of ['products/', 'batches/', 'assets/texts/']) {
      expect(await retail.get(path)).toMatchObject({ status: 200, body: { count: 0, results: [] } })
    }
    expect((await retail.get(`products/${product}/`)).status).toBe(404)
  })

  it.each([...writing, ...bodyless])('answers %s with 403 to a retail token', async (path, methods) => {
    const retail = await catalogueCaller(service, shop)
    for (const method of methods) {
      expect(await retail.send(method, path)).toMatchObject({ status: 403, body: { detail: someText } })
    }
  })

  it('takes an account of both products on either side, and a token of one product only there', async () => {
    const [company] = catalogueData.accounts.filter(({ client_id }) => client_id === both)
    expect(company?.product).toBe('both')
    const one = await catalogueCaller(service, both)
    expect((await one.post('assets/texts/create/', { name: 'x', content: 'y' })).status).toBe(200)
    const retail = await callerOf(service, both)
    expect((await retail.post('transactions/void/', {})).status).toBe(400)

    const form = { grant_type: 'client_credentials', client_id: both, client_secret: `${both}-secret` }
    const statusOf = async (of: string, path: string) => {
      const { access_token } = Token.parse((await requestToken(service, form, of)).body)
      const headers = { Authorization: `Bearer ${access_token}`, 'Content-Type': 'application/json' }
      return (await fetch(`${service.baseUrl}${path}`, { method: 'POST', headers, body: '{}' })).status
    }
    expect(await statusOf('/sourcing', '/api/v1.5/assets/texts/create/')).toBe(400)
    expect(await statusOf('/sourcing', '/api/v1.2/transactions/void/')).toBe(403)
    expect(await statusOf('/retail', '/api/v1.5/assets/texts/create/')).toBe(403)
    expect(await statusOf('/retail', '/api/v1.2/transactions/void/')).toBe(400)
  })

  it.each(writing)('answers %s with 415 to content types other than JSON', async (path, methods) => {
    for (const type of [
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'text/plain',
      undefined,
    ]) {
      const headers: Record<string, string> = type === undefined ? {} : { 'Content-Type': type }
      for (const method of methods) {
        const answer = await caller.send(method, path, headers, new TextEncoder().encode('{}'))
        expect(answer).toMatchObject({ status: 415, body: { detail: someText } })
      }
    }
  })

  it.each(writing)('answers %s with 400 to broken JSON, and to JSON that is not an object', async (path, methods) => {
    const headers = { 'Content-Type': 'application/json' }
    for (const method of methods) {
      for (const body of ['{', '', 'undefined', '{"a":1}}', new Uint8Array([0x22, 0xff, 0x22])]) {
        const answer = await caller.send(method, path, headers, body)
        expect(answer).toMatchObject({ status: 400, body: { detail: textLike(/^JSON parse error - /) } })
      }
      for (const body of ['null', '[]', '"text"', '1', 'true', '['.repeat(100_000) + ']'.repeat(100_000)]) {
        expect(await caller.send(method, path, headers, body)).toMatchObject({
          status: 400,
          body: { non_field_errors: someList },
        })
      }
    }
  })

  it('answers 413 to more than a megabyte without files, and to more than thirty with files', async () => {
    const large = { name: 'x'.repeat(1_000_001) }
    expect((await caller.post('batches/create/', large)).status).toBe(413)
    expect((await caller.post(`products/${product}/videos/`, large)).status).toBe(413)
    expect((await caller.post('products/create/', large)).status).toBe(400)
    expect((await caller.post('products/create/', { name: 'x'.repeat(30_000_001) })).status).toBe(413)
  })

  it("answers 404 to every request for another company's data", async () => {
    const foreign = longId(foreignProduct.uuid)
    const batchId = longId(foreignBatch.uuid)
    const named = `${batchId}/packaged-products/${longId(foreignPackaged.uuid)}`
    const requests: [string, string, unknown?][] = [
      ['GET', `brands/${brands.ironbound}/`],
      ['GET', `products/${foreign}/`],
      ['PUT', `products/${foreign}/update/`, leastProduct],
      ['PATCH', `products/${foreign}/update/`, { name: 'Mine' }],
      ['POST', `products/${foreign}/publish/`],
      ['POST', `products/${foreign}/unpublish/`],
      ...['supplemental-photos', 'videos', 'documents'].flatMap((path): [string, string, unknown][] => [
        ['POST', `products/${foreign}/${path}/`, { uuid: product }],
        ['POST', `products/${foreign}/${path}/delete/`, { uuid: product }],
      ]),
      ['GET', `batches/${batchId}/`],
      ['PUT', `batches/${batchId}/update/`, { name: 'Mine' }],
      ['POST', `batches/${batchId}/packaged-products/`, { product_uuid: product }],
      ['PATCH', `batches/${named}/update/`, {}],
      ['DELETE', `batches/${named}/delete/`],
      ['GET', `digital_coas/${longId(only(foreignBatch.digital_coa_uuids[0], 'COA'))}/`],
    ]
    for (const [method, path, body] of requests) {
      const headers: Record<string, string> = body === undefined ? {} : { 'Content-Type': 'application/json' }
      const answer = await caller.send(method, path, headers, body === undefined ? undefined : JSON.stringify(body))
      expect([path, answer.status, answer.body]).toEqual([path, 404, { detail: 'Not found.' }])
    }
  })

  it.each([
    '',
    'nonsense',
    'zzzzzzzzzzzzzzzzzzzzzz',
    '%00',
    '%E0%A4%A',
    "' OR 1=1 --",
    '00000000-0000-0000-0000-000000000000',
  ])('answers 404 for a thing called %j', async (id) => {
    for (const path of ['brands', 'products', 'batches', 'digital_coas', 'assets/texts']) {
      if (id !== '') expect((await caller.get(`${path}/${encodeURI(id)}/`)).status).toBe(404)
    }
    for (const path of ['update', 'publish', 'videos']) {
      const answer = await caller.send(
        path === 'update' ? 'PUT' : 'POST',
        `products/${id}/${path}/`,
        {
          'Content-Type': 'application/json',
        },
        '{}',
      )
      expect(answer.status).toBe(404)
    }
  })

  it('answers 404 to unknown addresses, slashes included', async () => {
    for (const path of [
      'products',
      'product/',
      `products/${product}`,
      `products/${product}/delete/`,
      'digital_coas/',
    ]) {
      expect(await caller.get(path)).toMatchObject({ status: 404, body: { detail: 'Not found.' } })
    }
  })

  it("lists and shows the brands of the caller's company", async () => {
    const { body } = await caller.get('brands/')
    expect(BrandList.safeParse(body).success).toBe(true)
    expect(body).toEqual([
      { uuid: brands.hudson, name: 'Hudson Fields', state: 'NJ' },
      { uuid: brands.missouri, name: 'Hudson West', state: 'Missouri' },
      { uuid: brands.arizona, name: 'Hudson South', state: 'AZ' },
    ])
    const detail = await caller.get(`brands/${brands.hudson}/`)
    expect(BrandV15.safeParse(detail.body).success).toBe(true)
    expect(Object.keys(z.looseObject({}).parse(detail.body)).sort()).toEqual(
      'address brand_video company country description images name slug state updated_on uuid website'.split(' '),
    )
    expect(detail.body).toMatchObject({
      company: 'Hudson Fields Farms LLC',
      brand_video: null,
      address: textLike(/\n/),
    })
  })
})

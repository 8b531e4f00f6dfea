import { afterEach, describe, expect, it } from 'vitest'
import { collect } from './collect'
import { long, page, productEntry } from '../../fixtures/wire'
import { type Answers, type OddService, json, startOddService, withTokens } from './odd-service'

const first = '/api/v1.5/products/'
const entry = (n: number) => ({ ...productEntry(long), name: `Product ${n}` })

describe('a paged list', () => {
  const services: OddService[] = []
  const start = async (answers: Answers) => {
    const service = await startOddService(withTokens(answers))
    services.push(service)
    return service
  }
  afterEach(async () => {
    for (const service of services.splice(0)) await service.close()
  })

  const namesOf = async (service: OddService) => {
    const names: string[] = []
    for await (const one of service.client.v15.products.list()) {
      if (!one.ok) return { names, error: one.error }
      names.push(one.value.name)
    }
    return { names, error: undefined }
  }
  const pagesOf = (service: OddService) => service.asked.filter((line) => line.startsWith('GET'))

  it('ends after a thousand pages if each names another page', async () => {
    let at = 0
    const service = await start(() => json(page([entry(at)], `${service.baseUrl}${first}?page=${++at}`)))
    const { names, error } = await namesOf(service)
    expect(names).toHaveLength(1_000)
    expect(error).toEqual({ code: 'service/unreadable', path: 'next' })
  })

  it('ends if the address of the next page is longer than allowed', async () => {
    const service = await start(() => json(page([entry(1)], `${first}?page=${'9'.repeat(9_000)}`)))
    expect(await namesOf(service)).toMatchObject({ error: { code: 'service/unreadable', path: 'next' } })
  })

  it('is read to its end, page by page, in order', async () => {
    const service = await start((path) => {
      const at = Number(new URL(path, 'http://x').searchParams.get('page') ?? 1)
      const next = at < 3 ? `${service.baseUrl}${first}?page=${at + 1}` : null
      return json({ ...page([entry(2 * at - 1), entry(2 * at)], next), count: 6 })
    })
    expect(await namesOf(service)).toEqual({ names: [1, 2, 3, 4, 5, 6].map((n) => `Product ${n}`), error: undefined })
    expect(pagesOf(service)).toEqual([`GET ${first}`, `GET ${first}?page=2`, `GET ${first}?page=3`])
    expect(await collect(service.client.v15.products.list())).toMatchObject({ ok: true, value: { length: 6 } })
  })

  it('is empty without entries, and needs neither next nor previous', async () => {
    const service = await start(() => json({ count: 0, results: [] }))
    expect(await namesOf(service)).toEqual({ names: [], error: undefined })
  })

  it('follows a relative address', async () => {
    const service = await start((path) => json(page([entry(1)], path === first ? '?page=2' : null)))
    expect((await namesOf(service)).names).toHaveLength(2)
  })

  it("requests no page that the caller doesn't read", async () => {
    const service = await start(() => json(page([entry(1), entry(2)], `${service.baseUrl}${first}?page=2`)))
    for await (const one of service.client.v15.products.list()) {
      expect(one.ok).toBe(true)
      break
    }
    expect(pagesOf(service)).toHaveLength(1)
  })

  it('ends at a link to another service, which gets no request and no token', async () => {
    const stranger = await start(() => json(page([entry(66)])))
    for (const next of [`${stranger.baseUrl}${first}?page=2`, 'https://service.example/?page=2']) {
      const service = await start(() => json(page([entry(1)], next)))
      expect(await namesOf(service)).toEqual({ names: ['Product 1'], error: { code: 'service/foreign-host' } })
    }
    expect(stranger.asked).toEqual([])
  })

  it.each(['http://user:pw@HOST/api/v1.5/products/?page=2#x', 'http:/api/v1.5/products/?page=2'])(
    'stays on its own service with %s',
    async (next) => {
      const service = await start((path) =>
        json(page([entry(1)], path === first ? next.replace('HOST', new URL(service.baseUrl).host) : null)),
      )
      expect(await namesOf(service)).toMatchObject({ names: ['Product 1', 'Product 1'], error: undefined })
      expect(pagesOf(service)).toEqual([`GET ${first}`, `GET ${first}?page=2`])
    },
  )

  it.each([
    ['the same page', () => first],
    ['an earlier page', (path: string) => (path.endsWith('page=2') ? first : `${first}?page=2`)],
    ['no address', () => 'http://'],
    ['a file', () => 'file:///etc/passwd'],
    ['a script', () => 'javascript:alert(1)'],
  ])('ends at a link to %s', async (_, next) => {
    const service = await start((path) => json(page([entry(1)], next(path))))
    const { names, error } = await namesOf(service)
    expect(error).toEqual({ code: 'service/unreadable', path: 'next' })
    expect(names.length).toBeLessThan(3)
  })

  it('ends at an empty page that names a next page', async () => {
    let n = 1
    const service = await start(() => json(page([], `${service.baseUrl}${first}?page=${++n}`)))
    expect(await namesOf(service)).toEqual({ names: [], error: { code: 'service/unreadable', path: 'results' } })
  })

  it.each([
    [
      'without its results',
      json({ count: 0, next: null, previous: null }),
      { code: 'service/unreadable', path: 'results' },
    ],
    ['without a count', json({ next: null, results: [] }), { code: 'service/unreadable', path: 'count' }],
    ['that is a bare list', json([]), { code: 'service/unreadable', path: '' }],
    [
      'with a broken entry',
      json(page([entry(1), { uuid: 7 }])),
      { code: 'service/unreadable', path: 'results.1.uuid' },
    ],
    ['that is a web page', { status: 200, body: '<html></html>' }, { code: 'service/unreadable', path: null }],
    ['that is missing', { status: 404 }, { code: 'service/not-found', id: '' }],
    ['that fails', { status: 500 }, { code: 'service/failing', status: 500 }],
    ['that is cut off', 'hang up', { code: 'service/unreachable' }],
  ] as const)('gives the entries before a page %s, then the error', async (_, broken, error) => {
    const service = await start((path) => (path === first ? json(page([entry(1)], '?page=2')) : broken))
    expect(await namesOf(service)).toEqual({ names: ['Product 1'], error })
    expect(await collect(service.client.v15.products.list())).toEqual({ ok: false, error })
  })

  it('continues with a new token if the old one expires between two pages', async () => {
    let given = 0
    const service = await startOddService((path, authorization) => {
      if (path.includes('/o/token/')) {
        given++
        return json({ access_token: `T${given}`, token_type: 'Bearer', expires_in: 36_000 })
      }
      if (path === first) return json(page([entry(1)], '?page=2'))
      return authorization === 'Bearer T1' ? { status: 401 } : json(page([entry(2)]))
    })
    services.push(service)
    expect((await namesOf(service)).names).toEqual(['Product 1', 'Product 2'])
    expect(given).toBe(2)
  })
})

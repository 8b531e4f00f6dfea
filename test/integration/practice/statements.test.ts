import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Answer, brand, callerOf, shop, start } from './practice'
import { largeCase, largeData, largeProducts, largeTag } from './large'
import { delivery } from './sample'

/** A service that counts the statements that SQLite runs. */
async function counting(count: number) {
  let statements = 0
  const service = await start({ data: largeData(count, count), onStatement: () => (statements += 1) })
  const retail = await callerOf(service, shop)
  const sourcing = await callerOf(service, brand, 'v1.5')
  return {
    service,
    retail,
    sourcing,
    /** How many statements a request takes; it must succeed. */
    async of(request: () => Promise<Answer>): Promise<number> {
      statements = 0
      const { status } = await request()
      expect(status).toBeLessThan(300)
      return statements
    },
  }
}
type Counting = Awaited<ReturnType<typeof counting>>

/** What is asked, by a name; each in its turn, for later ones change what earlier ones read. */
const requests: [string, (service: Counting) => Promise<Answer>][] = [
  ['CaseID detail of v1.2', ({ retail }) => retail.get('collections/case/CASE-0/')],
  ['CaseID detail of v1.5', ({ sourcing }) => sourcing.get('collections/case/CASE-0/')],
  ['collection of v1.2', ({ retail }) => retail.get('collections/CASE-0/')],
  ['collection of v1.5', ({ sourcing }) => sourcing.get('collections/CASE-0/')],
  ['package look-up', ({ retail }) => retail.get('package-uids/PACKAGE-0/caseids/')],
  [
    'add-case of v1.2',
    ({ retail }) => {
      const body = { case_uuid: largeCase(0), packaged_product_uuid: largeProducts[0] }
      return retail.post(`collections/regulator/${delivery(1)}/add-case/`, body)
    },
  ],
  [
    'add-items of v1.2',
    ({ retail }) =>
      retail.post(
        'collections/case/CASE-0/add-items/',
        Array.from({ length: 10 }, (_, at) => largeTag(at)),
      ),
  ],
  [
    'add-items of v1.5',
    ({ sourcing }) =>
      sourcing.post(
        'collections/case/CASE-0/add-items/',
        Array.from({ length: 10 }, (_, at) => largeTag(at)),
      ),
  ],
  ['collection remove', ({ sourcing }) => sourcing.send('DELETE', 'collections/CASE-0/remove/')],
  ['removed TagIDs', ({ sourcing }) => sourcing.get('collections/CASE-0/removed-tag-ids/')],
  ['collection restore', ({ sourcing }) => sourcing.send('PUT', 'collections/CASE-0/restore/')],
  ['item remove', ({ sourcing }) => sourcing.send('DELETE', `collections/CASE-0/tag-ids/${largeTag(0)}/remove/`)],
  ['item restore', ({ sourcing }) => sourcing.get(`collections/CASE-0/tag-ids/${largeTag(0)}/restore/`)],
]

describe('the statements of a request', () => {
  it('are as many for a case of a thousand items as for one of a dozen, and few', async () => {
    const small = await counting(12)
    const large = await counting(1000)
    try {
      for (const [name, request] of requests) {
        const few = await small.of(() => request(small))
        expect([name, await large.of(() => request(large))]).toEqual([name, few])
        expect([name, few <= 20]).toEqual([name, true])
      }
    } finally {
      await Promise.all([small.service.close(), large.service.close()])
    }
  })
})

describe('a database of 100,000 TagIDs', () => {
  it('is opened without a look at them, in under a second, and answers about one case as fast as ever', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'practice-'))
    const db = join(folder, 'practice.db')
    try {
      await (await start({ db, data: largeData(100_000, 1000) })).close()
      const statements: string[] = []
      const started = performance.now()
      const asked = () => {
        throw new Error('The data file is not needed')
      }
      const service = await start({ db, data: asked, onStatement: (sql) => statements.push(sql) })
      try {
        expect(performance.now() - started).toBeLessThan(1000)
        expect(statements.filter((sql) => /\b(tag_ids|memberships)\b/.test(sql))).toEqual([])
        const caller = await callerOf(service, shop)
        const sourcing = await callerOf(service, brand, 'v1.5')
        for (const read of [
          () => caller.get('collections/case/CASE-50/'),
          () => sourcing.get('collections/case/CASE-50/'),
          () => caller.get('collections/CASE-50/'),
          () => caller.get('package-uids/PACKAGE-50/caseids/'),
          () => sourcing.get(`items/${largeTag(50_000)}/`),
        ]) {
          const asking = performance.now()
          expect((await read()).status).toBe(200)
          expect(performance.now() - asking).toBeLessThan(1000)
        }
      } finally {
        await service.close()
      }
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

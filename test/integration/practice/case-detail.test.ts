import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PracticeService } from '../../../src-practice/start'
import { toUuid } from '../../../src-shared/ids'
import { CaseDetail } from '../../../src-shared/service/collections'
import { type ServiceCaller, callerOf, shop, start, stranger } from './practice'
import { blueDune, chocolate, data, delivery, onSale, preRolls, readable, tag, twoProducts } from './sample'

describe('CaseID detail', () => {
  let service: PracticeService
  let caller: ServiceCaller
  beforeAll(async () => {
    service = await start()
    caller = await callerOf(service, shop)
  })
  afterAll(() => service.close())

  const detail = async (id: string, as = caller) => {
    const answer = await as.get(`collections/case/${encodeURIComponent(id)}/`)
    expect(answer.status).toBe(200)
    return CaseDetail.parse(answer.body)
  }

  it('is self-contained: everything that its items and packaged products refer to is in it', async () => {
    const found = await detail(twoProducts.uuid)
    const uuids = (list: { uuid: string }[] | null | undefined) => (list ?? []).map(({ uuid }) => uuid)
    for (const item of found.items) {
      expect(uuids(found.products)).toContain(item.product_uuid)
      expect(uuids(found.brands)).toContain(item.brand_uuid)
      expect(uuids(found.batches)).toContain(item.batch_uuid)
      for (const uuid of item.regulator_id_uuids ?? []) expect(uuids(found.regulator_ids)).toContain(uuid)
      for (const uuid of item.cases_uuids ?? []) expect(uuids(found.cases)).toContain(uuid)
    }
    expect(uuids(found.packaged_products).sort()).toEqual([twoProducts.packagedProductUuid, chocolate].sort())
    expect(uuids(found.digital_coas).sort()).toEqual([...(found.digital_coa_uuids ?? [])].sort())
    expect(found.digital_coas).toHaveLength(2)
    expect(found.testing_laboratories?.length).toBeGreaterThan(0)
    expect(found).toMatchObject({ tag_ids_count: 24, required_product_uuid: '', data: { members_count: 24 } })
  })

  it('gives its items the three lists of collections and nothing of the collection payload', async () => {
    expect(Object.keys((await detail(onSale.uuid)).items[0] ?? {}).sort()).toEqual([
      'batch_uuid',
      'brand_uuid',
      'cases_uuids',
      'inventory_collection_uuids',
      'product_uuid',
      'regulator_id_uuids',
      'tag_id',
    ])
  })

  it('lists the packages of its items in order of time, the newest last', async () => {
    const found = await detail(blueDune.uuid)
    expect(found.regulator_ids?.map((one) => one.sub_type)).toEqual(['Packaged product', 'Transfer'])
    expect(found.regulator_ids?.[1]).toMatchObject({ identifier: delivery(1), tag_ids_count: 56 })
    expect(found.items[0]?.regulator_id_uuids).toEqual(found.regulator_ids?.map(({ uuid }) => uuid))
  })

  it('compares the times of packages, not their texts', async () => {
    const packages = data.collections.map((one) => {
      // A quarter past seven in Newark is later than half past ten in UTC, though its text is less.
      if (one.identifier === delivery(1)) return { ...one, added_on: '2026-10-01T07:15:00-04:00' }
      return one.sub_type === 'Packaged product' ? { ...one, added_on: '2026-10-01T10:30:00Z' } : one
    })
    const other = await start({ data: { ...data, collections: packages } })
    try {
      const found = await detail(blueDune.uuid, await callerOf(other, shop))
      expect(found.regulator_ids?.at(-1)?.identifier).toBe(delivery(1))
    } finally {
      await other.close()
    }
  })

  it('names the inventory collection of its items to their own company only', async () => {
    expect((await detail(onSale.uuid)).items[0]?.inventory_collection_uuids).toHaveLength(1)
    const seenByStranger = await detail(onSale.uuid, await callerOf(service, stranger))
    expect(seenByStranger.items[0]?.inventory_collection_uuids).toEqual([])
  })

  it('is found by ShortUUID, UUID and an identifier with a space and a slash', async () => {
    expect((await detail(toUuid(preRolls.uuid) ?? '')).uuid).toBe(preRolls.uuid)
    expect(readable.identifier).toMatch(/ .*\//)
    for (const id of [readable.identifier, readable.uuid]) {
      expect(await detail(id)).toMatchObject({
        uuid: readable.uuid,
        identifier: readable.identifier,
        collection_url: `https://tag.example/case/${encodeURIComponent(readable.identifier)}`,
      })
    }
  })

  it('carries certificates that pass, leave tests out, fail and are expired', async () => {
    const coas = await Promise.all(
      [blueDune, twoProducts, readable].map(async ({ uuid }) => (await detail(uuid)).digital_coas ?? []),
    )
    const all = coas.flat()
    const results = all.map((coa) => new Set(Object.values(coa.tests_performed ?? {})))
    expect(results.some((values) => values.size === 1 && values.has('pass'))).toBe(true)
    expect(results.some((values) => values.has('not_tested'))).toBe(true)
    expect(results.some((values) => values.has('fail'))).toBe(true)
    expect(all.some((coa) => Date.parse(coa.report_expires_on ?? '') < Date.parse('2026-09-01'))).toBe(true)
  })

  it.each(['nonsense', tag(blueDune, 0), delivery(1), 'HF%202026/0417'])('is 404 if unknown: %j', async (id) => {
    expect(await caller.get(`collections/case/${id}/`)).toMatchObject({ status: 404, body: { detail: 'Not found.' } })
  })
})

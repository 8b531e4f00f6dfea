import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DataFile } from '../../../src-practice/data-file'
import type { PracticeService } from '../../../src-practice/start'
import { toShortUuid } from '../../../src-shared/ids'
import { Collection } from '../../../src-shared/service/collections'
import { CaseDetailV15, CollectionV15 } from '../../../src-shared/service/collections-v15'
import { ItemV15, ItemWithRemovedCollections } from '../../../src-shared/service/items'
import { wireUuid } from '../../../src-shared/service/wire'
import { type ServiceCaller, brand, callerOf, performed_at, shop, someText, start, stranger } from './practice'
import { blueDune, data, delivery, onSale, readable, short, single, tag, twoProducts } from './sample'

const claimed_by_user_uuid = '6f0b0ba0-6a43-4a5b-9d0c-0d7a1a6a2b11'

/** The practice data, with an item that was claimed and found to be a counterfeit. */
const withClaim: DataFile = {
  ...data,
  tag_ids: data.tag_ids.map((one) =>
    one.uuid === single
      ? {
          ...one,
          claimed_on: performed_at,
          claimed_by_user_uuid: toShortUuid(claimed_by_user_uuid) ?? '',
          counterfeit_on: performed_at,
        }
      : one,
  ),
}

describe('reading collections and TagIDs of v1.5', () => {
  let service: PracticeService
  let caller: ServiceCaller
  beforeAll(async () => {
    service = await start({ data: withClaim })
    caller = await callerOf(service, brand, 'v1.5')
  })
  afterAll(() => service.close())

  const read = async (path: string, as = caller) => {
    const answer = await as.get(path)
    expect(answer.status).toBe(200)
    return answer.body
  }
  const keys = (value: unknown) => Object.keys(typeof value === 'object' && value !== null ? value : {}).sort()
  const uuids = (list: { uuid: string }[] | null | undefined) => (list ?? []).map(({ uuid }) => uuid)

  describe('a collection', () => {
    it('is found by UUID, ShortUUID and an identifier with a space and a slash; its ids are UUIDs', async () => {
      for (const id of [wireUuid(readable.uuid), readable.uuid, encodeURIComponent(readable.identifier)]) {
        expect(await read(`collections/${id}/`)).toMatchObject({
          uuid: wireUuid(readable.uuid),
          identifier: 'HF 2026/0417',
          collection_type: 'case',
          is_removed: false,
          removed_on: null,
        })
      }
    })

    it('has only the fields of v1.5, also in its items', async () => {
      const body = await read(`collections/${wireUuid(short.uuid)}/`)
      expect(keys(body)).toEqual(
        'added_on collection_type identifier is_public is_removed items name removed_items removed_on sub_type uuid'.split(
          ' ',
        ),
      )
      const { items, removed_items } = CollectionV15.parse(body)
      expect([items.length, removed_items?.length]).toEqual([18, 2])
      for (const item of [...items, ...(removed_items ?? [])]) {
        expect(keys(item)).toEqual(['added_on', 'removed_by_company_uuid', 'removed_on', 'tag_id'])
      }
    })

    it.each(['nonsense', '%00', '%E0%A4%A', '9'.repeat(36), wireUuid(tag(blueDune, 0))])('%j is 404', async (id) => {
      expect(await caller.get(`collections/${id}/`)).toMatchObject({ status: 404, body: { detail: 'Not found.' } })
    })

    it('is shown to its own company only if it is an inventory', async () => {
      const shopItem = CollectionV15.parse(
        await read(`collections/${delivery(3)}/`, await callerOf(service, shop, 'v1.5')),
      )
      expect(shopItem.collection_type).toBe('regulator')
      const own = ItemV15.parse(await read(`items/${tag(onSale, 0)}/`, await callerOf(service, shop, 'v1.5')))
      const inventory = own.collections.find((one) => one.collection_type === 'inventory')
      expect(inventory).toBeDefined()
      const path = `collections/${wireUuid(inventory?.uuid ?? '')}/`
      await read(path, await callerOf(service, shop, 'v1.5'))
      expect((await (await callerOf(service, stranger, 'v1.5')).get(path)).status).toBe(404)
    })
  })

  describe('a CaseID detail', () => {
    const detail = async (id: string) => CaseDetailV15.parse(await read(`collections/case/${encodeURIComponent(id)}/`))

    it('is self-contained: everything that its items refer to is in it', async () => {
      const found = await detail(wireUuid(twoProducts.uuid))
      expect(found.items).toHaveLength(24)
      for (const item of found.items) {
        expect(uuids(found.products)).toContain(item.product_uuid)
        expect(uuids(found.brands)).toContain(item.brand_uuid)
        expect(uuids(found.batches)).toContain(item.batch_uuid)
        for (const uuid of item.regulator_id_uuids ?? []) expect(uuids(found.regulator_ids)).toContain(uuid)
        for (const uuid of item.cases_uuids ?? []) expect(uuids(found.cases)).toContain(uuid)
      }
      expect(found.digital_coas).toHaveLength(2)
      expect(found.testing_laboratories?.length).toBeGreaterThan(0)
      expect(found.products).toHaveLength(2)
    })

    it('gives products their totals and the names of their effects, and items the fields of v1.5', async () => {
      const found = await detail(blueDune.identifier)
      const [product] = found.products ?? []
      const [coa] = found.digital_coas ?? []
      expect(product?.total_thc).toEqual(coa?.totals?.total_thc)
      expect(product?.total_cbd).toEqual(coa?.totals?.total_cbd)
      for (const effect of product?.positive_effects ?? []) expect(typeof effect).toBe('string')
      expect(keys(found.items[0])).toEqual(
        'batch_uuid brand_uuid cases_uuids product_uuid regulator_id_uuids tag_id'.split(' '),
      )
    })

    it('lists packages in order of time, compared as moments', async () => {
      const collections = data.collections.map((one) => {
        // A quarter past seven in Newark is later than half past ten in UTC, though its text is less.
        if (one.identifier === delivery(1)) return { ...one, added_on: '2026-10-01T07:15:00-04:00' }
        return one.sub_type === 'Packaged product' ? { ...one, added_on: '2026-10-01T10:30:00Z' } : one
      })
      const other = await start({ data: { ...data, collections } })
      try {
        const body = await read(`collections/case/${blueDune.uuid}/`, await callerOf(other, brand, 'v1.5'))
        const found = CaseDetailV15.parse(body)
        expect(found.regulator_ids?.at(-1)?.identifier).toBe(delivery(1))
        expect(keys(found.regulator_ids?.[0])).toEqual(['added_on', 'collection_type', 'identifier', 'name', 'uuid'])
      } finally {
        await other.close()
      }
    })

    it.each(['nonsense', delivery(1), wireUuid(tag(blueDune, 0))])('%j is 404', async (id) => {
      expect(await caller.get(`collections/case/${id}/`)).toMatchObject({ status: 404 })
    })
  })

  describe('a TagID', () => {
    it('names its COAs and its collections, the earliest first, in UUIDs', async () => {
      const body = await read(`items/${wireUuid(tag(blueDune, 0))}/`)
      expect(body).toMatchObject({ uuid: wireUuid(tag(blueDune, 0)), product_uuid: wireUuid(blueDune.productUuid) })
      const item = ItemV15.parse(body)
      expect(item.digital_coa_uuids).toHaveLength(1)
      expect(item.collections.map((one) => one.collection_type)).toEqual(['case', 'regulator', 'regulator'])
      expect(keys(item.collections[0])).toEqual(
        'added_on collection_type identifier is_public name removed_on uuid'.split(' '),
      )
    })

    it('lists its removed collections and its state', async () => {
      expect(await read(`tag-ids/${wireUuid(single)}/removed-collections/`)).toEqual({
        uuid: wireUuid(single),
        created: someText,
        brand_uuid: someText,
        product_uuid: someText,
        batch_uuid: someText,
        dispensary_uuid: null,
        is_paired: true,
        paired_on: someText,
        is_claimed: true,
        claimed_on: performed_at,
        claimed_by_user_uuid,
        is_counterfeit: true,
        counterfeit_on: performed_at,
        removed_collections: [],
      })
      const removed = CollectionV15.parse(await read(`collections/${short.uuid}/`)).removed_items?.[0]
      const left = ItemWithRemovedCollections.parse(await read(`tag-ids/${removed?.tag_id ?? ''}/removed-collections/`))
      expect(left).toMatchObject({ is_claimed: false, is_counterfeit: false, claimed_by_user_uuid: null })
      expect(left.removed_collections).toMatchObject([{ uuid: short.uuid, removed_on: removed?.removed_on }])
      expect(keys(left.removed_collections[0])).toContain('company_uuid')
    })

    it('names the dispensary that holds it to the same company only', async () => {
      const dispensaryOf = async (client: string) =>
        ItemWithRemovedCollections.parse(
          await read(`tag-ids/${tag(onSale, 0)}/removed-collections/`, await callerOf(service, client, 'v1.5')),
        ).dispensary_uuid
      expect(await dispensaryOf(shop)).toBe(data.dispensaries.find(({ name }) => name.endsWith('Newark'))?.uuid)
      expect(await dispensaryOf(stranger)).toBeNull()
    })

    it.each(['nonsense', '%00', wireUuid(blueDune.uuid)])('%j is 404', async (id) => {
      for (const path of [`items/${id}/`, `tag-ids/${id}/removed-collections/`]) {
        expect(await caller.get(path)).toMatchObject({ status: 404, body: { detail: 'Not found.' } })
      }
    })
  })

  it('claims also show in the items of a v1.2 collection', async () => {
    const collections = data.collections.map((one) =>
      one.uuid === short.uuid ? { ...one, members: [...one.members, single] } : one,
    )
    const other = await start({ data: { ...withClaim, collections } })
    try {
      const answer = await (await callerOf(other, shop)).get(`collections/${short.uuid}/`)
      const claims = Collection.parse(answer.body).items.map(({ tag_id, claimed_on }) => [tag_id, claimed_on])
      expect(claims).toContainEqual([single, performed_at])
    } finally {
      await other.close()
    }
  })
})

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { DataFile } from '../../../src-practice/data-file'
import type { PracticeService } from '../../../src-practice/start'
import { CaseDetail, Collection } from '../../../src-shared/service/collections'
import {
  CaseDetailV15,
  CollectionV15,
  RemovedCollections,
  RemovedTagIds,
} from '../../../src-shared/service/collections-v15'
import { ItemV15 } from '../../../src-shared/service/items'
import { wireUuid } from '../../../src-shared/service/wire'
import { type ServiceCaller, brand, callerOf, importOf, shop, someText, start, textLike } from './practice'
import { atHoboken, blueDune, data, delivery, onSale, readable, short, tag } from './sample'

const [sample] = data.collections
if (sample === undefined) throw new Error('The practice data has no collections')

/** Where the items of a case were made; and an old case with the identifier of a newer one. */
const origin = { ...sample, uuid: '2222222222222222222222', identifier: 'ORIGIN-1', collection_type: 'origin' as const }
const older = {
  ...sample,
  uuid: '2222222222222222222223',
  identifier: readable.identifier,
  members: [],
  added_on: '2020-01-01T00:00:00Z',
}
const withOrigin: DataFile = { ...data, collections: [...data.collections, origin, older] }

describe('removing and restoring a collection', () => {
  let clock: Date
  let service: PracticeService
  let caller: ServiceCaller
  beforeEach(async () => {
    clock = new Date('2026-11-02T10:00:00Z')
    service = await start({ data: withOrigin, now: () => clock })
    caller = await callerOf(service, brand, 'v1.5')
  })
  afterEach(() => service.close())

  const remove = (id: string, as = caller) => as.send('DELETE', `collections/${id}/remove/`)
  const restore = (id: string, as = caller) => as.send('PUT', `collections/${id}/restore/`)
  const collection = async (id: string) => CollectionV15.parse((await caller.get(`collections/${id}/`)).body)
  const item = async (id: string) => ItemV15.parse((await caller.get(`items/${id}/`)).body)
  const removed = async (type = '') => RemovedCollections.parse((await caller.get(`removed-collections/${type}`)).body)

  it('removes it from all its TagIDs, and restores it to them', async () => {
    const before = await collection(short.uuid)
    expect(await remove(wireUuid(short.uuid))).toMatchObject({ status: 204, body: undefined })

    const during = await collection(short.uuid)
    expect(during).toMatchObject({ is_removed: true, removed_on: '2026-11-02T10:00:00.000Z', items: [] })
    expect(during.removed_items).toHaveLength(20)
    const held = await item(tag(short, 0))
    expect(held.collections.map(({ uuid }) => uuid)).not.toContain(short.uuid)
    expect(held.removed_collections).toMatchObject([{ uuid: short.uuid, removed_on: '2026-11-02T10:00:00.000Z' }])

    const answer = await restore(encodeURIComponent(short.identifier))
    expect(answer).toMatchObject({
      status: 200,
      body: { uuid: wireUuid(short.uuid), is_removed: false, removed_on: null },
    })
    expect(await collection(short.uuid)).toEqual(before)
    expect((await item(tag(short, 0))).removed_collections).toEqual([])
    // Those that had left it by themselves stay out.
    const gone = await item(before.removed_items?.[0]?.tag_id ?? '')
    expect(gone.removed_collections?.map(({ uuid }) => uuid)).toEqual([short.uuid])
  })

  it('succeeds and changes nothing if already done', async () => {
    await remove(blueDune.uuid)
    clock = new Date('2026-11-02T11:00:00Z')
    expect((await remove(blueDune.uuid)).status).toBe(204)
    expect((await collection(blueDune.uuid)).removed_on).toBe('2026-11-02T10:00:00.000Z')
    await restore(blueDune.uuid)
    expect((await restore(blueDune.uuid)).status).toBe(200)
    expect((await collection(blueDune.uuid)).items).toHaveLength(24)
  })

  it('lists the removed collections of the company, the last removed first, by type if asked', async () => {
    expect(await removed()).toEqual([])
    await remove(blueDune.uuid)
    clock = new Date('2026-11-02T11:00:00Z')
    await remove(delivery(1))
    const [first, second] = await removed()
    expect(first).toMatchObject({ identifier: delivery(1), collection_type: 'regulator', is_removed: true })
    expect(second).toEqual({
      uuid: blueDune.uuid,
      identifier: blueDune.identifier,
      name: someText,
      collection_type: 'case',
      added_on: '2026-09-01T13:00:00Z',
      removed_on: '2026-11-02T10:00:00.000Z',
      is_public: true,
      is_removed: true,
      company_uuid: sample.company_uuid,
      tag_ids_count: 24,
    })
    expect((await removed('case/')).map(({ uuid }) => uuid)).toEqual([blueDune.uuid])
    expect(await removed('order/')).toEqual([])
    expect(await removed('no such type/')).toEqual([])
    const other = await callerOf(service, shop, 'v1.5')
    expect((await other.get('removed-collections/')).body).toEqual([])
  })

  it('shows in v1.2, in CaseID details and in the list of removed TagIDs', async () => {
    await remove(blueDune.uuid)
    const retail = await callerOf(service, shop)
    const found = Collection.parse((await retail.get(`collections/${blueDune.uuid}/`)).body)
    expect(found).toMatchObject({ is_removed: true, items: [], tag_ids_count: 24, data: { members_count: 0 } })
    expect(found.removed_items?.[0]).toMatchObject({
      removed_on: someText,
      removed_by_company_uuid: sample.company_uuid,
      removed_by_company_name: 'Hudson Fields Farms LLC',
    })
    const detail = CaseDetail.parse((await retail.get(`collections/case/${blueDune.uuid}/`)).body)
    expect(detail).toMatchObject({ is_removed: true, items: [], products: [], cases: [] })
    expect(CaseDetailV15.parse((await caller.get(`collections/case/${blueDune.uuid}/`)).body).items).toEqual([])
    const left = RemovedTagIds.parse((await caller.get(`collections/${blueDune.uuid}/removed-tag-ids/`)).body)
    expect(left).toHaveLength(24)
    expect(left[0]?.cases_uuids).toEqual([])
    expect(left[0]?.regulator_id_uuids).toHaveLength(2)
  })

  it('excludes a case from package look-ups and imports, and a package from the newest packages', async () => {
    const retail = await callerOf(service, shop)
    await remove(blueDune.uuid)
    expect((await retail.get(`package-uids/${delivery(1)}/caseids/`)).body).not.toHaveProperty([
      'case_ids',
      blueDune.uuid,
    ])
    expect(await retail.post('caseids/import/', importOf(blueDune, 'P-1'))).toMatchObject({
      status: 400,
      body: { case_uuid: [textLike(/does not exist/)] },
    })
    await restore(blueDune.uuid)
    expect((await retail.post('caseids/import/', importOf(blueDune, 'P-1'))).status).toBe(200)

    await remove(delivery(1))
    expect((await retail.get(`package-uids/${delivery(1)}/caseids/`)).body).toMatchObject({ case_ids: {} })
    const detail = CaseDetailV15.parse((await caller.get(`collections/case/${blueDune.uuid}/`)).body)
    expect(detail.regulator_ids?.map(({ identifier }) => identifier)).not.toContain(delivery(1))
  })

  it('changes the one that may be changed, if several have the same identifier', async () => {
    const identifier = encodeURIComponent(readable.identifier)
    await remove(identifier)
    expect((await removed()).map(({ uuid }) => uuid)).toEqual([readable.uuid])
    expect((await collection(identifier)).uuid).toBe(older.uuid)
    await restore(identifier)
    expect(await removed()).toEqual([])
    expect((await collection(identifier)).uuid).toBe(readable.uuid)
  })

  describe('is refused', () => {
    it.each([
      ['of type origin', 'ORIGIN-1', 400, { detail: textLike(/^Collection [0-9a-f-]{36} is of type origin/) }],
      ['of another company', wireUuid(atHoboken.uuid), 403, { detail: textLike(/permission/) }],
      ['that is not there', wireUuid(tag(blueDune, 0)), 404, { detail: 'Not found.' }],
      ['with an invalid id', '%00', 404, { detail: 'Not found.' }],
    ])('for a collection %s', async (_, id, status, body) => {
      for (const change of [remove, restore]) expect(await change(id)).toMatchObject({ status, body })
      expect(await removed()).toEqual([])
    })

    it('for an inventory collection, which follows its imports', async () => {
      const own = await callerOf(service, shop, 'v1.5')
      const held = ItemV15.parse((await own.get(`items/${tag(onSale, 0)}/`)).body)
      const inventory = held.collections.find((one) => one.collection_type === 'inventory')?.uuid ?? ''
      for (const change of [remove, restore]) {
        expect(await change(inventory, own)).toMatchObject({
          status: 400,
          body: { detail: textLike(/follows the imports/) },
        })
        expect(await change(inventory)).toMatchObject({ status: 404 })
      }
    })

    it('without a token, and with another method', async () => {
      const url = `${service.baseUrl}/api/v1.5/collections/${blueDune.uuid}`
      expect((await fetch(`${url}/remove/`, { method: 'DELETE' })).status).toBe(401)
      expect((await fetch(`${url}/restore/`, { method: 'PUT' })).status).toBe(401)
      for (const [method, change, allow] of [
        ['POST', 'remove', 'DELETE'],
        ['GET', 'restore', 'PUT'],
      ] as const) {
        const answer = await caller.send(method, `collections/${blueDune.uuid}/${change}/`)
        expect(answer).toMatchObject({ status: 405, body: { detail: `Method "${method}" not allowed.` } })
        expect(answer.headers.get('Allow')).toBe(allow)
      }
    })
  })
})

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { PracticeService } from '../../../src-practice/start'
import { CollectionV15, RemovedTagIds } from '../../../src-shared/service/collections-v15'
import { ItemV15 } from '../../../src-shared/service/items'
import { wireUuid } from '../../../src-shared/service/wire'
import { type ServiceCaller, brand, callerOf, shop, start, stranger, textLike } from './practice'
import { atHoboken, blueDune, data, delivery, onSale, preRolls, short, single, tag } from './sample'

describe('removing and restoring an item of a collection', () => {
  let clock: Date
  let service: PracticeService
  let caller: ServiceCaller
  beforeEach(async () => {
    clock = new Date('2026-11-02T10:00:00Z')
    service = await start({ now: () => clock })
    caller = await callerOf(service, brand, 'v1.5')
  })
  afterEach(() => service.close())

  const path = (id: string, tagId: string) => `collections/${id}/tag-ids/${tagId}`
  const remove = (id: string, tagId: string, as = caller) => as.send('DELETE', `${path(id, tagId)}/remove/`)
  const restore = (id: string, tagId: string, as = caller) => as.send('GET', `${path(id, tagId)}/restore/`)
  const collection = async (id: string) => CollectionV15.parse((await caller.get(`collections/${id}/`)).body)
  const left = async (id: string) => RemovedTagIds.parse((await caller.get(`collections/${id}/removed-tag-ids/`)).body)
  const first = tag(blueDune, 0)

  it('records when it was removed and by which company, and clears both when it is restored', async () => {
    const before = await collection(blueDune.uuid)
    expect(await remove(wireUuid(blueDune.uuid), wireUuid(first))).toMatchObject({ status: 204, body: undefined })
    const during = await collection(blueDune.uuid)
    expect(during.items).toHaveLength(23)
    const company_uuid = data.collections.find(({ uuid }) => uuid === blueDune.uuid)?.company_uuid
    expect(during.removed_items).toEqual([
      { ...before.items[0], removed_on: '2026-11-02T10:00:00.000Z', removed_by_company_uuid: company_uuid },
    ])
    const item = ItemV15.parse((await caller.get(`items/${first}/`)).body)
    expect(item.removed_collections).toMatchObject([{ uuid: blueDune.uuid, removed_on: '2026-11-02T10:00:00.000Z' }])
    expect(item.collections).toHaveLength(2)

    const restored = await restore(wireUuid(blueDune.uuid), wireUuid(first))
    expect(restored).toMatchObject({ status: 200, body: { tag_id: wireUuid(first), removed_on: null } })
    expect(restored.headers.get('Cache-Control')).toBe('no-store')
    expect(await collection(blueDune.uuid)).toEqual(before)
  })

  it('takes the UUID or the identifier of a collection, and either form of a TagID', async () => {
    expect((await remove(encodeURIComponent(delivery(1)), first)).status).toBe(204)
    expect((await left(delivery(1))).map(({ tag_id }) => tag_id)).toEqual([first])
  })

  it('succeeds and changes nothing if already done', async () => {
    await remove(blueDune.uuid, first)
    clock = new Date('2026-11-02T11:00:00Z')
    expect((await remove(blueDune.uuid, first)).status).toBe(204)
    expect((await collection(blueDune.uuid)).removed_items?.[0]?.removed_on).toBe('2026-11-02T10:00:00.000Z')
    await restore(blueDune.uuid, first)
    expect((await restore(blueDune.uuid, first)).status).toBe(200)
    expect((await collection(blueDune.uuid)).items).toHaveLength(24)
  })

  it('lists the removed TagIDs, and their current collections', async () => {
    await remove(blueDune.uuid, first)
    const list = await left(blueDune.uuid)
    expect(list).toHaveLength(1)
    expect(list[0]).toMatchObject({ tag_id: first, product_uuid: blueDune.productUuid, cases_uuids: [] })
    expect(list[0]?.regulator_id_uuids).toHaveLength(2)
    expect(Object.keys(list[0] ?? {}).sort()).toEqual(
      'batch_uuid brand_uuid cases_uuids product_uuid regulator_id_uuids tag_id'.split(' '),
    )
    expect(await left(short.uuid)).toHaveLength(2)
    expect(await left(onSale.uuid)).toEqual([])
    expect((await caller.get('collections/nonsense/removed-tag-ids/')).status).toBe(404)
  })

  it('changes the contents of a package', async () => {
    const retail = await callerOf(service, shop)
    for (const tagId of preRolls.tags) await remove(delivery(1), tagId)
    const lookup = (await retail.get(`package-uids/${delivery(1)}/caseids/`)).body
    expect(lookup).not.toHaveProperty(['case_ids', preRolls.uuid])
    expect(lookup).toHaveProperty(['case_ids', blueDune.uuid])
  })

  it('is not done by a HEAD request', async () => {
    await remove(blueDune.uuid, first)
    const url = `${service.baseUrl}/api/v1.5/${path(blueDune.uuid, first)}/restore/`
    expect((await fetch(url, { method: 'HEAD', headers: caller.authorization })).status).toBe(405)
    expect((await collection(blueDune.uuid)).items).toHaveLength(23)
  })

  describe('is refused', () => {
    it.each([
      ['a collection that is not there', wireUuid(single), first, 404, { detail: 'Not found.' }],
      ['a TagID that is not there', blueDune.uuid, wireUuid(blueDune.uuid), 404, { detail: 'Not found.' }],
      ['an invalid TagID', blueDune.uuid, 'nonsense', 404, { detail: 'Not found.' }],
      ['a collection of another company', atHoboken.uuid, tag(atHoboken, 0), 403, { detail: textLike(/permission/) }],
      [
        'an item that was never in it',
        blueDune.uuid,
        single,
        400,
        { detail: textLike(/has never been in Collection [0-9a-f-]{36}\.$/) },
      ],
    ])('for %s', async (_, id, tagId, status, body) => {
      for (const change of [remove, restore]) expect(await change(id, tagId)).toMatchObject({ status, body })
    })

    it('while the collection is removed', async () => {
      await caller.send('DELETE', `collections/${short.uuid}/remove/`)
      for (const change of [remove, restore]) {
        expect(await change(short.uuid, tag(short, 0))).toMatchObject({
          status: 400,
          body: { detail: textLike(/is removed/) },
        })
      }
    })

    it('for accounts of other companies', async () => {
      for (const client of [shop, stranger]) {
        const other = await callerOf(service, client, 'v1.5')
        expect((await remove(blueDune.uuid, first, other)).status).toBe(403)
        expect((await restore(blueDune.uuid, first, other)).status).toBe(403)
      }
      expect((await collection(blueDune.uuid)).items).toHaveLength(24)
    })

    it('for an inventory collection, which follows its imports', async () => {
      const own = await callerOf(service, shop, 'v1.5')
      const held = ItemV15.parse((await own.get(`items/${tag(onSale, 0)}/`)).body)
      const inventory = held.collections.find((one) => one.collection_type === 'inventory')?.uuid ?? ''
      expect(await remove(inventory, tag(onSale, 0), own)).toMatchObject({
        status: 400,
        body: { detail: textLike(/imports/) },
      })
    })

    it('without a token, and with another method', async () => {
      const url = `${service.baseUrl}/api/v1.5/${path(blueDune.uuid, first)}`
      expect((await fetch(`${url}/remove/`, { method: 'DELETE' })).status).toBe(401)
      expect((await fetch(`${url}/restore/`)).status).toBe(401)
      expect((await caller.get(`${path(blueDune.uuid, first)}/remove/`)).status).toBe(405)
      expect((await caller.send('PUT', `${path(blueDune.uuid, first)}/restore/`)).status).toBe(405)
    })
  })
})

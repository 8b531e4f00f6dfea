import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { PracticeService } from '../../../src-practice/start'
import { Collection } from '../../../src-shared/service/collections'
import { CollectionV15 } from '../../../src-shared/service/collections-v15'
import { Item } from '../../../src-shared/service/items'
import { wireUuid } from '../../../src-shared/service/wire'
import { brand, callerOf, importOf, shop, someList, start, textLike } from './practice'
import { atHoboken, blueDune, delivery, preRolls, short, single, tag } from './sample'

const unknown = ['2222222222222222222222', '2222222222222222222223']

/** Each version with the account that uses it, and the form of its ids. */
const versions = [
  { version: 'v1.2', client: shop, company: 'Green Door Retail LLC', id: (short: string) => short },
  { version: 'v1.5', client: brand, company: 'Hudson Fields Farms LLC', id: wireUuid },
]

describe.each(versions)('add-items of $version', ({ version, client, company, id }) => {
  let service: PracticeService
  beforeEach(async () => {
    service = await start({ now: () => new Date('2026-11-02T10:00:00Z') })
  })
  afterEach(() => service.close())

  const add = async (caseId: string, body: unknown) =>
    (await callerOf(service, client, version)).post(`collections/case/${caseId}/add-items/`, body)
  const collection = async (uuid: string) =>
    Collection.parse((await (await callerOf(service, shop)).get(`collections/${uuid}/`)).body)
  const tagIds = (items: { tag_id: string }[]) => items.map(({ tag_id }) => tag_id)
  const malformed = (ids: string[]) => ({ items: { 'Invalid TagIDs': ids } })

  it('adds TagIDs that exist, at the end, and answers the case with all its items', async () => {
    const { status, body } = await add(id(short.uuid), [id(single)])
    expect(status).toBe(200)
    const answer = (version === 'v1.2' ? Collection : CollectionV15).parse(body)
    expect(body).toMatchObject({ uuid: id(short.uuid), identifier: short.identifier, collection_type: 'case' })
    expect(tagIds(answer.items)).toEqual([...short.tags, single])
    const found = await collection(short.uuid)
    expect(found.tag_ids_count).toBe(19)
    expect(found.items.at(-1)).toMatchObject({
      tag_id: single,
      added_on: '2026-11-02T10:00:00.000Z',
      added_by_company_name: company,
    })
    expect(found.items[0]?.added_by_company_name).toBe('Hudson Fields Farms LLC')
    const item = Item.parse((await (await callerOf(service, shop)).get(`items/${single}/`)).body)
    expect(item.collections.map(({ uuid }) => uuid)).toEqual([short.uuid])
  })

  it('takes either form of an id, the identifier of a case, and a TagID twice', async () => {
    const { status } = await add(encodeURIComponent(short.identifier), [single, wireUuid(single)])
    expect(status).toBe(200)
    expect((await collection(short.uuid)).items).toHaveLength(19)
  })

  it('leaves an item that is a member as it is, and brings one back that was removed', async () => {
    const before = await collection(short.uuid)
    const gone = before.removed_items?.[0]?.tag_id ?? ''
    expect((await add(short.uuid, [tag(short, 0), gone])).status).toBe(200)
    const after = await collection(short.uuid)
    expect(after.items.find(({ tag_id }) => tag_id === tag(short, 0))).toEqual(before.items[0])
    expect(after.items.find(({ tag_id }) => tag_id === gone)).toMatchObject({
      added_on: '2026-11-02T10:00:00.000Z',
      removed_on: null,
      removed_by_company_uuid: null,
      added_by_company_name: company,
    })
    expect(tagIds(after.removed_items ?? [])).not.toContain(gone)
  })

  it('leaves the item in its other cases too', async () => {
    await add(short.uuid, [tag(blueDune, 0)])
    expect((await collection(blueDune.uuid)).items).toHaveLength(24)
    expect((await collection(short.uuid)).items).toHaveLength(19)
  })

  it("is open to companies that do not own the case: only removing and restoring are the owner's", async () => {
    expect((await add(atHoboken.uuid, [single])).status).toBe(200)
  })

  it('leaves an import unchanged: items added later are in no inventory', async () => {
    const retail = await callerOf(service, shop)
    await retail.post('caseids/import/', importOf(short, 'P-1'))
    await add(short.uuid, [single])
    const found = await collection(short.uuid)
    expect(found.items.at(-1)).toMatchObject({ tag_id: single, imported_to_inventory_on: null, pos_package_uid: null })
  })

  describe('is refused, and adds nothing,', () => {
    const good = id(single)
    it.each([
      ['for invalid ids', [good, 'nonsense', 7, null], malformed(['nonsense', '7', 'null'])],
      [
        'for unknown ids',
        [good, ...unknown.map(id)],
        { items: { invalid: [], unknown: unknown.map(id), valid: [good] } },
      ],
      ['for ids of something else', [id(short.uuid)], { items: { invalid: [], unknown: [id(short.uuid)], valid: [] } }],
      ['for an empty list', [], { non_field_errors: ['This list may not be empty.'] }],
      ['for an object', { items: [good] }, { non_field_errors: [textLike(/Expected a list/)] }],
      ['for a text', good, { non_field_errors: [textLike(/Expected a list/)] }],
      ['for null', null, { non_field_errors: [textLike(/Expected a list/)] }],
    ])('%s', async (_, body, refusal) => {
      expect(await add(short.uuid, body)).toMatchObject({ status: 400, body: refusal })
      expect((await collection(short.uuid)).items).toHaveLength(18)
    })

    it.each(['nonsense', '%00', delivery(1), id(single)])('for an unknown case: %j', async (caseId) => {
      expect(await add(caseId, [good])).toMatchObject({ status: 404, body: { detail: 'Not found.' } })
    })

    it('for a case that is removed', async () => {
      await (await callerOf(service, brand, 'v1.5')).send('DELETE', `collections/${short.uuid}/remove/`)
      expect(await add(short.uuid, [good])).toMatchObject({
        status: 400,
        body: { detail: `Collection ${id(short.uuid)} is removed; restore it first.` },
      })
    })

    it('without a token, with another method, and for a body that is not JSON', async () => {
      const path = `collections/case/${preRolls.uuid}/add-items/`
      const caller = await callerOf(service, client, version)
      expect((await fetch(`${service.baseUrl}/api/${version}/${path}`, { method: 'POST' })).status).toBe(401)
      expect(await caller.get(path)).toMatchObject({ status: 405, body: { detail: 'Method "GET" not allowed.' } })
      expect((await caller.send('POST', path, { 'Content-Type': 'text/plain' }, '[]')).status).toBe(415)
      const broken = await caller.send('POST', path, { 'Content-Type': 'application/json' }, '[')
      expect(broken).toMatchObject({ status: 400, body: { detail: textLike(/^JSON parse error/) } })
    })
  })
})

describe('the answer of v1.2', () => {
  it('names the collections of each item', async () => {
    const service = await start()
    try {
      const caller = await callerOf(service, shop)
      const { body } = await caller.post(`collections/case/${short.uuid}/add-items/`, [tag(blueDune, 0)])
      const answer = Collection.parse(body)
      const added = answer.items.at(-1)
      expect(added?.collections?.map(({ collection_type }) => collection_type)).toEqual([
        'case',
        'regulator',
        'case',
        'regulator',
      ])
      expect(Object.keys(added?.collections?.[0] ?? {}).sort()).toEqual(
        `activated_on added_on collection_type company_name company_uuid gtin_code identifier is_public name removed_on
        sub_type tag_ids_count url_version uuid uuid_legacy`.split(/\s+/),
      )
      expect(answer).toMatchObject({ tag_ids_count: 19, packaged_products: someList, data: { members_count: 19 } })
      expect(answer.removed_items?.[0]?.collections?.map(({ uuid }) => uuid)).not.toContain(short.uuid)
    } finally {
      await service.close()
    }
  })
})

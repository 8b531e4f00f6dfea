import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { DataFile } from '../../../src-practice/data-file'
import type { PracticeService } from '../../../src-practice/start'
import { CaseDetail, Collection } from '../../../src-shared/service/collections'
import { CollectionV15 } from '../../../src-shared/service/collections-v15'
import { wireUuid } from '../../../src-shared/service/wire'
import { brand, callerOf, shop, start, textLike } from './practice'
import { blueDune, chocolate, data, delivery, packagedProduct, preRolls, short, tag, twoProducts } from './sample'

const [sample] = data.collections
if (sample === undefined) throw new Error('The practice data has no collections')

/** A case without items. */
const empty = { ...sample, uuid: '2222222222222222222222', identifier: 'EMPTY', members: [], removed_members: [] }
const withEmpty: DataFile = { ...data, collections: [...data.collections, empty] }

const versions = [
  { version: 'v1.2', client: shop, id: (short: string) => short },
  { version: 'v1.5', client: brand, id: wireUuid },
]

describe.each(versions)('add-case of $version', ({ version, client, id }) => {
  let service: PracticeService
  beforeEach(async () => {
    service = await start({ data: withEmpty, now: () => new Date('2026-11-02T10:00:00Z') })
  })
  afterEach(() => service.close())

  const add = async (identifier: string, body: unknown) =>
    (await callerOf(service, client, version)).post(`collections/regulator/${identifier}/add-case/`, body)
  const held = async (identifier: string) =>
    Collection.parse((await (await callerOf(service, shop)).get(`collections/${identifier}/`)).body).items.map(
      ({ tag_id }) => tag_id,
    )
  const cases = async (packageUid: string) =>
    (await (await callerOf(service, shop)).get(`package-uids/${packageUid}/caseids/`)).body

  it('adds the items of a case and answers the regulator collection with all its items', async () => {
    const before = await held(delivery(3))
    const { status, body } = await add(delivery(3), { case_uuid: id(blueDune.uuid) })
    expect(status).toBe(200)
    expect(body).toMatchObject({ identifier: delivery(3), collection_type: 'regulator' })
    const answer = (version === 'v1.2' ? Collection : CollectionV15).parse(body)
    expect(answer.items.map(({ tag_id }) => tag_id)).toEqual([...before, ...blueDune.tags])
    expect(await held(delivery(3))).toHaveLength(before.length + 24)
  })

  it('moves the case to that package if it is the newest, also in look-ups and CaseID details', async () => {
    expect(await cases(delivery(1))).toHaveProperty(['case_ids', blueDune.uuid])
    await add(delivery(3), { case_uuid: id(blueDune.uuid) })
    expect(await cases(delivery(1))).not.toHaveProperty(['case_ids', blueDune.uuid])
    expect(await cases(delivery(3))).toHaveProperty(['case_ids', blueDune.uuid])
    const detail = CaseDetail.parse(
      (await (await callerOf(service, shop)).get(`collections/case/${blueDune.uuid}/`)).body,
    )
    expect(detail.regulator_ids?.at(-1)?.identifier).toBe(delivery(3))
    expect(detail.items[0]?.regulator_id_uuids?.at(-1)).toBe(detail.regulator_ids?.at(-1)?.uuid)
  })

  it('leaves the case in its package when that is newer than the one it is added to', async () => {
    const older = data.collections.find((one) => one.sub_type === 'Packaged product')?.identifier ?? ''
    expect((await add(older, { case_uuid: id(short.uuid) })).status).toBe(200)
    expect(await cases(delivery(3))).toHaveProperty(['case_ids', short.uuid])
    expect(await cases(older)).toMatchObject({ case_ids: {} })
  })

  it('adds one packaged product of a case that has several', async () => {
    const { status } = await add(delivery(3), { case_uuid: id(twoProducts.uuid), packaged_product_uuid: id(chocolate) })
    expect(status).toBe(200)
    const own = new Set(data.tag_ids.filter((one) => one.packaged_product_uuid === chocolate).map(({ uuid }) => uuid))
    const added = (await held(delivery(3))).filter((tagId) => twoProducts.tags.includes(tagId))
    expect(added).toEqual(twoProducts.tags.filter((tagId) => own.has(tagId)))
    expect(await cases(delivery(2))).toHaveProperty(['case_ids', twoProducts.uuid])
    expect(await cases(delivery(3))).toHaveProperty(['case_ids', twoProducts.uuid])
  })

  it('takes the packaged product of a case that has one, either form of ids, and the uuid of the package', async () => {
    const uuid = data.collections.find((one) => one.identifier === delivery(3))?.uuid ?? ''
    const body = { case_uuid: wireUuid(preRolls.uuid), packaged_product_uuid: preRolls.packagedProductUuid, more: 1 }
    expect((await add(wireUuid(uuid), body)).status).toBe(200)
    expect((await add(uuid, { case_uuid: preRolls.uuid, packaged_product_uuid: null })).status).toBe(200)
  })

  it('does not add removed items of the case, and changes nothing if already done', async () => {
    await add(delivery(1), { case_uuid: id(short.uuid) })
    const first = await held(delivery(1))
    expect(first).toHaveLength(56 + 18)
    await add(delivery(1), { case_uuid: id(short.uuid) })
    expect(await held(delivery(1))).toEqual(first)
  })

  describe('is refused, and adds nothing,', () => {
    const other = packagedProduct('HF-BD-35').uuid
    const unknown = '2222222222222222222223'
    it.each([
      ['without a case', {}, { case_uuid: ['This field is required.'] }],
      ['for a null case', { case_uuid: null }, { case_uuid: ['This field may not be null.'] }],
      [
        'for a case that is no id',
        { case_uuid: 'x', packaged_product_uuid: 7 },
        { case_uuid: [textLike(/Not a valid/)], packaged_product_uuid: [textLike(/Not a valid/)] },
      ],
      [
        'for a case that is not there',
        { case_uuid: id(unknown) },
        { case_uuid: [`CaseID ${id(unknown)} does not exist.`] },
      ],
      ['for a TagID', { case_uuid: id(tag(blueDune, 0)) }, { case_uuid: [textLike(/does not exist/)] }],
      [
        'for a case without items',
        { case_uuid: id(empty.uuid) },
        { case_uuid: [`CaseID ${id(empty.uuid)} holds no items.`] },
      ],
      [
        'without a packaged product when there are several',
        { case_uuid: id(twoProducts.uuid) },
        {
          packaged_product_uuid: [
            `This field is required: CaseID ${id(twoProducts.uuid)} has several packaged products.`,
          ],
        },
      ],
      [
        'for a packaged product of another case',
        { case_uuid: id(twoProducts.uuid), packaged_product_uuid: id(other) },
        { packaged_product_uuid: [`Packaged product ${id(other)} is not in CaseID ${id(twoProducts.uuid)}.`] },
      ],
      ['for a list', [id(blueDune.uuid)], { non_field_errors: [textLike(/Expected an object/)] }],
    ])('%s', async (_, body, refusal) => {
      const before = await held(delivery(3))
      expect(await add(delivery(3), body)).toMatchObject({ status: 400, body: refusal })
      expect(await held(delivery(3))).toEqual(before)
    })

    it.each(['nonsense', '%00', blueDune.uuid])('for an unknown package: %j', async (identifier) => {
      const answer = await add(identifier, { case_uuid: id(blueDune.uuid) })
      expect(answer).toMatchObject({ status: 404, body: { detail: 'Not found.' } })
    })

    it('for a case or a package that is removed', async () => {
      const owner = await callerOf(service, brand, 'v1.5')
      await owner.send('DELETE', `collections/${blueDune.uuid}/remove/`)
      const removedCase = { case_uuid: [`CaseID ${id(blueDune.uuid)} is removed.`] }
      expect(await add(delivery(3), { case_uuid: id(blueDune.uuid) })).toMatchObject({ status: 400, body: removedCase })
      await owner.send('DELETE', `collections/${delivery(3)}/remove/`)
      const removedPackage = { detail: textLike(/^Collection .* is removed; restore it first\.$/) }
      expect(await add(delivery(3), { case_uuid: id(short.uuid) })).toMatchObject({ status: 400, body: removedPackage })
    })

    it('without a token, with another method, and for a body that is not JSON', async () => {
      const path = `collections/regulator/${delivery(3)}/add-case/`
      const caller = await callerOf(service, client, version)
      expect((await fetch(`${service.baseUrl}/api/${version}/${path}`, { method: 'POST' })).status).toBe(401)
      expect(await caller.get(path)).toMatchObject({ status: 405, body: { detail: 'Method "GET" not allowed.' } })
      expect((await caller.send('POST', path, { 'Content-Type': 'text/plain' }, '{}')).status).toBe(415)
      const broken = await caller.send('POST', path, { 'Content-Type': 'application/json' }, '{')
      expect(broken).toMatchObject({ status: 400, body: { detail: textLike(/^JSON parse error/) } })
    })
  })
})

import { describe, expect } from 'vitest'
import { z } from 'zod'
import { toUuid } from '../../../src-shared/ids'
import { someList, someText } from '../practice/practice'
import { row } from './row'
import { answer, at, caseId, error, made, absentId, shortId, tagId, value } from './values'
import { batches, brands, coas, companies, laboratory, packaged, products } from './world-catalogue'
import { cases, collections, packageUids, regulators, tagIds } from './world-data'

const long = (id: string) => toUuid(id) ?? ''
const Fields = z.record(z.string(), z.unknown())
const keys = (body: unknown) => Object.keys(Fields.parse(body)).sort()
const plain = `/api/v1.5/collections/${long(cases.plain)}/`

describe('collections of v1.5', () => {
  row('GET /api/v1.5/collections/<uuid>/', 'gives a collection by uuid, and 404 for none', async ({ maker }) => {
    const found = await value(maker.v15.collections.get(cases.plain))
    expect(found.items.map((item) => item.tag_id)).toEqual(tagIds.plain)
    expect(await error(maker.v15.collections.get(absentId))).toMatchObject({ code: 'service/not-found' })
  })

  row('Collection request > identifier', 'works with spaces and slashes in both versions', async ({ maker, shop }) => {
    expect((await value(maker.v15.collections.get(packageUids.empty))).uuid).toBe(regulators.empty)
    expect((await value(shop.v12.collections.get(packageUids.empty))).uuid).toBe(regulators.empty)
  })

  row('GET /api/v1.5/collections/case/<uuid>/', 'gives a CaseID, and 404 for other types', async ({ maker }) => {
    expect((await value(maker.v15.collections.getCase(cases.plain))).items).toHaveLength(6)
    expect(await error(maker.v15.collections.getCase(regulators.sent))).toMatchObject({ code: 'service/not-found' })
  })

  row('POST /api/v1.5/collections/case/<uuid>/add-items/', 'adds TagIDs and shows the collection', async (world) => {
    const free = tagIds.free.map(tagId)
    const after = await made(world.maker.v15.collections.addItems(cases.plain, free))
    expect(after.items.map((item) => item.tag_id)).toEqual([...tagIds.plain, ...free])
    const again = await world.raw('POST', `/api/v1.5/collections/case/${long(cases.plain)}/add-items/`, {
      as: 'maker',
      body: [long(at(free))],
    })
    expect(again.status).toBe(200)
    const shown = ['added_on', 'collection_type', 'identifier', 'is_public', 'items', 'name', 'uuid']
    expect(keys(again.body)).toEqual(expect.arrayContaining(shown))
  })

  row(
    'POST /api/v1.5/collections/regulator/<identifier>/add-case/',
    'adds the TagIDs of a case, in the shape of add-items',
    async ({ maker }) => {
      const body = { case_uuid: caseId(cases.own) }
      const after = await made(maker.v15.collections.addCase(packageUids.empty, body))
      expect(after).toMatchObject({ uuid: regulators.empty, collection_type: 'regulator' })
      expect(new Set(after.items.map((item) => item.tag_id))).toEqual(new Set(tagIds.own))
    },
  )

  row('Collection > v1.5 detail', 'has eleven fields', async (world) => {
    const { body } = await world.raw('GET', plain, { as: 'maker' })
    expect(body).toMatchObject({
      uuid: long(cases.plain),
      identifier: 'CASE plain',
      name: 'Name of CASE plain',
      collection_type: 'case',
      added_on: someText,
      is_public: true,
      is_removed: false,
      removed_on: null,
      sub_type: '',
      items: someList,
      removed_items: someList,
    })
    expect(keys(body)).toHaveLength(11)
  })

  row('Collection > types', 'all that were seen can be read', async ({ maker }) => {
    const all = [collections.order, cases.plain, regulators.sent, collections.origin, collections.group]
    const types = await Promise.all(all.map(async (id) => (await value(maker.v15.collections.get(id))).collection_type))
    expect(types).toEqual(['order', 'case', 'regulator', 'origin', 'collection'])
  })

  row('Collection > v1.5 item', 'has four fields; a removed one says when and by whom', async (world) => {
    const { body } = await world.raw('GET', plain, { as: 'maker' })
    const { items, removed_items } = z.object({ items: z.array(Fields), removed_items: z.array(Fields) }).parse(body)
    expect(at(items)).toEqual({
      tag_id: long(at(tagIds.plain)),
      added_on: someText,
      removed_on: null,
      removed_by_company_uuid: null,
    })
    expect(removed_items).toMatchObject([
      { tag_id: long(at(tagIds.left)), removed_on: someText, removed_by_company_uuid: long(companies.maker) },
    ])
  })

  row('Collection > v1.5 CaseID', 'holds everything its items refer to', async ({ maker }) => {
    const uuids = (list: { uuid: string }[] | null | undefined) => new Set(list?.map(({ uuid }) => uuid))
    const found = await value(maker.v15.collections.getCase(cases.mixed))
    expect(uuids(found.brands)).toEqual(new Set([brands.nj]))
    expect(uuids(found.products)).toEqual(new Set([products.flower, products.gummies]))
    expect(uuids(found.batches)).toEqual(new Set([batches.flower, batches.gummies]))
    expect(uuids(found.digital_coas)).toEqual(new Set([coas.batch, coas.package]))
    expect(uuids(found.testing_laboratories)).toEqual(new Set([laboratory]))
    expect(uuids(found.cases)).toEqual(new Set([cases.mixed]))
  })

  row('Collection > chronological', 'cases and regulator_ids come oldest first', async ({ maker, shop }) => {
    const v15 = await value(maker.v15.collections.getCase(cases.plain))
    expect(v15.regulator_ids?.map(({ identifier }) => identifier)).toEqual([packageUids.old, packageUids.sent])
    const v12 = await value(shop.v12.cases.get(cases.plain))
    expect(v12.regulator_ids?.map(({ identifier }) => identifier)).toEqual([packageUids.old, packageUids.sent])
  })

  row('Collection > v1.5 CaseID item', 'names what it is and what holds it', async (world) => {
    const { body } = await world.raw('GET', `/api/v1.5/collections/case/${long(cases.plain)}/`, { as: 'maker' })
    expect(at(z.object({ items: z.array(Fields) }).parse(body).items)).toEqual({
      tag_id: long(at(tagIds.plain)),
      brand_uuid: long(brands.nj),
      product_uuid: long(products.flower),
      batch_uuid: long(batches.flower),
      regulator_id_uuids: [long(regulators.old), long(regulators.sent)],
      cases_uuids: [long(cases.plain)],
    })
  })

  row('Collection request > add-items', 'takes TagIDs that exist only, and adds none else', async ({ maker, shop }) => {
    const some = [tagId(at(tagIds.free)), tagId(absentId)]
    expect((await maker.v15.collections.addItems(cases.plain, some)).ok).toBe(false)
    expect((await answer(shop.v12.cases.addItems(cases.plain, some))).status).toBe(400)
    expect((await value(maker.v15.collections.get(cases.plain))).items).toHaveLength(6)
  })

  row('Collection request > add-case', 'needs a case_uuid that exists', async (world) => {
    const path = `/api/v1.5/collections/regulator/${encodeURIComponent(packageUids.empty)}/add-case/`
    const add = (body: object) => world.raw('POST', path, { as: 'maker', body })
    expect(await add({})).toMatchObject({ status: 400, body: { case_uuid: someList } })
    expect((await add({ case_uuid: long(absentId) })).status).toBeGreaterThanOrEqual(400)
    expect((await world.maker.v15.collections.addCase('NO-SUCH', { case_uuid: caseId(cases.own) })).ok).toBe(false)
  })

  row('Collection request > packaged product', 'is needed for several, and must be in the case', async ({ maker }) => {
    const add = (packagedId?: string) =>
      maker.v15.collections.addCase(packageUids.empty, {
        case_uuid: caseId(cases.mixed),
        ...(packagedId === undefined ? {} : { packaged_product_uuid: shortId(packagedId) }),
      })
    expect((await add()).ok).toBe(false)
    expect((await add(packaged.rival)).ok).toBe(false)
    const after = await made(add(packaged.gummies))
    expect(new Set(after.items.map((item) => item.tag_id))).toEqual(new Set(tagIds.mixedGummies))
  })
})

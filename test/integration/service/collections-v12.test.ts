import { describe, expect } from 'vitest'
import { z } from 'zod'
import { someList, someText } from '../practice/practice'
import { row } from './row'
import { answer, at, caseId, error, absentId, tagId, value } from './values'
import { batches, brands, companies, packaged, products } from './world-catalogue'
import { cases, packageUids, regulators, tagIds } from './world-data'

const Fields = z.record(z.string(), z.unknown())

describe('collections of v1.2', () => {
  row('GET /api/v1.2/collections/<identifier>/', 'gives a collection, and 404 for none', async ({ shop }) => {
    expect((await value(shop.v12.collections.get(packageUids.sent))).uuid).toBe(regulators.sent)
    expect(await error(shop.v12.collections.get('NO-SUCH'))).toMatchObject({ code: 'service/not-found' })
  })

  row('GET /api/v1.2/collections/case/<uuid>/', 'gives a CaseID, and 404 for none', async ({ shop }) => {
    expect((await value(shop.v12.cases.get(cases.plain))).items).toHaveLength(6)
    expect(await error(shop.v12.cases.get(absentId))).toMatchObject({ code: 'service/not-found' })
  })

  row(
    'POST /api/v1.2/collections/case/<uuid>/add-items/',
    'adds TagIDs and shows the collection',
    async ({ maker }) => {
      const { status, json } = await answer(maker.v12.cases.addItems(cases.plain, tagIds.free.map(tagId)))
      expect({ status, json }).toMatchObject({ status: 200, json: { uuid: cases.plain, tag_ids_count: 9 } })
    },
  )

  row(
    'POST /api/v1.2/collections/regulator/<identifier>/add-case/',
    'adds the TagIDs of a case and shows the collection',
    async ({ maker }) => {
      const body = { case_uuid: caseId(cases.own) }
      const { status, json } = await answer(maker.v12.collections.addCase(packageUids.empty, body))
      expect({ status, json }).toMatchObject({ status: 200, json: { uuid: regulators.empty, tag_ids_count: 4 } })
    },
  )

  row('Collection > v1.2 fields', 'are all there', async (world) => {
    const { body } = await world.raw('GET', `/api/v1.2/collections/${cases.plain}/`, { as: 'shop' })
    expect(body).toMatchObject({
      uuid_legacy: null,
      company_uuid: companies.maker,
      company_name: 'maker LLC',
      activated_on: someText,
      last_audited_on: null,
      imported_to_inventory_on: null,
      url_version: '',
      gtin_code: '00036000291452',
      data: {},
      required_product_uuid: '',
      required_items_per_caseid: 6,
      template: '',
      sub_type: '',
      transfer_regulator_uid: '',
      tag_ids_count: 6,
      synced_collections: [],
      collection_url: 'https://tag.example/case/CASE%20plain',
      packaged_products: [{ uuid: packaged.flower }],
      digital_coa_uuids: someList,
      inventory_collections: [],
      regulator_licenses: [],
    })
  })

  row('Collection > v1.2 data', 'lists what the members are of', async ({ shop }) => {
    const lists = { batch_uuids: [batches.flower], brand_uuids: [brands.nj], product_uuids: [products.flower] }
    expect((await value(shop.v12.collections.get(cases.plain))).data).toEqual({
      ...lists,
      packaged_product_uuids: [packaged.flower],
      members_count: 6,
    })
  })

  row('Collection > v1.2 entries', 'say sub_type and tag_ids_count', async ({ shop }) => {
    const found = await value(shop.v12.cases.get(cases.plain))
    expect(found.regulator_ids?.map(({ sub_type }) => sub_type)).toEqual(['Batch', 'Transfer'])
    expect(found.regulator_ids?.map(({ tag_ids_count }) => tag_ids_count)).toEqual([6, 12])
    expect(found.cases).toMatchObject([{ sub_type: '', tag_ids_count: 6 }])
  })

  row('Collection > v1.2 item', 'says where it is in its life', async (world) => {
    const { body } = await world.raw('GET', `/api/v1.2/collections/${cases.own}/`, { as: 'shop' })
    expect(at(z.object({ items: z.array(Fields) }).parse(body).items)).toMatchObject({
      tag_id: at(tagIds.own),
      tag_id_legacy: null,
      product_uuid: products.flower,
      batch_uuid: batches.flower,
      packaged_product_uuid: packaged.flower,
      brand_uuid: brands.nj,
      pos_package_uid: packageUids.own,
      sell_in_age: null,
      sell_out_age: null,
      sold_at_dispensary_on: null,
      imported_to_inventory_on: '2026-09-10T12:00:00Z',
      paired_on: someText,
      last_audited_on: null,
      regulator_licenses: [],
      added_by: someText,
      removed_by: someText,
      added_by_company_name: someText,
      claimed_on: null,
      tagid_url: `https://tag.example/${at(tagIds.own)}`,
    })
  })

  row('Collection > v1.2 CaseID item', 'names regulator, cases and inventory collections', async ({ shop }) => {
    const item = at((await value(shop.v12.cases.get(cases.own))).items)
    expect(item).toMatchObject({ regulator_id_uuids: [regulators.sent], cases_uuids: [cases.own] })
    expect(item.inventory_collection_uuids).toHaveLength(1)
    expect(item).not.toHaveProperty('pos_package_uid')
  })

  row('Collection > v1.2 holders', 'are on the items of add-items and add-case', async ({ maker }) => {
    const Items = z.object({ items: z.array(z.object({ collections: z.array(Fields) })) })
    const added = await answer(maker.v12.cases.addItems(cases.plain, [tagId(at(tagIds.free))]))
    const holders = Items.parse(added.json).items.at(-1)?.collections
    expect(at(holders)).toMatchObject({ uuid: cases.plain, company_uuid: companies.maker, company_name: 'maker LLC' })
    expect(Object.keys(at(holders))).toHaveLength(15)
    const more = await answer(maker.v12.collections.addCase(packageUids.empty, { case_uuid: caseId(cases.own) }))
    expect(at(Items.parse(more.json).items).collections.length).toBeGreaterThanOrEqual(2)
  })
})

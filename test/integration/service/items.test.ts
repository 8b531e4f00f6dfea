import { describe, expect } from 'vitest'
import { z } from 'zod'
import { toUuid } from '../../../src-shared/ids'
import { someText } from '../practice/practice'
import { row } from './row'
import { at, error, absentId, value } from './values'
import { batches, brands, coas, companies, moment, products } from './world-catalogue'
import { cases, dispensaries, tagIds } from './world-data'

const long = (id: string) => toUuid(id) ?? ''
const first = at(tagIds.plain)
const Fields = z.record(z.string(), z.unknown())
const lists = (body: unknown) =>
  z.object({ collections: z.array(Fields), removed_collections: z.array(Fields) }).parse(body)

describe('TagIDs', () => {
  row('GET /api/v1.5/items/<uuid>/', 'gives a TagID with its collections, and 404 for none', async ({ maker }) => {
    expect((await value(maker.v15.items.get(first))).collections).toHaveLength(6)
    expect(await error(maker.v15.items.get(absentId))).toMatchObject({ code: 'service/not-found' })
  })

  row('GET /api/v1.2/items/<uuid>/', 'gives a TagID with its collections, and 404 for none', async ({ shop }) => {
    expect((await value(shop.v12.items.get(first))).collections).toHaveLength(6)
    expect(await error(shop.v12.items.get(absentId))).toMatchObject({ code: 'service/not-found' })
  })

  row('GET /api/v1.5/tag-ids/<uuid>/removed-collections/', 'gives what held it', async ({ maker }) => {
    const found = await value(maker.v15.items.removedCollections(at(tagIds.gone)))
    expect(found.removed_collections.map(({ uuid }) => uuid)).toEqual([cases.gone])
  })

  row('TagID request > exists', 'removed-collections of an unknown TagID is 404', async ({ maker }) => {
    expect(await error(maker.v15.items.removedCollections(absentId))).toMatchObject({ code: 'service/not-found' })
  })

  row('TagID > v1.5', 'has eight fields, and seven of each collection', async (world) => {
    const { body } = await world.raw('GET', `/api/v1.5/items/${long(at(tagIds.left))}/`, { as: 'maker' })
    expect(body).toMatchObject({
      created: moment,
      uuid: long(at(tagIds.left)),
      brand_uuid: long(brands.nj),
      product_uuid: long(products.flower),
      batch_uuid: long(batches.flower),
      collections: [],
    })
    const coaUuids = z.object({ digital_coa_uuids: z.array(z.string()) }).parse(body).digital_coa_uuids
    expect(new Set(coaUuids)).toEqual(new Set([long(coas.batch), long(coas.package)]))
    const fields = ['added_on', 'collection_type', 'identifier', 'is_public', 'name', 'removed_on', 'uuid']
    expect(Object.keys(at(lists(body).removed_collections)).sort()).toEqual(fields)
  })

  row('TagID > v1.2', 'has its URL, and thirteen fields of each collection', async (world) => {
    const { body } = await world.raw('GET', `/api/v1.2/items/${first}/`, { as: 'shop' })
    expect(body).toMatchObject({
      created: moment,
      tagid_url: `https://tag.example/${first}`,
      uuid: first,
      brand_uuid: brands.nj,
      product_uuid: products.flower,
      batch_uuid: batches.flower,
      removed_collections: [],
    })
    const inCase = at(lists(body).collections.filter((one) => one['collection_type'] === 'case'))
    expect(inCase).toEqual({
      uuid: cases.plain,
      uuid_legacy: null,
      identifier: 'CASE plain',
      collection_type: 'case',
      added_on: someText,
      name: 'Name of CASE plain',
      is_public: true,
      removed_on: null,
      activated_on: moment,
      sub_type: '',
      tag_ids_count: 6,
      company_name: 'maker LLC',
      collection_url: 'https://tag.example/case/CASE%20plain',
    })
  })

  row('TagID > removed collections', 'has thirteen fields more or less filled', async (world) => {
    const path = (tag: string) => `/api/v1.5/tag-ids/${long(tag)}/removed-collections/`
    const { body } = await world.raw('GET', path(at(tagIds.gone)), { as: 'maker' })
    expect(body).toMatchObject({
      uuid: long(at(tagIds.gone)),
      created: moment,
      brand_uuid: long(brands.nj),
      product_uuid: long(products.flower),
      batch_uuid: long(batches.flower),
      claimed_by_user_uuid: null,
      claimed_on: null,
      counterfeit_on: null,
      dispensary_uuid: null,
      is_claimed: false,
      is_counterfeit: false,
      is_paired: true,
      paired_on: moment,
      removed_collections: [
        {
          added_on: someText,
          collection_type: 'case',
          company_uuid: long(companies.maker),
          identifier: 'CASE gone',
          is_public: true,
          name: 'Name of CASE gone',
          removed_on: someText,
          uuid: long(cases.gone),
        },
      ],
    })
    const imported = await world.raw('GET', path(at(tagIds.own)), { as: 'shop' })
    expect(imported.body).toMatchObject({ dispensary_uuid: long(dispensaries.own) })
    const blank = await world.raw('GET', path(at(tagIds.blank)), { as: 'maker' })
    expect(blank.body).toMatchObject({ is_paired: false, paired_on: null, product_uuid: null })
  })
})

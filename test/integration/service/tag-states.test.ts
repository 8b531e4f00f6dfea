import { describe, expect } from 'vitest'
import { z } from 'zod'
import { toUuid } from '../../../src-shared/ids'
import { row } from './row'
import { at, error, absentId, value } from './values'
import { brands, companies } from './world-catalogue'
import { cases, tagIds } from './world-data'

const long = (id: string) => toUuid(id) ?? ''
const item = (verb: 'remove' | 'restore', tag: string, of = cases.plain) =>
  `/api/v1.5/collections/${long(of)}/tag-ids/${long(tag)}/${verb}/`
const first = at(tagIds.plain)

describe('removing and restoring TagIDs', () => {
  row(
    'DELETE /api/v1.5/collections/<collection_uuid>/tag-ids/<tagid_uuid>/remove/',
    'answers 204 without a body',
    async (world) => {
      expect(await world.raw('DELETE', item('remove', first), { as: 'maker' })).toMatchObject({
        status: 204,
        body: undefined,
      })
    },
  )

  row('State > item remove', 'notes when, and by which company', async ({ maker }) => {
    await value(maker.v15.collections.removeTagId(cases.plain, first))
    const { items, removed_items } = await value(maker.v15.collections.get(cases.plain))
    expect(items.map((one) => one.tag_id)).not.toContain(first)
    const gone = at(removed_items?.filter((one) => one.tag_id === first))
    expect(gone.removed_by_company_uuid).toBe(companies.maker)
    expect(Date.parse(gone.removed_on ?? '')).toBeGreaterThan(0)
  })

  row('State > item remove condition', 'needs collection, TagID and ownership', async (world) => {
    expect((await world.raw('DELETE', item('remove', absentId), { as: 'maker' })).status).toBe(404)
    expect((await world.raw('DELETE', item('remove', first, absentId), { as: 'maker' })).status).toBe(404)
    expect([403, 404]).toContain((await world.raw('DELETE', item('remove', first), { as: 'rival' })).status)
    expect((await value(world.maker.v15.collections.get(cases.plain))).items).toHaveLength(6)
  })

  row(
    'GET /api/v1.5/collections/<collection_uuid>/tag-ids/<tagid_uuid>/restore/',
    'answers 200, and the TagID is a member',
    async (world) => {
      expect((await world.raw('GET', item('restore', at(tagIds.left)), { as: 'maker' })).status).toBe(200)
      expect((await value(world.maker.v15.collections.get(cases.plain))).items).toHaveLength(7)
    },
  )

  row('State > item restore', 'makes a removed TagID a member again', async ({ maker }) => {
    await value(maker.v15.collections.removeTagId(cases.plain, first))
    await value(maker.v15.collections.restoreTagId(cases.plain, first))
    const { items, removed_items } = await value(maker.v15.collections.get(cases.plain))
    expect(items.filter((one) => one.tag_id === first)).toMatchObject([{ removed_on: null }])
    expect(removed_items?.map((one) => one.tag_id)).toEqual(tagIds.left)
  })

  row('State > item restore condition', 'refuses a TagID that was never a member', async (world) => {
    const refused = await world.raw('GET', item('restore', at(tagIds.free)), { as: 'maker' })
    expect([400, 404]).toContain(refused.status)
    expect((await world.raw('GET', item('restore', absentId), { as: 'maker' })).status).toBe(404)
    expect((await value(world.maker.v15.collections.get(cases.plain))).items).toHaveLength(6)
  })

  row('GET /api/v1.5/collections/<uuid>/removed-tag-ids/', 'lists removed TagIDs as CaseID items', async (world) => {
    const { body } = await world.raw('GET', `/api/v1.5/collections/${long(cases.plain)}/removed-tag-ids/`, {
      as: 'maker',
    })
    const [entry] = z.array(z.record(z.string(), z.unknown())).parse(body)
    expect(entry).toMatchObject({ tag_id: long(at(tagIds.left)), brand_uuid: long(brands.nj), cases_uuids: [] })
    expect(Object.keys(entry ?? {}).sort()).toEqual(
      ['batch_uuid', 'brand_uuid', 'cases_uuids', 'product_uuid', 'regulator_id_uuids', 'tag_id'].sort(),
    )
    expect(await error(world.maker.v15.collections.listRemovedTagIds(absentId))).toMatchObject({
      code: 'service/not-found',
    })
  })
})

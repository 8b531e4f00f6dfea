import { describe, expect } from 'vitest'
import { toUuid } from '../../../src-shared/ids'
import { row } from './row'
import { at, value } from './values'
import type { World } from './world'
import { companies } from './world-catalogue'
import { cases, collections, tagIds } from './world-data'

const long = (id: string) => toUuid(id) ?? ''
const removal = (id: string) => `/api/v1.5/collections/${long(id)}/remove/`
const restoral = (id: string) => `/api/v1.5/collections/${long(id)}/restore/`
const typesOf = async ({ maker }: World, tag: string) =>
  (await value(maker.v15.items.get(tag))).collections.map((one) => one.collection_type)
const first = at(tagIds.plain)

describe('removing and restoring collections', () => {
  row('DELETE /api/v1.5/collections/<uuid>/remove/', 'answers 204 without a body', async (world) => {
    expect(await world.raw('DELETE', removal(cases.plain), { as: 'maker' })).toMatchObject({
      status: 204,
      body: undefined,
    })
  })

  row('State > remove', 'sets is_removed and removed_on', async ({ maker }) => {
    await value(maker.v15.collections.remove(cases.plain))
    const removed = at(
      await value(maker.v15.collections.listRemovedOfType('case')).then((list) =>
        list.filter((one) => one.uuid === cases.plain),
      ),
    )
    expect(removed.is_removed).toBe(true)
    expect(Date.parse(removed.removed_on ?? '')).toBeGreaterThan(0)
  })

  row('State > remove effect', 'takes the collection off all its TagIDs', async (world) => {
    await value(world.maker.v15.collections.remove(cases.plain))
    for (const tag of tagIds.plain) {
      expect(await typesOf(world, tag)).not.toContain('case')
      const removed = (await value(world.maker.v15.items.get(tag))).removed_collections
      expect(removed?.map(({ uuid }) => uuid)).toContain(cases.plain)
    }
  })

  row('State > remove owner', 'is for the owning company', async (world) => {
    const refused = await world.raw('DELETE', removal(cases.plain), { as: 'rival' })
    expect([403, 404]).toContain(refused.status)
    expect(await typesOf(world, first)).toContain('case')
  })

  row('State > remove origin', 'is refused', async (world) => {
    expect((await world.raw('DELETE', removal(collections.origin), { as: 'maker' })).status).toBe(400)
    expect(await typesOf(world, first)).toContain('origin')
  })

  row('PUT /api/v1.5/collections/<identifier>/restore/', 'takes uuid or identifier and answers 200', async (world) => {
    expect((await world.raw('PUT', restoral(cases.gone), { as: 'maker' })).status).toBe(200)
    await value(world.maker.v15.collections.remove(cases.gone))
    await value(world.maker.v15.collections.restore('CASE gone'))
    expect((await value(world.maker.v15.collections.get(cases.gone))).is_removed).toBe(false)
  })

  row('State > restore', 'makes it active again', async ({ maker }) => {
    await value(maker.v15.collections.restore(cases.gone))
    expect(await value(maker.v15.collections.get(cases.gone))).toMatchObject({ is_removed: false, removed_on: null })
    expect((await value(maker.v15.collections.listRemoved())).map(({ uuid }) => uuid)).not.toContain(cases.gone)
  })

  row('State > restore effect', 'puts it back on the TagIDs that it held, and on no other', async (world) => {
    const { collections: api } = world.maker.v15
    await value(api.removeTagId(cases.plain, first))
    await value(api.remove(cases.plain))
    await value(api.restore(cases.plain))
    expect(await typesOf(world, first)).not.toContain('case')
    for (const tag of tagIds.plain.slice(1)) expect(await typesOf(world, tag)).toContain('case')
  })

  row('State > restore owner', 'is for the owning company, and not for origin', async (world) => {
    expect([403, 404]).toContain((await world.raw('PUT', restoral(cases.gone), { as: 'rival' })).status)
    expect((await world.raw('PUT', restoral(collections.origin), { as: 'maker' })).status).toBe(400)
  })

  row('GET /api/v1.5/removed-collections/', 'lists those of the caller’s company', async ({ maker, rival }) => {
    expect((await value(maker.v15.collections.listRemoved())).map(({ uuid }) => uuid)).toEqual([cases.gone])
    expect(await value(rival.v15.collections.listRemoved())).toEqual([])
  })

  row('GET /api/v1.5/removed-collections/<collection_type>/', 'lists those of one type', async ({ maker }) => {
    await value(maker.v15.collections.remove(collections.group))
    expect(await value(maker.v15.collections.listRemovedOfType('collection'))).toHaveLength(1)
    expect(await value(maker.v15.collections.listRemovedOfType('order'))).toEqual([])
  })

  row('Collection request > removed by type', 'filters what the whole list has', async ({ maker }) => {
    await value(maker.v15.collections.remove(collections.group))
    const whole = await value(maker.v15.collections.listRemoved())
    const ofCases = await value(maker.v15.collections.listRemovedOfType('case'))
    expect(ofCases).toEqual(whole.filter((one) => one.collection_type === 'case'))
  })

  row('Collection > removed list item', 'has ten fields', async (world) => {
    const { body } = await world.raw('GET', '/api/v1.5/removed-collections/', { as: 'maker' })
    expect(body).toEqual([
      {
        added_on: '2026-09-02T12:00:00Z',
        collection_type: 'case',
        company_uuid: long(companies.maker),
        identifier: 'CASE gone',
        is_public: true,
        is_removed: true,
        tag_ids_count: 2,
        name: 'Name of CASE gone',
        removed_on: '2026-09-06T12:00:00Z',
        uuid: long(cases.gone),
      },
    ])
  })
})

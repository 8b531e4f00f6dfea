import { describe, expect } from 'vitest'
import { someText } from '../practice/practice'
import { toUuid } from '../../../src-shared/ids'
import { row } from './row'
import { at, error, flower, shortId, value } from './values'
import { type World, openClient } from './world'
import { brands, products } from './world-catalogue'
import { cases, collections, tagIds } from './world-data'

const long = (id: string) => toUuid(id) ?? ''
const right = { grant_type: 'client_credentials', client_id: 'shop', client_secret: 'shop-secret' }
const token = async ({ service }: World, form: Record<string, string>) => {
  const response = await fetch(`${service.authUrl}/o/token/`, { method: 'POST', body: new URLSearchParams(form) })
  const body: unknown = await response.json()
  return { status: response.status, body }
}
const brandList = '/api/v1.5/brands/'

describe('authentication', () => {
  row('POST {auth_url}/o/token/', 'gives a token that opens the API', async (world) => {
    expect((await token(world, right)).status).toBe(200)
    expect((await world.shop.v12.products.get(products.flower)).ok).toBe(true)
  })

  row('Authentication > grant', 'is client_credentials, and no other', async (world) => {
    for (const grant_type of ['password', 'authorization_code', 'refresh_token', 'implicit']) {
      expect((await token(world, { ...right, grant_type })).status, grant_type).toBe(400)
    }
  })

  row('Authentication > request', 'has three fields, each of them needed', async (world) => {
    for (const field of ['grant_type', 'client_id', 'client_secret']) {
      const form = Object.fromEntries(Object.entries(right).filter(([name]) => name !== field))
      expect((await token(world, form)).status, field).toBe(400)
    }
  })

  row('Authentication > response', 'says token, type, life and scope', async (world) => {
    expect((await token(world, right)).body).toEqual({
      access_token: someText,
      token_type: 'Bearer',
      expires_in: 36_000,
      scope: 'read write',
    })
  })

  row('Authentication > header', 'is needed on every request', async (world) => {
    for (const path of [brandList, `/api/v1.2/items/${at(tagIds.own)}/`]) {
      for (const authorization of ['', 'Bearer', 'Bearer nonsense', 'Basic c2hvcDpzaG9wLXNlY3JldA==']) {
        expect((await world.raw('GET', path, { headers: { authorization } })).status, authorization).toBe(401)
      }
    }
  })

  row('Authentication > expiry', 'is met by a new token and the same request again', async ({ service, shop }) => {
    expect((await shop.v12.products.get(products.flower)).ok).toBe(true)
    service.admin.expireTokens()
    expect((await shop.v12.products.get(products.flower)).ok).toBe(true)
    const asked = service.admin.requests().map(({ path, status }) => `${path} ${status ?? ''}`)
    const product = `/api/v1.2/products/${products.flower}/`
    expect(asked.slice(-3)).toEqual([`${product} 401`, '/auth/o/token/ 200', `${product} 200`])
  })

  row('Authentication > cache', 'ten requests need one token', async ({ service, shop }) => {
    for (let n = 0; n < 10; n++) await shop.v12.items.get(at(tagIds.own))
    const tokens = service.admin.requests().filter(({ path }) => path.endsWith('/o/token/'))
    expect(tokens).toHaveLength(1)
  })

  row('Authentication > ownership', 'keeps catalogues apart', async (world) => {
    for (const [path, method] of [
      [`/api/v1.5/products/${long(products.rival)}/update/`, 'PATCH'],
      [`/api/v1.5/products/${long(products.rival)}/publish/`, 'POST'],
    ] as const) {
      const refused = await world.raw(method, path, {
        as: 'maker',
        ...(method === 'PATCH' ? { body: { sku: 'X' } } : {}),
      })
      expect([403, 404], path).toContain(refused.status)
    }
    expect((await world.maker.v15.batches.create({ name: 'N', brand_uuid: shortId(brands.rival) })).ok).toBe(false)
    expect((await world.shop.v15.products.create(flower)).ok).toBe(false)
  })

  row(
    'Authentication > owner',
    'removes and restores a collection, and no other company',
    async ({ maker, rival, shop }) => {
      for (const other of [rival, shop]) {
        expect((await other.v15.collections.remove(cases.plain)).ok).toBe(false)
        expect((await other.v15.collections.restore(cases.gone)).ok).toBe(false)
      }
      await value(maker.v15.collections.remove(cases.plain))
      await value(maker.v15.collections.restore(cases.gone))
    },
  )

  row('Authentication > environments', 'credentials of one are no use in another', async ({ service }) => {
    const { client, http } = openClient(service, 'shop', 'secret of production')
    expect(await error(client.v12.products.get(products.flower))).toEqual({ code: 'service/credentials-refused' })
    await http.close()
  })
})

describe('limits and versions', () => {
  row('Limit > token lifetime', 'is what expires_in says: then 401', async (world) => {
    const { body } = await token(world, right)
    expect(body).toMatchObject({ expires_in: 36_000 })
    await world.raw('GET', brandList, { as: 'maker' })
    world.service.admin.expireTokens()
    expect((await world.raw('GET', brandList, { as: 'maker' })).status).toBe(401)
  })

  row('Limit > required_items_per_caseid', 'is on the CaseID', async ({ shop }) => {
    expect((await value(shop.v12.cases.get(cases.plain))).required_items_per_caseid).toBe(6)
    expect((await value(shop.v12.collections.get(collections.group))).required_items_per_caseid).toBeNull()
  })

  row('Versioning > path', 'the same thing looks as its path says', async (world) => {
    const v12 = await world.raw('GET', `/api/v1.2/collections/${cases.plain}/`, { as: 'maker' })
    const v15 = await world.raw('GET', `/api/v1.5/collections/${long(cases.plain)}/`, { as: 'maker' })
    expect(v12.body).toMatchObject({ uuid: cases.plain, tag_ids_count: 6 })
    expect(v15.body).toMatchObject({ uuid: long(cases.plain) })
    expect(v15.body).not.toHaveProperty('tag_ids_count')
  })

  row('Versioning > both', 'one token opens both, each with its own resources', async (world) => {
    expect((await world.raw('GET', brandList, { as: 'shop' })).status).toBe(200)
    expect((await world.raw('GET', '/api/v1.2/brands/', { as: 'shop' })).status).toBe(404)
    expect((await world.raw('POST', '/api/v1.5/caseids/import/', { as: 'shop', body: {} })).status).toBe(404)
    expect((await world.raw('POST', '/api/v1.2/caseids/import/', { as: 'shop', body: {} })).status).toBe(400)
  })

  row('Versioning > uuid_legacy', 'is there and null', async ({ shop }) => {
    expect((await value(shop.v12.collections.get(cases.plain))).uuid_legacy).toBeNull()
    expect(at((await value(shop.v12.items.get(at(tagIds.own)))).collections).uuid_legacy).toBeNull()
  })
})

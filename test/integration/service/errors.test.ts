import { describe, expect } from 'vitest'
import { toUuid } from '../../../src-shared/ids'
import { someList } from '../practice/practice'
import { row } from './row'
import { error, flower, absentId } from './values'
import type { Account } from './world'
import { products } from './world-catalogue'
import { cases, collections } from './world-data'

const long = (id: string) => toUuid(id) ?? ''

describe('errors', () => {
  row('Error > token', 'another grant type is 400, and says so', async ({ service }) => {
    const form = { grant_type: 'password', client_id: 'shop', client_secret: 'shop-secret' }
    const response = await fetch(`${service.authUrl}/o/token/`, { method: 'POST', body: new URLSearchParams(form) })
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({ error: 'unsupported_grant_type' })
  })

  row('Error > 401', 'answers every method of every version with an expired token', async (world) => {
    const asked: [string, string, Account][] = [
      ['GET', '/api/v1.5/brands/', 'maker'],
      ['PATCH', `/api/v1.5/products/${long(absentId)}/update/`, 'maker'],
      ['DELETE', `/api/v1.5/collections/${long(cases.plain)}/remove/`, 'maker'],
      ['PUT', `/api/v1.5/collections/${long(cases.plain)}/restore/`, 'maker'],
      ['POST', '/api/v1.2/transactions/complete/', 'shop'],
    ]
    for (const as of ['maker', 'shop'] as const) await world.raw('GET', '/api/v1.5/brands/', { as })
    world.service.admin.expireTokens()
    for (const [method, path, as] of asked) {
      expect(await world.raw(method, path, { as }), path).toMatchObject({ status: 401, body: undefined })
    }
  })

  row('Error > product', 'a value outside a list is 400 at its field, on create and update', async (world) => {
    const wrong = {
      product_type: 'CAKE',
      usage: 'X',
      variety: 'X',
      chemotype: 'X',
      container_type: 'X',
      thc_cbd_ratio: '1  :  1',
      package_size: { value: 1, unit: 'stone' },
      expected_total_thc: { value: 1, unit: 'stone' },
    }
    const created = await world.raw('POST', '/api/v1.5/products/create/', {
      as: 'maker',
      body: { ...flower, ...wrong },
    })
    expect(created).toMatchObject({ status: 400 })
    expect(created.body).toEqual(Object.fromEntries(Object.keys(wrong).map((field) => [field, someList])))
    const path = `/api/v1.5/products/${long(products.flower)}/update/`
    const updated = await world.raw('PATCH', path, { as: 'maker', body: wrong })
    expect(updated).toMatchObject({ status: 400, body: created.body })
  })

  row('Error > asset usage', 'of a text outside its list is 400', async (world) => {
    const body = { name: 'T', content: 'x', usage: 'poem' }
    expect(await world.raw('POST', '/api/v1.5/assets/texts/create/', { as: 'maker', body })).toMatchObject({
      status: 400,
      body: { usage: someList },
    })
  })

  row('Error > collection 404', 'on removal and restoration', async ({ maker }) => {
    expect(await error(maker.v15.collections.remove(absentId))).toMatchObject({ code: 'service/not-found' })
    expect(await error(maker.v15.collections.restore('NO-SUCH'))).toMatchObject({ code: 'service/not-found' })
  })

  row('Error > collection 400', 'for type origin', async ({ maker }) => {
    for (const refused of [maker.v15.collections.remove, maker.v15.collections.restore]) {
      expect(await error(refused(collections.origin))).toMatchObject({ code: 'service/refused', status: 400 })
    }
  })

  row('Error > v1.2 404', 'for collection, CaseID, product and TagID', async ({ shop }) => {
    const missing = { code: 'service/not-found', id: absentId }
    expect(await error(shop.v12.collections.get(absentId))).toEqual(missing)
    expect(await error(shop.v12.cases.get(absentId))).toEqual(missing)
    expect(await error(shop.v12.products.get(absentId))).toEqual(missing)
    expect(await error(shop.v12.items.get(absentId))).toEqual(missing)
  })
})

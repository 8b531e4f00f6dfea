import { describe, expect } from 'vitest'
import { operations } from '../../../src-practice/openapi/operations'
import { isShortUuid, isUuid, toUuid } from '../../../src-shared/ids'
import { someList, textLike } from '../practice/practice'
import { row } from './row'
import { flower, all, answer, at, made, value, sale } from './values'
import { fillers, products } from './world-catalogue'
import { tagIds } from './world-data'

describe('conventions', () => {
  row('Conventions > versions', 'every path of the tables begins with the prefix of its version', async (world) => {
    for (const { version, endpoint } of operations) {
      expect(endpoint.path.startsWith(`/api/${version}/`), endpoint.path).toBe(true)
    }
    expect((await world.raw('GET', '/api/v1.3/brands/', { as: 'maker' })).status).toBe(404)
  })

  row('Conventions > bodies', 'answers are JSON, a form is 415, and the token request is a form', async (world) => {
    const read = await world.raw('GET', '/api/v1.5/brands/', { as: 'maker' })
    expect(read.headers.get('content-type')).toMatch(/^application\/json/)
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    expect((await world.raw('POST', '/api/v1.5/batches/create/', { as: 'maker', body: {}, headers })).status).toBe(415)
    const asJson = await fetch(`${world.service.authUrl}/o/token/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ grant_type: 'client_credentials', client_id: 'maker', client_secret: 'maker-secret' }),
    })
    expect(asJson.status).toBe(400)
  })

  row('Conventions > uuid', 'the same TagID is a UUID in v1.5 and a ShortUUID in v1.2', async (world) => {
    const tag = at(tagIds.plain)
    const short = await world.raw('GET', `/api/v1.2/items/${tag}/`, { as: 'shop' })
    const long = await world.raw('GET', `/api/v1.5/items/${toUuid(tag) ?? ''}/`, { as: 'maker' })
    expect(short.body).toMatchObject({ uuid: tag })
    expect(long.body).toMatchObject({ uuid: toUuid(tag) })
    expect(isShortUuid(tag)).toBe(true)
    expect(isUuid(toUuid(tag) ?? '')).toBe(true)
  })

  row(
    'Conventions > datetime',
    'moments are taken with Z and with an offset, and refused without',
    async ({ shop }) => {
      const tags = tagIds.own
      const at1 = { ...sale('1', [at(tags, 0)]), performed_at: '2026-11-02T10:15:00Z' }
      const at2 = { ...sale('2', [at(tags, 1)]), performed_at: '2026-11-02T10:15:00-05:00' }
      const at3 = { ...sale('3', [at(tags, 2)]), performed_at: '2026-11-02T10:15:00' }
      expect((await answer(shop.v12.transactions.complete(at1))).status).toBe(200)
      expect((await answer(shop.v12.transactions.complete(at2))).status).toBe(200)
      expect((await answer(shop.v12.transactions.complete(at3))).status).toBe(400)
    },
  )

  row(
    'Conventions > date',
    'a date is YYYY-MM-DD; the client reads a v1.2 product whatever its dates',
    async (world) => {
      const product = await made(world.maker.v15.products.create({ ...flower, available_on: '2026-10-01' }))
      expect(product.available_on).toBe('2026-10-01')
      const body = { ...flower, available_on: '10/01/2026' }
      expect(await world.raw('POST', '/api/v1.5/products/create/', { as: 'maker', body })).toMatchObject({
        status: 400,
        body: { available_on: someList },
      })
      const v12 = await value(world.shop.v12.products.get(products.flower))
      expect(v12.published_on).toMatch(/^(\d{4}-\d{2}-\d{2}|\d{2}\/\d{2}\/\d{4})$/)
    },
  )

  row('Conventions > paged envelope', 'a list says count, next, previous and results', async (world) => {
    const { body } = await world.raw('GET', '/api/v1.5/products/', { as: 'maker' })
    expect(body).toEqual({
      count: 4 + fillers.length,
      next: textLike(/\?page=2$/),
      previous: null,
      results: someList,
    })
  })

  row('Conventions > next', 'following next gives every product once', async (world) => {
    const listed = await all(world.maker.v15.products.list())
    expect(new Set(listed.map(({ uuid }) => uuid)).size).toBe(4 + fillers.length)
    const second = await world.raw('GET', '/api/v1.5/products/?page=2', { as: 'maker' })
    expect(second.body).toMatchObject({ next: null, previous: textLike(/page=1$/) })
  })
})

import { z } from 'zod'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PracticeService } from '../../../src-practice/start'
import { BatchDetail, BatchPage } from '../../../src-shared/service/batches'
import { DigitalCoaV15 } from '../../../src-shared/service/coas'
import {
  type CatalogueCaller,
  brandless,
  brands,
  catalogueCaller,
  foreignBatch,
  foreignProduct,
  hudsonBatches,
  hudsonProducts,
  leastProduct,
  longId,
  otherSourcing,
  sourcing,
  startCatalogue,
} from './catalogue'
import { someText, textLike } from './practice'
import { only } from './sample'

const Created = z.looseObject({ uuid: z.string() })
const batch = only(hudsonBatches[0], 'batch')
const product = longId(only(hudsonProducts[1], 'product').uuid)
const coa = longId(only(batch.digital_coa_uuids[0], 'COA'))
const packaged = only(batch.packaged_products[0], 'packaged product')
const foreignCoa = longId(only(foreignBatch.digital_coa_uuids[0], 'foreign COA'))

describe('batches, packaged products and COAs of v1.5', () => {
  let service: PracticeService
  let caller: CatalogueCaller
  beforeAll(async () => {
    service = await startCatalogue()
    caller = await catalogueCaller(service, sourcing)
  })
  afterAll(() => service.close())

  const made = async (path: string, body: unknown) => {
    const answer = await caller.post(path, body)
    expect(answer).toMatchObject({ status: 200 })
    return Created.parse(answer.body).uuid
  }

  it('are listed for their own company, in order of creation', async () => {
    const { body } = await caller.get('batches/')
    const names = BatchPage.parse(body).results.map(({ name }) => name)
    expect(names).toEqual(hudsonBatches.map(({ name }) => name))
    expect(body).toMatchObject({ count: hudsonBatches.length, next: null, previous: null })
    const [first] = z.object({ results: z.array(z.unknown()) }).parse(body).results
    expect(first).toEqual({
      uuid: longId(batch.uuid),
      brand_uuid: brands.hudson,
      name: batch.name,
      produced_on: batch.produced_on,
      regulatory_id: batch.regulatory_id,
      updated_on: batch.updated_on,
      digital_coa_uuids: [coa],
    })
  })

  it('have a detail with laboratories and packaged products, each with its whole product', async () => {
    const { body } = await caller.get(`batches/${batch.uuid}/`)
    expect(BatchDetail.safeParse(body).success).toBe(true)
    expect(body).toMatchObject({
      uuid: longId(batch.uuid),
      testing_laboratories: [{ uuid: someText, name: 'Garden State Analytics', city: 'Trenton' }],
      packaged_products: [
        {
          uuid: longId(packaged.uuid),
          product: { uuid: longId(packaged.product_uuid), name: someText, brand_uuid: brands.hudson, images: {} },
          regulatory_id: packaged.regulatory_id,
          packaged_on: packaged.packaged_on,
          digital_coa_uuids: [coa],
          batch_name: batch.name,
          harvested_on: batch.harvested_on,
          extraction_method: batch.extraction_method,
        },
      ],
    })
  })

  it('can be created with only a name, for the default brand', async () => {
    expect(await caller.post('batches/create/', { name: ' Bare ' })).toMatchObject({
      status: 200,
      body: {
        uuid: textLike(/^[0-9a-f-]{36}$/),
        name: 'Bare',
        regulatory_id: '',
        produced_on: null,
        brand_uuid: brands.hudson,
        updated_on: someText,
        digital_coa_uuids: [],
      },
    })
  })

  it('are created and updated with the sent fields', async () => {
    const fields = { name: 'B-1', regulatory_id: '1A4,1B5', produced_on: '2026-10-01T08:00:00-04:00' }
    const uuid = await made('batches/create/', { ...fields, brand_uuid: brands.missouri })
    expect((await caller.get(`batches/${uuid}/`)).body).toMatchObject({ ...fields, brand_uuid: brands.missouri })
    expect(await caller.put(`batches/${uuid}/update/`, { regulatory_id: '', brand_uuid: brands.hudson })).toMatchObject(
      {
        status: 200,
        body: { ...fields, regulatory_id: '', brand_uuid: brands.missouri },
      },
    )
    expect((await caller.put(`batches/${uuid}/update/`, {})).status).toBe(200)
    await caller.put(`batches/${uuid}/update/`, { produced_on: null, name: 'B-2' })
    expect((await caller.get(`batches/${uuid}/`)).body).toMatchObject({
      name: 'B-2',
      produced_on: null,
      regulatory_id: '',
    })
  })

  it.each([
    ['a null name', { name: null }, 'name'],
    ['a blank name', { name: '' }, 'name'],
    ['a name that is a list', { name: ['x'] }, 'name'],
    ['a name of 256 characters', { name: 'x'.repeat(256) }, 'name'],
    ['a null regulatory id', { regulatory_id: null }, 'regulatory_id'],
    ['a regulatory id of 1,001 characters', { regulatory_id: 'x'.repeat(1001) }, 'regulatory_id'],
    ['a day for a moment', { produced_on: '2026-10-01' }, 'produced_on'],
    ['a moment without offset', { produced_on: '2026-10-01T10:00:00' }, 'produced_on'],
    ['an invalid moment', { produced_on: '2026-02-30T10:00:00Z' }, 'produced_on'],
    ['a moment as a number', { produced_on: 1_790_000_000 }, 'produced_on'],
  ])('are refused with %s', async (_, fields, field) => {
    const refused = { status: 400, body: { [field]: [someText] } }
    expect(await caller.post('batches/create/', { name: 'Name', ...fields })).toMatchObject(refused)
    const uuid = longId(batch.uuid)
    const before = await caller.get(`batches/${uuid}/`)
    expect(await caller.put(`batches/${uuid}/update/`, fields)).toMatchObject(refused)
    expect((await caller.get(`batches/${uuid}/`)).body).toEqual(before.body)
  })

  it('need a name, and a brand of the company', async () => {
    expect(await caller.post('batches/create/', {})).toMatchObject({ status: 400, body: { name: [someText] } })
    const create = (brand_uuid: unknown, as = caller) => as.post('batches/create/', { name: 'x', brand_uuid })
    expect(await create('nonsense')).toMatchObject({ status: 400, body: { brand_uuid: [someText] } })
    expect(await create(product)).toMatchObject({ status: 400, body: { brand_uuid: [someText] } })
    expect((await create(brands.ironbound)).status).toBe(403)
    const other = await catalogueCaller(service, brandless)
    expect(await create(undefined, other)).toMatchObject({
      status: 400,
      body: { brand_uuid: [textLike(/default brand/)] },
    })
    expect((await create(brands.hudson, other)).status).toBe(200)
  })

  it('take packaged products, change and delete them', async () => {
    const uuid = await made('batches/create/', { name: 'Packed' })
    const answer = await caller.post(`batches/${uuid}/packaged-products/`, { product_uuid: product })
    expect(answer).toMatchObject({
      status: 200,
      body: {
        uuid: someText,
        product: { uuid: product },
        regulatory_id: null,
        packaged_on: null,
        digital_coa_uuids: [],
      },
    })
    const path = `batches/${uuid}/packaged-products/${Created.parse(answer.body).uuid}`
    const fields = { regulatory_id: '1A4', packaged_on: '2026-10-02', digital_coa_uuids: [coa] }
    for (const method of ['put', 'patch'] as const) {
      expect(await caller[method](`${path}/update/`, fields)).toMatchObject({ status: 200, body: fields })
      expect(await caller[method](`${path}/update/`, {})).toMatchObject({ status: 200, body: fields })
    }
    const other = await made('products/create/', leastProduct)
    expect(
      await caller.patch(`${path}/update/`, { product_uuid: other, regulatory_id: null, packaged_on: null }),
    ).toMatchObject({
      body: { product: { uuid: other }, regulatory_id: null, packaged_on: null, digital_coa_uuids: [coa] },
    })
    expect((await caller.get(`batches/${uuid}/`)).body).toMatchObject({
      packaged_products: [{ product: { uuid: other } }],
      testing_laboratories: [{ name: 'Garden State Analytics' }],
    })
    expect(await caller.delete(`${path}/delete/`)).toMatchObject({ status: 204, body: undefined })
    expect((await caller.delete(`${path}/delete/`)).status).toBe(404)
    expect((await caller.patch(`${path}/update/`, {})).status).toBe(404)
    expect((await caller.get(`batches/${uuid}/`)).body).toMatchObject({ packaged_products: [] })
  })

  it.each([
    ['no product', {}, 'product_uuid'],
    ['a null product', { product_uuid: null }, 'product_uuid'],
    ['an invalid product id', { product_uuid: 'x' }, 'product_uuid'],
    ['a product that is a batch', { product_uuid: longId(batch.uuid) }, 'product_uuid'],
    ["another company's product", { product_uuid: longId(foreignProduct.uuid) }, 'product_uuid'],
    ['a moment for a day', { product_uuid: product, packaged_on: '2026-10-02T00:00:00Z' }, 'packaged_on'],
    ['a regulatory id that is a number', { product_uuid: product, regulatory_id: 5 }, 'regulatory_id'],
    ['COAs that are no list', { product_uuid: product, digital_coa_uuids: coa }, 'digital_coa_uuids'],
    ['null for COAs', { product_uuid: product, digital_coa_uuids: null }, 'digital_coa_uuids'],
    ['an invalid COA id', { product_uuid: product, digital_coa_uuids: ['x'] }, 'digital_coa_uuids'],
    ['a COA that does not exist', { product_uuid: product, digital_coa_uuids: [coa, product] }, 'digital_coa_uuids'],
    ["another company's COA", { product_uuid: product, digital_coa_uuids: [foreignCoa] }, 'digital_coa_uuids'],
  ])('take no packaged product with %s', async (_, body, field) => {
    const uuid = await made('batches/create/', { name: 'Packed' })
    const refused = { status: 400, body: { [field]: [someText] } }
    expect(await caller.post(`batches/${uuid}/packaged-products/`, body)).toMatchObject(refused)
    const own = await made(`batches/${uuid}/packaged-products/`, { product_uuid: product })
    if (Object.keys(body).length > 0) {
      expect(await caller.put(`batches/${uuid}/packaged-products/${own}/update/`, body)).toMatchObject(refused)
    }
    expect((await caller.get(`batches/${uuid}/`)).body).toMatchObject({
      packaged_products: [{ product: { uuid: product }, digital_coa_uuids: [] }],
    })
  })

  it('refuse to delete packaged products with TagIDs, or to change their product', async () => {
    const path = `batches/${longId(batch.uuid)}/packaged-products/${longId(packaged.uuid)}`
    expect(await caller.delete(`${path}/delete/`)).toMatchObject({ status: 400, body: { detail: someText } })
    expect(await caller.patch(`${path}/update/`, { product_uuid: product })).toMatchObject({
      status: 400,
      body: { product_uuid: [someText] },
    })
    const same = { product_uuid: longId(packaged.product_uuid), packaged_on: '2026-09-03' }
    expect((await caller.put(`${path}/update/`, same)).status).toBe(200)
  })

  it('do not contain the packaged products of another batch', async () => {
    const path = `batches/${longId(only(hudsonBatches[1], 'second batch').uuid)}/packaged-products/${packaged.uuid}`
    expect((await caller.patch(`${path}/update/`, {})).status).toBe(404)
    expect((await caller.delete(`${path}/delete/`)).status).toBe(404)
  })

  it('have COAs with their laboratory, for their own company', async () => {
    const { status, body } = await caller.get(`digital_coas/${coa}/`)
    expect(status).toBe(200)
    expect(DigitalCoaV15.safeParse(body).success).toBe(true)
    expect(body).toMatchObject({
      uuid: coa,
      batch_uuid: longId(batch.uuid),
      testing_laboratory: { uuid: textLike(/-/) },
    })
    const other = await catalogueCaller(service, otherSourcing)
    for (const path of [`digital_coas/${coa}/`, 'digital_coas/x/', `digital_coas/${product}/`]) {
      expect((await other.get(path)).status).toBe(404)
    }
  })
})

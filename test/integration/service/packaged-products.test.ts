import { describe, expect } from 'vitest'
import { z } from 'zod'
import { toUuid } from '../../../src-shared/ids'
import { someList, someText } from '../practice/practice'
import { row } from './row'
import { at, made, shortId, value } from './values'
import { batches, brands, coas, packaged, products } from './world-catalogue'
import { cases } from './world-data'

const long = (id: string) => toUuid(id) ?? ''
const flower = shortId(products.flower)
const packagedPath = (rest: string) => `/api/v1.5/batches/${long(batches.flower)}/packaged-products/${rest}`

describe('packaged products', () => {
  row(
    'POST /api/v1.5/batches/<uuid>/packaged-products/',
    'packages a product and shows all of it',
    async ({ maker }) => {
      const body = { product_uuid: flower, regulatory_id: 'P-1', packaged_on: '2026-10-01' }
      const one = await made(maker.v15.packagedProducts.create(batches.gummies, body))
      expect(one).toMatchObject({
        product: { uuid: flower, name: 'Flower' },
        regulatory_id: 'P-1',
        digital_coa_uuids: [],
      })
      expect((await value(maker.v15.batches.get(batches.gummies))).packaged_products).toHaveLength(2)
    },
  )

  row(
    'PUT /api/v1.5/batches/<batch_uuid>/packaged-products/<packaged_product_uuid>/update/',
    'updates it',
    async ({ maker }) => {
      const body = { product_uuid: shortId(products.gummies), packaged_on: '2026-10-02' }
      const one = await made(maker.v15.packagedProducts.replace(batches.gummies, packaged.gummies, body))
      expect(one).toMatchObject({ uuid: packaged.gummies, packaged_on: '2026-10-02' })
    },
  )

  row(
    'PATCH /api/v1.5/batches/<batch_uuid>/packaged-products/<packaged_product_uuid>/update/',
    'updates what is named',
    async ({ maker }) => {
      const one = await made(
        maker.v15.packagedProducts.change(batches.flower, packaged.flower, { packaged_on: '2026-10-03' }),
      )
      expect(one).toMatchObject({
        packaged_on: '2026-10-03',
        regulatory_id: 'PACK-1',
        digital_coa_uuids: [coas.package],
      })
    },
  )

  row(
    'DELETE /api/v1.5/batches/<batch_uuid>/packaged-products/<packaged_product_uuid>/delete/',
    'answers 204, and it is gone',
    async (world) => {
      const body = { product_uuid: long(products.flower) }
      const one = await world.raw('POST', packagedPath(''), { as: 'maker', body })
      const { uuid } = z.object({ uuid: z.string() }).parse(one.body)
      expect(await world.raw('DELETE', packagedPath(`${uuid}/delete/`), { as: 'maker' })).toMatchObject({
        status: 204,
        body: undefined,
      })
      expect((await value(world.maker.v15.batches.get(batches.flower))).packaged_products).toHaveLength(1)
      expect((await world.raw('DELETE', packagedPath(`${uuid}/delete/`), { as: 'maker' })).status).toBe(404)
    },
  )

  row('Packaged product > fields', 'are there after creation', async (world) => {
    const body = { product_uuid: long(products.flower) }
    const one = await world.raw('POST', packagedPath(''), { as: 'maker', body })
    expect(one.body).toMatchObject({
      uuid: someText,
      product: { uuid: long(products.flower), name: 'Flower' },
      regulatory_id: null,
      packaged_on: null,
      digital_coa_uuids: [],
    })
  })

  row('Packaged product > in batch', 'says batch, harvest and extraction besides', async ({ maker }) => {
    expect(at((await value(maker.v15.batches.get(batches.flower))).packaged_products)).toMatchObject({
      batch_name: 'BD-1',
      harvested_on: '2026-08-20',
      extraction_method: 'none',
    })
  })

  row('Packaged product > v1.2', 'is flat', async ({ shop }) => {
    expect(at((await value(shop.v12.cases.get(cases.plain))).packaged_products)).toEqual({
      uuid: packaged.flower,
      brand_uuid: brands.nj,
      batch_uuid: batches.flower,
      product_uuid: products.flower,
      regulatory_id: 'PACK-1',
      packaged_on: '2026-08-25',
      digital_coa_uuids: [coas.package],
      batch_name: 'BD-1',
      use_by: '2027-08-25',
    })
  })

  row('Packaged product request > fields', 'need the product and take COAs of the batch', async (world) => {
    expect(await world.raw('POST', packagedPath(''), { as: 'maker', body: {} })).toMatchObject({
      status: 400,
      body: { product_uuid: someList },
    })
    const body = { product_uuid: flower, digital_coa_uuids: [shortId(coas.batch)] }
    const one = await made(world.maker.v15.packagedProducts.create(batches.flower, body))
    expect(one.digital_coa_uuids).toEqual([coas.batch])
  })
})

import { describe, expect } from 'vitest'
import { toUuid } from '../../../src-shared/ids'
import { someList, someText } from '../practice/practice'
import { row } from './row'
import { at, flower, made, pdf, png, shortId, value } from './values'
import type { World } from './world'
import { brands, fillers, products } from './world-catalogue'

const long = (id: string) => toUuid(id) ?? ''
const path = (id: string, rest = 'update/') => `/api/v1.5/products/${long(id)}/${rest}`
const filler = at(fillers)
const post = (world: World, body: object) => world.raw('POST', '/api/v1.5/products/create/', { as: 'maker', body })

describe('writing products', () => {
  row('POST /api/v1.5/products/create/', 'creates a product, which can be read', async ({ maker }) => {
    const { uuid } = await made(maker.v15.products.create(flower))
    expect(await value(maker.v15.products.get(uuid))).toMatchObject({ name: 'New flower', is_published: false })
  })

  row('PUT /api/v1.5/products/<uuid>/update/', 'replaces the whole product', async ({ maker }) => {
    await value(maker.v15.products.replace(products.flower, { ...flower, strain: 'Other' }))
    const after = await value(maker.v15.products.get(products.flower))
    expect(after).toMatchObject({ name: 'New flower', strain: 'Other', sku: '', thc_cbd_ratio: '' })
  })

  row('PATCH /api/v1.5/products/<uuid>/update/', 'changes what is named, and nothing else', async ({ maker }) => {
    const before = await value(maker.v15.products.get(products.flower))
    await value(maker.v15.products.change(products.flower, { strain: 'Other' }))
    const after = await value(maker.v15.products.get(products.flower))
    expect(after).toEqual({ ...before, strain: 'Other', updated_on: someText })
  })

  row('Product request > required', 'are name, product_type and package_size, for PUT as well', async (world) => {
    const missing = { name: someList, product_type: someList, package_size: someList }
    expect(await post(world, {})).toMatchObject({ status: 400, body: missing })
    const put = await world.raw('PUT', path(products.flower), { as: 'maker', body: { strain: 'X' } })
    expect(put).toMatchObject({ status: 400, body: missing })
  })

  row('Product request > brand_uuid', 'is taken on create, and the account’s brand without it', async ({ maker }) => {
    const of = async (uuid: string) => (await value(maker.v15.products.get(uuid))).brand?.uuid
    expect(await of((await made(maker.v15.products.create(flower))).uuid)).toBe(brands.nj)
    const body = { ...flower, brand_uuid: shortId(brands.mo) }
    expect(await of((await made(maker.v15.products.create(body))).uuid)).toBe(brands.mo)
  })

  row('Product request > optional', 'fields are kept as they were written', async ({ maker }) => {
    const body = {
      ...flower,
      sku: 'S-1',
      container_type: 'jar',
      available_on: '2026-10-01',
      discontinued_on: '2026-12-31',
      usage: 'M',
      variety: 'IND',
      strain: 'Dune',
      chemotype: 'low_thc_low_cbd',
      product_line: 'Line',
      upc: '1',
      barcode: '2',
      servings: '2.5',
      thc_cbd_ratio: '1 : 1',
      additional_ingredients: 'None',
      pieces_per_package: 4,
      label_name: 'Label',
    } as const
    const { uuid } = await made(maker.v15.products.create(body))
    expect(await value(maker.v15.products.get(uuid))).toMatchObject(body)
  })

  row('Product request > PATCH', 'takes a single field, and none', async (world) => {
    const patch = (body: object) => world.raw('PATCH', path(products.flower), { as: 'maker', body })
    expect((await patch({ sku: 'S-2' })).status).toBe(200)
    expect((await patch({})).status).toBe(200)
    expect((await patch({ name: '' })).status).toBe(400)
  })

  row('Product request > statements and flags', 'hide what they say', async ({ maker }) => {
    const { products: api } = maker.v15
    await value(api.change(products.gummies, { special_diet_statement: 'Vegan.' }))
    expect(await value(api.get(products.gummies))).toMatchObject({
      special_diet_statement: 'Vegan.',
      allergen: ['Soy'],
    })
    await value(api.change(products.gummies, { hide_allergens_display: true, hide_special_diets: true }))
    const hidden = await value(api.get(products.gummies))
    expect(hidden).toMatchObject({ allergen: [], special_diet: [] })
    expect(hidden).not.toHaveProperty('allergen_statement')
  })

  row('Product request > ingredient_printing_data', 'is taken where it is enabled only', async (world) => {
    const printing = { ingredient_printing_data: { lines: ['Sugar'] } }
    expect((await post(world, { ...flower, ...printing, brand_uuid: long(brands.mo) })).status).toBe(200)
    expect(await post(world, { ...flower, ...printing })).toMatchObject({
      status: 400,
      body: { ingredient_printing_data: someList },
    })
  })

  row('Product request > photos', 'are decoded and served; what is no picture is refused', async (world) => {
    const { uuid } = await made(world.maker.v15.products.create({ ...flower, photo_banner: png }))
    const { images } = await value(world.maker.v15.products.get(uuid))
    expect(images?.primary).toBeNull()
    const served = await fetch(images?.banner?.url ?? '')
    expect(Buffer.from(await served.arrayBuffer()).toString('base64')).toBe(png)
    expect((await post(world, { ...flower, photo_banner: pdf })).status).toBe(400)
    expect((await post(world, { ...flower, photo_banner: 'no base64!' })).status).toBe(400)
  })

  row('Product request > asset references', 'take description and photos from assets', async ({ maker }) => {
    const { assets, products: api } = maker.v15
    const text = await made(assets.createText({ name: 'T', content: '<p>Fine.</p>', usage: 'description' }))
    const image = await made(assets.createImage({ name: 'I', content: png }))
    const { uuid } = await made(
      api.create({
        ...flower,
        description_asset_uuid: text.uuid,
        photo_thumbnail_asset_uuid: image.uuid,
        photo_primary_asset_uuid: image.uuid,
        photo_banner_asset_uuid: image.uuid,
      }),
    )
    const product = await value(api.get(uuid))
    expect(product.description).toBe('<p>Fine.</p>')
    expect(product.images).toMatchObject({
      thumbnail: { url: image.content },
      primary: { url: image.content },
      banner: { url: image.content },
    })
  })

  row('Product request > approval number', 'is for brands of Missouri', async (world) => {
    const body = { ...flower, product_packaging_approval_number: 'MO-1' }
    expect((await post(world, body)).status).toBe(400)
    expect((await post(world, { ...body, brand_uuid: long(brands.mo) })).status).toBe(200)
  })

  row('Product request > media lists', 'need the uuid of an asset of the right type', async (world) => {
    const image = await made(world.maker.v15.assets.createImage({ name: 'I', content: png }))
    for (const list of ['supplemental-photos/', 'videos/', 'documents/']) {
      const attach = (body: object) => world.raw('POST', path(filler, list), { as: 'maker', body })
      expect(await attach({}), list).toMatchObject({ status: 400, body: { uuid: someList } })
      const status = list === 'supplemental-photos/' ? 200 : 400
      expect((await attach({ uuid: long(image.uuid) })).status, list).toBe(status)
    }
    const ofRival = await made(world.rival.v15.assets.createImage({ name: 'I', content: png }))
    const attached = await world.maker.v15.products.addSupplementalPhoto(filler, { uuid: ofRival.uuid })
    expect(attached.ok).toBe(false)
  })
})

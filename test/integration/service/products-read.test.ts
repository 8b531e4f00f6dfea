import { describe, expect } from 'vitest'
import { z } from 'zod'
import { toUuid } from '../../../src-shared/ids'
import { someList, someText } from '../practice/practice'
import { row } from './row'
import { all, at, made, mp4, absentId, pdf, value } from './values'
import type { World } from './world'
import { brands, products } from './world-catalogue'
import { cases } from './world-data'

const long = (id: string) => toUuid(id) ?? ''
const Fields = z.record(z.string(), z.unknown())
const v15 = async (world: World, name: keyof typeof products) =>
  Fields.parse((await world.raw('GET', `/api/v1.5/products/${long(products[name])}/`, { as: 'maker' })).body)
const v12 = async (world: World, name: keyof typeof products) =>
  Fields.parse((await world.raw('GET', `/api/v1.2/products/${products[name]}/`, { as: 'shop' })).body)
/** The products inside a CaseID detail, as they stand on the wire. */
const inCase = async (world: World, version: 'v1.2' | 'v1.5', name: keyof typeof products) => {
  const caseUuid = version === 'v1.5' ? long(cases.mixed) : cases.mixed
  const as = version === 'v1.5' ? 'maker' : 'shop'
  const { body } = await world.raw('GET', `/api/${version}/collections/case/${caseUuid}/`, { as })
  const id = version === 'v1.5' ? long(products[name]) : products[name]
  return at(
    z
      .object({ products: z.array(Fields) })
      .parse(body)
      .products.filter((one) => one['uuid'] === id),
  )
}
const measure = (value: string, unit: string) => ({ name: 'Measure', value, unit })

describe('reading products', () => {
  row('GET /api/v1.5/products/', 'lists the products of the company, page after page', async ({ maker, rival }) => {
    expect(await all(maker.v15.products.list())).toHaveLength(64)
    expect((await all(rival.v15.products.list())).map(({ uuid }) => uuid)).toEqual([products.rival])
  })

  row('GET /api/v1.5/products/<uuid>/', 'gives one product, and 404 for none', async ({ maker }) => {
    expect((await value(maker.v15.products.get(products.flower))).name).toBe('Flower')
    expect(await maker.v15.products.get(absentId)).toEqual({
      ok: false,
      error: { code: 'service/not-found', id: absentId },
    })
  })

  row('GET /api/v1.2/products/<uuid>/', 'gives one product, and 404 for none', async ({ shop }) => {
    expect((await value(shop.v12.products.get(products.flower))).name).toBe('Flower')
    expect(await shop.v12.products.get(absentId)).toMatchObject({ ok: false, error: { code: 'service/not-found' } })
  })

  row('Product > list item', 'has six fields, and nothing else', async (world) => {
    const { body } = await world.raw('GET', '/api/v1.5/products/', { as: 'rival' })
    expect(body).toMatchObject({
      results: [
        {
          uuid: long(products.rival),
          name: 'Rival',
          sku: 'SKU-Rival',
          product_type: 'FLOWER',
          is_published: false,
          brand_uuid: long(brands.rival),
        },
      ],
    })
    expect(Object.keys(at(z.object({ results: z.array(Fields) }).parse(body).results))).toHaveLength(6)
  })

  row('Product > texts', 'are there as they were written', async (world) => {
    for (const product of [await v15(world, 'flower'), await v12(world, 'flower')]) {
      expect(product).toMatchObject({
        sku: 'SKU-Flower',
        name: 'Flower',
        description: '<p>Citrus &amp; pine.</p>',
        strain: 'Blue Dune',
        product_line: 'Farm',
        upc: '036000291452',
        barcode: '036000291452',
        about_ingredients: 'Only flower.',
        testing_methodology: 'HPLC',
        usage_recommendation: 'Start low.',
        additional_ingredients: '',
      })
    }
  })

  row('Product > label', 'label_type is in v1.5, label_name is empty in the v1.2 case', async (world) => {
    expect(await v15(world, 'flower')).toMatchObject({ label_type: '' })
    expect(await inCase(world, 'v1.2', 'flower')).toMatchObject({ label_name: '' })
  })

  row('Product > dates', 'are dates or null; added_on is in v1.2', async (world) => {
    const dates = { available_on: '2026-08-02', discontinued_on: null, updated_on: someText }
    expect(await v15(world, 'flower')).toMatchObject({ published_on: '2026-08-01', ...dates })
    expect(await v12(world, 'flower')).toMatchObject({ added_on: someText, updated_on: someText })
    expect(await v12(world, 'gummies')).toMatchObject({ added_on: null, published_on: null })
  })

  row('Product > brand', 'is nested in the v1.5 detail and named elsewhere', async (world) => {
    expect(await v15(world, 'flower')).toMatchObject({ brand: { uuid: long(brands.nj), name: 'Hudson Fields' } })
    expect(await v12(world, 'flower')).toMatchObject({ brand_uuid: brands.nj })
    expect(await inCase(world, 'v1.5', 'flower')).toMatchObject({ brand_uuid: long(brands.nj) })
  })

  row('Product > codes', 'are those of requests in v1.5', async (world) => {
    expect(await v15(world, 'flower')).toMatchObject({
      product_type: 'FLOWER',
      usage: 'R',
      variety: 'HYB',
      container_type: 'jar',
    })
  })

  row('Product > display names', 'stand in the v1.2 payloads', async (world) => {
    expect(await v12(world, 'flower')).toMatchObject({
      product_type: 'Flower',
      usage: 'Recreational',
      variety: 'Hybrid',
    })
    expect(await inCase(world, 'v1.2', 'gummies')).toMatchObject({ product_type: 'Gummy', usage: 'Medical' })
  })

  row('Product > chemotype', 'is on a New Jersey product that has one', async (world) => {
    expect(await v15(world, 'flower')).toMatchObject({ chemotype: 'high_thc_low_cbd' })
    expect(await v15(world, 'heavy')).not.toHaveProperty('chemotype')
  })

  row('Product > measures', 'are {name, value, unit}', async (world) => {
    expect(await v15(world, 'flower')).toMatchObject({
      package_size: measure('3.5', 'gram'),
      expected_total_thc: measure('24.1', 'percentage'),
      expected_total_cbd: measure('0.1', 'percentage'),
    })
    expect(await v12(world, 'gummies')).toMatchObject({ serving_size: measure('5', 'gram') })
  })

  row('Product > gross_weight', 'is on products of Arizona brands only', async (world) => {
    expect(await v15(world, 'heavy')).toMatchObject({ gross_weight: measure('40', 'gram') })
    expect(await v15(world, 'flower')).not.toHaveProperty('gross_weight')
  })

  row('Product > approval number', 'is on products of Missouri brands only', async (world) => {
    expect(await v15(world, 'approved')).toMatchObject({ product_packaging_approval_number: 'MO-7' })
    expect(await v15(world, 'flower')).not.toHaveProperty('product_packaging_approval_number')
  })

  row('Product > servings', 'is a number as text, pieces an integer or null', async (world) => {
    expect(await v15(world, 'gummies')).toMatchObject({ servings: '10', pieces_per_package: 10 })
    expect(await v12(world, 'flower')).toMatchObject({ pieces_per_package: null })
  })

  row('Product > thc_cbd_ratio', 'is two numbers around a colon', async (world) => {
    expect(await v15(world, 'flower')).toMatchObject({ thc_cbd_ratio: '20:1' })
  })

  row('Product > tests_description', 'is in v1.5 payloads', async (world) => {
    expect(await v15(world, 'flower')).toMatchObject({ tests_description: 'Tested by batch.' })
    expect(await inCase(world, 'v1.5', 'flower')).toMatchObject({ tests_description: 'Tested by batch.' })
  })

  row('Product > diet', 'special_diet and allergen are arrays', async (world) => {
    expect(await v15(world, 'gummies')).toMatchObject({ special_diet: ['Vegan'], allergen: ['Soy'] })
    expect(await v12(world, 'flower')).toMatchObject({ special_diet: [], allergen: [] })
  })

  row('Product > statements', 'are there when filled and absent when not', async (world) => {
    for (const read of [v15, v12]) {
      const gummies = await read(world, 'gummies')
      expect(gummies).toMatchObject({ allergen_statement: 'Contains soy.' })
      expect(gummies).not.toHaveProperty('special_diet_statement')
    }
  })

  row('Product > ingredients', 'are an array of {name}', async (world) => {
    expect(await v15(world, 'gummies')).toMatchObject({ ingredients: [{ name: 'Sugar' }] })
  })

  row('Product > media', 'documents and videos are arrays of media objects', async (world) => {
    const { maker } = world
    const film = await made(maker.v15.assets.createVideo({ name: 'Film', content: mp4 }))
    const sheet = await made(maker.v15.assets.createFile({ name: 'Sheet', content: pdf }))
    await value(maker.v15.products.addVideo(products.flower, { uuid: film.uuid }))
    await value(maker.v15.products.addDocument(products.flower, { uuid: sheet.uuid }))
    expect(await v12(world, 'flower')).toMatchObject({
      videos: [{ name: 'Film', mime_type: 'video/mp4' }],
      documents: [{ name: 'Sheet', mime_type: 'application/pdf' }],
      images: { thumbnail: { url: someText }, primary: { url: someText }, banner: { url: someText } },
    })
  })

  row('Product > dosages', 'say quantity and THC with their units', async (world) => {
    const dosage = { name: 'Piece', quantity: 10, serving_size: null, thc: 10, cbd: null, thc_unit: '', cbd_unit: '' }
    expect(await v15(world, 'gummies')).toMatchObject({ dosages: [{ ...dosage, quantity_unit: 'pieces' }] })
    expect(await v12(world, 'gummies')).toMatchObject({ dosages: [dosage] })
  })

  row('Product > v1.2 dosage unit', 'has both forms of the word', async (world) => {
    const quantity_unit = { singular: 'piece', multiple: 'pieces' }
    expect(await v12(world, 'gummies')).toMatchObject({ dosages: [{ quantity_unit }] })
  })

  row('Product > v1.2 extras', 'shelf_life and is_hidden are there', async (world) => {
    expect(await v12(world, 'gummies')).toMatchObject({ shelf_life: { value: 12, unit: 'months' } })
    expect(await inCase(world, 'v1.2', 'gummies')).toMatchObject({ is_hidden: false })
  })

  row('Product > effects', 'are objects in v1.2 and texts in the v1.5 case', async (world) => {
    const effect = { name: 'Calm', description: 'Feels calm.', type: 'positive', effect: 'calm' }
    expect(await v12(world, 'gummies')).toMatchObject({ positive_effects: [effect], negative_effects: [] })
    expect(await inCase(world, 'v1.5', 'gummies')).toMatchObject({ positive_effects: ['Calm'], medical_uses: [] })
  })

  row('Product > v1.5 case payload', 'has the totals of THC and CBD', async (world) => {
    const product = await inCase(world, 'v1.5', 'flower')
    expect(product).toMatchObject({
      total_thc: { value: someText, unit: someText },
      total_cbd: { value: someText, unit: someText },
    })
    expect(product).toMatchObject({ positive_effects: someList })
  })
})

import { z } from 'zod'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PracticeService } from '../../../src-practice/start'
import { productTypes } from '../../../src-shared/service/allowed-values'
import { ProductPage, ProductV15 } from '../../../src-shared/service/products'
import {
  type CatalogueCaller,
  brandless,
  brands,
  catalogueCaller,
  foreignProduct,
  hudsonProducts,
  leastProduct,
  longId,
  otherSourcing,
  sourcing,
  startCatalogue,
} from './catalogue'
import { callerOf, shop, someText, textLike } from './practice'

const Created = z.looseObject({ uuid: z.string() })

describe('products of v1.5', () => {
  let service: PracticeService
  let caller: CatalogueCaller
  beforeAll(async () => {
    service = await startCatalogue()
    caller = await catalogueCaller(service, sourcing)
  })
  afterAll(() => service.close())

  async function create(fields: Record<string, unknown> = {}): Promise<string> {
    const answer = await caller.post('products/create/', { ...leastProduct, ...fields })
    expect(answer).toMatchObject({ status: 200 })
    return Created.parse(answer.body).uuid
  }
  const detail = async (uuid: string) => {
    const answer = await caller.get(`products/${uuid}/`)
    expect(answer.status).toBe(200)
    return answer.body
  }

  const full = {
    ...leastProduct,
    sku: 'SKU-1',
    label_name: 'Label',
    container_type: 'jar',
    available_on: '2026-10-01',
    discontinued_on: '2027-10-01',
    usage: 'M',
    variety: 'CBG_CBD_THC',
    strain: 'Strain',
    chemotype: 'high_thc_low_cbd',
    product_line: 'Line',
    upc: '012345678905',
    barcode: 'B-1',
    servings: '10',
    serving_size: { name: '', value: 0.5, unit: 'gram' },
    expected_total_cbd: { name: 'CBD', value: '1', unit: 'percentage' },
    expected_total_thc: { name: 'THC', value: '20.5', unit: 'milligram_per_gram' },
    thc_cbd_ratio: '20 : 1',
    additional_ingredients: 'Nothing else',
    pieces_per_package: 4,
    allergen_statement: 'No nuts',
    special_diet_statement: 'Vegan',
    description: '  <p onclick="alert(1)">As it came</p>\n',
  }

  it('are listed, each with the fields of an entry, for their own company', async () => {
    const { status, body } = await (await catalogueCaller(service, otherSourcing)).get('products/')
    expect(status).toBe(200)
    const { results } = ProductPage.parse(body)
    expect(results.map(({ name }) => name)).toContain(foreignProduct.name)
    expect(results).not.toContainEqual(expect.objectContaining({ name: hudsonProducts[0]?.name }))
    expect(body).toMatchObject({
      results: expect.arrayContaining([
        {
          uuid: longId(foreignProduct.uuid),
          name: foreignProduct.name,
          sku: foreignProduct.sku,
          product_type: foreignProduct.product_type,
          is_published: true,
          brand_uuid: brands.ironbound,
        },
      ]) as unknown,
    })
  })

  it('have a detail with codes, UUIDs and the brand inside', async () => {
    const [product] = hudsonProducts
    const body = await detail(longId(product?.uuid ?? ''))
    expect(ProductV15.safeParse(body).success).toBe(true)
    expect(body).toMatchObject({
      name: product?.name,
      product_type: 'FLOWER',
      usage: 'R',
      variety: 'HID',
      brand: { uuid: brands.hudson, name: 'Hudson Fields', company: 'Hudson Fields Farms LLC' },
      images: { primary: { mime_type: 'image/svg+xml', uploaded_by: 'Hudson Fields Farms LLC' }, supplemental: null },
      documents: [],
      videos: [],
    })
    expect(body).not.toHaveProperty('chemotype')
    expect(body).not.toHaveProperty('allergen_statement')
    expect(body).not.toHaveProperty('gross_weight')
    expect(body).not.toHaveProperty('product_packaging_approval_number')
  })

  it('are created unpublished, for the default brand, with the sent fields', async () => {
    const uuid = await create(full)
    expect(await detail(uuid)).toMatchObject({ ...full, published_on: null, is_published: false, updated_on: someText })
    expect(await detail(uuid)).toMatchObject({ brand: { uuid: brands.hudson } })
    // The retail side sees the same product, with names for codes.
    const retail = await (await callerOf(service, shop)).get(`products/${uuid}/`)
    expect(retail).toMatchObject({ status: 200, body: { name: 'Product', usage: 'Medical', variety: 'CBG/CBD/THC' } })
  })

  it('take every product type', async () => {
    for (const product_type of productTypes) {
      const portions = { servings: '1', serving_size: { value: '1', unit: 'ounces' } }
      expect(await detail(await create({ product_type, ...portions }))).toMatchObject({ product_type })
    }
  })

  it('can belong to another brand of the company, named by UUID or ShortUUID', async () => {
    const ofMissouri = { brand_uuid: brands.missouri, product_packaging_approval_number: 'MO-1' }
    const uuid = await create({ ...ofMissouri, ingredient_printing_data: { any: ['thing', 1, null] } })
    const body = await detail(uuid)
    expect(body).toMatchObject({ brand: { name: 'Hudson West' }, product_packaging_approval_number: 'MO-1' })
    expect(body).not.toHaveProperty('ingredient_printing_data')
    expect(await detail(await create({ brand_uuid: brands.arizona }))).toMatchObject({ gross_weight: null })
  })

  it.each([
    ['a brand that does not exist', sourcing, longId(foreignProduct.uuid), 400],
    ['an invalid brand id', sourcing, 'nonsense', 400],
    ["another company's brand", sourcing, brands.ironbound, 403],
    ['no brand, for an account without a default brand', brandless, undefined, 400],
  ])('are refused for %s', async (_, client, brand_uuid, status) => {
    const answer = await (
      await catalogueCaller(service, client)
    ).post('products/create/', { ...leastProduct, brand_uuid })
    expect(answer.status).toBe(status)
    if (status === 400) expect(answer.body).toEqual({ brand_uuid: [someText] })
  })

  const refusals: [what: string, fields: Record<string, unknown>, field: string, message?: RegExp][] = [
    ['no name', { name: undefined }, 'name', /required/],
    ['a null name', { name: null }, 'name', /may not be null/],
    ['a blank name', { name: ' \t' }, 'name', /blank/],
    ['a name of 256 characters', { name: 'x'.repeat(256) }, 'name', /no more than 255/],
    ['a name with a NUL', { name: 'a\0b' }, 'name', /cannot be stored/],
    ['a name with half a surrogate pair', { name: '\ud800' }, 'name', /cannot be stored/],
    ['a name that is a number', { name: 5 }, 'name', /string/],
    ['no product type', { product_type: undefined }, 'product_type', /required/],
    ['a product type in lower case', { product_type: 'flower' }, 'product_type', /"flower" is not a valid choice/],
    ['a product type that is a list', { product_type: ['FLOWER'] }, 'product_type', /choice/],
    ['no package size', { package_size: undefined }, 'package_size', /required/],
    ['a package size without unit', { package_size: { value: '1' } }, 'package_size', /^unit: .*required/],
    ['a package size in kilograms', { package_size: { value: '1', unit: 'kilogram' } }, 'package_size', /^unit: /],
    ['a package size in percent', { package_size: { value: '1', unit: 'percentage' } }, 'package_size', /^unit: /],
    ['a package size of "much"', { package_size: { value: 'much', unit: 'gram' } }, 'package_size', /^value: /],
    ['a negative package size', { package_size: { value: -1, unit: 'gram' } }, 'package_size', /^value: /],
    ['a package size that is a text', { package_size: '3.5 g' }, 'package_size', /object/],
    ['an unknown serving unit', { serving_size: { value: '1', unit: 'piece' } }, 'serving_size', /^unit: /],
    ['CBD by gram', { expected_total_cbd: { value: '1', unit: 'gram' } }, 'expected_total_cbd', /^unit: /],
    ['THC by nothing', { expected_total_thc: { value: '1' } }, 'expected_total_thc', /^unit: /],
    ['a usage by name', { usage: 'Medical' }, 'usage', /choice/],
    ['an empty usage', { usage: '' }, 'usage', /choice/],
    ['an unknown variety', { variety: 'XXX' }, 'variety', /choice/],
    ['an unknown chemotype', { chemotype: 'high' }, 'chemotype', /choice/],
    ['an unknown container', { container_type: 'bag' }, 'container_type', /choice/],
    ['a ratio without colon', { thc_cbd_ratio: '20/1' }, 'thc_cbd_ratio'],
    ['a ratio with two spaces', { thc_cbd_ratio: '20  : 1' }, 'thc_cbd_ratio'],
    ['a ratio with two spaces after', { thc_cbd_ratio: '20:  1' }, 'thc_cbd_ratio'],
    ['an invalid day', { available_on: '2026-02-30' }, 'available_on', /Date has wrong format/],
    ['a moment for a day', { discontinued_on: '2026-02-03T10:00:00Z' }, 'discontinued_on', /Date/],
    ['pieces by half', { pieces_per_package: 1.5 }, 'pieces_per_package', /integer/],
    ['negative pieces', { pieces_per_package: -1 }, 'pieces_per_package', /negative/],
    ['servings as a number', { servings: 10 }, 'servings', /string/],
    ['servings in words', { servings: 'ten' }, 'servings'],
    ['a flag that is a text', { hide_special_diets: 'true' }, 'hide_special_diets', /boolean/],
    ['a description of 100,001 characters', { description: 'x'.repeat(100_001) }, 'description', /no more than/],
    [
      "Missouri's approval number elsewhere",
      { product_packaging_approval_number: 'x' },
      'product_packaging_approval_number',
    ],
    ['printing data where it is not enabled', { ingredient_printing_data: [] }, 'ingredient_printing_data', /enabled/],
  ]
  it.each(refusals)('are refused with %s', async (_, fields, field, message = /./) => {
    const answer = await caller.post('products/create/', { ...leastProduct, ...fields })
    expect(answer).toMatchObject({ status: 400, body: { [field]: [textLike(message)] } })
    if (answer.status === 400) expect(Object.keys(z.looseObject({}).parse(answer.body))).toEqual([field])
  })

  it('report all wrong fields at once', async () => {
    const answer = await caller.post('products/create/', { usage: 'X', variety: 'Y' })
    expect(Object.keys(z.looseObject({}).parse(answer.body)).sort()).toEqual(
      ['name', 'package_size', 'product_type', 'usage', 'variety'].sort(),
    )
  })

  it('refuse printing data too deep to be written, and ignore unknown fields', async () => {
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
    const body = `{"name":"x","product_type":"WAX","package_size":{"value":1,"unit":"gram"},"brand_uuid":"${brands.missouri}","usage":`
    const headers = { 'Content-Type': 'application/json' }
    expect(await caller.send('POST', 'products/create/', headers, `${body}${deep}}`)).toMatchObject({ status: 400 })
    const printing = `${body}"R","ingredient_printing_data":${deep}}`
    expect(await caller.send('POST', 'products/create/', headers, printing)).toMatchObject({
      status: 400,
      body: { ingredient_printing_data: [textLike(/deep/)] },
    })
    expect(await detail(await create({ published_on: '2020-01-01', uuid: 'x', nonsense: 1 }))).toMatchObject({
      published_on: null,
    })
  })

  it('need servings and serving size if the type needs them', async () => {
    const message = ['This field is required for product_type GUMMY.']
    const gummy = { ...leastProduct, product_type: 'GUMMY' }
    expect(await caller.post('products/create/', gummy)).toMatchObject({
      status: 400,
      body: { servings: message, serving_size: message },
    })
    const uuid = await create({ ...gummy, servings: '10', serving_size: { value: '5', unit: 'milligram' } })
    expect(await caller.put(`products/${uuid}/update/`, gummy)).toMatchObject({
      status: 400,
      body: { servings: message },
    })
    expect((await caller.patch(`products/${uuid}/update/`, { product_type: 'TEA' })).status).toBe(200)
    const flower = await create()
    expect(await caller.patch(`products/${flower}/update/`, { product_type: 'GUMMY', servings: '1' })).toMatchObject({
      status: 400,
      body: { serving_size: message },
    })
  })

  it('are changed partly by PATCH, and replaced by PUT', async () => {
    const uuid = await create(full)
    expect(await caller.patch(`products/${uuid}/update/`, { strain: 'Other', available_on: null })).toMatchObject({
      status: 200,
      body: { ...full, strain: 'Other', available_on: null },
    })
    expect((await caller.patch(`products/${uuid}/update/`, {})).status).toBe(200)
    const answer = await caller.put(`products/${uuid}/update/`, { ...leastProduct, name: 'Renamed', sku: 'SKU-2' })
    expect(answer).toMatchObject({
      status: 200,
      body: { name: 'Renamed', sku: 'SKU-2', strain: '', usage: '', description: '', serving_size: null },
    })
    expect(answer.body).toMatchObject({ brand: { uuid: brands.hudson } })
    expect(await detail(uuid)).toEqual(answer.body)
  })

  it('are replaced only with name, product type and package size, and not changed by a refused request', async () => {
    const uuid = await create(full)
    const before = await detail(uuid)
    const answer = await caller.put(`products/${uuid}/update/`, { sku: 'x' })
    expect(answer.status).toBe(400)
    expect(Object.keys(z.looseObject({}).parse(answer.body)).sort()).toEqual(['name', 'package_size', 'product_type'])
    for (const [, fields] of refusals) {
      const [name] = Object.keys(fields)
      if (name !== undefined && fields[name] === undefined) continue
      expect((await caller.patch(`products/${uuid}/update/`, fields)).status).toBe(400)
    }
    expect(await detail(uuid)).toEqual(before)
  })

  it('keep their brand, whatever an update says', async () => {
    const uuid = await create()
    await caller.patch(`products/${uuid}/update/`, { brand_uuid: brands.missouri })
    await caller.put(`products/${uuid}/update/`, { ...leastProduct, brand_uuid: brands.ironbound })
    expect(await detail(uuid)).toMatchObject({ brand: { uuid: brands.hudson } })
  })

  it('hide the fields that their flags name, in both versions', async () => {
    const uuid = await create({ allergen_statement: 'Nuts', special_diet_statement: 'Vegan' })
    expect(await detail(uuid)).toMatchObject({ allergen_statement: 'Nuts', special_diet_statement: 'Vegan' })
    await caller.patch(`products/${uuid}/update/`, { hide_allergens_display: true, hide_special_diets: true })
    const retail = await (await callerOf(service, shop)).get(`products/${uuid}/`)
    for (const body of [await detail(uuid), retail.body]) {
      expect(body).toMatchObject({ allergen: [], special_diet: [] })
      expect(body).not.toHaveProperty('allergen_statement')
      expect(body).not.toHaveProperty('special_diet_statement')
      expect(body).not.toHaveProperty('hide_special_diets')
    }
    await caller.patch(`products/${uuid}/update/`, { hide_allergens_display: false })
    expect(await detail(uuid)).toMatchObject({ allergen_statement: 'Nuts' })
  })
})

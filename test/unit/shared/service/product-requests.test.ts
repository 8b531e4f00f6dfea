import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  Chemotype,
  ContainerType,
  portionedProductTypes,
  PotencyUnit,
  ProductType,
  productTypes,
  SizeUnit,
  TextUsage,
  Usage,
  Variety,
} from '../../../../src-shared/service/allowed-values'
import { TextAssetCreate } from '../../../../src-shared/service/assets'
import {
  ProductCreate,
  ProductPatch,
  ProductUpdate,
  missingPortions,
} from '../../../../src-shared/service/product-requests'
import { thing } from '../../../fakes/ids'
import { long } from '../../../fixtures/wire'

const size = { name: '', value: '3.5', unit: 'gram' }
const flower = { name: 'Blue Dune', product_type: 'FLOWER', package_size: size }

/** The paths of the faults in a body. */
const wrongIn = (schema: z.ZodType, body: object) =>
  schema.safeParse(body).error?.issues.map((issue) => issue.path.join('.')) ?? []

describe('the allowed values', () => {
  it('are as many as the specification lists', () => {
    const lists = { SizeUnit, PotencyUnit, Usage, Variety, Chemotype, ContainerType, TextUsage, ProductType }
    const counts = Object.entries(lists).map(([name, schema]) => [name, schema.options.length])
    expect(Object.fromEntries(counts)).toEqual({
      SizeUnit: 6,
      PotencyUnit: 11,
      Usage: 2,
      Variety: 11,
      Chemotype: 9,
      ContainerType: 9,
      TextUsage: 4,
      ProductType: 105,
    })
    expect(new Set(productTypes).size).toBe(105)
    expect(new Set(portionedProductTypes).size).toBe(34)
  })

  it.each([
    ['usage', Usage.options],
    ['variety', Variety.options],
    ['chemotype', Chemotype.options],
    ['container_type', ContainerType.options],
    ['product_type', productTypes],
  ])('of %s are all accepted, and no other value', (field, options: readonly string[]) => {
    const portions = { servings: '1', serving_size: size }
    for (const value of options) expect(wrongIn(ProductCreate, { ...flower, ...portions, [field]: value })).toEqual([])
    for (const value of ['', 'nonsense', `${options[0]} `, null]) {
      expect(wrongIn(ProductCreate, { ...flower, ...portions, [field]: value })).toEqual([field])
    }
  })

  it.each([
    ['package_size', SizeUnit.options],
    ['serving_size', SizeUnit.options],
    ['expected_total_cbd', PotencyUnit.options],
    ['expected_total_thc', PotencyUnit.options],
  ])('of the unit of %s are all accepted, and no other value', (field, units: readonly string[]) => {
    for (const unit of units) expect(wrongIn(ProductCreate, { ...flower, [field]: { ...size, unit } })).toEqual([])
    for (const unit of ['kilogram', 'Gram', '', undefined]) {
      expect(wrongIn(ProductCreate, { ...flower, [field]: { ...size, unit } })).toEqual([`${field}.unit`])
    }
  })

  it.each(['20:1', '20 : 1', '20: 1', '20 :1', '0.5:12.25'])('accept the ratio "%s"', (thc_cbd_ratio) => {
    expect(wrongIn(ProductCreate, { ...flower, thc_cbd_ratio })).toEqual([])
  })

  it.each(['20  :1', '20:  1', ' 20:1', '20:1 ', '20\t:1', '20', ':', '1:2:3', '', 'high:low'])(
    'refuse the ratio "%s"',
    (thc_cbd_ratio) => {
      expect(wrongIn(ProductCreate, { ...flower, thc_cbd_ratio })).toEqual(['thc_cbd_ratio'])
    },
  )

  it('of the usage of a text asset are accepted, other values are not', () => {
    const text = { name: 'About', content: 'Grown by the river.' }
    for (const usage of TextUsage.options) expect(wrongIn(TextAssetCreate, { ...text, usage })).toEqual([])
    expect(wrongIn(TextAssetCreate, { ...text, usage: 'poem' })).toEqual(['usage'])
  })
})

describe('a product request', () => {
  it.each([
    ['create', ProductCreate],
    ['update', ProductUpdate],
  ])('to %s requires only a name, a type and a package size', (_, schema) => {
    expect(wrongIn(schema, flower)).toEqual([])
    expect(wrongIn(schema, {})).toEqual(['name', 'product_type', 'package_size'])
    expect(wrongIn(schema, { ...flower, name: '   ' })).toEqual(['name'])
  })

  it.each(portionedProductTypes)('for a %s requires servings and a serving size', (product_type) => {
    const edible = { ...flower, product_type }
    expect(wrongIn(ProductCreate, edible)).toEqual(['servings', 'serving_size'])
    expect(wrongIn(ProductUpdate, { ...edible, servings: '10' })).toEqual(['serving_size'])
    expect(wrongIn(ProductCreate, { ...edible, servings: '10', serving_size: size })).toEqual([])
    // A patch contains only the changes; the service checks the result as a whole.
    expect(wrongIn(ProductPatch, { product_type })).toEqual([])
  })

  it.each(productTypes.filter((type) => !portionedProductTypes.some((one) => one === type)))(
    'for a %s requires no servings',
    (product_type) => {
      expect(missingPortions({ product_type })).toEqual([])
    },
  )

  it("may change any single field and omit all others, but can't change the brand", () => {
    expect(wrongIn(ProductPatch, {})).toEqual([])
    expect(wrongIn(ProductPatch, { name: 'New' })).toEqual([])
    for (const schema of [ProductPatch, ProductUpdate]) {
      expect(schema.safeParse({ ...flower, brand_uuid: long.thing(1) }).error?.issues[0]?.code).toBe(
        'unrecognized_keys',
      )
    }
  })

  it('clears only dates and numbers with null', () => {
    const taken = { available_on: null, discontinued_on: null, pieces_per_package: null }
    expect(wrongIn(ProductPatch, taken)).toEqual([])
    expect(wrongIn(ProductPatch, { sku: null, description: null, name: null })).toEqual(['name', 'sku', 'description'])
  })

  it.each([
    ['servings', 10],
    ['servings', 'ten'],
    ['available_on', '10/01/2026'],
    ['available_on', '2026-02-30'],
    ['pieces_per_package', 1.5],
    ['pieces_per_package', -1],
    ['hide_special_diets', 'yes'],
    ['photo_primary', 'not base64!'],
    ['photo_primary', ''],
    ['photo_primary_asset_uuid', thing(1)],
    ['upc', 'x'.repeat(256)],
    ['package_size', '3.5 gram'],
  ])('refuses %s %j', (field, value) => {
    expect(wrongIn(ProductCreate, { ...flower, [field]: value })).toEqual([field])
  })

  it('refuses a measure with an extra field or a value that is not a number', () => {
    const of = (more: object) => wrongIn(ProductCreate, { ...flower, package_size: { ...size, ...more } })
    expect(of({ more: 1 })).toEqual(['package_size'])
    for (const value of ['', 'much', '-1', -1, '1e3', Number.NaN]) expect(of({ value })).toEqual(['package_size.value'])
    for (const value of ['3.5', '0', 3.5, 0]) expect(of({ value })).toEqual([])
  })

  it('trims a line, and keeps HTML unchanged', () => {
    const sent = { ...flower, name: ' Blue Dune ', description: ' <p>x</p>\n' }
    expect(ProductCreate.parse(sent)).toMatchObject({ name: 'Blue Dune', description: ' <p>x</p>\n' })
  })

  it('reads ids into the short form, and writes them in the long form', () => {
    const request = ProductCreate.parse({ ...flower, brand_uuid: long.thing(1) })
    expect(request.brand_uuid).toBe(thing(1))
    expect(z.encode(ProductCreate, request).brand_uuid).toBe(long.thing(1))
  })
})

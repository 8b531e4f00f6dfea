import fc from 'fast-check'
import {
  Chemotype,
  ContainerType,
  isPortioned,
  PotencyUnit,
  productTypes,
  SizeUnit,
  TextUsage,
  Usage,
  Variety,
} from '../../../../src-shared/service/allowed-values'
import type { BatchCreate, BatchUpdate, PackagedProductCreate } from '../../../../src-shared/service/batches'
import type { ProductCreate, ProductPatch } from '../../../../src-shared/service/product-requests'
import { shortId } from '../values'
import { brands, coas, products } from '../world-catalogue'

/** Any text that can be stored: every script and symbol, but no NUL and no half of a pair. */
const text = (maxLength: number, minLength = 0) =>
  fc
    .string({ unit: 'binary', maxLength, minLength })
    .map((some) => some.replaceAll('\0', '').trim().slice(0, maxLength))
    .filter((some) => some.isWellFormed() && some.length >= minLength)

export const line = text(40)
/** A text that says something. Not dots alone: those are no segment of an address. */
export const name = text(40, 1).filter((some) => !/^\.{1,2}$/.test(some))
const longText = text(120, 1)

const day = fc
  .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))
const offset = fc.oneof(
  fc.constant('Z'),
  fc
    .tuple(fc.constantFrom('+', '-'), fc.integer({ min: 0, max: 13 }), fc.constantFrom('00', '30', '45'))
    .map(([sign, hours, minutes]) => `${sign}${String(hours).padStart(2, '0')}:${minutes}`),
)
/** ISO 8601, with fractions of any length and any offset. */
export const moment = fc
  .tuple(
    fc.date({ min: new Date('1900-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }),
    fc.constantFrom('', '.1', '.123', '.123456'),
    offset,
  )
  .map(([date, fraction, zone]) => `${date.toISOString().slice(0, 19)}${fraction}${zone}`)

const numberText = fc
  .tuple(fc.nat(99_999), fc.option(fc.nat(999), { nil: undefined }))
  .map(([whole, part]) => (part === undefined ? String(whole) : `${whole}.${part}`))
const measure = <Unit extends string>(units: readonly Unit[]) =>
  fc.record(
    {
      name: line,
      value: fc.oneof(numberText, fc.double({ min: 0, max: 1e9, noNaN: true }).map(Math.abs)),
      unit: fc.constantFrom(...units),
    },
    { requiredKeys: ['value', 'unit'] },
  )
const size = measure(SizeUnit.options)
const ratio = fc.tuple(numberText, fc.constantFrom(':', ' : ', ' :', ': '), numberText).map((parts) => parts.join(''))

const optional = {
  sku: line,
  label_name: line,
  container_type: fc.constantFrom(...ContainerType.options),
  available_on: fc.option(day),
  discontinued_on: fc.option(day),
  usage: fc.constantFrom(...Usage.options),
  variety: fc.constantFrom(...Variety.options),
  strain: line,
  chemotype: fc.constantFrom(...Chemotype.options),
  product_line: line,
  upc: line,
  barcode: line,
  expected_total_cbd: measure(PotencyUnit.options),
  expected_total_thc: measure(PotencyUnit.options),
  thc_cbd_ratio: ratio,
  product_packaging_approval_number: line,
  additional_ingredients: longText,
  pieces_per_package: fc.option(fc.nat(2_147_483_647)),
  allergen_statement: line,
  special_diet_statement: line,
  description: fc
    .string({ unit: 'binary', maxLength: 200 })
    .filter((some) => some.isWellFormed() && !some.includes('\0')),
}
const portions = { servings: numberText, serving_size: size }

/** Of the brand in Missouri, which may have every field. Products that need portions have them. */
export const productCreate: fc.Arbitrary<ProductCreate> = fc
  .record(
    { name, product_type: fc.constantFrom(...productTypes), package_size: size, ...optional, ...portions },
    { requiredKeys: ['name', 'product_type', 'package_size', 'servings', 'serving_size'] },
  )
  .map(({ servings, serving_size, ...rest }) => ({
    ...rest,
    ...(isPortioned(rest.product_type) ? { servings, serving_size } : {}),
    brand_uuid: shortId(brands.mo),
  }))

/** Without a type: what a product needs depends on it. */
export const productPatch: fc.Arbitrary<ProductPatch> = fc.record(
  { name, package_size: size, ...optional, ...portions },
  { requiredKeys: [] },
)

const batchFields = { regulatory_id: line, produced_on: fc.option(moment) }
export const batchCreate: fc.Arbitrary<BatchCreate> = fc.record({ name, ...batchFields }, { requiredKeys: ['name'] })
export const batchUpdate: fc.Arbitrary<BatchUpdate> = fc.record({ name, ...batchFields }, { requiredKeys: [] })

export const packagedProduct: fc.Arbitrary<PackagedProductCreate> = fc.record(
  {
    product_uuid: fc.constantFrom(shortId(products.flower), shortId(products.gummies)),
    regulatory_id: fc.option(line),
    packaged_on: fc.option(day),
    digital_coa_uuids: fc.uniqueArray(fc.constantFrom(shortId(coas.batch), shortId(coas.package))),
  },
  { requiredKeys: ['product_uuid'] },
)

export const textAsset = fc.record(
  { name, content: longText, usage: fc.constantFrom(...TextUsage.options) },
  { requiredKeys: ['name', 'content'] },
)
export const fileBytes = fc.uint8Array({ minLength: 1, maxLength: 200 })

import type { z } from 'zod'
import type { ProductV15 } from '../../src-shared/service/products'
import { wireUuid } from '../../src-shared/service/wire-ids'
import type { ProductRecord } from '../catalogue/product-record'
import type { Parts } from '../http/context'
import { createBrands } from './brands'
import { type ProductFields, createProductFields } from './product-fields'

/** Products as `/api/v1.5` shows them: ids in long form, codes as requests carry them. Spec: Product. */
export function createProductsV15(parts: Parts) {
  const { brandsV15 } = createBrands(parts)
  const productFields = createProductFields(parts)

  const payload = ({ record, common }: ProductFields) =>
    ({
      ...common,
      uuid: wireUuid(record.uuid),
      brand_uuid: wireUuid(record.brand_uuid),
      label_type: record.label_type,
      product_type: record.product_type,
      usage: record.usage ?? '',
      variety: record.variety ?? '',
      tests_description: record.tests_description,
      dosages: record.dosages.map(dosage),
      is_published: record.published_on !== null,
    }) satisfies z.input<typeof ProductV15>

  const products = (uuids: readonly string[]) => productFields(uuids).map(payload)

  return {
    /** As inside batches. */
    products,
    /** As inside a CaseID detail: with its effects, by name. */
    inCase: (uuids: readonly string[]) =>
      productFields(uuids).map((fields) => ({
        ...payload(fields),
        positive_effects: fields.record.positive_effects.map(({ name }) => name),
        negative_effects: fields.record.negative_effects.map(({ name }) => name),
        medical_uses: fields.record.medical_uses.map(({ name }) => name),
      })),
    /** As alone, with its brand. */
    detail: (record: ProductRecord) => {
      const [product] = products([record.uuid])
      const [brand] = brandsV15([record.brand_uuid])
      return { ...product, brand }
    },
  }
}

/** The unit is one word here: the form that goes with the quantity. */
const dosage = ({ quantity_unit, ...rest }: ProductRecord['dosages'][number]) => ({
  ...rest,
  quantity_unit: rest.quantity === 1 ? quantity_unit.singular : quantity_unit.multiple,
})

/** An entry of the list of products. Spec: Product, "List item (v1.5)". */
export const productEntry = (record: ProductRecord) => ({
  uuid: wireUuid(record.uuid),
  name: record.name,
  sku: record.sku,
  product_type: record.product_type,
  is_published: record.published_on !== null,
  brand_uuid: wireUuid(record.brand_uuid),
})

import { productTypeName, usageName, varietyName } from '../data/codes'
import type { Parts } from '../http/context'
import { createBrands } from './brands'
import { type ProductFields, createProductFields } from './product-fields'

/** Products and brands as `/api/v1.2` shows them: codes by their names. Spec: Product, Brand. */
export function createProducts(parts: Parts) {
  const { brands } = createBrands(parts)
  const productFields = createProductFields(parts)

  const payload = ({ record, common }: ProductFields) => ({
    ...common,
    product_type: productTypeName(record.product_type),
    usage: usageName(record.usage),
    variety: record.variety === null ? '' : varietyName(record.variety),
    dosages: record.dosages,
    added_on: record.added_on,
    shelf_life: record.shelf_life,
    positive_effects: record.positive_effects,
    negative_effects: record.negative_effects,
    medical_uses: record.medical_uses,
    is_hidden: record.is_hidden,
  })

  return { products: (uuids: readonly string[]) => productFields(uuids).map(payload), brands }
}

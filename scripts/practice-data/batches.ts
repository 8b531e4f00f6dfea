import { coaUuid } from './coas'
import { id, packageTag } from './ids'
import { products } from './products'

/** One batch of each product, and the product packaged from it. */

const flowerTypes = ['FLOWER', 'PRE_ROLLS', 'PRE_GROUND']
const methods: Record<string, string> = {
  VAPE: 'Hydrocarbon, live resin',
  DISPOSABLE_VAPE: 'CO2 distillation',
  LIVE_ROSIN: 'Ice water and rosin press',
  LIVE_DIAMONDS_AND_SAUCE: 'Hydrocarbon',
}

export const packagedProductUuid = (sku: string) => id('packaged product', sku)
export const batchUuid = (sku: string) => id('batch', sku)

/** The SKU that is past its use-by date. */
const pastUseBy = 'IB-NS-05'

/** Package tags 1 to 99 are for deliveries; packaged products have tags from 101. */
const firstPackage = 101

export const batches = products.map((product, index) => ({
  uuid: batchUuid(product.sku),
  name: `${product.sku.replaceAll('-', '')}-260${String(index + 11)}`,
  brand_uuid: product.brand_uuid,
  regulatory_id: packageTag(firstPackage + index),
  produced_on: '2026-08-18T10:00:00Z',
  updated_on: '2026-09-10T16:00:00Z',
  harvested_on: flowerTypes.includes(product.product_type) ? '2026-07-21' : null,
  extraction_method: methods[product.product_type] ?? '',
  solvents: product.product_type === 'LIVE_DIAMONDS_AND_SAUCE' || product.product_type === 'VAPE' ? 'Butane' : '',
  digital_coa_uuids: [coaUuid(product.sku)],
  packaged_products: [
    {
      uuid: packagedProductUuid(product.sku),
      product_uuid: product.uuid,
      regulatory_id: packageTag(firstPackage + index),
      packaged_on: '2026-09-02',
      use_by: product.sku === pastUseBy ? '2026-03-01' : '2028-09-01',
      digital_coa_uuids: [coaUuid(product.sku)],
    },
  ],
}))

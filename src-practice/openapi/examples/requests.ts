import { identifier, ids, moment, packageUid, short } from './catalogue'

const product = {
  name: 'Blue Dune 3.5 g',
  product_type: 'FLOWER',
  package_size: { name: 'Net weight', value: '3.5', unit: 'gram' },
  usage: 'R',
  variety: 'HYB',
  thc_cbd_ratio: '20 : 1',
}
const asset = { uuid: ids.asset }
const packaged = { regulatory_id: '1A40E0300000D51000000411', packaged_on: '2026-09-12', digital_coa_uuids: [ids.coa] }
const sale = { performed_at: '2026-11-02T10:15:00-05:00', order_id: '10482', budtender_id: 'B-7' }
const addCase = { case_uuid: short('case'), packaged_product_uuid: short('packaged') }

/** A body for every endpoint that takes one, by name of the operation. */
export const requestExamples: Record<string, unknown> = {
  'v15.products.create': { ...product, brand_uuid: ids.brand, description: '<p>Citrus and pine.</p>' },
  'v15.products.replace': product,
  'v15.products.change': { discontinued_on: '2026-12-31' },
  'v15.products.addSupplementalPhoto': asset,
  'v15.products.addVideo': asset,
  'v15.products.addDocument': asset,
  'v15.products.removeSupplementalPhoto': asset,
  'v15.products.removeVideo': asset,
  'v15.products.removeDocument': asset,
  'v15.batches.create': { name: 'BD-2026-09', produced_on: moment, brand_uuid: ids.brand },
  'v15.batches.update': { regulatory_id: '1A40E0300000D51000000400' },
  'v15.packagedProducts.create': { product_uuid: ids.product, ...packaged },
  'v15.packagedProducts.replace': { product_uuid: ids.product, ...packaged },
  'v15.packagedProducts.change': { packaged_on: '2026-09-13' },
  'v15.collections.addItems': [ids.tag],
  'v15.collections.addCase': { case_uuid: ids.case, packaged_product_uuid: ids.packaged },
  'v15.assets.create': { name: 'Blue Dune', content: '<p>Citrus and pine.</p>', usage: 'description' },
  'v12.collections.addCase': addCase,
  'v12.cases.addItems': [short('tag')],
  'v12.imports.create': {
    ...addCase,
    pos_product_id: 'POS-118',
    pos_inventory_id: 'INV-2204',
    package_uid: packageUid,
    sku: 'HF-BD-35',
  },
  'v12.imports.remove': { ...addCase, package_uid: packageUid },
  'v12.transactions.complete': { ...sale, items: [short('tag')], customer_id: 'C-91' },
  'v12.transactions.void': sale,
  'v12.transactions.return': { ...sale, items: [short('tag')] },
}

/** Values of path parameters. */
export const parameterExamples: Record<string, string> = {
  identifier,
  package_uid: packageUid,
  asset_type: 'texts',
  collection_type: 'case',
}

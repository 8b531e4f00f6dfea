import { batch, batchDetail, brand, coa, packagedProduct, product } from './catalogue'
import { ids, packageUid, short } from './ids'
import {
  added,
  caseDetail,
  caseDetailV12,
  collection,
  collectionV12,
  item,
  itemV12,
  itemWithRemoved,
  packageCases,
  productV12,
  removedCollection,
  removedTagIds,
} from './traceability'

const page = (entry: unknown, path: string) => ({
  count: 61,
  next: `https://service.example${path}?page=3`,
  previous: `https://service.example${path}?page=1`,
  results: [entry],
})
const entry = {
  uuid: ids.product,
  name: product.name,
  sku: product.sku,
  product_type: product.product_type,
  is_published: true,
  brand_uuid: ids.brand,
}
const asset = { uuid: ids.asset, name: 'Blue Dune', content: '<p>Citrus and pine.</p>', usage: 'description' }
const imported = { case_uuid: short('case'), packaged_product_uuid: short('packaged'), package_uid: packageUid }

/** What success looks like, by the name of the operation. */
export const answerExamples: Record<string, unknown> = {
  'v15.brands.list': [{ uuid: ids.brand, name: brand.name, state: brand.state }],
  'v15.brands.get': brand,
  'v15.products.list': page(entry, '/api/v1.5/products/'),
  'v15.products.get': product,
  'v15.products.create': product,
  'v15.products.replace': product,
  'v15.products.change': product,
  'v15.batches.list': page(batch, '/api/v1.5/batches/'),
  'v15.batches.get': batchDetail,
  'v15.batches.create': batch,
  'v15.batches.update': batch,
  'v15.packagedProducts.create': packagedProduct,
  'v15.packagedProducts.replace': packagedProduct,
  'v15.packagedProducts.change': packagedProduct,
  'v15.digitalCoas.get': coa,
  'v15.collections.get': collection,
  'v15.collections.getCase': caseDetail,
  'v15.collections.addItems': added,
  'v15.collections.addCase': added,
  'v15.collections.listRemoved': [removedCollection],
  'v15.collections.listRemovedOfType': [removedCollection],
  'v15.collections.listRemovedTagIds': removedTagIds,
  'v15.items.get': item,
  'v15.items.removedCollections': itemWithRemoved,
  'v15.assets.list': page(asset, '/api/v1.5/assets/texts/'),
  'v15.assets.get': asset,
  'v15.assets.create': asset,
  'v12.collections.get': collectionV12,
  'v12.collections.addCase': collectionV12,
  'v12.cases.get': caseDetailV12,
  'v12.cases.addItems': collectionV12,
  'v12.products.get': productV12,
  'v12.items.get': itemV12,
  'v12.imports.create': imported,
  'v12.imports.remove': imported,
  'v12.packageUids.cases': packageCases,
  'v12.transactions.complete': { status: 'success', request_id: ids.asset },
  'v12.transactions.void': { status: 'success', request_id: ids.asset },
  'v12.transactions.return': { status: 'success', request_id: ids.asset },
}

import { Asset, AssetPage, FileAssetCreate, ImageAssetCreate, TextAssetCreate, VideoAssetCreate } from './assets'
import { BatchCreate, BatchDetail, BatchPage, BatchUpdate, BatchV15 } from './batches'
import { BrandList, BrandV15 } from './brands'
import { DigitalCoaV15 } from './coas'
import {
  AddCaseV15,
  AddItemsV15,
  CaseDetailV15,
  CollectionV15,
  RemovedCollections,
  RemovedTagIds,
} from './collections-v15'
import { Nothing, command, read, write } from './endpoint'
import { ItemV15, ItemWithRemovedCollections } from './items'
import { PackagedProductCreate, PackagedProductUpdate, PackagedProductV15 } from './packaged-products'
import { AssetReference, ProductCreate, ProductPatch, ProductUpdate } from './product-requests'
import { ProductPage, ProductV15 } from './products'

const attach = <const Path extends string>(path: Path) => write('POST', path, AssetReference, Nothing, false)

/** Every endpoint of `/api/v1.5`, by resource; uses tokens of the sourcing product. Spec: Endpoints. */
export const endpointsV15 = {
  brands: {
    list: read('/api/v1.5/brands/', BrandList),
    get: read('/api/v1.5/brands/<uuid>/', BrandV15),
  },
  products: {
    list: read('/api/v1.5/products/', ProductPage),
    get: read('/api/v1.5/products/<uuid>/', ProductV15),
    create: write('POST', '/api/v1.5/products/create/', ProductCreate, ProductV15, false),
    replace: write('PUT', '/api/v1.5/products/<uuid>/update/', ProductUpdate, ProductV15, false),
    change: write('PATCH', '/api/v1.5/products/<uuid>/update/', ProductPatch, ProductV15, false),
    publish: command('POST', '/api/v1.5/products/<uuid>/publish/'),
    unpublish: command('POST', '/api/v1.5/products/<uuid>/unpublish/'),
    addSupplementalPhoto: attach('/api/v1.5/products/<product-uuid>/supplemental-photos/'),
    addVideo: attach('/api/v1.5/products/<product-uuid>/videos/'),
    addDocument: attach('/api/v1.5/products/<product-uuid>/documents/'),
    removeSupplementalPhoto: attach('/api/v1.5/products/<product-uuid>/supplemental-photos/delete/'),
    removeVideo: attach('/api/v1.5/products/<product-uuid>/videos/delete/'),
    removeDocument: attach('/api/v1.5/products/<product-uuid>/documents/delete/'),
  },
  batches: {
    list: read('/api/v1.5/batches/', BatchPage),
    get: read('/api/v1.5/batches/<uuid>/', BatchDetail),
    create: write('POST', '/api/v1.5/batches/create/', BatchCreate, BatchV15),
    update: write('PUT', '/api/v1.5/batches/<uuid>/update/', BatchUpdate, BatchV15),
  },
  packagedProducts: {
    create: write('POST', '/api/v1.5/batches/<uuid>/packaged-products/', PackagedProductCreate, PackagedProductV15),
    replace: write(
      'PUT',
      '/api/v1.5/batches/<batch_uuid>/packaged-products/<packaged_product_uuid>/update/',
      PackagedProductUpdate,
      PackagedProductV15,
    ),
    change: write(
      'PATCH',
      '/api/v1.5/batches/<batch_uuid>/packaged-products/<packaged_product_uuid>/update/',
      PackagedProductUpdate,
      PackagedProductV15,
    ),
    delete: command('DELETE', '/api/v1.5/batches/<batch_uuid>/packaged-products/<packaged_product_uuid>/delete/'),
  },
  digitalCoas: { get: read('/api/v1.5/digital_coas/<uuid>/', DigitalCoaV15) },
  collections: {
    get: read('/api/v1.5/collections/<uuid>/', CollectionV15),
    getCase: read('/api/v1.5/collections/case/<uuid>/', CaseDetailV15),
    addItems: write('POST', '/api/v1.5/collections/case/<uuid>/add-items/', AddItemsV15, CollectionV15),
    addCase: write('POST', '/api/v1.5/collections/regulator/<identifier>/add-case/', AddCaseV15, CollectionV15),
    remove: command('DELETE', '/api/v1.5/collections/<uuid>/remove/'),
    restore: command('PUT', '/api/v1.5/collections/<identifier>/restore/'),
    listRemoved: read('/api/v1.5/removed-collections/', RemovedCollections),
    listRemovedOfType: read('/api/v1.5/removed-collections/<collection_type>/', RemovedCollections),
    removeTagId: command('DELETE', '/api/v1.5/collections/<collection_uuid>/tag-ids/<tagid_uuid>/remove/'),
    // Changes data although it is a GET: the specification defines it so.
    restoreTagId: command('GET', '/api/v1.5/collections/<collection_uuid>/tag-ids/<tagid_uuid>/restore/'),
    listRemovedTagIds: read('/api/v1.5/collections/<uuid>/removed-tag-ids/', RemovedTagIds),
  },
  items: {
    get: read('/api/v1.5/items/<uuid>/', ItemV15),
    removedCollections: read('/api/v1.5/tag-ids/<uuid>/removed-collections/', ItemWithRemovedCollections),
  },
  assets: {
    list: read('/api/v1.5/assets/<asset_type>/', AssetPage),
    get: read('/api/v1.5/assets/<asset_type>/<asset_uuid>/', Asset),
    createText: write('POST', '/api/v1.5/assets/texts/create/', TextAssetCreate, Asset),
    createImage: write('POST', '/api/v1.5/assets/images/create/', ImageAssetCreate, Asset),
    createVideo: write('POST', '/api/v1.5/assets/videos/create/', VideoAssetCreate, Asset),
    createFile: write('POST', '/api/v1.5/assets/files/create/', FileAssetCreate, Asset),
    deleteText: command('DELETE', '/api/v1.5/assets/text/<asset_uuid>/delete/'),
  },
} as const

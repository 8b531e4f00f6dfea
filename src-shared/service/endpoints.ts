import { z } from 'zod'
import { Asset, AssetPage, FileAssetCreate, ImageAssetCreate, TextAssetCreate, VideoAssetCreate } from './assets'
import {
  BatchCreate,
  BatchDetail,
  BatchPage,
  BatchUpdate,
  BatchV15,
  PackagedProductCreate,
  PackagedProductUpdate,
  PackagedProductV15,
} from './batches'
import { BrandList, BrandV15 } from './brands'
import { DigitalCoaV15 } from './coas'
import { AddCase, AddItems, CaseDetail, Collection } from './collections'
import {
  AddCaseV15,
  AddItemsV15,
  CaseDetailV15,
  CollectionV15,
  RemovedCollections,
  RemovedTagIds,
} from './collections-v15'
import { ImportAnswer, ImportRemovalAnswer, ImportRemovalRequest, ImportRequest, PackageCases } from './imports'
import { Item, ItemV15, ItemWithRemovedCollections } from './items'
import { AssetReference, ProductCreate, ProductPatch, ProductUpdate } from './product-requests'
import { Product, ProductPage, ProductV15 } from './products'
import { CompleteRequest, ReturnRequest, TransactionAnswer, VoidRequest } from './transactions'

/**
 * One endpoint: its path, method and schemas. The client's methods and the OpenAPI document derive from the two tables
 * below.
 */
export interface Endpoint<
  Path extends string = string,
  Request extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The path with its parameters, as in the specification: `/api/v1.5/brands/<uuid>/`. */
  path: Path
  /** The JSON body; `Nothing` if there is none. */
  request: Request
  /** The body of a success; `Nothing` if there is none or it carries no information. */
  answer: Answer
  /** False if the specification does not show the body of a success: then any body or none is accepted. */
  isShown: boolean
  success: 200 | 204
}

/** No body. */
export const Nothing = z.null()

/** A value for each parameter of a path, in order. */
export type PathValues<Path extends string> = Path extends `${string}<${string}>${infer Rest}`
  ? readonly [string, ...PathValues<Rest>]
  : readonly []

type ReadEndpoint<Path extends string, Answer extends z.ZodType> = Endpoint<Path, typeof Nothing, Answer>

/** A read of a list or a single resource. */
const read = <const Path extends string, Answer extends z.ZodType>(
  path: Path,
  answer: Answer,
): ReadEndpoint<Path, Answer> => ({
  method: 'GET',
  path,
  request: Nothing,
  answer,
  isShown: true,
  success: 200,
})

/** A request with a body. */
const write = <const Path extends string, Request extends z.ZodType, Answer extends z.ZodType>(
  method: 'POST' | 'PUT' | 'PATCH',
  path: Path,
  request: Request,
  answer: Answer,
  isShown = true,
): Endpoint<Path, Request, Answer> => ({ method, path, request, answer, isShown, success: 200 })

/** A request without a body, and without information in its success. */
const command = <const Path extends string>(
  method: Endpoint['method'],
  path: Path,
): Endpoint<Path, typeof Nothing, typeof Nothing> => ({
  method,
  path,
  request: Nothing,
  answer: Nothing,
  isShown: false,
  success: method === 'DELETE' ? 204 : 200,
})

/** Every endpoint of `/api/v1.2`, by resource; uses tokens of the retail product. Spec: v1.2 endpoints. */
export const endpointsV12 = {
  collections: {
    get: read('/api/v1.2/collections/<identifier>/', Collection),
    addCase: write('POST', '/api/v1.2/collections/regulator/<identifier>/add-case/', AddCase, Collection),
  },
  cases: {
    get: read('/api/v1.2/collections/case/<uuid>/', CaseDetail),
    addItems: write('POST', '/api/v1.2/collections/case/<uuid>/add-items/', AddItems, Collection),
  },
  products: { get: read('/api/v1.2/products/<uuid>/', Product) },
  items: { get: read('/api/v1.2/items/<uuid>/', Item) },
  imports: {
    create: write('POST', '/api/v1.2/caseids/import/', ImportRequest, ImportAnswer),
    remove: write('POST', '/api/v1.2/caseids/import/remove/', ImportRemovalRequest, ImportRemovalAnswer, false),
  },
  packageUids: { cases: read('/api/v1.2/package-uids/<package_uid>/caseids/', PackageCases) },
  transactions: {
    complete: write('POST', '/api/v1.2/transactions/complete/', CompleteRequest, TransactionAnswer, false),
    void: write('POST', '/api/v1.2/transactions/void/', VoidRequest, TransactionAnswer, false),
    return: write('POST', '/api/v1.2/transactions/return/', ReturnRequest, TransactionAnswer, false),
  },
} as const

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

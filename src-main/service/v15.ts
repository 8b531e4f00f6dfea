import type { AssetType } from '../../src-shared/service/allowed-values'
import type {
  FileAssetCreate,
  ImageAssetCreate,
  TextAssetCreate,
  VideoAssetCreate,
} from '../../src-shared/service/assets'
import type {
  BatchCreate,
  BatchUpdate,
  PackagedProductCreate,
  PackagedProductUpdate,
} from '../../src-shared/service/batches'
import type { AddCaseV15, AddItemsV15 } from '../../src-shared/service/collections-v15'
import { endpointsV15 as endpoints } from '../../src-shared/service/endpoints'
import type {
  AssetReference,
  ProductCreate,
  ProductPatch,
  ProductUpdate,
} from '../../src-shared/service/product-requests'
import type { Requests } from './requests'

export type V15Client = ReturnType<typeof createV15>

/**
 * `/api/v1.5`, one method per endpoint, by resource. Ids are ShortUUIDs here and UUIDs on the wire. A change returns the
 * changed entity, or null if the service only confirmed. Spec: Endpoints.
 */
export function createV15({ read, list, write }: Requests) {
  return {
    brands: {
      list: () => read(endpoints.brands.list, []),
      get: (brandId: string) => read(endpoints.brands.get, [brandId]),
    },
    products: {
      list: () => list(endpoints.products.list, []),
      get: (productId: string) => read(endpoints.products.get, [productId]),
      create: (product: ProductCreate) => write(endpoints.products.create, [], product),
      /** PUT: the whole product. */
      replace: (productId: string, product: ProductUpdate) => write(endpoints.products.replace, [productId], product),
      /** PATCH: only the fields to change. */
      change: (productId: string, fields: ProductPatch) => write(endpoints.products.change, [productId], fields),
      publish: (productId: string) => write(endpoints.products.publish, [productId], null),
      unpublish: (productId: string) => write(endpoints.products.unpublish, [productId], null),
      addSupplementalPhoto: (productId: string, asset: AssetReference) =>
        write(endpoints.products.addSupplementalPhoto, [productId], asset),
      addVideo: (productId: string, asset: AssetReference) => write(endpoints.products.addVideo, [productId], asset),
      addDocument: (productId: string, asset: AssetReference) =>
        write(endpoints.products.addDocument, [productId], asset),
      removeSupplementalPhoto: (productId: string, asset: AssetReference) =>
        write(endpoints.products.removeSupplementalPhoto, [productId], asset),
      removeVideo: (productId: string, asset: AssetReference) =>
        write(endpoints.products.removeVideo, [productId], asset),
      removeDocument: (productId: string, asset: AssetReference) =>
        write(endpoints.products.removeDocument, [productId], asset),
    },
    batches: {
      list: () => list(endpoints.batches.list, []),
      get: (batchId: string) => read(endpoints.batches.get, [batchId]),
      create: (batch: BatchCreate) => write(endpoints.batches.create, [], batch),
      /** Omitted fields are not updated. */
      update: (batchId: string, fields: BatchUpdate) => write(endpoints.batches.update, [batchId], fields),
    },
    packagedProducts: {
      create: (batchId: string, packaged: PackagedProductCreate) =>
        write(endpoints.packagedProducts.create, [batchId], packaged),
      /** PUT. */
      replace: (batchId: string, packagedProductId: string, packaged: PackagedProductUpdate) =>
        write(endpoints.packagedProducts.replace, [batchId, packagedProductId], packaged),
      /** PATCH. */
      change: (batchId: string, packagedProductId: string, fields: PackagedProductUpdate) =>
        write(endpoints.packagedProducts.change, [batchId, packagedProductId], fields),
      delete: (batchId: string, packagedProductId: string) =>
        write(endpoints.packagedProducts.delete, [batchId, packagedProductId], null),
    },
    digitalCoas: { get: (coaId: string) => read(endpoints.digitalCoas.get, [coaId]) },
    collections: {
      /** By its uuid, or by its identifier. */
      get: (collectionId: string) => read(endpoints.collections.get, [collectionId]),
      getCase: (caseId: string) => read(endpoints.collections.getCase, [caseId]),
      addItems: (caseId: string, tagIds: AddItemsV15) => write(endpoints.collections.addItems, [caseId], tagIds),
      addCase: (regulatorIdentifier: string, body: AddCaseV15) =>
        write(endpoints.collections.addCase, [regulatorIdentifier], body),
      remove: (collectionId: string) => write(endpoints.collections.remove, [collectionId], null),
      restore: (identifier: string) => write(endpoints.collections.restore, [identifier], null),
      listRemoved: () => read(endpoints.collections.listRemoved, []),
      listRemovedOfType: (collectionType: string) => read(endpoints.collections.listRemovedOfType, [collectionType]),
      removeTagId: (collectionId: string, tagId: string) =>
        write(endpoints.collections.removeTagId, [collectionId, tagId], null),
      restoreTagId: (collectionId: string, tagId: string) =>
        write(endpoints.collections.restoreTagId, [collectionId, tagId], null),
      listRemovedTagIds: (collectionId: string) => read(endpoints.collections.listRemovedTagIds, [collectionId]),
    },
    items: {
      get: (tagId: string) => read(endpoints.items.get, [tagId]),
      removedCollections: (tagId: string) => read(endpoints.items.removedCollections, [tagId]),
    },
    assets: {
      list: (type: AssetType) => list(endpoints.assets.list, [type]),
      get: (type: AssetType, assetId: string) => read(endpoints.assets.get, [type, assetId]),
      createText: (asset: TextAssetCreate) => write(endpoints.assets.createText, [], asset),
      createImage: (asset: ImageAssetCreate) => write(endpoints.assets.createImage, [], asset),
      createVideo: (asset: VideoAssetCreate) => write(endpoints.assets.createVideo, [], asset),
      createFile: (asset: FileAssetCreate) => write(endpoints.assets.createFile, [], asset),
      deleteText: (assetId: string) => write(endpoints.assets.deleteText, [assetId], null),
    },
  }
}

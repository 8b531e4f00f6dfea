import type { z } from 'zod'
import {
  Asset,
  AssetPage,
  FileAssetCreate,
  ImageAssetCreate,
  TextAssetCreate,
  VideoAssetCreate,
} from '../../src-shared/service/assets'
import { Batch, BatchCreate, BatchDetail, BatchPage, BatchUpdate, BatchV15 } from '../../src-shared/service/batches'
import { Brand, BrandEntry, BrandV15 } from '../../src-shared/service/brands'
import { DigitalCoa, DigitalCoaV15 } from '../../src-shared/service/coas'
import * as collections from '../../src-shared/service/collections'
import * as collectionsV15 from '../../src-shared/service/collections-v15'
import { ImportAnswer, ImportRemovalRequest, ImportRequest } from '../../src-shared/service/imports'
import {
  Item,
  ItemCollection,
  ItemCollectionV15,
  ItemV15,
  ItemWithRemovedCollections,
} from '../../src-shared/service/items'
import { TestingLaboratory, TestingLaboratoryV15 } from '../../src-shared/service/laboratories'
import { BrandVideo, ImageSet, MediaObject } from '../../src-shared/service/media'
import { PackageCase, PackageCases } from '../../src-shared/service/package-uids'
import {
  PackagedProduct,
  PackagedProductCreate,
  PackagedProductUpdate,
  PackagedProductV15,
} from '../../src-shared/service/packaged-products'
import {
  AssetReference,
  PotencyMeasure,
  ProductCreate,
  ProductPatch,
  ProductUpdate,
  SizeMeasure,
} from '../../src-shared/service/product-requests'
import { ProductType } from '../../src-shared/service/product-types'
import { Product, ProductEntry, ProductPage, ProductV15 } from '../../src-shared/service/products'
import * as refusals from '../../src-shared/service/refusals'
import { Token, TokenRequest } from '../../src-shared/service/token'
import { CompleteRequest, ReturnRequest, VoidRequest } from '../../src-shared/service/transactions'
import { Measure } from '../../src-shared/service/wire'

/** The schemas that the OpenAPI document names; all others stand where they are used. */
export const components: Record<string, z.ZodType> = {
  Asset,
  AssetPage,
  TextAssetCreate,
  ImageAssetCreate,
  VideoAssetCreate,
  FileAssetCreate,
  Batch,
  BatchV15,
  BatchPage,
  BatchDetail,
  BatchCreate,
  BatchUpdate,
  Brand,
  BrandV15,
  BrandEntry,
  DigitalCoa,
  DigitalCoaV15,
  ...collections,
  ...collectionsV15,
  ImportRequest,
  ImportAnswer,
  ImportRemovalRequest,
  Item,
  ItemV15,
  ItemCollection,
  ItemCollectionV15,
  ItemWithRemovedCollections,
  TestingLaboratory,
  TestingLaboratoryV15,
  MediaObject,
  BrandVideo,
  ImageSet,
  Measure,
  SizeMeasure,
  PotencyMeasure,
  PackageCase,
  PackageCases,
  PackagedProduct,
  PackagedProductV15,
  PackagedProductCreate,
  PackagedProductUpdate,
  Product,
  ProductV15,
  ProductEntry,
  ProductPage,
  ProductCreate,
  ProductUpdate,
  ProductPatch,
  ProductType,
  AssetReference,
  ...refusals,
  Token,
  TokenRequest,
  CompleteRequest,
  VoidRequest,
  ReturnRequest,
}

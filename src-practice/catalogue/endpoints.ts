import type { Hono } from 'hono'
import type { Env, Parts } from '../http/context'
import { assetEndpoints } from '../resources/assets'
import { batchChangeEndpoints } from '../resources/batch-changes'
import { batchEndpoints } from '../resources/batches'
import { brandEndpoints } from '../resources/brands'
import { digitalCoaEndpoint } from '../resources/digital-coas'
import { packagedProductEndpoints } from '../resources/packaged-products'
import { productAttachmentEndpoints } from '../resources/product-attachments'
import { productChangeEndpoints } from '../resources/product-changes'
import { productPublishingEndpoints } from '../resources/product-publishing'
import { productsV15Endpoints } from '../resources/products-v15'

/**
 * The catalogue half of `/api/v1.5`. Where two addresses fit a request (`products/create/` and `products/<uuid>/`) the
 * one that is named here first answers: changes come before readings.
 */
export function catalogueEndpoints(app: Hono<Env>, parts: Parts): void {
  brandEndpoints(app, parts)
  productChangeEndpoints(app, parts)
  productPublishingEndpoints(app, parts)
  productAttachmentEndpoints(app, parts)
  productsV15Endpoints(app, parts)
  batchChangeEndpoints(app, parts)
  packagedProductEndpoints(app, parts)
  batchEndpoints(app, parts)
  digitalCoaEndpoint(app, parts)
  assetEndpoints(app, parts)
}

import type { Hono } from 'hono'
import type { Env, Parts } from '../http/context'
import { assetEndpoints, brandEndpoints } from '../resources/media'
import { batchChangeEndpoints, batchEndpoints, digitalCoaEndpoint } from '../resources/batches'
import {
  packagedProductEndpoints,
  productAttachmentEndpoints,
  productChangeEndpoints,
  productPublishingEndpoints,
  productsV15Endpoints,
} from '../resources/products'

/**
 * The catalogue endpoints of `/api/v1.5`. If two routes match a request (`products/create/` and `products/<uuid>/`),
 * the one registered first is used: writes come before reads.
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

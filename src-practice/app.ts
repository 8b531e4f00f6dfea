import { Hono } from 'hono'
import { notFound } from './http/endpoint'
import type { Env, Guard, Parts } from './http/context'
import {
  addCaseEndpoint,
  addItemsEndpoint,
  caseEndpoint,
  collectionEndpoint,
  collectionStateEndpoints,
  removedCollectionEndpoints,
  removedTagIdsEndpoint,
} from './resources/collections'
import { assetEndpoints, brandEndpoints, documentEndpoints, mediaEndpoint } from './resources/media'
import { batchChangeEndpoints, batchEndpoints, digitalCoaEndpoint } from './resources/batches'
import { importEndpoint, importRemovalEndpoint } from './resources/imports'
import { itemEndpoint, tagRemovedCollectionsEndpoint, tagStateEndpoints } from './resources/items'
import { packageUidEndpoint } from './resources/package-uids'
import {
  packagedProductEndpoints,
  productAttachmentEndpoints,
  productChangeEndpoints,
  productEndpoint,
  productPublishingEndpoints,
  productsV15Endpoints,
} from './resources/products'
import { tokenEndpoint } from './resources/token'
import { transactionEndpoints } from './resources/transactions'

/** The service: all resources on one app, behind the layer that simulates faults. */
export function createApp(parts: Parts, faultLayer: Guard): Hono<Env> {
  const app = new Hono<Env>()
  app.use(faultLayer)
  // If two routes match a request (`products/create/` and `products/<uuid>/`), the first one is used: writes come before
  // reads.
  tokenEndpoint(app, parts)
  itemEndpoint(app, parts)
  caseEndpoint(app, parts)
  collectionEndpoint(app, parts)
  addItemsEndpoint(app, parts)
  addCaseEndpoint(app, parts)
  collectionStateEndpoints(app, parts)
  removedCollectionEndpoints(app, parts)
  tagStateEndpoints(app, parts)
  removedTagIdsEndpoint(app, parts)
  tagRemovedCollectionsEndpoint(app, parts)
  productEndpoint(app, parts)
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
  packageUidEndpoint(app, parts)
  importEndpoint(app, parts)
  importRemovalEndpoint(app, parts)
  transactionEndpoints(app, parts)
  mediaEndpoint(app, parts)
  documentEndpoints(app, parts)
  app.notFound(notFound)
  app.onError((cause, c) => {
    // A client that disconnected is not an error; everything else here is a bug, and its request is answered 500.
    if (!c.env.incoming.socket.destroyed) process.stderr.write(`Practice service: ${cause.stack ?? cause.message}\n`)
    return c.body(null, 500)
  })
  return app
}

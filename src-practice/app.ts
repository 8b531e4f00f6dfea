import { Hono } from 'hono'
import { notFound } from './http/answers'
import type { Env, Guard, Parts } from './http/context'
import { caseEndpoint } from './resources/cases'
import { collectionEndpoint } from './resources/collections'
import { importRemovalEndpoint } from './resources/import-removals'
import { importEndpoint } from './resources/imports'
import { itemEndpoint } from './resources/items'
import { mediaEndpoint } from './resources/media'
import { packageUidEndpoint } from './resources/package-uids'
import { productEndpoint } from './resources/products'
import { tokenEndpoint } from './resources/token'
import { transactionEndpoints } from './resources/transactions'

/** The service: every resource on one app, behind the layer that makes it fail as told. */
export function createApp(parts: Parts, faultLayer: Guard): Hono<Env> {
  const app = new Hono<Env>()
  app.use(faultLayer)
  tokenEndpoint(app, parts)
  itemEndpoint(app, parts)
  caseEndpoint(app, parts)
  collectionEndpoint(app, parts)
  productEndpoint(app, parts)
  packageUidEndpoint(app, parts)
  importEndpoint(app, parts)
  importRemovalEndpoint(app, parts)
  transactionEndpoints(app, parts)
  mediaEndpoint(app, parts)
  app.notFound(notFound)
  app.onError((cause, c) => {
    // A client that went away is no news; anything else that comes here is a bug, and its request is answered 500.
    if (!c.env.incoming.socket.destroyed) process.stderr.write(`Practice service: ${cause.stack ?? cause.message}\n`)
    return c.body(null, 500)
  })
  return app
}

import type { Hono } from 'hono'
import type { z } from 'zod'
import type { ItemV15 } from '../../src-shared/service/items'
import { notFound } from '../http/answers'
import type { Env, Parts } from '../http/context'
import { endpoint, parameter } from '../http/endpoint'
import { requireToken } from '../http/guards'
import { createItemCollections, itemCollection, itemCollectionV15 } from '../payloads/item-collections'
import { createItems } from '../payloads/items'
import { longForm } from '../payloads/long-form'

/** `GET /api/v1.2|v1.5/items/<uuid>/`: a TagID, the collections that hold it, and those that it left. Spec: TagID. */
export function itemEndpoint(app: Hono<Env>, parts: Parts): void {
  const { tagUrl } = parts.settings
  const items = createItems(parts)
  const collectionsOf = createItemCollections(parts)

  endpoint(app, 'GET', '/api/v1.2/items/:uuid/', [requireToken(parts)], (c) => {
    const item = items.find(parameter(c, 'uuid'))
    if (item === undefined) return notFound(c)
    const { holding, left } = collectionsOf(item.uuid, c.get('caller').companyUuid)
    const { uuid, created, brand_uuid, product_uuid, batch_uuid } = item
    return c.json({
      ...{ uuid, created, brand_uuid, product_uuid, batch_uuid },
      tagid_url: `${tagUrl}/${uuid}`,
      collections: holding.map((one) => itemCollection(one, tagUrl)),
      removed_collections: left.map((one) => itemCollection(one, tagUrl)),
    })
  })

  endpoint(app, 'GET', '/api/v1.5/items/:uuid/', [requireToken(parts)], (c) => {
    const item = items.find(parameter(c, 'uuid'))
    if (item === undefined) return notFound(c)
    const { holding, left } = collectionsOf(item.uuid, c.get('caller').companyUuid)
    const ids = longForm()
    return c.json({
      uuid: ids.id(item.uuid),
      created: item.created,
      brand_uuid: ids.maybe(item.brand_uuid),
      product_uuid: ids.maybe(item.product_uuid),
      batch_uuid: ids.maybe(item.batch_uuid),
      digital_coa_uuids: ids.all(items.coas(item)),
      collections: holding.map((one) => itemCollectionV15(one, ids)),
      removed_collections: left.map((one) => itemCollectionV15(one, ids)),
    } satisfies z.input<typeof ItemV15>)
  })
}

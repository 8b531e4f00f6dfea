import type { Hono } from 'hono'
import type { z } from 'zod'
import type { ItemWithRemovedCollections } from '../../src-shared/service/items'
import { notFound } from '../http/answers'
import type { Env, Parts } from '../http/context'
import { endpoint, parameter } from '../http/endpoint'
import { requireToken } from '../http/guards'
import { createItemCollections, itemCollectionV15 } from '../payloads/item-collections'
import { createItems } from '../payloads/items'
import { longForm } from '../payloads/long-form'

/**
 * `GET /api/v1.5/tag-ids/<uuid>/removed-collections/`: a TagID, what became of it, and the collections that it left.
 * Spec: TagID (item) > TagID with removed collections.
 */
export function tagRemovedCollectionsEndpoint(app: Hono<Env>, parts: Parts): void {
  const items = createItems(parts)
  const collectionsOf = createItemCollections(parts)

  endpoint(app, 'GET', '/api/v1.5/tag-ids/:uuid/removed-collections/', [requireToken(parts)], (c) => {
    const { companyUuid } = c.get('caller')
    const item = items.find(parameter(c, 'uuid'))
    if (item === undefined) return notFound(c)
    const { left } = collectionsOf(item.uuid, companyUuid)
    const ids = longForm()
    // Whose inventory an item is in, only the same company learns, as in the package UID lookup.
    const isOwn = item.dispensary_company_uuid === companyUuid
    return c.json({
      uuid: ids.id(item.uuid),
      created: item.created,
      brand_uuid: ids.maybe(item.brand_uuid),
      product_uuid: ids.maybe(item.product_uuid),
      batch_uuid: ids.maybe(item.batch_uuid),
      dispensary_uuid: isOwn ? ids.maybe(item.dispensary_uuid) : null,
      is_paired: item.packaged_product_uuid !== null,
      paired_on: item.paired_on,
      is_claimed: item.claimed_on !== null,
      claimed_on: item.claimed_on,
      claimed_by_user_uuid: ids.maybe(item.claimed_by_user_uuid),
      is_counterfeit: item.counterfeit_on !== null,
      counterfeit_on: item.counterfeit_on,
      removed_collections: left.map((row) => ({
        ...itemCollectionV15(row, ids),
        company_uuid: ids.id(row.company_uuid),
      })),
    } satisfies z.input<typeof ItemWithRemovedCollections>)
  })
}

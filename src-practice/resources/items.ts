import type { Hono } from 'hono'
import type { z } from 'zod'
import type { ItemV15, ItemWithRemovedCollections } from '../../src-shared/service/items'
import { createCollectionChanges, deny } from '../collections'
import { endpoint, methodNotAllowed, notFound, parameter, requireToken } from '../http/endpoint'
import type { Env, Parts } from '../http/context'
import { createCollections } from '../payloads/collections'
import { memberV15 } from '../payloads/collections-v15'
import { createItemCollections, createItems, itemCollection, itemCollectionV15 } from '../payloads/items'
import { longForm } from '../payloads/products'

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

/**
 * `DELETE /api/v1.5/collections/<collection_uuid>/tag-ids/<tagid_uuid>/remove/` and `GET …/restore/`: removes an item
 * from a collection and restores it. Spec: States and transitions > Collection item.
 */
export function tagStateEndpoints(app: Hono<Env>, parts: Parts): void {
  const changes = createCollectionChanges(parts)
  const removeItem = parts.store.transaction(changes.removeItem)
  const restoreItem = parts.store.transaction(changes.restoreItem)
  const { contents } = createCollections(parts)
  const path = '/api/v1.5/collections/:collection_uuid/tag-ids/:tagid_uuid'

  endpoint(app, 'DELETE', `${path}/remove/`, [requireToken(parts)], (c) => {
    const { companyUuid } = c.get('caller')
    const removed = removeItem.immediate(parameter(c, 'collection_uuid'), parameter(c, 'tagid_uuid'), companyUuid)
    return removed.ok ? c.body(null, 204) : deny(c, removed.error)
  })

  endpoint(app, 'GET', `${path}/restore/`, [requireToken(parts)], (c) => {
    // A GET that changes data: its HEAD must not, and no cache may answer for it.
    if (c.req.method === 'HEAD') return methodNotAllowed(c, 'GET')
    const { companyUuid } = c.get('caller')
    const restored = restoreItem.immediate(parameter(c, 'collection_uuid'), parameter(c, 'tagid_uuid'), companyUuid)
    if (!restored.ok) return deny(c, restored.error)
    const { collection, tagId } = restored.value
    const item = contents(collection).items.find(({ tag_id }) => tag_id === tagId)
    if (item === undefined) return notFound(c)
    return c.json(memberV15(item, longForm()), 200, { 'Cache-Control': 'no-store' })
  })
}

/**
 * `GET /api/v1.5/tag-ids/<uuid>/removed-collections/`: a TagID, its state, and the collections that it left. Spec:
 * TagID (item) > TagID with removed collections.
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
    // Only the company that owns an item's inventory learns which one it is, as in the package UID lookup.
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

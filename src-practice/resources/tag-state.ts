import type { Hono } from 'hono'
import { createCollectionChanges } from '../collections/changes'
import { deny } from '../collections/denial'
import { methodNotAllowed, notFound } from '../http/answers'
import type { Env, Parts } from '../http/context'
import { endpoint, parameter } from '../http/endpoint'
import { requireToken } from '../http/guards'
import { memberV15 } from '../payloads/collections-v15'
import { createCollections } from '../payloads/collections'
import { longForm } from '../payloads/long-form'

/**
 * `DELETE /api/v1.5/collections/<collection_uuid>/tag-ids/<tagid_uuid>/remove/` and `GET …/restore/`: an item leaves a
 * collection and comes back. Spec: States and transitions > Collection item.
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
    // A GET that changes something: its HEAD must not, and no cache may answer for it.
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

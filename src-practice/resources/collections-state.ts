import type { Hono } from 'hono'
import { createCollectionChanges } from '../collections/changes'
import { deny } from '../collections/denial'
import type { Env, Parts } from '../http/context'
import { endpoint, parameter } from '../http/endpoint'
import { requireToken } from '../http/guards'
import { createCollections } from '../payloads/collections'
import { collectionV15 } from '../payloads/collections-v15'
import { longForm } from '../payloads/long-form'

/**
 * `DELETE /api/v1.5/collections/<uuid>/remove/` and `PUT /api/v1.5/collections/<identifier>/restore/`, for the company
 * that owns the collection. Spec: States and transitions > Collection.
 */
export function collectionStateEndpoints(app: Hono<Env>, parts: Parts): void {
  const changes = createCollectionChanges(parts)
  const remove = parts.store.transaction(changes.remove)
  const restore = parts.store.transaction(changes.restore)
  const { contents } = createCollections(parts)

  endpoint(app, 'DELETE', '/api/v1.5/collections/:uuid/remove/', [requireToken(parts)], (c) => {
    const removed = remove.immediate(parameter(c, 'uuid'), c.get('caller').companyUuid)
    return removed.ok ? c.body(null, 204) : deny(c, removed.error)
  })

  endpoint(app, 'PUT', '/api/v1.5/collections/:identifier/restore/', [requireToken(parts)], (c) => {
    const restored = restore.immediate(parameter(c, 'identifier'), c.get('caller').companyUuid)
    return restored.ok ? c.json(collectionV15(contents(restored.value), longForm())) : deny(c, restored.error)
  })
}

import type { Hono } from 'hono'
import { notFound } from '../http/answers'
import type { Env, Parts } from '../http/context'
import { endpoint, parameter } from '../http/endpoint'
import { requireToken } from '../http/guards'
import { createCollections } from '../payloads/collections'
import { createCollectionDetail } from '../payloads/collection-detail'
import { collectionV15 } from '../payloads/collections-v15'
import { createFinder } from '../payloads/finder'
import { longForm } from '../payloads/long-form'

/**
 * `GET /api/v1.2/collections/<identifier>/` and `GET /api/v1.5/collections/<uuid>/`: a collection with its items. Both
 * take the uuid as well as the identifier. Spec: Endpoints > Collections (v1.5); v1.2 endpoints.
 */
export function collectionEndpoint(app: Hono<Env>, parts: Parts): void {
  const find = createFinder(parts)
  const { contents } = createCollections(parts)
  const detail = createCollectionDetail(parts)

  endpoint(app, 'GET', '/api/v1.2/collections/:identifier/', [requireToken(parts)], (c) => {
    const { companyUuid } = c.get('caller')
    const row = find.any(parameter(c, 'identifier'), companyUuid)
    return row === undefined ? notFound(c) : c.json(detail.collection(row, companyUuid))
  })

  endpoint(app, 'GET', '/api/v1.5/collections/:uuid/', [requireToken(parts)], (c) => {
    const row = find.any(parameter(c, 'uuid'), c.get('caller').companyUuid)
    return row === undefined ? notFound(c) : c.json(collectionV15(contents(row), longForm()))
  })
}

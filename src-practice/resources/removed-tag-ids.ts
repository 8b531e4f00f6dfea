import type { Hono } from 'hono'
import { createHolders } from '../collections/holders'
import { notFound } from '../http/answers'
import type { Env, Parts } from '../http/context'
import { endpoint, parameter } from '../http/endpoint'
import { requireToken } from '../http/guards'
import { createCollections } from '../payloads/collections'
import { caseItemV15 } from '../payloads/collections-v15'
import { createFinder } from '../payloads/finder'
import { longForm } from '../payloads/long-form'

/**
 * `GET /api/v1.5/collections/<uuid>/removed-tag-ids/`: the TagIDs that left a collection, and where they are now.
 * Spec: Endpoints > Collections (v1.5).
 */
export function removedTagIdsEndpoint(app: Hono<Env>, parts: Parts): void {
  const find = createFinder(parts)
  const { contents } = createCollections(parts)
  const holdersOf = createHolders(parts)

  endpoint(app, 'GET', '/api/v1.5/collections/:uuid/removed-tag-ids/', [requireToken(parts)], (c) => {
    const { companyUuid } = c.get('caller')
    const row = find.any(parameter(c, 'uuid'), companyUuid)
    if (row === undefined) return notFound(c)
    const { removedItems } = contents(row)
    const holders = holdersOf(
      removedItems.map(({ tag_id }) => tag_id),
      companyUuid,
    )
    const ids = longForm()
    return c.json(removedItems.map((member) => caseItemV15(member, holders, ids)))
  })
}

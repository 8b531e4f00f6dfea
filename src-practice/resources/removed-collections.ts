import type { Hono } from 'hono'
import type { Env, Parts } from '../http/context'
import { endpoint, parameter } from '../http/endpoint'
import { requireToken } from '../http/guards'
import { removedCollection } from '../payloads/collections-v15'
import { longForm } from '../payloads/long-form'
import { CollectionRow, collectionColumns, collectionTables } from '../payloads/summaries'
import { query } from '../store/query'

/**
 * `GET /api/v1.5/removed-collections/`, `GET /api/v1.5/removed-collections/<collection_type>/`: the removed collections
 * of the caller's company, the last removed first. Spec: Endpoints > Collections (v1.5).
 */
export function removedCollectionEndpoints(app: Hono<Env>, parts: Parts): void {
  const removed = query(
    parts.store,
    `SELECT ${collectionColumns} FROM ${collectionTables}
     WHERE c.company_uuid = ? AND c.removed_on IS NOT NULL AND c.collection_type = coalesce(?, c.collection_type)
     ORDER BY julianday(c.removed_on) DESC, c.rowid DESC`,
    CollectionRow,
  )
  const list = (companyUuid: string, type: string | null) => {
    const ids = longForm()
    return removed.all(companyUuid, type).map((row) => removedCollection(row, ids))
  }

  endpoint(app, 'GET', '/api/v1.5/removed-collections/', [requireToken(parts)], (c) =>
    c.json(list(c.get('caller').companyUuid, null)),
  )
  endpoint(app, 'GET', '/api/v1.5/removed-collections/:collection_type/', [requireToken(parts)], (c) =>
    c.json(list(c.get('caller').companyUuid, parameter(c, 'collection_type'))),
  )
}

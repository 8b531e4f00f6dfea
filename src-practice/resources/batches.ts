import type { Hono } from 'hono'
import { parseId } from '../../src-shared/ids'
import { createBatchTable } from '../catalogue/batches'
import { notFound } from '../http/answers'
import type { Env, Parts } from '../http/context'
import { endpoint, parameter } from '../http/endpoint'
import { requireToken } from '../http/guards'
import { pageOf } from '../http/paging'
import { batchV15, createBatchesV15 } from '../payloads/batches-v15'

/** `GET /api/v1.5/batches/` and `/batches/<uuid>/`. Spec: Endpoints > Batches (v1.5). */
export function batchEndpoints(app: Hono<Env>, parts: Parts): void {
  const table = createBatchTable(parts.store)
  const { detail } = createBatchesV15(parts)

  endpoint(app, 'GET', '/api/v1.5/batches/', [requireToken(parts)], (c) => {
    const list = table.list(c.get('caller').companyUuid)
    return pageOf(c, parts.origin, {
      count: list.count,
      slice: (limit, offset) => list.slice(limit, offset).map(batchV15),
    })
  })

  endpoint(app, 'GET', '/api/v1.5/batches/:uuid/', [requireToken(parts)], (c) => {
    const batch = table.find(parseId(parameter(c, 'uuid')), c.get('caller').companyUuid)
    return batch === undefined ? notFound(c) : c.json(detail(batch))
  })
}

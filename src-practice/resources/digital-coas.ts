import type { Hono } from 'hono'
import { parseId } from '../../src-shared/ids'
import { createCoaCheck } from '../catalogue/coas'
import { notFound } from '../http/answers'
import type { Env, Parts } from '../http/context'
import { endpoint, parameter } from '../http/endpoint'
import { requireToken } from '../http/guards'
import { createBatches } from '../payloads/batches'
import { coaV15 } from '../payloads/coas-v15'

/** `GET /api/v1.5/digital_coas/<uuid>/`: of a batch of the caller's company. Spec: Endpoints > Digital COAs (v1.5). */
export function digitalCoaEndpoint(app: Hono<Env>, parts: Parts): void {
  const { coas } = createBatches(parts)
  const unknown = createCoaCheck(parts.store)

  endpoint(app, 'GET', '/api/v1.5/digital_coas/:uuid/', [requireToken(parts)], (c) => {
    const uuid = parseId(parameter(c, 'uuid')) ?? ''
    if (unknown([uuid], c.get('caller').companyUuid).length > 0) return notFound(c)
    const [coa] = coas([uuid]).map(coaV15)
    return c.json(coa)
  })
}

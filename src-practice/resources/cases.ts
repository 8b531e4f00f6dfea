import type { Hono } from 'hono'
import { notFound } from '../http/answers'
import type { Ctx, Env, Parts } from '../http/context'
import { endpoint, parameter } from '../http/endpoint'
import { requireToken } from '../http/guards'
import { createCaseDetail } from '../payloads/case-detail'
import { createCaseDetailV15 } from '../payloads/case-detail-v15'
import { createFinder } from '../payloads/finder'

/**
 * `GET /api/v1.2|v1.5/collections/case/<uuid>/`: a CaseID with everything that its items refer to. The identifier is
 * taken as well, for it is what a case's code carries. Spec: Collection > CaseID detail.
 */
export function caseEndpoint(app: Hono<Env>, parts: Parts): void {
  const find = createFinder(parts)
  const detail = createCaseDetail(parts)
  const detailV15 = createCaseDetailV15(parts)
  const asked = (c: Ctx) => find.ofType('case', parameter(c, 'uuid'), c.get('caller').companyUuid)

  endpoint(app, 'GET', '/api/v1.2/collections/case/:uuid/', [requireToken(parts)], (c) => {
    const row = asked(c)
    return row === undefined ? notFound(c) : c.json(detail(row, c.get('caller').companyUuid))
  })

  endpoint(app, 'GET', '/api/v1.5/collections/case/:uuid/', [requireToken(parts)], (c) => {
    const row = asked(c)
    return row === undefined ? notFound(c) : c.json(detailV15(row, c.get('caller').companyUuid))
  })
}

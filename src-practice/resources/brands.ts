import type { Hono } from 'hono'
import { parseId } from '../../src-shared/ids'
import { wireUuid } from '../../src-shared/service/wire-ids'
import { createBrandTable } from '../catalogue/brands'
import { notFound } from '../http/answers'
import type { Env, Parts } from '../http/context'
import { endpoint, parameter } from '../http/endpoint'
import { requireToken } from '../http/guards'
import { createBrands } from '../payloads/brands'

/** `GET /api/v1.5/brands/` and `/brands/<uuid>/`: the brands of the caller's company. Spec: Endpoints > Brands (v1.5). */
export function brandEndpoints(app: Hono<Env>, parts: Parts): void {
  const table = createBrandTable(parts.store)
  const { brandsV15 } = createBrands(parts)

  endpoint(app, 'GET', '/api/v1.5/brands/', [requireToken(parts)], (c) => {
    const brands = table.list(c.get('caller').companyUuid)
    return c.json(brands.map(({ uuid, name, state }) => ({ uuid: wireUuid(uuid), name, state })))
  })

  endpoint(app, 'GET', '/api/v1.5/brands/:uuid/', [requireToken(parts)], (c) => {
    const brand = table.get(parseId(parameter(c, 'uuid')) ?? '')
    if (brand?.company_uuid !== c.get('caller').companyUuid) return notFound(c)
    const [payload] = brandsV15([brand.uuid])
    return c.json(payload)
  })
}

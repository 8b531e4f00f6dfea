import type { Hono } from 'hono'
import { parseId } from '../../src-shared/ids'
import { createProductTable } from '../catalogue/products'
import { notFound } from '../http/answers'
import type { Env, Parts } from '../http/context'
import { endpoint, parameter } from '../http/endpoint'
import { requireToken } from '../http/guards'
import { pageOf } from '../http/paging'
import { createProductsV15, productEntry } from '../payloads/products-v15'

/** `GET /api/v1.5/products/` and `/products/<uuid>/`. Spec: Endpoints > Products (v1.5). */
export function productsV15Endpoints(app: Hono<Env>, parts: Parts): void {
  const table = createProductTable(parts.store)
  const { detail } = createProductsV15(parts)

  endpoint(app, 'GET', '/api/v1.5/products/', [requireToken(parts)], (c) => {
    const list = table.list(c.get('caller').companyUuid)
    return pageOf(c, parts.origin, {
      count: list.count,
      slice: (limit, offset) => list.slice(limit, offset).map(productEntry),
    })
  })

  endpoint(app, 'GET', '/api/v1.5/products/:uuid/', [requireToken(parts)], (c) => {
    const product = table.find(parseId(parameter(c, 'uuid')), c.get('caller').companyUuid)
    return product === undefined ? notFound(c) : c.json(detail(product))
  })
}

import type { Hono } from 'hono'
import { parseId } from '../../src-shared/ids'
import { notFound } from '../http/answers'
import type { Env, Parts } from '../http/context'
import { endpoint, parameter } from '../http/endpoint'
import { requireToken } from '../http/guards'
import { createProducts } from '../payloads/products'

/** `GET /api/v1.2/products/<uuid>/`. Spec: Endpoints > v1.2 endpoints. */
export function productEndpoint(app: Hono<Env>, parts: Parts): void {
  const { products } = createProducts(parts)
  endpoint(app, 'GET', '/api/v1.2/products/:uuid/', [requireToken(parts)], (c) => {
    const uuid = parseId(parameter(c, 'uuid'))
    const [product] = uuid === undefined ? [] : products([uuid])
    return product === undefined ? notFound(c) : c.json(product)
  })
}

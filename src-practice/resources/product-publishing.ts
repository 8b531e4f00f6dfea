import type { Hono } from 'hono'
import { parseId } from '../../src-shared/ids'
import type { ProductRecord } from '../catalogue/product-record'
import { publishProblems, refusalOf } from '../catalogue/product-rules'
import { createProductTable } from '../catalogue/products'
import { type Refusal, notFound, refuse } from '../http/answers'
import type { Env, Parts } from '../http/context'
import { endpoint, parameter } from '../http/endpoint'
import { requireSourcing, requireToken } from '../http/guards'
import { createProductsV15 } from '../payloads/products-v15'

/**
 * `POST /api/v1.5/products/<uuid>/publish/` and `/unpublish/`; they answer the product detail. A product that is there
 * already stays as it is. Spec: States and transitions.
 */
export function productPublishingEndpoints(app: Hono<Env>, parts: Parts): void {
  const { store, now } = parts
  const table = createProductTable(store)
  const { detail } = createProductsV15(parts)

  const serve = (action: 'publish' | 'unpublish', refusal: (record: ProductRecord) => Refusal | undefined) => {
    const isPublished = action === 'publish'
    endpoint(app, 'POST', `/api/v1.5/products/:uuid/${action}/`, [requireToken(parts), requireSourcing], (c) => {
      const record = table.find(parseId(parameter(c, 'uuid')), c.get('caller').companyUuid)
      if (record === undefined) return notFound(c)
      if ((record.published_on !== null) === isPublished) return c.json(detail(record))
      const refused = refusal(record)
      if (refused) return refuse(c, refused)
      const at = now().toISOString()
      const changed = { ...record, published_on: isPublished ? at.slice(0, 10) : null, updated_on: at }
      table.save(changed)
      return c.json(detail(changed))
    })
  }

  serve('publish', (record) => refusalOf(publishProblems(record)))
  serve('unpublish', (record) =>
    table.hasTagIds(record.uuid)
      ? { body: { detail: `Product ${record.name} has TagIDs and cannot be unpublished.` } }
      : undefined,
  )
}

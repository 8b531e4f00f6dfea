import type { Hono } from 'hono'
import { z } from 'zod'
import { parseId } from '../../src-shared/ids'
import { notFound } from '../http/answers'
import type { Env, Parts } from '../http/context'
import { endpoint, parameter } from '../http/endpoint'
import { requireToken } from '../http/guards'
import { createItemCollections } from '../payloads/summaries'
import { query } from '../store/query'

const Row = z.object({
  uuid: z.string(),
  created: z.string(),
  brand_uuid: z.string().nullable(),
  product_uuid: z.string().nullable(),
  batch_uuid: z.string().nullable(),
})

/** `GET /api/v1.2/items/<uuid>/`: a TagID and the collections that hold it. Spec: TagID (item). */
export function itemEndpoint(app: Hono<Env>, parts: Parts): void {
  const { store, settings } = parts
  const item = query(
    store,
    `SELECT t.uuid, t.created, b.brand_uuid, p.product_uuid, p.batch_uuid FROM tag_ids t
       LEFT JOIN packaged_products p ON p.uuid = t.packaged_product_uuid LEFT JOIN batches b ON b.uuid = p.batch_uuid
     WHERE t.uuid = ?`,
    Row,
  )
  const collectionsOf = createItemCollections(parts)

  endpoint(app, 'GET', '/api/v1.2/items/:uuid/', [requireToken(parts)], (c) => {
    const uuid = parseId(parameter(c, 'uuid'))
    const row = uuid === undefined ? undefined : item.get(uuid)
    if (row === undefined) return notFound(c)
    return c.json({
      ...row,
      tagid_url: `${settings.tagUrl}/${row.uuid}`,
      ...collectionsOf(row.uuid, c.get('caller').companyUuid),
    })
  })
}

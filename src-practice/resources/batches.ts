import type { Hono } from 'hono'
import { parseId } from '../../src-shared/ids'
import { BatchCreate, BatchUpdate } from '../../src-shared/service/batches'
import { BatchRecord, createBatchTable, createBrandTable, createCoaCheck } from '../catalogue/brands'
import {
  endpoint,
  forbidden,
  notFound,
  pageOf,
  parameter,
  refuse,
  requireSourcing,
  requireToken,
} from '../http/endpoint'
import { AnyId, readJson, readWire } from '../http/body'
import type { Env, Parts } from '../http/context'
import { batchV15, coaV15, createBatches, createBatchesV15 } from '../payloads/batches'
import { newShortUuid } from '../store/query'

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

const createShape = { ...BatchCreate.shape, brand_uuid: AnyId.optional() }

/** `POST /api/v1.5/batches/create/` and `PUT /batches/<uuid>/update/`. Spec: Endpoints > Batches (v1.5). */
export function batchChangeEndpoints(app: Hono<Env>, parts: Parts): void {
  const { store, now } = parts
  const batches = createBatchTable(store)
  const brands = createBrandTable(store)
  const guards = [requireToken(parts), requireSourcing]

  endpoint(app, 'POST', '/api/v1.5/batches/create/', guards, async (c) => {
    const json = await readJson(c)
    if (!json.ok) return json.error
    const fields = readWire(json.value, createShape)
    if (!fields.ok) return refuse(c, fields.error)
    const brand = brands.choose(fields.value.brand_uuid, c.get('caller'))
    if (!brand.ok) return brand.error === 'forbidden' ? forbidden(c) : refuse(c, brand.error)
    const own = { uuid: newShortUuid(), brand_uuid: brand.value.uuid, updated_on: now().toISOString() }
    const batch = BatchRecord.parse({ ...fields.value, ...own })
    batches.insert(batch)
    return c.json(batchV15(batch))
  })

  endpoint(app, 'PUT', '/api/v1.5/batches/:uuid/update/', guards, async (c) => {
    const json = await readJson(c)
    if (!json.ok) return json.error
    const batch = batches.find(parseId(parameter(c, 'uuid')), c.get('caller').companyUuid)
    if (batch === undefined) return notFound(c)
    const fields = readWire(json.value, BatchUpdate.shape)
    if (!fields.ok) return refuse(c, fields.error)
    const changed = BatchRecord.parse({ ...batch, ...fields.value, updated_on: now().toISOString() })
    batches.save(changed)
    return c.json(batchV15(changed))
  })
}

/** `GET /api/v1.5/digital_coas/<uuid>/`: for a batch of the caller's company. Spec: Endpoints > Digital COAs (v1.5). */
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

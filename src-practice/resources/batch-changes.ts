import type { Hono } from 'hono'
import { parseId } from '../../src-shared/ids'
import { BatchCreate, BatchUpdate } from '../../src-shared/service/batches'
import { BatchRecord, createBatchTable } from '../catalogue/batches'
import { createBrandTable } from '../catalogue/brands'
import { forbidden, notFound, refuse } from '../http/answers'
import { readJson } from '../http/body'
import type { Env, Parts } from '../http/context'
import { endpoint, parameter } from '../http/endpoint'
import { requireSourcing, requireToken } from '../http/guards'
import { AnyId, readWire } from '../http/wire-fields'
import { batchV15 } from '../payloads/batches-v15'
import { newShortUuid } from '../store/short-id'

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

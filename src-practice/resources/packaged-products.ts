import type { Hono } from 'hono'
import { z } from 'zod'
import { parseId } from '../../src-shared/ids'
import { PackagedProductCreate, PackagedProductUpdate } from '../../src-shared/service/packaged-products'
import { PackagedRecord, createBatchTable, createPackagedTable } from '../catalogue/batches'
import { createPackagingRules } from '../catalogue/packaging-rules'
import { notFound, refuse } from '../http/answers'
import { readJson } from '../http/body'
import type { Ctx, Env, Parts } from '../http/context'
import { endpoint, endpoints, parameter } from '../http/endpoint'
import { requireSourcing, requireToken } from '../http/guards'
import { AnyId, readWire } from '../http/wire-fields'
import { createBatchesV15 } from '../payloads/batches-v15'
import { newShortUuid } from '../store/short-id'

const coaUuids = { digital_coa_uuids: z.array(AnyId).optional() }
const createShape = { ...PackagedProductCreate.shape, ...coaUuids, product_uuid: AnyId }
const updateShape = { ...PackagedProductUpdate.shape, ...coaUuids, product_uuid: AnyId.optional() }

/** `/api/v1.5/batches/<uuid>/packaged-products/…`: creation, update, deletion. Spec: Endpoints > Batches (v1.5). */
export function packagedProductEndpoints(app: Hono<Env>, parts: Parts): void {
  const { store } = parts
  const batches = createBatchTable(store)
  const table = createPackagedTable(store)
  const rules = createPackagingRules(store)
  const { packaged } = createBatchesV15(parts)
  const guards = [requireToken(parts), requireSourcing]
  const path = '/api/v1.5/batches/:uuid/packaged-products/'

  const batchOf = (c: Ctx) => batches.find(parseId(parameter(c, 'uuid')), c.get('caller').companyUuid)
  const subjectOf = (c: Ctx) => {
    const batch = batchOf(c)
    const record = batch && table.find(batch.uuid, parseId(parameter(c, 'packaged_uuid')))
    return batch && record && { batch, record }
  }

  endpoint(app, 'POST', path, guards, async (c) => {
    const json = await readJson(c)
    if (!json.ok) return json.error
    const batch = batchOf(c)
    if (batch === undefined) return notFound(c)
    const fields = readWire(json.value, createShape)
    if (!fields.ok) return refuse(c, fields.error)
    const refused = rules.references(fields.value, c.get('caller').companyUuid)
    if (refused) return refuse(c, refused)
    const record = PackagedRecord.parse({ ...fields.value, uuid: newShortUuid() })
    table.insert(batch.uuid, record)
    return c.json(packaged(record, batch))
  })

  const update = async (c: Ctx) => {
    const json = await readJson(c)
    if (!json.ok) return json.error
    const subject = subjectOf(c)
    if (subject === undefined) return notFound(c)
    const fields = readWire(json.value, updateShape)
    if (!fields.ok) return refuse(c, fields.error)
    const refused =
      rules.references(fields.value, c.get('caller').companyUuid) ?? rules.change(subject.record, fields.value)
    if (refused) return refuse(c, refused)
    const changed = PackagedRecord.parse({ ...subject.record, ...fields.value })
    table.save(changed)
    return c.json(packaged(changed, subject.batch))
  }
  endpoints(app, `${path}:packaged_uuid/update/`, guards, { PUT: update, PATCH: update })

  endpoint(app, 'DELETE', `${path}:packaged_uuid/delete/`, guards, (c) => {
    const subject = subjectOf(c)
    if (subject === undefined) return notFound(c)
    const refused = rules.deletion(subject.record)
    if (refused) return refuse(c, refused)
    table.remove(subject.record.uuid)
    return c.body(null, 204)
  })
}

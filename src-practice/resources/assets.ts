import type { Hono } from 'hono'
import { parseId } from '../../src-shared/ids'
import { AssetType } from '../../src-shared/service/allowed-values'
import { type AssetRecord, createAssetTable } from '../catalogue/assets'
import { createAssetCreation } from '../catalogue/asset-creation'
import { notFound, refuse } from '../http/answers'
import { largestUpload, readJson } from '../http/body'
import type { Ctx, Env, Parts } from '../http/context'
import { endpoint, parameter } from '../http/endpoint'
import { requireSourcing, requireToken } from '../http/guards'
import { pageOf } from '../http/paging'
import { createMedia } from '../payloads/media'
import { assetPayload } from '../payloads/assets'

/** `GET /api/v1.5/assets/<asset_type>/…`, `POST …/create/` and the deletion of texts. Spec: Endpoints > Assets (v1.5). */
export function assetEndpoints(app: Hono<Env>, parts: Parts): void {
  const { store } = parts
  const table = createAssetTable(store)
  const create = store.transaction(createAssetCreation(parts))
  const { url } = createMedia(parts)
  const payload = (record: AssetRecord) => assetPayload(record, url)
  const typeOf = (c: Ctx) => AssetType.safeParse(parameter(c, 'asset_type')).data
  const companyOf = (c: Ctx) => c.get('caller').companyUuid
  const path = '/api/v1.5/assets/:asset_type/'

  endpoint(app, 'GET', path, [requireToken(parts)], (c) => {
    const type = typeOf(c)
    if (type === undefined) return notFound(c)
    const list = table.list(type, companyOf(c))
    return pageOf(c, parts.origin, {
      count: list.count,
      slice: (limit, offset) => list.slice(limit, offset).map(payload),
    })
  })

  endpoint(app, 'POST', `${path}create/`, [requireToken(parts), requireSourcing], async (c) => {
    const type = typeOf(c)
    if (type === undefined) return notFound(c)
    const json = await readJson(c, largestUpload)
    if (!json.ok) return json.error
    const created = create.immediate(type, json.value, companyOf(c))
    return created.ok ? c.json(payload(created.value)) : refuse(c, created.error)
  })

  endpoint(app, 'GET', `${path}:asset_uuid/`, [requireToken(parts)], (c) => {
    const type = typeOf(c)
    const asset = type && table.find(type, parseId(parameter(c, 'asset_uuid')), companyOf(c))
    return asset === undefined ? notFound(c) : c.json(payload(asset))
  })

  // `text`, not `texts`: so the specification has it.
  const deletion = '/api/v1.5/assets/text/:asset_uuid/delete/'
  endpoint(app, 'DELETE', deletion, [requireToken(parts), requireSourcing], (c) => {
    const asset = table.find('texts', parseId(parameter(c, 'asset_uuid')), companyOf(c))
    if (asset === undefined) return notFound(c)
    table.remove(asset.uuid)
    return c.body(null, 204)
  })
}

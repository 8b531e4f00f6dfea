import type { Hono } from 'hono'
import { parseId } from '../../src-shared/ids'
import { createAssetTable } from '../catalogue/assets'
import { createProductTable } from '../catalogue/products'
import { notFound, refuse } from '../http/answers'
import { readJson } from '../http/body'
import type { Env, Parts } from '../http/context'
import { endpoint, parameter } from '../http/endpoint'
import { requireSourcing, requireToken } from '../http/guards'
import { AnyId, readWire, wrongField } from '../http/wire-fields'
import { createProductsV15 } from '../payloads/products-v15'

const kinds = [
  { path: 'supplemental-photos', field: 'supplemental_photos', type: 'images', what: 'image asset' },
  { path: 'videos', field: 'videos', type: 'videos', what: 'video asset' },
  { path: 'documents', field: 'documents', type: 'files', what: 'document asset' },
] as const

/**
 * `POST /api/v1.5/products/<product-uuid>/supplemental-photos|videos|documents/`, and the same with `delete/`: attach an
 * asset to a product and take it off again. They answer the product detail. Spec: Endpoints > Products (v1.5).
 */
export function productAttachmentEndpoints(app: Hono<Env>, parts: Parts): void {
  const { store, now } = parts
  const products = createProductTable(store)
  const assets = createAssetTable(store)
  const { detail } = createProductsV15(parts)
  const guards = [requireToken(parts), requireSourcing]

  const serve = ({ path, field, type, what }: (typeof kinds)[number], isAdded: boolean) => {
    const address = `/api/v1.5/products/:uuid/${path}/${isAdded ? '' : 'delete/'}`
    endpoint(app, 'POST', address, guards, async (c) => {
      const json = await readJson(c)
      if (!json.ok) return json.error
      const { companyUuid } = c.get('caller')
      const record = products.find(parseId(parameter(c, 'uuid')), companyUuid)
      if (record === undefined) return notFound(c)
      const fields = readWire(json.value, { uuid: AnyId })
      if (!fields.ok) return refuse(c, fields.error)
      const { uuid } = fields.value
      const attached = record[field]
      const isAttached = attached.includes(uuid)
      if (!isAdded && !isAttached) return refuse(c, wrongField('uuid', `This ${what} is not attached to the product.`))
      if (isAdded && assets.find(type, uuid, companyUuid) === undefined) {
        return refuse(c, wrongField('uuid', `This ${what} does not exist.`))
      }
      const without = attached.filter((one) => one !== uuid)
      // Attached once, however often it is asked for.
      const next = isAdded ? (isAttached ? attached : [...attached, uuid]) : without
      const changed = { ...record, [field]: next, updated_on: now().toISOString() }
      products.save(changed)
      return c.json(detail(changed))
    })
  }

  for (const kind of kinds) {
    serve(kind, true)
    serve(kind, false)
  }
}

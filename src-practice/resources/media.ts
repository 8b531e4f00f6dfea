import type { Hono } from 'hono'
import { parseId } from '../../src-shared/ids'
import { AssetType } from '../../src-shared/service/allowed-values'
import { wireUuid } from '../../src-shared/service/wire-ids'
import { type AssetRecord, createAssetCreation, createAssetTable, createMediaReader } from '../catalogue/assets'
import { createBrandTable } from '../catalogue/brands'
import { largestUpload, readJson } from '../http/body'
import type { Ctx, Env, Parts } from '../http/context'
import {
  endpoint,
  methodNotAllowed,
  notFound,
  pageOf,
  parameter,
  refuse,
  requireSourcing,
  requireToken,
} from '../http/endpoint'
import { assetPayload, createBrands, createMedia } from '../payloads/media'

/** `GET /media/<file>`: the files that payloads point to. No token: an image element sends none. */
export function mediaEndpoint(app: Hono<Env>, { pictures, store }: Parts): void {
  const uploaded = createMediaReader(store)

  function find(file: string): { bytes: Uint8Array<ArrayBuffer>; type: string } | undefined {
    const picture = pictures.get(file)
    if (picture !== undefined) return picture
    const found = uploaded(file)
    return found && { bytes: new Uint8Array(found.bytes), type: found.mime_type }
  }

  app.get('/media/:file', (c) => {
    const found = find(parameter(c, 'file'))
    if (found === undefined) return notFound(c)
    return c.body(found.bytes, 200, {
      'Content-Type': found.type,
      // A picture or a film is shown where a page puts it; anything else is for the disk, not for this origin.
      'Content-Disposition': /^(image|video)\//.test(found.type) ? 'inline' : 'attachment',
      // An SVG opened by itself is a page of this origin: it must not be able to run anything.
      'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'public, max-age=3600',
    })
  })
  app.all('/media/:file', (c) => methodNotAllowed(c, 'GET'))
}

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

/** `GET /openapi.json`: what this service serves. No token: it tells nothing about anybody. Made when first asked for. */
export function documentEndpoints(app: Hono<Env>, { origin }: Parts): void {
  let made: Promise<string> | undefined
  const make = async () => {
    // Loaded when it is needed: a start should not wait for the schemas of a document that few ask for.
    const { openApiDocument } = await import('../openapi/document')
    return JSON.stringify(openApiDocument({ baseUrl: origin, authUrl: `${origin}/auth` }))
  }
  app.get('/openapi.json', async (c) => c.body(await (made ??= make()), 200, { 'Content-Type': 'application/json' }))
  app.get('/docs', (c) => c.redirect('/openapi.json'))
  for (const path of ['/openapi.json', '/docs']) app.all(path, (c) => methodNotAllowed(c, 'GET'))
}

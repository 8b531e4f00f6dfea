import type { Hono } from 'hono'
import { z } from 'zod'
import { parseId } from '../../src-shared/ids'
import { err, ok, type Result } from '../../src-shared/result'
import { PackagedProductCreate, PackagedProductUpdate } from '../../src-shared/service/batches'
import { createAssetTable, createMediaTable } from '../catalogue/assets'
import { createBatchTable, createBrandTable, createPackagedTable, PackagedRecord } from '../catalogue/brands'
import {
  createBorrowing,
  brandProblems,
  createPackagingRules,
  createProductChanges,
  createProductTable,
  createShape,
  type PatchFields,
  patchShape,
  portionProblems,
  type ProductRecord,
  publishProblems,
  refusalOf,
  replaceShape,
} from '../catalogue/products'
import type { BrandData } from '../data/catalogue'
import {
  endpoint,
  endpoints,
  forbidden,
  notFound,
  pageOf,
  parameter,
  type Refusal,
  refuse,
  requireSourcing,
  requireToken,
} from '../http/endpoint'
import { AnyId, largestUpload, readJson, readWire, wrongField } from '../http/body'
import type { Caller, Ctx, Env, Parts } from '../http/context'
import { createBatchesV15 } from '../payloads/batches'
import { createProducts, createProductsV15, longForm, productEntry } from '../payloads/products'
import { newShortUuid } from '../store/query'

/** `GET /api/v1.2/products/<uuid>/`. Spec: Endpoints > v1.2 endpoints. */
export function productEndpoint(app: Hono<Env>, parts: Parts): void {
  const { products } = createProducts(parts)
  endpoint(app, 'GET', '/api/v1.2/products/:uuid/', [requireToken(parts)], (c) => {
    const uuid = parseId(parameter(c, 'uuid'))
    const [product] = uuid === undefined ? [] : products([uuid])
    return product === undefined ? notFound(c) : c.json(product)
  })
}

/** `GET /api/v1.5/products/` and `/products/<uuid>/`. Spec: Endpoints > Products (v1.5). */
export function productsV15Endpoints(app: Hono<Env>, parts: Parts): void {
  const table = createProductTable(parts.store)
  const { detail } = createProductsV15(parts)

  endpoint(app, 'GET', '/api/v1.5/products/', [requireToken(parts)], (c) => {
    const list = table.list(c.get('caller').companyUuid)
    const ids = longForm()
    return pageOf(c, parts.origin, {
      count: list.count,
      slice: (limit, offset) => list.slice(limit, offset).map((record) => productEntry(record, ids)),
    })
  })

  endpoint(app, 'GET', '/api/v1.5/products/:uuid/', [requireToken(parts)], (c) => {
    const product = table.find(parseId(parameter(c, 'uuid')), c.get('caller').companyUuid)
    return product === undefined ? notFound(c) : c.json(detail(product))
  })
}

const coaUuids = { digital_coa_uuids: z.array(AnyId).optional() }
const packagedShape = { ...PackagedProductCreate.shape, ...coaUuids, product_uuid: AnyId }
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
    const fields = readWire(json.value, packagedShape)
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

/** The changed product, or why the change is refused. */
type WriteResult = Result<ProductRecord, Refusal | 'forbidden'>

/**
 * `POST /api/v1.5/products/create/`, `PUT` and `PATCH /api/v1.5/products/<uuid>/update/`; they answer the product
 * detail. Spec: Endpoints > Products (v1.5) > Product request fields.
 */
export function productChangeEndpoints(app: Hono<Env>, parts: Parts): void {
  const { store, now } = parts
  const products = createProductTable(store)
  const brands = createBrandTable(store)
  const changes = createProductChanges(createMediaTable(store, now), now)
  const borrow = createBorrowing(createAssetTable(store))
  const { detail } = createProductsV15(parts)
  const guards = [requireToken(parts), requireSourcing]

  const answer = (c: Ctx, outcome: WriteResult) => {
    if (outcome.ok) return c.json(detail(outcome.value))
    return outcome.error === 'forbidden' ? forbidden(c) : refuse(c, outcome.error)
  }

  /** The checks that all three share; `product` is the product that would result. */
  const check = (
    fields: PatchFields,
    brand: BrandData,
    product: Parameters<typeof portionProblems>[0],
    caller: Caller,
  ) => {
    const refused = refusalOf({ ...portionProblems(product), ...brandProblems(fields, brand) })
    return refused ? err(refused) : borrow(fields, caller.companyUuid)
  }

  const create = store.transaction((json: unknown, caller: Caller): WriteResult => {
    const fields = readWire(json, createShape)
    if (!fields.ok) return fields
    const brand = brands.choose(fields.value.brand_uuid, caller)
    if (!brand.ok) return brand
    const borrowed = check(fields.value, brand.value, fields.value, caller)
    if (!borrowed.ok) return borrowed
    const record = changes.create(newShortUuid(), brand.value.uuid, fields.value, borrowed.value)
    products.insert(record)
    return ok(record)
  })

  const brandOf = (record: ProductRecord): BrandData => {
    const brand = brands.get(record.brand_uuid)
    if (brand === undefined) throw new Error(`Product ${record.uuid} has no brand`)
    return brand
  }

  const replace = store.transaction((json: unknown, record: ProductRecord, caller: Caller): WriteResult => {
    const fields = readWire(json, replaceShape)
    if (!fields.ok) return fields
    const borrowed = check(fields.value, brandOf(record), fields.value, caller)
    if (!borrowed.ok) return borrowed
    const changed = changes.replace(record, fields.value, borrowed.value)
    products.save(changed)
    return ok(changed)
  })

  const patch = store.transaction((json: unknown, record: ProductRecord, caller: Caller): WriteResult => {
    const fields = readWire(json, patchShape)
    if (!fields.ok) return fields
    const { product_type = record.product_type, servings = record.servings } = fields.value
    const { serving_size = record.serving_size } = fields.value
    const borrowed = check(fields.value, brandOf(record), { product_type, servings, serving_size }, caller)
    if (!borrowed.ok) return borrowed
    const changed = changes.patch(record, fields.value, borrowed.value)
    products.save(changed)
    return ok(changed)
  })

  endpoints(app, '/api/v1.5/products/create/', guards, {
    POST: async (c) => {
      const json = await readJson(c, largestUpload)
      return json.ok ? answer(c, create.immediate(json.value, c.get('caller'))) : json.error
    },
  })

  const update = (rule: typeof patch) => async (c: Ctx) => {
    const json = await readJson(c, largestUpload)
    if (!json.ok) return json.error
    const caller = c.get('caller')
    const record = products.find(parseId(parameter(c, 'uuid')), caller.companyUuid)
    return record === undefined ? notFound(c) : answer(c, rule.immediate(json.value, record, caller))
  }
  endpoints(app, '/api/v1.5/products/:uuid/update/', guards, { PUT: update(replace), PATCH: update(patch) })
}

/**
 * `POST /api/v1.5/products/<uuid>/publish/` and `/unpublish/`; they answer the product detail. A product already in
 * that state stays unchanged. Spec: States and transitions.
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

const kinds = [
  { path: 'supplemental-photos', field: 'supplemental_photos', type: 'images', what: 'image asset' },
  { path: 'videos', field: 'videos', type: 'videos', what: 'video asset' },
  { path: 'documents', field: 'documents', type: 'files', what: 'document asset' },
] as const

/**
 * `POST /api/v1.5/products/<product-uuid>/supplemental-photos|videos|documents/`, and the same with `delete/`: attaches
 * an asset to a product or detaches it. They answer the product detail. Spec: Endpoints > Products (v1.5).
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
      // Attached once, even if requested repeatedly.
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

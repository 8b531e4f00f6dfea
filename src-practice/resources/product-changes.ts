import type { Hono } from 'hono'
import { parseId } from '../../src-shared/ids'
import { type Result, err, ok } from '../../src-shared/result'
import { createAssetTable } from '../catalogue/assets'
import { createBrandTable } from '../catalogue/brands'
import { createMediaTable } from '../catalogue/media'
import { createProductChanges } from '../catalogue/product-changes'
import { createBorrowing } from '../catalogue/product-photos'
import type { ProductRecord } from '../catalogue/product-record'
import { type PatchFields, createShape, patchShape, replaceShape } from '../catalogue/product-requests'
import { brandProblems, portionProblems, refusalOf } from '../catalogue/product-rules'
import { createProductTable } from '../catalogue/products'
import type { BrandData } from '../data/catalogue'
import { type Refusal, forbidden, notFound, refuse } from '../http/answers'
import { largestUpload, readJson } from '../http/body'
import type { Caller, Ctx, Env, Parts } from '../http/context'
import { endpoints, parameter } from '../http/endpoint'
import { requireSourcing, requireToken } from '../http/guards'
import { readWire } from '../http/wire-fields'
import { createProductsV15 } from '../payloads/products-v15'
import { newShortUuid } from '../store/short-id'

/** The changed product, or why not. */
type Outcome = Result<ProductRecord, Refusal | 'forbidden'>

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

  const answer = (c: Ctx, outcome: Outcome) => {
    if (outcome.ok) return c.json(detail(outcome.value))
    return outcome.error === 'forbidden' ? forbidden(c) : refuse(c, outcome.error)
  }

  /** What all three ask of their fields, `product` being what they would make of it. */
  const check = (
    fields: PatchFields,
    brand: BrandData,
    product: Parameters<typeof portionProblems>[0],
    caller: Caller,
  ) => {
    const refused = refusalOf({ ...portionProblems(product), ...brandProblems(fields, brand) })
    return refused ? err(refused) : borrow(fields, caller.companyUuid)
  }

  const create = store.transaction((json: unknown, caller: Caller): Outcome => {
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

  const replace = store.transaction((json: unknown, record: ProductRecord, caller: Caller): Outcome => {
    const fields = readWire(json, replaceShape)
    if (!fields.ok) return fields
    const borrowed = check(fields.value, brandOf(record), fields.value, caller)
    if (!borrowed.ok) return borrowed
    const changed = changes.replace(record, fields.value, borrowed.value)
    products.save(changed)
    return ok(changed)
  })

  const patch = store.transaction((json: unknown, record: ProductRecord, caller: Caller): Outcome => {
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

import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import * as assets from '../../../../src-shared/service/assets'
import {
  BatchCreate,
  BatchUpdate,
  PackagedProductCreate,
  PackagedProductUpdate,
} from '../../../../src-shared/service/batches'
import { AddCase } from '../../../../src-shared/service/collections'
import { AddCaseV15 } from '../../../../src-shared/service/collections-v15'
import { ImportRemovalRequest, ImportRequest } from '../../../../src-shared/service/imports'
import { AssetReference } from '../../../../src-shared/service/product-requests'
import { TokenRequest } from '../../../../src-shared/service/token'
import { CompleteRequest, ReturnRequest, VoidRequest } from '../../../../src-shared/service/transactions'
import { caseOf, tag, thing } from '../../../fakes/ids'
import { long } from '../../../fixtures/wire'

const P = long.thing(1)
const sale = { performed_at: '2026-10-01T05:30:00-04:00', order_id: '7', items: [tag(1)] }

/** Name, schema, a body with only the required fields, and optional fields. */
const requests: [name: string, schema: z.ZodType, least: object, more: object][] = [
  ['asset reference', AssetReference, { uuid: P }, {}],
  [
    'batch create',
    BatchCreate,
    { name: 'B' },
    { regulatory_id: '', produced_on: '2026-10-01T00:00:00Z', brand_uuid: P },
  ],
  ['batch update', BatchUpdate, {}, { name: 'B', regulatory_id: 'R-1,R-2', produced_on: null }],
  [
    'packaged product create',
    PackagedProductCreate,
    { product_uuid: P },
    { regulatory_id: null, packaged_on: '2026-10-01', digital_coa_uuids: [P, P] },
  ],
  ['packaged product update', PackagedProductUpdate, {}, { product_uuid: P, packaged_on: null, digital_coa_uuids: [] }],
  ['text asset', assets.TextAssetCreate, { name: 'A', content: 'B' }, { usage: 'about_ingredients' }],
  ['image asset', assets.ImageAssetCreate, { name: 'A', content: 'AAAA' }, {}],
  ['video asset', assets.VideoAssetCreate, { name: 'A', content: 'AA==' }, { description: 'C' }],
  ['file asset', assets.FileAssetCreate, { name: 'A', content: 'AAA=' }, {}],
  ['add-case (v1.5)', AddCaseV15, { case_uuid: long.caseOf(1) }, { packaged_product_uuid: P }],
  ['add-case (v1.2)', AddCase, { case_uuid: caseOf(1) }, { packaged_product_uuid: thing(1) }],
  [
    'import',
    ImportRequest,
    {
      case_uuid: caseOf(1),
      packaged_product_uuid: thing(1),
      pos_product_id: '1',
      pos_inventory_id: '2',
      package_uid: '3',
    },
    { sku: 'S' },
  ],
  [
    'import removal',
    ImportRemovalRequest,
    { case_uuid: caseOf(1), package_uid: '3' },
    { packaged_product_uuid: thing(1) },
  ],
  ['complete', CompleteRequest, sale, { customer_id: 'C', budtender_id: 'B' }],
  ['return', ReturnRequest, sale, { customer_id: 'C', budtender_id: 'B' }],
  ['void', VoidRequest, { performed_at: sale.performed_at, order_id: '7' }, { customer_id: 'C', budtender_id: 'B' }],
  ['token', TokenRequest, { grant_type: 'client_credentials', client_id: 'a', client_secret: ' b ' }, {}],
]

/** The paths of the faults in a body. */
const wrongIn = (schema: z.ZodType, body: unknown) =>
  schema.safeParse(body).error?.issues.map((issue) => issue.path.join('.')) ?? []

describe('a request', () => {
  it.each(requests)(
    'of %s accepts its required fields alone, and together with the optional ones',
    (_, schema, least, more) => {
      expect(wrongIn(schema, least)).toEqual([])
      expect(wrongIn(schema, { ...least, ...more })).toEqual([])
    },
  )

  it.each(requests)('of %s requires each of its required fields, by name', (_, schema, least) => {
    for (const field of Object.keys(least)) {
      const rest = Object.fromEntries(Object.entries(least).filter(([key]) => key !== field))
      expect(wrongIn(schema, rest)).toEqual([field])
      expect(wrongIn(schema, { ...least, [field]: null })).toEqual([field])
    }
  })

  it.each([
    ['batch create', BatchCreate, { name: 'B', produced_on: '2026-10-01' }, 'produced_on'],
    ['batch create', BatchCreate, { name: ' ' }, 'name'],
    ['batch update', BatchUpdate, { brand_uuid: P }, ''],
    ['packaged product create', PackagedProductCreate, { product_uuid: P, packaged_on: '10/01/2026' }, 'packaged_on'],
    ['packaged product create', PackagedProductCreate, { product_uuid: thing(1) }, 'product_uuid'],
    ['packaged product update', PackagedProductUpdate, { digital_coa_uuids: [P, 'x'] }, 'digital_coa_uuids.1'],
    ['text asset', assets.TextAssetCreate, { name: 'A', content: '' }, 'content'],
    ['text asset', assets.TextAssetCreate, { name: 'A', content: 'B', description: 'C' }, ''],
    ['image asset', assets.ImageAssetCreate, { name: 'A', content: 'no base64' }, 'content'],
    ['image asset', assets.ImageAssetCreate, { name: 'A', content: 'AAAA', usage: 'description' }, ''],
    ['file asset', assets.FileAssetCreate, { name: '', content: 'AAAA' }, 'name'],
    ['add-case (v1.5)', AddCaseV15, { case_uuid: caseOf(1) }, 'case_uuid'],
    ['add-case (v1.2)', AddCase, { case_uuid: long.caseOf(1) }, 'case_uuid'],
    ['complete', CompleteRequest, { ...sale, items: [] }, 'items'],
    ['complete', CompleteRequest, { ...sale, items: [tag(1), 'x'] }, 'items.1'],
    ['complete', CompleteRequest, { ...sale, performed_at: '2026-10-01T05:30:00' }, 'performed_at'],
    ['return', ReturnRequest, { ...sale, order_id: '  ' }, 'order_id'],
    ['void', VoidRequest, sale, ''],
    ['token', TokenRequest, { grant_type: 'password', client_id: 'a', client_secret: 'b' }, 'grant_type'],
  ])('of %s is refused for a single fault, by path', (_, schema: z.ZodType, body, path) => {
    expect(wrongIn(schema, body)).toEqual([path])
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import * as assets from '../../../../src-shared/service/assets'
import * as batches from '../../../../src-shared/service/batches'
import { AddCase, AddItems } from '../../../../src-shared/service/collections'
import { AddCaseV15, AddItemsV15 } from '../../../../src-shared/service/collections-v15'
import { ImportRemovalRequest, ImportRequest } from '../../../../src-shared/service/imports'
import * as packaged from '../../../../src-shared/service/batches'
import * as products from '../../../../src-shared/service/product-requests'
import { TokenRequest } from '../../../../src-shared/service/token'
import { CompleteRequest, ReturnRequest, VoidRequest } from '../../../../src-shared/service/transactions'
import { requests } from '../../../fixtures/requests'

/** Each request schema with a generator of valid bodies. */
const written: [name: string, schema: z.ZodType, bodies: fc.Arbitrary<object>][] = [
  ['product create', products.ProductCreate, requests.ProductCreate],
  ['product update', products.ProductUpdate, requests.ProductUpdate],
  ['product patch', products.ProductPatch, requests.ProductPatch],
  ['asset reference', products.AssetReference, requests.AssetReference],
  ['batch create', batches.BatchCreate, requests.BatchCreate],
  ['batch update', batches.BatchUpdate, requests.BatchUpdate],
  ['packaged product create', packaged.PackagedProductCreate, requests.PackagedProductCreate],
  ['packaged product update', packaged.PackagedProductUpdate, requests.PackagedProductUpdate],
  ['text asset', assets.TextAssetCreate, requests.TextAssetCreate],
  ['image asset', assets.ImageAssetCreate, requests.ImageAssetCreate],
  ['video asset', assets.VideoAssetCreate, requests.VideoAssetCreate],
  ['file asset', assets.FileAssetCreate, requests.FileAssetCreate],
  ['add-case (v1.5)', AddCaseV15, requests.AddCaseV15],
  ['add-case (v1.2)', AddCase, requests.AddCase],
  ['import', ImportRequest, requests.ImportRequest],
  ['import removal', ImportRemovalRequest, requests.ImportRemovalRequest],
  ['complete', CompleteRequest, requests.CompleteRequest],
  ['return', ReturnRequest, requests.ReturnRequest],
  ['void', VoidRequest, requests.VoidRequest],
  ['token', TokenRequest, requests.TokenRequest],
]

/** Values that are invalid in every field of a request, except `ingredient_printing_data`, which accepts any value. */
const wrong = fc.constantFrom<unknown[]>({ a: { b: 'c' } }, [['x']], 'no\0where', '\uD800', -1.5, 'ß'.repeat(100_001))
const isFree = (field: string) => field === 'ingredient_printing_data'

const body = (bodies: fc.Arbitrary<object>) => bodies.filter((one) => Object.keys(one).some((field) => !isFree(field)))

describe('a request schema', () => {
  it.each(written)('accepts any valid body of a %s, and sends it unchanged', (_, schema, bodies) => {
    fc.assert(
      fc.property(bodies, (sent) => {
        const parsed = schema.safeParse(sent)
        expect(parsed.error).toBeUndefined()
        expect(z.encode(schema, parsed.data)).toEqual(sent)
      }),
    )
  })

  it.each(written)('refuses a %s with one invalid field, by the name of that field', (_, schema, bodies) => {
    fc.assert(
      fc.property(body(bodies), fc.nat(), wrong, (valid, pick, value) => {
        const fields = Object.keys(valid).filter((field) => !isFree(field))
        const field = fields[pick % fields.length] ?? ''
        const issues = schema.safeParse({ ...valid, [field]: value }).error?.issues ?? []
        expect(issues.map((issue) => issue.path[0])).toContain(field)
      }),
    )
  })

  it.each(written)('refuses a %s with an unknown field', (_, schema, bodies) => {
    fc.assert(
      fc.property(bodies, (valid) => {
        const issues = schema.safeParse({ ...valid, not_a_field: 1 }).error?.issues
        expect(issues?.[0]).toMatchObject({ code: 'unrecognized_keys', keys: ['not_a_field'] })
      }),
      { numRuns: 20 },
    )
  })

  it.each(written)('accepts only an object for a %s', (_, schema) => {
    for (const value of [null, undefined, 1, 'x', [], [{}]]) expect(schema.safeParse(value).success).toBe(false)
  })

  it.each([
    ['v1.5', AddItemsV15, fc.uuid()],
    ['v1.2', AddItems, requests.AddCase.map((one) => one.case_uuid)],
  ])('accepts a non-empty list of TagIDs, in the form of %s', (_, schema: z.ZodType, ids) => {
    fc.assert(
      fc.property(fc.array(ids, { minLength: 1 }), fc.nat(), (list, pick) => {
        expect(z.encode(schema, schema.parse(list))).toEqual(list)
        const at = pick % list.length
        const spoilt = list.with(at, `${list[at]}x`)
        expect(schema.safeParse(spoilt).error?.issues[0]?.path).toEqual([at])
      }),
    )
    expect(schema.safeParse([]).success).toBe(false)
    expect(schema.safeParse({}).success).toBe(false)
  })
})

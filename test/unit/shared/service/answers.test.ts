import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { Asset, AssetPage } from '../../../../src-shared/service/assets'
import { BatchDetail, BatchPage, BatchV15, PackagedProductV15 } from '../../../../src-shared/service/batches'
import { BrandList, BrandV15 } from '../../../../src-shared/service/brands'
import { DigitalCoa, DigitalCoaV15, TestingLaboratory } from '../../../../src-shared/service/coas'
import { CaseDetail, Collection } from '../../../../src-shared/service/collections'
import {
  CaseDetailV15,
  CollectionV15,
  RemovedCollections,
  RemovedTagIds,
} from '../../../../src-shared/service/collections-v15'
import { ImportAnswer, ImportRemovalAnswer, PackageCases } from '../../../../src-shared/service/imports'
import { Item, ItemV15, ItemWithRemovedCollections } from '../../../../src-shared/service/items'
import { BrandVideo, MediaObject } from '../../../../src-shared/service/wire'
import { Product, ProductPage, ProductV15 } from '../../../../src-shared/service/products'
import { Token } from '../../../../src-shared/service/token'
import { TransactionAnswer } from '../../../../src-shared/service/transactions'
import { caseOf, tag, thing } from '../../../fakes/ids'
import * as wire from '../../../fixtures/wire'

const { long, short } = wire

/** Name, schema, the full shape in the specification, and the required fields. */
const answers: [name: string, schema: z.ZodType, shape: object, required: string[]][] = [
  ['media object', MediaObject, wire.media, ['url']],
  ['brand video', BrandVideo, wire.brand(long).brand_video, ['url']],
  ['brand list', BrandList, [{ uuid: long.thing(1), name: 'Hudson Fields', state: 'New Jersey' }], []],
  ['brand (v1.5)', BrandV15, wire.brand(long), ['uuid', 'name']],
  ['product list (v1.5)', ProductPage, wire.page([wire.productEntry(long)]), ['count', 'results']],
  ['product (v1.5)', ProductV15, wire.productV15(long), ['uuid', 'name']],
  ['product (v1.2)', Product, wire.productV12(short), ['uuid', 'name']],
  ['batch list', BatchPage, wire.page([wire.batch(long)], 'https://x.example/?page=2'), ['count', 'results']],
  ['batch (v1.5)', BatchV15, wire.batch(long), ['uuid', 'name']],
  ['batch detail', BatchDetail, wire.batchDetail(long), ['uuid', 'name']],
  ['packaged product (v1.5)', PackagedProductV15, wire.packagedProductV15(long), ['uuid']],
  ['testing laboratory', TestingLaboratory, wire.laboratory(short), ['uuid', 'name']],
  ['Digital COA (v1.5)', DigitalCoaV15, wire.coa(long), ['uuid']],
  ['Digital COA (v1.2)', DigitalCoa, wire.coa(short), ['uuid']],
  ['collection (v1.5)', CollectionV15, wire.collectionV15(long), ['uuid', 'identifier', 'collection_type', 'items']],
  ['CaseID detail (v1.5)', CaseDetailV15, wire.caseDetailV15(long), ['uuid', 'identifier', 'items']],
  ['removed collections', RemovedCollections, [wire.removedCollection(long)], []],
  ['removed TagIDs', RemovedTagIds, [wire.caseItem(long)], []],
  ['collection (v1.2)', Collection, wire.collectionV12(short), ['uuid', 'identifier', 'collection_type', 'items']],
  ['CaseID detail (v1.2)', CaseDetail, wire.caseDetailV12(short), ['uuid', 'identifier', 'items']],
  ['TagID (v1.5)', ItemV15, wire.itemV15(long), ['uuid', 'collections']],
  ['TagID (v1.2)', Item, wire.itemV12(short), ['uuid', 'collections']],
  [
    'TagID with removed collections',
    ItemWithRemovedCollections,
    wire.itemWithRemovedCollections(long),
    ['uuid', 'removed_collections'],
  ],
  ['asset', Asset, wire.asset(long), ['uuid', 'name', 'content']],
  ['asset list', AssetPage, wire.page([wire.asset(long)]), ['count', 'results']],
  ['package UID lookup', PackageCases, wire.packageCases, ['package_uid', 'case_ids']],
  [
    'import answer',
    ImportAnswer,
    { case_uuid: short.caseOf(1), packaged_product_uuid: short.thing(6), package_uid: 'P' },
    ['case_uuid', 'packaged_product_uuid', 'package_uid'],
  ],
  ['token', Token, wire.token, ['access_token', 'token_type', 'expires_in']],
]

const without = (shape: object, field: string) =>
  Object.fromEntries(Object.entries(shape).filter(([key]) => key !== field))

describe('the shapes of answers', () => {
  it.each(answers)('accept a %s with every field of the specification, and encode it unchanged', (_, schema, shape) => {
    const parsed = schema.safeParse(shape)
    expect(parsed.error).toBeUndefined()
    expect(z.encode(schema, parsed.data)).toEqual(shape)
  })

  it.each(answers.filter(([, , shape]) => !Array.isArray(shape)))(
    'keep an unknown field of a %s',
    (_, schema, shape) => {
      const parsed = schema.safeParse({ ...shape, something_new: { deep: [1] } })
      expect(parsed.data).toMatchObject({ something_new: { deep: [1] } })
    },
  )

  it.each(answers.filter(([, , , required]) => required.length > 0))(
    'accept a %s with its required fields only, the rest missing or null',
    (_, schema, shape, required) => {
      const isRequired = (field: string) => required.includes(field) || field === 'collection_type'
      const least = Object.fromEntries(Object.entries(shape).filter(([field]) => isRequired(field)))
      const nulls = Object.fromEntries(
        Object.entries(shape)
          .filter(([field]) => field !== 'scope')
          .map(([field, value]: [string, unknown]) => [field, isRequired(field) ? value : null]),
      )
      expect(schema.safeParse(least).error).toBeUndefined()
      expect(schema.safeParse(nulls).error).toBeUndefined()
    },
  )

  it.each(
    answers.flatMap(([name, schema, shape, required]) =>
      required.map((field) => [name, field, schema, shape] as const),
    ),
  )('refuse a %s without its %s, by name', (_, field, schema, shape) => {
    expect(schema.safeParse(without(shape, field)).error?.issues[0]?.path).toEqual([field])
  })

  it.each([
    ['an id of the other version, v1.5', BrandV15, wire.brand(short), 'uuid'],
    ['an id of the other version, v1.2', Item, wire.itemV12(long), 'uuid'],
    ['a date where a moment is due', BrandV15, { ...wire.brand(long), updated_on: '2026-10-01' }, 'updated_on'],
    ['a moment without an offset', ItemV15, { ...wire.itemV15(long), created: '2026-10-01T10:00:00' }, 'created'],
    ['an invalid list', ProductPage, { ...wire.page([]), results: {} }, 'results'],
    ['an invalid entry', AssetPage, wire.page([wire.asset(long), 7]), 'results.1'],
    ['a field deep inside', CaseDetailV15, { ...wire.caseDetailV15(long), items: [{ tag_id: 'x' }] }, 'items.0.tag_id'],
    ['an invalid CaseID', PackageCases, { ...wire.packageCases, case_ids: { x: {} } }, 'case_ids.x'],
    ['a token that does not live', Token, { ...wire.token, expires_in: 0 }, 'expires_in'],
  ])('refuse %s, by path', (_, schema: z.ZodType, shape, path) => {
    expect(schema.safeParse(shape).error?.issues[0]?.path.join('.')).toBe(path)
  })

  it('accept any body where the specification shows none', () => {
    for (const body of [null, 'OK', { status: 'success' }, undefined]) {
      expect(TransactionAnswer.safeParse(body).success).toBe(true)
      expect(ImportRemovalAnswer.safeParse(body).success).toBe(true)
    }
  })
})

describe('ids of v1.5', () => {
  it('are UUIDs on the wire and ShortUUIDs inside, everywhere in a CaseID detail', () => {
    const detail = CaseDetailV15.parse(wire.caseDetailV15(long))
    expect(detail.uuid).toBe(caseOf(1))
    expect(detail.items[0]).toEqual(wire.caseItem(short))
    expect(detail.products?.[0]?.brand?.uuid).toBe(thing(1))
    expect(detail.digital_coas?.[0]?.testing_laboratory?.uuid).toBe(thing(2))
    expect(detail.batches?.[0]?.digital_coa_uuids).toEqual([thing(5)])
    expect(JSON.stringify(detail)).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/)
  })

  it('may be in capitals', () => {
    expect(ItemV15.parse({ ...wire.itemV15(long), uuid: long.tag(1).toUpperCase() }).uuid).toBe(tag(1))
  })
})

import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { secureUrl } from '../../../../src-main/memory/find/addresses'
import { batchBody, batchesOfCase } from '../../../../src-main/memory/find/batch'
import { coaBody } from '../../../../src-main/memory/find/certificate'
import { collectionBody, removedLines } from '../../../../src-main/memory/find/collection'
import { packageBody } from '../../../../src-main/memory/find/package'
import { watchedBy } from '../../../../src-main/memory/find/entities'
import { productBody } from '../../../../src-main/memory/find/product'
import { tagBody } from '../../../../src-main/memory/find/tag'
import { EntityView } from '../../../../src-shared/ipc/contract/find'
import { BatchDetail } from '../../../../src-shared/service/batches'
import { DigitalCoaV15 } from '../../../../src-shared/service/coas'
import { CaseDetail, Collection } from '../../../../src-shared/service/collections'
import { CaseDetailV15, CollectionV15, RemovedCollection } from '../../../../src-shared/service/collections-v15'
import { caseFacts, caseName } from '../../../../src-shared/service/facts'
import { Item, ItemV15, ItemWithRemovedCollections } from '../../../../src-shared/service/items'
import { PackageCases } from '../../../../src-shared/service/imports'
import { Product, ProductV15 } from '../../../../src-shared/service/products'
import { caseOf, tag, thing } from '../../../fakes/ids'
import * as wire from '../../../fixtures/wire'

const { long, short } = wire
const item = Item.parse(wire.itemV12(short))
const itemV15 = ItemV15.parse(wire.itemV15(long))
const removed = ItemWithRemovedCollections.parse(wire.itemWithRemovedCollections(long))
const collection = Collection.parse(wire.collectionV12(short))
const collectionV15 = CollectionV15.parse(wire.collectionV15(long))
const detail = CaseDetail.parse(wire.caseDetailV12(short))
const detailV15 = CaseDetailV15.parse(wire.caseDetailV15(long))
const product = Product.parse(wire.productV12(short))
const productV15 = ProductV15.parse(wire.productV15(long))
const coa = DigitalCoaV15.parse(wire.coa(long))

/** Whether a view can be built at all. */
const shown = (body: object | undefined) =>
  EntityView.parse({
    ...body,
    knowledge: { source: 'now', knownAt: '2026-10-01T10:00:00.000Z' },
    unreachable: null,
    missing: [],
    operations: [],
  })
const fact = (body: { facts: { name: string; value: string }[] } | undefined, name: string) =>
  body?.facts.find((one) => one.name === name)?.value

describe('an item', () => {
  it('is merged from both versions, its collection and its case', () => {
    const body = tagBody({ tagId: tag(1), item, itemV15, removed, collection, detail })
    expect(shown(body)).toMatchObject({
      name: 'Blue Dune 3.5 g',
      product: { id: thing(3), detail: 'Hudson Fields' },
      coas: [{ link: { id: thing(5) }, verdict: 'failed' }],
      sale: { at: '2026-10-01T05:30:00.123-04:00', by: 'service', orderId: null },
    })
    expect(fact(body, 'package-uid')).toBe('1A4060300000000000000001')
    expect(fact(body, 'paired-on')).toBe('2026-10-01T09:30:00Z')
    expect(body.holders).toHaveLength(1)
    // The item is in the same collection again.
    expect(body.pastHolders).toEqual([])
  })

  it.each([
    ['v1.2 alone', { item }, 1],
    ['v1.5 alone', { itemV15 }, 1],
    ['v1.2 and its former collection', { item: { ...item, collections: [] }, removed }, 0],
  ])('can be shown from %s', (_, reads, holders) => {
    const body = tagBody({ tagId: tag(1), ...reads })
    expect(shown(body)).toMatchObject({ product: { id: thing(3), name: null }, coas: [], sale: null })
    expect(body.holders).toHaveLength(holders)
    if (holders === 0) expect(body.pastHolders).toHaveLength(1)
  })

  it('does not name the person who claimed it', () => {
    const claimed = {
      ...removed,
      claimed_by_user_uuid: thing(99),
      claimed_on: '2026-10-02T09:30:00Z',
      is_claimed: true,
    }
    const body = tagBody({ tagId: tag(1), item, removed: claimed })
    expect(fact(body, 'claimed-on')).toBe('2026-10-02T09:30:00Z')
    expect(JSON.stringify(body)).not.toContain(thing(99))
  })

  it('is shown as counterfeit even without a day', () => {
    const body = tagBody({ tagId: tag(1), item, removed: { ...removed, is_counterfeit: true } })
    expect(fact(body, 'counterfeit-on')).toBe('yes')
  })
})

describe('a collection', () => {
  it('is merged from both versions, and lists only other cases', () => {
    const body = collectionBody({ collection, collectionV15, detail, detailV15 })
    expect(shown(body)).toMatchObject({
      caseId: caseOf(1),
      isRemoved: false,
      itemCount: 1,
      removedItemCount: 1,
      cases: [],
      regulatorIds: [{ type: 'regulator', subType: 'Packaged product' }],
      items: [{ productName: 'Blue Dune 3.5 g', packageUid: '1A4060300000000000000001' }],
      packagedProducts: [{ product: { name: 'Blue Dune 3.5 g' }, batch: { id: thing(4), name: 'B-1' } }],
    })
    expect(fact(body, 'required-count')).toBe('24')
  })

  it.each([
    ['v1.2 alone', { collection }, 1],
    ['v1.5 alone', { collectionV15 }, 1],
    ['a case of v1.5 alone', { detailV15 }, 1],
    ['a case of v1.2 alone', { detail }, 1],
  ])('can be shown from %s', (_, reads, count) => {
    expect(shown(collectionBody(reads))).toMatchObject({ itemCount: count })
  })

  it('shows 500 of 700 items, and the total count', () => {
    const [member] = collection.items
    const many = Array.from({ length: 700 }, (_, n) => ({ ...member, tag_id: tag(n) }))
    const body = collectionBody({ collection: { ...collection, items: many, removed_items: many } })
    expect(shown(body)).toMatchObject({ itemCount: 700, removedItemCount: 700 })
    expect([body?.items.length, body?.removedItems.length]).toEqual([500, 500])
  })

  it('sorts packages by time, ignoring their offsets', () => {
    const entries = ['2026-10-03T01:00:00+05:00', '2026-10-02T21:00:00Z', '2026-10-02T10:00:00Z'].map((at, n) => ({
      uuid: thing(40 + n),
      identifier: `R-${n}`,
      added_on: at,
    }))
    const body = collectionBody({ detail: { ...detail, regulator_ids: entries } })
    expect(body?.regulatorIds.map(({ link }) => link.detail)).toEqual(['R-2', 'R-0', 'R-1'])
  })

  it('watches the reports that can change what is shown of it', () => {
    const { uuid: id } = collection
    const identifier = 'R-1'
    const holding = (collection_type: string) =>
      watchedBy(shown(collectionBody({ collection: { ...collection, collection_type, identifier } })))
    expect(holding('regulator')).toEqual({ ids: [id, identifier], kinds: ['add-case'], newSales: true })
    expect(holding('case').kinds).toEqual([])
    const inCollection = tagBody({ tagId: tag(1), item, itemV15, removed, collection, detail })
    const ids = inCollection.holders.map(({ link }) => link.id)
    expect(ids).not.toEqual([])
    expect(watchedBy(shown(inCollection))).toEqual({ ids, kinds: [], newSales: true })
  })

  it("links to its view as a package only if it is a regulator's", () => {
    const named = (collection_type: string, identifier: string) =>
      fact(collectionBody({ collection: { ...collection, collection_type, identifier } }), 'package-uid')
    const uid = '1A40E0300000B2F000000901'
    expect(named('regulator', uid)).toBe(uid)
    for (const [type, identifier] of [
      ['regulator', 'R-1'],
      ['origin', uid],
    ] as const) {
      expect(named(type, identifier), type).toBeUndefined()
    }
  })

  it.each([
    [{ is_removed: true, removed_on: null }, true],
    [{ is_removed: false, removed_on: '2026-10-01T00:00:00Z' }, false],
    [{ is_removed: null, removed_on: '2026-10-01T00:00:00Z' }, true],
    [{ is_removed: null, removed_on: null }, false],
    [{ is_removed: undefined, removed_on: undefined }, false],
  ])('with %j counts as removed, as in reports of removals: %s', (said, isRemoved) => {
    expect(collectionBody({ collection: { ...collection, ...said } })?.isRemoved).toBe(isRemoved)
  })

  it('is undefined without an answer', () => {
    expect(collectionBody({})).toBeUndefined()
  })
})

describe('a product', () => {
  it('is merged from both versions: names from v1.2, the rest from v1.5', () => {
    const body = productBody({ product, productV15 })
    expect(shown(body)).toMatchObject({
      descriptionHtml: '<p>Flower</p>',
      effects: { positive: ['Calm'], negative: ['Calm'], medical: ['Calm'] },
      dosages: [{ name: 'Dose', quantity: '1 piece', servingSize: '1 piece', thc: '5 mg', cbd: null }],
      specialDietStatement: 'Vegan.',
      aboutIngredients: null,
      // The file, then the film.
      documents: [{ url: 'https://media.example/front.png' }, { url: 'https://media.example/front.png' }],
      pictureUrls: ['https://media.example/front.png'],
    })
    for (const [name, value] of [
      ['usage', 'Recreational'],
      ['brand', 'Hudson Fields'],
      ['published-on', '2026-10-01'],
      ['package-size', '3.5 g'],
      ['expected-thc', '21.4 %'],
      ['shelf-life', '12 months'],
    ] as const) {
      expect(fact(body, name), name).toBe(value)
    }
  })

  it('can be shown from v1.5 alone', () => {
    expect(shown(productBody({ product: undefined, productV15 }))).toMatchObject({
      effects: { positive: ['calm'], negative: ['dry mouth'], medical: [] },
      dosages: [{ quantity: '1 piece' }],
    })
  })

  it('takes every list that is empty in v1.2 from v1.5', () => {
    const lists = ['allergen', 'special_diet', 'ingredients', 'dosages', 'documents', 'videos'] as const
    const empty = Object.fromEntries(lists.map((key) => [key, []]))
    const media = (url: string) => ({ url: `https://media.example/${url}` })
    const body = productBody({
      product: Product.parse({
        ...wire.productV12(short),
        ...empty,
        additional_ingredients: '',
        images: { primary: null, supplemental: [] },
        positive_effects: [],
        negative_effects: [],
        medical_uses: [],
      }),
      productV15: ProductV15.parse({
        ...wire.productV15(long),
        allergen: ['Peanuts'],
        special_diet: ['Vegan'],
        ingredients: [{ name: 'Cocoa' }],
        additional_ingredients: 'Salt',
        dosages: [{ name: 'One square' }],
        documents: [media('sheet')],
        videos: [media('film')],
        images: { primary: media('front') },
        medical_uses: ['Sleep'],
      }),
    })
    expect(shown(body)).toMatchObject({
      allergens: ['Peanuts'],
      specialDiets: ['Vegan'],
      ingredients: ['Cocoa', 'Salt'],
      dosages: [{ name: 'One square' }],
      documents: [media('sheet'), media('film')],
      pictureUrls: [media('front').url],
      effects: { positive: ['calm'], negative: ['dry mouth'], medical: ['Sleep'] },
    })
  })

  it('keeps HTML unchanged, and lists documents and films with unsafe addresses without the address', () => {
    const html = '<img src=x onerror=alert(1)><script>1</script>'
    const documents = [
      'http://a.example/1',
      'javascript:alert(1)',
      'file:///etc/passwd',
      'no url',
      'https://a.example/2',
    ]
    const body = productBody({
      product: {
        ...product,
        description: html,
        documents: documents.map((url) => ({ url })),
        videos: [{ url: 'http://a.example/film', name: 'The film' }],
      },
      productV15: undefined,
    })
    expect(body?.descriptionHtml).toBe(html)
    expect(body?.documents.map(({ name, url }) => [name, url])).toEqual([
      ...documents.slice(0, 4).map((name) => [name, null]),
      ['https://a.example/2', 'https://a.example/2'],
      ['The film', null],
    ])
  })

  it('shows the texts of the laboratory and the maker', () => {
    const words = { about_ingredients: 'Grown here.', testing_methodology: 'HPLC.' }
    expect(shown(productBody({ product: undefined, productV15: { ...productV15, ...words } }))).toMatchObject({
      aboutIngredients: 'Grown here.',
      testingMethodology: 'HPLC.',
    })
  })
})

describe('a certificate', () => {
  it('shows every total, test and group, and an unknown result as it is', () => {
    const body = shown(coaBody(coa, 'B-1'))
    expect(body).toMatchObject({
      verdict: 'failed',
      batch: { name: 'B-1' },
      certificateUrl: 'https://lab.example/1.pdf',
    })
    if (body.kind !== 'coa') throw new Error('no certificate')
    expect(body.tests).toContainEqual({ name: 'pesticides_tests', result: 'something new' })
    expect(body.groups.map(({ rows }) => rows.length)).toEqual([1, ...Array.from({ length: 12 }, () => 0)])
    expect(body.groups[0]?.rows).toEqual([{ name: 'THCa', value: '20.1', unit: '%' }])
    expect(body.totals).toHaveLength(6)
    expect(fact(body, 'laboratory-address')).toBe('1 Test Street\nTrenton, NJ 08601')
  })

  it.each([
    ['http://lab.example/1', null],
    ['HTTPS://lab.example/1', 'https://lab.example/1'],
    ['javascript:alert(1)', null],
    ['https://user:secret@lab.example/', null],
    ['//lab.example/1', null],
    ['', null],
    [null, null],
  ])('at %s is opened at %s', (url, safe) => {
    expect(secureUrl(url)).toBe(safe)
  })
})

describe('a batch', () => {
  it('is shown from its own page and from a case, with each regulatory id', () => {
    const own = batchBody(BatchDetail.parse(wire.batchDetail(long)), [coa])
    const [ofCase] = batchesOfCase(detail)
    for (const body of [own, ofCase]) {
      expect(shown(body)).toMatchObject({ name: 'B-1', coas: [{ link: { id: thing(5) } }] })
      expect(body?.facts.filter(({ name }) => name === 'regulatory-id').map(({ value }) => value)).toEqual([
        'R-1',
        'R-2',
      ])
      expect(body?.packagedProducts).toMatchObject([{ product: { id: thing(3) } }])
    }
  })

  it('names each laboratory that tested the batch, if its own page does', () => {
    const testing_laboratories = ['First Lab', 'Second Lab'].map((name, n) => ({ uuid: long.thing(60 + n), name }))
    const body = batchBody(BatchDetail.parse({ ...wire.batchDetail(long), testing_laboratories }), [])
    expect(shown(body).facts.filter(({ name }) => name === 'laboratory')).toEqual([
      { name: 'laboratory', value: 'First Lab', form: 'text' },
      { name: 'laboratory', value: 'Second Lab', form: 'text' },
    ])
  })
})

describe('a package', () => {
  it('names the dispensary that imported each case, if known', () => {
    const cases = PackageCases.parse(wire.packageCases)
    const read = [{ ...caseFacts(detail), caseId: caseOf(1), name: 'Case 1', identifier: 'HF 2026/1' }]
    const body = packageBody({ packageUid: cases.package_uid, cases, collection: undefined, read })
    expect(shown(body)).toMatchObject({
      cases: [
        { link: { id: caseOf(1), name: 'Case 1', detail: 'HF 2026/1' }, isImported: true, dispensary: 'Green Door' },
        { link: { id: caseOf(2), name: null }, isImported: false, dispensary: null, importedOn: null },
      ],
    })
  })
})

describe('a case without a name', () => {
  it('is named after its products, if it holds any', () => {
    const facts = caseFacts({ ...detail, name: null })
    expect(caseName(facts)).toBe(facts.packagedProducts[0]?.productName)
    expect(caseName({ ...facts, name: 'Case 1' })).toBe('Case 1')
    expect(caseName({ ...facts, packagedProducts: [] })).toBeNull()
  })
})

describe('removed collections', () => {
  it('are listed with the last removal first', () => {
    const one = (n: number, removed_on: string | null): z.infer<typeof RemovedCollection> =>
      RemovedCollection.parse({ ...wire.removedCollection(long), uuid: long.thing(n), removed_on })
    const lines = removedLines([one(1, '2026-10-01T00:00:00Z'), one(3, null), one(2, '2026-10-02T00:00:00+05:00')])
    expect(lines.map(({ collectionId }) => collectionId)).toEqual([thing(2), thing(1), thing(3)])
  })
})

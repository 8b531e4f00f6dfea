import { describe, expect, it } from 'vitest'
import { CaseDetail, Collection } from '../../../src-shared/service/collections'
import { caseFacts } from '../../../src-shared/service/facts'
import { caseOf, tag, thing } from '../../fakes/ids'

const product = thing(1)
const batch = thing(2)
const oldPackage = thing(3)
const newPackage = thing(4)

const item = (n: number, more: object = {}) => ({ tag_id: tag(n), product_uuid: product, batch_uuid: batch, ...more })
const packaged = { uuid: thing(5), product_uuid: product, batch_uuid: batch }
const coa = (tests: object, more: object = {}) => ({
  uuid: thing(30),
  batch_uuid: batch,
  tests_performed: tests,
  ...more,
})

/** The facts of a case as the service sends it, parsed like an answer. */
const factsOf = (more: object) =>
  caseFacts(CaseDetail.parse({ uuid: caseOf(1), identifier: 'A 1', collection_type: 'case', items: [], ...more }))

describe('the facts of a case', () => {
  it('exist for a case of which the service sends almost nothing', () => {
    expect(factsOf({})).toEqual({
      caseId: caseOf(1),
      identifier: 'A 1',
      name: null,
      requiredCount: null,
      packagedProducts: [],
      tags: [],
      packageUids: [],
    })
  })

  it('include sales only if the case was read as a collection too', () => {
    const common = { uuid: caseOf(1), identifier: 'A 1', collection_type: 'case' }
    const detail = CaseDetail.parse({ ...common, items: [item(1), item(2), item(3)] })
    const sold = { tag_id: tag(1), sold_at_dispensary_on: '2026-11-21T14:00:00Z' }
    const collection = Collection.parse({ ...common, items: [sold, { tag_id: tag(2), sold_at_dispensary_on: null }] })
    const soldOn = (of: ReturnType<typeof caseFacts>) => of.tags.map((one) => one.soldOn)
    expect(soldOn(caseFacts(detail, collection))).toEqual(['2026-11-21T14:00:00Z', null, null])
    expect(soldOn(caseFacts(detail))).toEqual([null, null, null])
  })

  it('give each item its product, and each packaged product its items', () => {
    const facts = factsOf({
      items: [item(1), item(2), item(3, { product_uuid: thing(9) }), item(4, { product_uuid: null })],
      products: [
        { uuid: product, name: 'Blue Dune', brand_uuid: thing(6), images: { thumbnail: { url: 'http://x/p.svg' } } },
      ],
      brands: [{ uuid: thing(6), name: 'Hudson' }],
      packaged_products: [packaged],
    })
    expect(facts.packagedProducts).toMatchObject([
      { productName: 'Blue Dune', brandName: 'Hudson', pictureUrl: 'http://x/p.svg', tagIds: [tag(1), tag(2)] },
    ])
    expect(facts.tags.map((one) => one.productName)).toEqual(['Blue Dune', 'Blue Dune', null, null])
  })

  it('distinguish packaged products of one product by their batch', () => {
    const facts = factsOf({
      items: [item(1), item(2, { batch_uuid: thing(8) })],
      packaged_products: [packaged, { uuid: thing(7), product_uuid: product, batch_uuid: thing(8) }],
    })
    expect(facts.packagedProducts.map((one) => one.tagIds)).toEqual([[tag(1)], [tag(2)]])
  })

  it.each([
    ['every test passed', [{ a: 'pass', b: 'pass' }], 'passed'],
    ['some were not tested', [{ a: 'pass', b: 'not_tested' }], 'partly-tested'],
    ['one says anything else', [{ a: 'pass', b: 'not_tested', c: 'Fail - see lab' }], 'failed'],
    ['one certificate of two failed', [{ a: 'pass' }, { a: 'failed' }], 'failed'],
    ['a certificate lists nothing', [{}], 'none'],
    ['there is no certificate', [], 'none'],
  ])('give a verdict if %s', (_, tests, verdict) => {
    const facts = factsOf({
      items: [item(1)],
      packaged_products: [packaged],
      digital_coas: tests.map((one) => coa(one)),
    })
    expect(facts.packagedProducts[0]?.coa.verdict).toBe(verdict)
  })

  it('prefer the certificates of the packaged product to those of its batch, and show the earliest expiry', () => {
    const facts = factsOf({
      items: [item(1)],
      packaged_products: [{ ...packaged, digital_coa_uuids: [thing(31), thing(32)] }],
      digital_coas: [
        coa({ a: 'failed' }),
        coa({ a: 'pass' }, { uuid: thing(31), report_expires_on: '2028-01-01T00:00:00Z' }),
        coa({ a: 'pass' }, { uuid: thing(32), report_expires_on: '2027-12-31T18:00:00-05:00' }),
      ],
    })
    expect(facts.packagedProducts[0]?.coa).toEqual({ verdict: 'passed', expiresOn: '2027-12-31T18:00:00-05:00' })
  })

  it('list the newest package of each item, newest first, without duplicates', () => {
    const regulator = (uuid: string, identifier: string, added_on: string) => ({ uuid, identifier, added_on })
    const facts = factsOf({
      items: [
        item(1, { regulator_id_uuids: [oldPackage, newPackage] }),
        item(2, { regulator_id_uuids: [newPackage, oldPackage] }),
        item(3, { regulator_id_uuids: [oldPackage] }),
        item(4),
      ],
      regulator_ids: [
        regulator(oldPackage, 'OLD', '2026-01-01T00:00:00Z'),
        regulator(newPackage, 'NEW', '2026-02-01T00:00:00Z'),
        regulator(thing(10), 'UNKNOWN', '2026-03-01T00:00:00Z'),
      ],
    })
    expect(facts.packageUids).toEqual(['NEW', 'OLD'])
  })

  it('mark a packaged product as imported only if all its items are in an inventory', () => {
    const inventory = { inventory_collection_uuids: [thing(20)] }
    const isImported = (more: object) =>
      factsOf({ packaged_products: [packaged], ...more }).packagedProducts[0]?.isImported
    expect(isImported({ items: [item(1, inventory), item(2, inventory)] })).toBe(true)
    expect(isImported({ items: [item(1, inventory), item(2, { inventory_collection_uuids: [] })] })).toBe(false)
    expect(isImported({ items: [] })).toBe(false)
    // The inventory of another company is not listed; only the import date of the case shows it.
    expect(isImported({ items: [item(1)], imported_to_inventory_on: '2026-01-01T00:00:00Z' })).toBe(true)
  })
})

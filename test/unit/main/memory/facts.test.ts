import type { Database } from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Memory } from '../../../../src-main/memory/store'
import { openStore } from '../../../../src-main/database/open'
import { caseFactsOf } from '../../../fakes/case-facts'
import { caseOf, packageUid, tag, thing } from '../../../fakes/ids'

describe('remembered facts', () => {
  let db: Database
  let seen: Memory
  beforeEach(() => {
    db = openStore(':memory:').db
    seen = new Memory(db)
  })
  afterEach(() => {
    db.close()
  })

  const cases = (...numbers: number[]) => ({
    package_uid: packageUid(1),
    case_ids: Object.fromEntries(numbers.map((n) => [caseOf(n), { is_imported: false }])),
  })
  const item = (productName: string) => ({
    tagId: tag(1),
    caseId: caseOf(1),
    productId: null,
    productName,
    brandName: null,
    pictureUrl: null,
    isImported: null,
    soldOn: null,
  })

  it('are those requested last, in whatever order the answers arrive', () => {
    seen.keepCase({ ...caseFactsOf(1, { isImported: true }), tags: [item('new')] }, 20, 30)
    seen.keepCase({ ...caseFactsOf(1), tags: [item('old')] }, 10, 40)
    expect(seen.case(caseOf(1))).toMatchObject({
      seenAt: 20,
      value: { packagedProducts: [{ isImported: true }] },
    })
    expect(seen.tag(tag(1))?.value.productName).toBe('new')
    seen.keepTag(item('older'), 15, 50)
    expect(seen.tag(tag(1))?.value.productName).toBe('new')
    seen.keepPackage(packageUid(1), cases(1, 2), 20, 30)
    seen.keepPackage(packageUid(1), cases(1), 10, 40)
    expect(Object.keys(seen.package(packageUid(1))?.value.case_ids ?? {})).toHaveLength(2)
  })

  it('give the certificates of an item by itself, otherwise by its case', () => {
    const failed = { verdict: 'failed' as const, expiresOn: null }
    const passed = { verdict: 'passed' as const, expiresOn: '2999-01-01' }
    expect(seen.coaOf(tag(1))).toBeUndefined()
    seen.keepTag({ ...item('of a case that was never read'), coa: failed }, 10)
    expect(seen.coaOf(tag(1))).toEqual(failed)
    const known = caseFactsOf(1)
    const products = known.packagedProducts.map((one) => ({ ...one, coa: passed, tagIds: [tag(1)] }))
    seen.keepCase({ ...known, packagedProducts: products }, 20)
    // Its case could not be read with it.
    seen.keepTag(item('alone'), 30)
    expect(seen.coaOf(tag(1))).toEqual(passed)
    seen.keepTag({ ...item('not of that case'), tagId: tag(2) }, 30)
    expect(seen.coaOf(tag(2))).toBeUndefined()
    seen.keepTag({ ...item('of no case'), caseId: null }, 40)
    expect(seen.coaOf(tag(1))).toBeUndefined()
  })

  it('are read anew once they are written again, also those of an item that was asked for before it was known', () => {
    expect(seen.tag(tag(1))).toBeUndefined()
    seen.keepTag(item('first'), 10)
    expect(seen.tag(tag(1))?.value.productName).toBe('first')
    seen.keepCase({ ...caseFactsOf(1), tags: [item('second')] }, 20)
    expect(seen.tag(tag(1))).toMatchObject({ seenAt: 20, value: { productName: 'second' } })
    const failing = db.transaction(() => {
      seen.keepTag(item('rolled back'), 30)
      expect(seen.tag(tag(1))?.value.productName).toBe('rolled back')
      throw new Error('the disk is full')
    })
    expect(failing).toThrow('the disk is full')
    expect(seen.tag(tag(1))?.value.productName).toBe('second')
  })

  it('are replaced by the answer to a request of the same moment or later', () => {
    for (const [at, isImported] of [
      [20, true],
      [20, false],
      [21, true],
    ] as const) {
      seen.keepCase(caseFactsOf(1, { isImported }), at, at + 5)
      expect(seen.case(caseOf(1))?.value.packagedProducts[0]?.isImported).toBe(isImported)
    }
  })

  it('are replaced if they were written before the clock was set back', () => {
    seen.keepCase(caseFactsOf(1), 1_000_000, 1_000_005)
    seen.keepCase(caseFactsOf(1, { isImported: true }), 10, 15)
    expect(seen.case(caseOf(1))).toMatchObject({
      seenAt: 10,
      value: { packagedProducts: [{ isImported: true }] },
    })
  })

  it('include the products of a package with cases that were read, also after a restart', () => {
    seen.keepPackage(packageUid(1), cases(1, 2, 3), 1)
    seen.keepCase(caseFactsOf(1, { products: [1, 5] }), 1)
    seen.keepCase(caseFactsOf(2, { products: [5] }), 1)
    seen.keepCase(caseFactsOf(9), 1)
    const both = new Set([thing(1), thing(5)])
    expect(seen.productsIn(packageUid(1))).toEqual(both)
    expect(new Memory(db).productsIn(packageUid(1))).toEqual(both)
    expect(seen.productsIn(packageUid(2))).toEqual(new Set())
  })
})

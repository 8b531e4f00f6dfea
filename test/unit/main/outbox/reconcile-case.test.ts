import { beforeEach, describe, expect, it } from 'vitest'
import type { Operation } from '../../../../src-main/outbox/operation'
import { reconcile } from '../../../../src-main/outbox/reconcile'
import type { ShortUuid } from '../../../../src-shared/ids'
import { caseOf, packageUid, tag, thing } from '../../../fakes/ids'
import { operationOf, ownReportsOf } from '../../../fakes/operations'
import { type ShownImport, type ShownItem, type ShownService, shownService } from '../../../fakes/shown-service'

const found = { kind: 'decided', outcome: { kind: 'accepted', note: 'found-by-reading' } }
const notTaken = { kind: 'resend', ifAlready: 'rejected' }
const unclear = { kind: 'resend', ifAlready: 'accepted' }
const undecided = { kind: 'resend', ifAlready: 'unsettled' }

const here = caseOf(1)
const [product, otherProduct] = [thing(1), thing(2)]
const [ours, theirs] = ['our dispensary', 'our sister']
const [pack, otherPack] = [packageUid(1), packageUid(2)]

const of = (packagedProductId: ShortUuid, under: typeof pack | null, n: number): ShownItem => ({
  tagId: tag(n),
  packagedProductId,
  packageUid: under,
})
/** The look-up's entry for the case. */
const byUs: ShownImport = { isImported: true, packageUid: pack, dispensary: ours }
const bySister: ShownImport = { isImported: true, packageUid: pack, dispensary: theirs }
const byUnknown: ShownImport = { isImported: true, packageUid: pack }
const partly: ShownImport = { ...byUs, isImported: false }
const byAnotherCompany: ShownImport = { isImported: true, packageUid: null }
const underAnother: ShownImport = { ...byUs, packageUid: otherPack }
const notImported: ShownImport = { isImported: false, packageUid: null }

const under = [of(product, pack, 1), of(product, pack, 2)]
const out = [of(product, null, 1), of(product, null, 2)]
const ofOther = [...out, of(otherProduct, pack, 3)]
const ofOtherOnly = [of(otherProduct, pack, 3)]
const split = [of(product, otherPack, 1), of(product, otherPack, 2), of(otherProduct, pack, 3)]
const addedTo = [of(product, pack, 1), of(product, null, 2)]
const noProducts: ShownItem[] = [{ tagId: tag(1) }]

describe('an import or removal whose answer was lost', () => {
  let service: ShownService
  beforeEach(() => {
    service = shownService()
  })
  const look = (kind: 'import' | 'import-removal', ownDispensaryId: string | null = ours) => {
    const form = { caseId: here, packagedProductId: product, packageUid: pack, productName: null, itemCount: 2 }
    const payload = kind === 'import' ? { kind, ...form, posProductId: 'P', posInventoryId: 'I' } : { kind, ...form }
    return reconcile(operationOf(payload), {
      client: service.client,
      caseOf: () => undefined,
      own: ownReportsOf([]),
      ownDispensaryId,
    })
  }

  it.each([
    // what                                            entry             items       import    removal
    ['imported by us', byUs, under, found, notTaken],
    ['imported by us, items added since', byUs, addedTo, found, notTaken],
    ['only another product of the case imported by us', byUs, ofOther, notTaken, found],
    ["imported by us, but the items don't show it", byUs, out, notTaken, unclear],
    [
      'only another product of the case imported by us, and none of this product in it any more',
      byUs,
      ofOtherOnly,
      notTaken,
      unclear,
    ],
    ['imported by us, items without products', byUs, noProducts, found, notTaken],
    ['imported by us in part, items without products', partly, noProducts, notTaken, unclear],
    ['imported by our sister dispensary meanwhile', bySister, under, notTaken, found],
    ['imported by our sister dispensary, items without products', bySister, noProducts, notTaken, found],
    ['imported by another company', byAnotherCompany, out, notTaken, found],
    ['imported by us under another package', underAnother, [of(product, otherPack, 1)], notTaken, found],
    ['split over two packages, ours under the other', underAnother, split, notTaken, found],
    [
      'split over two packages, ours under this one',
      byUs,
      [of(product, pack, 1), of(otherProduct, otherPack, 3)],
      found,
      notTaken,
    ],
    ['not imported', notImported, out, notTaken, found],
    ['not imported, items without products', notImported, noProducts, notTaken, unclear],
    ['unknown to the look-up, items not imported', undefined, out, notTaken, found],
    ['unknown to the look-up, but items imported', undefined, under, unclear, unclear],
    ['under another package by the look-up, under this one by the items', underAnother, under, unclear, unclear],
    ['imported by an unknown dispensary', byUnknown, under, unclear, unclear],
    ['imported by an unknown dispensary, but not this product', byUnknown, ofOther, notTaken, found],
    ['imported by an unknown dispensary, items without products', byUnknown, noProducts, unclear, unclear],
  ])('%s', async (_, entry, items, afterImport, afterRemoval) => {
    service.showPackage(pack, entry ? { [here]: entry } : {})
    service.showCase(here, items)
    expect(await look('import')).toMatchObject(afterImport)
    expect(await look('import-removal')).toMatchObject(afterRemoval)
  })

  it.each([
    ['the item was imported with the case', pack, found, notTaken],
    ['the item was never imported', null, notTaken, found],
  ])('is decided by the items removed from the case since: %s', async (_, stoodUnder, afterImport, afterRemoval) => {
    service.showPackage(pack, { [here]: byUs })
    service.showCase(here, ofOtherOnly, [of(product, stoodUnder, 1)])
    expect(await look('import')).toMatchObject(afterImport)
    expect(await look('import-removal')).toMatchObject(afterRemoval)
  })

  it.each([byUs, bySister])('is not decided by %j while our own dispensary is unknown', async (entry) => {
    service.showPackage(pack, { [here]: entry })
    service.showCase(here, under)
    expect(await look('import', null)).toMatchObject(unclear)
    expect(await look('import-removal', null)).toMatchObject(unclear)
    service.showCase(here, ofOther)
    expect(await look('import', null)).toMatchObject(notTaken)
    expect(await look('import-removal', null)).toEqual(found)
  })

  const question = { lookup: `package ${pack}`, items: `case ${here}` }
  it.each([
    { code: 'service/unreachable' },
    { code: 'service/busy' },
    { code: 'service/failing', status: 502 },
    { code: 'service/unreadable', path: null },
    { code: 'service/credentials-refused' },
  ] as const)('stays unknown while a reading fails: $code', async (error) => {
    const still = { kind: 'decided', outcome: { kind: 'unknown', reason: error, afterMs: null } }
    service.showPackage(pack, { [here]: byUs })
    service.fail(question.items, error)
    expect([await look('import'), await look('import-removal')]).toMatchObject([still, still])
    service.fail(question.lookup, error)
    expect([await look('import'), await look('import-removal')]).toMatchObject([still, still])
  })

  it.each([
    { code: 'service/not-found', id: 'X' },
    { code: 'service/forbidden' },
    { code: 'service/unreadable', path: 'items.0.tag_id' },
  ] as const)('is resent, without guessing, if it can never be read: $code', async (error) => {
    service.showPackage(pack, { [here]: byUs })
    service.showCase(here, under)
    service.fail(question.lookup, error)
    // The items are under the package, but only the service knows which dispensary imported them.
    expect([await look('import'), await look('import-removal')]).toMatchObject([unclear, unclear])
    service.showCase(here, out)
    expect([await look('import'), await look('import-removal')]).toMatchObject([notTaken, unclear])
    service.fail(question.items, error)
    expect([await look('import'), await look('import-removal')]).toMatchObject([notTaken, unclear])
  })

  it("is decided by the look-up if only the case can't be read", async () => {
    service.fail(question.items, { code: 'service/not-found', id: here })
    service.showPackage(pack, { [here]: byUs })
    expect([await look('import'), await look('import-removal')]).toMatchObject([found, notTaken])
    service.showPackage(pack, { [here]: bySister })
    expect([await look('import'), await look('import-removal')]).toMatchObject([notTaken, found])
    service.showPackage(pack, {})
    expect([await look('import'), await look('import-removal')]).toMatchObject([notTaken, unclear])
  })

  describe('with a time of import in the look-up', () => {
    const form = { caseId: here, packagedProductId: product, packageUid: pack, productName: null, itemCount: 2 }
    const payload = { kind: 'import' as const, ...form, posProductId: 'P', posInventoryId: 'I' }
    const again = operationOf(payload, { seq: 3, performedAt: '2026-11-21T14:00:10.700Z' })
    const first = operationOf(payload, { seq: 1, state: 'accepted', performedAt: '2026-11-21T13:00:00.000Z' })
    const other = { ...payload, packagedProductId: otherProduct }
    const lookAt = (importedOn: string, before: Operation[]) => {
      service.showPackage(pack, { [here]: { ...byUs, importedOn } })
      service.showCase(here, under)
      const parts = { client: service.client, caseOf: () => undefined, own: ownReportsOf(before) }
      return reconcile(again, { ...parts, ownDispensaryId: ours })
    }

    it.each([
      ['at our time', '2026-11-21T14:00:10.700Z'],
      ['later, after a day without a network', '2026-11-22T14:00:00Z'],
      ['at our time, in whole seconds', '2026-11-21T14:00:10Z'],
      ['at our time, by a clock that is slightly behind', '2026-11-21T14:00:08.700Z'],
      ['with another offset', '2026-11-21T09:00:10.700-05:00'],
    ])('is ours %s, whatever we imported before', async (_, importedOn) => {
      expect(await lookAt(importedOn, [])).toEqual(found)
      expect(await lookAt(importedOn, [first])).toEqual(found)
    })

    it('is for a person if the time may be that of our earlier import or, by its minute or day, of this one', async () => {
      for (const shown of ['2026-11-21T14:00:00Z', '2026-11-21T00:00:00Z', '2026-11-21T00:00:00-05:00']) {
        expect(await lookAt(shown, [first])).toMatchObject(undecided)
        expect(await lookAt(shown, [])).toMatchObject(unclear)
      }
    })

    it('is not ours if our own earlier import still stands', async () => {
      expect(await lookAt('2026-11-21T13:00:00.300Z', [first])).toMatchObject(notTaken)
      expect(await lookAt('2026-11-21T14:00:08.699Z', [first])).toMatchObject(notTaken)
    })

    it.each([
      ['nothing', []],
      ['a later one', [{ ...first, seq: 4 }]],
      ['one that was refused', [{ ...first, state: 'rejected' as const }]],
      ['one of another product', [operationOf(other, { seq: 1, state: 'accepted' })]],
      ['a removal', [operationOf({ kind: 'import-removal', ...form }, { seq: 1, state: 'accepted' })]],
    ])(
      'is left to the service if the import time is older and %s of ours explains it, since a clock may be wrong',
      async (_, before) => {
        expect(await lookAt('2026-11-21T13:00:00Z', before)).toMatchObject(unclear)
      },
    )
  })
})

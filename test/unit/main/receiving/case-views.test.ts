import { describe, expect, it } from 'vitest'
import { viewOperation } from '../../../../src-main/outbox/views'
import { askEntry, createCaseViews } from '../../../../src-main/receiving/delivery/case-views'
import { type PackageEntry, canImport } from '../../../../src-main/receiving/import/import-state'
import type { ImportState } from '../../../../src-shared/ipc/contract/receiving'
import type { LookedUp } from '../../../../src-main/memory/lookup'
import type { CaseInBrief } from '../../../../src-main/memory/store'
import { caseOf, packageUid, thing } from '../../../fakes/ids'
import { receivingContext } from '../../../fakes/receiving-context'
import { importing, rejected, removing, useDesk } from '../outbox/desk'

const known = (isImported: boolean, source: 'now' | 'stored' = 'now', seenAt = 0): LookedUp<CaseInBrief> => ({
  value: {
    caseId: caseOf(1),
    identifier: 'CASE-1',
    name: null,
    requiredCount: 2,
    tagCount: 2,
    packageUids: [],
    packagedProducts: [
      {
        packagedProductId: thing(1),
        productId: thing(2),
        productName: 'Blue Dream 3.5 g',
        brandName: null,
        sku: null,
        batchName: null,
        packagedOn: null,
        useBy: null,
        pictureUrl: null,
        tagIds: [],
        coa: { verdict: 'none', expiresOn: null },
        isImported,
      },
    ],
  },
  knowledge: { source, knownAt: new Date(seenAt).toISOString() },
  unreachable: null,
})
const dispensary = { uuid: 'ours', name: 'Green Door' }
const entryOf = (is_imported: boolean) => ({ is_imported, imported_on: '2026-11-21T14:00:00Z', dispensary })

describe("the import state of a case, from the service's answers and our reports", () => {
  const desk = useDesk()
  let ahead = 0
  const serviceClock = { offset: () => ahead }
  const open = (ownDispensaryId: string | null = 'ours') =>
    createCaseViews(
      receivingContext({ ...desk, serviceClock, profile: { name: 'Green Door', dispensaryId: ownDispensaryId } }),
    )
  const accept = () => {
    desk.outbox.settle(desk.outbox.claim()?.seq ?? 0, { kind: 'accepted', note: null })
  }
  const kindOf = (view: ReturnType<ReturnType<typeof open>['view']>) => view.packagedProducts[0]?.importState.kind

  it('trusts a report accepted while the service was being asked over the answer', () => {
    const views = open()
    desk.put(importing(1))
    const askedAt = views.acceptedSoFar()
    accept()
    expect(kindOf(views.view(known(false), entryOf(false), askedAt))).toBe('imported-here')
    // An answer to a later question counts: the service knows of a removal that we don't.
    expect(kindOf(views.view(known(false), entryOf(false), views.acceptedSoFar()))).toBe('to-import')
    desk.put(removing(1))
    const askedAgain = views.acceptedSoFar()
    accept()
    expect(kindOf(views.view(known(true), entryOf(true), askedAgain))).toBe('to-import')
    expect(kindOf(views.view(known(true), entryOf(true), views.acceptedSoFar()))).toBe('imported-here')
  })

  it('trusts a reading newer than our report over the report, even if the reading is only remembered', () => {
    const views = open()
    const remembered = (isImported: boolean, seenAt: number, entry = entryOf(isImported)) =>
      kindOf(views.view(known(isImported, 'stored', seenAt), entry))
    desk.clock.advance(1_000)
    desk.put(importing(1))
    accept()
    const acceptedAt = desk.clock.now()
    expect(remembered(false, acceptedAt - 1)).toBe('imported-here')
    expect(remembered(false, acceptedAt)).toBe('imported-here')
    // Another till removed the import, or another dispensary has the case now.
    expect(remembered(false, acceptedAt + 1)).toBe('to-import')
    const theirs = { ...entryOf(true), dispensary: { uuid: 'theirs', name: 'Hoboken' } }
    expect(remembered(true, acceptedAt + 1, theirs)).toBe('imported-by-company')
    expect(remembered(true, acceptedAt + 1)).toBe('imported-here')

    desk.clock.advance(1_000)
    desk.put(removing(1))
    accept()
    expect(remembered(true, desk.clock.now() - 1)).toBe('to-import')
    // Another till imported the case after our removal.
    expect(remembered(true, desk.clock.now() + 1)).toBe('imported-here')
  })

  it('applies a removal only to its own packaged product', () => {
    const views = open()
    const removal = removing(1)
    desk.put(removal.kind === 'import-removal' ? { ...removal, packagedProductId: thing(8) } : removal)
    desk.clock.advance(1_000)
    accept()
    expect(kindOf(views.view(known(true, 'stored', desk.clock.now() - 500), entryOf(true)))).toBe('imported-here')
  })

  it('trusts freshly read items over the package look-up, but the look-up over remembered items', () => {
    const views = open()
    const fresh = (entry: PackageEntry) => kindOf(views.view(known(true), entry, views.acceptedSoFar()))
    const stored = (entry: PackageEntry) => kindOf(views.view(known(true, 'stored', 5), entry))
    // The package look-up says "not imported" until all packaged products of the case are imported.
    expect([fresh(entryOf(false)), stored(entryOf(false))]).toEqual(['imported-here', 'to-import'])
    expect([fresh(entryOf(true)), stored(entryOf(true))]).toEqual(['imported-here', 'imported-here'])
    expect([fresh(undefined), stored(undefined)]).toEqual(['imported-elsewhere', 'imported-elsewhere'])
    expect([fresh(null), stored(null)]).toEqual(['unknown', 'unknown'])
  })

  it('is the same from memory, as on the record, of a case whose items are in no package', async () => {
    const views = open()
    const { value } = known(true)
    const asked = await askEntry(value, receivingContext(desk).lookup)
    const entryFromMemory = views.cachedEntries()
    const live = kindOf(views.view(known(true), asked, views.acceptedSoFar()))
    const remembered = kindOf(views.view(known(true, 'stored', 5), entryFromMemory(caseOf(1), [])))
    expect([live, remembered]).toEqual(['imported-elsewhere', 'imported-elsewhere'])
    expect(entryFromMemory(caseOf(1), [packageUid(1)])).toBeNull()
    expect(entryFromMemory(caseOf(1), undefined)).toBeNull()
  })

  it('of a case that was never read comes from its package and our reports', () => {
    const views = open()
    const kind = (entry: PackageEntry) => views.stateOf(caseOf(1), null, entry).kind
    expect(kind(null)).toBe('unknown')
    expect(kind(undefined)).toBe('to-import')
    expect(kind(entryOf(false))).toBe('to-import')
    expect(kind(entryOf(true))).toBe('imported-here')
    expect(kind({ ...entryOf(true), dispensary: { uuid: 'theirs', name: 'Hoboken' } })).toBe('imported-by-company')
    expect(kind({ is_imported: true })).toBe('imported-elsewhere')
    desk.put(importing(1))
    expect(kind(null)).toBe('pending')
    desk.outbox.settle(desk.outbox.claim()?.seq ?? 0, rejected)
    expect(kind(null)).toBe('refused')
  })

  it('names the dispensary without a word of whose it is while this station does not know its own', () => {
    const state = { kind: 'imported-by-company', dispensary: 'Green Door' }
    const stateIn = (views: ReturnType<typeof open>, askedAt = views.acceptedSoFar()) =>
      views.view(known(true), entryOf(true), askedAt).packagedProducts[0]?.importState
    expect(stateIn(open(null))).toMatchObject({ ...state, mayBeOwn: true })
    expect(open(null).stateOf(caseOf(1), null, entryOf(true))).toMatchObject({ ...state, mayBeOwn: true })
    expect(stateIn(open('another'))).not.toHaveProperty('mayBeOwn')
  })

  it('holds back a failed or expired certificate and a refused import, until a person picks the case', () => {
    const views = open()
    const heldBack = (coa: CaseInBrief['packagedProducts'][number]['coa']) => {
      const facts = known(false)
      const packagedProducts = facts.value.packagedProducts.map((one) => ({ ...one, coa }))
      const view = views.view(
        { ...facts, value: { ...facts.value, packagedProducts } },
        undefined,
        views.acceptedSoFar(),
      )
      return view.packagedProducts[0]?.heldBack
    }
    const [past, future] = ['1960-01-01', '2999-01-01']
    expect(heldBack({ verdict: 'failed', expiresOn: future })).toBe('coa')
    expect(heldBack({ verdict: 'passed', expiresOn: past })).toBe('coa')
    expect(heldBack({ verdict: 'passed', expiresOn: future })).toBeNull()
    // A certificate without results expires like any other.
    expect(heldBack({ verdict: 'none', expiresOn: past })).toBe('coa')
    expect(heldBack({ verdict: 'none', expiresOn: null })).toBeNull()
    // By the service's clock.
    ahead = 24 * 3_600_000
    const today = new Date(desk.clock.now()).toLocaleDateString('sv')
    expect(heldBack({ verdict: 'passed', expiresOn: today })).toBe('coa')
    ahead = 0
    expect(heldBack({ verdict: 'passed', expiresOn: today })).toBeNull()
    desk.put(importing(1))
    desk.outbox.settle(desk.outbox.claim()?.seq ?? 0, rejected)
    expect(heldBack({ verdict: 'failed', expiresOn: past })).toBe('refused')
  })

  it('holds back an import that a person took back, sent or not, until it is imported again', () => {
    const views = open()
    const heldBack = () => views.view(known(false), undefined, views.acceptedSoFar()).packagedProducts[0]?.heldBack
    expect(heldBack()).toBeNull()
    desk.outbox.withdraw(desk.put(importing(1)).id)
    expect(heldBack()).toBe('undone')
    desk.put(importing(1))
    accept()
    desk.put(removing(1))
    expect(heldBack()).toBeNull()
    accept()
    expect(heldBack()).toBe('undone')
    desk.put(importing(1))
    expect(heldBack()).toBeNull()
  })

  it('of several products is the one that needs a person first, or how many are imported', () => {
    const views = open()
    const facts = known(false)
    const [product] = facts.value.packagedProducts
    if (!product) throw new Error('there is no product')
    const of = (...states: ImportState[]) => {
      const view = views.view(facts, entryOf(false), views.acceptedSoFar())
      const packagedProducts = states.flatMap((importState) =>
        view.packagedProducts.map((one) => ({ ...one, importState })),
      )
      return views.stateOf(caseOf(1), { ...view, packagedProducts }, undefined)
    }
    const operation = viewOperation(desk.put(importing(1)), desk.outbox, desk.clock)
    const here: ImportState = { kind: 'imported-here', at: null, packageUid: null, operation: null }
    const [free, away]: ImportState[] = [{ kind: 'to-import' }, { kind: 'imported-elsewhere', at: null }]
    if (!free || !away) throw new Error('there are two')
    expect(of(here, free)).toEqual({ kind: 'partly', imported: 1, total: 2 })
    expect(of(here, here)).toBe(here)
    expect(of(away, free)).toEqual({ kind: 'partly', imported: 1, total: 2 })
    expect(of(away, { kind: 'unknown' }, here)).toEqual({ kind: 'partly', imported: 2, total: 3 })
    expect(of(away, here)).toBe(here)
    expect(of(here, { kind: 'pending', operation }).kind).toBe('pending')
    expect(of(here, { kind: 'pending', operation }, { kind: 'refused', operation }).kind).toBe('refused')
  })

  it("allows an import if the case is in no inventory, couldn't be checked, or was refused", () => {
    const operation = viewOperation(desk.put(importing(1)), desk.outbox, desk.clock)
    expect(canImport({ kind: 'to-import' })).toBe(true)
    expect(canImport({ kind: 'unknown' })).toBe(true)
    expect(canImport({ kind: 'refused', operation })).toBe(true)
    expect(canImport({ kind: 'refused', operation: { ...operation, kind: 'import-removal' } })).toBe(false)
    expect(canImport({ kind: 'pending', operation })).toBe(false)
    expect(canImport({ kind: 'imported-here', at: null, packageUid: null, operation: null })).toBe(false)
    expect(canImport({ kind: 'imported-elsewhere', at: null })).toBe(false)
  })

  it('is pending for all products of a case while a blind import is unsettled', () => {
    const views = open()
    const { posProductId, posInventoryId } = { posProductId: 'P', posInventoryId: 'I' }
    const blind = { kind: 'blind-import', scanned: caseOf(1), caseId: caseOf(1) } as const
    desk.put({ ...blind, packageUid: packageUid(1), posProductId, posInventoryId })
    expect(kindOf(views.view(known(false), entryOf(false), views.acceptedSoFar()))).toBe('pending')
  })
})

import { describe, expect, it } from 'vitest'
import { viewOperation } from '../../../../src-main/outbox/views'
import { createCaseViews } from '../../../../src-main/receiving/case-views'
import { type Entry, canImport, createSeenSince } from '../../../../src-main/receiving/import-state'
import { createMemory } from '../../../../src-main/memory/store'
import type { ImportState } from '../../../../src-shared/ipc/contract/receiving'
import type { Known } from '../../../../src-main/memory/lookup'
import type { CaseInBrief } from '../../../../src-main/memory/store'
import { caseOf, packageUid, thing } from '../../../fakes/ids'
import { importing, rejected, removing, useDesk } from '../outbox/desk'

const known = (isImported: boolean, source: 'now' | 'stored' = 'now', seenAt = 0): Known<CaseInBrief> => ({
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

describe('the state of a case, of what the service says and what we did', () => {
  const desk = useDesk()
  const open = () =>
    createCaseViews({
      seen: createMemory(desk.db),
      outbox: desk.outbox,
      view: (operation) => viewOperation(operation, desk.outbox, desk.clock),
      seenSince: createSeenSince(desk.outbox),
      clock: desk.clock,
      ownDispensaryId: 'ours',
    })
  const accept = () => {
    desk.outbox.settle(desk.outbox.claim()?.seq ?? 0, { kind: 'accepted', note: null })
  }
  const kindOf = (view: ReturnType<ReturnType<typeof open>['view']>) => view.packagedProducts[0]?.importState.kind

  it('believes a report that was taken while the service was being asked more than its answer', () => {
    const views = open()
    desk.put(importing(1))
    const askedAt = views.moment()
    accept()
    expect(kindOf(views.view(known(false), entryOf(false), askedAt))).toBe('imported-here')
    // Asked after, the service knows of a removal that we don't.
    expect(kindOf(views.view(known(false), entryOf(false), views.moment()))).toBe('to-import')
    desk.put(removing(1))
    const askedAgain = views.moment()
    accept()
    expect(kindOf(views.view(known(true), entryOf(true), askedAgain))).toBe('to-import')
    expect(kindOf(views.view(known(true), entryOf(true), views.moment()))).toBe('imported-here')
  })

  it('believes what was seen after a report of ours more than the report, also when it is only remembered', () => {
    const views = open()
    const remembered = (isImported: boolean, seenAt: number, entry = entryOf(isImported)) =>
      kindOf(views.view(known(isImported, 'stored', seenAt), entry))
    desk.clock.advance(1_000)
    desk.put(importing(1))
    accept()
    const acceptedAt = desk.clock.now()
    expect(remembered(false, acceptedAt - 1)).toBe('imported-here')
    expect(remembered(false, acceptedAt)).toBe('imported-here')
    // Another till took it back, or another dispensary has it since.
    expect(remembered(false, acceptedAt + 1)).toBe('to-import')
    const theirs = { ...entryOf(true), dispensary: { uuid: 'theirs', name: 'Hoboken' } }
    expect(remembered(true, acceptedAt + 1, theirs)).toBe('imported-by-company')
    expect(remembered(true, acceptedAt + 1)).toBe('imported-here')

    desk.clock.advance(1_000)
    desk.put(removing(1))
    accept()
    expect(remembered(true, desk.clock.now() - 1)).toBe('to-import')
    // Another till imported it after our removal.
    expect(remembered(true, desk.clock.now() + 1)).toBe('imported-here')
  })

  it('takes the removal of one packaged product of a case for no other', () => {
    const views = open()
    const removal = removing(1)
    desk.put(removal.kind === 'import-removal' ? { ...removal, packagedProductId: thing(8) } : removal)
    desk.clock.advance(1_000)
    accept()
    expect(kindOf(views.view(known(true, 'stored', desk.clock.now() - 500), entryOf(true)))).toBe('imported-here')
  })

  it('believes the items over the package look-up when they were just read, and the look-up when they are remembered', () => {
    const views = open()
    const fresh = (entry: Entry) => kindOf(views.view(known(true), entry, views.moment()))
    const stored = (entry: Entry) => kindOf(views.view(known(true, 'stored', 5), entry))
    // A package look-up says "not imported" of a case until all its packaged products are.
    expect([fresh(entryOf(false)), stored(entryOf(false))]).toEqual(['imported-here', 'to-import'])
    expect([fresh(entryOf(true)), stored(entryOf(true))]).toEqual(['imported-here', 'imported-here'])
    expect([fresh(undefined), stored(undefined)]).toEqual(['imported-elsewhere', 'imported-elsewhere'])
    expect([fresh(null), stored(null)]).toEqual(['unknown', 'unknown'])
  })

  it('says of a case that was never read what its package and our own reports say', () => {
    const views = open()
    const kind = (entry: Entry) => views.stateOf(caseOf(1), null, entry).kind
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

  it('shows of several products what needs a person first, and how many are imported', () => {
    const views = open()
    const facts = known(false)
    const [product] = facts.value.packagedProducts
    if (!product) throw new Error('there is no product')
    const of = (...states: ImportState[]) => {
      const view = views.view(facts, entryOf(false), views.moment())
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
    expect(of(away, free)).toBe(free)
    expect(of(here, { kind: 'pending', operation }).kind).toBe('pending')
    expect(of(here, { kind: 'pending', operation }, { kind: 'refused', operation }).kind).toBe('refused')
  })

  it('allows the import of what is in no inventory, could not be asked about, or was refused', () => {
    const operation = viewOperation(desk.put(importing(1)), desk.outbox, desk.clock)
    expect(canImport({ kind: 'to-import' })).toBe(true)
    expect(canImport({ kind: 'unknown' })).toBe(true)
    expect(canImport({ kind: 'refused', operation })).toBe(true)
    expect(canImport({ kind: 'refused', operation: { ...operation, kind: 'import-removal' } })).toBe(false)
    expect(canImport({ kind: 'pending', operation })).toBe(false)
    expect(canImport({ kind: 'imported-here', at: null, packageUid: null, operation: null })).toBe(false)
    expect(canImport({ kind: 'imported-elsewhere', at: null })).toBe(false)
  })

  it('shows a blind import as what is on its way with any product of the case', () => {
    const views = open()
    const { posProductId, posInventoryId } = { posProductId: 'P', posInventoryId: 'I' }
    const blind = { kind: 'blind-import', scanned: caseOf(1), caseId: caseOf(1) } as const
    desk.put({ ...blind, packageUid: packageUid(1), posProductId, posInventoryId })
    expect(kindOf(views.view(known(false), entryOf(false), views.moment()))).toBe('pending')
  })
})

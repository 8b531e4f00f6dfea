import { describe, expect, it } from 'vitest'
import { DeliveryKey, thingOf } from '../../../../src-main/hub/rows'
import {
  type ImportElsewhere,
  type ImportKnowledge,
  canImport,
  importStateOf,
  stateOfUnread,
  statusInStore,
} from '../../../../src-main/receiving/import/import-state'
import type { Operation } from '../../../../src-main/outbox/operation'
import { viewName } from '../../../../src-main/outbox/views'
import type { OperationView } from '../../../../src-shared/ipc/contract/outbox'
import { operationOf } from '../../../fakes/operations'
import { caseOf, packageUid as packageOf, thing } from '../../../fakes/ids'

const packageUid = packageOf(1)

const at = Date.parse('2026-11-21T14:00:00.123Z')
const ofCase = { caseId: caseOf(1), packagedProductId: thing(1), packageUid, productName: null, itemCount: 2 }
const importOf = (state: Operation['state']) =>
  operationOf({ kind: 'import', ...ofCase, posProductId: 'P', posInventoryId: 'I' }, { state })
const removalOf = (state: Operation['state']) => operationOf({ kind: 'import-removal', ...ofCase }, { state })
const blindOf = (state: Operation['state']) =>
  operationOf(
    {
      ...{ kind: 'blind-import', scanned: 'CASE-1', caseId: caseOf(1), packageUid },
      ...{ posProductId: 'P', posInventoryId: 'I' },
    },
    { state },
  )
const view = (): OperationView => {
  throw new Error('no operation is shown')
}

const elsewhere = (state: ImportElsewhere['state']): ImportElsewhere => ({
  ...{ station: 'Station 1', state, at, heardAt: at },
})
const known = (fields: Partial<ImportKnowledge>): ImportKnowledge => ({
  caseId: caseOf(1),
  packagedProductId: thing(1),
  isImported: false,
  isFresh: true,
  isSince: () => true,
  entry: undefined,
  ownDispensaryId: 'ours',
  operations: [],
  ...fields,
})

describe('an import of another station of the store', () => {
  it('holds up what could be imported here, and nothing else', () => {
    const state = importStateOf(known({ elsewhere: elsewhere('importing') }), view)
    expect(state).toEqual({ kind: 'importing-elsewhere', station: 'Station 1', at: '2026-11-21T14:00:00.123Z' })
    expect(canImport(state)).toBe(false)
    const dispensary = { uuid: 'theirs', name: 'Hoboken' }
    const entry = { is_imported: true, imported_on: null, dispensary }
    expect(importStateOf(known({ elsewhere: elsewhere('importing'), isImported: true, entry }), view).kind).toBe(
      'imported-by-company',
    )
  })

  it('counts as imported once it was accepted, until the service was asked since and says otherwise', () => {
    const before = known({ elsewhere: elsewhere('imported'), isSinceHeard: false })
    expect(importStateOf(before, view)).toMatchObject({ kind: 'imported-here', operation: null, station: 'Station 1' })
    expect(importStateOf({ ...before, isSinceHeard: true }, view)).toEqual({ kind: 'to-import' })
  })

  it('counts as imported after an own attempt was refused, also once the service was asked since and says the same', () => {
    const operations = [importOf('rejected')]
    const refused = known({ operations, elsewhere: elsewhere('imported'), isSinceHeard: true, isImported: true })
    const show = (one: Operation): OperationView => ({
      ...{ ...viewName(one), seq: one.seq, performedAt: '2026-11-21T13:00:00.000Z', attempts: 1, nextAttemptAt: null },
      ...{ reason: null, note: null, dismissedBecause: null, waitsFor: 0, heldUpBy: null, undo: null },
      ...{ unsettled: null, missing: [], actions: [], packagedProductId: null, packageUid: null, itemCount: 2 },
    })
    expect(importStateOf(refused, show)).toMatchObject({ kind: 'imported-here', operation: null, station: 'Station 1' })
    expect(importStateOf({ ...refused, isImported: false }, show)).toMatchObject({ kind: 'refused' })
  })

  it('names the station that imported what the service says is imported here', () => {
    const entry = { is_imported: true, imported_on: null, dispensary: { uuid: 'ours', name: 'Green Door' } }
    const imported = known({ isImported: true, entry })
    expect(importStateOf({ ...imported, elsewhere: elsewhere('imported') }, view)).toMatchObject({
      station: 'Station 1',
    })
    expect(importStateOf({ ...imported, elsewhere: elsewhere('importing') }, view)).not.toHaveProperty('station')
  })

  it('is told of a case that was never read', () => {
    const unread = { entry: undefined, ownDispensaryId: 'ours', operations: [], elsewhere: elsewhere('importing') }
    expect(stateOfUnread(unread, view)).toMatchObject({ kind: 'importing-elsewhere' })
  })
})

describe('what the other stations are told of an import', () => {
  const state = (operations: Operation[]) => statusInStore(operations, thing(1)).state
  it.each([
    ['nothing', [], 'over'],
    ['a queued import', [importOf('queued')], 'importing'],
    ['one without an answer', [importOf('unknown')], 'importing'],
    ['an accepted one', [importOf('accepted')], 'imported'],
    ['a refused one', [importOf('rejected')], 'over'],
    ['a withdrawn one', [importOf('cancelled')], 'over'],
    ['one that is being removed', [importOf('accepted'), removalOf('queued')], 'imported'],
    ['one whose removal was refused', [importOf('accepted'), removalOf('rejected')], 'imported'],
    ['one without an answer that is being removed', [importOf('unknown'), removalOf('queued')], 'importing'],
    ['a removed one', [importOf('accepted'), removalOf('accepted')], 'over'],
    ['one of another kind', [blindOf('queued')], 'over'],
  ] as const)('%s', (_, operations, expected) => {
    expect(state([...operations])).toBe(expected)
  })

  it('keeps a blind import apart from the products of its case', () => {
    expect(statusInStore([blindOf('queued')], null)).toEqual({ state: 'importing', at })
    expect(statusInStore([importOf('queued')], null).state).toBe('over')
  })
})

describe('the key of a package or case at the hub', () => {
  it('names one of both', () => {
    expect(thingOf(`case ${caseOf(1)}`)).toEqual({ caseId: caseOf(1) })
    expect(thingOf(`package ${packageUid}`)).toEqual({ packageUid })
    expect(DeliveryKey.safeParse(`package ${packageUid}`).success).toBe(true)
  })
  it.each([
    '',
    'case',
    'case ',
    'package ',
    'case not a case',
    'tag x',
    `Case ${caseOf(1)}`,
    `package ${'x'.repeat(700)}`,
  ])('is none for %j', (text) => {
    expect(DeliveryKey.safeParse(text).success).toBe(false)
  })
})

import { describe, expect, it } from 'vitest'
import type { OperationState } from '../../../../src-shared/ipc/contract/outbox'
import {
  type ReadStatus,
  type SaidPlace,
  type ShelfStatus,
  type StockKind,
  type StockReport,
  shelfStatusOf,
} from '../../../../src-main/stock/shelf-status'

const said = (place: SaidPlace, isSold: boolean | null = false): ReadStatus => ({ place, isSold })
/** A report that the reading of the case can't have known. */
const since = (kind: StockKind, state: OperationState = 'accepted'): StockReport => ({ kind, state, isKnown: false })
/** A report that the service had when the case was read. */
const before = (kind: StockKind): StockReport => ({ kind, state: 'accepted', isKnown: true })

/** What the service said, our reports, how the item stands, and why. */
const cases: [ReadStatus, StockReport[], ShelfStatus, string][] = [
  [said('here'), [], 'here', 'the service says so'],
  [said('elsewhere'), [], 'elsewhere', 'the service says so'],
  [said('taken-out'), [], 'taken-out', 'the service says so'],
  [said('here', true), [], 'sold', 'another station sold it'],
  [said('not-imported', null), [], 'not-imported', 'it is in a case that was never imported'],

  [said('not-imported'), [since('import', 'queued')], 'here', 'an import counts once it is saved'],
  [said('not-imported'), [since('import')], 'here', 'the reading is older than the import'],
  [said('not-imported'), [before('import')], 'not-imported', 'another station took the import back since'],
  [said('not-imported'), [since('import', 'rejected')], 'not-imported', 'a refused import imports nothing'],
  [said('not-imported'), [since('import', 'cancelled')], 'not-imported', 'it was withdrawn'],
  [said('here'), [since('import'), since('import-removal', 'queued')], 'not-imported', 'the import is being undone'],
  [said('here'), [since('import-removal', 'rejected')], 'here', 'the removal was refused'],
  [said('not-imported'), [since('import-removal'), since('import')], 'here', 'it was imported again'],
  [said('elsewhere'), [since('import', 'unknown')], 'here', 'our import may have been taken since'],
  [said('taken-out'), [since('import')], 'taken-out', 'an import does not bring back what was taken out'],

  [said('here'), [since('complete', 'queued')], 'sold', 'a sale counts once it is saved'],
  [said('here'), [since('complete', 'sending')], 'sold', 'it is on its way'],
  [said('here'), [since('complete', 'unknown')], 'sold', 'the service may have it'],
  [said('here'), [since('complete', 'rejected')], 'here', 'a refused sale is to be settled by a person'],
  [said('here'), [since('complete', 'cancelled')], 'here', 'it was withdrawn'],
  [said('here', null), [since('complete')], 'sold', 'what is sold was not read'],
  [said('here', null), [before('complete')], 'sold', 'what is sold was not read'],
  [said('here', false), [before('complete')], 'here', 'it was returned at another station'],
  [said('here', true), [before('complete')], 'sold', 'both agree'],
  [said('here', true), [before('complete'), since('return', 'queued')], 'here', 'it came back'],
  [said('here', true), [before('complete'), since('void')], 'here', 'the order was voided'],
  [said('here', true), [before('complete'), since('return', 'rejected')], 'sold', 'the return was refused'],
  [said('here', true), [before('complete'), since('return'), since('complete')], 'sold', 'it was sold again'],
  [said('not-imported'), [since('import'), since('complete', 'queued')], 'sold', 'imported and sold offline'],
  [said('not-imported', true), [], 'sold', 'sold first, whatever inventory it is in'],

  [said('here'), [since('remove-item')], 'taken-out', 'we took it out'],
  [said('here'), [since('remove-item', 'rejected')], 'here', 'taking it out was refused'],
  [said('here'), [before('remove-item')], 'here', 'it was put back at another station'],
  [said('taken-out'), [since('restore-item', 'queued')], 'here', 'we put it back'],
  [said('here'), [since('remove-item'), since('restore-item')], 'here', 'taken out and put back'],
  [said('here'), [since('remove-item'), since('complete')], 'sold', 'a sold item is not on the shelf'],
  [said('here'), [since('add-items')], 'not-imported', 'what is added after the import is in no inventory'],
  [said('here'), [since('remove-collection')], 'taken-out', 'its whole case was removed'],
  [said('here'), [since('remove-collection'), since('restore-collection')], 'here', 'and restored'],
]

describe('how an item stands', () => {
  it.each(cases)('by %j and %j: %s, because %s', (what, reports, standing) => {
    expect(shelfStatusOf(what, reports)).toBe(standing)
  })
})

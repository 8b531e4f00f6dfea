import { beforeEach, describe, expect, it } from 'vitest'
import type { Operation } from '../../../../src-main/outbox/operation'
import type { Payload } from '../../../../src-main/outbox/payload'
import { reconcile } from '../../../../src-main/outbox/reconcile'
import { caseOf, order, tag } from '../../../fakes/ids'
import type { TagId } from '../../../../src-shared/ids'
import { operationOf, ownReportsOf } from '../../../fakes/operations'
import { type ShownService, shownService } from '../../../fakes/shown-service'

const found = { kind: 'decided', outcome: { kind: 'accepted', note: 'found-by-reading' } }
const notTaken = { kind: 'resend', ifAlready: 'rejected' }
const unclear = { kind: 'resend', ifAlready: 'accepted' }

const undecided = { kind: 'resend', ifAlready: 'unsettled' }

const ourMoment = '2026-11-21T14:00:00.123Z'
const sameMomentElsewhere = '2026-11-21T09:00:00.123-05:00'
// With a fraction, so that they are the time of no whole second, minute or day.
const before = '2026-11-21T13:00:00.007Z'
const later = '2026-11-21T15:00:00.011Z'
const momentLater = '2026-11-21T15:00:01.511Z'
const muchLater = '2026-11-21T15:30:00.013Z'
const wholeSecond = '2026-11-21T14:00:00Z'
const nextSecond = '2026-11-21T14:00:01Z'
const thatMinute = '2026-11-21T14:01:00Z'
const thatDay = '2026-11-21T00:00:00Z'
const thatDayInStore = '2026-11-21T05:00:00Z'
const nextDay = '2026-11-22T00:00:00Z'
const dayBefore = '2026-11-20T00:00:00Z'
const nextMs = '2026-11-21T14:00:00.124Z'
const [a, b, c] = [tag(1), tag(2), tag(3)]
const home = caseOf(1)

describe('an order report whose answer was lost', () => {
  let service: ShownService
  beforeEach(() => {
    service = shownService()
  })

  const look = (operation: Operation, history: Operation[] = []) =>
    reconcile(operation, {
      client: service.client,
      caseOf: () => home,
      own: ownReportsOf(history),
      ownDispensaryId: null,
    })
  /** What the service shows: each item's time of sale, null for an unsold item; items left out aren't shown. */
  const show = (soldAt: Partial<Record<string, string | null>>) =>
    service.showCase(
      home,
      [a, b, c, tag(4)].flatMap((tagId) =>
        soldAt[tagId] === undefined ? [] : [{ tagId, soldAt: soldAt[tagId] ?? null }],
      ),
    )

  describe('a sale of two', () => {
    const sale = operationOf({ kind: 'complete', orderId: order(1), tagIds: [a, b] })
    /** Earlier sales of this station from the same case; they show how the service displays sales. */
    const earlier = (tagId: TagId, n: number) =>
      operationOf({ kind: 'complete', orderId: order(n), tagIds: [tagId] }, { ...taken, seq: n, performedAt: before })
    const taken = { state: 'accepted', isUncertain: false } as const
    const past = [earlier(c, 2), earlier(tag(4), 3)]
    const ofItsOwn = '2026-11-21T13:00:04Z'
    /** What the service shows for earlier sales: our times, its own times, no times, or nothing comparable. */
    const customs = {
      'our moments': { [c]: before },
      'moments of its own': { [c]: ofItsOwn, [tag(4)]: ofItsOwn },
      'no moments': { [c]: null, [tag(4)]: null },
      'nothing that tells': {},
    }
    type Row = [what: string, shown: Record<string, string | null>, ...findings: object[]]
    it.each<Row>([
      // what                                            shown                           ours        its own     none       untold
      ["both sold at the report's time", { [a]: ourMoment, [b]: ourMoment }, found, found, found, found],
      [
        'at the same time with another offset',
        { [a]: sameMomentElsewhere, [b]: ourMoment },
        found,
        found,
        found,
        found,
      ],
      ["one at the report's time, one free", { [a]: ourMoment, [b]: null }, unclear, unclear, unclear, unclear],
      ["one at the report's time, one sold again", { [a]: ourMoment, [b]: later }, unclear, unclear, unclear, unclear],
      ["one at the report's time, one not shown", { [a]: ourMoment }, unclear, unclear, unclear, unclear],
      ['in the same second', { [a]: wholeSecond, [b]: ourMoment }, unclear, unclear, unclear, unclear],
      ['in whole seconds', { [a]: wholeSecond, [b]: wholeSecond }, unclear, unclear, unclear, unclear],
      ['in whole seconds, rounded up', { [a]: nextSecond, [b]: nextSecond }, unclear, unclear, unclear, unclear],
      // The service is known to show milliseconds, so such a time is another one, or nothing is known: it may be ours.
      ['in minutes, rounded up', { [a]: thatMinute, [b]: thatMinute }, notTaken, unclear, undecided, undecided],
      ['by the day', { [a]: thatDay, [b]: thatDay }, notTaken, undecided, undecided, undecided],
      ["by the store's day", { [a]: thatDayInStore, [b]: thatDayInStore }, notTaken, undecided, undecided, undecided],
      ['by the day, rounded up', { [a]: nextDay, [b]: nextDay }, notTaken, unclear, undecided, undecided],
      ['by the day, one came back', { [a]: thatDay, [b]: null }, notTaken, undecided, undecided, undecided],
      ['on the day before', { [a]: dayBefore, [b]: dayBefore }, notTaken, notTaken, undecided, undecided],
      ['neither sold', { [a]: null, [b]: null }, notTaken, notTaken, unclear, undecided],
      ['one not sold, one not shown', { [a]: null }, notTaken, notTaken, unclear, undecided],
      ['both sold at the same later time', { [a]: later, [b]: later }, notTaken, unclear, undecided, undecided],
      ['both sold later, moments apart', { [a]: later, [b]: momentLater }, notTaken, unclear, undecided, undecided],
      ['both sold at different times', { [a]: later, [b]: muchLater }, notTaken, notTaken, undecided, undecided],
      ['one sold later, one free', { [a]: later, [b]: null }, notTaken, notTaken, undecided, undecided],
      ['one sold later, one not shown', { [a]: later }, notTaken, unclear, undecided, undecided],
      ['both sold before the report was made', { [a]: before, [b]: before }, notTaken, notTaken, undecided, undecided],
      ['another fraction of the same second', { [a]: nextMs, [b]: null }, notTaken, notTaken, undecided, undecided],
      ['nothing shown', {}, unclear, unclear, unclear, unclear],
    ])('%s', async (_, soldAt, ...expected) => {
      for (const [n, custom] of Object.values(customs).entries()) {
        show({ ...custom, ...soldAt })
        expect(await look(sale, past)).toMatchObject(expected[n] ?? {})
      }
    })

    it('is not judged by sales that came back or were not clearly accepted', async () => {
      const touched = [
        [...past, operationOf({ kind: 'return', orderId: order(2), tagIds: [c] }, { ...taken, seq: 5 })],
        [...past, operationOf({ kind: 'void', orderId: order(2), tagIds: [] }, { ...taken, seq: 5 })],
        past.map((one) => ({ ...one, note: 'already-processed' as const })),
        past.map((one) => ({ ...one, note: 'confirmed' as const })),
        past.map((one) => ({ ...one, state: 'rejected' as const })),
      ]
      for (const history of touched) {
        show({ [c]: ofItsOwn, [a]: later, [b]: later })
        expect(await look(sale, history)).toMatchObject(undecided)
      }
    })

    it('is not judged by one sale, whose item may have come back and been sold again at another till', async () => {
      for (const other of [undefined, null, muchLater]) {
        show({ [c]: ofItsOwn, [a]: later, [b]: later, ...(other !== undefined && { [tag(4)]: other }) })
        expect(await look(sale, past)).toMatchObject(undecided)
      }
      show({ [c]: ofItsOwn, [a]: later, [b]: later })
      expect(await look(sale, past.slice(0, 1))).toMatchObject(undecided)
    })

    it("is checked again if the sales needed for comparison can't be read now", async () => {
      show({ [a]: later, [b]: later })
      service.fail(`item ${c}`, { code: 'service/busy' })
      expect(await look(sale, past)).toMatchObject({ kind: 'decided', outcome: { kind: 'unknown' } })
    })

    it("can't be found by reading if it has no items", async () => {
      expect(await look(operationOf({ kind: 'complete', orderId: order(1), tagIds: [] }))).toMatchObject(unclear)
    })
  })

  const was = (payload: Payload, seq: number, change: Partial<Operation> = {}) =>
    operationOf(payload, { seq, state: 'accepted', isUncertain: false, ...change })
  const sale = was({ kind: 'complete', orderId: order(1), tagIds: [a, b] }, 1, { performedAt: ourMoment })
  /** Another sale of this station from the same case: if shown at its own time, it is the witness. */
  const otherSale = was({ kind: 'complete', orderId: order(2), tagIds: [c] }, 2, { performedAt: later })
  const history = [sale, otherSale]

  const giveBack = operationOf({ kind: 'return', orderId: order(1), tagIds: [a, b] })
  const voiding = operationOf({ kind: 'void', orderId: order(1), tagIds: [a, b] })

  it.each([
    // what                                                        shown                                   void, return
    ['both back, with a witness', { [a]: null, [b]: null, [c]: later }, found, found],
    ['one back, one sold again since, with a witness', { [a]: null, [b]: later, [c]: later }, found, found],
    ['both sold again since, with a witness', { [a]: later, [b]: later, [c]: later }, found, found],
    ['both back, the other sale not at our time', { [a]: null, [b]: null, [c]: ourMoment }, unclear, unclear],
    ['both back, the other sale not shown as sold', { [a]: null, [b]: null, [c]: null }, unclear, unclear],
    ['both back, and nothing else is shown', { [a]: null, [b]: null }, unclear, unclear],
    ["both at the service's own time, later than the sale", { [a]: later, [b]: later }, unclear, unclear],
    ['both still sold', { [a]: ourMoment, [b]: ourMoment, [c]: later }, unclear, unclear],
    // A return is never partly accepted, so another station made part of it, and "already processed" may refer to that.
    ['one back, one still sold', { [a]: null, [b]: ourMoment, [c]: later }, unclear, notTaken],
    ['one back, one still sold, no witness', { [a]: null, [b]: ourMoment }, unclear, notTaken],
    ['one sold again since, one still sold', { [a]: later, [b]: ourMoment, [c]: later }, unclear, notTaken],
    ["one sold again or at the service's own time, one back", { [a]: later, [b]: null }, unclear, undecided],
    ['one back, one sold before the sale', { [a]: null, [b]: before, [c]: later }, unclear, undecided],
    ['one back, one sold by the day', { [a]: null, [b]: thatDay }, unclear, undecided],
    // The item was removed from its case meanwhile, so it can't be read.
    ['one back, one not shown', { [a]: null, [c]: later }, unclear, unclear],
    ['one still sold, one not shown', { [a]: ourMoment, [c]: later }, unclear, unclear],
    ['nothing shown', {}, unclear, unclear],
  ])('a void or return of two: %s', async (_, soldAt, afterVoid, afterReturn) => {
    show(soldAt)
    expect(await look(voiding, history)).toMatchObject(afterVoid)
    expect(await look(giveBack, history)).toMatchObject(afterReturn)
  })

  describe.each([
    ['a return', giveBack],
    ['a void', voiding],
  ])('%s', (_, reversal) => {
    it.each([
      ['made elsewhere or before this station existed', [otherSale]],
      ['of another order', [was({ kind: 'complete', orderId: order(9), tagIds: [a, b] }, 1), otherSale]],
      [
        'that counts as accepted because it was "already processed"',
        [{ ...sale, note: 'already-processed' as const }, otherSale],
      ],
      ['that was refused', [{ ...sale, state: 'rejected' as const }, otherSale]],
      ['that was dismissed', [{ ...sale, state: 'cancelled' as const }, otherSale]],
      ['made after the report', [{ ...sale, seq: 101 }, otherSale]],
      [
        'that was completely returned before',
        [...history, was({ kind: 'return', orderId: order(1), tagIds: [a, b] }, 3)],
      ],
      ['that was voided before', [...history, was({ kind: 'void', orderId: order(1), tagIds: [] }, 3)]],
    ])('of a sale %s is not proven by a similar reading', async (_, past) => {
      show({ [a]: null, [b]: null, [c]: later })
      expect(await look(reversal, past)).toMatchObject(unclear)
    })

    it('counts a sale that was found by reading like any other', async () => {
      show({ [a]: null, [b]: null, [c]: later })
      expect(await look(reversal, [{ ...sale, note: 'found-by-reading' }, otherSale])).toEqual(found)
    })

    it('accepts no witness older than the sale, since the answer may be older too', async () => {
      show({ [a]: null, [b]: null, [c]: before })
      expect(await look(reversal, [sale, { ...otherSale, performedAt: before }])).toMatchObject(unclear)
    })

    it.each([
      ['that was not accepted', { state: 'rejected' as const }],
      ['that was "already processed"', { note: 'already-processed' as const }],
    ])('accepts no witness %s', async (_, change) => {
      show({ [a]: null, [b]: null, [c]: later })
      expect(await look(reversal, [sale, { ...otherSale, ...change }])).toMatchObject(unclear)
    })
  })

  it.each([
    ['all free: back, or never sold', { [a]: null, [b]: null }, unclear],
    ['all sold together', { [a]: before, [b]: before }, unclear],
    ['one free, one sold', { [a]: null, [b]: before }, undecided],
    ['sold at different times', { [a]: later, [b]: before }, undecided],
  ])('a return of a sale that this station does not know: %s', async (_, soldAt, expected) => {
    show(soldAt)
    expect(await look(giveBack)).toMatchObject(expected)
  })

  it("can't be found by reading if it is a void or return without items", async () => {
    show({ [a]: null, [c]: later })
    for (const kind of ['void', 'return'] as const) {
      expect(await look(operationOf({ kind, orderId: order(9), tagIds: [] }), history)).toMatchObject(unclear)
    }
    expect(service.asked).toEqual([])
  })

  describe('a partial return', () => {
    const part = operationOf({ kind: 'return', orderId: order(1), tagIds: [a] })
    it.each([
      ['back, and the rest of the sale is the witness', { [a]: null, [b]: ourMoment }, found],
      ['sold again since, and the rest of the sale is the witness', { [a]: later, [b]: ourMoment }, found],
      ['still sold', { [a]: ourMoment, [b]: ourMoment }, unclear],
      ['back, and so is the rest', { [a]: null, [b]: null }, unclear],
      ["all at the service's own time", { [a]: later, [b]: later }, unclear],
    ])('%s', async (_, soldAt, expected) => {
      show(soldAt)
      expect(await look(part, [sale])).toMatchObject(expected)
    })

    it("of an item that this station didn't sell in the order is unclear", async () => {
      show({ [a]: null, [b]: ourMoment, [c]: null })
      expect(await look(operationOf({ kind: 'return', orderId: order(1), tagIds: [a, c] }), history)).toMatchObject(
        unclear,
      )
    })

    it('after another return of the same sale is decided by its own item only', async () => {
      show({ [a]: null, [b]: null, [c]: later })
      const second = operationOf({ kind: 'return', orderId: order(1), tagIds: [b] })
      const first = was({ kind: 'return', orderId: order(1), tagIds: [a] }, 3)
      expect(await look(second, [...history, first])).toEqual(found)
    })
  })

  it('is decided by the items not returned before, if it is a void after a partial return', async () => {
    const behind = operationOf({ kind: 'void', orderId: order(1), tagIds: [a, b] })
    const past = [...history, was({ kind: 'return', orderId: order(1), tagIds: [a] }, 3)]
    show({ [a]: null, [b]: ourMoment, [c]: later })
    expect(await look(behind, past)).toMatchObject(unclear)
    show({ [a]: null, [b]: null, [c]: later })
    expect(await look(behind, past)).toEqual(found)
    show({ [a]: later, [b]: null, [c]: later })
    expect(await look(behind, past)).toEqual(found)
  })

  it("is unclear if this version can't read it", async () => {
    expect(await look(operationOf(null))).toMatchObject(unclear)
  })
})

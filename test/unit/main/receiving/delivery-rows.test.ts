import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { DeliveryRows } from '../../../../src-main/receiving/delivery/delivery-rows'
import { DeliveryId } from '../../../../src-shared/ids'
import { caseOf, packageUid } from '../../../fakes/ids'
import { importing, rejected, removing, useDesk } from '../outbox/desk'

const newId = () => DeliveryId.parse(randomUUID())

describe('deliveries, in the store', () => {
  const desk = useDesk()
  const begin = () => {
    const rows = new DeliveryRows(desk.db)
    return { rows, delivery: rows.start(newId(), desk.clock.now()) }
  }

  it('has at most one open delivery', () => {
    const { rows, delivery } = begin()
    expect(() => rows.start(newId(), desk.clock.now())).toThrow(/UNIQUE/)
    rows.finish(delivery.seq, desk.clock.now())
    expect(rows.open()).toBeUndefined()
    const next = rows.start(newId(), desk.clock.now())
    expect(rows.open()?.id).toBe(next.id)
    expect(rows.newest(1).map(({ id }) => id)).toEqual([next.id])
    expect(rows.byId(delivery.id)).toMatchObject({ finishedAt: desk.clock.now() })
  })

  it('keeps packages and cases in the order of arrival, each under its first package', () => {
    const {
      rows,
      delivery: { seq },
    } = begin()
    for (const n of [2, 1, 2]) rows.addPackage(seq, packageUid(n))
    rows.addCase(seq, { caseId: caseOf(9), packageUid: null })
    for (const n of [1, 2])
      for (const at of [9, 5, n]) rows.addCase(seq, { caseId: caseOf(at), packageUid: packageUid(n) })
    expect(rows.packages(seq)).toEqual([packageUid(2), packageUid(1)])
    expect(rows.cases(seq)).toEqual([
      { caseId: caseOf(9), packageUid: null, station: null },
      { caseId: caseOf(5), packageUid: packageUid(1), station: null },
      { caseId: caseOf(1), packageUid: packageUid(1), station: null },
      { caseId: caseOf(2), packageUid: packageUid(2), station: null },
    ])
    expect(rows.dropPackage(seq, packageUid(1), () => undefined)).toBe(true)
    expect(rows.dropPackage(seq, packageUid(1), () => undefined)).toBe(false)
    expect(rows.dropCase(seq, caseOf(5))).toBe(false)
    expect(rows.cases(seq).map((one) => one.caseId)).toEqual([caseOf(9), caseOf(2)])
  })

  it('lists a dropped case only after it is added again, and then last', () => {
    const {
      rows,
      delivery: { seq },
    } = begin()
    for (const n of [1, 2]) rows.addCase(seq, { caseId: caseOf(n), packageUid: packageUid(1) })
    rows.dropCase(seq, caseOf(1))
    rows.listCase(seq, { caseId: caseOf(1), packageUid: packageUid(2) })
    expect([rows.case(seq, caseOf(1)), rows.dropCase(seq, caseOf(1)), rows.counts(seq).caseCount]).toEqual([
      undefined,
      false,
      1,
    ])
    rows.addCase(seq, { caseId: caseOf(1), packageUid: packageUid(2) })
    expect(rows.cases(seq)).toEqual([
      { caseId: caseOf(2), packageUid: packageUid(1), station: null },
      { caseId: caseOf(1), packageUid: packageUid(2), station: null },
    ])
  })

  it('counts cases as imported, pending or refused, until they are taken back or dropped', () => {
    const {
      rows,
      delivery: { seq },
    } = begin()
    const put = (n: number) => {
      rows.addCase(seq, { caseId: caseOf(n), packageUid: null })
      const operation = desk.put(importing(n))
      rows.link(seq, operation.seq)
      return operation
    }
    const [first, second] = [put(1), put(2)]
    put(3)
    expect(rows.counts(seq)).toEqual({ caseCount: 3, imported: 0, pending: 3, refused: 0 })
    for (const outcome of [{ kind: 'accepted', note: null }, rejected] as const) {
      const claimed = desk.outbox.claim()
      desk.outbox.settle(claimed?.seq ?? 0, outcome)
    }
    expect(rows.counts(seq)).toEqual({ caseCount: 3, imported: 1, pending: 1, refused: 1 })
    expect(rows.operations(seq).map((one) => one.seq)).toEqual([first.seq + 2, second.seq, first.seq])
    expect(rows.byOperation(second.seq)?.seq).toBe(seq)
    desk.outbox.enqueue(removing(1), { undoes: first.id })
    expect(rows.counts(seq)).toMatchObject({ imported: 0 })
    rows.dropCase(seq, caseOf(2))
    expect(rows.counts(seq)).toEqual({ caseCount: 2, imported: 0, pending: 1, refused: 0 })
    expect(rows.byOperation(second.seq)).toBeUndefined()
  })
})

import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { CaseCountRows } from '../../../../src-main/counting/cases/count-rows'
import { DeliveryRows } from '../../../../src-main/receiving/delivery/delivery-rows'
import { createLateRows } from '../../../../src-main/receiving/record/record-late'
import { CaseId, CountId, DeliveryId } from '../../../../src-shared/ids'
import { caseOf, packageUid, tag } from '../../../fakes/ids'
import { useDesk } from '../outbox/desk'

describe('what arrives after a delivery was finished', () => {
  const desk = useDesk()
  const begin = () => {
    const deliveries = new DeliveryRows(desk.db)
    const { seq } = deliveries.start(DeliveryId.parse(randomUUID()), desk.clock.now())
    return { deliveries, seq, late: createLateRows(desk.db) }
  }

  it('is grouped by station and kind, the last word on each thing', () => {
    const { seq, late } = begin()
    late.note(seq, `package ${packageUid(1)}`, 'Station 2', false)
    late.note(seq, `case ${caseOf(1)}`, 'Station 2', false)
    late.note(seq, `case ${caseOf(2)}`, 'Station 3', false)
    late.note(seq, `case ${caseOf(3)}`, 'Station 3', false)
    late.note(seq, `case ${caseOf(3)}`, null, true)
    late.note(seq, 'nothing that is known', 'Station 3', false)
    expect(late.deliveries()).toEqual([seq])
    expect(late.ofDelivery(seq)).toEqual({
      listed: [
        { station: 'Station 2', packageUids: [packageUid(1)], caseIds: [caseOf(1)] },
        { station: 'Station 3', packageUids: [], caseIds: [caseOf(2)] },
      ],
      dropped: { packageUids: [], caseIds: [caseOf(3)] },
      scanned: [],
      unscanned: 0,
    })
    late.forget(seq)
    expect(late.deliveries()).toEqual([])
  })

  it('has scans of counts whose delivery is finished, and no others', () => {
    const { deliveries, seq, late } = begin()
    const counts = new CaseCountRows(desk.db)
    const count = (delivery: number | null) => {
      const id = CountId.parse(randomUUID())
      const caseId = CaseId.parse(caseOf(1))
      const cases = [{ caseId, identifier: 'C', productName: null, tagIds: [] }]
      counts.insert({ id, delivery, caseId, at: desk.clock.now(), cases })
      const row = counts.byId(id)
      counts.finish(row?.seq ?? 0, desk.clock.now())
      return row?.seq ?? 0
    }
    const [ofDelivery, ofNone] = [count(seq), count(null)]
    late.noteScan(ofDelivery, tag(1), 'Station 2', false)
    expect(late.deliveries()).toEqual([])
    deliveries.finish(seq, desk.clock.now())
    late.noteScan(ofNone, tag(1), 'Station 2', false)
    for (const n of [1, 2]) late.noteScan(ofDelivery, tag(n), 'Station 2', false)
    late.noteScan(ofDelivery, tag(3), 'Station 3', false)
    late.noteScan(ofDelivery, tag(4), null, true)
    expect(late.ofDelivery(seq)).toMatchObject({
      listed: [],
      scanned: [
        { station: 'Station 2', count: 2 },
        { station: 'Station 3', count: 1 },
      ],
      unscanned: 1,
    })
  })
})

import { describe, expect, it } from 'vitest'
import { StoreDeliveries } from '../../../src-renderer/receiving/store-deliveries.svelte'
import { chipOf } from '../../../src-renderer/receiving/case-text'
import { say } from '../../../src-renderer/text/text.svelte'
import { createClient } from '../../../src-shared/ipc/client'
import type { DeliveryNotice, StoreDelivery } from '../../../src-shared/ipc/contract/delivery'
import { createReceiving, announce } from './deliveries'
import { at, caseView, deliveryCase, deliveryHead, packageView } from './examples'
import { createFakeWire } from './fake-wire'

const storeDelivery = (fields: Partial<StoreDelivery> = {}): StoreDelivery => ({
  ...{ id: deliveryHead.id, station: 'Station 1', startedAt: at, packageCount: 1, caseCount: 3, alsoHere: null },
  ...fields,
})
const notice = (id: number): DeliveryNotice => ({
  ...{ id, what: 'finished', deliveryId: deliveryHead.id, startedAt: at, station: 'Station 2' },
})
const create = () => {
  const fake = createFakeWire()
  return { fake, deliveries: new StoreDeliveries(createClient(fake.wire)) }
}

describe('deliveries of other stations', () => {
  it('are read at the start; only those with something of ours are told beside our own', async () => {
    const { fake, deliveries } = create()
    const loaded = deliveries.load()
    await fake.next('receiving.storeDeliveries').answer([storeDelivery()])
    await fake.next('receiving.deliveryNotices').answer([notice(1)])
    await loaded
    expect(deliveries.list).toHaveLength(1)
    expect(deliveries.notices).toEqual([notice(1)])
    expect(deliveries.alsoHere).toEqual([])
    deliveries.list = [storeDelivery({ alsoHere: '1A40' })]
    expect(deliveries.alsoHere).toHaveLength(1)
  })

  it('say what others did with one that is over here, until each is seen or its record is shown', async () => {
    const { fake, receiving } = createReceiving()
    const { elsewhere, panes } = receiving
    elsewhere.notices = [notice(2), notice(1)]
    await announce(fake, { delivery: deliveryHead })
    const seen = elsewhere.see(2)
    const asked = fake.next('receiving.seeDeliveryNotice')
    expect(asked.input).toEqual({ id: 2 })
    await asked.refuse({ code: 'store/not-saved' })
    await seen
    expect(elsewhere.seeError).toEqual({ code: 'store/not-saved' })
    // Main says what is left.
    expect(elsewhere.notices).toHaveLength(2)
    receiving.showRecord(notice(1))
    expect(fake.next('receiving.seeDeliveryNotice').input).toEqual({ id: 1 })
    expect([panes.isHistoryOpen, panes.history]).toEqual([true, 'deliveries'])
    expect(panes.back()).toBe(true)
    panes.isHistoryOpen = true
    expect(panes.history).toBe('reports')
  })

  it('are joined once, and an error stays until the next try', async () => {
    const { fake, deliveries } = create()
    const joined = deliveries.join(deliveryHead.id)
    await deliveries.join(deliveryHead.id)
    expect(deliveries.isBusy).toBe(true)
    await fake.next('receiving.joinDelivery').refuse({ code: 'hub/unreachable' })
    await joined
    expect(fake.asked).toEqual([])
    expect(deliveries.error).toEqual({ code: 'hub/unreachable' })
    const again = deliveries.join(deliveryHead.id)
    await fake.next('receiving.joinDelivery').answer(null)
    await again
    expect(deliveries.error).toBeNull()
  })
})

describe('a delivery of several stations', () => {
  it('shows who listed what, and who receives it too', async () => {
    const { fake, receiving } = createReceiving()
    const view = caseView(1)
    await announce(fake, { cases: [{ ...deliveryCase(view), station: 'Station 2' }] })
    await announce(fake, {
      delivery: { ...deliveryHead, stations: ['Station 2'] },
      packages: [{ ...packageView('1A40'), station: 'Station 2' }],
    })
    expect(receiving.delivery.row(view.caseId)?.station).toBe('Station 2')
    const row = receiving.delivery.row(view.caseId)
    if (!row) throw new Error('the case is not shown')
    expect(receiving.delivery.stationBeside(row)).toBe('Station 2')
    const listed = { ...deliveryCase(view, '1A40'), station: 'Station 2' }
    await announce(fake, { delivery: { ...deliveryHead, stations: ['Station 2'] }, cases: [listed] })
    expect(receiving.delivery.stationBeside(row)).toBeNull()
    expect(receiving.delivery.head?.stations).toEqual(['Station 2'])
  })

  it('says in words that a case is being imported elsewhere, and who imported it', () => {
    const now = new Date(at)
    expect(say(chipOf({ kind: 'importing-elsewhere', station: 'Station 2', at }, now).text)).toBe(
      'Being imported at Station 2',
    )
    const imported = { kind: 'imported-here' as const, at: null, packageUid: null, operation: null }
    expect(say(chipOf({ ...imported, station: 'Station 2' }, now).text)).toBe('Imported at Station 2')
  })
})

import { describe, expect, it } from 'vitest'
import { StoreDeliveries } from '../../../src-renderer/receiving/store-deliveries.svelte'
import { chipOf } from '../../../src-renderer/receiving/case-text'
import { say } from '../../../src-renderer/text/text.svelte'
import { createClient } from '../../../src-shared/ipc/client'
import type { StoreDelivery } from '../../../src-shared/ipc/contract/delivery'
import { createReceiving, announce } from './deliveries'
import { at, caseView, deliveryCase, deliveryHead, packageView } from './examples'
import { createFakeWire } from './fake-wire'

const storeDelivery = (fields: Partial<StoreDelivery> = {}): StoreDelivery => ({
  ...{ id: deliveryHead.id, station: 'Station 1', startedAt: at, packageCount: 1, caseCount: 3, alsoHere: null },
  ...fields,
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
    await loaded
    expect(deliveries.list).toHaveLength(1)
    expect(deliveries.alsoHere).toEqual([])
    deliveries.list = [storeDelivery({ alsoHere: '1A40' })]
    expect(deliveries.alsoHere).toHaveLength(1)
  })

  it('say what others did with one that is over here, until that is seen or another one begins', async () => {
    const { fake, receiving } = createReceiving()
    const { elsewhere, panes } = receiving
    elsewhere.finished = { deliveryId: deliveryHead.id, station: 'Station 2' }
    await announce(fake, { delivery: null })
    expect(elsewhere.finished).not.toBeNull()
    await announce(fake, { delivery: deliveryHead })
    expect([elsewhere.finished, elsewhere.hasNotes]).toEqual([null, false])
    elsewhere.isRecordAdded = true
    await announce(fake, { delivery: deliveryHead })
    expect(elsewhere.hasNotes).toBe(true)
    receiving.showRecords()
    expect([elsewhere.hasNotes, panes.isHistoryOpen, panes.history]).toEqual([false, true, 'deliveries'])
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

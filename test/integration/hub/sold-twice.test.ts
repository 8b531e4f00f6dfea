import { describe, expect, it } from 'vitest'
import { TagId } from '../../../src-shared/ids'
import { situation } from '../../hub/store'
import { useStore } from '../../hub/use-store'
import { type Station, idIn } from '../core/station'

const store = useStore()

const finish = async (station: Station, orderId: string) => {
  await station.ask('checkout.setOrder', { mode: 'sale', orderId })
  const { itemCount, revision } = await station.ask('checkout.cart', { mode: 'sale' })
  return station.ask('checkout.finish', { mode: 'sale', orderId, itemCount, revision, isMeant: true })
}

const sellableOf = async (station: Station) => {
  const codes = await station.ask('practice.codes', undefined)
  const tagId = codes.flatMap(({ kind, about, text }) =>
    kind === 'tag' && (about === null || about === 'imported-here') ? TagId.parse(idIn(text)) : [],
  )[0]
  if (tagId === undefined) throw new Error('no item')
  return tagId
}

describe('an item that was sold in the last seconds of a hub that lost them', () => {
  it('is told again at the next connection', async () => {
    const one = await store.station('Front 1')
    await one.ask('checkout.addItem', { mode: 'sale', tagId: await sellableOf(one) })
    await finish(one, '2001')
    await one.drained()
    const sold = () => store.sql(`SELECT order_id FROM countertag.claim WHERE kind = 'sale'`)
    await expect.poll(sold).toEqual([{ order_id: '2001' }])
    await store.sql('DELETE FROM countertag.claim')
    await store.stop()
    await situation(one, 'offline')
    await store.start()
    await expect.poll(sold, { timeout: 15_000 }).toEqual([{ order_id: '2001' }])
  })
})

describe('an item that two stations sold while the store hub was away', () => {
  it('is told at both with the other order, and by which of the two the service refused', async () => {
    const [one, two] = [await store.station('Front 1'), await store.station('Front 2')]
    const tagId = await sellableOf(one)
    await store.stop()
    await Promise.all([situation(one, 'offline'), situation(two, 'offline')])
    for (const station of [one, two]) await station.ask('checkout.addItem', { mode: 'sale', tagId })
    await finish(one, '2001')
    await one.drained()
    const refused = await finish(two, '2002')
    await expect
      .poll(async () => (await two.ask('outbox.list', { show: 'attention' })).operations)
      .toMatchObject([{ id: refused.id, state: 'rejected', reason: { code: 'service/already-processed' } }])
    // Known before the hub answers, it says nothing of other stations.
    expect(await two.ask('hub.soldTwice', undefined)).toEqual([])
    const told: unknown[] = []
    two.client.on('hub.soldTwice', (items) => told.push(items))
    await store.start()
    await Promise.all([situation(one, 'online'), situation(two, 'online')])
    const at = (station: string, orderId: string, ownOrderId: string) => ({ tagId, station, orderId, ownOrderId })
    await expect.poll(() => two.ask('hub.soldTwice', undefined)).toMatchObject([at('Front 1', '2001', '2002')])
    await expect.poll(() => one.ask('hub.soldTwice', undefined)).toMatchObject([at('Front 2', '2002', '2001')])
    expect(told.at(-1)).toMatchObject([at('Front 1', '2001', '2002')])
    expect(await two.ask('hub.notices', undefined)).toMatchObject([
      { what: 'collided', ...at('Front 1', '2001', '2002'), isSoldHere: true, ownReport: 'refused' },
    ])
    const [notice] = await one.ask('hub.notices', undefined)
    expect(notice).toMatchObject({ what: 'collided', ...at('Front 2', '2002', '2001'), ownReport: 'reported' })
    // Seen, it is still named where the orders are.
    if (notice) await one.ask('hub.seen', { ids: [notice.id] })
    await one.restart()
    expect(await one.ask('hub.notices', undefined)).toEqual([])
    expect(await one.ask('hub.soldTwice', undefined)).toMatchObject([at('Front 2', '2002', '2001')])
    // Dismissed, nothing of it is left.
    await two.ask('outbox.dismiss', { operationId: refused.id, reason: 'Scanned the wrong box' })
    expect(await two.ask('hub.soldTwice', undefined)).toEqual([])
  })
})

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ReportsView } from '../../../src-shared/ipc/contract/checkout'
import { type Station, idIn, startStation } from './station'
import { stepsOf } from './steps'

const wait = { timeout: 20_000 }

describe('an order that the service refuses after it was saved, against the practice service', () => {
  let station: Station
  const { fillCart, seen } = stepsOf(() => station)
  const reports = () => station.ask('checkout.reports', undefined)
  beforeEach(async () => {
    station = await startStation()
  })
  afterEach(async () => {
    await station.close()
  })

  it('is answered as saved, told by event, and stays unseen after a restart until a person has seen it', async () => {
    const [foreign = ''] = (await station.codes('tag', 'case-not-imported')).map(idIn)
    await fillCart('1', [foreign])
    const told: ReportsView[] = []
    const stop = station.client.on('checkout.reports', (view) => told.push(view))
    await station.knobs.setFaults({ rules: [{ kind: 'latency', ms: 6_000 }] })

    const finished = await station.ask('checkout.finish', { ...(await seen('sale')), isMeant: true })
    expect(finished.state).toBe('queued')
    expect((await station.ask('checkout.cart', { mode: 'sale' })).itemCount).toBe(0)
    expect(told.at(-1)?.orders[0]).toMatchObject({ operation: { id: finished.id }, word: 'sending', isUnseen: false })

    await expect.poll(() => told.at(-1)?.unseenCount, wait).toBe(1)
    stop()
    expect(told.at(-1)?.unseen).toMatchObject([
      { operation: { id: finished.id, reason: { code: 'service/not-imported' } }, word: 'refused', isUnseen: true },
    ])

    await station.restart()
    expect((await reports()).unseen.map(({ operation }) => operation.id)).toEqual([finished.id])
    await station.ask('checkout.seen', { operationIds: [finished.id] })
    expect(await reports()).toMatchObject({ unseen: [], orders: [{ word: 'refused', isUnseen: false }] })
    await station.restart()
    expect((await reports()).unseenCount).toBe(0)
  })
})

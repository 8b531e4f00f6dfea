import { afterEach, describe, expect, it } from 'vitest'
import { localTime } from '../../../src-shared/csv/local-time'
import { type StartTraining } from '../../../src-main/practice/handlers'
import { startTraining } from '../../../src-main/practice/training'
import { practiceKnobs } from '../../fakes/practice-admin'
import { type Station, startStation } from './station'
import { stepsOf } from './steps'

const day = 86_400_000

describe('a station whose clock is wrong', () => {
  let station: Station
  /** What the computer's clock is ahead, in ms. */
  let ahead: number
  /** Nothing is answered until a test ends that. */
  let startsOffline: boolean
  const startPractice: StartTraining = async (parts) => {
    const training = await startTraining(parts)
    await practiceKnobs(training.adminUrl).setFaults({ offline: startsOffline })
    return training
  }
  const { sell, sellable } = stepsOf(() => station)
  const start = async (shown: number) => {
    ahead = shown - Date.now()
    startsOffline = true
    station = await startStation({
      clock: { now: () => Date.now() + ahead },
      steady: () => performance.now(),
      startPractice,
    })
  }
  afterEach(async () => {
    await station.close()
  })

  const warnings = async () => (await station.ask('app.status', undefined)).warnings
  const online = async () => {
    await station.knobs.setFaults({})
    await station.ask('outbox.sendNow', undefined)
  }
  const soldToday = async () => {
    const report = await station.ask('checkout.day', { day: localTime(Date.now()).slice(0, 10) })
    return report.completed
  }

  /** Without the service's clock, only so much is known to be wrong. */
  const isImpossible = (shown: number) => Math.abs(shown - Date.now()) > 30 * day

  it.each([
    ['1970', Date.UTC(1970, 0, 1, 0, 5)],
    ['2100', Date.UTC(2100, 0, 1)],
    ['three days', Date.now() + 3 * day],
    ['minus three days', Date.now() - 3 * day],
  ])('reports a sale that was made offline in %s at its time, and counts it today', async (_, shown) => {
    await start(shown)
    const [a = ''] = await sellable(1)
    const before = Date.now()
    await sell('1', [a])
    const after = Date.now()
    expect(await warnings()).toEqual(isImpossible(shown) ? ['clock-impossible'] : [])
    await online()
    await station.drained()
    const [sale] = await station.knobs.transactions()
    const at = Date.parse(sale?.performedAt ?? '')
    expect(at).toBeGreaterThan(before - 2_000)
    expect(at).toBeLessThan(after + 2_000)
    expect(await soldToday()).toEqual({ orders: 1, items: 1 })
    expect(await warnings()).toEqual(['clock-off'])
  })

  it('asks for the time of a sale that was made before a restart', async () => {
    await start(Date.UTC(1970, 0, 1, 0, 5))
    const [a = ''] = await sellable(1)
    const { id } = await sell('1', [a])
    await station.restart()
    await online()
    await expect.poll(async () => (await station.ask('app.status', undefined)).attention).toBe(1)
    expect(await station.knobs.transactions()).toEqual([])
    const { operations } = await station.ask('outbox.list', { show: 'attention' })
    expect(operations).toMatchObject([
      { id, reason: { code: 'outbox/time-unknown' }, actions: ['date', 'reopen', 'dismiss'] },
    ])
    const performedAt = new Date(Date.now() - 60_000).toISOString()
    await station.ask('outbox.date', { operationId: id, performedAt })
    await station.drained()
    expect(await station.knobs.transactions()).toMatchObject([{ performedAt }])
  })

  it('asks for the times of sales that were made days off before a restart with a connection', async () => {
    await start(Date.now() + 3 * day)
    const items = await sellable(3)
    for (const [index, item] of items.entries()) await sell(String(index), [item])
    startsOffline = false
    await station.restart()
    await expect.poll(async () => (await station.ask('app.status', undefined)).attention).toBe(items.length)
    expect(await station.knobs.transactions()).toEqual([])
  })

  it('reports a sale that was made after the clock jumped during an outage at its time', async () => {
    await start(Date.now())
    await online()
    const [a = '', b = ''] = await sellable(2)
    await sell('1', [a])
    await station.drained()
    await station.knobs.setFaults({ offline: true })
    ahead += 3 * day
    await sell('2', [b])
    await online()
    await station.drained()
    const times = (await station.knobs.transactions()).map(({ performedAt }) => Date.parse(performedAt))
    expect(times.every((at) => Math.abs(at - Date.now()) < 60_000)).toBe(true)
    expect(times).toHaveLength(2)
  })

  it('is told that its own clock is wrong, three days behind', async () => {
    await start(Date.now() - 3 * day)
    await online()
    const [a = ''] = await sellable(1)
    await sell('1', [a])
    await station.drained()
    expect(await warnings()).toEqual(['clock-off'])
    const { clockOffset } = await station.ask('app.status', undefined)
    expect(Math.round(clockOffset / day)).toBe(3)
    const [sale] = await station.knobs.transactions()
    expect(Math.abs(Date.parse(sale?.performedAt ?? '') - Date.now())).toBeLessThan(60_000)
    expect(await soldToday()).toEqual({ orders: 1, items: 1 })
  })
})

import { afterEach, describe, expect, it } from 'vitest'
import { localTime } from '../../../src-shared/csv/local-time'
import { type StartTraining } from '../../../src-main/practice/handlers'
import { startTraining } from '../../../src-main/practice/training'
import { practiceKnobs } from '../../fakes/practice-admin'
import { type Station, startStation } from './station'
import { stepsOf } from './steps'

const day = 86_400_000

/** Nothing is answered until a test ends that. */
const startOffline: StartTraining = async (parts) => {
  const training = await startTraining(parts)
  await practiceKnobs(training.adminUrl).setFaults({ offline: true })
  return training
}

describe('a station whose clock is wrong', () => {
  let station: Station
  /** What the computer's clock is ahead, in ms. */
  let ahead: number
  const { sell, sellable } = stepsOf(() => station)
  const start = async (shown: number) => {
    ahead = shown - Date.now()
    station = await startStation({
      clock: { now: () => Date.now() + ahead },
      steady: () => performance.now(),
      startPractice: startOffline,
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

  it.each([
    ['1970', Date.UTC(1970, 0, 1, 0, 5)],
    ['2100', Date.UTC(2100, 0, 1)],
  ])('reports a sale that was made offline in %s at its time, and counts it today', async (_, shown) => {
    await start(shown)
    const [a = ''] = await sellable(1)
    const before = Date.now()
    await sell('1', [a])
    const after = Date.now()
    expect(await warnings()).toEqual(['clock-impossible'])
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

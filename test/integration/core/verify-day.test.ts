import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { dayOf } from '../../../src-main/day/history'
import { startPracticeService } from '../../../src-practice/start'
import type { DayVerification } from '../../../src-shared/ipc/contract/checkout'
import { outsidePractice } from '../../fakes/outside-practice'
import { data, picturesDir } from '../practice/sample'
import { countingProxy } from './counting-proxy'
import { otherTill } from './other-till'
import { type Station, idIn, practiceAccount, startStation } from './station'
import { stepsOf } from './steps'

const today = () => dayOf(Date.now())

describe('verifying the day, against the practice service', () => {
  let station: Station
  const { caseToImport, finish, sell, sellable, voidOrder } = stepsOf(() => station)
  beforeEach(async () => {
    station = await startStation()
  })
  afterEach(async () => {
    await station.close()
  })

  const shown = async () => {
    const { verification } = await station.ask('checkout.day', { day: today() })
    if (!verification) throw new Error('the day has no verification')
    return verification
  }
  const verify = () => station.ask('checkout.verifyDay', { day: today() })
  const finished = async () => {
    await expect.poll(async () => (await shown()).state).toBe('finished')
    return shown()
  }
  const giveBack = async (tagIds: string[]) => {
    for (const tagId of tagIds) await station.ask('checkout.addItem', { mode: 'return', tagId })
    return finish('return')
  }
  const reads = async () => {
    const requests = await station.knobs.requests()
    return requests.filter(({ method, path }) => method === 'GET' && path.startsWith('/api/v1.2/collections/'))
  }

  /** An order from each of two cases, so that the day is read in two steps. */
  const sellFromTwoCases = async () => {
    const { form } = await caseToImport()
    await station.ask('receiving.import', form)
    const all = await station.ask('practice.codes', undefined)
    const [other = ''] = all.flatMap(({ kind, caseText, text }) =>
      kind === 'tag' && caseText?.endsWith(form.caseId) ? [idIn(text)] : [],
    )
    const [a = '', b = ''] = await sellable(2)
    await sell('1', [a, b])
    await sell('2', [other])
    return { a, b, other }
  }

  it('reads back sales, returns and voids, each case once, and reports progress to the screens', async () => {
    const { a, b, other } = await sellFromTwoCases()
    await giveBack([a])
    await sell('3', [a])
    await voidOrder('2')
    expect(await shown()).toMatchObject({ state: 'none', total: 3, done: 0, isOutOfDate: false })
    const before = (await reads()).length
    const views: DayVerification[] = []
    const stop = station.client.on('checkout.verification', (view) => views.push(view))
    expect(await verify()).toMatchObject({ state: 'running', total: 3, done: 0 })
    const end = await finished()
    stop()
    expect(end).toMatchObject({ total: 3, done: 3, asReported: 3, ownTimes: 0, differences: [], isOutOfDate: false })
    expect(Date.parse(end.asOf ?? '')).toBeGreaterThanOrEqual(Date.parse(end.startedAt ?? ''))
    const read = (await reads()).slice(before).map(({ path }) => path)
    expect([read.length, new Set(read).size]).toEqual([2, 2])
    expect(views.map(({ done }) => done)).toEqual(views.map(({ done }) => done).toSorted((x, y) => x - y))
    expect(views.at(-1)).toEqual(end)
    expect(new Set([a, b, other]).size).toBe(3)
  })

  it('names items that another till freed or sold again without our knowledge, at each verification', async () => {
    const { a, b, other } = await sellFromTwoCases()
    // This sale stays: its time shows that the service keeps our times.
    const [, , witness = ''] = (await sellable(3)).toReversed()
    await sell('3', [witness])
    const till = otherTill(station)
    await till.void('1')
    await giveBack([other])
    await till.sell('OTHER-1', [other, a])
    await verify()
    const end = await finished()
    expect(end).toMatchObject({ total: 4, asReported: 2, soldSince: 1, differenceCount: 2 })
    const kinds = ({ differences }: DayVerification) => new Map(differences.map(({ tagId, kind }) => [tagId, kind]))
    const about = { orderId: '1', reported: 'complete' }
    expect(end.differences).toEqual([expect.objectContaining(about), expect.objectContaining(about)])
    expect(end.differences.every(({ productName }) => productName !== null)).toBe(true)
    expect(kinds(end)).toEqual(
      new Map([
        [a, 'other-time'],
        [b, 'not-sold'],
      ]),
    )
    await till.giveBack('OTHER-1', [a])
    await till.sell('OTHER-2', [b])
    expect(await verify()).toMatchObject({ state: 'running', done: 0, asOf: null })
    expect(kinds(await finished())).toEqual(
      new Map([
        [a, 'not-sold'],
        [b, 'other-time'],
      ]),
    )
  })

  it('is out of date after another report of the day, and says when it was correct', async () => {
    const [a = '', b = ''] = await sellable(2)
    await sell('1', [a])
    await verify()
    const first = await finished()
    expect(first.isOutOfDate).toBe(false)
    await sell('2', [b])
    expect(await shown()).toEqual({ ...first, isOutOfDate: true })
    await verify()
    expect(await finished()).toMatchObject({ total: 2, asReported: 2, isOutOfDate: false })
  })

  it('leaves out an item with an unsettled return, and says so', async () => {
    const [a = '', b = ''] = await sellable(2)
    await sell('1', [a, b])
    // Only reports fail; the day can still be read.
    await station.knobs.setFaults({ rules: [{ kind: 'status', code: 429, retryAfter: 3_000, method: 'POST' }] })
    expect(await giveBack([a])).toMatchObject({ state: 'unknown' })
    await verify()
    expect(await finished()).toMatchObject({ total: 2, asReported: 1, notSettled: 1, differenceCount: 0 })
  })

  it('waits for the service in the middle, and continues from there', async () => {
    await sellFromTwoCases()
    const before = (await reads()).length
    await station.knobs.setFaults({ rules: [{ kind: 'latency', ms: 400, path: '/api/v1.2/collections/' }] })
    await verify()
    await expect.poll(async () => (await shown()).done).toBeGreaterThan(0)
    expect((await shown()).done).toBeLessThan(3)
    await station.knobs.setFaults({ offline: true })
    await expect.poll(async () => (await shown()).waitsFor).toBe('connection')
    expect(await shown()).toMatchObject({ state: 'paused', asOf: null, differences: [] })
    await station.knobs.setFaults({})
    expect(await finished()).toMatchObject({ total: 3, asReported: 3 })
    // The first case was not read again, and the second at most twice.
    const read = (await reads()).slice(before).map(({ path }) => path)
    expect(new Set(read).size).toBe(2)
    expect(read.filter((path) => path === read[0])).toHaveLength(1)
  })

  it('continues from the same place after a restart, and stays paused if a person paused it', async () => {
    await sellFromTwoCases()
    const slow = { rules: [{ kind: 'latency' as const, ms: 600, path: '/api/v1.2/collections/' }] }
    await station.knobs.setFaults(slow)
    await verify()
    await expect.poll(async () => (await shown()).done).toBeGreaterThan(0)
    const before = await shown()
    expect(before.done).toBeLessThan(3)
    await station.ask('checkout.stopVerifying', undefined)
    expect(await shown()).toMatchObject({ state: 'paused', waitsFor: 'person' })
    await station.restart()
    await station.online()
    expect(await shown()).toMatchObject({ state: 'paused', waitsFor: 'person', done: before.done })
    await station.knobs.setFaults(slow)
    await verify()
    await station.restart()
    expect(await finished()).toMatchObject({ total: 3, asReported: 3, startedAt: before.startedAt })
    expect(await reads()).toHaveLength(1)
  })
})

describe('verifying the day of a service that keeps its own times', () => {
  it('counts a sale with another time as read back, and says how many there are', async () => {
    const later = (text: string) => new Date(Date.parse(text) + 47_321).toISOString()
    const soldAt = /"sold_at_dispensary_on":"([^"]+)"/g
    const dispensary = data.dispensaries.find((one) => one.name === 'Green Door, Newark')
    if (!dispensary) throw new Error('the practice data has no such dispensary')
    const service = await startPracticeService({ data, db: ':memory:', port: 0, picturesDir })
    const proxy = await countingProxy(service.baseUrl, (_path, body) =>
      body.replaceAll(soldAt, (_all, text: string) => `"sold_at_dispensary_on":"${later(text)}"`),
    )
    const where = { baseUrl: proxy.baseUrl, authUrl: `${proxy.baseUrl}${new URL(service.authUrl).pathname}` }
    const training = { ...where, adminUrl: service.adminUrl, account: practiceAccount(), dispensary }
    const station = await startStation({ startPractice: outsidePractice(training) })
    const { sell } = stepsOf(() => station)
    const imported = data.imports.find(({ dispensary_uuid }) => dispensary_uuid === dispensary.uuid)
    const [a = '', b = ''] =
      data.collections
        .find(({ uuid }) => uuid === imported?.case_uuid)
        ?.members.filter((one) => typeof one === 'string') ?? []
    await sell('1', [a, b])
    await station.ask('checkout.addItem', { mode: 'return', tagId: b })
    await stepsOf(() => station).finish('return')
    const { day } = await station.ask('checkout.verifyDay', { day: today() })
    const shown = async () => (await station.ask('checkout.day', { day })).verification
    await expect.poll(async () => (await shown())?.state).toBe('finished')
    expect(await shown()).toMatchObject({ total: 2, asReported: 2, ownTimes: 1, differenceCount: 0 })
    await station.close()
    await proxy.close()
    await service.close()
  })
})

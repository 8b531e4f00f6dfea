import { afterEach, describe, expect, it } from 'vitest'
import type { DataFile } from '../../../src-practice/data-file'
import { type PracticeService, startPracticeService } from '../../../src-practice/start'
import { outsidePractice } from '../../fakes/outside-practice'
import { largeCase, largeData, largeTag } from '../practice/large'
import { data as sample, delivery, picturesDir } from '../practice/sample'
import { type CountingProxy, countingProxy } from './counting-proxy'
import { deliverySteps } from './delivery-steps'
import { type Station, practiceAccount, startStation } from './station'

/** Packages with unusual cases, and one package with very many cases. */
function dataOf(cases: number, size: number): DataFile {
  const large = largeData(cases * size, size)
  const [ours] = sample.collections.filter((one) => one.identifier === delivery(1))
  if (!ours) throw new Error('the practice data has no delivery')
  const packageOf = (uuid: string, identifier: string, members: string[], added_on = '2026-10-05T07:00:00Z') => ({
    ...ours,
    uuid,
    identifier,
    members,
    added_on,
    removed_members: [],
  })
  const tags = Array.from({ length: cases * size }, (_, at) => largeTag(at))
  const [first] = large.collections.filter((one) => one.uuid === largeCase(0))
  if (!first) throw new Error('there is no first case')
  return {
    ...large,
    collections: [
      ...large.collections,
      packageOf(largeTag(900_001), 'ALL', tags),
      // Half of the second case was later put into a package of its own.
      packageOf(largeTag(900_002), 'SPLIT', tags.slice(size, size + size / 2), '2026-10-06T07:00:00Z'),
      { ...first, uuid: largeTag(900_003), identifier: 'EMPTY', members: [], removed_members: [] },
    ],
  }
}

describe('a large delivery, against the practice service', () => {
  let service: PracticeService
  let proxy: CountingProxy
  let station: Station
  const { deliveryNow, addCase, allRead, importAll, reads } = deliverySteps(() => station)

  const begin = async (cases: number, size: number) => {
    const dispensary = sample.dispensaries.find((one) => one.name === 'Green Door, Newark')
    if (!dispensary) throw new Error('the practice data has no such dispensary')
    service = await startPracticeService({ data: dataOf(cases, size), db: ':memory:', port: 0, picturesDir })
    proxy = await countingProxy(service.baseUrl)
    const { authUrl, adminUrl } = service
    const where = { baseUrl: proxy.baseUrl, authUrl: `${proxy.baseUrl}${new URL(authUrl).pathname}`, adminUrl }
    station = await startStation({
      startPractice: outsidePractice({ ...where, account: practiceAccount(), dispensary }),
    })
  }
  afterEach(async () => {
    await station.close()
    await proxy.close()
    await service.close()
  })

  // `npm run bench:delivery` measures 500 cases of 100.
  it('reads 200 cases of 40 items, eight at a time, and handles a scan meanwhile', async () => {
    await begin(200, 40)
    const heard = reads()
    const added = await station.ask('receiving.addPackage', { packageUid: 'ALL' })
    expect(added.caseIds).toHaveLength(200)
    // The last of the 200 cases, answered while most of the others still wait.
    const scanned = await addCase('CASE-199')
    expect(scanned).toMatchObject({ caseId: largeCase(199), isReading: false, case: { tagCount: 40 } })
    expect(
      (await station.ask('receiving.delivery', undefined))?.cases.filter((one) => one.isReading).length,
    ).toBeGreaterThan(50)
    const view = await allRead(200)
    expect(view.cases.every((one) => one.case?.tagCount === 40 && one.error === null)).toBe(true)
    expect(view.cases.map((one) => one.caseId)).toEqual(added.caseIds)
    // The scanned case was read already and isn't requested again.
    await expect.poll(() => heard.cases().length).toBe(200)
    expect(heard.count()).toBeLessThan(200)
    heard.stop()
    // Eight cases of the delivery and the scanned one.
    expect(proxy.mostAtOnce('/collections/case/')).toBeLessThanOrEqual(9)
    expect(proxy.mostAtOnce('/collections/case/')).toBeGreaterThan(1)
    expect(proxy.count('/collections/case/')).toBe(200)

    const done = await importAll()
    expect(done).toMatchObject({ saved: { length: 600 }, refused: [] })
    await station.ask('receiving.finishDelivery', { deliveryId: view.id })
    const report = await station.ask('receiving.report', { deliveryId: view.id })
    expect(report.lines).toHaveLength(600)
    expect(report.summary).toMatchObject({ caseCount: 200, refused: 0 })
    const { imported, pending } = report.summary
    // Each case counts as imported or pending, and a case with products in both states counts twice.
    expect(imported + pending).toBeGreaterThanOrEqual(200)
  }, 120_000)

  it('shows a case without items, and a case with items in two packages', async () => {
    await begin(3, 6)
    const empty = await addCase('EMPTY')
    expect(empty).toMatchObject({ packageUid: null, importState: { kind: 'to-import' }, error: null })
    expect(empty.case).toMatchObject({ tagCount: 0, packagedProducts: [], packageUids: [] })
    const split = await addCase('CASE-1')
    expect(split).toMatchObject({ packageUid: null, case: { packageUids: ['SPLIT', 'ALL'] } })
    await station.ask('receiving.addPackage', { packageUid: 'SPLIT' })
    const view = await allRead(2)
    // The case was listed before its package, and keeps its place.
    expect(view.cases.map((one) => [one.caseId, one.packageUid])).toEqual([
      [empty.caseId, null],
      [split.caseId, null],
    ])
    const report = await station.ask('receiving.report', { deliveryId: view.id })
    expect(report.lines[0]).toMatchObject({ identifier: 'EMPTY', tagCount: 0, productName: null })
  })

  it('stops reading after eight failures in a row, and reads all cases on request', async () => {
    await begin(60, 2)
    await station.ask('receiving.addPackage', { packageUid: 'ALL' })
    await allRead(60)
    const asked = proxy.count('/collections/case/')
    await service.admin.setFaults({ rules: [{ kind: 'status', code: 503 }] })
    await station.ask('receiving.refresh', undefined)
    await expect.poll(() => proxy.count('/package-uids/')).toBeGreaterThan(1)
    const stored = await allRead(60)
    expect(stored.cases.every((one) => one.case?.knowledge.source === 'stored' && one.error === null)).toBe(true)
    expect(proxy.count('/collections/case/')).toBeLessThan(asked + 60)
    await service.admin.setFaults({})
    const heard = reads()
    await station.ask('receiving.refresh', undefined)
    const now = () => heard.cases().filter((one) => one.case?.knowledge.source === 'now')
    await expect.poll(() => new Set(now().map((one) => one.caseId)).size, { timeout: 10_000 }).toBe(60)
    heard.stop()
  })

  it('neither asks nor tells more about a delivery that was finished while its cases were being read', async () => {
    await begin(40, 2)
    await service.admin.setFaults({ rules: [{ kind: 'latency', ms: 150 }] })
    await station.ask('receiving.addPackage', { packageUid: 'ALL' })
    const begun = await deliveryNow()
    await expect.poll(() => proxy.count('/collections/case/'), { timeout: 10_000 }).toBeGreaterThan(0)
    await station.ask('receiving.finishDelivery', { deliveryId: begun.id })
    const heard = reads()
    await service.admin.setFaults({})
    await station.ask('receiving.addCase', { identifier: 'CASE-39' })
    expect(proxy.count('/collections/case/')).toBeLessThan(40)
    const next = await deliveryNow()
    expect(next.id).not.toBe(begun.id)
    await station.ask('receiving.refresh', undefined)
    await expect.poll(() => heard.cases().length, { timeout: 10_000 }).toBe(2)
    expect(heard.deliveries()).toEqual([next.id])
    heard.stop()
  })
})

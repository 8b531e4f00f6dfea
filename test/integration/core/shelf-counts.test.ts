import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ShelfCount, ShelfProgress } from '../../../src-shared/ipc/contract/stock'
import { otherTill } from './other-till'
import { caseNamed, delivery, packagedProduct, tagNamed } from './receiving-desk'
import { type Station, startStation } from './station'
import { pos, stepsOf } from './steps'

const numbered = (key: string, sku: string, count: number) =>
  Array.from({ length: count }, (_, at) => tagNamed(`${key} ${sku} ${at + 1}`))
const house = caseNamed('house 1')
const houseTags = numbered('house 1', 'GD-HF-35', 12)
/** Imported by this store before the station was there. */
const onSale = numbered('on sale', 'HF-PA-1', 20)
const nobody = 'VaVSFGDiox2pHf8GmQmTfG'

describe('counting the shelf, against the practice service', () => {
  let station: Station
  beforeEach(async () => {
    station = await startStation()
  })
  afterEach(async () => {
    await station.close()
  })
  const { sell, voidOrder } = stepsOf(() => station)

  const importHouse = async () => {
    await station.ask('receiving.addPackage', { packageUid: delivery(4) })
    await expect
      .poll(async () => (await station.ask('receiving.delivery', undefined))?.cases.every((one) => one.case !== null), {
        timeout: 10_000,
      })
      .toBe(true)
    const form = { packageUid: delivery(4), caseId: house, packagedProductId: packagedProduct('GD-HF-35'), ...pos }
    await station.ask('receiving.import', form)
    await station.drained()
  }
  const ledger = async () => station.ask('stock.ledger', undefined)
  const read = async () => {
    await station.ask('stock.refresh', undefined)
    await expect.poll(async () => (await ledger()).refresh.state, { timeout: 20_000 }).toBe('idle')
  }
  const start = async () => (await station.ask('stock.start', { scope: { kind: 'all' } })).id
  const scan = async (countId: string, tagIds: readonly string[]) => {
    for (const tagId of tagIds) await station.ask('stock.scan', { countId, tagId })
  }
  const finish = async (countId: string) => {
    await station.ask('stock.finish', { countId })
    return (await station.ask('stock.count', { countId })).results
  }
  const differences = async (countId: string) =>
    (await station.ask('stock.differences', { countId, filter: {}, after: null })).differences
  const found = async (countId: string) =>
    (await differences(countId)).map(({ tagId, why, result }) => [tagId, why ?? result])

  it('expects what was imported here, without what was sold, and says of the rest why it is not expected', async () => {
    await importHouse()
    await sell('SHELF-1', houseTags.slice(0, 2))
    await sell('SHELF-2', houseTags.slice(2, 3))
    await voidOrder('SHELF-2')
    await station.drained()
    await read()
    expect(await ledger()).toMatchObject({ items: 10, isCatchingUp: false, asOf: { cases: 1, unread: 0 }, unread: [] })
    const heard: (ShelfCount | ShelfProgress)[] = []
    const stops = [
      station.client.on('stock.count', (count) => heard.push(count)),
      station.client.on('stock.progress', (progress) => heard.push(progress)),
    ]
    const id = await start()
    await scan(id, houseTags.slice(3))
    // Sold; not imported; a sister store's; another company's; taken out of its case; unknown to the service.
    const others = [
      houseTags[0] ?? '',
      tagNamed('blue dune HF-BD-35 1'),
      tagNamed('at hoboken IB-FS-1 1'),
      tagNamed('at a stranger IB-FR-1 1'),
      nobody,
    ]
    await scan(id, others)
    expect(await station.ask('stock.scan', { countId: id, tagId: others[1] ?? '' })).toMatchObject({ kind: 'again' })
    expect(await finish(id)).toMatchObject({ expected: 10, found: 9, missing: 1, unexpected: 5, accuracy: 0.9 })
    for (const stop of stops) stop()
    // The items that nothing was known of are asked about meanwhile.
    await expect
      .poll(() => found(id))
      .toEqual([
        [houseTags[2], 'missing'],
        [others[0], 'sold'],
        [others[1], 'not-imported'],
        [others[2], 'elsewhere'],
        [others[3], 'elsewhere'],
        [others[4], 'unknown'],
      ])
    expect(heard).toHaveLength(16)
    expect(heard[0]).toMatchObject({ state: 'counting', results: null })
    expect(heard.at(-1)).toMatchObject({ state: 'finished', results: { missing: 1 } })
  })

  it('reads what other tills of the store imported and sold, after an outage and a restart too', async () => {
    await station.ask('receiving.package', { packageUid: delivery(3) })
    const till = otherTill(station)
    await till.sell('OTHER-1', onSale.slice(0, 3))
    await station.knobs.setFaults({ offline: true })
    await station.ask('stock.refresh', undefined)
    await expect.poll(async () => (await ledger()).refresh.state, { timeout: 20_000 }).toBe('waiting')
    expect((await ledger()).refresh.error).not.toBeNull()
    expect(await station.refused('stock.start', { scope: { kind: 'all' } })).toEqual({ code: 'stock/nothing-here' })
    await station.restart()
    await station.knobs.setFaults({})
    await station.online()
    await expect.poll(async () => (await ledger()).items, { timeout: 20_000 }).toBe(17)
    const id = await start()
    await scan(id, onSale.slice(4))
    expect(await finish(id)).toMatchObject({ found: 16, missing: 1 })
    // Another till had sold it: the station learns it from the service, and the finished count with it.
    await till.sell('OTHER-2', onSale.slice(3, 4))
    await read()
    await expect
      .poll(async () => (await station.ask('stock.count', { countId: id })).results)
      .toMatchObject({ found: 16, missing: 0, accuracy: 1 })
  })

  it('goes on over a restart while items are sold and returned, and is signed with a reason for each difference', async () => {
    await importHouse()
    await read()
    const [sold, soldLater, lost, back] = houseTags
    if (!sold || !soldLater || !lost || !back) throw new Error('four items')
    await sell('SHELF-3', [back])
    const id = await start()
    await scan(id, [...houseTags.slice(4), soldLater])
    await station.knobs.setFaults({ offline: true })
    await sell('SHELF-4', [sold, soldLater])
    await station.ask('stock.pause', { countId: id })
    await station.restart()
    await station.ask('stock.resume', { countId: id })
    await station.knobs.setFaults({})
    await voidOrder('SHELF-3')
    const two = await station.refused('stock.start', { scope: { kind: 'case', caseId: house } })
    expect(two).toMatchObject({ code: 'stock/count-open' })
    expect(await finish(id)).toMatchObject({ found: 9, missing: 1, unexpected: 0, moved: 2 })
    expect(await found(id)).toEqual([[lost, 'missing']])
    const before = (await station.ask('stock.count', { countId: id })).revision
    expect(await station.refused('stock.sign', { countId: id, revision: before })).toEqual({
      code: 'stock/unexplained',
      count: 1,
    })
    await station.ask('stock.explain', { countId: id, which: { filter: { result: 'missing' } }, reason: 'lost' })
    const { revision } = await station.ask('stock.count', { countId: id })
    expect(await station.refused('stock.sign', { countId: id, revision })).toEqual({
      code: 'gate/not-asked',
      ...{ gate: 'sign-count', count: 1, name: null, wants: 'reason' },
    })
    await station.ask('stock.sign', { countId: id, revision })
    expect(await station.ask('stock.history', { before: null })).toMatchObject({
      counts: [{ id, state: 'signed', results: { accuracy: 0.9 } }],
    })
    const lines = (await station.ask('stock.export', { countId: id, after: null })).lines
    expect(lines).toMatchObject([{ tagId: lost, result: 'missing', reason: 'lost' }])
    expect(await station.ask('stock.open', undefined)).toEqual([])
  })
})

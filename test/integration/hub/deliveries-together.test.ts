import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { HubAddress } from '../../../src-main/hub/postgres/line'
import { type TestServer, startTestServer } from '../../hub/server'
import { type TestStore, openTestStore, situation } from '../../hub/store'
import { caseNamed, delivery } from '../core/receiving-desk'
import type { Station } from '../core/station'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

let address: HubAddress
let store: TestStore
beforeEach(async () => {
  address = await server.store()
  store = await openTestStore(address)
})
afterEach(() => store.close())

const [first, second] = [delivery(1), delivery(2)]
const single = caseNamed('house 1')

const sql = async (text: string) => {
  const client = new pg.Client(address)
  await client.connect()
  const { rows } = await client.query<Record<string, unknown>>(text)
  await client.end()
  return rows
}
const addPackage = (station: Station, packageUid: string) => station.ask('receiving.addPackage', { packageUid })
const now = (station: Station) => station.ask('receiving.delivery', undefined)
const offered = (station: Station) => station.ask('receiving.storeDeliveries', undefined)
const uids = async (station: Station) => (await now(station))?.packages.map(({ packageUid }) => packageUid).sort()
const caseIds = async (station: Station) => (await now(station))?.cases.map(({ caseId }) => caseId) ?? []
const apart = async (...ones: Station[]) => {
  await server.stop('immediate')
  await Promise.all(ones.map((station) => situation(station, 'apart')))
}
const back = async (...ones: Station[]) => {
  await server.start()
  await Promise.all(ones.map((station) => situation(station, 'together')))
}
/** Receives along with the station of this name. */
const joins = async (station: Station, name: string) => {
  const found = async () => (await offered(station)).find((one) => one.station === name)
  await expect.poll(found).toBeDefined()
  const deliveryId = (await found())?.id ?? ''
  await station.ask('receiving.joinDelivery', { deliveryId })
  return deliveryId
}
/** Two stations that receive one delivery, begun at Station 1 with the first package. */
const both = async () => {
  const [one, two] = [await store.station('Station 1'), await store.station('Station 2')]
  await addPackage(one, first)
  const id = await joins(two, 'Station 1')
  await expect.poll(async () => (await now(two))?.cases.length).toBe(3)
  return { one, two, id }
}

describe('what a station dropped while apart', () => {
  it('stays dropped after its delivery became a part of another one meanwhile', async () => {
    const { one, two, id } = await both()
    const three = await store.station('Station 3')
    await one.ask('receiving.finishDelivery', { deliveryId: id })
    await expect.poll(() => now(two)).toBeNull()
    await two.ask('receiving.addCase', { identifier: single })
    await addPackage(two, second)
    await joins(three, 'Station 2')
    await expect.poll(() => uids(three)).toEqual([second])
    await expect.poll(() => caseIds(three)).toContain(single)
    await apart(one, two, three)
    await one.ask('receiving.reopenDelivery', { deliveryId: id })
    await two.ask('receiving.dropCase', { caseId: single })
    await two.ask('receiving.dropPackage', { packageUid: second })
    await two.restart(async () => {
      await back(one, three)
      // The delivery that Station 2 has begun becomes a part of the first one, which it knows too.
      await joins(three, 'Station 1')
      await expect.poll(() => uids(one)).toEqual([first, second].sort())
      await expect.poll(() => caseIds(one)).toContain(single)
    })
    await situation(two, 'together')
    for (const station of [one, two, three]) {
      await expect.poll(() => uids(station)).toEqual([first])
      await expect.poll(() => caseIds(station)).toHaveLength(3)
      expect(await caseIds(station)).not.toContain(single)
    }
  })
})

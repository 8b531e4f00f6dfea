import { afterEach, beforeEach, expect, it } from 'vitest'
import type { ImportForm } from '../../../src-shared/ipc/contract/receiving'
import { err } from '../../../src-shared/result'
import type { Hub } from '../../../src-main/hub/port'
import type { MainEvents } from '../../../src-main/core/events'
import { caseKey } from '../../../src-main/outbox/payload'
import { Importing } from '../../../src-main/receiving/import/importing'
import { SharedImports } from '../../../src-main/receiving/import/shared-imports'
import { caseOf, packageUid, thing } from '../../fakes/ids'
import { receivingContext } from '../../fakes/receiving-context'
import { joinHub } from '../../hub/station'
import { useHub } from '../../hub/use-store'
import { accepted, useDesk } from '../../unit/main/outbox/desk'
import { eventsOf } from '../../fakes/events'

const server = useHub()

const desk = useDesk()
let hubs: { here: Hub; there: Hub }
let store: SharedImports
let events: MainEvents
beforeEach(async () => {
  hubs = { here: await joinHub(server.address, 'Station 1'), there: await joinHub(server.address, 'Station 2') }
  store = openShared()
})
afterEach(async () => {
  await store.stop()
  await Promise.all([hubs.here.close(), hubs.there.close()])
})

const openShared = () => {
  events = eventsOf(desk.db)
  return new SharedImports(receivingContext({ ...desk, events, hub: hubs.here }))
}
/** The station's next process: what the last one was about to do is not done. */
const startAgain = async () => {
  await store.stop()
  desk.restart()
  store = openShared()
}
/** What another station reads of the imports at the hub. */
const atHub = async () =>
  (await hubs.there.imports.since(0))?.imports.map(({ caseId, state, stationName }) => ({
    caseId,
    state,
    stationName,
  }))
const formOf = (n: number): ImportForm => ({
  ...{ caseId: caseOf(n), packagedProductId: thing(n), packageUid: packageUid(1) },
  ...{ posProductId: 'P', posInventoryId: 'I' },
})
const open = () => {
  const context = receivingContext({ ...desk, events: eventsOf(desk.db), serviceClock: desk.clock.serviceClock })
  return new Importing(context, { remember: () => undefined }, store)
}

it('refuses imports if the disk is full, takes none at the hub, and gives free what was left from before', async () => {
  const made = open()
  const forms = Array.from({ length: 1_000 }, (_, n) => formOf(n))
  const pages = Number(desk.db.pragma('page_count', { simple: true }))
  desk.db.pragma(`max_page_count = ${pages}`)
  expect(await made.importMany(forms)).toEqual(err({ code: 'store/not-saved' }))
  desk.db.pragma('max_page_count = 1000000')
  expect(await hubs.there.imports.since(0)).toMatchObject({ imports: [] })
  // As after a crash between taking it and saving it.
  await hubs.here.imports.take([formOf(1)])
  desk.db.prepare(`INSERT OR IGNORE INTO dirty_key VALUES ('imports', 0, ?, 1, 0)`).run(`${caseOf(1)} ${thing(1)}`)
  events.emit('sharing.due', null)
  await expect
    .poll(async () => (await hubs.there.imports.since(0))?.imports)
    .toMatchObject([{ caseId: caseOf(1), state: 'over' }])
  expect(await made.import(formOf(2))).toMatchObject({ ok: true })
  await expect
    .poll(async () => (await hubs.there.imports.since(0))?.imports.filter(({ state }) => state === 'importing'))
    .toMatchObject([{ caseId: caseOf(2), stationName: 'Station 1' }])
})

it('gives a case free that was taken for an import, if the station was killed before the import was saved', async () => {
  const form = formOf(1)
  expect(await store.take([form])).toMatchObject({ ok: true })
  expect(await atHub()).toEqual([{ caseId: form.caseId, state: 'importing', stationName: 'Station 1' }])
  expect(await hubs.there.imports.take([form])).toMatchObject([{ caseId: form.caseId, stationName: 'Station 1' }])
  await startAgain()
  events.emit('sharing.due', null)
  await expect.poll(atHub).toMatchObject([{ state: 'over' }])
  expect(await hubs.there.imports.take([form])).toEqual([])
  expect(desk.outbox.read.byKey(caseKey(form.caseId))).toEqual([])
})

it('goes on with an import that was saved before the station was killed, and saves no second one', async () => {
  const form = formOf(1)
  expect(await open().import(form)).toMatchObject({ ok: true })
  // Killed before the call was answered: the person imports it again.
  await startAgain()
  events.emit('sharing.due', null)
  expect(await open().import(form)).toMatchObject({ error: { code: 'receiving/already-importing' } })
  expect(desk.outbox.read.byKey(caseKey(form.caseId))).toHaveLength(1)
  expect(await atHub()).toMatchObject([{ caseId: form.caseId, state: 'importing', stationName: 'Station 1' }])
})

it('gives a case free that the hub granted only after this station had told that it imports nothing', async () => {
  const form = formOf(1)
  // The request was on its way when the station was killed, or had given up on the answer.
  await hubs.here.imports.take([form])
  await expect.poll(atHub).toMatchObject([{ state: 'over' }])
  expect(await hubs.there.imports.take([form])).toEqual([])
})

it('says again that a case is imported here, if the hub granted an older request for it only afterwards', async () => {
  const form = formOf(1)
  expect(await open().import(form)).toMatchObject({ ok: true })
  const [claimed] = desk.claimAll()
  if (!claimed) throw new Error('nothing to send')
  desk.outbox.settle(claimed.seq, accepted)
  events.emit('sharing.due', null)
  await expect.poll(atHub).toMatchObject([{ state: 'imported' }])
  await hubs.here.imports.take([form])
  await expect.poll(atHub).toMatchObject([{ state: 'imported' }])
})

import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import type { ImportForm } from '../../../src-shared/ipc/contract/receiving'
import { err, ok } from '../../../src-shared/result'
import type { Hub } from '../../../src-main/hub/port'
import { silentLog } from '../../../src-main/log'
import { createMemory } from '../../../src-main/memory/store'
import type { Operation } from '../../../src-main/outbox/operation'
import { viewOperation } from '../../../src-main/outbox/views'
import { createDeliveryRows } from '../../../src-main/receiving/delivery-rows'
import { createSeenSince } from '../../../src-main/receiving/import-state'
import { createImporting } from '../../../src-main/receiving/importing'
import { type SharedImports, createSharedImports } from '../../../src-main/receiving/shared-imports'
import { createSettings } from '../../../src-main/store/settings'
import { caseOf, packageUid, thing } from '../../fakes/ids'
import { type TestServer, startTestServer } from '../../hub/server'
import { joinHub } from '../../hub/station'
import { useDesk } from '../../unit/main/outbox/desk'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const desk = useDesk()
let hubs: { here: Hub; there: Hub }
let store: SharedImports
beforeEach(async () => {
  const address = await server.store()
  hubs = { here: await joinHub(address, 'Station 1'), there: await joinHub(address, 'Station 2') }
  const { db, outbox, clock } = desk
  const settings = createSettings(db, silentLog)
  store = createSharedImports({
    ...{ db, hub: hubs.here, outbox, settings, clock, log: silentLog, onChange: () => undefined },
  })
})
afterEach(async () => {
  await store.stop()
  await Promise.all([hubs.here.close(), hubs.there.close()])
})

const formOf = (n: number): ImportForm => ({
  ...{ caseId: caseOf(n), packagedProductId: thing(n), packageUid: packageUid(1) },
  ...{ posProductId: 'P', posInventoryId: 'I' },
})
const open = () => {
  const { db, outbox, clock } = desk
  const view = (operation: Operation) => viewOperation(operation, outbox, clock)
  return createImporting({
    ...{ seen: createMemory(db), outbox, rows: createDeliveryRows(db), seenSince: createSeenSince(outbox), store },
    reporting: { view, report: (saved) => Promise.resolve(saved.ok ? ok(view(saved.value)) : saved) },
    ...{ sender: { wake: () => undefined }, pos: { remember: () => undefined } },
    ...{ clock, serviceClock: clock.serviceClock, log: silentLog },
  })
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
  desk.db.prepare('INSERT INTO hub_import_due VALUES (?, ?, 1)').run(caseOf(1), thing(1))
  store.exchange()
  await expect
    .poll(async () => (await hubs.there.imports.since(0))?.imports)
    .toMatchObject([{ caseId: caseOf(1), state: 'over' }])
  expect(await made.import(formOf(2))).toMatchObject({ ok: true })
  await expect
    .poll(async () => (await hubs.there.imports.since(0))?.imports.filter(({ state }) => state === 'importing'))
    .toMatchObject([{ caseId: caseOf(2), stationName: 'Station 1' }])
})

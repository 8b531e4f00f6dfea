import { join } from 'node:path'
import { z } from 'zod'
import { Locale } from '../src-shared/ipc/app-view'
import { createCheckout } from './checkout/checkout'
import { type Clock, createServiceClock, systemClock } from './clock'
import { type Credentials, inMemoryCredentials } from './credentials/credentials'
import { createEvents } from './ipc/events'
import type { Events } from './ipc/events'
import type { Handlers } from './ipc/handlers'
import { createHandlers } from './ipc/table'
import { type Log, createFileLog } from './log'
import { createLookup } from './lookup/lookup'
import { createSeenStore } from './lookup/seen'
import { createPictures } from './media/pictures'
import { createDrain } from './outbox/drain'
import { createLimits } from './outbox/limits'
import { createOutbox } from './outbox/outbox'
import { createReporting } from './outbox/reporting'
import type { AtStep } from './outbox/steps'
import { startTraining } from './practice/start'
import type { StartTraining } from './practice/training'
import { createProbe } from './probe'
import { originsOf } from './profile'
import { createReceiving } from './receiving/receiving'
import { createHidSource } from './scanner/hid'
import { createKnownCodes } from './scanner/known-codes'
import { createScanHub } from './scanner/hub'
import type { ScannerLayer } from './scanner/layer'
import { nodeHidLayer } from './scanner/node-hid-layer'
import { nodeUsbEvents } from './scanner/usb-events'
import { createServiceClient } from './service-client/client'
import { createConnection } from './service-client/connection'
import { createHttp } from './service-client/http'
import { createTokens } from './service-client/tokens'
import { createBackup } from './store/backup'
import { AppStartError, openStore } from './store/open'
import { backupFolder } from './store/quarantine'
import { createStatusBoard } from './status'
import { createSettings } from './store/settings'

export { AppStartError } from './store/open'

/** What a host gives the app. */
export interface Surroundings {
  /** Folder of this station's data; made when it is missing. */
  dataDir: string
  /** Folder with practice data and icons. */
  resourcesDir: string
  version: string
  clock?: Clock
  /** Where client id and secret are kept; left out, the practice store's own are used. */
  credentials?: Credentials
  /** Where HID scanners are; left out, this computer's own are used. */
  scanners?: ScannerLayer
  /** Starts the practice profile's service; left out, it is embedded. Tests name one that outlives the station. */
  startPractice?: StartTraining
  /** Told of every step of the outbox: where the crash suite cuts. */
  atStep?: AtStep
}

/** What a host gets: answers, announcements, and the one way to end it all. */
export interface App {
  handlers: Handlers
  events: Events
  log: Log
  /** Where the embedded practice service and its knobs are; undefined with a real service. */
  practice: { baseUrl: string; authUrl: string; adminUrl: string } | undefined
  /** Stops sending, closes the store. Resolves once everything is on disk. */
  close(): Promise<void>
}

/** What is on the wire when the app is closed may take this long to be answered, in ms. */
const closingGrace = 3_000
/** And the last backup this. */
const closingBackup = 5_000

/**
 * Builds the app by hand. The first part to be opened is the store: without it nothing may start.
 * Throws AppStartError.
 */
export async function compose(surroundings: Surroundings): Promise<App> {
  const { dataDir, resourcesDir, version, clock = systemClock, atStep = () => undefined } = surroundings
  const { startPractice = startTraining } = surroundings
  // One folder a profile: what was practised can never be sent to a real service.
  const folder = join(dataDir, 'practice')
  const databaseFile = join(folder, 'countertag.db')
  const store = openStore(databaseFile, () => clock.now())
  const { db } = store
  const log = openLog(join(folder, 'countertag.log'), store)
  log.info('store opened', { found: store.found, salvage: store.salvage() })
  const settings = createSettings(db, log)
  const events = createEvents()

  const training = await startPractice({ folder, resourcesDir, settings }).catch((cause: unknown) => {
    store.close()
    throw cause
  })
  const { profile } = training
  const credentials = surroundings.credentials ?? inMemoryCredentials(training.credentials)

  const serviceClock = createServiceClock({
    offset: settings.read('clock.offset', z.number().int()),
    onChange(offset) {
      settings.keep('clock.offset', offset)
      status.changed()
    },
  })
  const http = createHttp({
    origins: originsOf(profile),
    clockOrigin: new URL(profile.baseUrl).origin,
    clock,
    serviceClock,
  })
  const tokens = createTokens({ profile, credentials, http, clock })
  const connection = createConnection({
    clock,
    onChange(change) {
      log.info('connection', { ...change })
      status.changed()
    },
    onRecovery: () => drain.recovered(),
    log,
  })
  const client = createServiceClient({ profile, http, tokens, onReply: (reply) => connection.note(reply) }).v12
  const seen = createSeenStore(db)
  const codes = createKnownCodes(settings)
  const lookup = createLookup({ client, seen, clock, log, learn: (kind, url, id) => codes.learn(kind, url, id) })
  const outbox = createOutbox({ db, clock, serviceClock, caseOf: (tagId) => seen.caseOf(tagId), log, atStep })
  const drain = createDrain({
    outbox,
    client,
    caseOf: (tagId) => seen.caseOf(tagId),
    ownDispensaryId: profile.dispensaryId,
    clock,
    log,
    atStep,
  })
  const probe = createProbe({ connection, client, log })
  const reporting = createReporting({ outbox, drain, clock, connection })
  const receiving = createReceiving({ lookup, seen, outbox, reporting, clock, ownDispensaryId: profile.dispensaryId })
  const checkout = createCheckout({
    db,
    lookup,
    outbox,
    reporting,
    clock,
    log,
    onCart: (cart) => events.emit('checkout.cart', cart),
  })
  const scanHub = createScanHub({
    clock,
    known: () => codes.known(),
    onScan: (scan) => events.emit('scanner.scanned', scan),
  })
  const scanners = createHidSource({
    layer: surroundings.scanners ?? { hid: nodeHidLayer(), usb: nodeUsbEvents() },
    clock,
    log,
    onScan: ({ text, ...readBy }) => scanHub.submit(text, 'hid', { readBy }),
    onChange: (view) => events.emit('scanner.changed', view),
  })

  const backup = createBackup({
    db,
    folder: backupFolder(databaseFile),
    clock,
    log,
    onChange: () => status.changed(),
    onDamage: () => {
      store.distrust()
    },
  })
  const limits = createLimits({ settings, clock })
  const status = createStatusBoard({
    profile,
    version,
    connection: () => connection.view(),
    counts: () => outbox.read.counts(),
    limits,
    serviceClock,
    locale: () => settings.read('locale', Locale) ?? 'en',
    backup: () => backup.view(),
    salvage: () => store.salvage(),
    announce: (view) => events.emit('app.status', view),
  })
  outbox.onChange((operation) => {
    events.emit('outbox.changed', reporting.view(operation))
    status.changed()
  })

  drain.wake()
  probe.start()
  scanners.start()
  backup.start()
  log.info('started', { version, profile: profile.kind })

  return {
    handlers: createHandlers({
      status: () => status.view(),
      statusChanged: () => status.changed(),
      settings,
      scanHub,
      scanners,
      codes,
      receiving,
      checkout,
      outbox,
      viewOperation: reporting.view,
      drain,
      limits,
      acknowledgeSalvage: () => {
        store.acknowledgeSalvage()
      },
      pictures: createPictures(http),
      training,
    }),
    events,
    log,
    practice: { baseUrl: profile.baseUrl, authUrl: training.authUrl, adminUrl: training.adminUrl },
    async close() {
      await scanners.stop()
      status.stop()
      probe.stop()
      await drain.stop(closingGrace)
      await http.close()
      await training.close()
      await backup.finish(closingBackup)
      store.close()
      log.info('closed')
    },
  }
}

function openLog(file: string, store: { close(): void }): Log {
  try {
    return createFileLog(file)
  } catch (cause) {
    store.close()
    throw new AppStartError('store/no-access', `Countertag can't write ${file}.`, { cause })
  }
}

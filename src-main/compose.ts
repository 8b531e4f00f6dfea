import { join } from 'node:path'
import { z } from 'zod'
import { Locale } from '../src-shared/ipc/app-view'
import type { AppStatus } from '../src-shared/ipc/app-view'
import { ok } from '../src-shared/result'
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
import { createOutbox } from './outbox/outbox'
import { createReporting } from './outbox/reporting'
import type { AtStep } from './outbox/steps'
import { startTraining } from './practice/start'
import { createProbe } from './probe'
import { originsOf } from './profile'
import { createReceiving } from './receiving/receiving'
import { createScanHub } from './scanner/hub'
import { createServiceClient } from './service-client/client'
import { createConnection } from './service-client/connection'
import { createHttp } from './service-client/http'
import { createTokens } from './service-client/tokens'
import { AppStartError, openStore } from './store/open'
import { saved } from './store/saved'
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

/**
 * Builds the app by hand. The first part to be opened is the store: without it nothing may start.
 * Throws AppStartError.
 */
export async function compose(surroundings: Surroundings): Promise<App> {
  const { dataDir, resourcesDir, version, clock = systemClock, atStep = () => undefined } = surroundings
  // One folder a profile: what was practised can never be sent to a real service.
  const folder = join(dataDir, 'practice')
  const db = openStore(join(folder, 'countertag.db'))
  const log = openLog(join(folder, 'countertag.log'), db)
  const settings = createSettings(db, log)
  const events = createEvents()

  const training = await startTraining({ folder, resourcesDir, settings }).catch((cause: unknown) => {
    db.close()
    throw cause
  })
  const { profile } = training
  const credentials = surroundings.credentials ?? inMemoryCredentials(training.credentials)

  const serviceClock = createServiceClock({
    offset: settings.read('clock.offset', z.number().int()),
    onChange: (offset) => settings.keep('clock.offset', offset),
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
      announceStatus()
    },
    onRecovery() {
      outbox.dueAfterOutage()
      drain.wake()
    },
    log,
  })
  const client = createServiceClient({ profile, http, tokens, onReply: (reply) => connection.note(reply) }).v12
  const seen = createSeenStore(db)
  const lookup = createLookup({ client, seen, clock, log })
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
  const scanHub = createScanHub({ clock, onScan: (scan) => events.emit('scanner.scanned', scan) })

  const status = (): AppStatus => ({
    profile: { kind: profile.kind, name: profile.name },
    connection: connection.view(),
    ...outbox.read.counts(),
    locale: settings.read('locale', Locale) ?? 'en',
    version,
  })
  function announceStatus() {
    events.emit('app.status', status())
  }
  outbox.onChange((operation) => {
    events.emit('outbox.changed', reporting.view(operation))
    announceStatus()
  })

  drain.wake()
  probe.start()
  log.info('started', { version, profile: profile.kind })

  return {
    handlers: createHandlers({
      status,
      setLocale: (locale) =>
        saved(() => {
          settings.write('locale', locale)
          announceStatus()
          return ok(null)
        }),
      scanHub,
      receiving,
      checkout,
      outbox,
      viewOperation: reporting.view,
      wake: () => drain.wake(),
      pictures: createPictures(http),
      training,
    }),
    events,
    log,
    practice: { baseUrl: profile.baseUrl, authUrl: training.authUrl, adminUrl: training.adminUrl },
    async close() {
      probe.stop()
      await drain.stop(closingGrace)
      await http.close()
      await training.close()
      db.close()
      log.info('closed')
    },
  }
}

function openLog(file: string, db: { close(): unknown }): Log {
  try {
    return createFileLog(file)
  } catch (cause) {
    db.close()
    throw new AppStartError('store/no-access', `Countertag can't write ${file}.`, { cause })
  }
}

import { join } from 'node:path'
import { type ProfileId, practiceId } from '../../src-shared/ipc/contract/station'
import { ok } from '../../src-shared/result'
import { type Clock, systemClock } from '../clock'
import { createCheckoutParts } from './checkout'
import { createFindParts } from './find'
import { type CoreContext, openFiles } from './context'
import { createLookupParts } from './lookup'
import { createNetwork } from './network'
import { createOutboxParts } from './outbox'
import { createReceivingParts } from './receiving'
import { createScannersParts } from './scanners'
import { createUpkeep } from './upkeep'
import { type Credentials, inMemoryCredentials } from '../credentials/store'
import { type CoreHandlers, type Events, createEvents } from '../ipc/handlers'
import type { Log } from '../log'
import { createPictures } from '../memory/pictures'
import type { AtStep } from '../outbox/steps'
import { type StartTraining, createPracticeHandlers, startTraining } from '../practice/training'
import { type Seal, unsealed } from '../privacy/seal'
import type { Profile } from '../profile'
import type { ScannerLayer } from '../scanner/layer'
import type { ResolveProxy } from '../service/system-proxy'
import type { CoreDiagnostics } from '../support/support'

/** What a host gives the app. */
export interface Surroundings {
  /** Folder of this station's data; made when it is missing. */
  dataDir: string
  /** Folder with practice data and icons. */
  resourcesDir: string
  version: string
  clock?: Clock
  /** The profile of a real service; left out, the practice store. */
  realProfile?: { id: ProfileId; profile: Profile } | undefined
  /** Where client id and secret are kept; left out, the practice store's own are used. */
  credentials?: Credentials
  /** Asks the operating system, or its proxy script, which way to go; left out, only the environment names a proxy. */
  resolveProxy?: ResolveProxy
  /** What customers are sealed with; left out, nothing is. */
  seal?: Seal
  /** Where to announce; left out, a list of its own. */
  events?: Events
  /** Where HID scanners are; left out, this computer's own are used. */
  scanners?: ScannerLayer
  /** Starts the practice profile's service; left out, it is embedded. Tests name one that outlives the station. */
  startPractice?: StartTraining
  /** Called with every step of the outbox: where the crash suite cuts. */
  atStep?: AtStep
}

/** What a host gets: answers, announcements, and the one way to end it all. */
export interface App {
  readonly handlers: CoreHandlers
  events: Events
  log: Log
  /** Where the embedded practice service and its knobs are; undefined with a real service. */
  practice: { baseUrl: string; authUrl: string; adminUrl: string } | undefined
  /** For diagnostics. */
  diagnostics: CoreDiagnostics
  /** How many operations are on their way to the service at this moment. */
  sending(): number
  /** The keychain gives what it refused before: what waited for that goes now. */
  keychainAnswers(): void
  /** The computer slept: whether the service answers is looked at now, and what waited goes. */
  wokeUp(): void
  /**
   * Stops sending at once, closes the store. Resolves once everything is on disk. What is on the wire has 3 s to be
   * answered, or `graceMs`: with Infinity as long as it takes.
   */
  close(graceMs?: number): Promise<void>
  /** Closes the store before it returns, for a process that ends then. What is on the wire is settled at the next start. */
  closeAtOnce(): void
}

/** What is on the wire when the app is closed may take this long to be answered, in ms. */
const closingGrace = 3_000
/** And the last backup this. */
const closingBackup = 5_000

/**
 * Builds the app by hand, area by area: each file in compose/ joins one. The first part to be opened is the store: without
 * it nothing may start. Throws AppStartError.
 */
export async function compose(surroundings: Surroundings): Promise<App> {
  const { dataDir, resourcesDir, version, clock = systemClock, atStep = () => undefined } = surroundings
  const { startPractice = startTraining, realProfile, seal = unsealed } = surroundings
  // One folder a profile: what was done in practice can never be sent to a real service.
  const folder = join(dataDir, realProfile?.id ?? practiceId)
  const files = openFiles(folder, clock)
  const { store, log, settings } = files
  const events = surroundings.events ?? createEvents()

  const training = realProfile
    ? undefined
    : await startPractice({ folder, resourcesDir, settings }).catch(async (cause: unknown) => {
        store.close()
        await log.close()
        throw cause
      })
  const profile = realProfile?.profile ?? training?.profile
  if (!profile) throw new Error('neither a profile nor a practice store')
  const credentials = surroundings.credentials ?? inMemoryCredentials(training?.accounts ?? {})

  const context: CoreContext = { ...files, clock, events, profile, seal }
  const network = createNetwork(context, {
    credentials,
    resolveProxy: surroundings.resolveProxy,
    onChange: () => status.changed(),
    onAnswering: () => sender.answering(),
    onRecovery() {
      // A package that was scanned without a network fills itself.
      delivery.refresh()
      sender.recovered()
      void checkout.askAgain()
    },
  })
  const lookingUp = createLookupParts(context, network)
  const sending = createOutboxParts(context, {
    network,
    seen: lookingUp.seen,
    atStep,
    onLimits: () => status.changed(),
  })
  const { outbox, sender, reporting, limits } = sending
  const receiving = createReceivingParts(context, lookingUp, sending)
  const { delivery } = receiving
  const counter = createCheckoutParts(context, network, lookingUp, sending)
  const { checkout, verifying } = counter
  const finding = createFindParts(context, network, lookingUp, sending)
  const scanning = createScannersParts(context, lookingUp, surroundings.scanners)
  const { scanJournal, scanners } = scanning
  const upkeep = createUpkeep(context, { network, outbox, sender, limits, version })
  const { backup, retention, status } = upkeep
  const pictures = createPictures(network.http, clock)
  outbox.onChange((operation) => {
    events.emit('outbox.changed', reporting.view(operation))
    checkout.noticeImport(operation)
    status.changed()
  })

  sender.wake()
  void checkout.askAgain()
  network.probe.start()
  scanJournal.start()
  scanners.start()
  backup.start()
  retention.start()
  verifying.start()
  log.info('started', { version, profile: profile.kind })

  /** What kept requests from going out is over. */
  const tryNow = () => {
    network.askNow()
    try {
      sender.recovered()
    } catch (cause) {
      // A disk that refuses: each goes at its own time.
      log.warn('what waited could not be made due', { cause })
    }
  }

  return {
    handlers: {
      ...upkeep.handlers,
      ...scanning.handlers,
      ...receiving.handlers,
      ...counter.handlers,
      ...sending.handlers,
      ...finding.handlers,
      ...createPracticeHandlers(training, settings),
      'media.picture': async ({ url }) => ok({ dataUrl: await pictures.get(url) }),
    },
    events,
    log,
    diagnostics: {
      files: { databaseFile: files.databaseFile, logFile: files.logFile },
      status: () => status.view(),
      counts: () => outbox.read.counts(),
    },
    practice: training && { baseUrl: profile.baseUrl, authUrl: training.authUrl, adminUrl: training.adminUrl },
    sending: () => outbox.read.inState('sending').length,
    keychainAnswers: tryNow,
    wokeUp() {
      network.probe.askNow()
      tryNow()
    },
    closeAtOnce() {
      void sender.stop(0)
      store.close()
      log.info('closed at once')
    },
    async close(graceMs = closingGrace) {
      // First of all: what would be claimed while the others end would be torn off the wire.
      const isWireQuiet = sender.stop(graceMs)
      try {
        await scanners.stop()
        scanJournal.close()
        retention.stop()
        status.stop()
        network.probe.stop()
        // Called before the network is gone, waited for after: then nothing that is being asked is answered any more.
        const isQuiet = Promise.all([delivery.stop(), verifying.stop()])
        await isWireQuiet
        reporting.stop()
        await network.http.close()
        await isQuiet
        await training?.close()
        await backup.finish(closingBackup)
      } finally {
        // Whatever went wrong with the others: left open, the next one on this data would be refused.
        store.close()
        log.info('closed')
        await log.close()
      }
    },
  }
}

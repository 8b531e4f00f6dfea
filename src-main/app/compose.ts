import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { CheckoutSettings } from '../../src-shared/ipc/contract/checkout'
import { UnsentLimits } from '../../src-shared/ipc/contract/outbox'
import { type ProfileId, practiceId } from '../../src-shared/ipc/contract/station'
import type { AppError } from '../../src-shared/errors'
import { GateLevels } from '../../src-shared/gates'
import { type Result, ok } from '../../src-shared/result'
import { type Clock, systemClock } from '../clock'
import { createCheckoutParts } from './checkout'
import { createFindParts } from './find'
import { createHubParts } from './hub'
import { type CoreContext, openClock, openFiles } from './context'
import { createLookupParts, createNetwork } from './network'
import { createOutboxParts } from './outbox'
import { createReceivingParts } from './receiving'
import { createScannersParts } from './scanners'
import { createStockParts } from './stock'
import { createUpkeep } from './upkeep'
import { type Credentials, inMemoryCredentials } from '../credentials/store'
import { alone } from '../hub/alone'
import { storeMarkOf } from '../hub/store-mark'
import { createHubMemory } from '../hub/memory'
import { MainEvents } from '../events'
import type { Hub, HubSurroundings } from '../hub/port'
import type { SharedSetting } from '../hub/shared-settings'
import { type CoreHandlers, type Events, createEvents } from '../ipc/handlers'
import type { Log } from '../log'
import { createPictures } from '../memory/pictures'
import type { AtStep } from '../steps'
import { type StartTraining, createPracticeHandlers } from '../practice/handlers'
import { type Seal, createSeal, unsealed } from '../privacy/seal'
import type { Profile } from '../profile'
import { type GateRules, createGates, usualGateRules } from '../security/gates'
import type { ScannerLayer } from '../scanner/layer'
import type { ResolveProxy } from '../service/system-proxy'
import { InUse } from '../store/in-use'
import type { Settings } from '../store/settings'
import type { CoreDiagnostics } from '../support/support'

/** What a host provides to the app. */
export interface Surroundings {
  /** Folder for this station's data; created if missing. */
  dataDir: string
  /** Folder with practice data and icons. */
  resourcesDir: string
  version: string
  /** The computer's clock. A given one is never set either, unless `steady` is given too. */
  clock?: Clock
  /** A clock that is never set, in ms. */
  steady?: () => number
  /** The profile of a real service; the practice store if omitted. */
  realProfile?: { id: ProfileId; profile: Profile } | undefined
  /** The station's settings say that this profile was in use, so its folder must be there. */
  wasInUse?: boolean
  /** The stored client id and secret; the practice store's own if omitted. */
  credentials?: Credentials
  /** Asks the operating system, or its proxy script, for a proxy. If omitted, only the environment can name one. */
  resolveProxy?: ResolveProxy
  /** Encrypts customers; if omitted, they are stored unencrypted. */
  seal?: Seal
  /** The hub that this station shares with others; if omitted, it works alone. */
  hub?: HubSurroundings | undefined
  /** Where to announce events; a new list if omitted. */
  events?: Events
  /** Access to HID scanners; this computer's scanners if omitted. */
  scanners?: ScannerLayer
  /** Longest time a scan waits for the service, in ms. Tests wait longer, for a busy machine. */
  lookupPatience?: number | undefined
  /** Starts the practice service; the embedded one if omitted. Tests use one that outlives the station. */
  startPractice?: StartTraining
  /** What a manager set the gates to, for a store whose stations share it; not shared if omitted. */
  gateLevels?: { read: () => GateLevels; use: (levels: GateLevels) => Result<null, AppError> }
  /** What gates want; if omitted, the usual levels without a PIN. */
  gateRules?: GateRules
  /** Called with the text of a scanned join code, which holds secrets: no page and no log gets it. */
  onJoinCode?: (text: string) => void
  /** Called at every step, where the crash suite interrupts. */
  atStep?: AtStep
}

/** The app as its host sees it: handlers, events, and closing. */
export interface App {
  readonly handlers: CoreHandlers
  events: Events
  log: Log
  /** Which file listens to which event of main, in order: ARCHITECTURE.md has the table. */
  listeners(): Record<string, string[]>
  /** URLs of the embedded practice service and its admin API; undefined with a real service. */
  practice: { baseUrl: string; authUrl: string; adminUrl: string } | undefined
  /** For diagnostics. */
  diagnostics: CoreDiagnostics
  /** Which store the station belongs to: two stores must not share a hub. */
  storeMark: string
  /** Number of operations currently being sent. */
  sending(): number
  /** Call when the keychain answers again: sends the operations that waited for it. */
  keychainAnswers(): void
  /** Call when a setting was saved that the stations of a store share. */
  settingsChanged(): void
  /** Call after the computer slept: checks the connection at once and sends waiting operations. */
  wokeUp(): void
  /**
   * Stops sending at once and closes the store. Resolves once everything is on disk. Requests under way have 3 s to be
   * answered, or `graceMs`; Infinity waits as long as it takes.
   */
  close(graceMs?: number): Promise<void>
  /** Closes the store synchronously, for a process about to end. Requests under way are settled at the next start. */
  closeAtOnce(): void
}

/** Only a station with a hub loads the client of one. */
async function openHub(
  { stationId, joined, secret, patience }: HubSurroundings,
  {
    version,
    storeMark,
    clock,
    db,
    settings,
    log,
    secrets,
  }: Pick<CoreContext, 'clock' | 'db' | 'settings' | 'log' | 'secrets'> & {
    version: string
    storeMark: string
  },
): Promise<Hub> {
  const { createPostgresHub } = await import('../hub/postgres/hub')
  const { host, port, database, user, certificate, stationName, policy } = joined
  return createPostgresHub({
    address: async () => {
      const given = await secret()
      if (!given) return null
      secrets.add(given.password)
      secrets.add(given.storeKey)
      return { host, port, database, user, certificate, password: given.password }
    },
    policy,
    stationId,
    stationName,
    version,
    storeMark,
    storeId: joined.storeId,
    memory: createHubMemory(db, settings, { id: stationId, name: stationName, storeId: joined.storeId }),
    clock,
    log,
    patience,
  })
}

/** The gates are a setting of the station: its copy in the store says what the others know. */
function sharedGates(
  { read, use }: NonNullable<Surroundings['gateLevels']>,
  settings: Settings,
): SharedSetting<'security.gates'> {
  return {
    name: 'security.gates',
    read: () => settings.read('security.gates', GateLevels),
    note() {
      const known = settings.read('security.gates', GateLevels) ?? {}
      if (!isDeepStrictEqual(known, read())) settings.write('security.gates', read())
    },
    apply(value) {
      const levels = GateLevels.safeParse(value)
      if (!levels.success || !use(levels.data).ok) return false
      settings.write('security.gates', levels.data)
      return true
    },
  }
}

/** Only practice loads the service: it is a fifth of the program. */
const startTraining: StartTraining = async (parts) => (await import('../practice/training')).startTraining(parts)

/** A clock that was wrong may be set at any time, in ms. */
const betweenLooks = 10_000
/** How long requests under way may take when the app closes, in ms. */
const closingGrace = 3_000
/** How long the last backup may take, in ms. */
const closingBackup = 5_000

/**
 * Builds the app from its areas; each other file in this folder assembles one. The store is opened first, because nothing
 * may start without it. Throws AppStartError.
 */
export async function compose(surroundings: Surroundings): Promise<App> {
  const { dataDir, resourcesDir, version, clock: system = systemClock, atStep = () => undefined } = surroundings
  const { startPractice = startTraining, realProfile, seal = unsealed } = surroundings
  // One folder per profile, so that practice reports can never be sent to a real service.
  const folder = join(dataDir, realProfile?.id ?? practiceId)
  const files = openFiles(folder, system, surroundings.wasInUse)
  const { store, log, settings } = files
  const pages = surroundings.events ?? createEvents()
  const events = new MainEvents({ db: files.db, pages, log })
  const steady = surroundings.steady ?? (surroundings.clock && (() => system.now()))
  const clock = openClock(files, system, steady)
  const pastClock: Clock = { now: () => clock.atLeast() }

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

  // The address of the practice service changes with each start; it is left out, so that practicing stations share one store.
  const storeMark = storeMarkOf({
    baseUrl: profile.kind === 'practice' ? 'practice' : profile.baseUrl,
    dispensaryId: profile.dispensaryId,
  })
  const hub = surroundings.hub ? await openHub(surroundings.hub, { ...files, version, storeMark, clock }) : alone
  const context: CoreContext = { ...files, clock, pastClock, events, profile, seal, hub, atStep }
  const network = createNetwork(context, {
    credentials,
    resolveProxy: surroundings.resolveProxy,
  })
  const lookingUp = createLookupParts(context, network)
  const gates = createGates(surroundings.gateRules ?? usualGateRules)
  const sending = createOutboxParts(context, {
    network,
    seen: lookingUp.seen,
    gates,
  })
  const { outbox, sender, reporting, limits, correctTimes } = sending
  const receiving = createReceivingParts(context, network, lookingUp, sending, gates)
  const { delivery } = receiving
  const storeHub = createHubParts(context, {
    productName: (tagId) => lookingUp.lookup.remembered(tagId)?.productName ?? null,
    isSold: async (tagId) => {
      const found = await lookingUp.lookup.tag(tagId)
      if (found.ok) return found.value.soldOn !== null
      return found.error.code === 'service/not-found' ? false : undefined
    },
    letGo: (tagId) => checkout.letGo(tagId),
    loseHeld: async () => checkout.shared?.loseResumed(),
    storeSeal: async () => {
      const key = (await surroundings.hub?.secret())?.storeKey
      return key === undefined ? null : createSeal([Buffer.from(key, 'base64')])
    },
    says: () => {
      const { unsent, attention, clockOffset } = status.view()
      const { problem, devices } = scanners.view()
      const hasScannerTrouble = problem !== null || devices.some((one) => one.problem !== null)
      const untold = checkout.storeDays?.untold() ?? 0
      const ofReceiving = receiving.store.untold()
      const scansUntold = ofReceiving.scansUntold + stock.store.scansUntold()
      const manifestOf = receiving.store.manifestOf()
      const ofCounter = { unsent, attention, clockOffset, hasScannerTrouble, untold }
      return { ...ofCounter, ...ofReceiving, scansUntold, manifestOf, isOff: false }
    },
    shared: [
      ...(surroundings.gateLevels ? [sharedGates(surroundings.gateLevels, settings)] : []),
      {
        name: 'checkout.settings',
        read: () => settings.read('checkout.settings', CheckoutSettings),
        apply(value) {
          const read = CheckoutSettings.safeParse(value)
          return read.success && checkout.setSettings(read.data).ok
        },
      },
      {
        name: 'outbox.limits',
        read: () => settings.read('outbox.limits', UnsentLimits),
        apply(value) {
          const read = UnsentLimits.safeParse(value)
          if (!read.success) return false
          limits.set(read.data)
          events.emit('limits.changed', null)
          return true
        },
      },
    ],
  })
  const counter = createCheckoutParts(context, network, lookingUp, sending, gates, {
    sharing: storeHub.sharing,
    catalogue: receiving.catalogue,
    patience: surroundings.lookupPatience,
  })
  const { checkout, reports, verifying, posDays } = counter
  const finding = createFindParts(context, network, lookingUp, sending, gates, checkout.verdicts)
  const stock = createStockParts(context, network, lookingUp, gates)
  const scanning = createScannersParts(context, lookingUp, surroundings.scanners, surroundings.onJoinCode)
  const { scanJournal, scanners } = scanning
  const upkeep = createUpkeep(context, { network, outbox, sender, limits, version })
  const { backup, retention, status } = upkeep
  // Practice may be thrown away.
  const inUse =
    realProfile && new InUse({ db: files.db, events, folder, counts: () => outbox.read.counts(), clock, log })
  const pictures = createPictures(network.http, clock, profile.kind === 'practice')

  const watchingClock = setInterval(correctTimes, betweenLooks).unref()
  sender.wake()
  // What the carts say is from before the start.
  void checkout.askAboutAll('sale')
  void checkout.askAboutAll('return')
  network.probe.start()
  scanJournal.start()
  scanners.start()
  backup.start()
  inUse?.changed()
  retention.start()
  verifying.start()
  posDays.start()
  storeHub.start()
  checkout.shared?.start()
  stock.ledger.wake()
  stock.refresh.resume()
  log.info('started', { version, profile: profile.kind })

  /** Ends all pauses: the reason why requests could not be sent is gone. */
  const tryNow = () => {
    network.askNow()
    try {
      sender.recovered()
    } catch (cause) {
      // If the disk refuses, each operation is sent at its scheduled time.
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
      ...stock.handlers,
      ...storeHub.handlers,
      ...createPracticeHandlers(training, settings),
      'media.picture': async ({ url }) => ok({ dataUrl: await pictures.get(url) }),
    },
    events: pages,
    listeners: () => events.table(),
    log,
    diagnostics: {
      files: { databaseFile: files.databaseFile, logFile: files.logFile },
      status: () => status.view(),
      counts: () => outbox.read.counts(),
    },
    storeMark,
    practice: training && { baseUrl: profile.baseUrl, authUrl: training.authUrl, adminUrl: training.adminUrl },
    sending: () => outbox.read.inState('sending').length,
    keychainAnswers: tryNow,
    settingsChanged() {
      events.emit('gates.changed', null)
    },
    wokeUp() {
      network.probe.askNow()
      storeHub.wokeUp()
      tryNow()
    },
    closeAtOnce() {
      clearInterval(watchingClock)
      void sender.stop(0)
      void hub.close()
      void posDays.stop()
      reports.stop()
      retention.stop()
      inUse?.stop()
      store.close()
      log.info('closed at once')
    },
    async close(graceMs = closingGrace) {
      clearInterval(watchingClock)
      // First, because an operation claimed while the other parts stop would be cut off.
      const isWireQuiet = sender.stop(graceMs)
      try {
        await scanners.stop()
        scanJournal.close()
        retention.stop()
        status.stop()
        reports.stop()
        network.probe.stop()
        // Stopped before the network closes but awaited afterwards, when pending requests have ended.
        const isQuiet = Promise.all([
          delivery.stop(),
          receiving.manifests.stop(),
          verifying.stop(),
          posDays.stop(),
          stock.stop(),
        ])
        await isWireQuiet
        reporting.stop()
        await network.http.close()
        network.outages.stop()
        await checkout.shared?.stop()
        await checkout.storeDays?.stop()
        await receiving.store.stop()
        await storeHub.stop()
        await isQuiet
        await training?.close()
        await backup.finish(closingBackup)
      } finally {
        inUse?.stop()
        // Closed even if another part failed: an open store would block the next start on this data.
        store.close()
        log.info('closed')
        await log.close()
      }
    },
  }
}

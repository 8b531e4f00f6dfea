import { join } from 'node:path'
import type { CallRequest } from '../../src-shared/ipc/contract'
import { practiceId } from '../../src-shared/ipc/contract/station'
import { ok } from '../../src-shared/result'
import { type Clock, systemClock } from '../core/clock'
import { type CoreContext, openClock, openFiles } from './context'
import { type Parts, joinParts } from './join-parts'
import { openHub } from './open-hub'
import type { Surroundings } from './surroundings'
import { inMemoryCredentials } from '../credentials/store'
import { MainEvents } from '../core/events'
import { alone } from '../hub/alone'
import { storeHashOf } from '../hub/store-identity'
import type { Hands } from '../ipc/dispatch'
import { type CoreHandlers, type Events, createEvents } from '../ipc/handlers'
import type { Log } from '../core/log'
import { type StartTraining, createPracticeHandlers } from '../practice/handlers'
import { unsealed } from '../privacy/seal'
import type { Profile } from '../credentials/profile'
import type { Managers } from '../security/lock'
import type { CoreDiagnostics } from '../support/support'

export type { Surroundings } from './surroundings'

/** The app as its host sees it: handlers, events, and closing. */
export interface App {
  readonly handlers: CoreHandlers
  events: Events
  log: Log
  /** The people in whose names calls are made. */
  hands: Hands
  /** Whether there are managers who can sign in, and whether one is signed in. */
  managers(): Managers
  /** Which file listens to which event of main, in order: ARCHITECTURE.md has the table. */
  listeners(): Record<string, string[]>
  /** URLs of the embedded practice service and its admin API; undefined with a real service. */
  practice: { baseUrl: string; authUrl: string; adminUrl: string } | undefined
  /** For diagnostics. */
  diagnostics: CoreDiagnostics
  /** Which store the station belongs to: two stores must not share a hub. */
  storeHash: string
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
  const opened = await open(surroundings)
  const { context, training, credentials, storeHash: storeHash, pages } = opened
  const { events, profile, settings, log } = context
  const parts = joinParts(context, credentials, surroundings)
  const { sending, storeHub, network } = parts
  const stopWatching = start(parts)
  log.info('started', { version: surroundings.version, profile: profile.kind })

  /** Ends all pauses: the reason why requests could not be sent is gone. */
  const tryNow = () => {
    network.askNow()
    try {
      sending.sender.recovered()
    } catch (cause) {
      // If the disk refuses, each operation is sent at its scheduled time.
      log.warn('what waited could not be made due', { cause })
    }
  }
  return {
    handlers: { ...handlersOf(parts), ...createPracticeHandlers(training, settings) },
    events: pages,
    hands: parts.people.hands,
    managers: parts.people.managers,
    listeners: () => events.table(),
    log,
    diagnostics: {
      files: { databaseFile: context.databaseFile, logFile: context.logFile },
      status: () => parts.upkeep.status.view(),
      counts: () => sending.outbox.read.counts(),
    },
    storeHash,
    practice: training && { baseUrl: profile.baseUrl, authUrl: training.authUrl, adminUrl: training.adminUrl },
    sending: () => sending.outbox.read.inState('sending').length,
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
      stopWatching()
      closeAtOnce(context, parts)
    },
    async close(graceMs = closingGrace) {
      stopWatching()
      await close(opened, parts, graceMs)
    },
  }
}

type Opened = Awaited<ReturnType<typeof open>>

/** Opens the data of the profile, the practice service if it is practice, and the hub. Throws AppStartError. */
async function open(surroundings: Surroundings) {
  const { dataDir, resourcesDir, version, clock: system = systemClock, atStep = () => undefined } = surroundings
  const { startPractice = startTraining, realProfile, seal = unsealed } = surroundings
  // One folder per profile, so that practice reports can never be sent to a real service.
  const folder = join(dataDir, realProfile?.id ?? practiceId)
  const files = openFiles(folder, system, surroundings.wasInUse)
  const { store, log, settings } = files
  const pages = surroundings.events ?? createEvents()
  const events = new MainEvents(files.db, pages, log)
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
  const storeHash = markOf(profile)
  const hub = surroundings.hub ? await openHub(surroundings.hub, { ...files, clock }, version, storeHash) : alone
  const context: CoreContext = { ...files, folder, clock, pastClock, events, profile, seal, hub, atStep }
  return { context, training, credentials, storeHash: storeHash, pages }
}

/** The address of the practice service changes with each start; it is left out, so that practicing stations share one store. */
const markOf = ({ kind, baseUrl, dispensaryId }: Profile) =>
  storeHashOf({ baseUrl: kind === 'practice' ? 'practice' : baseUrl, dispensaryId })

/** Starts the parts. Returns how to stop watching the clock. */
function start({ sending, network, storeHub, counter, stock, scanning, upkeep, inUse }: Parts) {
  const { checkout, verifying, posDays } = counter
  const watchingClock = setInterval(sending.correctTimes, betweenLooks).unref()
  sending.sender.wake()
  // What the carts say is from before the start.
  void checkout.news.askAboutAll('sale')
  void checkout.news.askAboutAll('return')
  network.probe.start()
  scanning.scanJournal.start()
  scanning.scanners.start()
  upkeep.backup.start()
  inUse?.changed()
  upkeep.retention.start()
  verifying.start()
  posDays.start()
  storeHub.start()
  checkout.shared?.start()
  stock.ledger.wake()
  stock.refresh.resume()
  return () => {
    clearInterval(watchingClock)
  }
}

/** Each area brings its own. */
const handlersOf = (parts: Parts) => ({
  ...parts.upkeep.handlers,
  ...parts.scanning.handlers,
  ...parts.receiving.handlers,
  ...parts.counter.handlers,
  ...parts.sending.handlers,
  ...parts.finding.handlers,
  ...parts.stock.handlers,
  ...parts.storeHub.handlers,
  ...parts.people.handlers,
  'media.picture': async ({ url }: CallRequest<'media.picture'>) => ok({ dataUrl: await parts.pictures.get(url) }),
})

function closeAtOnce({ hub, store, log }: CoreContext, { sending, counter, people, upkeep, inUse }: Parts): void {
  void sending.sender.stop(0)
  void hub.close()
  void counter.posDays.stop()
  counter.reports.stop()
  people.signIn.stop()
  upkeep.retention.stop()
  inUse?.stop()
  store.close()
  log.info('closed at once')
}

async function close({ context, training }: Opened, parts: Parts, graceMs: number): Promise<void> {
  const { store, log } = context
  const { network, sending, receiving, storeHub, counter, people, stock, scanning, upkeep, inUse } = parts
  const { checkout, verifying, posDays, reports } = counter
  // First, because an operation claimed while the other parts stop would be cut off.
  const isWireQuiet = sending.sender.stop(graceMs)
  try {
    await scanning.scanners.stop()
    scanning.scanJournal.close()
    people.signIn.stop()
    upkeep.retention.stop()
    upkeep.status.stop()
    reports.stop()
    network.probe.stop()
    // Stopped before the network closes but awaited afterwards, when pending requests have ended.
    const isQuiet = Promise.all([
      receiving.delivery.stop(),
      receiving.manifests.stop(),
      verifying.stop(),
      posDays.stop(),
      stock.stop(),
    ])
    await isWireQuiet
    sending.reporting.stop()
    await network.http.close()
    network.outages.stop()
    await checkout.shared?.stop()
    await checkout.storeDays?.stop()
    await receiving.store.stop()
    await storeHub.stop()
    await isQuiet
    await training?.close()
    await upkeep.backup.finish(closingBackup)
  } finally {
    inUse?.stop()
    // Closed even if another part failed: an open store would block the next start on this data.
    store.close()
    log.info('closed')
    await log.close()
  }
}

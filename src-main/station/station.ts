import type { AppError } from '../../src-shared/errors'
import type { GateLevels } from '../../src-shared/gates'
import type { CallName } from '../../src-shared/ipc/contract'
import type { ProfileId } from '../../src-shared/ipc/contract/station'
import { type App, type Surroundings, compose } from '../app/compose'
import { type Clock, systemClock } from '../core/clock'
import type { Keychain } from '../credentials/keychain'
import { CredentialStore } from '../credentials/store'
import { type Events, type Handlers, type StationHandlers, createEvents } from '../ipc/handlers'
import type { Policy } from '../policy/policy'
import type { StationSeal } from '../privacy/station-seal'
import { securityHandlers } from '../security/handlers'
import { Lock } from '../security/lock'
import { type Support, createSupport, supportHandlers } from '../support/support'
import { CoreInUse } from './core-in-use'
import { type Computer, Hosting, hostingHandlers } from './hosting'
import { createHubSecrets } from './hub-secrets'
import { Joining } from './joining'
import { ProfileSettings, profileHandlers } from './profile-settings'
import { type Profiles, profileOf, waitingIn } from './profiles'
import { type StationFiles, databaseOf, openProfiles, openStationFiles } from './station-files'
import { openStationSecrets } from './station-secrets'
import { type TillHost, Till, UpdateOffer, stationHandlers } from './till'

/** What a host provides to a station: the core's surroundings and the computer's keychain. */
export interface StationSurroundings extends Omit<
  Surroundings,
  'realProfile' | 'wasInUse' | 'credentials' | 'events' | 'hub' | 'onJoinCode'
> {
  keychain: Keychain
  /** IT's policy for this computer. */
  policy?: Policy | undefined
  /** The profile to open this time instead of the last one used. Not saved. */
  startWith?: ProfileId | undefined
  /** Features of the host's computer; none if omitted. */
  till?: TillHost
  /** File with the third-party licenses, written by the build. */
  licencesFile?: string
  /** Called if neither the new profile nor the previous one can be opened, so that the station can't continue. */
  onDeath?: (cause: unknown) => void
  /** How long the start waits for the keychain, in ms: its prompt may stay unanswered. */
  keychainPatience?: number
  /** What a store hub on this computer needs; this computer's if omitted. */
  computer?: Computer
}

/** Long enough for a slow keychain, in ms. */
const usualPatience = 3_000

/** The station as its host sees it. `handlers`, `log` and `practice` belong to the profile in use: read them each time. */
export interface Station extends Omit<
  App,
  'handlers' | 'listeners' | 'keychainAnswers' | 'settingsChanged' | 'storeHash'
> {
  readonly handlers: Handlers
  /** Lets a host that downloads updates ask for a restart. */
  readonly update: UpdateOffer
  /**
   * Waits while a core is being opened or closed; returns why the call is refused, if it is: security/locked, or
   * app/reopened if the call was made to a profile that is no longer in use.
   */
  admit(call: CallName): Promise<AppError | undefined>
}

/** What the parts of a station are made of. */
interface StationContext {
  surroundings: StationSurroundings
  files: StationFiles
  profiles: Profiles
  core: CoreInUse
  credentials: CredentialStore
  seal: StationSeal
  lock: Lock
  joining: Joining
  events: Events
  clock: Clock
}

/**
 * Opens a station with the core of the profile in use; reopens the core when the profile changes. Each profile has its
 * own folder. Throws AppStartError.
 */
export async function openStation(surroundings: StationSurroundings): Promise<Station> {
  const { dataDir, startWith, policy, clock = systemClock, keychainPatience = usualPatience } = surroundings
  const { onDeath = () => undefined } = surroundings
  const files = openStationFiles(dataDir, surroundings.keychain, clock)
  const { file, keychain, entries, clients } = files
  const profiles = openProfiles({ files, dataDir, policy, startWith, core: () => core.ifOpen })
  const credentials = new CredentialStore({ keychain, clock, entries, clients })
  const secrets = createHubSecrets({ keychain, entries, clock })
  const events = createEvents()
  let lastUsed = files.lastUsed
  const open = (id: ProfileId) => openCore(context, id, lastUsed === id)
  const core = new CoreInUse({ profiles, events, onDeath, open })
  const { seal, pin } = await openStationSecrets({
    ...{ files, dataDir, keychain: surroundings.keychain, patience: keychainPatience, clock, core },
    onLatePin: () => events.emit('security.changed', lock.view()),
  })
  const lock = new Lock({
    ...{ file, kept: pin, policy: policy?.lock, clock },
    announce: (view) => events.emit('security.changed', view),
    announceGates(view) {
      events.emit('security.gates', view)
      core.ifOpen?.settingsChanged()
    },
  })
  const joining = new Joining({
    ...{ file, secrets, stationId: files.stationId, clock },
    active: () => profiles.active(),
    storeHash: () => core.app.storeHash,
    storeName: () => core.app.diagnostics.status().profile.name,
    unsent: () =>
      core.ifOpen
        ? core.ifOpen.diagnostics.status().unsent
        : waitingIn(databaseOf(dataDir, profiles.active()), 'unsent'),
    reopen: (before, change) => core.reopen(before, change),
  })
  const context: StationContext = {
    ...{ surroundings, files, profiles, core, credentials, seal, lock, joining, events, clock },
  }
  const hosting = openHosting(context)
  hosting.begin()
  await core.open().catch(async (cause: unknown) => {
    await hosting.close()
    throw cause
  })
  // Only at the start: a connection that is chosen later may be new.
  lastUsed = null
  const settings = new ProfileSettings({
    ...{ file, profiles, clients, resolveProxy: surroundings.resolveProxy, policy, clock },
    credentials,
    async askKeychainAgain() {
      await credentials.askAgain()
      await seal.askAgain()
      await secrets.askAgain()
    },
    announce: (id, step) => events.emit('profile.step', { id, step }),
    reopen: (before, change) => core.reopen(before, change),
  })
  const update = new UpdateOffer((view) => events.emit('update.changed', view))
  return stationOf(
    { core, lock, hosting, events, update },
    {
      ...stationHandlers(file, events),
      ...profileHandlers({ settings, joining, hosting, resourcesDir: surroundings.resourcesDir, log: core.log }),
      ...joining.handlers(),
      ...hostingHandlers(hosting),
      ...securityHandlers(lock),
      ...supportHandlers(openSupport(context)),
      ...new Till(file, surroundings.till).handlers(),
      ...update.handlers(),
    },
  )
}

/** `wasInUse`: this profile was the one in use at the last start. */
function openCore(context: StationContext, id: ProfileId, wasInUse: boolean): Promise<App> {
  const { surroundings, profiles, credentials, events, seal, lock, joining } = context
  const shared = {
    ...{ ...surroundings, events, seal, gateRules: lock.gateRules },
    gateLevels: { read: () => lock.gateLevels(), use: (levels: GateLevels) => lock.useGateLevels(levels) },
    hub: joining.surroundings(id),
    onJoinCode: (text: string) => {
      joining.scannedText(text)
    },
  }
  const form = profiles.byId(id)
  if (!form) return compose(shared)
  const realProfile = { id, profile: profileOf(form) }
  return compose({ ...shared, realProfile, wasInUse, credentials: credentials.of(id) })
}

function openHosting({ surroundings, files, profiles, core, joining, events, clock }: StationContext): Hosting {
  return new Hosting({
    ...{ file: files.file, keychain: files.keychain, entries: files.entries, joining, clock },
    dataDir: surroundings.dataDir,
    active: () => profiles.active(),
    log: {
      info: (...entry) => {
        core.ifOpen?.log.info(...entry)
      },
      warn: (...entry) => {
        core.ifOpen?.log.warn(...entry)
      },
    },
    announce: (view) => events.emit('hosting.changed', view),
    onRunning() {
      void core.ifOpen?.handlers['hub.retry'](undefined)
    },
    computer: surroundings.computer,
  })
}

function openSupport({ surroundings, files, profiles, core, seal, lock, clock }: StationContext): Support {
  const { version, dataDir, licencesFile } = surroundings
  return createSupport({
    ...{ version, dataDir, licencesFile, clock },
    core: () => core.app.diagnostics,
    settings: () => {
      const { hasPin, autoLockMinutes } = lock.view()
      const { hubs, keeps } = files.file.read()
      // Other fields of the file may be private.
      return {
        ...{ active: profiles.active(), profiles: profiles.all(), hasPin, autoLockMinutes },
        ...{ customersKey: seal.place(), hubs, keeps },
      }
    },
  })
}

interface OpenedParts {
  core: CoreInUse
  lock: Lock
  hosting: Hosting
  events: Events
  update: UpdateOffer
}

function stationOf({ core, lock, hosting, events, update }: OpenedParts, own: StationHandlers): Station {
  return {
    get handlers() {
      return { ...core.app.handlers, ...own }
    },
    events,
    log: core.log,
    get practice() {
      return core.app.practice
    },
    get diagnostics() {
      return core.app.diagnostics
    },
    update,
    sending: () => core.app.sending(),
    wokeUp() {
      core.ifOpen?.wokeUp()
    },
    async admit(call) {
      const reopened = await core.settled()
      // A call made from the practice page must not run in the real store.
      if (reopened && !Object.hasOwn(own, call)) return reopened
      return lock.objection(call)
    },
    closeAtOnce() {
      lock.close()
      core.closeAtOnce()
      hosting.closeAtOnce()
    },
    async close(graceMs) {
      hosting.prepareToClose()
      await core.opening()
      lock.close()
      try {
        await core.ifOpen?.close(graceMs)
      } finally {
        // After the core, which tells the hub that it goes.
        await hosting.close()
      }
    },
  }
}

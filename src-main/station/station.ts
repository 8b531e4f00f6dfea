import type { AppError } from '../../src-shared/errors'
import type { Gate, GateLevel, GateLevels } from '../../src-shared/gates'
import type { CallName } from '../../src-shared/ipc/contract'
import type { ProfileId } from '../../src-shared/ipc/contract/station'
import { type App, compose } from '../app/compose'
import { systemClock } from '../core/clock'
import { CredentialStore } from '../credentials/store'
import type { Hands } from '../ipc/dispatch'
import { type Handlers, type StationHandlers, createEvents } from '../ipc/handlers'
import type { Policy } from '../policy/policy'
import { securityHandlers } from '../security/handlers'
import { Lock, type Managers, noManagers } from '../security/lock'
import { type Support, createSupport, supportHandlers } from '../support/support'
import { CoreInUse } from './core-in-use'
import { Hosting, hostingHandlers } from './hosting'
import { createHubSecrets } from './hub-secrets'
import { Joining } from './joining'
import { profileHandlers } from './profile-settings'
import { profileOf } from './profiles'
import type { StationContext, StationSurroundings } from './station-context'
import { openProfiles, openStationFiles } from './station-files'
import { openStationSecrets } from './station-secrets'
import { Till, UpdateOffer, stationHandlers } from './till'

/** The station as its host sees it. `handlers`, `log` and `practice` belong to the profile in use: read them each time. */
export interface Station extends Omit<
  App,
  'handlers' | 'hands' | 'managers' | 'listeners' | 'keychainAnswers' | 'settingsChanged' | 'storeHash'
> {
  readonly hands: Hands | undefined
  readonly handlers: Handlers
  /** Lets a host that downloads updates ask for a restart. */
  readonly update: UpdateOffer
  /**
   * Waits while a core is being opened or closed; returns why the call is refused, if it is: security/locked, or
   * app/reopened if the call was made to a profile that is no longer in use.
   */
  admit(call: CallName): Promise<AppError | undefined>
}

/**
 * Opens a station with the core of the profile in use; reopens the core when the profile changes. Each profile has its
 * own folder. Throws AppStartError.
 */
export async function openStation(surroundings: StationSurroundings): Promise<Station> {
  const { dataDir, startWith, policy, clock = systemClock, onDeath = () => undefined } = surroundings
  const files = openStationFiles(dataDir, surroundings.keychain, clock)
  const profiles = openProfiles(files, dataDir, policy, startWith, () => core.ifOpen)
  const credentials = new CredentialStore(files.keychain, files.entries, files.clients, clock)
  const hubSecrets = createHubSecrets({ ...files, clock })
  const events = createEvents()
  let { lastUsed } = files
  const open = (id: ProfileId): Promise<App> => openCore(context, lock, joining, id, lastUsed === id)
  const core = new CoreInUse(profiles, events, open, onDeath)
  const parts = { surroundings, files, profiles, core, credentials, hubSecrets, events, clock }
  const { seal, pin } = await openStationSecrets(parts, () => events.emit('security.changed', lock.view()))
  const lock = new Lock({
    ...{ file: files.file, kept: pin, policy: policy?.lock, clock },
    announce: (view) => events.emit('security.changed', view),
    announceGates(view) {
      events.emit('security.gates', view)
      core.ifOpen?.settingsChanged()
    },
    managers: () => managersOf(policy, core.ifOpen),
  })
  const context: StationContext = { ...parts, seal }
  const joining = new Joining(context)
  const hosting = new Hosting(context, joining)
  hosting.begin()
  await core.open().catch(async (cause: unknown) => {
    await hosting.close()
    throw cause
  })
  // Only at the start: a connection that is chosen later may be new.
  lastUsed = null
  const update = new UpdateOffer((view) => events.emit('update.changed', view))
  return stationOf(context, lock, hosting, update, {
    ...stationHandlers(files.file, events),
    ...profileHandlers(context, joining, hosting),
    ...joining.handlers(),
    ...hostingHandlers(hosting),
    ...securityHandlers(lock),
    ...supportHandlers(openSupport(context, lock)),
    ...new Till(files.file, surroundings.till).handlers(),
    ...update.handlers(),
  })
}

/** IT opens a store that lost its last manager. */
const managersOf = (policy: Policy | undefined, app: App | undefined): Managers =>
  policy?.people?.isOpen === true ? { ...noManagers, isIn: true } : (app?.managers() ?? noManagers)

/** `wasInUse`: this profile was the one in use at the last start. */
function openCore(
  { surroundings, profiles, credentials, events, seal }: StationContext,
  lock: Lock,
  joining: Joining,
  id: ProfileId,
  wasInUse: boolean,
): Promise<App> {
  const shared = {
    ...{ ...surroundings, events, seal, gateRules: lock.gateRules, policyPeople: surroundings.policy?.people },
    gateLevels: {
      read: () => lock.gateLevels(),
      use: (levels: GateLevels) => lock.useGateLevels(levels),
      setAll: (levels: Record<Gate, GateLevel>) => lock.setGates(levels),
    },
    hub: joining.surroundings(id),
    onPeople: () => {
      lock.peopleChanged()
    },
    onJoinCode: (text: string) => {
      joining.scannedText(text)
    },
  }
  const form = profiles.byId(id)
  if (!form) return compose(shared)
  const realProfile = { id, profile: profileOf(form) }
  return compose({ ...shared, realProfile, wasInUse, credentials: credentials.of(id) })
}

function openSupport({ surroundings, files, profiles, core, seal, clock }: StationContext, lock: Lock): Support {
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

function stationOf(
  { core, events }: StationContext,
  lock: Lock,
  hosting: Hosting,
  update: UpdateOffer,
  own: StationHandlers,
): Station {
  return {
    get handlers() {
      return { ...core.app.handlers, ...own }
    },
    get hands() {
      return core.ifOpen?.hands
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

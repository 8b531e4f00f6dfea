import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { AppError } from '../../src-shared/errors'
import type { ProfileId } from '../../src-shared/ipc/contract/station'
import type { GateLevels } from '../../src-shared/gates'
import type { CallName } from '../../src-shared/ipc/contract'
import { type Result, err, ok } from '../../src-shared/result'
import { systemClock } from '../core/clock'
import { type App, type Surroundings, compose } from '../app/compose'
import type { Keychain } from '../credentials/keychain'
import { createCredentialStore } from '../credentials/store'
import { entryList, keychainOf, knownClients, stationIdOf } from './station-keychain'
import { type Handlers, type StationHandlers, createEvents } from '../ipc/handlers'
import type { Log } from '../core/log'
import { isOutOfFiles } from '../core/open-files'
import { keepManagedProfile } from '../policy/managed-profile'
import type { Policy } from '../policy/policy'
import { openStationSeal } from '../privacy/station-seal'
import { type KeptPin, openKeptPin } from '../security/pin'
import type { GateRules } from '../security/gates'
import { createLock } from '../security/lock'
import { inUseFile } from '../database/in-use'
import { saved } from '../database/saved'
import { asStartError } from '../database/start-error'
import { createSupport } from '../support/support'
import { createProfileSettings } from './profile-settings'
import { finishMove } from './data-folder'
import { createHubSecrets } from './hub-secrets'
import { Joining } from './joining'
import { type Computer, createHosting } from './hosting'
import { type ProfileData, profileOf, createProfiles, waitingIn } from './profiles'
import { readPresets } from './presets'
import { openStationFile } from './station-file'
import { type TillHost, type UpdateOffer, createFirstStart, createTill, createUpdateOffer } from './till'

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

/**
 * Opens a station with the core of the profile in use; reopens the core when the profile changes. Each profile has its
 * own folder. Throws AppStartError.
 */
export async function openStation(surroundings: StationSurroundings): Promise<Station> {
  const { dataDir, startWith, clock = systemClock, keychainPatience = usualPatience } = surroundings
  const { onDeath = () => undefined, policy } = surroundings
  finishMove(dataDir)
  const settingsFile = join(dataDir, 'station.json')
  const file = openStationFile(settingsFile, clock)
  // It was opened here, unless an operator wrote the settings for the first start.
  const { stationId: knownId, active: lastActive } = file.read()
  let wasInUse = knownId === undefined ? null : lastActive
  const stationId = stationIdOf(file, settingsFile)
  const keychain = keychainOf(surroundings.keychain, stationId)
  const folders: ProfileData = {
    isThere: (id) => existsSync(join(dataDir, id)) || existsSync(inUseFile(join(dataDir, id))),
    waiting(id) {
      if (!isOpen || id !== profiles.active()) return waitingIn(join(dataDir, id, 'countertag.db'))
      const { unsent, attention } = core.diagnostics.status()
      return unsent + attention
    },
  }
  const profiles = createProfiles(file, folders, policy?.allowPractice === false ? undefined : startWith)
  try {
    keepManagedProfile({ file, policy, newId: (name) => profiles.newId(name) })
  } catch (cause) {
    throw asStartError(settingsFile, cause)
  }
  const entries = entryList(file)
  const clients = knownClients(file)
  const credentials = createCredentialStore({ keychain, clock, entries, clients })
  const hubSecrets = createHubSecrets({ keychain, entries, clock })
  const events = createEvents()
  // One time limit for all keychain requests of the start.
  const patience = new AbortController()
  const timer = setTimeout(() => {
    patience.abort()
  }, keychainPatience)
  let isOpen = false
  let pin: KeptPin | null = null
  const seal = await openStationSeal({
    keychain,
    file: join(dataDir, 'data.key'),
    entries,
    clock,
    patience: patience.signal,
    onAnswer() {
      void pin?.askAgain()
      // During the start, what is still being opened will use the answer.
      if (!isOpen) return
      log.info('the keychain answers again')
      core.keychainAnswers()
    },
  })
  const kept = await openKeptPin({
    // Identified by the folder, not by the id in the station's file, because the file may have been removed on purpose.
    keychain: surroundings.keychain,
    dataDir,
    isUsable: seal.place() === 'keychain',
    ofFile: file.read().security.pin,
    patience: patience.signal,
    onLate() {
      if (isOpen) events.emit('security.changed', lock.view())
    },
  })
  pin = kept
  clearTimeout(timer)

  const openCore = (id: ProfileId): Promise<App> => {
    const form = profiles.byId(id)
    // The lock is made after the first core.
    const gateRules: GateRules = {
      levelOf: (gate) => lock.gateRules.levelOf(gate),
      needsPin: () => lock.gateRules.needsPin(),
      checkPin: (pin) => lock.gateRules.checkPin(pin),
    }
    const gateLevels = { read: () => lock.gateLevels(), use: (levels: GateLevels) => lock.useGateLevels(levels) }
    const shared = {
      ...{ ...surroundings, events, seal, gateRules, gateLevels },
      hub: joining.surroundings(id),
      onJoinCode: (text: string) => {
        joining.scannedText(text)
      },
    }
    if (!form) return compose(shared)
    const realProfile = { id, profile: profileOf(form) }
    return compose({ ...shared, realProfile, wasInUse: wasInUse === id, credentials: credentials.of(id) })
  }
  const joining = new Joining({
    file,
    secrets: hubSecrets,
    stationId,
    active: () => profiles.active(),
    storeHash: () => core.storeHash,
    storeName: () => core.diagnostics.status().profile.name,
    unsent: () =>
      isOpen
        ? core.diagnostics.status().unsent
        : waitingIn(join(dataDir, profiles.active(), 'countertag.db'), 'unsent'),
    clock,
    reopen: (before, change) => inTurn(before, change),
  })

  const hosting = createHosting({
    file,
    dataDir,
    keychain,
    entries,
    joining,
    active: () => profiles.active(),
    clock,
    log: {
      info: (...entry) => {
        if (isOpen) log.info(...entry)
      },
      warn: (...entry) => {
        if (isOpen) log.warn(...entry)
      },
    },
    announce: (view) => events.emit('hosting.changed', view),
    onRunning() {
      if (isOpen) void core.handlers['hub.retry'](undefined)
    },
    computer: surroundings.computer,
  })
  hosting.begin()

  /** The profile of the open core; during a change, still the previous one. */
  let opened = profiles.active()
  let core = await openCore(opened).catch(async (cause: unknown) => {
    await hosting.close()
    throw cause
  })
  isOpen = true
  // Only at the start: a connection that is chosen later may be new.
  wasInUse = null
  let opening: Promise<unknown> = Promise.resolve()
  // A log is closed with its core, so entries always go to the current core's log.
  const log: Log = {
    info: (...entry) => {
      core.log.info(...entry)
    },
    warn: (...entry) => {
      core.log.warn(...entry)
    },
    error: (...entry) => {
      core.log.error(...entry)
    },
  }

  const openAs = async (id: ProfileId) => {
    core = await openCore(id)
    opened = id
    isOpen = true
  }
  /** Closes the open core and opens the profile now in use. If it can't be opened, the previous profile stays in use. */
  const reopen = async (
    before: ProfileId,
    change?: () => Result<unknown, AppError>,
  ): Promise<Result<null, AppError>> => {
    // After a failed opening there is nothing to close. A failed close must not prevent opening the next profile.
    if (isOpen) {
      await core.close().catch((cause: unknown) => {
        log.error('a profile could not be closed well', { cause })
      })
    }
    isOpen = false
    try {
      const changed = change?.()
      await openAs(profiles.active())
      return changed?.ok === false ? changed : ok(null)
    } catch (cause) {
      const wanted = profiles.active()
      // If the disk refuses this too, only the running process goes back to the previous profile.
      const kept = profiles.use(before)
      await openAs(before).catch((worse: unknown) => {
        onDeath(worse)
        throw worse
      })
      log.error('a profile could not be opened', { wanted, isKept: kept.ok, cause })
      return err({ code: isOutOfFiles(cause) ? 'store/out-of-files' : 'profile/not-opened' })
    } finally {
      // With the same profile, the page's data is still valid.
      events.emit('app.reopened', { isOther: profiles.active() !== before })
    }
  }
  const inTurn = (before: ProfileId, change?: () => Result<unknown, AppError>) => {
    const next = opening.then(() => reopen(before, change))
    opening = next.catch(() => undefined)
    return next
  }

  const lock = createLock({
    file,
    kept,
    policy: policy?.lock,
    clock,
    announce: (view) => events.emit('security.changed', view),
    announceGates(view) {
      events.emit('security.gates', view)
      if (isOpen) core.settingsChanged()
    },
  })
  const profileSettings = createProfileSettings({
    file,
    profiles,
    credentials: {
      ...credentials,
      async askAgain() {
        await credentials.askAgain()
        await seal.askAgain()
        await hubSecrets.askAgain()
      },
    },
    clients,
    resolveProxy: surroundings.resolveProxy,
    policy,
    clock,
    announce: (id, step) => events.emit('profile.step', { id, step }),
    reopen: inTurn,
  })
  const support = createSupport({
    version: surroundings.version,
    dataDir,
    licencesFile: surroundings.licencesFile,
    clock,
    core: () => core.diagnostics,
    settings: () => {
      const { hasPin, autoLockMinutes } = lock.view()
      // Other fields of the file may be private.
      return {
        active: profiles.active(),
        profiles: profiles.all(),
        hasPin,
        autoLockMinutes,
        customersKey: seal.place(),
        hubs: file.read().hubs,
        keeps: file.read().keeps,
      }
    },
  })
  const till = createTill(file, surroundings.till)
  const update = createUpdateOffer((view) => events.emit('update.changed', view))
  const firstStart = createFirstStart(file)
  const own: StationHandlers = {
    'station.welcome': () => ok(firstStart.view()),
    'station.welcomed': () => firstStart.answered(),
    'station.theme': () => ok({ theme: file.read().theme }),
    'station.setTheme': ({ theme }) =>
      saved(() => {
        file.change((settings) => ({ ...settings, theme }))
        events.emit('station.theme', { theme })
        return ok(null)
      }),

    'profile.settings': async () => ok(await profileSettings.settings()),
    'profile.presets': () => ok(readPresets(surroundings.resourcesDir, log)),
    'profile.save': ({ id, profile }) => profileSettings.save(id, profile),
    'profile.remove': async ({ id }) => {
      const removed = await profileSettings.remove(id)
      if (removed.ok) {
        await joining.drop(id)
        await hosting.drop(id)
      }
      return removed
    },
    'profile.setCredentials': ({ id, product, credentials, isSameStore }) =>
      profileSettings.setCredentials(id, product, credentials, isSameStore),
    'profile.forgetCredentials': ({ id, product }) => profileSettings.forgetCredentials(id, product),
    'profile.test': ({ id }) => profileSettings.test(id),
    'profile.use': ({ id }) => profileSettings.use(id),

    ...joining.handlers(),

    'hosting.view': () => ok(hosting.view()),
    'hosting.options': (wanted) => hosting.options(wanted),
    'hosting.start': (wanted) => hosting.start(wanted),
    'hosting.retry': () => hosting.retry(),
    'hosting.others': () => hosting.others(),
    'hosting.renew': (wanted) => hosting.renew(wanted),
    'hosting.stop': () => hosting.stop(),

    'security.view': () => ok(lock.view()),
    'security.unlock': ({ pin }) => lock.unlock(pin),
    'security.lock': () => ok(lock.lock()),
    'security.setPin': ({ pin }) => lock.setPin(pin),
    'security.setAutoLock': ({ minutes }) => lock.setAutoLock(minutes),
    'security.gates': () => ok(lock.gates()),
    'security.setGate': ({ gate, level }) => lock.setGate(gate, level),

    'support.about': () => ok(support.about()),
    'support.diagnostics': () => ok(support.diagnostics()),
    'support.licences': () => ok(support.licences()),

    'till.view': () => ok(till.view()),
    'till.change': (wanted) => till.change(wanted),
    'till.pdf': () => till.pdf(),

    'update.view': () => ok(update.view()),
    'update.restart': ({ version }) => ok(update.agree(version)),
  }

  return {
    get handlers() {
      return { ...core.handlers, ...own }
    },
    events,
    log,
    get practice() {
      return core.practice
    },
    get diagnostics() {
      return core.diagnostics
    },
    update,
    sending: () => core.sending(),
    wokeUp() {
      if (isOpen) core.wokeUp()
    },
    async admit(call) {
      const madeTo = opened
      let waited: unknown
      // Another opening may begin while this one is awaited.
      do {
        waited = opening
        await opening
      } while (opening !== waited)
      // A call made from the practice page must not run in the real store.
      if (opened !== madeTo && !Object.hasOwn(own, call)) return { code: 'app/reopened' }
      return lock.objection(call)
    },
    closeAtOnce() {
      lock.close()
      if (isOpen) core.closeAtOnce()
      isOpen = false
      hosting.closeAtOnce()
    },
    async close(graceMs) {
      hosting.prepareToClose()
      await opening
      lock.close()
      try {
        if (isOpen) await core.close(graceMs)
      } finally {
        // After the core, which tells the hub that it goes.
        await hosting.close()
      }
    },
  }
}

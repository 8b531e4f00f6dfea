import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { AppError } from '../../src-shared/errors'
import type { ProfileId } from '../../src-shared/ipc/contract/station'
import type { CallName } from '../../src-shared/ipc/contract'
import { type Result, err, ok } from '../../src-shared/result'
import { systemClock } from '../clock'
import { type App, type Surroundings, compose } from '../app/compose'
import type { Keychain } from '../credentials/keychain'
import { createCredentialStore } from '../credentials/store'
import { entryList, keychainOf, knownClients, stationIdOf } from './station-keychain'
import { type Handlers, type StationHandlers, createEvents } from '../ipc/handlers'
import type { Log } from '../log'
import { keepManagedProfile } from '../policy/managed-profile'
import type { Policy } from '../policy/policy'
import { openStationSeal } from '../privacy/station-seal'
import { type KeptPin, openKeptPin } from '../security/pin'
import { createLock } from '../security/lock'
import { asStartError } from '../store/start-error'
import { createSupport } from '../support/support'
import { createProfileSettings } from './profile-settings'
import { finishMove } from './data-folder'
import { type ProfileData, profileOf, createProfiles, waitingIn } from './profiles'
import { openStationFile } from './station-file'
import { type TillHost, type UpdateOffer, createFirstStart, createTill, createUpdateOffer } from './till'

/** What a host gives a station: the core's surroundings, and the computer's keychain. */
export interface StationSurroundings extends Omit<Surroundings, 'realProfile' | 'credentials' | 'events'> {
  keychain: Keychain
  /** What IT decided for this computer. */
  policy?: Policy | undefined
  /** The profile to open with this time, whichever was in use last. It is not written down. */
  startWith?: ProfileId | undefined
  /** What the host can do with the computer; left out, nothing. */
  till?: TillHost
  /** Licences of the work of others, as the build wrote them down. */
  licencesFile?: string
  /** Called when no profile can be opened any more, neither the other one nor the one before: there is nothing to go on with. */
  onDeath?: (cause: unknown) => void
  /** How long the start waits for the keychain, in ms: its prompt may stay unanswered. */
  keychainPatience?: number
}

/** Long enough for a keychain that is only slow. */
const usualPatience = 3_000

/** What a host gets. `handlers`, `log` and `practice` are those of the profile in use: read them each time. */
export interface Station extends Omit<App, 'handlers' | 'keychainAnswers'> {
  readonly handlers: Handlers
  /** Where a host that fetches updates asks for a restart. */
  readonly update: UpdateOffer
  /**
   * Resolves when no core is being opened or closed, with why the call is not answered then: security/locked, or
   * app/reopened of one that was made to another profile than the one in use by now.
   */
  admit(call: CallName): Promise<AppError | undefined>
}

/**
 * A till, whatever service it works with: it opens the core of the profile in use, and opens it anew with another one.
 * Each profile has a folder of its own. Throws AppStartError.
 */
export async function openStation(surroundings: StationSurroundings): Promise<Station> {
  const { dataDir, startWith, clock = systemClock, keychainPatience = usualPatience } = surroundings
  const { onDeath = () => undefined, policy } = surroundings
  finishMove(dataDir)
  const settingsFile = join(dataDir, 'station.json')
  const file = openStationFile(settingsFile, clock)
  const keychain = keychainOf(surroundings.keychain, stationIdOf(file, settingsFile))
  const folders: ProfileData = {
    isThere: (id) => existsSync(join(dataDir, id)),
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
  const events = createEvents()
  // One patience for all that the start asks.
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
      // An answer in the middle of the start is in time for what is being opened.
      if (!isOpen) return
      log.info('the keychain answers again')
      core.keychainAnswers()
    },
  })
  const kept = await openKeptPin({
    // Found by the folder, not by the id in the station's file: the file may have been removed on purpose.
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
    if (!form) return compose({ ...surroundings, events, seal })
    const realProfile = { id, profile: profileOf(form) }
    return compose({ ...surroundings, events, seal, realProfile, credentials: credentials.of(id) })
  }

  /** The profile of the core: while it changes, not yet the one that is to be in use. */
  let opened = profiles.active()
  let core = await openCore(opened)
  isOpen = true
  let opening: Promise<unknown> = Promise.resolve()
  // A log is closed with its core: once the next one is open, what is written goes to that one's.
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
  /** Closes what is open and opens what is in use now. What can't be opened leaves the profile before it in use. */
  const reopen = async (
    before: ProfileId,
    change?: () => Result<unknown, AppError>,
  ): Promise<Result<null, AppError>> => {
    // A profile that could not be opened is closed already. A failed close must not keep the next one from opening.
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
      // Where the disk refuses even that, it is this process alone that goes back.
      const kept = profiles.use(before)
      await openAs(before).catch((worse: unknown) => {
        onDeath(worse)
        throw worse
      })
      log.error('a profile could not be opened', { wanted, isKept: kept.ok, cause })
      return err({ code: 'profile/not-opened' })
    } finally {
      // What the page knows is still so where the profile is the same.
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
  })
  const profileSettings = createProfileSettings({
    file,
    profiles,
    credentials: {
      ...credentials,
      async askAgain() {
        await credentials.askAgain()
        await seal.askAgain()
      },
    },
    clients,
    resolveProxy: surroundings.resolveProxy,
    policy,
    clock,
    announce: (id, step) => events.emit('connection.step', { id, step }),
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
      // Anything else in the file may be private.
      return {
        active: profiles.active(),
        profiles: profiles.all(),
        hasPin,
        autoLockMinutes,
        customersKey: seal.place(),
      }
    },
  })
  const till = createTill(file, surroundings.till)
  const update = createUpdateOffer((view) => events.emit('update.changed', view))
  const firstStart = createFirstStart(file)
  const own: StationHandlers = {
    'station.welcome': () => ok(firstStart.view()),
    'station.welcomed': () => firstStart.answered(),

    'connection.settings': async () => ok(await profileSettings.settings()),
    'connection.saveProfile': ({ id, profile }) => profileSettings.saveProfile(id, profile),
    'connection.removeProfile': ({ id }) => profileSettings.removeProfile(id),
    'connection.setCredentials': ({ id, product, credentials, isSameStore }) =>
      profileSettings.setCredentials(id, product, credentials, isSameStore),
    'connection.forgetCredentials': ({ id, product }) => profileSettings.forgetCredentials(id, product),
    'connection.test': ({ id }) => profileSettings.test(id),
    'connection.use': ({ id }) => profileSettings.use(id),

    'security.view': () => ok(lock.view()),
    'security.unlock': ({ pin }) => lock.unlock(pin),
    'security.lock': () => ok(lock.lock()),
    'security.setPin': ({ pin }) => lock.setPin(pin),
    'security.setAutoLock': ({ minutes }) => lock.setAutoLock(minutes),

    'support.about': () => ok(support.about()),
    'support.diagnostics': () => ok(support.diagnostics()),
    'support.licences': () => ok(support.licences()),

    'till.view': () => ok(till.view()),
    'till.change': (wanted) => till.change(wanted),

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
      // While it waits for one, another may begin.
      do {
        waited = opening
        await opening
      } while (opening !== waited)
      // A call made on the practice page must not be carried out in the real store.
      if (opened !== madeTo && !Object.hasOwn(own, call)) return { code: 'app/reopened' }
      return lock.objection(call)
    },
    closeAtOnce() {
      lock.close()
      if (isOpen) core.closeAtOnce()
      isOpen = false
    },
    async close(graceMs) {
      await opening
      lock.close()
      if (isOpen) await core.close(graceMs)
    },
  }
}

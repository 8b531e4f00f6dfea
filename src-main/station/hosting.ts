import { renameSync, rmSync } from 'node:fs'
import { hostname, networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import type { AppError } from '../../src-shared/errors'
import { isLoopbackHost } from '../../src-shared/hub-address'
import type { JoinForm } from '../../src-shared/ipc/contract/join'
import type { HostedStore, HostingOptions, HostingState, HostingView } from '../../src-shared/ipc/contract/hosting'
import type { CallRequest } from '../../src-shared/ipc/contract'
import type { ProfileId } from '../../src-shared/ipc/contract/station'
import { type Result, err, ok } from '../../src-shared/result'
import type { Clock } from '../core/clock'
import type { Keychain } from '../credentials/keychain'
import type { EntryList } from '../credentials/store'
import type { DatabaseHost, HostedPasswords } from '../hub/hosting/host'
import type { Log } from '../core/log'
import { parseStored } from '../database/settings'
import { saved } from '../database/saved'
import type { HandlersOf } from '../ipc/handlers'
import type { Joining } from './joining'
import type { StationFile } from './station-file'

/** What a kept store needs of the computer. Tests give their own. */
export interface Computer {
  /** Where to look for PostgreSQL; the usual places if omitted. */
  programPlaces?: () => string[]
  addresses?: () => { address: string; network: string }[]
}

interface HostingParts {
  file: StationFile
  dataDir: string
  keychain: Keychain
  entries: EntryList
  joining: Joining
  active: () => ProfileId
  clock: Clock
  log: Pick<Log, 'info' | 'warn'>
  announce: (view: HostingView) => void
  /** Called once the hub takes connections. */
  onRunning: () => void
  computer: Computer | undefined
}

/** Only a station that keeps a store loads what that takes. */
const loadHost = () => import('../hub/hosting/host')

/** A folder of this name is never a profile's. */
const folderName = 'store.hub'
const account = 'keep'
const Passwords = z.object({ owner: z.string().min(20), station: z.string().min(20) })

const addressesHere = () =>
  Object.entries(networkInterfaces()).flatMap(([network, all]) =>
    (all ?? [])
      // Without a router and DHCP, computers give themselves 169.254 addresses, which change.
      .filter(({ family, internal, address }) => family === 'IPv4' && !internal && !address.startsWith('169.254.'))
      .map(({ address }) => ({ address, network })),
  )

/** Settings > Store: this computer keeps the store. What is kept is in station.json, the passwords in the keychain. */
export function createHosting(parts: HostingParts) {
  const { file, keychain, entries, joining, active, clock, log, announce, onRunning, computer = {} } = parts
  const { addresses: addressesOf = addressesHere, programPlaces } = computer
  const folder = join(parts.dataDir, folderName)
  let host: DatabaseHost | undefined
  let isClosed = false
  /** Passwords that the keychain did not take. */
  let inMemory: HostedPasswords | null = null
  /** One change at a time. */
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work)
    last = next.catch(() => undefined)
    return next
  }

  const hosted = (): HostedStore | null => file.read().keeps
  const change = (keeps: HostedStore | null) =>
    saved(() => {
      file.change((settings) => ({ ...settings, keeps }))
      return ok(null)
    })
  const view = (): HostingView => {
    const now = hosted()
    const state: HostingState = host?.state() ?? { kind: 'off' }
    return {
      state,
      hosted: now && { address: now.address, port: now.port, isOther: now.profile !== active() },
    }
  }
  const changed = () => {
    if (!isClosed) announce(view())
  }

  const passwords = async (): Promise<HostedPasswords | null> => {
    if (inMemory) return inMemory
    const read = await keychain.read(account)
    return read.ok && read.value !== null ? (parseStored(Passwords, read.value) ?? null) : null
  }
  const put = async (drawn: HostedPasswords) => {
    inMemory = drawn
    const written = await keychain.write(account, JSON.stringify(drawn))
    if (!written.ok) return
    inMemory = null
    entries.note(account, true)
  }
  const forget = async () => {
    inMemory = null
    const removed = await keychain.remove(account)
    if (removed.ok) entries.note(account, false)
  }

  const open = async ({ address, port, folder: named }: Omit<HostedStore, 'profile'>): Promise<DatabaseHost> => {
    const { createDatabaseHost } = await loadHost()
    const next: DatabaseHost = createDatabaseHost({
      ...{ folder, address, port, computer: hostname(), passwords, clock, log },
      search: { folder: named, ...(programPlaces && { places: programPlaces }) },
      addresses: () => addressesOf().map((one) => one.address),
      onState(state) {
        if (host !== next) return
        if (state.kind === 'running') onRunning()
        changed()
      },
    })
    host = next
    return next
  }
  const close = async () => {
    const before = host
    await before?.stop()
    if (host === before) host = undefined
  }

  /** What was kept before is put aside, in the place of what was put aside before it. */
  const putAside = () => {
    try {
      rmSync(`${folder}.old`, { recursive: true, force: true })
      renameSync(folder, `${folder}.old`)
    } catch (cause) {
      // There is none, or a program still has a file open: the next start finds it.
      log.info('the data of a store hub was not put aside', { cause })
    }
  }

  const isHere = (address: string) => isLoopbackHost(address) || addressesOf().some((one) => one.address === address)

  const formOf = (
    { address, port }: { address: string; port: number },
    certificate: string | null,
    password: string | null,
    own: Pick<JoinForm, 'stationName' | 'policy'>,
    { user, database }: { user: string; database: string },
  ): JoinForm => ({
    ...{ host: address, port, certificate, password, user, database },
    ...{ stationName: own.stationName, policy: own.policy, fromCode: null, makesKey: false, replacesStore: false },
  })

  /** Whether the station is joined to the store that this computer keeps for it. */
  const ownJoined = async (store: HostedStore) => {
    const { hub } = await joining.view()
    return hub?.host === store.address && hub.port === store.port ? hub : null
  }

  const start = async (wanted: CallRequest<'hosting.start'>): Promise<Result<HostingView, AppError>> => {
    if (hosted()) return err({ code: 'keep/kept' })
    if ((await joining.view()).hub) return err({ code: 'keep/joined' })
    const { address, port, folder: named } = wanted
    if (!isHere(address)) return err({ code: 'keep/address' })
    const profile = active()
    const { drawPasswords, hostedDatabase, hostedUser } = await loadHost()
    // An interrupted start left this: no station has joined it.
    putAside()
    const drawn = drawPasswords()
    await put(drawn)
    const opened = await open({ address, port, folder: named })
    changed()
    const undo = async (error: AppError) => {
      await close()
      putAside()
      await forget()
      changed()
      return err(error)
    }
    const failure = await opened.first
    if (failure) return undo({ code: 'keep/failed', ...failure })
    // A core that opens now would never be closed.
    if (isClosed) return undo({ code: 'app/reopened' })
    const form = formOf(wanted, opened.certificate(), drawn.station, wanted, {
      user: hostedUser,
      database: hostedDatabase,
    })
    const noted = change({ profile, address, port, folder: named })
    if (!noted.ok) return undo(noted.error)
    const joined = await joining.join(form)
    if (!joined.ok) {
      change(null)
      return undo(joined.error)
    }
    changed()
    return ok(view())
  }

  const renew = async (wanted: CallRequest<'hosting.renew'>): Promise<Result<HostingView, AppError>> => {
    const store = hosted()
    if (!store) return err({ code: 'keep/not-kept' })
    if (store.profile !== active()) return err({ code: 'keep/other' })
    if (!isHere(wanted.address)) return err({ code: 'keep/address' })
    const hub = await ownJoined(store)
    if (!hub) return err({ code: 'join/not-joined' })
    const next = { ...store, address: wanted.address, port: wanted.port }
    const back = async (error: AppError) => {
      await close()
      change(store)
      await open(store)
      changed()
      return err(error)
    }
    await close()
    const opened = await open(next)
    const failure = await opened.first
    if (failure) return back({ code: 'keep/failed', ...failure })
    const noted = change(next)
    if (!noted.ok) return back(noted.error)
    const password = (await passwords())?.station ?? null
    const joined = await joining.follow(formOf(next, opened.certificate(), password, hub, hub))
    if (!joined.ok) return back(joined.error)
    changed()
    return ok(view())
  }

  const stop = async (): Promise<Result<HostingView, AppError>> => {
    const store = hosted()
    if (!store) return err({ code: 'keep/not-kept' })
    if (store.profile !== active()) return err({ code: 'keep/other' })
    if (await ownJoined(store)) {
      const left = await joining.leave()
      if (!left.ok) return left
    }
    return end()
  }
  const end = async (): Promise<Result<HostingView, AppError>> => {
    const noted = change(null)
    if (!noted.ok) return noted
    await close()
    putAside()
    await forget()
    changed()
    return ok(view())
  }

  return {
    view,
    /** At the start of the app, which doesn't wait for it. */
    begin() {
      const store = hosted()
      if (store)
        void inTurn(async () => {
          if (!isClosed) await open(store)
        })
    },
    async options({ folder: named }: CallRequest<'hosting.options'>): Promise<Result<HostingOptions, AppError>> {
      const { findPrograms } = await import('../hub/hosting/programs')
      const { found, others } = await findPrograms({ folder: named, ...(programPlaces && { places: programPlaces }) })
      return ok({
        addresses: [
          ...addressesOf().map((one) => ({ ...one, isLocal: false })),
          { address: '127.0.0.1', network: 'lo', isLocal: true },
        ],
        programs: found ? { version: found.version, folder: found.folder } : null,
        tooOld: found ? [] : [...new Set(others)],
        computer: hostname(),
      })
    },
    start: (wanted: CallRequest<'hosting.start'>) => inTurn(() => start(wanted)),
    renew: (wanted: CallRequest<'hosting.renew'>) => inTurn(() => renew(wanted)),
    stop: () => inTurn(stop),
    retry(): Result<HostingView, AppError> {
      host?.retry()
      return ok(view())
    },
    async others(): Promise<Result<{ names: string[] | null }, AppError>> {
      const store = hosted()
      if (!store) return err({ code: 'keep/not-kept' })
      return ok({ names: store.profile === active() ? await joining.others() : null })
    },
    /** A profile was removed: its store is kept no longer. */
    drop: (id: ProfileId) =>
      inTurn(async () => {
        if (hosted()?.profile === id) await end()
      }),
    /** Nothing is joined or announced any more. */
    prepareToClose() {
      isClosed = true
    },
    /** Ends PostgreSQL with the app. */
    async close(): Promise<void> {
      isClosed = true
      await last
      await close()
    },
    closeAtOnce(): void {
      isClosed = true
      void close()
    },
  }
}

export type Hosting = ReturnType<typeof createHosting>

export const hostingHandlers = (hosting: Hosting): HandlersOf<'hosting'> => ({
  'hosting.view': () => ok(hosting.view()),
  'hosting.options': (wanted) => hosting.options(wanted),
  'hosting.start': (wanted) => hosting.start(wanted),
  'hosting.retry': () => hosting.retry(),
  'hosting.others': () => hosting.others(),
  'hosting.renew': (wanted) => hosting.renew(wanted),
  'hosting.stop': () => hosting.stop(),
})

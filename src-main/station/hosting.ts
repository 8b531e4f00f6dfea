import { hostname, networkInterfaces } from 'node:os'
import type { AppError, ResultOf } from '../../src-shared/errors'
import { isLoopbackHost } from '../../src-shared/hub-address'
import type { JoinForm } from '../../src-shared/ipc/contract/join'
import type { HostedStore, HostingOptions, HostingView } from '../../src-shared/ipc/contract/hosting'
import type { CallRequest } from '../../src-shared/ipc/contract'
import type { ProfileId } from '../../src-shared/ipc/contract/station'
import { type Result, err, ok } from '../../src-shared/result'
import { saved } from '../database/saved'
import type { DatabaseHost } from '../hub/hosting/host'
import type { HandlersOf } from '../ipc/handlers'
import { HostedDatabase, loadHost } from './hosted-database'
import type { Joining } from './joining'
import type { Computer, StationContext } from './station-context'

const addressesHere = () =>
  Object.entries(networkInterfaces()).flatMap(([network, all]) =>
    (all ?? [])
      // Without a router and DHCP, computers give themselves 169.254 addresses, which change.
      .filter(({ family, internal, address }) => family === 'IPv4' && !internal && !address.startsWith('169.254.'))
      .map(({ address }) => ({ address, network })),
  )

const formOf = (
  { address, port }: { address: string; port: number },
  certificate: string | null,
  password: string | null,
  { stationName, policy }: Pick<JoinForm, 'stationName' | 'policy'>,
  { user, database }: { user: string; database: string },
): JoinForm => ({
  ...{ host: address, port, certificate, password, user, database, stationName, policy },
  ...{ fromCode: null, makesKey: false, replacesStore: false },
})

/** Settings > Store: this computer keeps the store. What is kept is in station.json, the passwords in the keychain. */
export class Hosting {
  readonly #context: StationContext
  readonly #joining: Joining
  readonly #addresses: NonNullable<Computer['addresses']>
  readonly #database: HostedDatabase
  #isClosed = false
  /** One change at a time. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(context: StationContext, joining: Joining) {
    this.#context = context
    this.#joining = joining
    this.#addresses = context.surroundings.computer?.addresses ?? addressesHere
    const addresses = () => this.#addresses().map((one) => one.address)
    this.#database = new HostedDatabase(context, addresses, (state) => {
      if (state.kind === 'running') void context.core.ifOpen?.handlers['hub.retry'](undefined)
      this.#announce()
    })
  }

  view(): HostingView {
    const store = this.#hosted()
    const isOther = store?.profile !== this.#context.profiles.active()
    return { state: this.#database.state(), hosted: store && { address: store.address, port: store.port, isOther } }
  }

  /** At the start of the app, which doesn't wait for it. */
  begin(): void {
    const store = this.#hosted()
    if (store)
      void this.#inTurn(async () => {
        if (!this.#isClosed) await this.#database.open(store)
      })
  }

  async options({ folder }: CallRequest<'hosting.options'>): Promise<Result<HostingOptions, never>> {
    const { findPrograms } = await import('../hub/hosting/programs')
    const places = this.#context.surroundings.computer?.programPlaces
    const { found, others } = await findPrograms({ folder, ...(places && { places }) })
    return ok({
      addresses: [
        ...this.#addresses().map((one) => ({ ...one, isLocal: false })),
        { address: '127.0.0.1', network: 'lo', isLocal: true },
      ],
      programs: found ? { version: found.version, folder: found.folder } : null,
      tooOld: found ? [] : [...new Set(others)],
      computer: hostname(),
    })
  }

  start(wanted: CallRequest<'hosting.start'>): Promise<Result<HostingView, AppError>> {
    return this.#inTurn(() => this.#start(wanted))
  }

  renew(wanted: CallRequest<'hosting.renew'>): Promise<Result<HostingView, AppError>> {
    return this.#inTurn(() => this.#renew(wanted))
  }

  stop(): Promise<Result<HostingView, AppError>> {
    return this.#inTurn(() => this.#stop())
  }

  retry(): Result<HostingView, never> {
    this.#database.retry()
    return ok(this.view())
  }

  async others(): Promise<ResultOf<{ names: string[] | null }, 'keep/not-kept'>> {
    const store = this.#hosted()
    if (!store) return err({ code: 'keep/not-kept' })
    return ok({ names: store.profile === this.#context.profiles.active() ? await this.#joining.others() : null })
  }

  /** A profile was removed: its store is kept no longer. */
  drop(id: ProfileId): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#hosted()?.profile === id) await this.#end()
    })
  }

  /** Nothing is joined or announced any more. */
  prepareToClose(): void {
    this.#isClosed = true
  }

  /** Ends PostgreSQL with the app. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#last
    await this.#database.close()
  }

  closeAtOnce(): void {
    this.#isClosed = true
    void this.#database.close()
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const next = this.#last.then(work)
    this.#last = next.catch(() => undefined)
    return next
  }

  #announce(): void {
    if (!this.#isClosed) this.#context.events.emit('hosting.changed', this.view())
  }

  /** Announces what it gives. */
  #done(): Result<HostingView, never> {
    this.#announce()
    return ok(this.view())
  }

  #hosted(): HostedStore | null {
    return this.#context.files.file.read().keeps
  }

  /** The store that this computer keeps for the open profile. */
  #ownHosted(): ResultOf<HostedStore, 'keep/not-kept' | 'keep/other'> {
    const store = this.#hosted()
    if (!store) return err({ code: 'keep/not-kept' })
    return store.profile === this.#context.profiles.active() ? ok(store) : err({ code: 'keep/other' })
  }

  #change(keeps: HostedStore | null): Result<null, AppError> {
    return saved(() => {
      this.#context.files.file.change((settings) => ({ ...settings, keeps }))
      return ok(null)
    })
  }

  #isHere(address: string): boolean {
    return isLoopbackHost(address) || this.#addresses().some((one) => one.address === address)
  }

  /** The hub that the station is joined to, if it is the store that this computer keeps for it. */
  async #ownJoined(store: HostedStore) {
    const { hub } = await this.#joining.view()
    return hub?.host === store.address && hub.port === store.port ? hub : null
  }

  async #start(wanted: CallRequest<'hosting.start'>): Promise<Result<HostingView, AppError>> {
    if (this.#hosted()) return err({ code: 'keep/kept' })
    if ((await this.#joining.view()).hub) return err({ code: 'keep/joined' })
    const { address, port, folder } = wanted
    if (!this.#isHere(address)) return err({ code: 'keep/address' })
    const store = { profile: this.#context.profiles.active(), address, port, folder }
    const { drawPasswords } = await loadHost()
    // An interrupted start left this: no station has joined it.
    this.#database.putAside()
    const drawn = drawPasswords()
    await this.#database.passwords.put(drawn)
    const opened = await this.#database.open(store)
    this.#announce()
    const joined = await this.#joinNew(opened, store, wanted, drawn.station)
    if (joined.ok) return this.#done()
    await this.#database.discard()
    this.#announce()
    return joined
  }

  async #joinNew(
    opened: DatabaseHost,
    store: HostedStore,
    own: Pick<JoinForm, 'stationName' | 'policy'>,
    password: string,
  ): Promise<Result<unknown, AppError>> {
    const { hostedDatabase: database, hostedUser: user } = await loadHost()
    const failure = await opened.first
    if (failure) return err({ code: 'keep/failed', ...failure })
    // A core that opens now would never be closed.
    if (this.#isClosed) return err({ code: 'app/reopened' })
    const form = formOf(store, opened.certificate(), password, own, { user, database })
    const noted = this.#change(store)
    if (!noted.ok) return noted
    const joined = await this.#joining.join(form)
    if (!joined.ok) this.#change(null)
    return joined
  }

  async #renew(wanted: CallRequest<'hosting.renew'>): Promise<Result<HostingView, AppError>> {
    const own = this.#ownHosted()
    if (!own.ok) return own
    if (!this.#isHere(wanted.address)) return err({ code: 'keep/address' })
    const hub = await this.#ownJoined(own.value)
    if (!hub) return err({ code: 'join/not-joined' })
    await this.#database.close()
    const followed = await this.#follow({ ...own.value, address: wanted.address, port: wanted.port }, hub)
    if (followed.ok) return this.#done()
    await this.#database.close()
    this.#change(own.value)
    await this.#database.open(own.value)
    this.#announce()
    return followed
  }

  /** Serves the data at another address, and has the station follow. */
  async #follow(
    store: HostedStore,
    hub: Pick<JoinForm, 'stationName' | 'policy' | 'user' | 'database'>,
  ): Promise<Result<unknown, AppError>> {
    const opened = await this.#database.open(store)
    const failure = await opened.first
    if (failure) return err({ code: 'keep/failed', ...failure })
    const noted = this.#change(store)
    if (!noted.ok) return noted
    const password = (await this.#database.passwords.read())?.station ?? null
    return this.#joining.follow(formOf(store, opened.certificate(), password, hub, hub))
  }

  async #stop(): Promise<Result<HostingView, AppError>> {
    const own = this.#ownHosted()
    if (!own.ok) return own
    if (await this.#ownJoined(own.value)) {
      const left = await this.#joining.leave()
      if (!left.ok) return left
    }
    return this.#end()
  }

  async #end(): Promise<Result<HostingView, AppError>> {
    const noted = this.#change(null)
    if (!noted.ok) return noted
    await this.#database.discard()
    return this.#done()
  }
}

export const hostingHandlers = (hosting: Hosting): HandlersOf<'hosting'> => ({
  'hosting.view': () => ok(hosting.view()),
  'hosting.options': (wanted) => hosting.options(wanted),
  'hosting.start': (wanted) => hosting.start(wanted),
  'hosting.retry': () => hosting.retry(),
  'hosting.others': () => hosting.others(),
  'hosting.renew': (wanted) => hosting.renew(wanted),
  'hosting.stop': () => hosting.stop(),
})

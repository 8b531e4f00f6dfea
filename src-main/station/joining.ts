import { randomBytes, randomUUID } from 'node:crypto'
import type { AppError, AppErrorOf, ResultOf } from '../../src-shared/errors'
import type { JoinedHub } from '../../src-shared/ipc/contract/hub'
import type { JoinDone, JoinForm, JoinTest, JoinView } from '../../src-shared/ipc/contract/join'
import type { ProfileId } from '../../src-shared/ipc/contract/station'
import { type Result, err, ok } from '../../src-shared/result'
import type { NotSaved } from '../database/saved'
import type { HubSurroundings } from '../hub/port'
import type { Trial } from '../hub/postgres/trial'
import { storeIdOf } from '../hub/store-identity'
import type { HandlersOf } from '../ipc/handlers'
import type { HubSecret } from './hub-secrets'
import { JoinedStores, type OwnStore, type Resolved, isSameHub } from './joined-stores'
import { waitingIn } from './profiles'
import type { StationContext } from './station-context'
import { databaseOf } from './station-files'
import { StoreCodes, freeName } from './store-codes'

/** Why what was to be saved while nothing is open no longer can be. */
type LateRefusal = NotSaved | 'app/reopened' | 'join/unsent' | 'profile/unreadable-data'

/** The key of one store is no key of another one. A join code brings its own. */
const withoutKeyOf = (replaced: OwnStore | null, how: Resolved): Resolved =>
  replaced && !how.code ? { ...how, storeKey: null } : how

const needsCode = ({ storeKey }: Resolved, { names }: Trial) => storeKey === null && names.length > 0

/** The trouble of a hub as pages show it; null if there is none. */
function troubleAt({ stationName }: JoinedHub, { trouble, answer, names }: Trial) {
  if (!trouble) return null
  return { trouble, answer, freeName: trouble === 'name-taken' ? freeName(stationName, names) : null }
}

/** Settings > Store: the hub of the profile in use. */
export class Joining {
  readonly #context: StationContext
  readonly #stores: JoinedStores
  readonly #codes: StoreCodes

  constructor(context: StationContext) {
    this.#context = context
    this.#stores = new JoinedStores(context)
    this.#codes = new StoreCodes(this.#stores, context.clock, context.surroundings.secretOutlet)
  }

  handlers(): HandlersOf<'join'> {
    return {
      'join.view': async () => ok(await this.view()),
      'join.try': (form) => this.#try(form),
      'join.join': (form) => this.join(form),
      'join.leave': () => this.leave(),
      'join.newIdentity': (wanted) => this.#newIdentity(wanted),
      'join.code': () => this.#codes.show(),
      'join.giveCode': () => this.#codes.give(),
      'join.scanned': (given) => this.#codes.scanned(given),
    }
  }

  async view(): Promise<JoinView> {
    const id = this.#stores.active()
    const hub = this.#stores.hubOf(id)
    return { hub, place: hub && (await this.#context.hubSecrets.find(id, hub)).place }
  }

  /** For the core of a profile; undefined if it works alone. */
  surroundings(id: ProfileId): HubSurroundings | undefined {
    const joined = this.#stores.hubOf(id)
    if (!joined) return undefined
    return { stationId: this.#stores.ownId(), joined, secret: () => this.#stores.secretOf(id, joined) }
  }

  /** A join code was scanned, on any screen. */
  scannedText(text: string): void {
    this.#codes.scannedText(text)
  }

  /** Follows the own store to another place: it is known to be the same. */
  follow(form: JoinForm): Promise<Result<JoinDone, AppError>> {
    return this.join(form, true)
  }

  async join(form: JoinForm, isSameStore = false): Promise<Result<JoinDone, AppError>> {
    const stores = this.#stores
    const id = stores.active()
    const entered = await this.#codes.resolved(form)
    if (!entered.ok) return entered
    const named = entered.value.code && (await stores.replacedBy(entered.value.code))
    // Nothing is connected to before a person has compared both.
    if (named && !form.replacesStore) return err({ code: 'join/other-store' })
    const found = await this.#codes.tried(entered.value)
    if (!found.ok) return found
    const trouble = troubleAt(entered.value.joined, found.value)
    if (trouble) return err({ code: 'join/trouble', ...trouble })
    const replaced = named ?? (isSameStore ? null : await stores.replacedAt(entered.value, found.value))
    if (replaced && !form.replacesStore) return err({ code: 'join/other-store' })
    const left = replaced && !isSameHub(replaced.hub, entered.value.joined) ? replaced : null
    const unsent = left && this.#unsentObjection()
    if (unsent) return err(unsent)
    const how = withoutKeyOf(replaced, entered.value)
    const isKeyless = needsCode(how, found.value)
    if (isKeyless && !form.makesKey) return err({ code: 'join/code-needed', count: found.value.names.length })
    const done = await this.#put(id, how, left !== null)
    if (!done.ok) return done
    this.#codes.forget()
    this.#codes.left()
    if (isKeyless) await stores.rename(id)
    // The store that this station was in would keep the items of its open orders.
    const isTold = left && (await stores.leave(left.hub, left.secret, true))
    return ok({ view: await this.view(), isTold })
  }

  async leave(): Promise<
    ResultOf<
      JoinDone,
      NotSaved | 'app/reopened' | 'join/not-joined' | 'join/unsent' | 'profile/not-opened' | 'profile/unreadable-data'
    >
  > {
    const stores = this.#stores
    const id = stores.active()
    const joined = stores.hubOf(id)
    if (!joined) return err({ code: 'join/not-joined' })
    const objection = () => this.#changedObjection(id) ?? this.#unsentObjection()
    const early = objection()
    if (early) return err(early)
    const secret = await stores.secretOf(id, joined)
    const done = await this.#context.core.reopen(id, (): ResultOf<null, LateRefusal> => {
      // A sale may have been saved until the core was closed.
      const late = objection()
      return late ? err(late) : stores.remove(id)
    })
    if (!done.ok) return done
    this.#codes.left()
    const isTold = await stores.leave(joined, secret, true)
    await this.#context.hubSecrets.forget(id)
    return ok({ view: await this.view(), isTold })
  }

  /** A profile was removed: its hub is told, and nothing of it stays here. */
  async drop(id: ProfileId): Promise<void> {
    const joined = this.#stores.hubOf(id)
    if (!joined) return
    const secret = await this.#stores.secretOf(id, joined)
    this.#stores.remove(id)
    // Its data is gone here: other stations may resume its orders on hold.
    await this.#stores.leave(joined, secret, false)
    await this.#context.hubSecrets.forget(id)
  }

  /** The names of the other stations in the store; null if its hub doesn't answer. */
  async others(): Promise<string[] | null> {
    const own = await this.#stores.own()
    if (!own?.secret) return null
    const { trouble, names } = await this.#stores.tried({ joined: own.hub, ...own.secret })
    return trouble === null ? names : null
  }

  async #try(
    form: JoinForm,
  ): Promise<ResultOf<JoinTest, 'join/address' | 'join/certificate' | 'join/code-unusable' | 'join/password-missing'>> {
    const stores = this.#stores
    await this.#context.hubSecrets.askAgain()
    const how = await this.#codes.resolved(form)
    if (!how.ok) return how
    const found = await this.#codes.tried(how.value)
    if (!found.ok) return found
    const trouble = troubleAt(how.value.joined, found.value)
    if (trouble) return ok({ kind: 'trouble', ...trouble })
    const { names, isNew, storeId } = found.value
    const own = await stores.replacedAt(how.value, found.value)
    return ok({
      ...{ kind: 'works', stations: names.length, isNew },
      needsCode: needsCode(withoutKeyOf(own, how.value), found.value),
      replaces: own && { store: stores.shown(how.value.joined, storeId), own: stores.shown(own.hub, own.storeId) },
    })
  }

  /** This computer gets an identity of its own: its data is a copy of another computer's. */
  async #newIdentity({
    stationName,
  }: {
    stationName: string
  }): Promise<
    ResultOf<
      JoinView,
      | NotSaved
      | 'app/reopened'
      | 'join/not-joined'
      | 'join/password-missing'
      | 'join/trouble'
      | 'join/unsent'
      | 'profile/not-opened'
      | 'profile/unreadable-data'
    >
  > {
    const stores = this.#stores
    const id = stores.active()
    const joined = stores.hubOf(id)
    if (!joined) return err({ code: 'join/not-joined' })
    const secret = await stores.secretOf(id, joined)
    if (!secret) return err({ code: 'join/password-missing' })
    const identity = randomUUID()
    const named = { ...joined, stationName }
    const trouble = troubleAt(named, await stores.tried({ joined: named, ...secret }, identity))
    if (trouble) return err({ code: 'join/trouble', ...trouble })
    const done = await this.#context.core.reopen(id, (): ResultOf<null, LateRefusal> => {
      const changed = this.#changedObjection(id)
      return changed ? err(changed) : stores.change(id, named, identity)
    })
    return done.ok ? ok(await this.view()) : done
  }

  /** Saves the hub of a profile and its secret, while no core is open. `isLeft`: another store is left with it. */
  async #put(
    id: ProfileId,
    how: Resolved,
    isLeft: boolean,
  ): Promise<
    ResultOf<null, NotSaved | 'app/reopened' | 'join/unsent' | 'profile/not-opened' | 'profile/unreadable-data'>
  > {
    const { joined, password, storeKey } = how
    const { hubSecrets, core } = this.#context
    const secret: HubSecret = { password, storeKey: storeKey ?? randomBytes(32).toString('base64') }
    const putBack = await hubSecrets.put(id, joined, secret)
    const done = await core.reopen(id, (): ResultOf<null, LateRefusal> => {
      // Another page may have changed the connection meanwhile, and a sale may have been saved until the core was closed.
      const late = this.#changedObjection(id) ?? (isLeft ? this.#unsentObjection() : undefined)
      return late ? err(late) : this.#stores.change(id, { ...joined, storeId: storeIdOf(secret.storeKey) })
    })
    if (!done.ok) await putBack()
    return done
  }

  #changedObjection(id: ProfileId): AppErrorOf<'app/reopened'> | undefined {
    return this.#stores.active() === id ? undefined : { code: 'app/reopened' }
  }

  /** Why the store can't be left yet. */
  #unsentObjection(): AppErrorOf<'profile/unreadable-data' | 'join/unsent'> | undefined {
    const { surroundings, profiles, core } = this.#context
    // Also while no core is open; undefined if the data can't be read.
    const count = core.ifOpen
      ? core.ifOpen.diagnostics.status().unsent
      : waitingIn(databaseOf(surroundings.dataDir, profiles.active()), 'unsent')
    if (count === undefined) return { code: 'profile/unreadable-data' }
    return count > 0 ? { code: 'join/unsent', count } : undefined
  }
}

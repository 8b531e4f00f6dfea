import type { JoinedHub } from '../../src-shared/ipc/contract/hub'
import type { StoreShown } from '../../src-shared/ipc/contract/join'
import type { ProfileId } from '../../src-shared/ipc/contract/station'
import { ok } from '../../src-shared/result'
import type { ResultOf } from '../../src-shared/errors'
import { type NotSaved, saved } from '../database/saved'
import type { Trial } from '../hub/postgres/trial'
import { storeIdOf } from '../hub/store-identity'
import type { HubSecret } from './hub-secrets'
import type { JoinCodeContent } from './join-code'
import type { StationContext } from './station-context'
import type { StationFile } from './station-file'

/** A hub with the password of its role. */
interface Reached {
  joined: JoinedHub
  password: string
}

/** What is joined with: as entered, or of a join code, which has an end. `storeKey`: null if none is known. */
export interface Resolved extends Reached {
  storeKey: string | null
  code: JoinCodeContent | null
}

/** The store that this station is in. `storeId`: null if it can't be told. */
export interface OwnStore {
  hub: JoinedHub
  secret: HubSecret | null
  storeId: string | null
}

export const isSameHub = (one: JoinedHub, other: JoinedHub) =>
  one.host === other.host && one.port === other.port && one.database === other.database

/** Only a station that has to do with a hub loads the client of one. */
const loadTrial = () => import('../hub/postgres/trial')

/** The stores that this station's profiles joined: their addresses in station.json, with their secrets. */
export class JoinedStores {
  readonly #context: StationContext

  constructor(context: StationContext) {
    this.#context = context
  }

  active(): ProfileId {
    return this.#context.profiles.active()
  }

  /** The hash of the store that the profile in use reports to. */
  storeHash(): string {
    return this.#context.core.app.storeHash
  }

  /** What people here call that store. */
  storeName(): string {
    return this.#context.core.app.diagnostics.status().profile.name
  }

  /** The identity of this computer in its stores: one of its own, if its data was a copy of another computer's. */
  ownId(): string {
    const { file, stationId } = this.#context.files
    return file.read().storeIdentity ?? stationId
  }

  hubOf(id: ProfileId): JoinedHub | null {
    return this.#context.files.file.read().hubs[id] ?? null
  }

  async secretOf(id: ProfileId, hub: JoinedHub): Promise<HubSecret | null> {
    return (await this.#context.hubSecrets.find(id, hub)).secret
  }

  /** Changes the hub of a profile, and with it this computer's identity. */
  change(id: ProfileId, hub: JoinedHub, identity?: string): ResultOf<null, NotSaved> {
    return this.#save((settings) => ({
      ...settings,
      ...(identity !== undefined && { storeIdentity: identity }),
      hubs: { ...settings.hubs, [id]: hub },
    }))
  }

  remove(id: ProfileId): ResultOf<null, NotSaved> {
    return this.#save((settings) => ({
      ...settings,
      hubs: Object.fromEntries(Object.entries(settings.hubs).filter(([one]) => one !== id)),
    }))
  }

  /** The store of the profile in use. */
  async own(): Promise<OwnStore | null> {
    const hub = this.hubOf(this.active())
    if (!hub) return null
    const secret = await this.secretOf(this.active(), hub)
    // The keychain may have lost the key; version 0.2 kept nothing else of it.
    return { hub, secret, storeId: secret ? storeIdOf(secret.storeKey) : (hub.storeId ?? null) }
  }

  /** The store that this station is in, if a code is of another one, or if that can't be told. */
  async replacedBy(content: JoinCodeContent): Promise<OwnStore | null> {
    const own = await this.own()
    return own?.storeId === storeIdOf(content.storeKey) ? null : own
  }

  /** The store that an entered address would replace, by what the hub there says. The own hub may have moved to it. */
  async replacedAt({ joined, code }: Resolved, { storeId }: Trial): Promise<OwnStore | null> {
    const own = code ? null : await this.own()
    if (!own || isSameHub(own.hub, joined)) return null
    return storeId !== null && storeId === own.storeId ? null : own
  }

  shown({ host, port, database }: JoinedHub, id: string | null): StoreShown {
    return { name: this.storeName(), ...{ id, host, port, database } }
  }

  async tried({ joined, password }: Reached, stationId = this.ownId()): Promise<Trial> {
    const { tryHub } = await loadTrial()
    const address = { ...joined, password }
    return tryHub({ address, stationId, stationName: joined.stationName, storeHash: this.storeHash() })
  }

  /** Whether the hub has heard that this station left. `takesHeld`: see `leaveHub`. */
  async leave(joined: JoinedHub, secret: HubSecret | null, takesHeld: boolean): Promise<boolean> {
    if (!secret) return false
    const { leaveHub } = await loadTrial()
    return leaveHub({ ...joined, password: secret.password }, this.ownId(), takesHeld)
  }

  /** The store got a new key here: at its hub it has a new identity. */
  async rename(id: ProfileId): Promise<void> {
    const joined = this.hubOf(id)
    const secret = joined && (await this.secretOf(id, joined))
    if (!joined || !secret) return
    const { renameStore } = await loadTrial()
    await renameStore({ ...joined, password: secret.password }, storeIdOf(secret.storeKey))
  }

  #save(change: Parameters<StationFile['change']>[0]): ResultOf<null, NotSaved> {
    return saved(() => {
      this.#context.files.file.change(change)
      return ok(null)
    })
  }
}

import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { ResultOf } from '../../src-shared/errors'
import type { CredentialPlace, KeychainState, ProfileId } from '../../src-shared/ipc/contract/station'
import { type Result, err, ok } from '../../src-shared/result'
import type { ServiceProduct } from '../../src-shared/service/token'
import type { Clock } from '../core/clock'
import type { NotSaved } from '../database/saved'
import { tokenUrlOf } from './profile'
import { parseStored } from '../database/settings'
import type { Keychain, KeychainCode, KeychainError } from './keychain'

export interface ClientCredentials {
  clientId: string
  clientSecret: string
}

/** Client id and secret of one profile's accounts, one entry per product. Only used for token requests. */
export interface Credentials {
  /**
   * Null if none are stored. `authUrl`: where they will be sent. While the keychain refuses, they may exist;
   * `keychain/mismatch`: they are for another address.
   */
  read(
    product: ServiceProduct,
    authUrl: string,
  ): Promise<ResultOf<ClientCredentials | null, KeychainCode | 'keychain/vanished' | 'keychain/mismatch'>>
}

/** One account per product; a product may have none. */
export type Accounts = Partial<Record<ServiceProduct, ClientCredentials>>

/** Credentials kept only in memory: those of the practice store, which aren't secret. */
export const inMemoryCredentials = (accounts: Accounts): Credentials => ({
  read: (product) => Promise.resolve(ok(accounts[product] ?? null)),
})

/** The accounts saved in the keychain, to tell a lost entry from one that never existed. */
export interface EntryList {
  has(account: string): boolean
  /** Never throws, because the list is only a convenience. */
  note(account: string, isThere: boolean): void
}

/** The last client id of each account. The service assigns a report to the store of the client id that sends it. */
export interface KnownClients {
  /** True if the account last had a different client id; false if it never had one. */
  isOther(id: ProfileId, product: ServiceProduct, clientId: string): boolean
  note(id: ProfileId, product: ServiceProduct, clientId: string): ResultOf<null, NotSaved>
}

const KeychainEntry = z.object({
  clientId: z.string().min(1),
  clientSecret: z.string().min(1),
  /**
   * A hash of the address the credentials were entered for, so that editing the profile's address can't redirect them.
   * An older entry without this hash must be entered again.
   */
  for: z.string().optional(),
})
type KeychainEntry = z.infer<typeof KeychainEntry>

/** Short, because keychain entries are limited (`fitsKeychain`). */
const hashOf = (authUrl: string) =>
  createHash('sha256').update(tokenUrlOf(authUrl)).digest().subarray(0, 16).toString('base64url')

const stateOf = {
  'keychain/missing': 'missing',
  'keychain/locked': 'locked',
  'keychain/denied': 'denied',
  'keychain/failing': 'failing',
} as const satisfies Record<KeychainError['code'], KeychainState>

/** These errors may come from a prompt on the screen, so the keychain isn't asked again for `rest` ms. */
const asksPeople = new Set<KeychainError['code']>(['keychain/locked', 'keychain/denied'])
const rest = 60_000

type KeychainRead = Result<string | null, KeychainError>

/**
 * The credentials of all profiles: in the keychain, one entry per profile and product. Without a usable keychain, in
 * memory until the app quits; never anywhere else.
 */
export class CredentialStore {
  readonly #keychain: Keychain
  readonly #entries: EntryList
  readonly #clients: Pick<KnownClients, 'isOther'>
  readonly #clock: Clock
  readonly #inMemory = new Map<string, KeychainEntry>()
  readonly #underWay = new Map<string, Promise<KeychainRead>>()
  #state: KeychainState | undefined
  #refusal: { error: KeychainError; at: number } | undefined

  constructor(keychain: Keychain, entries: EntryList, clients: Pick<KnownClients, 'isOther'>, clock: Clock) {
    this.#keychain = keychain
    this.#entries = entries
    this.#clients = clients
    this.#clock = clock
  }

  of(id: ProfileId): Credentials {
    return { read: (product, authUrl) => this.#read(id, product, authUrl) }
  }

  /** Where an account's credentials are kept, without revealing them. */
  async place(id: ProfileId, product: ServiceProduct, authUrl: string): Promise<CredentialPlace> {
    const found = await this.#read(id, product, authUrl)
    if (found.ok && found.value === null) return 'none'
    if (found.ok) return this.#inMemory.has(this.#accountOf(id, product)) ? 'memory' : 'keychain'
    if (found.error.code === 'keychain/mismatch') return 'mismatch'
    // Without a keychain there is nothing, unless there was one that took an entry.
    if (found.error.code === 'keychain/missing' && !this.#entries.has(this.#accountOf(id, product))) return 'none'
    return found.error.code === 'keychain/vanished' ? 'vanished' : 'unreadable'
  }

  /** The state of the keychain at the last request. */
  async state(): Promise<KeychainState> {
    // Before any request, reading a nonexistent entry shows whether there is a keychain.
    if (this.#state === undefined) await this.#ask('countertag')
    return this.#state ?? 'failing'
  }

  /** Call when a person is present: asks a keychain again that refused, and offers it the entries kept in memory. */
  async askAgain() {
    this.#refusal = undefined
    for (const [account, entry] of [...this.#inMemory]) await this.#write(account, entry)
  }

  /**
   * Saves credentials for this address only. Returns where they are kept. They are used once their client id is the
   * known one.
   */
  write(
    id: ProfileId,
    product: ServiceProduct,
    authUrl: string,
    credentials: ClientCredentials,
  ): Promise<CredentialPlace> {
    return this.#write(this.#accountOf(id, product), { ...credentials, for: hashOf(authUrl) })
  }

  /** After an error the keychain may still hold the credentials. They are always removed from memory. */
  async forget(id: ProfileId, product: ServiceProduct): Promise<ResultOf<null, KeychainCode>> {
    const account = this.#accountOf(id, product)
    this.#inMemory.delete(account)
    const forgotten = this.#noted(await this.#keychain.remove(account))
    // Without a keychain, nothing is left behind if none was ever used.
    const isNowhere = !forgotten.ok && forgotten.error.code === 'keychain/missing' && !this.#entries.has(account)
    if (!forgotten.ok && !isNowhere) return forgotten
    this.#entries.note(account, false)
    return ok(null)
  }

  #accountOf(id: ProfileId, product: ServiceProduct) {
    return `${id}/${product}`
  }

  #noted<T>(tried: Result<T, KeychainError>): Result<T, KeychainError> {
    this.#state = tried.ok ? 'usable' : stateOf[tried.error.code]
    this.#refusal =
      !tried.ok && asksPeople.has(tried.error.code) ? { error: tried.error, at: this.#clock.now() } : undefined
    return tried
  }

  /** One request at a time per entry, shared by all callers. */
  #ask(account: string): Promise<KeychainRead> {
    const since = this.#refusal ? this.#clock.now() - this.#refusal.at : rest
    if (this.#refusal && since >= 0 && since < rest) return Promise.resolve(err(this.#refusal.error))
    const asked =
      this.#underWay.get(account) ??
      this.#keychain
        .read(account)
        .then((tried) => this.#noted(tried))
        .finally(() => this.#underWay.delete(account))
    this.#underWay.set(account, asked)
    return asked
  }

  /** An entry in memory is newer than the keychain's: it is there because the keychain refused it. */
  async #find(account: string): Promise<ResultOf<KeychainEntry | null, KeychainCode | 'keychain/vanished'>> {
    const own = this.#inMemory.get(account)
    if (own) return ok(own)
    const found = await this.#ask(account)
    if (!found.ok) return found
    if (found.value === null) return this.#entries.has(account) ? err({ code: 'keychain/vanished' }) : ok(null)
    const entry = parseStored(KeychainEntry, found.value)
    // The entry was not written by this app.
    return entry ? ok(entry) : err({ code: 'keychain/failing' })
  }

  /** Reads an entry. Refuses an outdated one, of a keychain that was unavailable when the credentials changed. */
  async #read(
    id: ProfileId,
    product: ServiceProduct,
    authUrl: string,
  ): Promise<ResultOf<ClientCredentials | null, KeychainCode | 'keychain/vanished' | 'keychain/mismatch'>> {
    const found = await this.#find(this.#accountOf(id, product))
    if (!found.ok || found.value === null) return found
    const { clientId, clientSecret, for: address } = found.value
    if (address !== hashOf(authUrl) || this.#clients.isOther(id, product, clientId))
      return err({ code: 'keychain/mismatch' })
    return ok({ clientId, clientSecret })
  }

  async #write(account: string, entry: KeychainEntry): Promise<CredentialPlace> {
    const written = this.#noted(await this.#keychain.write(account, JSON.stringify(entry)))
    if (written.ok) {
      this.#inMemory.delete(account)
      this.#entries.note(account, true)
      return 'keychain'
    }
    this.#inMemory.set(account, entry)
    return 'memory'
  }
}

import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { AppError } from '../../src-shared/errors'
import type { CredentialPlace, KeychainState, ProfileId } from '../../src-shared/ipc/contract/station'
import { type Result, err, ok } from '../../src-shared/result'
import type { ServiceProduct } from '../../src-shared/service/token'
import type { Clock } from '../clock'
import { tokenUrlOf } from '../profile'
import { parseStored } from '../store/settings'
import type { Keychain, KeychainError } from './keychain'

export interface ClientCredentials {
  clientId: string
  clientSecret: string
}

/** Client id and secret of one profile's accounts, an entry a product. They leave it for the token request only. */
export interface Credentials {
  /**
   * Null when none are stored. `authUrl` is where they are about to go. Errors: keychain/missing, -locked, -denied,
   * -failing: they may be there, and can't be had; keychain/vanished; keychain/mismatch: they are not for that address.
   */
  read(product: ServiceProduct, authUrl: string): Promise<Result<ClientCredentials | null, AppError>>
}

/** One account a product; a product without one has no credentials. */
export type Accounts = Partial<Record<ServiceProduct, ClientCredentials>>

/** Credentials that live as long as the process: those of the practice store, which aren't secret. */
export const inMemoryCredentials = (accounts: Accounts): Credentials => ({
  read: (product) => Promise.resolve(ok(accounts[product] ?? null)),
})

/** Which accounts were put in the keychain: what is gone is told from what never was. */
export interface EntryList {
  has(account: string): boolean
  /** Never throws: it is a convenience. */
  note(account: string, isThere: boolean): void
}

/** Which client id an account had last. The service takes a report for the store of the client id that sends it. */
export interface KnownClients {
  /** Whether the account had another one; not of one that never had any. */
  isOther(id: ProfileId, product: ServiceProduct, clientId: string): boolean
  /** Errors: store/not-saved. */
  note(id: ProfileId, product: ServiceProduct, clientId: string): Result<null, AppError>
}

interface CredentialStoreParts {
  keychain: Keychain
  entries: EntryList
  clients: Pick<KnownClients, 'isOther'>
  clock: Clock
}

const Entry = z.object({
  clientId: z.string().min(1),
  clientSecret: z.string().min(1),
  /**
   * A hash of the address that they were entered for, so that editing the profile's address can't redirect them. One from
   * before there was a mark is of no known address, and is entered anew.
   */
  for: z.string().optional(),
})
type Entry = z.infer<typeof Entry>

/** Short, because an entry is: `fitsKeychain`. */
const markOf = (authUrl: string) =>
  createHash('sha256').update(tokenUrlOf(authUrl)).digest().subarray(0, 16).toString('base64url')

const stateOf = {
  'keychain/missing': 'missing',
  'keychain/locked': 'locked',
  'keychain/denied': 'denied',
  'keychain/failing': 'failing',
} as const satisfies Record<KeychainError['code'], KeychainState>

/** These may have put a question on the screen: it is not put again for so many ms, however often a token is wanted. */
const asksPeople = new Set<KeychainError['code']>(['keychain/locked', 'keychain/denied'])
const rest = 60_000

type Found = Result<string | null, KeychainError>

/**
 * The credentials of all profiles: in the keychain, one entry for each profile and product. Where there is none that can
 * be used, in memory until the app quits; never anywhere else.
 */
export function createCredentialStore({ keychain, entries, clients, clock }: CredentialStoreParts) {
  const inMemory = new Map<string, Entry>()
  const underWay = new Map<string, Promise<Found>>()
  let state: KeychainState | undefined
  let refusal: { error: KeychainError; at: number } | undefined
  const accountOf = (id: ProfileId, product: ServiceProduct) => `${id}/${product}`
  const noted = <T>(tried: Result<T, KeychainError>): Result<T, KeychainError> => {
    state = tried.ok ? 'usable' : stateOf[tried.error.code]
    refusal = !tried.ok && asksPeople.has(tried.error.code) ? { error: tried.error, at: clock.now() } : undefined
    return tried
  }

  /** One question at a time for an entry, however many want it. */
  const ask = (account: string): Promise<Found> => {
    const since = refusal ? clock.now() - refusal.at : rest
    if (refusal && since >= 0 && since < rest) return Promise.resolve(err(refusal.error))
    const asked =
      underWay.get(account) ??
      keychain
        .read(account)
        .then(noted)
        .finally(() => underWay.delete(account))
    underWay.set(account, asked)
    return asked
  }

  /** What is in memory is newer than what the keychain may hold: it was put there because the keychain took nothing. */
  const find = async (account: string): Promise<Result<Entry | null, AppError>> => {
    const own = inMemory.get(account)
    if (own) return ok(own)
    const found = await ask(account)
    if (!found.ok) return found
    if (found.value === null) return entries.has(account) ? err({ code: 'keychain/vanished' }) : ok(null)
    const entry = parseStored(Entry, found.value)
    // An entry that this app did not write.
    return entry ? ok(entry) : err({ code: 'keychain/failing' })
  }

  /** A keychain that hid an older entry for a while must not make it count again either. */
  const read = async (
    id: ProfileId,
    product: ServiceProduct,
    authUrl: string,
  ): Promise<Result<ClientCredentials | null, AppError>> => {
    const found = await find(accountOf(id, product))
    if (!found.ok || found.value === null) return found
    const { clientId, clientSecret, for: address } = found.value
    if (address !== markOf(authUrl) || clients.isOther(id, product, clientId)) return err({ code: 'keychain/mismatch' })
    return ok({ clientId, clientSecret })
  }

  const write = async (account: string, entry: Entry): Promise<CredentialPlace> => {
    const written = noted(await keychain.write(account, JSON.stringify(entry)))
    if (written.ok) {
      inMemory.delete(account)
      entries.note(account, true)
      return 'keychain'
    }
    inMemory.set(account, entry)
    return 'memory'
  }

  return {
    /** Errors of a read: those of the keychain, keychain/vanished, -mismatch. */
    of: (id: ProfileId): Credentials => ({ read: (product, authUrl) => read(id, product, authUrl) }),
    /** Where those of an account are; nothing of what they are. */
    async place(id: ProfileId, product: ServiceProduct, authUrl: string): Promise<CredentialPlace> {
      const found = await read(id, product, authUrl)
      if (found.ok && found.value === null) return 'none'
      if (found.ok) return inMemory.has(accountOf(id, product)) ? 'memory' : 'keychain'
      if (found.error.code === 'keychain/mismatch') return 'mismatch'
      return found.error.code === 'keychain/vanished' ? 'vanished' : 'unreadable'
    },
    /** The keychain as the last try found it. */
    async state(): Promise<KeychainState> {
      // Nothing is kept yet: an entry that can't be there tells whether there is a keychain at all.
      if (state === undefined) await ask('countertag')
      return state ?? 'failing'
    },
    /** A person stands by: a keychain that refused is asked anew, and is offered what memory holds for want of it. */
    async askAgain() {
      refusal = undefined
      for (const [account, entry] of [...inMemory]) await write(account, entry)
    },
    /** For this address and no other. Gives where they are kept now. They count once their client id is the known one. */
    write: (
      id: ProfileId,
      product: ServiceProduct,
      authUrl: string,
      credentials: ClientCredentials,
    ): Promise<CredentialPlace> => write(accountOf(id, product), { ...credentials, for: markOf(authUrl) }),
    /** Errors: those of the keychain, in which they may still be. In memory they are not any more. */
    async forget(id: ProfileId, product: ServiceProduct): Promise<Result<null, AppError>> {
      const account = accountOf(id, product)
      inMemory.delete(account)
      const forgotten = noted(await keychain.remove(account))
      // Without a keychain, and if none was ever used, nothing is left behind.
      const isNowhere = !forgotten.ok && forgotten.error.code === 'keychain/missing' && !entries.has(account)
      if (!forgotten.ok && !isNowhere) return forgotten
      entries.note(account, false)
      return ok(null)
    },
  }
}

export type CredentialStore = ReturnType<typeof createCredentialStore>

import { z } from 'zod'
import type { AppError } from '../../src-shared/errors'
import type { CredentialPlace, KeychainState, ProfileId } from '../../src-shared/ipc/connection-view'
import { type Result, err, ok } from '../../src-shared/result'
import type { ServiceProduct } from '../../src-shared/service/token'
import type { Clock } from '../clock'
import { parseStored } from '../store/settings'
import type { ClientCredentials, Credentials } from './credentials'
import type { Keychain, KeychainError } from './keychain'

/**
 * The credentials of all profiles: in the keychain, one entry for each profile and product. Where there is none that can
 * be used, in memory until the app quits; never anywhere else.
 */
export interface CredentialStore {
  /** Errors of a read: those of the keychain, keychain/vanished. */
  of(id: ProfileId): Credentials
  /** Where those of an account are; nothing of what they are. */
  place(id: ProfileId, product: ServiceProduct): Promise<CredentialPlace>
  /** The keychain as the last try found it. */
  state(): Promise<KeychainState>
  /** A person stands by: a keychain that refused is asked anew, and is offered what memory holds for want of it. */
  askAgain(): Promise<void>
  /** Gives where they are kept now. */
  write(id: ProfileId, product: ServiceProduct, credentials: ClientCredentials): Promise<CredentialPlace>
  /** Errors: those of the keychain, in which they may still be. */
  forget(id: ProfileId, product: ServiceProduct): Promise<Result<null, AppError>>
}

/** Which accounts were put in the keychain: what is gone is told from what never was. */
export interface EntryList {
  has(account: string): boolean
  /** Never throws: it is a convenience. */
  note(account: string, isThere: boolean): void
}

export interface CredentialStoreParts {
  keychain: Keychain
  entries: EntryList
  clock: Clock
}

const Entry = z.object({ clientId: z.string().min(1), clientSecret: z.string().min(1) })

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

export function createCredentialStore({ keychain, entries, clock }: CredentialStoreParts): CredentialStore {
  const inMemory = new Map<string, ClientCredentials>()
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
  const read = async (account: string): Promise<Result<ClientCredentials | null, AppError>> => {
    const own = inMemory.get(account)
    if (own) return ok(own)
    const found = await ask(account)
    if (!found.ok) return found
    if (found.value === null) return entries.has(account) ? err({ code: 'keychain/vanished' }) : ok(null)
    const entry = parseStored(Entry, found.value)
    // Somebody else's doing: there is an entry, and it is none of ours.
    return entry ? ok(entry) : err({ code: 'keychain/failing' })
  }

  const write = async (account: string, credentials: ClientCredentials): Promise<CredentialPlace> => {
    const written = noted(await keychain.write(account, JSON.stringify(credentials)))
    if (written.ok) {
      inMemory.delete(account)
      entries.note(account, true)
      return 'keychain'
    }
    inMemory.set(account, credentials)
    return 'memory'
  }

  return {
    of: (id) => ({ read: (product) => read(accountOf(id, product)) }),
    async place(id, product) {
      const account = accountOf(id, product)
      if (inMemory.has(account)) return 'memory'
      const found = await read(account)
      if (found.ok) return found.value === null ? 'none' : 'keychain'
      return found.error.code === 'keychain/vanished' ? 'vanished' : 'unreadable'
    },
    async state() {
      // Nothing is kept yet: an entry that can't be there tells whether there is a keychain at all.
      if (state === undefined) await ask('countertag')
      return state ?? 'failing'
    },
    async askAgain() {
      refusal = undefined
      for (const [account, credentials] of [...inMemory]) await write(account, credentials)
    },
    write: (id, product, credentials) => write(accountOf(id, product), credentials),
    async forget(id, product) {
      const account = accountOf(id, product)
      const forgotten = noted(await keychain.remove(account))
      // Only where there is no keychain, and none was ever used, is nothing left behind.
      const isNowhere = !forgotten.ok && forgotten.error.code === 'keychain/missing' && !entries.has(account)
      if (!forgotten.ok && !isNowhere) return forgotten
      inMemory.delete(account)
      entries.note(account, false)
      return ok(null)
    },
  }
}

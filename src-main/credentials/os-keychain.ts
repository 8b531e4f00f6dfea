import { type Result, err, ok } from '../../src-shared/result'
import { withTimeout } from '../core/async'
import type { Keychain, KeychainError } from './keychain'

/** The service name of Countertag's keychain entries. */
const service = 'Countertag'

/** How long a request may take, in ms: a prompt that stays open counts as a locked keychain. */
const timeout = 30_000

/**
 * Keychain (macOS), Credential Manager (Windows), Secret Service (Linux). On Linux the store is named explicitly, because
 * the library's default forgets everything when the computer restarts.
 */
export function osKeychain(): Keychain {
  // Loaded at the first use: until then the app starts without it.
  const entryOf = async (account: string) => {
    const { AsyncEntry } = await import('keytar')
    return new AsyncEntry(service, account, { linux: { store: 'secret-service' } })
  }
  const change = async (changing: Promise<unknown>) => {
    await changing
    return null
  }
  return {
    read: (account) => askLibrary(async () => (await entryOf(account)).getPassword(), timeout),
    write: (account, secret, onLate) =>
      askLibrary(async () => change((await entryOf(account)).setPassword(secret)), timeout, onLate),
    remove: (account, onLate) =>
      askLibrary(async () => change((await entryOf(account)).deletePassword()), timeout, onLate),
  }
}

/**
 * The computer's keychain, or none with `COUNTERTAG_KEYCHAIN=off`, so that tests and trials leave nothing in it. Then
 * credentials are kept in memory and the customers' key in a file, as on a computer without a keychain.
 */
export const hostKeychain = ({ COUNTERTAG_KEYCHAIN: wish }: NodeJS.ProcessEnv): Keychain =>
  wish === 'off' ? noKeychain : osKeychain()

const missing = () => Promise.resolve(err({ code: 'keychain/missing' as const }))

export const noKeychain: Keychain = { read: missing, write: missing, remove: missing }

/**
 * The library's answer, or `keychain/locked` after `ms`, because the library can't be interrupted. Calls `onLate` if the
 * library succeeds later.
 */
export async function askLibrary<T>(
  ask: () => Promise<T>,
  ms: number,
  onLate: () => void = () => undefined,
): Promise<Result<T, KeychainError>> {
  let isLate = false
  const answer = async (): Promise<Result<T, KeychainError>> => {
    try {
      const value = await ask()
      if (isLate) onLate()
      return ok(value)
    } catch (cause) {
      return err(keychainErrorOf(cause))
    }
  }
  return withTimeout(answer(), ms, () => {
    isLate = true
    return err({ code: 'keychain/locked' })
  })
}

/**
 * The error for a failure of the library, whose failures differ only in their texts. The Linux texts were collected with
 * and without a bus, without a keyring, and with a keyring that was locked or denied. The first match counts.
 */
export function keychainErrorOf(cause: unknown): KeychainError {
  const text = cause instanceof Error ? cause.message : String(cause)
  return { code: meanings.find(({ says }) => says.test(text))?.code ?? 'keychain/failing' }
}

const meanings: { says: RegExp; code: KeychainError['code'] }[] = [
  // The bus exists, but the keychain service doesn't answer.
  { says: /did not receive a reply|connection closed before/i, code: 'keychain/failing' },
  // "unlock prompt was dismissed"; macOS: "User canceled the operation", "The user name or passphrase … is not correct".
  { says: /dismissed|cancell?ed|passphrase|denied/i, code: 'keychain/denied' },
  // "object locked"; macOS: "User interaction is not allowed", for a keychain that could only be opened with a prompt.
  { says: /object locked|is locked|interaction is not allowed/i, code: 'keychain/locked' },
  // No bus; no Secret Service on the bus; no keyring to write to; Windows without a logon session.
  {
    says: /dbus error|not provided by any|provider found|no result found|no default|no keychain|default keychain|NO_SUCH_LOGON_SESSION/i,
    code: 'keychain/missing',
  },
]

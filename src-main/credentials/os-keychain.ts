import { AsyncEntry } from 'keytar'
import { type Result, err, ok } from '../../src-shared/result'
import { withTimeout } from '../async'
import type { Keychain, KeychainError } from './keychain'

/** Under which name Countertag's entries are listed in the keychain. */
const service = 'Countertag'

/** How long a question may take, in ms: a prompt that stays open counts as a locked keychain. */
const timeout = 30_000

/**
 * Keychain (macOS), Credential Manager (Windows), Secret Service (Linux). On Linux the store is named: the library's default
 * forgets everything when the computer restarts.
 */
export function osKeychain(): Keychain {
  const entryOf = (account: string) => new AsyncEntry(service, account, { linux: { store: 'secret-service' } })
  const change = async (changing: Promise<unknown>) => {
    await changing
    return null
  }
  return {
    read: (account) => askLibrary(() => entryOf(account).getPassword(), timeout),
    write: (account, secret, onLate) => askLibrary(() => change(entryOf(account).setPassword(secret)), timeout, onLate),
    remove: (account, onLate) => askLibrary(() => change(entryOf(account).deletePassword()), timeout, onLate),
  }
}

/**
 * The computer's keychain, or none with `COUNTERTAG_KEYCHAIN=off`, so that tests and trials leave nothing in it.
 * Credentials are then in memory, and the customers' key is in a file, as on a computer without a keychain.
 */
export const hostKeychain = ({ COUNTERTAG_KEYCHAIN: wish }: NodeJS.ProcessEnv): Keychain =>
  wish === 'off' ? noKeychain : osKeychain()

const missing = () => Promise.resolve(err({ code: 'keychain/missing' as const }))

export const noKeychain: Keychain = { read: missing, write: missing, remove: missing }

/**
 * The library's answer, or `keychain/locked` after `ms`: the library can't be interrupted. `onLate` is called if it succeeds
 * after that.
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
 * The error for a failure of the library, which tells its failures apart by their texts alone. The texts of Linux were
 * collected with and without a bus, without a keyring, and with one that was locked or refused. The first match counts.
 */
export function keychainErrorOf(cause: unknown): KeychainError {
  const text = cause instanceof Error ? cause.message : String(cause)
  return { code: meanings.find(({ says }) => says.test(text))?.code ?? 'keychain/failing' }
}

const meanings: { says: RegExp; code: KeychainError['code'] }[] = [
  // The bus is there, and the keychain service does not answer.
  { says: /did not receive a reply|connection closed before/i, code: 'keychain/failing' },
  // "unlock prompt was dismissed"; macOS: "User canceled the operation", "The user name or passphrase … is not correct".
  { says: /dismissed|cancell?ed|passphrase|denied/i, code: 'keychain/denied' },
  // "object locked"; macOS: "User interaction is not allowed" of a keychain that could only be opened by asking.
  { says: /object locked|is locked|interaction is not allowed/i, code: 'keychain/locked' },
  // No bus; no Secret Service on it; one without a keyring to write to; Windows without a logon session.
  {
    says: /dbus error|not provided by any|provider found|no result found|no default|no keychain|default keychain|NO_SUCH_LOGON_SESSION/i,
    code: 'keychain/missing',
  },
]

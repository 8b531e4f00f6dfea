import { AsyncEntry } from 'keytar'
import { type Result, err, ok } from '../../src-shared/result'
import type { Keychain, KeychainError } from './keychain'

/** Under which name Countertag's entries are listed in the keychain. */
const service = 'Countertag'

/** A prompt that nobody answers: the till goes on without it after so many ms. */
const patience = 30_000

/**
 * Keychain (macOS), Credential Manager (Windows), Secret Service (Linux). On Linux the store is named: left to itself, the
 * library falls back to one that forgets at the next start of the computer.
 */
export function osKeychain(): Keychain {
  const entryOf = (account: string) => new AsyncEntry(service, account, { linux: { store: 'secret-service' } })
  return {
    read: (account) => patiently(() => entryOf(account).getPassword(), patience),
    write: (account, secret, onLate) =>
      patiently(
        async () => {
          await entryOf(account).setPassword(secret)
          return null
        },
        patience,
        onLate,
      ),
    remove: (account, onLate) =>
      patiently(
        async () => {
          await entryOf(account).deletePassword()
          return null
        },
        patience,
        onLate,
      ),
  }
}

/**
 * The computer's keychain, or with `COUNTERTAG_KEYCHAIN=off` none: tests and whoever tries something out leave nothing in
 * their own. Credentials are then in memory, and the key of the customers in a file, as where there is no keychain.
 */
export const hostKeychain = ({ COUNTERTAG_KEYCHAIN: wish }: NodeJS.ProcessEnv): Keychain =>
  wish === 'off' ? noKeychain : osKeychain()

const missing = () => Promise.resolve(err({ code: 'keychain/missing' as const }))

export const noKeychain: Keychain = { read: missing, write: missing, remove: missing }

/**
 * What the keychain's library says, waited for `patience` ms: the library can't be interrupted, and a prompt that nobody
 * answers is a locked keychain. `onLate` is told when it was done after that all the same.
 */
export async function patiently<T>(
  doing: () => Promise<T>,
  patience: number,
  onLate: () => void = () => undefined,
): Promise<Result<T, KeychainError>> {
  let timer: NodeJS.Timeout | undefined
  let isTooLate = false
  const tooLong = new Promise<Result<T, KeychainError>>((resolve) => {
    timer = setTimeout(() => {
      isTooLate = true
      resolve(err({ code: 'keychain/locked' }))
    }, patience)
  })
  const answer = async (): Promise<Result<T, KeychainError>> => {
    try {
      const value = await doing()
      if (isTooLate) onLate()
      return ok(value)
    } catch (cause) {
      return err(keychainErrorOf(cause))
    }
  }
  try {
    return await Promise.race([answer(), tooLong])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * What the library said, as something to do. It tells its failures apart by their texts alone; those of Linux were read
 * off with a bus or without, a keyring or none, locked and refused. Order matters: "no result" of a bus is no keychain,
 * and no answer of one is a keychain in trouble.
 */
export function keychainErrorOf(cause: unknown): KeychainError {
  const text = cause instanceof Error ? cause.message : String(cause)
  return { code: meanings.find(({ says }) => says.test(text))?.code ?? 'keychain/failing' }
}

const meanings: { says: RegExp; code: KeychainError['code'] }[] = [
  // The bus is there, and whoever answers on it does not.
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

import type { KeychainError } from './keychain'

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

import { AsyncEntry } from 'keytar'
import type { Keychain } from './keychain'
import { patiently } from './patient'

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

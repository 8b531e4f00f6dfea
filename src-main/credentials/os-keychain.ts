import { AsyncEntry } from 'keytar'
import { type Result, err, ok } from '../../src-shared/result'
import type { Keychain, KeychainError } from './keychain'
import { keychainErrorOf } from './keychain-error'

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
    read: (account) => tried(() => entryOf(account).getPassword()),
    write: (account, secret) =>
      tried(async () => {
        await entryOf(account).setPassword(secret)
        return null
      }),
    remove: (account) =>
      tried(async () => {
        await entryOf(account).deletePassword()
        return null
      }),
  }
}

/** The library can't be interrupted: an answer that comes too late is dropped. */
async function tried<T>(doing: () => Promise<T>): Promise<Result<T, KeychainError>> {
  let timer: NodeJS.Timeout | undefined
  const tooLong = new Promise<Result<T, KeychainError>>((resolve) => {
    timer = setTimeout(() => {
      resolve(err({ code: 'keychain/locked' }))
    }, patience)
  })
  try {
    return await Promise.race([doing().then((value) => ok(value)), tooLong])
  } catch (cause) {
    return err(keychainErrorOf(cause))
  } finally {
    clearTimeout(timer)
  }
}

import type { AppErrorOf } from '../../src-shared/errors'
import { type Result, err } from '../../src-shared/result'
import { settleWithin } from '../core/async'

/** Why a keychain request failed. Each error asks a person for a different action. */
export type KeychainCode = 'keychain/missing' | 'keychain/locked' | 'keychain/denied' | 'keychain/failing'
export type KeychainError = AppErrorOf<KeychainCode>

/** The operating system's keychain, limited to this application. `account` names an entry. */
export interface Keychain {
  /** Null if the entry doesn't exist. */
  read(account: string): Promise<Result<string | null, KeychainError>>
  /** `onLate`: called if the write succeeds after an error was returned, because the prompt was answered late. */
  write(account: string, secret: string, onLate?: () => void): Promise<Result<null, KeychainError>>
  /** Removes an entry. Succeeds if there is none. */
  remove(account: string, onLate?: () => void): Promise<Result<null, KeychainError>>
}

/**
 * A keychain for the start of a till, where an open prompt must not delay the page. Once `patience` aborts, a pending
 * request returns `keychain/locked`; without a signal, every request is awaited.
 */
export function startupKeychain(keychain: Keychain, patience?: AbortSignal) {
  let late: Promise<boolean> | undefined
  const inTime = async <T>(asked: Promise<Result<T, KeychainError>>): Promise<Result<T, KeychainError>> => {
    const settled = await settleWithin(asked, Number.POSITIVE_INFINITY, patience)
    if (settled.status !== 'timeout') return asked
    late = asked.then(
      ({ ok }) => ok,
      () => false,
    )
    return err({ code: 'keychain/locked' })
  }
  const own: Keychain = {
    read: (account) => inTime(keychain.read(account)),
    write: (account, secret, onLate) => inTime(keychain.write(account, secret, onLate)),
    remove: (account, onLate) => inTime(keychain.remove(account, onLate)),
  }
  return {
    keychain: own,
    /** Resolves when a late answer arrives: true if it succeeded. Undefined if every answer came in time. */
    late: () => late,
  }
}

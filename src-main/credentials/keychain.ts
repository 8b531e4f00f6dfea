import type { AppError } from '../../src-shared/errors'
import { type Result, err } from '../../src-shared/result'
import { settleWithin } from '../async'

/** Why the keychain gave nothing, each of them something else for a person to do. */
export type KeychainError = Extract<
  AppError,
  { code: 'keychain/missing' | 'keychain/locked' | 'keychain/denied' | 'keychain/failing' }
>

/** The keychain of the operating system, for one application. An account names an entry. */
export interface Keychain {
  /** Null when there is no such entry. */
  read(account: string): Promise<Result<string | null, KeychainError>>
  /** `onLate`: called if it was written although an error was given: the prompt was answered late. */
  write(account: string, secret: string, onLate?: () => void): Promise<Result<null, KeychainError>>
  /** Also of an entry that is not there. */
  remove(account: string, onLate?: () => void): Promise<Result<null, KeychainError>>
}

/**
 * A keychain for the start of a till: a prompt that stays on the screen must not keep the page from it. Once `patience` is
 * aborted, an open question is answered with `keychain/locked`; without a signal each question is waited for.
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
    /** Resolves when the answer that came too late is there: true if it was no error. Undefined if all came in time. */
    late: () => late,
  }
}

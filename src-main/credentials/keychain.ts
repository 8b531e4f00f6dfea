import type { AppError } from '../../src-shared/errors'
import type { Result } from '../../src-shared/result'

/** Why the keychain gave nothing, each of them something else for a person to do. */
export type KeychainError = Extract<
  AppError,
  { code: 'keychain/missing' | 'keychain/locked' | 'keychain/denied' | 'keychain/failing' }
>

/** The keychain of the operating system, for one application. An account names an entry. */
export interface Keychain {
  /** Null when there is no such entry. */
  read(account: string): Promise<Result<string | null, KeychainError>>
  /** `onLate`: an error was given, and it was written after all: somebody answered the keychain's question late. */
  write(account: string, secret: string, onLate?: () => void): Promise<Result<null, KeychainError>>
  /** Also of an entry that is not there. */
  remove(account: string, onLate?: () => void): Promise<Result<null, KeychainError>>
}

import type { AppError } from '../../src-shared/errors'
import { type Result, err } from '../../src-shared/result'

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

/** A keychain for the start of a till: a question that stands on the screen must not keep the page from it. */
interface ImpatientKeychain {
  /** Says `keychain/locked` of what has no answer when the patience is over. */
  keychain: Keychain
  /** The answer that was not waited for, when it comes: whether it was one. Undefined when all came in time. */
  late(): Promise<boolean> | undefined
}

/** `over` resolves when nobody waits any longer. */
export function impatient(keychain: Keychain, over: Promise<unknown>): ImpatientKeychain {
  let late: Promise<boolean> | undefined
  const soon = <T>(asked: Promise<Result<T, KeychainError>>): Promise<Result<T, KeychainError>> =>
    new Promise((resolve, reject) => {
      let isAnswered = false
      asked.then(
        (answer) => {
          isAnswered = true
          resolve(answer)
        },
        (cause: unknown) => {
          isAnswered = true
          reject(cause instanceof Error ? cause : new Error(String(cause)))
        },
      )
      void over.then(() => {
        if (isAnswered) return
        late = asked.then(
          ({ ok }) => ok,
          () => false,
        )
        resolve(err({ code: 'keychain/locked' }))
      })
    })
  return {
    keychain: {
      read: (account) => soon(keychain.read(account)),
      write: (account, secret, onLate) => soon(keychain.write(account, secret, onLate)),
      remove: (account, onLate) => soon(keychain.remove(account, onLate)),
    },
    late: () => late,
  }
}

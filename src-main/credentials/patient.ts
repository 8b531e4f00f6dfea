import { type Result, err, ok } from '../../src-shared/result'
import type { KeychainError } from './keychain'
import { keychainErrorOf } from './keychain-error'

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

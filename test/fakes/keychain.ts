import { err, ok } from '../../src-shared/result'
import type { Keychain, KeychainError } from '../../src-main/credentials/keychain'

/** A keychain with knobs: what it holds, and what it says instead of working. */
export function fakeKeychain() {
  const entries = new Map<string, string>()
  let trouble: KeychainError | undefined
  let reads = 0
  let prompt: Promise<undefined> = Promise.resolve(undefined)
  const unlessTrouble = async <T>(doing: () => T) => {
    await prompt
    return trouble ? err(trouble) : ok(doing())
  }
  const keychain: Keychain = {
    read: (account) => {
      reads++
      return unlessTrouble(() => entries.get(account) ?? null)
    },
    write: (account, secret) =>
      unlessTrouble(() => {
        entries.set(account, secret)
        return null
      }),
    remove: (account) =>
      unlessTrouble(() => {
        entries.delete(account)
        return null
      }),
  }
  return {
    keychain,
    entries,
    /** Undefined: it works again. */
    fail: (code: KeychainError['code'] | undefined) => (trouble = code && { code }),
    /** A question stands on the screen, and nothing is answered before it is. Gives what answers it. */
    prompt() {
      const { promise, resolve } = Promise.withResolvers<undefined>()
      prompt = promise
      return () => {
        resolve(undefined)
      }
    },
    /** How often something was read, or tried to be. */
    reads: () => reads,
  }
}

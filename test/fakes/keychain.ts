import { err, ok } from '../../src-shared/result'
import type { Keychain, KeychainError } from '../../src-main/credentials/keychain'

/** A keychain with knobs: what it holds, and what it says instead of working. */
export function fakeKeychain() {
  const entries = new Map<string, string>()
  let trouble: KeychainError | undefined
  let reads = 0
  const unlessTrouble = <T>(doing: () => T) => Promise.resolve(trouble ? err(trouble) : ok(doing()))
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
    /** How often something was read, or tried to be. */
    reads: () => reads,
  }
}

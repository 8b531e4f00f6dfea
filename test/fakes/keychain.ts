import { err, ok } from '../../src-shared/result'
import type { Keychain, KeychainError } from '../../src-main/credentials/keychain'

/** A keychain with knobs: its content, and its failures. */
export function fakeKeychain() {
  const entries = new Map<string, string>()
  let trouble: KeychainError | undefined
  let reads = 0
  let prompt: Promise<undefined> = Promise.resolve(undefined)
  const unlessTrouble = async <T>(doing: () => T) => {
    await prompt
    return trouble ? err(trouble) : ok(doing())
  }
  let late: Promise<undefined> | undefined
  /** A change while a question is open: fails at once, but is made when the question is answered. */
  const madeLate = (doing: () => void, onLate: (() => void) | undefined) => {
    void late?.then(doing).then(onLate)
    late = undefined
    return Promise.resolve(err({ code: 'keychain/locked' as const }))
  }
  const keychain: Keychain = {
    read: (account) => {
      reads++
      return unlessTrouble(() => entries.get(account) ?? null)
    },
    write(account, secret, onLate) {
      const set = () => void entries.set(account, secret)
      if (late) return madeLate(set, onLate)
      return unlessTrouble(() => {
        set()
        return null
      })
    },
    remove(account, onLate) {
      const drop = () => void entries.delete(account)
      if (late) return madeLate(drop, onLate)
      return unlessTrouble(() => {
        drop()
        return null
      })
    },
  }
  return {
    keychain,
    entries,
    /** Undefined: the keychain works again. */
    fail: (code: KeychainError['code'] | undefined) => (trouble = code && { code }),
    /**
     * A question is on the screen, and the keychain answers nothing before the person does. Returns the function that
     * answers it.
     */
    prompt() {
      const { promise, resolve } = Promise.withResolvers<undefined>()
      prompt = promise
      return () => {
        resolve(undefined)
      }
    },
    /**
     * The next change gets no answer in time, but is made anyway. Returns a function that answers it and waits for the
     * effects.
     */
    answerLate() {
      const { promise, resolve } = Promise.withResolvers<undefined>()
      late = promise
      return async () => {
        resolve(undefined)
        await new Promise((settled) => setImmediate(settled))
      }
    },
    /** How often something was read, or tried to be. */
    reads: () => reads,
  }
}

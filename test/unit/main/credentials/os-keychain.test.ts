import { describe, expect, it } from 'vitest'
import { askLibrary } from '../../../../src-main/credentials/os-keychain'

describe('waiting for the keychain', () => {
  it('returns the answer or the error that arrives in time', async () => {
    let late = 0
    const onLate = () => late++
    expect(await askLibrary(() => Promise.resolve('secret'), 60_000, onLate)).toEqual({ ok: true, value: 'secret' })
    const refused = () => Promise.reject(new Error('prompt was dismissed'))
    expect(await askLibrary(refused, 60_000, onLate)).toEqual({ ok: false, error: { code: 'keychain/denied' } })
    expect(late).toBe(0)
  })

  it('reports a locked keychain after the timeout, and announces a late answer but not a late refusal', async () => {
    const { promise: told, resolve: onLate } = Promise.withResolvers<undefined>()
    const { promise: answered, resolve: answer } = Promise.withResolvers<string>()
    const locked = { ok: false, error: { code: 'keychain/locked' } }
    expect(
      await askLibrary(
        () => answered,
        0,
        () => onLate(undefined),
      ),
    ).toEqual(locked)
    answer('at last')
    await told

    const question = Promise.withResolvers<string>()
    let late = 0
    expect(
      await askLibrary(
        () => question.promise,
        0,
        () => late++,
      ),
    ).toEqual(locked)
    question.reject(new Error('prompt was dismissed'))
    await expect(question.promise).rejects.toThrow('dismissed')
    expect(late).toBe(0)
  })
})

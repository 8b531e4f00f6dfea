import { beforeEach, describe, expect, it } from 'vitest'
import { type CredentialStore, createCredentialStore } from '../../../../src-main/credentials/store'
import { type HandClock, handClock } from '../../../fakes/clock'
import { fakeKeychain } from '../../../fakes/keychain'

const ours = { clientId: 'till-7', clientSecret: 'hush' }
const newer = { clientId: 'till-7', clientSecret: 'hush hush' }

describe('the credentials of a station', () => {
  let fake: ReturnType<typeof fakeKeychain>
  let noted: Set<string>
  let clock: HandClock
  let store: CredentialStore
  const start = () =>
    createCredentialStore({
      keychain: fake.keychain,
      clock,
      entries: {
        has: (account) => noted.has(account),
        note: (account, isThere) => {
          if (isThere) noted.add(account)
          else noted.delete(account)
        },
      },
    })
  beforeEach(() => {
    fake = fakeKeychain()
    noted = new Set()
    clock = handClock()
    store = start()
  })
  const read = () => store.of('shop').read('retail')

  it('are in the keychain, an entry for each profile and product, and there after a restart', async () => {
    expect(await store.write('shop', 'retail', ours)).toBe('keychain')
    await store.write('other', 'retail', newer)
    store = start()
    expect(await read()).toEqual({ ok: true, value: ours })
    expect([...fake.entries.keys()]).toEqual(['shop/retail', 'other/retail'])
    expect([await store.place('shop', 'retail'), await store.place('shop', 'sourcing')]).toEqual(['keychain', 'none'])
    expect(await store.of('shop').read('sourcing')).toEqual({ ok: true, value: null })
  })

  it.each(['missing', 'locked', 'denied', 'failing'] as const)(
    'are kept in memory while the keychain is %s, and it says so',
    async (trouble) => {
      fake.fail(`keychain/${trouble}`)
      expect(await store.state()).toBe(trouble)
      expect(await read()).toEqual({ ok: false, error: { code: `keychain/${trouble}` } })
      expect(await store.place('shop', 'retail')).toBe('unreadable')
      expect(await store.write('shop', 'retail', ours)).toBe('memory')
      expect(await read()).toEqual({ ok: true, value: ours })
      expect([await store.place('shop', 'retail'), await store.state()]).toEqual(['memory', trouble])
      store = start()
      expect((await read()).ok).toBe(false)
    },
  )

  it('in memory are those that count, whatever older ones the keychain holds, and go into it when it works', async () => {
    await store.write('shop', 'retail', ours)
    fake.fail('keychain/locked')
    await store.write('shop', 'retail', newer)
    fake.fail(undefined)
    expect(await read()).toEqual({ ok: true, value: newer })
    await store.askAgain()
    expect(await store.place('shop', 'retail')).toBe('keychain')
    expect(fake.entries.get('shop/retail')).toBe(JSON.stringify(newer))
  })

  it.each(['locked', 'denied'] as const)(
    'put no second question when the keychain is %s, until a person asks or a minute has passed',
    async (trouble) => {
      await store.write('shop', 'retail', ours)
      fake.fail(`keychain/${trouble}`)
      const before = fake.reads()
      for (let n = 0; n < 30; n++) expect((await read()).ok).toBe(false)
      expect(fake.reads() - before).toBe(1)
      fake.fail(undefined)
      expect((await read()).ok).toBe(false)
      clock.advance(60_000)
      expect((await read()).ok).toBe(true)

      fake.fail(`keychain/${trouble}`)
      await read()
      fake.fail(undefined)
      await store.askAgain()
      expect((await read()).ok).toBe(true)
    },
  )

  it('put one question for many who want them at once', async () => {
    await store.write('shop', 'retail', ours)
    const before = fake.reads()
    await Promise.all([read(), read(), read()])
    expect(fake.reads() - before).toBe(1)
  })

  it('that vanished are told from those that never were', async () => {
    await store.write('shop', 'retail', ours)
    fake.entries.clear()
    store = start()
    expect(await read()).toEqual({ ok: false, error: { code: 'keychain/vanished' } })
    expect(await store.place('shop', 'retail')).toBe('vanished')
    await store.write('shop', 'retail', newer)
    expect(await read()).toEqual({ ok: true, value: newer })
  })

  it.each([
    ['nothing', ''],
    ['no JSON', 'hush'],
    ['something else', '{"user":"x"}'],
    ['an empty secret', '{"clientId":"x","clientSecret":""}'],
    ['a list', '[]'],
    ['null', 'null'],
  ])('are unreadable when the entry holds %s, and stay where they are', async (_what, entry) => {
    fake.entries.set('shop/retail', entry)
    expect(await read()).toEqual({ ok: false, error: { code: 'keychain/failing' } })
    expect(await store.place('shop', 'retail')).toBe('unreadable')
    expect(fake.entries.get('shop/retail')).toBe(entry)
  })

  it('are forgotten by name, and not while the keychain that holds them refuses', async () => {
    await store.write('shop', 'retail', ours)
    fake.fail('keychain/locked')
    expect(await store.forget('shop', 'retail')).toEqual({ ok: false, error: { code: 'keychain/locked' } })
    fake.fail(undefined)
    expect((await store.forget('shop', 'retail')).ok).toBe(true)
    expect([fake.entries.size, await store.place('shop', 'retail')]).toEqual([0, 'none'])
  })

  it.each(['locked', 'denied', 'failing'] as const)(
    'are not called forgotten while the keychain is %s, though nobody noted that it holds them',
    async (trouble) => {
      await store.write('shop', 'retail', ours)
      noted.clear()
      fake.fail(`keychain/${trouble}`)
      expect(await store.forget('shop', 'retail')).toEqual({ ok: false, error: { code: `keychain/${trouble}` } })
      fake.fail(undefined)
      expect((await store.forget('shop', 'retail')).ok).toBe(true)
      expect(fake.entries.size).toBe(0)
    },
  )

  it('are forgotten where there is no keychain', async () => {
    fake.fail('keychain/missing')
    await store.write('shop', 'retail', ours)
    expect((await store.forget('shop', 'retail')).ok).toBe(true)
    expect(await store.place('shop', 'retail')).toBe('unreadable')
  })
})

import { beforeEach, describe, expect, it } from 'vitest'
import { CredentialStore } from '../../../../src-main/credentials/store'
import { type HandClock, handClock } from '../../../fakes/clock'
import { fakeKeychain } from '../../../fakes/keychain'

const ours = { clientId: 'till-7', clientSecret: 'hush' }
const authUrl = 'https://auth.test/retail'
const newer = { clientId: 'till-7', clientSecret: 'hush hush' }

describe('the credentials of a station', () => {
  let fake: ReturnType<typeof fakeKeychain>
  let noted: Set<string>
  let known: string | undefined
  let clock: HandClock
  let store: CredentialStore
  const start = () =>
    new CredentialStore(
      fake.keychain,
      {
        has: (account) => noted.has(account),
        note: (account, isThere) => {
          if (isThere) noted.add(account)
          else noted.delete(account)
        },
      },
      { isOther: (_id, _product, clientId) => known !== undefined && clientId !== known },
      clock,
    )
  beforeEach(() => {
    fake = fakeKeychain()
    noted = new Set()
    known = undefined
    clock = handClock()
    store = start()
  })
  const read = () => store.of('shop').read('retail', authUrl)

  it('are kept in the keychain after a restart, one entry for each profile and product', async () => {
    expect(await store.write('shop', 'retail', authUrl, ours)).toBe('keychain')
    await store.write('other', 'retail', authUrl, newer)
    store = start()
    expect(await read()).toEqual({ ok: true, value: ours })
    expect([...fake.entries.keys()]).toEqual(['shop/retail', 'other/retail'])
    expect([await store.place('shop', 'retail', authUrl), await store.place('shop', 'sourcing', authUrl)]).toEqual([
      'keychain',
      'none',
    ])
    expect(await store.of('shop').read('sourcing', authUrl)).toEqual({ ok: true, value: null })
  })

  it.each(['missing', 'locked', 'denied', 'failing'] as const)(
    'are kept in memory while the keychain is %s, and the store reports its state',
    async (trouble) => {
      fake.fail(`keychain/${trouble}`)
      expect(await store.state()).toBe(trouble)
      expect(await read()).toEqual({ ok: false, error: { code: `keychain/${trouble}` } })
      // Where there is no keychain, it can't hold them.
      expect(await store.place('shop', 'retail', authUrl)).toBe(trouble === 'missing' ? 'none' : 'unreadable')
      expect(await store.write('shop', 'retail', authUrl, ours)).toBe('memory')
      expect(await read()).toEqual({ ok: true, value: ours })
      expect([await store.place('shop', 'retail', authUrl), await store.state()]).toEqual(['memory', trouble])
      store = start()
      expect((await read()).ok).toBe(false)
    },
  )

  it('in memory replace older ones in the keychain, and are written there once it works', async () => {
    await store.write('shop', 'retail', authUrl, ours)
    fake.fail('keychain/locked')
    await store.write('shop', 'retail', authUrl, newer)
    fake.fail(undefined)
    expect(await read()).toEqual({ ok: true, value: newer })
    await store.askAgain()
    expect(await store.place('shop', 'retail', authUrl)).toBe('keychain')
    expect(fake.entries.get('shop/retail')).toContain('"hush hush"')
  })

  it.each(['locked', 'denied'] as const)(
    "don't ask a keychain that is %s again, until a person asks or a minute has passed",
    async (trouble) => {
      await store.write('shop', 'retail', authUrl, ours)
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

  it('are read once for simultaneous requests', async () => {
    await store.write('shop', 'retail', authUrl, ours)
    const before = fake.reads()
    await Promise.all([read(), read(), read()])
    expect(fake.reads() - before).toBe(1)
  })

  it.each(['keychain', 'memory'] as const)(
    'in the %s are valid only for the address they were entered for',
    async (where) => {
      if (where === 'memory') fake.fail('keychain/missing')
      expect(await store.write('shop', 'retail', authUrl, ours)).toBe(where)
      for (const other of ['https://auth.test', 'https://evil.test/retail', 'https://auth.test/retail/more']) {
        expect(await store.of('shop').read('retail', other)).toEqual({
          ok: false,
          error: { code: 'keychain/mismatch' },
        })
        expect(await store.place('shop', 'retail', other)).toBe('mismatch')
      }
      // The same address, in another spelling.
      expect(await store.of('shop').read('retail', 'https://AUTH.test:443/retail')).toEqual({ ok: true, value: ours })
      expect(await read()).toEqual({ ok: true, value: ours })
    },
  )

  it.each(['keychain', 'memory'] as const)('in the %s are valid only for the latest client id', async (where) => {
    if (where === 'memory') fake.fail('keychain/missing')
    await store.write('shop', 'retail', authUrl, ours)
    known = 'another'
    expect(await read()).toEqual({ ok: false, error: { code: 'keychain/mismatch' } })
    known = ours.clientId
    expect(await read()).toEqual({ ok: true, value: ours })
  })

  it('without an address must be entered again', async () => {
    fake.entries.set('shop/retail', JSON.stringify(ours))
    expect(await read()).toEqual({ ok: false, error: { code: 'keychain/mismatch' } })
    await store.write('shop', 'retail', authUrl, ours)
    expect(await read()).toEqual({ ok: true, value: ours })
  })

  it('that have vanished are distinguished from ones that were never stored', async () => {
    await store.write('shop', 'retail', authUrl, ours)
    fake.entries.clear()
    store = start()
    expect(await read()).toEqual({ ok: false, error: { code: 'keychain/vanished' } })
    expect(await store.place('shop', 'retail', authUrl)).toBe('vanished')
    await store.write('shop', 'retail', authUrl, newer)
    expect(await read()).toEqual({ ok: true, value: newer })
  })

  it.each([
    ['nothing', ''],
    ["a text that isn't JSON", 'hush'],
    ['something else', '{"user":"x"}'],
    ['an empty secret', '{"clientId":"x","clientSecret":""}'],
    ['a list', '[]'],
    ['null', 'null'],
  ])('are unreadable if the entry holds %s, and the entry is kept', async (_what, entry) => {
    fake.entries.set('shop/retail', entry)
    expect(await read()).toEqual({ ok: false, error: { code: 'keychain/failing' } })
    expect(await store.place('shop', 'retail', authUrl)).toBe('unreadable')
    expect(fake.entries.get('shop/retail')).toBe(entry)
  })

  it('are forgotten by name, but not while the keychain that holds them refuses', async () => {
    await store.write('shop', 'retail', authUrl, ours)
    fake.fail('keychain/locked')
    expect(await store.forget('shop', 'retail')).toEqual({ ok: false, error: { code: 'keychain/locked' } })
    fake.fail(undefined)
    expect((await store.forget('shop', 'retail')).ok).toBe(true)
    expect([fake.entries.size, await store.place('shop', 'retail', authUrl)]).toEqual([0, 'none'])
  })

  it.each(['missing', 'locked'] as const)(
    'in memory are forgotten at once, even if the keychain, which is %s, may hold older ones',
    async (trouble) => {
      await store.write('shop', 'retail', authUrl, ours)
      fake.fail(`keychain/${trouble}`)
      await store.write('shop', 'retail', authUrl, newer)
      expect((await store.forget('shop', 'retail')).ok).toBe(false)
      expect(await read()).toEqual({ ok: false, error: { code: `keychain/${trouble}` } })
    },
  )

  it.each(['locked', 'denied', 'failing'] as const)(
    'are not reported as forgotten while the keychain is %s, even without a note of an entry',
    async (trouble) => {
      await store.write('shop', 'retail', authUrl, ours)
      noted.clear()
      fake.fail(`keychain/${trouble}`)
      expect(await store.forget('shop', 'retail')).toEqual({ ok: false, error: { code: `keychain/${trouble}` } })
      fake.fail(undefined)
      expect((await store.forget('shop', 'retail')).ok).toBe(true)
      expect(fake.entries.size).toBe(0)
    },
  )

  it('are forgotten if there is no keychain', async () => {
    fake.fail('keychain/missing')
    await store.write('shop', 'retail', authUrl, ours)
    expect((await store.forget('shop', 'retail')).ok).toBe(true)
    expect(await store.place('shop', 'retail', authUrl)).toBe('none')
  })

  it('may still be in a keychain that is gone', async () => {
    await store.write('shop', 'retail', authUrl, ours)
    fake.fail('keychain/missing')
    expect(await store.place('shop', 'retail', authUrl)).toBe('unreadable')
  })
})

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startOther } from './other-service'
import { type Shop, openShop } from './shop'

describe('client id and secret of a connection', { timeout: 60_000 }, () => {
  let shop: Shop
  beforeEach(async () => {
    shop = await openShop()
  })
  afterEach(async () => {
    await shop.close()
  })
  const orders = async () => (await shop.knobs.transactions()).map(({ orderId }) => orderId)

  it.each(['missing', 'locked', 'denied', 'failing'] as const)(
    'keep sales going while the keychain is %s, and all sales are sent once the keychain works',
    async (trouble) => {
      const id = await shop.setUp()
      shop.keychain.fail(`keychain/${trouble}`)
      await shop.ask('profile.use', { id })
      const [a = '', b = ''] = shop.sellable(2)
      expect(await shop.sell('1', [a])).toMatchObject({ state: 'queued', reason: { code: `keychain/${trouble}` } })
      await shop.sell('2', [b])
      expect(await shop.ask('app.status', undefined)).toMatchObject({
        unsent: 2,
        attention: 0,
        connection: { state: 'credentials-missing' },
      })
      // The keyring is unlocked and the connection tested; the till then notices by itself.
      shop.keychain.fail(undefined)
      expect(await shop.test(id)).toContain('account-retail passed')
      await shop.until(({ unsent }) => unsent === 0)
      expect((await orders()).sort()).toEqual(['1', '2'])
    },
  )

  it('keep sales if their keychain entry vanished, which are sent once the credentials are entered again', async () => {
    const id = await shop.setUp()
    shop.keychain.entries.clear()
    await shop.ask('profile.use', { id })
    expect(await shop.sell('1', shop.sellable(1))).toMatchObject({
      state: 'queued',
      reason: { code: 'keychain/vanished' },
    })
    expect((await shop.ask('profile.settings', undefined)).profiles).toMatchObject([
      { credentials: { retail: 'vanished' } },
    ])
    await shop.restart()
    await shop.ask('profile.setCredentials', { id, product: 'retail', credentials: shop.credentials })
    await shop.until(({ unsent }) => unsent === 0)
    expect(await orders()).toEqual(['1'])
  })

  it('stay in memory until the app closes if there is no keychain; then sales wait for them', async () => {
    shop.keychain.fail('keychain/missing')
    const id = await shop.setUp()
    expect(await shop.ask('profile.settings', undefined)).toMatchObject({
      keychain: 'missing',
      profiles: [{ credentials: { retail: 'memory' } }],
    })
    await shop.ask('profile.use', { id })
    const [a = '', b = ''] = shop.sellable(2)
    expect(await shop.sell('1', [a])).toMatchObject({ state: 'accepted' })
    await shop.restart()
    expect(await shop.sell('2', [b])).toMatchObject({ state: 'queued', reason: { code: 'keychain/missing' } })
    await shop.ask('profile.setCredentials', { id, product: 'retail', credentials: shop.credentials })
    await shop.until(({ unsent }) => unsent === 0)
    expect(await orders()).toEqual(['1', '2'])
  })

  it('can be replaced by another client id while reports wait only if a person confirms the same store', async () => {
    const id = await shop.setUp()
    await shop.ask('profile.use', { id })
    await shop.knobs.setFaults({ offline: true })
    await shop.sell('1', shop.sellable(1))
    const account = { id, product: 'retail' as const }
    const other = { ...account, credentials: { clientId: 'shop-elsewhere', clientSecret: 'hush-elsewhere' } }
    const refused = { code: 'profile/other-account', count: 1 }
    expect(await shop.refused('profile.setCredentials', other)).toEqual(refused)
    // Forgetting the previous client id, losing it in the keychain, or a restart doesn't change that.
    await shop.ask('profile.forgetCredentials', account)
    expect(await shop.refused('profile.setCredentials', other)).toEqual(refused)
    await shop.restart(() => {
      shop.keychain.entries.clear()
    })
    expect(await shop.refused('profile.setCredentials', other)).toEqual(refused)

    // The same client id is accepted with any secret, and another one if a person confirms the same store.
    await shop.ask('profile.setCredentials', {
      ...account,
      credentials: { ...shop.credentials, clientSecret: 'hush-new' },
    })
    await shop.ask('profile.setCredentials', { ...other, isSameStore: true })
    await shop.ask('profile.setCredentials', { ...account, credentials: shop.credentials, isSameStore: true })
    await shop.knobs.setFaults({})
    await shop.until(({ unsent }) => unsent === 0)
    expect(await orders()).toEqual(['1'])
    // If no report waits, no confirmation is needed.
    await shop.ask('profile.setCredentials', other)
    expect(readFileSync(join(shop.dataDir, 'station.json'), 'utf8')).not.toContain('shop-elsewhere')
  })

  it('are not used if a keychain that was locked returns the previous client id after a restart', async () => {
    const id = await shop.setUp()
    const other = { clientId: 'shop-elsewhere', clientSecret: 'hush-elsewhere' }
    shop.keychain.fail('keychain/locked')
    const kept = await shop.ask('profile.setCredentials', { id, product: 'retail', credentials: other })
    expect(kept.profiles).toMatchObject([{ credentials: { retail: 'memory' } }])
    shop.keychain.fail(undefined)
    await shop.restart()
    await shop.ask('profile.use', { id })
    expect(await shop.sell('1', shop.sellable(1))).toMatchObject({
      state: 'queued',
      reason: { code: 'keychain/mismatch' },
    })
    expect(await orders()).toEqual([])
    // The client id may belong to another store, so it needs the same confirmation.
    const again = { id, product: 'retail' as const, credentials: shop.credentials }
    expect(await shop.refused('profile.setCredentials', again)).toEqual({ code: 'profile/other-account', count: 1 })
    await shop.ask('profile.setCredentials', { ...again, isSameStore: true })
    await shop.until(({ unsent }) => unsent === 0)
    expect(await orders()).toEqual(['1'])
  })

  it('send no sale under another client id that was saved while the keychain asked', async () => {
    const id = await shop.setUp()
    await shop.ask('profile.use', { id })
    const other = { clientId: 'shop-elsewhere', clientSecret: 'hush-elsewhere' }
    const answer = shop.keychain.prompt()
    const setting = shop.refused('profile.setCredentials', { id, product: 'retail', credentials: other })
    await shop.knobs.setFaults({ offline: true })
    await shop.sell('1', shop.sellable(1))
    answer()
    expect(await setting).toEqual({ code: 'profile/other-account', count: 1 })
    await shop.knobs.setFaults({})
    expect(await shop.test(id)).toContain('account-retail failed keychain/mismatch')
    await shop.ask('profile.setCredentials', { id, product: 'retail', credentials: shop.credentials })
    await shop.until(({ unsent }) => unsent === 0)
    expect(await orders()).toEqual(['1'])
  })

  it('are sent to no other server, even if the connection file is changed to name one while the till is closed', async () => {
    const id = await shop.setUp()
    await shop.ask('profile.use', { id })
    const other = await startOther()
    const file = join(shop.dataDir, 'station.json')
    const whole = readFileSync(file, 'utf8')
    try {
      await shop.restart(() => {
        const moved = whole.replace(/("retailAuthUrl": )"[^"]*"/, `$1"${other.url}"`)
        expect(moved).not.toBe(whole)
        writeFileSync(file, moved)
      })
      expect(await shop.sell('1', shop.sellable(1))).toMatchObject({
        state: 'queued',
        reason: { code: 'keychain/mismatch' },
      })
      expect(await shop.test(id)).toContain('account-retail failed keychain/mismatch')
      expect((await shop.ask('profile.settings', undefined)).profiles).toMatchObject([
        { credentials: { retail: 'mismatch' } },
      ])
      expect(other.asked).toEqual([])
      // With the original file, the credentials work again.
      await shop.restart(() => {
        writeFileSync(file, whole)
      })
      await shop.until(({ unsent }) => unsent === 0)
      expect([await orders(), other.asked]).toEqual([['1'], []])
    } finally {
      await other.close()
    }
  })

  it('are forgotten once their account has moved, but not if the disk refuses the change', async () => {
    const id = await shop.setUp()
    const secrets = () => [...shop.keychain.entries.keys()].filter((one) => one.endsWith('/shop/retail'))
    const moved = { id, profile: shop.form({ retailAuthUrl: 'http://127.0.0.1:9' }) }
    // A folder in the place of the new file blocks even root.
    const inTheWay = join(shop.dataDir, 'station.json.new')
    mkdirSync(inTheWay)
    expect((await shop.call('profile.save', moved)).ok).toBe(false)
    rmSync(inTheWay, { recursive: true })
    expect(secrets()).toHaveLength(1)
    expect(await shop.test(id)).toContain('account-retail passed')

    expect((await shop.ask('profile.save', moved)).profiles).toMatchObject([
      { profile: { retailAuthUrl: 'http://127.0.0.1:9' }, credentials: { retail: 'none' } },
    ])
    expect(secrets()).toEqual([])
  })

  it.each(['missing', 'locked'] as const)(
    'stay unused at the new address if their account moves while the keychain is %s',
    async (trouble) => {
      const id = await shop.setUp()
      const other = await startOther()
      try {
        shop.keychain.fail(`keychain/${trouble}`)
        await shop.ask('profile.setCredentials', { id, product: 'retail', credentials: shop.credentials })
        await shop.ask('profile.save', { id, profile: shop.form({ retailAuthUrl: other.url }) })
        expect(await shop.test(id)).toContain(`account-retail failed keychain/${trouble}`)
        shop.keychain.fail(undefined)
        expect(await shop.test(id)).toContain('account-retail failed keychain/mismatch')
        expect(other.asked).toEqual([])
      } finally {
        await other.close()
      }
    },
  )
})

import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { startOther } from './other-service'
import { type Shop, openShop } from './shop'
import { outcomeOf } from '../core/outcome'

describe('a station with its own connection', { timeout: 60_000 }, () => {
  let shop: Shop
  beforeEach(async () => {
    shop = await openShop()
  })
  afterEach(async () => {
    await shop.close()
  })
  const orders = async () => (await shop.knobs.transactions()).map(({ orderId }) => orderId)

  it('is set up, tested and used; practice and shop never mix, and switching back finds each unchanged', async () => {
    expect(await shop.ask('profile.settings', undefined)).toEqual({
      active: 'practice',
      profiles: [],
      allowsOthers: true,
      allowsPractice: true,
      keychain: 'usable',
      problem: null,
    })
    const [practised = '', sold = ''] = shop.sellable(2)
    await shop.sell('P-1', [practised])
    const id = await shop.setUp()
    expect(await shop.test(id)).toEqual([
      'address passed',
      'sign-in-retail passed',
      'account-retail passed',
      'rights-retail passed',
      'clock passed',
    ])
    expect(shop.steps.map(({ step }) => step)).toEqual([
      'address',
      'sign-in-retail',
      'account-retail',
      'rights-retail',
      'clock',
    ])

    await shop.ask('profile.use', { id })
    expect(shop.reopened()).toBe(1)
    expect((await shop.ask('app.status', undefined)).profile).toEqual({ kind: 'test', name: 'Shop' })
    expect(await shop.sell('10482', [sold])).toMatchObject({ state: 'accepted' })
    expect(await orders()).toEqual(['10482'])

    await shop.ask('profile.use', { id: 'practice' })
    expect(await shop.sell('P-2', [sold])).toMatchObject({ state: 'accepted' })
    const { orders: known } = await shop.ask('checkout.orders', {
      filter: { days: null, state: null, budtenderId: null, text: '' },
      before: null,
    })
    expect(known.map(({ orderId }) => orderId).sort()).toEqual(['P-1', 'P-2'])
    expect(await orders()).toEqual(['10482'])

    await shop.restart()
    expect((await shop.ask('app.status', undefined)).profile.kind).toBe('practice')
    await shop.ask('profile.use', { id })
    await shop.restart()
    expect((await shop.ask('app.status', undefined)).profile.kind).toBe('test')
    expect(await shop.sell('10483', [practised])).toMatchObject({ state: 'accepted' })
    expect(await orders()).toEqual(['10482', '10483'])
  })

  it('reports the problem of each step of a test, and skips the steps that depend on it', async () => {
    const id = await shop.setUp()
    const found = ['address passed', 'sign-in-retail passed']
    const rest = ['rights-retail skipped', 'clock skipped']
    for (const trouble of ['missing', 'locked', 'denied', 'failing'] as const) {
      shop.keychain.fail(`keychain/${trouble}`)
      expect(await shop.test(id)).toEqual([...found, `account-retail failed keychain/${trouble}`, ...rest])
    }
    shop.keychain.fail(undefined)

    const { entries } = shop.keychain
    const account = [...entries.keys()].find((one) => one.endsWith('/shop/retail')) ?? ''
    const entry = entries.get(account) ?? ''
    entries.clear()
    expect(await shop.test(id)).toEqual([...found, 'account-retail failed keychain/vanished', ...rest])
    entries.set(account, 'garbage')
    expect(await shop.test(id)).toEqual([...found, 'account-retail failed keychain/failing', ...rest])
    entries.set(account, entry)

    const wrong = { ...shop.credentials, clientSecret: 'not the secret' }
    await shop.ask('profile.setCredentials', { id, product: 'retail', credentials: wrong })
    expect(await shop.test(id)).toEqual([...found, 'account-retail failed service/credentials-refused', ...rest])
    await shop.ask('profile.setCredentials', { id, product: 'retail', credentials: shop.credentials })

    await shop.knobs.setFaults({ offline: true })
    expect(await shop.test(id)).toEqual([
      'address failed connection/address refused',
      'sign-in-retail failed connection/address refused',
      'account-retail skipped',
      ...rest,
    ])
    await shop.knobs.setFaults({})

    shop.setClockAhead(5 * 60_000)
    expect(await shop.test(id)).toEqual([...found, 'account-retail passed', 'rights-retail passed', 'clock failed'])
    const offset = shop.steps.at(-1)?.offset ?? 0
    expect(Math.round(offset / 60_000)).toBe(-5)
    shop.setClockAhead(0)

    const never = await shop.ask('profile.save', { id: null, profile: shop.form({ name: 'Other' }) })
    expect(never.profiles.map((one) => one.credentials.retail)).toEqual(['keychain', 'none'])
    expect(await shop.test('other')).toEqual([...found, 'account-retail failed service/credentials-missing', ...rest])
    expect(await shop.refused('profile.test', { id: 'unknown' })).toEqual({ code: 'profile/unknown' })
    expect(await shop.refused('profile.use', { id: 'unknown' })).toEqual({ code: 'profile/unknown' })
    expect(await shop.knobs.transactions()).toEqual([])
  })

  it('does not accept another web server as the service, and measures no clock without a time from the service', async () => {
    const pages = createServer((_request, response) => {
      response.sendDate = false
      response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not here</h1>')
    })
    await new Promise<void>((listening) => pages.listen(0, '127.0.0.1', listening))
    try {
      const { port } = z.object({ port: z.number() }).parse(pages.address())
      const id = await shop.setUp({ baseUrl: `http://127.0.0.1:${port}/totally/wrong` })
      expect(await shop.test(id)).toEqual([
        'address failed connection/address server',
        'sign-in-retail passed',
        'account-retail passed',
        'rights-retail skipped',
        'clock skipped',
      ])
    } finally {
      pages.close()
    }
  })

  it('keeps its unsent reports while another connection is used, sends them to no other service, and continues when it is back', async () => {
    const id = await shop.setUp()
    await shop.ask('profile.use', { id })
    await shop.knobs.setFaults({ offline: true })
    await shop.sell('1', shop.sellable(1))
    await shop.ask('profile.use', { id: 'practice' })
    expect(await shop.ask('app.status', undefined)).toMatchObject({ unsent: 0, profile: { kind: 'practice' } })
    await shop.knobs.setFaults({})
    await shop.ask('profile.use', { id })
    await shop.until(({ unsent }) => unsent === 0)
    expect(await orders()).toEqual(['1'])
  })

  it('keeps its address while reports for it wait or were refused, in use or not; the reports never reach another service', async () => {
    const id = await shop.setUp()
    await shop.ask('profile.use', { id })
    const other = await startOther()
    try {
      const elsewhere = { id, profile: shop.form({ baseUrl: other.url, retailAuthUrl: other.url }) }
      await shop.knobs.setFaults({ offline: true })
      await shop.sell('1', shop.sellable(1))
      const reopened = shop.reopened()
      expect(await shop.refused('profile.save', elsewhere)).toEqual({ code: 'profile/unsent', count: 1 })
      expect(shop.reopened()).toBe(reopened)
      await shop.ask('profile.use', { id: 'practice' })
      expect(await shop.refused('profile.save', elsewhere)).toEqual({ code: 'profile/unsent', count: 1 })
      await shop.restart()
      expect(await shop.refused('profile.save', elsewhere)).toEqual({ code: 'profile/unsent', count: 1 })
      // At the same address but for another dispensary, also in two steps.
      for (const dispensaryId of ['another-dispensary', null]) {
        const moved = { id, profile: shop.form({ dispensaryId }) }
        expect(await shop.refused('profile.save', moved)).toEqual({ code: 'profile/unsent', count: 1 })
      }
      // Settings that don't change the service can be edited meanwhile.
      expect((await shop.ask('profile.save', { id, profile: shop.form({ name: 'Renamed' }) })).problem).toBeNull()

      // A database that can't be read may contain any report.
      const database = join(shop.dataDir, 'shop', 'countertag.db')
      renameSync(database, `${database}.away`)
      writeFileSync(database, 'rubbish')
      expect(await shop.refused('profile.save', elsewhere)).toEqual({ code: 'profile/unreadable-data' })
      renameSync(`${database}.away`, database)

      await shop.knobs.setFaults({})
      await shop.ask('profile.use', { id })
      await shop.until(({ unsent }) => unsent === 0)
      expect(await orders()).toEqual(['1'])
      // Already sold on its own till, so it is refused and needs review.
      await shop.ask('profile.save', { id, profile: shop.form() })
      const { id: operationId } = await shop.ask('checkout.void', {
        orderId: 'never-sold',
        approval: { reason: 'Test' },
      })
      expect(await outcomeOf(shop, operationId)).toMatchObject({ state: 'rejected' })
      expect(await shop.refused('profile.save', elsewhere)).toEqual({ code: 'profile/unsent', count: 1 })
      await shop.ask('outbox.dismiss', { operationId, reason: 'a try' })
      expect(other.asked).toEqual([])
      await shop.ask('profile.save', elsewhere)
      expect((await shop.ask('profile.settings', undefined)).profiles).toMatchObject([
        { profile: { baseUrl: other.url } },
      ])
    } finally {
      await other.close()
    }
  })

  it("can't be used to get around the PIN: half a file, a changed file or no file leaves the till locked", async () => {
    await shop.setUp()
    await shop.ask('security.setPin', { pin: '4711' })
    const file = join(shop.dataDir, 'station.json')
    const whole = readFileSync(file, 'utf8')
    const without = (text: string) => {
      const settings: unknown = JSON.parse(text)
      return JSON.stringify({ ...z.looseObject({}).parse(settings), security: { pin: null, autoLockMinutes: 240 } })
    }
    const spoilt: [string, string | null][] = [
      ['the PIN taken out', without(whole)],
      ['the lock taken out', whole.replace('"security"', '"was"')],
      ['half of it', whole.slice(0, whole.length / 2)],
      ['nothing in it', ''],
      ['gone', null],
    ]
    for (const [what, content] of spoilt) {
      await shop.restart(() => {
        if (content === null) rmSync(file, { force: true })
        else writeFileSync(file, content)
      })
      expect(await shop.ask('security.view', undefined), what).toMatchObject({ hasPin: true, isLocked: true })
      expect(await shop.refused('security.setPin', { pin: null }), what).toEqual({ code: 'security/locked' })
      expect(await shop.refused('profile.use', { id: 'practice' }), what).toEqual({ code: 'security/locked' })
      expect(await shop.ask('security.unlock', { pin: '4711' }), what).toMatchObject({ isLocked: false })
    }
    await shop.ask('security.setPin', { pin: null })
    await shop.restart()
    expect(await shop.ask('security.view', undefined)).toMatchObject({ hasPin: false })
  })

  it('can be removed with its credentials when it is not in use, and its data stays', async () => {
    const id = await shop.setUp()
    await shop.ask('profile.use', { id })
    expect(await shop.refused('profile.remove', { id })).toEqual({ code: 'profile/active' })
    await shop.ask('profile.use', { id: 'practice' })
    shop.keychain.fail('keychain/locked')
    expect(await shop.refused('profile.remove', { id })).toEqual({ code: 'keychain/locked' })
    shop.keychain.fail(undefined)
    expect((await shop.ask('profile.remove', { id })).profiles).toEqual([])
    expect([...shop.keychain.entries.keys()].filter((one) => one.endsWith('/shop/retail'))).toEqual([])
    expect(readFileSync(join(shop.dataDir, 'shop', 'countertag.db')).length).toBeGreaterThan(0)
    const again = await shop.ask('profile.save', { id: null, profile: shop.form() })
    expect(again.profiles.map((one) => one.id)).toEqual(['shop-2'])
  })

  it('sends the SKU of an import only if the connection allows it, and keeps what was entered', async () => {
    const id = await shop.setUp({ sendsSku: false })
    await shop.ask('profile.use', { id })
    const nextCase = async (posProductId: string) => {
      for (const packageUid of shop.packages()) {
        const view = await shop.ask('receiving.package', { packageUid })
        const found = view.cases.find((one) => one.importState.kind === 'to-import')?.case
        const product = found?.packagedProducts[0]
        if (found && product) {
          const names = { packageUid, caseId: found.caseId, packagedProductId: product.packagedProductId }
          return { ...names, posProductId, posInventoryId: 'INV-1' }
        }
      }
      throw new Error('no case to import')
    }
    const first = await nextCase('ours-1')
    expect(await shop.ask('receiving.import', { ...first, sku: 'SKU-1', approval: { reason: 'Test' } })).toMatchObject({
      state: 'accepted',
    })
    await shop.ask('profile.save', { id, profile: shop.form({ sendsSku: true }) })
    const second = await nextCase('ours-2')
    expect(second.caseId).not.toBe(first.caseId)
    expect(await shop.ask('receiving.import', { ...second, sku: 'SKU-2', approval: { reason: 'Test' } })).toMatchObject(
      {
        state: 'accepted',
      },
    )
    expect(shop.skuAtService('ours-1')).toEqual({ sku: null })
    expect(shop.skuAtService('ours-2')).toEqual({ sku: 'SKU-2' })
    const history = await shop.ask('receiving.exportHistory', {
      filter: { from: null, to: null, text: '' },
    })
    expect(history.lines.map(({ sku }) => sku)).toContain('SKU-1')
  })
})

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { openStation } from '../../../src-main/station/station'
import { type Shop, openShop } from './shop'

const resourcesDir = join(import.meta.dirname, '../../../resources')

describe('the customers of a station', { timeout: 60_000 }, () => {
  let shop: Shop
  beforeEach(async () => {
    shop = await openShop()
  })
  afterEach(async () => {
    await shop.close()
  })
  const sellTo = async (customerId: string, orderId: string, tagId = '') => {
    await shop.ask('checkout.setCustomer', { mode: 'sale', customerId })
    return shop.sell(orderId, [tagId])
  }
  /** A sale that was saved while the service could not be reached. */
  const saleThatWaits = async () => {
    const id = await shop.setUp()
    await shop.ask('profile.use', { id })
    await shop.knobs.setFaults({ offline: true })
    await sellTo('MEDICAL-00417', '1', shop.sellable(1)[0])
    return id
  }

  it('are sent with their sales even if the keychain was locked at startup', async () => {
    const id = await saleThatWaits()
    shop.keychain.fail('keychain/locked')
    await shop.restart()
    await shop.knobs.setFaults({})
    expect(await shop.refused('customer.export', { customerId: 'MEDICAL-00417' })).toEqual({ code: 'keychain/locked' })
    shop.keychain.fail(undefined)
    await shop.test(id)
    await shop.until(({ unsent }) => unsent === 0)
    expect(shop.hadCustomers()).toEqual([1])
    const file = await shop.ask('customer.export', { customerId: 'MEDICAL-00417' })
    expect(JSON.parse(file.text)).toMatchObject({ reports: [{ orderId: '1', state: 'accepted' }] })
  })

  it("are sent with their sales if the keychain's question is answered long after startup", async () => {
    await saleThatWaits()
    await shop.ask('security.setPin', { pin: '4711' })
    let answer: (() => void) | undefined
    await shop.restart(() => {
      answer = shop.keychain.prompt()
    })
    await shop.knobs.setFaults({})
    // The till is open and sells meanwhile.
    await sellTo('MEDICAL-00418', '2', shop.sellable(2)[0])
    expect(shop.hadCustomers()).toEqual([])
    answer?.()
    await shop.until(({ unsent, attention }) => unsent + attention === 0)
    expect(shop.hadCustomers()).toEqual([1, 1])
    expect(await shop.ask('security.view', undefined)).toMatchObject({ hasPin: true, isLocked: true })
  })

  it('are left out only if a person decides so after their key is lost', async () => {
    await saleThatWaits()
    for (const account of shop.keychain.entries.keys()) {
      if (account.endsWith('/data-key')) shop.keychain.entries.delete(account)
    }
    await shop.restart()
    await shop.knobs.setFaults({})
    await shop.until(({ attention }) => attention === 1)
    expect(shop.hadCustomers()).toEqual([])
    const { operations: attention } = await shop.ask('outbox.list', { show: 'attention' })
    expect(attention).toMatchObject([{ state: 'rejected', reason: { code: 'outbox/customer-lost' } }])
    for (const { id } of attention) await shop.ask('outbox.retry', { operationId: id })
    await shop.until(({ unsent, attention: open }) => unsent + open === 0)
    expect(shop.hadCustomers()).toEqual([0])
  })

  it('and the secrets of two stations of one user have separate keychain entries', async () => {
    await saleThatWaits()
    const before = new Map(shop.keychain.entries)
    const dataDir = mkdtempSync(join(tmpdir(), 'countertag second '))
    // An operator gives both stations the same connection file. Files made by hand have no station number.
    const file = join(dataDir, 'station.json')
    const { stationId, ...settings } = z
      .looseObject({ stationId: z.uuid() })
      .parse(JSON.parse(readFileSync(join(shop.dataDir, 'station.json'), 'utf8')))
    writeFileSync(file, JSON.stringify({ ...settings, inKeychain: [], operatorsNote: 'hush-operator' }))
    const open = () => openStation({ dataDir, resourcesDir, version: '0', keychain: shop.keychain.keychain })
    const second = await open()
    try {
      const found = await second.handlers['profile.settings'](undefined)
      expect(found).toMatchObject({ ok: true, value: { profiles: [{ credentials: { retail: 'none' } }] } })
      const forgotten = await second.handlers['profile.forgetCredentials']({ id: 'shop', product: 'retail' })
      expect(forgotten.ok).toBe(true)
      const told = await second.handlers['support.diagnostics'](undefined)
      expect(JSON.stringify(told)).toContain('127.0.0.1')
      expect(JSON.stringify(told)).not.toContain('hush-operator')
    } finally {
      await second.close()
      rmSync(dataDir, { recursive: true })
    }
    for (const [account, secret] of before) {
      expect(account.startsWith(`${stationId}/`)).toBe(true)
      expect(shop.keychain.entries.get(account)).toBe(secret)
    }
    expect([...shop.keychain.entries.keys()].filter((one) => one.endsWith('/data-key'))).toHaveLength(2)
  })
})

import { mkdtempSync, readFileSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { removeFolder } from '../../remove-folder'
import { killedStation } from './killed-station'
import { openShop } from './shop'

const pins = ['47110815', '90210421']
const customers = ['customer-7f3a91', 'customer-c04b55']
const wrong = { clientId: 'wrong-client-5f1e', clientSecret: 'wrong-secret-9c3a' }

/** Every file below a folder. */
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

describe('a station that is killed in the middle of its day', { timeout: 300_000 }, () => {
  it('leaves no secret, no PIN and no customer in any file, on stdout or on stderr', async () => {
    const shop = await openShop()
    const dataDir = mkdtempSync(join(tmpdir(), 'countertag killed ü '))
    const till = killedStation(dataDir)
    onTestFinished(async () => {
      await till.kill()
      await shop.close()
      await removeFolder(dataDir)
    })
    const [a = '', b = '', c = '', d = ''] = shop.sellable(4)
    const sell = async (orderId: string, tagId: string, customerId: string | undefined) => {
      await till.ask('checkout.setOrder', { mode: 'sale', orderId })
      if (customerId !== undefined) await till.ask('checkout.setCustomer', { mode: 'sale', customerId })
      await till.invoke('checkout.addItem', { mode: 'sale', tagId })
      const { itemCount, revision } = await till.ask('checkout.cart', { mode: 'sale' })
      return till.ask('checkout.finish', { mode: 'sale', orderId, itemCount, revision })
    }
    const found: string[] = []
    const secrets = [
      shop.credentials.clientId,
      shop.credentials.clientSecret,
      ...Object.values(wrong),
      ...pins,
      ...customers,
    ]
    const formsOf = (one: string) => [
      one,
      encodeURIComponent(one),
      Buffer.from(one).toString('base64').replace(/=+$/, ''),
      Buffer.from(one, 'utf16le').toString('latin1'),
    ]
    const forms = new Set(secrets.flatMap(formsOf))
    const look = (where: string, text: string) => {
      for (const one of forms) if (text.includes(one)) found.push(`${where}: ${one.slice(0, 12)}`)
    }
    const lookAround = () => {
      const files = filesIn(dataDir)
      for (const file of files) look(file, readFileSync(file, 'latin1'))
      look('stdout or stderr', till.said())
      return files
    }

    const drained = () =>
      vi.waitUntil(async () => (await till.ask('app.status', undefined)).unsent === 0, {
        timeout: 60_000,
        interval: 100,
      })

    // First run: a connection, a PIN right and wrong, sales with customers, refusals, and an outage with a sale.
    await till.start()
    const { profiles } = await till.ask('profile.save', { id: null, profile: shop.form() })
    const id = profiles[0]?.id ?? ''
    await till.ask('profile.setCredentials', { id, product: 'retail', credentials: wrong })
    await till.ask('profile.test', { id })
    await till.ask('profile.setCredentials', { id, product: 'retail', credentials: shop.credentials })
    await till.ask('profile.use', { id })
    await till.ask('security.setPin', { pin: pins[0] ?? '' })
    await till.ask('security.lock', undefined)
    expect((await till.invoke('security.unlock', { pin: pins[1] })).ok).toBe(false)
    await sell('1', a, customers[0])
    await drained()
    expect((await till.invoke('checkout.void', { orderId: 'never-sold', approval: { reason: 'Test' } })).ok).toBe(true)
    await shop.knobs.setFaults({ rules: [{ kind: 'status', code: 500 }] })
    await sell('2', b, customers[1])
    await shop.knobs.setFaults({ rules: [{ kind: 'latency', ms: 5_000 }] })
    // Invalid input: the answer names the field, and the log contains none of its text.
    for (const input of [{ pin: { of: pins } }, { pin: [pins[0]] }]) await till.invoke('security.unlock', input)
    await till.invoke('checkout.setCustomer', { mode: 'sale', customerId: { name: customers[0] } })
    await till.ask('checkout.setCustomer', { mode: 'sale', customerId: customers[1] ?? '' })
    await till.invoke('checkout.addItem', { mode: 'sale', tagId: c })
    // The process is killed with a report on the wire and a cart half full.
    const underWay = till.invoke('outbox.sendNow', undefined)
    void underWay.catch(() => undefined)
    await till.kill()
    await shop.knobs.setFaults({})
    expect(lookAround().some((file) => file.endsWith('countertag.db-wal'))).toBe(true)

    // Second run: it continues, exports everything that can be exported, and is closed, which makes a backup.
    await till.start()
    expect(await till.ask('security.view', undefined)).toMatchObject({ isLocked: true })
    await till.ask('security.unlock', { pin: pins[0] ?? '' })
    await drained()
    expect((await shop.knobs.transactions()).map(({ orderId }) => orderId)).toEqual(['1', '2'])
    await sell('3', d, customers[0])
    const filter = { from: null, to: null, text: '' }
    const handedOut = [
      await till.ask('outbox.export', undefined),
      await till.ask('support.diagnostics', undefined),
      await till.ask('receiving.exportHistory', { filter }),
    ]
    for (const file of handedOut) look(file.fileName, JSON.stringify(file))
    await till.ask('security.setPin', { pin: pins[1] ?? '' })
    await till.close()
    const files = lookAround()
    expect(files.some((file) => file.includes('/backups/'))).toBe(true)
    expect(files.some((file) => file.endsWith('countertag.log'))).toBe(true)
    expect(found).toEqual([])

    // Checks that the search finds a text that is there.
    for (const one of secrets) look('here', `x${one}x`)
    expect(found.length).toBeGreaterThanOrEqual(secrets.length)
  })
})

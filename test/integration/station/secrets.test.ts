import { mkdirSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { z } from 'zod'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openStation } from '../../../src-main/station/station'
import { type Shop, openShop } from './shop'

/** A request as undici announces it. */
const Sent = z.object({ request: z.object({ headers: z.unknown() }) })

/** Every file below a folder. */
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

describe('client id, secret and token', { timeout: 60_000 }, () => {
  let shop: Shop
  /** Every token that went on the wire. */
  let tokens: Set<string>
  const listen = (message: unknown) => {
    const { request } = Sent.parse(message)
    const [, token] = /Bearer ([\w-]+)/.exec(JSON.stringify(request.headers)) ?? []
    if (token !== undefined) tokens.add(token)
  }
  beforeEach(async () => {
    tokens = new Set()
    subscribe('undici:request:create', listen)
    shop = await openShop()
  })
  afterEach(async () => {
    unsubscribe('undici:request:create', listen)
    await shop.close()
  })

  const wrong = { clientId: 'wrong-client-5f1e', clientSecret: 'wrong-secret-9c3a' }

  /** A day with everything that uses the secrets: entered right and wrong, used, refused, exported, cut off. */
  const session = async () => {
    const { credentials } = shop
    const [a = '', b = '', c = ''] = shop.sellable(3)
    const id = await shop.setUp()
    await shop.test(id)
    await shop.ask('profile.use', { id })
    await shop.sell('1', [a])
    await shop.knobs.setFaults({ offline: true })
    await shop.sell('2', [b])
    await shop.test(id)
    await shop.knobs.setFaults({})
    await shop.knobs.expireTokens()
    await shop.until(({ unsent }) => unsent === 0)
    await shop.ask('profile.setCredentials', { id, product: 'retail', credentials: wrong })
    await shop.sell('3', [c])
    await shop.test(id)
    shop.keychain.fail('keychain/failing')
    await shop.test(id)
    // Invalid input: the answer names the field, and contains none of its text.
    const bad: unknown[] = [
      { clientId: { text: credentials.clientSecret }, clientSecret: [credentials.clientSecret] },
      { clientId: '', clientSecret: credentials.clientSecret.padEnd(3_000, 'x') },
    ]
    for (const one of bad) {
      const answer = await shop.invoke('profile.setCredentials', { id, product: 'retail', credentials: one })
      expect(answer).toMatchObject({ ok: false, error: { code: 'ipc/invalid-input' } })
    }
    await shop.call('profile.setCredentials', { id: 'unknown', product: 'retail', credentials })
    shop.keychain.fail(undefined)
    await shop.ask('profile.setCredentials', { id, product: 'retail', credentials, isSameStore: true })
    await shop.until(({ unsent }) => unsent === 0)
    await shop.ask('outbox.export', undefined)
    await shop.ask('support.diagnostics', undefined)
    return id
  }

  it('appear in no file, no answer and no event of a whole session', async () => {
    await session()
    expect((await shop.knobs.transactions()).map(({ orderId }) => orderId)).toEqual(['1', '2', '3'])
    expect(tokens.size).toBeGreaterThan(2)
    const secrets = [
      shop.credentials.clientId,
      shop.credentials.clientSecret,
      wrong.clientSecret,
      wrong.clientId,
      ...tokens,
    ]
    // Also as encoded in URLs, in Basic headers and in forms.
    const formsOf = (one: string) => [
      one,
      encodeURIComponent(one),
      Buffer.from(one).toString('base64').replace(/=+$/, ''),
      Buffer.from(one, 'utf16le').toString('latin1'),
    ]
    const forms = new Set(secrets.flatMap(formsOf))
    const found: string[] = []
    const look = (where: string, text: string) => {
      for (const one of forms) if (text.includes(one)) found.push(`${where}: ${one.slice(0, 12)}`)
    }

    // Searched twice: while the till runs, as after a power cut, and after it was closed.
    const files = filesIn(shop.dataDir)
    expect(files.some((file) => file.endsWith('countertag.db-wal'))).toBe(true)
    for (const file of files) look(file, readFileSync(file, 'latin1'))
    await shop.restart()
    for (const file of filesIn(shop.dataDir)) look(file, readFileSync(file, 'latin1'))
    expect(shop.heard.length).toBeGreaterThan(20)
    for (const answer of shop.heard) look('an answer', answer)
    expect(found).toEqual([])

    // Checks that the search finds a text that is there.
    look('here', `x${shop.credentials.clientSecret}x`)
    expect(found).toHaveLength(1)
  })

  it('do not appear in the message of a failed start', async () => {
    const folder = join(shop.dataDir, 'broken')
    mkdirSync(join(folder, 'station.json'), { recursive: true })
    const start = openStation({
      dataDir: folder,
      resourcesDir: join(import.meta.dirname, '../../../resources'),
      version: '0',
      keychain: shop.keychain.keychain,
    })
    const told = await start.then(
      () => 'it started',
      (cause: unknown) => String(cause),
    )
    expect(told).toContain('station.json')
    expect(told).not.toContain(shop.credentials.clientSecret)
  })
})

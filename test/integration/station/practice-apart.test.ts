import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type Shop, openShop } from './shop'

/** Events between practice and the first real sale. `shop` and `practice` switch to that profile. */
type Happening = 'shop' | 'practice' | 'restart' | 'network back' | 'send now'

describe('practice data', { timeout: 120_000 }, () => {
  let shop: Shop
  beforeEach(async () => {
    shop = await openShop()
  })
  afterEach(async () => {
    await shop.close()
  })

  /** Reads the file of a profile that is not in use, because the profile in use locks its file. */
  const operationsIn = (profile: string): string[] => {
    const db = new Sqlite(join(shop.dataDir, profile, 'countertag.db'), { readonly: true })
    try {
      return z
        .array(z.object({ id: z.string() }))
        .parse(db.prepare('SELECT id FROM operation ORDER BY seq').all())
        .map(({ id }) => id)
    } finally {
      db.close()
    }
  }
  /** The orders of the voids saved in a profile that is not in use. */
  const ordersIn = (profile: string): string[] => {
    const db = new Sqlite(join(shop.dataDir, profile, 'countertag.db'), { readonly: true })
    try {
      return z
        .array(z.string())
        .parse(db.prepare(`SELECT payload ->> 'orderId' FROM operation ORDER BY seq`).pluck().all())
    } finally {
      db.close()
    }
  }
  const isPractising = async () => (await shop.ask('app.status', undefined)).profile.kind === 'practice'

  /** An import, a sale and a void in the practice store, none of them sent. */
  const practise = async (tagId: string) => {
    const [packageUid = ''] = shop.packages()
    const { cases } = await shop.ask('receiving.package', { packageUid })
    const found = cases.find(({ importState }) => importState.kind === 'to-import')?.case
    const product = found?.packagedProducts[0]
    if (!found || !product) throw new Error('no case to practise with')
    await shop.ask('practice.setFault', { fault: 'offline' })
    await shop.ask('receiving.import', {
      caseId: found.caseId,
      packagedProductId: product.packagedProductId,
      packageUid,
      posProductId: 'P',
      posInventoryId: 'I',
    })
    await shop.sell('practised', [tagId])
    await shop.ask('checkout.void', { orderId: 'some other order', approval: { reason: 'Test' } })
    expect(await shop.ask('app.status', undefined)).toMatchObject({ unsent: 3, attention: 0 })
  }

  const happen = async (happening: Happening, id: string) => {
    if (happening === 'shop') await shop.ask('profile.use', { id })
    else if (happening === 'practice') await shop.ask('profile.use', { id: 'practice' })
    else if (happening === 'restart') await shop.restart()
    else if (happening === 'send now') await shop.ask('outbox.sendNow', undefined)
    else if (await isPractising()) await shop.ask('practice.setFault', { fault: 'none' })
  }

  it.each<[string, Happening[]]>([
    ['the switch alone', ['shop', 'send now']],
    ['a restart before it', ['restart', 'shop', 'send now']],
    ['restarts after it', ['shop', 'restart', 'send now', 'restart']],
    ['a restart between two switches', ['shop', 'restart', 'practice', 'restart', 'shop', 'send now']],
    ['switches to and fro', ['shop', 'practice', 'shop', 'practice', 'shop', 'send now']],
    ['the network back while practising', ['network back', 'shop', 'send now']],
    ['the network back at the second visit', ['shop', 'practice', 'network back', 'send now', 'shop', 'restart']],
  ])('never reaches the real service: %s', async (_what, happenings) => {
    const id = await shop.setUp()
    const [tagId = ''] = shop.sellable(1)
    const importsBefore = await shop.knobs.imports()
    await practise(tagId)
    const { operations } = await shop.ask('outbox.list', { show: 'waiting' })
    const practised = operations.map(({ id: operationId }): string => operationId)
    expect(practised).toHaveLength(3)

    for (const happening of happenings) await happen(happening, id)
    expect(await isPractising()).toBe(false)
    // The real service would accept any report, even for the item that was sold in practice.
    expect(await shop.sell('10482', [tagId])).toMatchObject({ state: 'accepted' })

    expect((await shop.knobs.transactions()).map(({ orderId }) => orderId)).toEqual(['10482'])
    expect(await shop.knobs.imports()).toEqual(importsBefore)
    const changes = (await shop.knobs.requests()).filter(
      ({ method, path }) => method !== 'GET' && !path.includes('/o/token'),
    )
    expect(changes).toHaveLength(1)

    expect(operationsIn('practice')).toEqual(practised)
    await shop.ask('profile.use', { id: 'practice' })
    const real = operationsIn(id)
    expect(real).toHaveLength(1)
    expect(practised).not.toContain(real[0])
    expect(readdirSync(shop.dataDir)).toEqual(expect.arrayContaining(['practice', id]))
  })

  it('is not repeated in the shop: a call made before the switch is complete is refused', async () => {
    const id = await shop.setUp()
    await shop.ask('practice.setFault', { fault: 'slow' })
    const first = shop.call('checkout.void', { orderId: 'on the wire', approval: { reason: 'Test' } })
    await shop.until(() => shop.station.sending() > 0)
    const switching = shop.call('profile.use', { id })
    const sameTick = shop.call('checkout.void', { orderId: 'in the same tick', approval: { reason: 'Test' } })
    await new Promise((resolve) => setTimeout(resolve, 200))
    const waiting = await shop.call('checkout.void', { orderId: 'while it switches', approval: { reason: 'Test' } })

    expect(await switching).toEqual({ ok: true, value: null })
    expect(waiting).toEqual({ ok: false, error: { code: 'app/reopened' } })
    expect(await first).toMatchObject({ ok: true })
    // Saved in practice or not, the answer was correct.
    const practised = ordersIn('practice')
    expect(practised).toContain('on the wire')
    expect((await sameTick).ok).toBe(practised.includes('in the same tick'))
    expect(practised).not.toContain('while it switches')
    const { operations } = await shop.ask('outbox.list', { show: 'waiting' })
    expect(operations).toEqual([])
    expect(await shop.knobs.transactions()).toEqual([])
    // The next void is made in the shop, and counts.
    expect(await shop.call('checkout.void', { orderId: '10482', approval: { reason: 'Test' } })).toMatchObject({
      ok: true,
    })
  })

  it('saved just before the switch is answered as saved', async () => {
    const id = await shop.setUp()
    const saved = shop.call('checkout.void', { orderId: 'just before', approval: { reason: 'Test' } })
    const switching = shop.call('profile.use', { id })
    expect(await saved).toMatchObject({ ok: true, value: { orderId: 'just before' } })
    expect(await switching).toEqual({ ok: true, value: null })
    expect(ordersIn('practice')).toEqual(['just before'])
  })

  it('is used after a start with --profile practice, whatever was used last, and the shop keeps its data', async () => {
    const id = await shop.setUp()
    await shop.ask('profile.use', { id })
    await shop.restart(undefined, 'practice')
    expect(await isPractising()).toBe(true)
    // The flag applies to one start only; the next start opens the shop.
    await shop.restart()
    expect(await isPractising()).toBe(false)
    await shop.restart(undefined, 'practice')
    expect(await isPractising()).toBe(true)
    const { active } = await shop.ask('profile.settings', undefined)
    expect(active).toBe('practice')
    await shop.ask('profile.use', { id })
    expect(await isPractising()).toBe(false)
  })

  it('waits in the practice store, and is sent to the practice service at the next practice', async () => {
    const id = await shop.setUp()
    await practise(shop.sellable(1)[0] ?? '')
    await shop.ask('profile.use', { id })
    expect(await shop.ask('app.status', undefined)).toMatchObject({ unsent: 0, profile: { kind: 'test' } })
    await shop.ask('profile.use', { id: 'practice' })
    await shop.ask('practice.setFault', { fault: 'none' })
    await shop.until(({ unsent }) => unsent === 0)
    expect(await shop.knobs.transactions()).toEqual([])
  })
})

describe('the first start', { timeout: 60_000 }, () => {
  let shop: Shop
  beforeEach(async () => {
    shop = await openShop()
  })
  afterEach(async () => {
    await shop.close()
  })
  const isNew = async () => (await shop.ask('station.welcome', undefined)).isNew

  it('is over once the welcome is answered or a connection is set up, also after a restart', async () => {
    expect(await isNew()).toBe(true)
    await shop.restart()
    expect(await isNew()).toBe(true)
    await shop.ask('station.welcomed', undefined)
    expect(await isNew()).toBe(false)
    await shop.restart()
    expect(await isNew()).toBe(false)
  })

  it('is over for a station with a connection, whether or not the welcome was answered', async () => {
    await shop.setUp()
    expect(await isNew()).toBe(false)
  })

  it('keeps the progress of the guide in the practice data: across restarts, and not in a shop', async () => {
    const nothing = { startedAt: null, done: [], isOpen: false }
    expect(await shop.ask('practice.guide', undefined)).toEqual(nothing)
    const progress = { startedAt: '2026-11-12T14:02:11.000Z', done: ['package' as const], isOpen: true }
    await shop.ask('practice.setGuide', progress)
    await shop.restart()
    expect(await shop.ask('practice.guide', undefined)).toEqual(progress)
    const id = await shop.setUp()
    await shop.ask('profile.use', { id })
    expect(await shop.refused('practice.guide', undefined)).toEqual({ code: 'practice/not-active' })
    expect(await shop.refused('practice.setGuide', progress)).toEqual({ code: 'practice/not-active' })
  })
})

import { isDeepStrictEqual } from 'node:util'
import { describe, expect, it } from 'vitest'
import type { GateLevels } from '../../../src-shared/gates'
import type { CheckoutSettings } from '../../../src-shared/ipc/contract/checkout'
import { ok } from '../../../src-shared/result'
import { situation } from '../../hub/store'
import { useStore } from '../../hub/use-store'
import type { Station } from '../core/station'

const store = useStore()

const board = (station: Station) =>
  expect.poll(async () => {
    const { stations } = await station.ask('hub.presence', undefined)
    return stations.map(({ name, isThis, isGone }) => [name, isThis, isGone])
  })

describe('the stations of a store', () => {
  it('are listed at each, with what they say of themselves', async () => {
    const [one, two] = [await store.station('Front 1'), await store.station('Back room')]
    await board(two).toEqual([
      ['Back room', true, false],
      ['Front 1', false, false],
    ])
    await expect
      .poll(async () => {
        const { stations } = await one.ask('hub.presence', undefined)
        return stations.map(({ version, heartbeat }) => [version, heartbeat?.unsent])
      })
      .toEqual([
        ['0.0.0-test', 0],
        ['0.0.0-test', 0],
      ])
  })

  it('are removed once they are not heard, never before; one that comes back joins again', async () => {
    const [one, two] = [await store.station('Front 1'), await store.station('Front 2')]
    await board(one).toHaveLength(2)
    const id = (await one.ask('hub.presence', undefined)).stations.find(({ isThis }) => !isThis)?.id ?? ''
    expect(await one.refused('hub.removeStation', { id })).toEqual({ code: 'hub/station-there' })
    // Off, so that it doesn't say meanwhile that it is there.
    await two.restart(async () => {
      await store.sql(`UPDATE countertag.station SET seen_at = now() - interval '8 days' WHERE id = '${id}'`)
      const after = await one.ask('hub.removeStation', { id })
      expect(after.stations.map(({ name }) => name)).toEqual(['Front 1'])
    })
    await situation(two, 'online')
    await board(one).toHaveLength(2)
  })

  it('are listed as they were read last while the hub does not answer', async () => {
    const one = await store.station('Front 1')
    await board(one).toHaveLength(1)
    await store.stop()
    await situation(one, 'offline')
    expect((await one.ask('hub.presence', undefined)).stations).toHaveLength(1)
    expect(await one.refused('hub.removeStation', { id: '3f1c0a3e-8a58-4b57-9b50-2f2a5b8f2a11' })).toEqual({
      code: 'hub/unreachable',
    })
    await store.start()
    await situation(one, 'online')
  })

  it('are listed without what they say if that can’t be read', async () => {
    const one = await store.station('Front 1')
    await board(one).toHaveLength(1)
    await store.sql(
      `INSERT INTO countertag.station (id, name, version, says) VALUES (gen_random_uuid(), 'Newer', '9.0.0', '{"mood": 3}')`,
    )
    await expect
      .poll(async () => (await one.ask('hub.presence', undefined)).stations.find(({ name }) => name === 'Newer'))
      .toMatchObject({ heartbeat: null, version: '9.0.0' })
  })
})

describe('settings of a store', () => {
  const settingsOf = (station: Station) => station.ask('checkout.settings', undefined)
  const set = async (station: Station, change: Partial<CheckoutSettings>) =>
    station.ask('checkout.setSettings', { ...(await settingsOf(station)), ...change })
  const maya = { id: 'badge-1', name: 'Maya' }
  const noor = { id: 'badge-2', name: 'Noor' }

  it('are the same at all stations: budtenders, rules and limits', async () => {
    const [one, two] = [await store.station('Front 1'), await store.station('Front 2')]
    await set(one, { budtenders: [maya], requiresBudtender: true })
    await expect.poll(() => settingsOf(two)).toMatchObject({ budtenders: [maya], requiresBudtender: true })
    await two.ask('outbox.setLimits', { ...(await two.ask('outbox.limits', undefined)), count: 7 })
    await expect.poll(async () => (await one.ask('outbox.limits', undefined)).count).toBe(7)
    await set(two, { budtenders: [maya, noor] })
    await expect.poll(async () => (await settingsOf(one)).budtenders).toEqual([maya, noor])
  })

  it('include what the gates want', async () => {
    const syncsAt = () => {
      let levels: GateLevels = {}
      const use = (next: GateLevels) => {
        levels = next
        return ok(null)
      }
      return { read: () => levels, use, setAll: () => ok(levels) }
    }
    const [first, second] = [syncsAt(), syncsAt()]
    first.use({ void: 'pin' })
    await store.station('Front 1', 'warn', first)
    const two = await store.station('Front 2', 'warn', second)
    await expect.poll(() => second.read()).toEqual({ void: 'pin' })
    second.use({ void: 'ask', 'take-out': 'pin' })
    await two.restart()
    await expect.poll(() => first.read()).toEqual({ void: 'ask', 'take-out': 'pin' })
  })

  it('are those of the store at a station that joins', async () => {
    const one = await store.station('Front 1')
    await set(one, { budtenders: [maya] })
    const two = await store.station('Front 2')
    await expect.poll(async () => (await settingsOf(two)).budtenders).toEqual([maya])
  })

  it('edited at two stations while apart are those of the first that is heard; the other one is told', async () => {
    const [one, two] = [await store.station('Front 1'), await store.station('Front 2')]
    await set(one, { budtenders: [maya] })
    await expect.poll(async () => (await settingsOf(two)).budtenders).toEqual([maya])
    await store.stop()
    await Promise.all([situation(one, 'offline'), situation(two, 'offline')])
    const overtaken: string[] = []
    for (const station of [one, two]) station.client.on('hub.overtaken', ({ name }) => overtaken.push(name))
    await set(one, { budtenders: [maya], requiresBudtender: true })
    await set(two, { budtenders: [noor] })
    await store.start()
    await Promise.all([situation(one, 'online'), situation(two, 'online')])
    const both = async () => [await settingsOf(one), await settingsOf(two)]
    await expect.poll(() => overtaken).not.toEqual([])
    await expect
      .poll(async () => {
        const [first, second] = await both()
        return isDeepStrictEqual(first, second)
      })
      .toBe(true)
    const [settled] = await both()
    expect([[maya], [noor]]).toContainEqual(settled?.budtenders)
    expect(settled?.requiresBudtender).toBe(isDeepStrictEqual(settled?.budtenders, [maya]))
    // The edit that counts was overtaken by none.
    expect(overtaken).toEqual(['checkout.settings'])
  })

  it('stay as they are if the hub’s can’t be read, and are told again to a hub that lost them', async () => {
    const [one, two] = [await store.station('Front 1'), await store.station('Front 2')]
    await set(one, { budtenders: [maya] })
    await expect.poll(async () => (await settingsOf(two)).budtenders).toEqual([maya])
    await store.sql(
      `UPDATE countertag.record SET body = '"broken"', revision = revision + 1 WHERE topic = 'settings'; SELECT countertag.tell('settings')`,
    )
    await set(two, { budtenders: [noor] })
    await expect.poll(async () => (await settingsOf(one)).budtenders).toEqual([noor])
    await store.sql(`DELETE FROM countertag.record WHERE topic = 'settings'`)
    await two.restart()
    await situation(two, 'online')
    const three = await store.station('Front 3')
    await expect.poll(async () => (await settingsOf(three)).budtenders.length).toBe(1)
  })
})

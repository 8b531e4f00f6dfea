import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Hub, type SharedOrder, longestRecord } from '../../../src-main/hub/port'
import { order, tag } from '../../fakes/ids'
import { joinHub } from '../../hub/station'
import { useHub } from '../../hub/use-store'

const server = useHub()

const [oneId, twoId] = [randomUUID(), randomUUID()]
let one: Hub
let two: Hub
beforeEach(async () => {
  one = await joinHub(server.address, 'Till 1', { stationId: oneId })
  two = await joinHub(server.address, 'Till 2', { stationId: twoId })
})
afterEach(async () => {
  await Promise.all([one.close(), two.close()])
})

const sql = async (text: string, values: unknown[] = []) => {
  const client = new pg.Client(server.address)
  await client.connect()
  try {
    await client.query(text, values)
  } finally {
    await client.end()
  }
}

const [a, b] = [tag(1), tag(2)]
const held = (more: Partial<SharedOrder> = {}): SharedOrder => ({
  id: randomUUID(),
  body: {
    orderId: order(1004),
    budtenderId: 'maya',
    items: [a, b].map((tagId, place) => ({ tagId, scannedAt: 1_000 + place, found: null })),
    products: ['Gummies'],
    expected: [{ line: 'gummies', expected: 2 }],
  },
  customer: 'sealed:1:abc',
  ...more,
})
const claimed = (hub: Hub, kind: 'cart' | 'held') =>
  hub.claims.announce([a, b].map((tagId) => ({ tagId, kind, orderId: '1004', at: 0 })))

describe('an order on hold', () => {
  it('is seen at the other station, whole', async () => {
    const shared = held()
    expect(await one.held.put(shared)).toBe(true)
    expect(await two.held.list()).toMatchObject([{ ...shared, stationId: oneId, stationName: 'Till 1' }])
  })

  it('is taken with the claims of its items, by one station only', async () => {
    const shared = held()
    await claimed(one, 'held')
    await one.held.put(shared)
    const taken = await two.held.take(shared.id)
    expect(taken).toMatchObject({ kind: 'taken', order: shared })
    expect(taken.kind === 'taken' && taken.claims.map(({ tagId }) => tagId).sort()).toEqual([a, b].sort())
    expect(await one.held.take(shared.id)).toEqual({ kind: 'gone' })
    expect((await one.claims.own())?.claims).toEqual([])
    expect((await two.claims.own())?.claims).toHaveLength(2)
  })

  it('is taken by exactly one of two that ask at once', async () => {
    for (let round = 0; round < 20; round++) {
      const shared = held()
      await one.held.put(shared)
      const answers = await Promise.all([one.held.take(shared.id), two.held.take(shared.id)])
      expect(answers.map(({ kind }) => kind).sort()).toEqual(['gone', 'taken'])
    }
  })

  it('is answered again to a station that lost the answer, until it says that it has it', async () => {
    const shared = held()
    await claimed(one, 'held')
    await one.held.put(shared)
    await two.held.take(shared.id)
    expect(await two.held.taken()).toEqual([shared.id])
    const again = await two.held.take(shared.id)
    expect(again).toMatchObject({ kind: 'taken', order: shared })
    expect(again.kind === 'taken' && again.claims).toHaveLength(2)
    expect(await two.held.done(shared.id)).toBe(true)
    expect(await two.held.take(shared.id)).toEqual({ kind: 'gone' })
    expect(await two.held.taken()).toEqual([])
  })

  it('is not changed by its first station once it is taken', async () => {
    const shared = held()
    await one.held.put(shared)
    await two.held.take(shared.id)
    await one.held.put({ ...shared, customer: null })
    expect(await two.held.take(shared.id)).toMatchObject({ order: { customer: shared.customer } })
    expect(await one.held.list()).toEqual([])
  })

  it('leaves a claim where it is that was taken over meanwhile', async () => {
    const shared = held()
    await claimed(one, 'held')
    await one.held.put(shared)
    const three = await joinHub(server.address, 'Till 3')
    const shown = await three.claims.take({ tagId: a, kind: 'cart', orderId: null, at: 0 })
    if (shown.kind !== 'held') throw new Error('not held')
    await three.claims.takeOver({ tagId: a, kind: 'cart', orderId: null, at: 0 }, shown.by, null)
    const taken = await two.held.take(shared.id)
    expect(taken.kind === 'taken' && taken.claims.map(({ tagId }) => tagId)).toEqual([b])
    await three.close()
  })

  it('is resumed at its own station before the hub was told of it, and is not offered when it is told then', async () => {
    const shared = held()
    await claimed(one, 'cart')
    const taken = await one.held.takeOwn(shared.id, [a, b])
    expect(taken.kind === 'taken' && taken.claims.map(({ tagId }) => tagId).sort()).toEqual([a, b].sort())
    await one.held.put(shared)
    expect(await two.held.list()).toEqual([])
    expect(await two.held.take(shared.id)).toEqual({ kind: 'gone' })
  })

  it('is taken back by its own station, unless another one has it', async () => {
    const [first, second] = [held(), held()]
    for (const shared of [first, second]) await one.held.put(shared)
    await two.held.take(second.id)
    expect(await one.held.takeOwn(first.id, [a, b])).toMatchObject({ kind: 'taken' })
    expect(await one.held.takeOwn(second.id, [a, b])).toEqual({ kind: 'gone' })
  })

  it('is not offered once it is over, though it is told only then', async () => {
    const shared = held()
    await one.held.finish(shared.id)
    await one.held.put(shared)
    expect(await two.held.list()).toEqual([])
  })

  it('is taken with claims that its station has not told as on hold yet, and without those that are in its cart by now', async () => {
    const shared = held()
    await claimed(one, 'cart')
    await one.held.put(shared)
    // Dropped there, which is told later, and scanned again.
    await one.claims.take({ tagId: a, kind: 'cart', orderId: null, at: 0 })
    const taken = await two.held.take(shared.id)
    expect(taken.kind === 'taken' && taken.claims.map(({ tagId }) => tagId)).toEqual([b])
    expect(await two.claims.take({ tagId: a, kind: 'cart', orderId: null, at: 0 })).toMatchObject({ kind: 'held' })
  })

  it('is dropped with its claims, unless it was taken', async () => {
    const [dropped, kept] = [held(), held()]
    await claimed(one, 'held')
    await one.held.put(dropped)
    await two.held.drop(dropped.id)
    expect((await one.claims.own())?.claims).toEqual([])
    await one.held.put(kept)
    await two.held.take(kept.id)
    await one.held.drop(kept.id)
    expect(await two.held.taken()).toEqual([kept.id])
  })

  it('is told as news to the other station', async () => {
    let news = 0
    two.onNews('held', () => news++)
    await one.held.put(held())
    await expect.poll(() => news).toBeGreaterThan(0)
  })

  it.each([
    ['another shape', { items: 'many' }],
    ['a TagID that is none', { ...held().body, items: [{ tagId: 'x', scannedAt: 1, found: null }] }],
    ['too many items', { ...held().body, items: Array.from({ length: 2_001 }, () => held().body.items[0]) }],
  ])('that has %s is left out, and the others are listed', async (_, body) => {
    const good = held()
    await one.held.put(good)
    await sql('INSERT INTO countertag.held_order (id, station, tags, body) VALUES ($1, $2, $3, $4)', [
      ...[randomUUID(), oneId, [], body],
    ])
    expect((await two.held.list())?.map(({ id }) => id)).toEqual([good.id])
  })
})

describe('a record of the log', () => {
  const body = (value: unknown) => JSON.stringify(value)
  const pushed = async (hub: Hub, upTo: number, key: string, value: unknown, epoch?: number) => {
    const known = { upTo, epoch: epoch ?? (await hub.epoch()) ?? 0 }
    return [...((await hub.log.push('settings', known, [{ key, body: body(value) }])) ?? [])]
  }

  it('is read at the other station, and is none of another topic', async () => {
    expect(await pushed(one, 0, 'limits', { most: 3 })).toEqual(['limits'])
    const epoch = (await one.epoch()) ?? 0
    await one.log.push('pos', { upTo: 0, epoch }, [{ key: 'x', body: '{}' }])
    const news = await two.log.since('settings', 0)
    expect(news?.records).toMatchObject([{ key: 'limits', body: body({ most: 3 }), stationId: oneId }])
    expect(await two.log.since('settings', news?.revision ?? 0)).toMatchObject({ records: [], hasMore: false })
    expect((await two.log.since('pos', 0))?.records).toMatchObject([{ key: 'x', body: '{}' }])
  })

  it('is changed by the first of two stations that have read the same', async () => {
    let upTo = 0
    for (let round = 0; round < 60; round++) {
      // Also one that neither has set before.
      const key = round % 3 === 0 ? `new ${round}` : 'one'
      const both = await Promise.all([pushed(one, upTo, key, 1), pushed(two, upTo, key, 2)])
      expect(both.flat()).toEqual([key])
      const [mine, theirs] = await Promise.all([one.log.since('settings', upTo), two.log.since('settings', upTo)])
      expect(mine).toEqual(theirs)
      upTo = mine?.revision ?? 0
    }
    expect(await pushed(one, upTo, 'one', 'known')).toEqual(['one'])
    expect(await pushed(two, upTo, 'one', 'late')).toEqual([])
  })

  it('is not set back by an older push of its station that arrives later, and takes one that is repeated', async () => {
    const older = (await one.epoch()) ?? 0
    expect(await pushed(one, 0, 'limits', 'newer')).toEqual(['limits'])
    expect(await pushed(one, 0, 'limits', 'older', older)).toEqual([])
    expect(await pushed(one, 0, 'limits', 'newer')).toEqual(['limits'])
    expect((await two.log.since('settings', 0))?.records).toMatchObject([{ body: body('newer') }])
  })

  it.each([[null], [''], [0], [[1, { a: null }]], ['"quoted" \\ \u2028'], ['\0'], ['\ud800']])(
    'may be %j',
    async (value) => {
      await pushed(one, 0, 'any', value)
      const [record] = (await two.log.since('settings', 0))?.records ?? []
      expect(JSON.parse(record?.body ?? '')).toEqual(value)
    },
  )

  it('that can’t be read is listed by its key, so that it is not taken for one that the hub lacks', async () => {
    await pushed(one, 0, 'long', 'x'.repeat(longestRecord))
    await pushed(one, 0, 'longest', 'x'.repeat(longestRecord - 2))
    await pushed(one, 0, 'of no time', 1)
    await sql(`UPDATE countertag.record SET told_at = '290000-01-01' WHERE key = 'of no time'`)
    const records = (await two.log.since('settings', 0))?.records.map(({ key, body: text }) => [key, text.length])
    expect(records).toEqual([
      ['long', 0],
      ['longest', longestRecord],
      ['of no time', 0],
    ])
  })
})

describe('the stations of a store', () => {
  const says = {
    unsent: 2,
    attention: 1,
    clockOffset: -40,
    hasScannerTrouble: false,
    untold: 0,
    scansUntold: 0,
    entriesUntold: 0,
    importsUntold: 0,
    manifestOf: null,
    isOff: false,
  }

  it('are listed by name with what they say', async () => {
    expect(await one.stations.beat(says)).toBe(true)
    expect(await two.stations.list()).toMatchObject([
      { id: oneId, name: 'Till 1', version: '0.0.0-test', isGone: false, heartbeat: says },
      { id: twoId, name: 'Till 2', isGone: false, heartbeat: null },
    ])
  })

  it('count as gone after a minute, and are back when they say something', async () => {
    await one.stations.beat(says)
    await sql(`UPDATE countertag.station SET seen_at = now() - interval '61 seconds' WHERE id = $1`, [oneId])
    expect((await two.stations.list())?.map(({ isGone }) => isGone)).toEqual([true, false])
    await one.stations.beat(says)
    expect((await two.stations.list())?.map(({ isGone }) => isGone)).toEqual([false, false])
  })

  it('are listed also when one says what this version cannot read', async () => {
    await sql('UPDATE countertag.station SET says = $2 WHERE id = $1', [oneId, { unsent: 'many' }])
    expect(await two.stations.list()).toMatchObject([{ id: oneId, heartbeat: null }, { id: twoId }])
  })

  it('leave without the claims of their carts, and with those of their sales', async () => {
    await one.claims.announce([
      { tagId: a, kind: 'cart', orderId: null, at: 0 },
      { tagId: b, kind: 'sale', orderId: '7', at: 1 },
    ])
    await one.stations.remove(oneId)
    expect((await two.stations.list())?.map(({ id }) => id)).toEqual([twoId])
    const wish = { kind: 'cart', orderId: null, at: 0 } as const
    expect(await two.claims.take({ ...wish, tagId: a })).toMatchObject({ kind: 'granted' })
    expect(await two.claims.take({ ...wish, tagId: b })).toMatchObject({ kind: 'held', by: { kind: 'sale' } })
  })
})

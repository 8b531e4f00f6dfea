import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { TagId } from '../../../src-shared/ids'
import type { ClaimAnswer, ClaimKind, Hub } from '../../../src-main/hub/port'
import { createClaims } from '../../../src-main/hub/postgres/claims'
import { leaveHub } from '../../../src-main/hub/postgres/trial'
import type { HubAddress, HubConnections, Statement } from '../../../src-main/hub/postgres/connections'
import { joinHub, openHub, situation, testStore } from '../../hub/station'
import { useHub } from '../../hub/use-store'
import { order, tag } from '../../fakes/ids'

const server = useHub()

let [one, two]: Hub[] = []
let open: Hub[] = []
const joined = async (...parts: Parameters<typeof joinHub>) => {
  const hub = await joinHub(...parts)
  open.push(hub)
  return hub
}
beforeEach(async () => {
  one = await joined(server.address, 'Till 1')
  two = await joined(server.address, 'Till 2')
})
afterEach(async () => {
  await Promise.all(open.map((hub) => hub.close()))
  open = []
})

const hubs = () => {
  if (!one || !two) throw new Error('no hubs')
  return [one, two] as const
}
const wish = (tagId: TagId, kind: ClaimKind = 'cart', orderId: string | null = null, at = 0) => ({
  tagId,
  kind,
  orderId,
  at,
})
const a = tag(1)

/** Asks while a transaction has made a change, and commits that once the question waits for it. */
async function whileChanged<T>(change: string, ask: () => Promise<T>): Promise<T> {
  const client = new pg.Client(server.address)
  await client.connect()
  try {
    await client.query('BEGIN')
    await client.query(change)
    const asked = ask()
    const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
    await expect.poll(async () => (await server.sql(waiting)).length).toBe(1)
    await client.query('COMMIT')
    return await asked
  } finally {
    await client.end()
  }
}

const revisionOf = (answer: ClaimAnswer) => (answer.kind === 'granted' ? answer.revision : 0)

describe('claims', () => {
  it('are granted to one station only, with the other named', async () => {
    const [first, second] = hubs()
    expect(await first.claims.take(wish(a, 'cart', '1004'))).toMatchObject({ kind: 'granted' })
    const refused = await second.claims.take(wish(a))
    expect(refused).toMatchObject({ kind: 'held', by: { stationName: 'Till 1', kind: 'cart', orderId: '1004' } })
    expect(refused.kind === 'held' && Math.abs(refused.by.since - Date.now())).toBeLessThan(60_000)
  })

  it('are granted again to their station, with a new revision', async () => {
    const [first] = hubs()
    const before = await first.claims.take(wish(a))
    const after = await first.claims.take(wish(a))
    expect([before.kind, after.kind]).toEqual(['granted', 'granted'])
    if (before.kind === 'granted' && after.kind === 'granted') expect(after.revision).toBeGreaterThan(before.revision)
  })

  it('are granted to exactly one of two stations that ask at once', async () => {
    const [first, second] = hubs()
    for (let round = 0; round < 50; round++) {
      const tagId = tag(100 + round)
      const answers = await Promise.all([first.claims.take(wish(tagId)), second.claims.take(wish(tagId))])
      expect(answers.map(({ kind }) => kind).sort()).toEqual(['granted', 'held'])
    }
  })

  it('are free after their station gives them back, not after another one does, and not by an answer from before the last grant', async () => {
    const [first, second] = hubs()
    const claim = { tagId: a, revision: revisionOf(await first.claims.take(wish(a))) }
    expect(await second.claims.free([claim])).toBe(true)
    expect(await second.claims.take(wish(a))).toMatchObject({ kind: 'held' })
    const newer = { tagId: a, revision: revisionOf(await first.claims.take(wish(a))) }
    expect(await first.claims.free([claim])).toBe(true)
    expect(await second.claims.take(wish(a))).toMatchObject({ kind: 'held' })
    expect(await first.claims.free([newer])).toBe(true)
    expect(await second.claims.take(wish(a))).toMatchObject({ kind: 'granted' })
  })

  it('are taken over by the revision that was shown; a repeated takeover changes nothing', async () => {
    const [first, second] = hubs()
    await first.claims.take(wish(a))
    const refused = await second.claims.take(wish(a))
    if (refused.kind !== 'held') throw new Error('not held')
    expect(await second.claims.takeOver(wish(a), refused.by, 'asked')).toMatchObject({ kind: 'granted' })
    expect(await second.claims.takeOver(wish(a), refused.by, 'asked')).toMatchObject({ kind: 'granted' })
    expect((await first.claims.own())?.claims).toEqual([])
    expect(await first.claims.take(wish(a))).toMatchObject({ kind: 'held', by: { stationName: 'Till 2' } })
    const told = await first.notices.read()
    expect(told).toMatchObject([{ tagId: a, what: 'taken-over', stationName: 'Till 2', because: 'asked' }])
    expect(await second.notices.read()).toEqual([])
    await first.notices.done(told ?? [])
    expect(await first.notices.read()).toEqual([])
  })

  it('are not taken over once renewed, or sold', async () => {
    const [first, second] = hubs()
    await first.claims.take(wish(a))
    const shown = await second.claims.take(wish(a))
    if (shown.kind !== 'held') throw new Error('not held')
    await first.claims.take(wish(a, 'sale', '7', 1))
    expect(await second.claims.takeOver(wish(a), shown.by, null)).toMatchObject({ kind: 'held', by: { kind: 'sale' } })
    const sold = await second.claims.take(wish(a))
    if (sold.kind !== 'held') throw new Error('not held')
    expect(await second.claims.takeOver(wish(a), sold.by, null)).toMatchObject({ kind: 'held', by: { kind: 'sale' } })
  })

  it('of a sale end with a later return at another station; a sale that is told late does not take the item again', async () => {
    const [first, second] = hubs()
    await first.claims.take(wish(a, 'sale', '7', 1_000))
    await second.claims.released([{ tagId: a, at: 2_000 }])
    const late = await first.claims.announce([wish(a, 'sale', '7', 1_000)])
    expect(late?.get(a)).toEqual({ kind: 'over' })
    expect(await second.claims.take(wish(a))).toMatchObject({ kind: 'granted' })
  })

  it('of a sale that is told late are over, also if the item was claimed and given back since its return', async () => {
    const [first, second] = hubs()
    await second.claims.released([{ tagId: a, at: 2_000 }])
    await second.claims.free([{ tagId: a, revision: revisionOf(await second.claims.take(wish(a))) }])
    const late = await first.claims.announce([wish(a, 'sale', '7', 1_000)])
    expect(late?.get(a)).toEqual({ kind: 'over' })
    expect(await second.claims.take(wish(a))).toMatchObject({ kind: 'granted' })
  })

  it('of an open order end with its sale, also if that is told only after the item came back', async () => {
    const [first, second] = hubs()
    const known = revisionOf(await first.claims.take(wish(a)))
    await second.claims.released([{ tagId: a, at: 2_000 }])
    expect(await second.claims.take(wish(a))).toMatchObject({ kind: 'held', by: { kind: 'cart' } })
    const late = await first.claims.announce([{ ...wish(a, 'sale', '7', 1_000), own: { known, upTo: 0 } }])
    expect(late?.get(a)).toEqual({ kind: 'over' })
    expect(await second.claims.take(wish(a))).toMatchObject({ kind: 'granted' })
  })

  it('of a sale that is told late end no claim that its station was granted since', async () => {
    const [first, second] = hubs()
    const before = revisionOf(await first.claims.take(wish(a)))
    await first.claims.free([{ tagId: a, revision: before, upTo: 0 }])
    await first.claims.released([{ tagId: a, at: 2_000 }])
    await first.claims.take(wish(a))
    await first.claims.announce([{ ...wish(a, 'sale', '7', 1_000), own: { known: before, upTo: 0 } }])
    await first.claims.free([{ tagId: a, revision: before, upTo: 0 }])
    await first.claims.released([{ tagId: a, at: 2_000 }])
    expect(await second.claims.take(wish(a))).toMatchObject({ kind: 'held' })
  })

  it('of a sale stand against an earlier return, and end with the void of their order', async () => {
    const [first, second] = hubs()
    await first.claims.take(wish(a, 'sale', '7', 3_000))
    await second.claims.released([{ tagId: a, at: 2_000 }])
    expect(await second.claims.take(wish(a))).toMatchObject({ kind: 'held' })
    await second.claims.releasedOrder('7', 4_000)
    expect(await second.claims.take(wish(a))).toMatchObject({ kind: 'granted' })
  })

  it('of a sale made while apart take the item from an open order, unless it came back after that sale', async () => {
    const [first, second] = hubs()
    await second.claims.take(wish(a))
    expect((await first.claims.announce([wish(a, 'sale', '7', 1_000)]))?.get(a)).toMatchObject({ kind: 'granted' })
    expect(await second.claims.take(wish(a))).toMatchObject({ kind: 'held', by: { kind: 'sale', orderId: '7' } })
    await first.claims.released([{ tagId: a, at: 2_000 }])
    expect(await second.claims.take(wish(a))).toMatchObject({ kind: 'granted' })
    const late = await first.claims.announce([wish(a, 'sale', '7', 1_000)])
    expect(late?.get(a)).toEqual({ kind: 'over' })
    expect(await first.claims.take(wish(a))).toMatchObject({ kind: 'held', by: { stationName: 'Till 2' } })
  })

  it('of an open order that a sale of another station took the item from are its own again once that sale ends', async () => {
    const [first, second] = hubs()
    const third = await joined(server.address, 'Till 3')
    const endings: ((tagId: TagId, orderId: string, known: number) => Promise<boolean>)[] = [
      (tagId) => first.claims.free([{ tagId, revision: 0, upTo: 1_000 }]),
      (tagId) => first.claims.released([{ tagId, at: 2_000 }]),
      (tagId) => third.claims.released([{ tagId, at: 2_000 }]),
      (_, orderId) => third.claims.releasedOrder(orderId, 2_000),
      // Withdrawn, and scanned again before that is told.
      async (tagId, _, known) => {
        const again = await first.claims.take({ ...wish(tagId), own: { known, upTo: 1_000 } })
        return again.kind === 'held' && again.by.stationName === 'Till 2'
      },
    ]
    for (const [index, end] of endings.entries()) {
      const [tagId, orderId] = [tag(200 + index), `C-${index}`]
      const before = await first.claims.take(wish(tagId))
      const shown = await second.claims.take(wish(tagId))
      if (shown.kind !== 'held') throw new Error('not held')
      // It was sold already, which the hub is told only now.
      const taken = revisionOf(await second.claims.takeOver(wish(tagId, 'cart', 'A-1'), shown.by, null))
      await first.claims.announce([wish(tagId, 'sale', orderId, 1_000)])
      expect(await third.claims.take(wish(tagId))).toMatchObject({ kind: 'held', by: { kind: 'sale', orderId } })
      expect(await end(tagId, orderId, revisionOf(before))).toBe(true)
      expect(await first.claims.take(wish(tagId))).toMatchObject({
        kind: 'held',
        by: { stationName: 'Till 2', kind: 'cart', orderId: 'A-1', revision: taken },
      })
      const sold = { ...wish(tagId, 'sale', 'A-1', 3_000), own: { known: taken, upTo: 3_000 } }
      expect((await second.claims.announce([sold]))?.get(tagId)).toMatchObject({ kind: 'granted' })
    }
  })

  it('of an open order that a sale took the item from are over once the order lets it go, or its station left', async () => {
    const [first, second] = hubs()
    const third = await joined(server.address, 'Till 3')
    const lettingGo: ((tagId: TagId, revision: number) => Promise<unknown>)[] = [
      (tagId, revision) => third.claims.free([{ tagId, revision }]),
      // The station was told of the sale: it knows that one's revision.
      async (tagId) => {
        const told = await third.claims.take(wish(tagId))
        if (told.kind !== 'held') throw new Error('not held')
        await third.claims.free([{ tagId, revision: told.by.revision }])
      },
      () => first.stations.remove(third.stationId ?? ''),
    ]
    for (const [index, letGo] of lettingGo.entries()) {
      const tagId = tag(300 + index)
      const revision = revisionOf(await third.claims.take(wish(tagId)))
      await first.claims.announce([wish(tagId, 'sale', '7', 1_000)])
      await letGo(tagId, revision)
      await first.claims.free([{ tagId, revision: 0, upTo: 1_000 }])
      expect(await second.claims.take(wish(tagId))).toMatchObject({ kind: 'granted' })
    }
  })

  describe('of an order on hold that a late sale of another station took the item from', () => {
    const id = randomUUID()
    const bodyWith = (...tagIds: TagId[]) => ({
      ...{ orderId: order('H-1'), budtenderId: null, products: [], expected: [] },
      items: tagIds.map((tagId) => ({ tagId, scannedAt: 1, found: null })),
    })
    /** On hold at the first station, and sold by the second one before that. */
    const heldThenSold = async () => {
      const [first, second] = hubs()
      await first.claims.take(wish(a, 'cart', 'H-1'))
      await first.held.put({ id, body: bodyWith(a), customer: null })
      await second.claims.announce([wish(a, 'sale', '7', 1_000)])
      const third = await joined(server.address, 'Till 3')
      const saleEnds = () => second.claims.free([{ tagId: a, revision: 0, upTo: 1_000 }])
      const holder = async (kind: ClaimKind, stationName: string) => {
        expect(await second.claims.take(wish(a))).toMatchObject({ kind: 'held', by: { kind, stationName } })
      }
      return { first, second, third, saleEnds, holder }
    }

    it('go with the order to the station that resumes it', async () => {
      const { third, saleEnds, holder } = await heldThenSold()
      expect(await third.held.take(id)).toMatchObject({ kind: 'taken', claims: [] })
      await saleEnds()
      await holder('cart', 'Till 3')
    })

    it('end with what the seller held, if it resumed the order itself', async () => {
      const { first, second } = await heldThenSold()
      await second.held.take(id)
      await second.claims.free([{ tagId: a, revision: 1_000, upTo: 1_000 }])
      expect(await first.claims.take(wish(a))).toMatchObject({ kind: 'granted' })
    })

    it('go to the cart of its own station that resumes it', async () => {
      const { first, saleEnds, holder } = await heldThenSold()
      expect(await first.held.takeOwn(id, [a])).toMatchObject({ kind: 'taken', claims: [] })
      await saleEnds()
      await holder('cart', 'Till 1')
    })

    it('end once another station drops the order', async () => {
      const { third, saleEnds, second } = await heldThenSold()
      await third.held.drop(id)
      await saleEnds()
      expect(await second.claims.take(wish(a))).toMatchObject({ kind: 'granted' })
    })

    it('end once the station that resumed the order lets it go, though it was not told of the sale', async () => {
      const { third, saleEnds, second } = await heldThenSold()
      await third.held.take(id)
      await third.claims.free([{ tagId: a, revision: 0 }])
      await saleEnds()
      expect(await second.claims.take(wish(a))).toMatchObject({ kind: 'granted' })
    })

    it('follow the order also if that sale is told while the order is resumed, dropped or put on hold', async () => {
      const [first, second] = hubs()
      const third = await joined(server.address, 'Till 3')
      const held = () => ({ id: randomUUID(), body: bodyWith(a), customer: null })
      const inCart = () => first.claims.take(wish(a, 'cart', 'H-1'))
      const onHold = async () => {
        const one = held()
        await inCart()
        await first.held.put(one)
        return one.id
      }
      const steps: [() => Promise<() => Promise<unknown>>, object][] = [
        [() => onHold().then((one) => () => third.held.take(one)), { by: { stationName: 'Till 3', kind: 'cart' } }],
        [() => onHold().then((one) => () => third.held.drop(one)), { kind: 'granted' }],
        [() => inCart().then(() => () => first.held.put(held())), { by: { stationName: 'Till 1', kind: 'held' } }],
      ]
      for (const [prepare, answer] of steps) {
        await server.sql('DELETE FROM countertag.claim')
        const step = await prepare()
        await whileChanged(
          `UPDATE countertag.claim SET station = '${second.stationId}', kind = 'sale', order_id = '7', at = 1000`,
          step,
        )
        await second.claims.free([{ tagId: a, revision: 0, upTo: 1_000 }])
        expect(await second.claims.take(wish(a))).toMatchObject(answer)
      }
    })

    it('are on hold with it, if it was put on hold only after that sale', async () => {
      const [first, second] = hubs()
      await first.claims.take(wish(a, 'cart', 'H-1'))
      await second.claims.announce([wish(a, 'sale', '7', 1_000)])
      await first.held.put({ id, body: bodyWith(a), customer: null })
      await second.claims.free([{ tagId: a, revision: 0, upTo: 1_000 }])
      expect(await second.claims.take(wish(a))).toMatchObject({ kind: 'held', by: { kind: 'held' } })
    })
  })

  it('of an order that is dropped leave the note of when the item came back', async () => {
    const [first, second] = hubs()
    const id = randomUUID()
    const body = { orderId: null, budtenderId: null, products: [], expected: [] }
    const endings = [
      async () => {
        const items = [{ tagId: a, scannedAt: 1, found: null }]
        await first.held.put({ id, body: { ...body, items }, customer: null })
        await second.held.drop(id)
      },
      () => second.stations.remove(first.stationId ?? ''),
    ]
    for (const end of endings) {
      await second.claims.released([{ tagId: a, at: 2_000 }])
      await first.claims.take(wish(a))
      await end()
      const late = await second.claims.announce([wish(a, 'sale', '7', 1_000)])
      expect(late?.get(a)).toEqual({ kind: 'over' })
    }
  })

  it('of a copy of a station, which sold the item from the same order, end with that sale', async () => {
    const [first, second] = hubs()
    await first.claims.take(wish(a, 'cart', '7'))
    await server.sql('UPDATE countertag.claim SET station = countertag.copy_of(station)')
    expect((await first.claims.announce([wish(a, 'sale', '7', 1_000)]))?.get(a)).toMatchObject({ kind: 'granted' })
    await second.claims.releasedOrder('7', 2_000)
    expect(await second.claims.take(wish(a))).toMatchObject({ kind: 'granted' })
  })

  it('of a copy of a station, which may have sold the item from another order, are the copy’s again once the sale ends', async () => {
    const [first, second] = hubs()
    await first.claims.take(wish(a, 'cart', '8'))
    await server.sql('UPDATE countertag.claim SET station = countertag.copy_of(station)')
    expect((await first.claims.announce([wish(a, 'sale', '7', 1_000)]))?.get(a)).toMatchObject({ kind: 'granted' })
    await second.claims.releasedOrder('7', 2_000)
    expect(await second.claims.take(wish(a))).toMatchObject({ kind: 'held', by: { stationName: 'Till 1 (copy)' } })
  })

  it('of a station that another copy of its data follows are the copy’s, also once a late sale of another station ends', async () => {
    const [first, second] = hubs()
    await first.claims.take(wish(a))
    await second.claims.announce([wish(a, 'sale', '7', 1_000)])
    const id = first.stationId ?? ''
    await first.close()
    await joined(server.address, 'Till 1', { stationId: id })
    await second.claims.free([{ tagId: a, revision: 0, upTo: 1_000 }])
    expect(await second.claims.take(wish(a))).toMatchObject({ kind: 'held', by: { stationName: 'Till 1 (copy)' } })
  })

  it('of a copy of a station are taken over without a notice, which nobody would read', async () => {
    const [first, second] = hubs()
    await first.claims.take(wish(a))
    await server.sql('UPDATE countertag.claim SET station = countertag.copy_of(station)')
    const shown = await second.claims.take(wish(a))
    if (shown.kind !== 'held') throw new Error('not held')
    expect(await second.claims.takeOver(wish(a), shown.by, null)).toMatchObject({ kind: 'granted' })
    expect(await server.sql('SELECT FROM countertag.notice')).toEqual([])
  })

  it('are not granted by what they were before the statement waited for another station’s takeover', async () => {
    const [first, second] = hubs()
    await first.claims.take(wish(a, 'cart', '7'))
    const client = new pg.Client(server.address)
    await client.connect()
    const waiting = 'SELECT FROM pg_stat_activity WHERE wait_event_type = $1'
    try {
      await client.query('BEGIN')
      await client.query(`UPDATE countertag.claim SET station = $1, revision = nextval('countertag.claim_revision')`, [
        second.stationId,
      ])
      const announced = first.claims.announce([wish(a, 'cart', '7')])
      await expect.poll(async () => (await server.sql(waiting, ['Lock'])).length).toBe(1)
      await client.query('COMMIT')
      expect((await announced)?.get(a)).toMatchObject({ kind: 'held', by: { stationName: 'Till 2' } })
    } finally {
      await client.end()
    }
  })

  it('name the station that has the item by now, though another one had it when the statement began', async () => {
    const [first, second] = hubs()
    const third = await joined(server.address, 'Till 3')
    await second.claims.take(wish(a))
    const answers = await whileChanged(
      `UPDATE countertag.claim SET station = '${third.stationId}', revision = nextval('countertag.claim_revision')`,
      () => first.claims.announce([wish(a)]),
    )
    expect(answers?.get(a)).toMatchObject({ kind: 'held', by: { stationId: third.stationId, stationName: 'Till 3' } })
  })

  it('are not given back to a station that is removed in the same moment, whichever is first', async () => {
    const [first, second] = hubs()
    const steps: [(id: string) => string, (id: string) => Promise<unknown>][] = [
      [
        (id) => `DELETE FROM countertag.station WHERE id = '${id}'`,
        () => first.claims.free([{ tagId: a, revision: 0, upTo: 1_000 }]),
      ],
      [() => `UPDATE countertag.claim SET kind = 'returned'`, (id) => second.stations.remove(id)],
    ]
    for (const [index, [change, ask]] of steps.entries()) {
      const third = await joined(server.address, `Till ${index + 3}`)
      await third.claims.take(wish(a))
      await first.claims.announce([wish(a, 'sale', '7', 1_000)])
      await whileChanged(change(third.stationId ?? ''), () => ask(third.stationId ?? ''))
      expect(await second.claims.take(wish(a))).toMatchObject({ kind: 'granted' })
      await server.sql('DELETE FROM countertag.claim')
    }
  })

  it('of a sale are not over by what they were before the statement waited, as long as the item changes hands', async () => {
    const sale = wish(a, 'sale', '7', 1_000)
    const stale = {
      ...{ tag: a, station: randomUUID(), name: 'Till 1', kind: 'cart', order_id: null, since: 0 },
      ...{ revision: 1, back_at: 0, awaited: [], is_taken: false },
    }
    const run = <T>({ name, row }: Statement<T>) => Promise.resolve(name === 'claim-take' ? [row.parse(stale)] : [])
    const claims = createClaims({ interactive: run, background: run }, stale.station)
    expect((await claims.announce([sale]))?.get(a)).toEqual({ kind: 'offline' })
  })

  it('are locked in one order by every statement on several of them, so that two of these never wait for each other', async () => {
    const [first, second] = hubs()
    const b = tag(2)
    const dropped = randomUUID()
    const [lower, higher] = a < b ? [a, b] : [b, a]
    const revisions = new Map<TagId, number>()
    const both = () => [higher, lower].map((tagId) => ({ tagId, revision: revisions.get(tagId) ?? 0, upTo: 1_000 }))
    const items = [higher, lower].map((tagId) => ({ tagId, scannedAt: 1, found: null }))
    const held = {
      ...{ id: randomUUID(), customer: null },
      body: { orderId: null, budtenderId: null, products: [], expected: [], items },
    }
    const isDone = (asked: Promise<unknown>) => asked.then((answer) => answer !== false)
    const id = first.stationId ?? ''
    const statements: [ClaimKind, () => Promise<boolean>][] = [
      ['cart', () => first.claims.free(both())],
      ['cart', () => first.claims.disown(both())],
      ['sale', () => first.claims.releasedOrder('7', 2_000)],
      ['cart', () => first.held.put(held)],
      ['held', () => isDone(second.held.take(held.id))],
      ['held', () => second.held.drop(dropped)],
      [
        'cart',
        () => {
          const from = { stationId: id, revision: revisions.get(lower) ?? 0 }
          return isDone(second.claims.takeOver(wish(lower), from, null))
        },
      ],
      ['cart', () => second.stations.remove(id)],
      ['cart', () => leaveHub(server.address, id, true)],
      // Removes what is long over.
      ['sale', () => isDone(joined(server.address, 'Till 3'))],
      // Another copy of its data takes its place.
      ['cart', () => isDone(first.close().then(() => joined(server.address, 'Till 1', { stationId: id })))],
    ]
    await first.held.put({ ...held, id: dropped })
    for (const [kind, statement] of statements) {
      await server.sql('DELETE FROM countertag.claim')
      for (const tagId of [higher, lower])
        revisions.set(tagId, revisionOf(await first.claims.take(wish(tagId, kind, '7', 1_000))))
      if (kind === 'sale') await server.sql(`UPDATE countertag.claim SET since = now() - interval '61 days'`)
      const client = new pg.Client(server.address)
      await client.connect()
      try {
        const lock = (tagId: TagId) =>
          client.query(`SET LOCAL lock_timeout = 500; SELECT FROM countertag.claim WHERE tag = '${tagId}' FOR UPDATE`)
        await client.query('BEGIN')
        await lock(lower)
        const done = statement()
        const waiting = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'`
        await expect.poll(async () => (await server.sql(waiting)).length).toBe(1)
        await lock(higher)
        // What is told is locked after the claims.
        await client.query(`SELECT countertag.tell(about) FROM unnest(ARRAY['claims', 'held', 'stations']) AS about`)
        await client.query('COMMIT')
        expect(await done).toBe(true)
      } finally {
        await client.end()
      }
    }
  })

  it('are announced together, each with its own answer', async () => {
    const [first, second] = hubs()
    const [b, c] = [tag(2), tag(3)]
    await second.claims.take(wish(b))
    const answers = await first.claims.announce([wish(a), wish(b, 'held'), wish(c, 'sale', '9', 5)])
    expect([a, b, c].map((tagId) => answers?.get(tagId)?.kind)).toEqual(['granted', 'held', 'granted'])
    // New sales are compared too: one may reach the hub after it was withdrawn.
    expect((await first.claims.own())?.claims.map(({ tagId, kind }) => [tagId, kind])).toEqual([
      [a, 'cart'],
      [c, 'sale'],
    ])
    expect(await second.claims.take(wish(c))).toMatchObject({ kind: 'held', by: { kind: 'sale', orderId: '9' } })
  })

  it('outlive a crash of the server', async () => {
    const [first, second] = hubs()
    await first.claims.take(wish(a))
    await server.crash()
    await Promise.all([situation(first, 'online'), situation(second, 'online')])
    expect(await second.claims.take(wish(a))).toMatchObject({ kind: 'held' })
  })
})

describe('two stations that tell in the same moment', () => {
  /** Claims of a third station. `during` happens after its first statement, before that is committed. */
  const claimsDuring = async (during: () => Promise<unknown>) => {
    const client = new pg.Client(server.address)
    await client.connect()
    let isFirst = true
    const run = async <Row>({ row, text, values }: Statement<Row>): Promise<Row[]> => {
      await client.query('BEGIN')
      const { rows } = await client.query<Record<string, unknown>>(text, values)
      if (isFirst) {
        isFirst = false
        await during()
      }
      await client.query('COMMIT')
      return rows.map((one) => row.parse(one))
    }
    const line: Pick<HubConnections, 'interactive' | 'background'> = { interactive: run, background: run }
    return { claims: createClaims(line, randomUUID()), close: () => client.end() }
  }
  const sale = wish(a, 'sale', '7', 1_000)

  it('a sale and its void leave the item free, whichever of them is first', async () => {
    const [first, second] = hubs()
    const seller = await claimsDuring(() => first.claims.releasedOrder('7', 2_000))
    expect((await seller.claims.announce([sale]))?.get(a)).toEqual({ kind: 'over' })
    expect(await second.claims.take(wish(a))).toMatchObject({ kind: 'granted' })
    await seller.close()
    const b = tag(2)
    const voider = await claimsDuring(() => first.claims.announce([wish(b, 'sale', '8', 1_000)]))
    expect(await voider.claims.releasedOrder('8', 2_000)).toBe(true)
    expect(await second.claims.take(wish(b))).toMatchObject({ kind: 'granted' })
    await voider.close()
  })

  it('a sale and the return of its item leave the item free', async () => {
    const [first, second] = hubs()
    const isWaiting = async () => (await server.sql('SELECT 1 FROM pg_locks WHERE NOT granted')).length
    let released: Promise<boolean> | undefined
    const seller = await claimsDuring(async () => {
      released = first.claims.released([{ tagId: a, at: 2_000 }])
      await expect.poll(isWaiting).toBe(1)
    })
    await seller.claims.announce([sale])
    expect(await released).toBe(true)
    expect(await second.claims.take(wish(a))).toMatchObject({ kind: 'granted' })
    await seller.close()
  })
})

describe('a hub', () => {
  it('is apart at once while its server is down, and together again afterwards', async () => {
    const [first] = hubs()
    await server.stop()
    expect(await first.claims.take(wish(a))).toEqual({ kind: 'offline' })
    expect(first.view()).toMatchObject({ situation: 'offline' })
    await expect.poll(() => first.view().trouble).toBe('refused')
    await server.start()
    await situation(first, 'online')
    expect(await first.claims.take(wish(a))).toMatchObject({ kind: 'granted' })
  })

  const troubleOf = async (hub: Hub, wanted: string) => {
    open.push(hub)
    await expect.poll(() => hub.view().trouble).toBe(wanted)
  }

  it.each([
    ['refused', (good: HubAddress) => ({ ...good, port: 9 })],
    ['password', (good: HubAddress) => ({ ...good, password: 'wrong' })],
    ['no-database', (good: HubAddress) => ({ ...good, database: 'missing' })],
    ['no-tls', (good: HubAddress) => ({ ...good, certificate: 'not a certificate' })],
  ])('says %s', async (trouble, change) => {
    await troubleOf(openHub(change(server.address), 'Till 3'), trouble)
  })

  it('says that it belongs to another store, and that a name is taken, in any case of letters', async () => {
    await troubleOf(
      openHub(server.address, 'Till 3', { store: { ...testStore, dispensaryId: 'other' } }),
      'other-store',
    )
    await troubleOf(openHub(server.address, 'TILL 1'), 'name-taken')
  })

  it('keeps the name of a station that comes back', async () => {
    const stationId = randomUUID()
    const hub = await joined(server.address, 'Till 3', { stationId })
    await hub.close()
    await joined(server.address, 'Till 3', { stationId })
  })

  it('is set up by several stations at once', async () => {
    const fresh = await server.another()
    await Promise.all(['A', 'B', 'C', 'D'].map((name) => joined(fresh, name)))
  })
})

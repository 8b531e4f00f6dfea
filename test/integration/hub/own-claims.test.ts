import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { TagId } from '../../../src-shared/ids'
import { OpenOrders } from '../../../src-main/counter/open-orders'
import { reasonsFor } from '../../../src-main/counter/verdict'
import { createHubMemory } from '../../../src-main/hub/memory'
import { OwnClaims } from '../../../src-main/hub/own-claims'
import type { ClaimAnswer, Hub } from '../../../src-main/hub/port'
import { silentLog } from '../../../src-main/core/log'
import { createServiceClock } from '../../../src-main/core/clock'
import { Outbox } from '../../../src-main/outbox/outbox'
import { StationClock } from '../../../src-main/core/station-clock'
import { createSettings } from '../../../src-main/database/settings'
import { emptyDatabase } from '../../../src-main/database/schema'
import { schemaVersion } from '../../../src-main/database/migrations'
import { type HandClock, handClock } from '../../fakes/clock'
import { order, tag } from '../../fakes/ids'
import { joinHub, situation } from '../../hub/station'
import { useHub } from '../../hub/use-store'
import { eventsOf } from '../../fakes/events'

const server = useHub()

const [oneId, twoId] = [randomUUID(), randomUUID()]
let one: Hub
let two: Hub
let db: ReturnType<typeof emptyDatabase>
let orders: OpenOrders
let outbox: Outbox
let own: OwnClaims
let marks: TagId[]
let clock: HandClock
/** What the service has as sold; undefined while it doesn't answer. */
let soldAtService: Set<TagId> | undefined

beforeEach(async () => {
  one = await joinHub(server.address, 'Till 1', { stationId: oneId })
  two = await joinHub(server.address, 'Till 2', { stationId: twoId })
  db = emptyDatabase(schemaVersion)
  orders = new OpenOrders(db)
  clock = handClock()
  outbox = new Outbox({
    db,
    events: eventsOf(db),
    clock,
    serviceClock: clock.serviceClock,
    caseOf: () => undefined,
    log: silentLog,
  })
  marks = []
  soldAtService = new Set()
  own = claimsOf(one)
})
afterEach(async () => {
  await own.stop()
  await Promise.all([one.close(), two.close()])
  db.close()
})

const claimsOf = (hub: Hub) => {
  const events = eventsOf(db)
  events.on('claims.changed', 'the test', ({ tagIds }) => void marks.push(...tagIds))
  return new OwnClaims({
    db,
    hub,
    events,
    settings: createSettings(db, silentLog),
    log: silentLog,
    clock,
    isSold: (tagId) => Promise.resolve(soldAtService?.has(tagId)),
    letGo: (tagId) => {
      const holder = orders.holderOf(tagId)
      if (holder) orders.remove(holder, tagId)
      return holder && (() => undefined)
    },
    loseHeld: () => Promise.resolve(),
  })
}
/** What a person is told of items of this station. */
const notices = () =>
  db
    .prepare('SELECT tag_id, body FROM hub_notice ORDER BY tag_id')
    .all()
    .map((row) => {
      const { tag_id: tagId, body } = z.object({ tag_id: z.string(), body: z.string() }).parse(row)
      return { tagId, ...z.looseObject({}).parse(JSON.parse(body)) }
    })
const add = (...tagIds: TagId[]) => {
  for (const tagId of tagIds)
    orders.add('sale', { tagId, scannedAt: 1, found: reasonsFor('sellable'), permitted: null })
}
/** Completes what is in the cart. */
const complete = (orderId: string, tagIds: TagId[]) => {
  const made = outbox.enqueue(
    { kind: 'complete', orderId: order(orderId), tagIds },
    {
      alongside: () => {
        orders.renew('sale')
      },
    },
  )
  if (!made.ok) throw new Error(made.error.code)
  return made.value
}
const accept = (id: string) => db.prepare(`UPDATE operation SET state = 'accepted' WHERE id = ?`).run(id)
/** Sells what is in the cart, and the service has it. */
const sell = (orderId: string, tagId: TagId) => {
  accept(complete(orderId, [tagId]).id)
}
const takeBack = (orderId: string, tagId: TagId) => {
  clock.advance(1_000)
  const back = outbox.enqueue({ kind: 'return', orderId: order(orderId), tagIds: [tagId] }, {})
  if (!back.ok) throw new Error(back.error.code)
  accept(back.value.id)
  clock.advance(1_000)
}
const dirtyCount = () => db.prepare('SELECT count(*) FROM dirty_key').pluck().get()
const told = async () => {
  own.push()
  await expect.poll(dirtyCount).toBe(0)
}
/** What the hub holds, as a person with the right to read its tables sees it. */
const atHub = async () => {
  const rows = await server.sql(
    `SELECT tag, kind FROM countertag.claim WHERE station = $1 AND kind <> 'returned' ORDER BY tag`,
    [oneId],
  )
  const Rows = z.array(z.object({ tag: z.string(), kind: z.string() }))
  return new Map(Rows.parse(rows).map(({ tag, kind }) => [tag, kind]))
}
const [a, b, c] = [tag(1), tag(2), tag(3)]
const scan = (tagId: TagId) => ({ tagId, kind: 'cart', orderId: null, at: 0 }) as const
/** Saves the line and its claim, as a scan does. */
const keptWith = (tagId: TagId) => (answer: ClaimAnswer) => {
  add(tagId)
  if (answer.kind === 'granted') own.keep(tagId, { revision: answer.revision, isInSync: true })
}
describe('what the hub holds of a station', () => {
  it('follows a cart, an order on hold and a sale', async () => {
    add(a, b)
    await told()
    expect(await atHub()).toEqual(
      new Map([
        [a, 'cart'],
        [b, 'cart'],
      ]),
    )
    orders.hold(5)
    add(c)
    await told()
    expect(await atHub()).toEqual(
      new Map([
        [a, 'held'],
        [b, 'held'],
        [c, 'cart'],
      ]),
    )
    complete('7', [c])
    await told()
    expect((await atHub()).get(c)).toBe('sale')
    expect([a, b].map((one) => own.markOf(one))).toEqual([null, null])
  })

  it('is freed by removing, clearing and dropping', async () => {
    add(a, b)
    await told()
    orders.remove(orders.front('sale'), a)
    await told()
    expect(await atHub()).toEqual(new Map([[b, 'cart']]))
    orders.renew('sale')
    await told()
    expect(await atHub()).toEqual(new Map())
    expect(own.markOf(b)).toEqual({ kind: 'unchecked' })
  })

  it('is freed by withdrawing a sale, and by a return once the service has it', async () => {
    const first = complete('7', [a])
    const second = complete('8', [b])
    await told()
    outbox.withdraw(first.id)
    await told()
    expect(await atHub()).toEqual(new Map([[b, 'sale']]))
    accept(second.id)
    const back = outbox.enqueue({ kind: 'return', orderId: order('8'), tagIds: [b] }, {})
    await told()
    expect(await atHub()).toEqual(new Map([[b, 'sale']]))
    if (back.ok) accept(back.value.id)
    await told()
    expect(await atHub()).toEqual(new Map())
    expect(await two.claims.take({ tagId: b, kind: 'cart', orderId: null, at: 0 })).toMatchObject({ kind: 'granted' })
  })

  it('is free after a sale and its return that the hub did not hear of, though it was claimed for the scan', async () => {
    await own.take(scan(a), keptWith(a))
    sell('7', a)
    takeBack('7', a)
    await told()
    expect(await two.claims.take(scan(a))).toMatchObject({ kind: 'granted' })
  })

  it('is free after a return or void at another station that the hub heard of before the sale', async () => {
    await own.take(scan(a), keptWith(a))
    await own.take(scan(b), keptWith(b))
    accept(complete('7', [a, b]).id)
    await two.claims.released([{ tagId: a, at: clock.now() + 1_000 }])
    await two.claims.releasedOrder('7', clock.now() + 1_000)
    await told()
    expect(await atHub()).toEqual(new Map())
    for (const tagId of [a, b]) expect(await two.claims.take(scan(tagId))).toMatchObject({ kind: 'granted' })
    expect(notices()).toEqual([])
  })

  it('is free after a return, though it was sold again meanwhile and that sale was withdrawn', async () => {
    sell('7', a)
    takeBack('7', a)
    const again = complete('8', [a])
    await told()
    expect(await atHub()).toEqual(new Map([[a, 'sale']]))
    outbox.withdraw(again.id)
    await told()
    expect(await two.claims.take(scan(a))).toMatchObject({ kind: 'granted' })
  })

  it('is free after the void of an order that another station voided before, though it was sold again meanwhile', async () => {
    sell('7', a)
    await told()
    await two.claims.releasedOrder('7', clock.now() + 500)
    clock.advance(1_000)
    const again = complete('8', [a])
    await told()
    outbox.withdraw(again.id)
    await told()
    expect(await two.claims.take(scan(a))).toMatchObject({ kind: 'granted' })
  })

  it('notes with a void when the item came back: another station’s sale from before, told later, is over', async () => {
    sell('7', a)
    await told()
    clock.advance(1_000)
    const before = clock.now()
    clock.advance(1_000)
    const undone = outbox.enqueue({ kind: 'void', orderId: order('7'), tagIds: [a] }, {})
    if (undone.ok) accept(undone.value.id)
    await told()
    const late = await two.claims.announce([{ tagId: a, kind: 'sale', orderId: '1004', at: before }])
    expect(late?.get(a)).toEqual({ kind: 'over' })
  })

  it('ends no sale of another station when an order is voided whose item had come back there', async () => {
    sell('7', a)
    await told()
    await two.claims.released([{ tagId: a, at: clock.now() + 500 }])
    clock.advance(1_000)
    await two.claims.announce([{ tagId: a, kind: 'sale', orderId: '1004', at: clock.now() }])
    clock.advance(1_000)
    const undone = outbox.enqueue({ kind: 'void', orderId: order('7'), tagIds: [a] }, {})
    if (undone.ok) accept(undone.value.id)
    await told()
    expect(await one.claims.take(scan(a))).toMatchObject({ kind: 'held', by: { kind: 'sale' } })
  })

  it('ends the other station’s sale that came back here, though it was sold here before the hub heard of that', async () => {
    await two.claims.announce([{ tagId: a, kind: 'sale', orderId: '1004', at: clock.now() }])
    takeBack('1004', a)
    sell('7', a)
    await told()
    expect(await atHub()).toEqual(new Map([[a, 'sale']]))
    expect(notices()).toEqual([])
  })

  it('goes to the cart here after the other station’s sale came back here, though the hub had not heard of that', async () => {
    await two.claims.announce([{ tagId: a, kind: 'sale', orderId: '1004', at: clock.now() }])
    takeBack('1004', a)
    add(a)
    await told()
    expect(await atHub()).toEqual(new Map([[a, 'cart']]))
    expect(own.markOf(a)).toBeNull()
    expect(notices()).toEqual([])
  })

  it('is a sale that collided, once the other station withdraws its own', async () => {
    await two.claims.announce([{ tagId: a, kind: 'sale', orderId: '1004', at: 5 }])
    sell('7', a)
    await told()
    expect(notices()).toMatchObject([{ tagId: a, what: 'collided' }])
    await two.claims.free([{ tagId: a, revision: 0, upTo: 5 }])
    own.compare()
    await expect.poll(atHub).toEqual(new Map([[a, 'sale']]))
  })

  describe('that another station’s late sale took from its open order', () => {
    const late = { tagId: a, kind: 'sale', orderId: '1004', at: 5 } as const
    /** In the cart here, and then the hub is told of the other station's sale. */
    const takenLate = async () => {
      await own.take(scan(a), keptWith(a))
      await two.claims.announce([late])
    }
    const withdrawn = () => two.claims.free([{ tagId: a, revision: 0, upTo: 5 }])

    it('is no other order’s once that sale is withdrawn, though it was sold here meanwhile, and this sale is told again', async () => {
      await takenLate()
      complete('7', [a])
      await told()
      expect(notices()).toMatchObject([{ tagId: a, what: 'collided', station: 'Till 2' }])
      await withdrawn()
      expect(await two.claims.take(scan(a))).toMatchObject({ kind: 'held', by: { stationName: 'Till 1' } })
      own.compare()
      await expect.poll(atHub).toEqual(new Map([[a, 'sale']]))
      // The service was not asked, and nothing was moved to a copy.
      expect((await two.stations.list())?.map(({ name }) => name).sort()).toEqual(['Till 1', 'Till 2'])
    })

    it('is free once it was sold here and came back here, also for the order that it was taken from', async () => {
      await takenLate()
      sell('7', a)
      await told()
      takeBack('7', a)
      await told()
      expect(await two.claims.take(scan(a))).toMatchObject({ kind: 'granted' })
    })

    it('is free once that sale is withdrawn, if it was sold here before it came back elsewhere', async () => {
      await own.take(scan(a), keptWith(a))
      const at = clock.now() + 10_000
      await two.claims.announce([{ ...late, at }])
      await two.claims.released([{ tagId: a, at: clock.now() + 5_000 }])
      sell('7', a)
      await told()
      await two.claims.free([{ tagId: a, revision: 0, upTo: at }])
      expect(await two.claims.take(scan(a))).toMatchObject({ kind: 'granted' })
    })

    it('is free once both sales are withdrawn, whichever is first', async () => {
      await takenLate()
      const sold = complete('7', [a])
      await told()
      // The service knows of a third sale of it, which says nothing of these two.
      soldAtService = new Set([a])
      await withdrawn()
      own.compare()
      outbox.withdraw(sold.id)
      await told()
      own.compare()
      await expect.poll(atHub).toEqual(new Map())
      expect(await two.claims.take(scan(a))).toMatchObject({ kind: 'granted' })
    })
  })

  describe.each(['was cut off', 'was killed'])('whose newest revision this station never heard of, as it %s', (how) => {
    /** In the cart here, as order 7. The hub was told the order's number, and its answer was lost. */
    const answerLost = async () => {
      await own.take(scan(a), keptWith(a))
      await own.stop()
      let isLost = true
      own = claimsOf({
        ...one,
        claims: {
          ...one.claims,
          async announce(wishes) {
            const answers = await one.claims.announce(wishes)
            return isLost ? undefined : answers
          },
        },
      })
      orders.set('sale', { orderId: order('7') })
      own.push()
      await expect.poll(() => two.claims.take(scan(a))).toMatchObject({ kind: 'held', by: { orderId: '7' } })
      if (how === 'was killed') {
        await own.stop()
        own = claimsOf(one)
      }
      isLost = false
    }
    const compared = async () => {
      own.compare()
      await expect.poll(atHub).toEqual(new Map())
    }
    const back = {
      void: (at: number) => two.claims.releasedOrder('7', at),
      return: (at: number) => two.claims.released([{ tagId: a, at }]),
    }

    it.each(['void', 'return'] as const)(
      'is free after the %s of its sale elsewhere, of which the hub heard first',
      async (by) => {
        await answerLost()
        sell('7', a)
        await back[by](clock.now() + 1_000)
        await told()
        await compared()
        expect(await two.claims.take(scan(a))).toMatchObject({ kind: 'granted' })
        await told()
        expect(notices()).toEqual([])
      },
    )

    it('is free also if another station sold it since, and it came back from there', async () => {
      await answerLost()
      sell('7', a)
      await back.void(clock.now() + 1_000)
      await two.claims.announce([{ tagId: a, kind: 'sale', orderId: '1004', at: clock.now() + 2_000 }])
      await told()
      await back.return(clock.now() + 3_000)
      await compared()
      expect(await two.claims.take(scan(a))).toMatchObject({ kind: 'granted' })
    })

    it('is no copy’s once it left the cart and was sold elsewhere, of which the hub has not heard', async () => {
      await answerLost()
      orders.remove(orders.front('sale'), a)
      soldAtService = new Set([a])
      await told()
      await compared()
      expect((await two.stations.list())?.map(({ name }) => name).sort()).toEqual(['Till 1', 'Till 2'])
      const sale = await two.claims.announce([{ tagId: a, kind: 'sale', orderId: '1004', at: clock.now() }])
      expect(sale?.get(a)).toMatchObject({ kind: 'granted' })
    })
  })

  it('says nothing of a return cart', async () => {
    orders.add('return', { tagId: a, scannedAt: 1, found: reasonsFor('returnable'), permitted: null })
    await told()
    expect(await atHub()).toEqual(new Map())
  })

  it('is told after an outage, once', async () => {
    await server.stop()
    add(a)
    complete('7', [a])
    add(b)
    own.push()
    await server.start()
    await Promise.all([situation(one, 'online'), situation(two, 'online')])
    await told()
    expect(await atHub()).toEqual(
      new Map([
        [a, 'sale'],
        [b, 'cart'],
      ]),
    )
  })

  it('is a collision where another station was first, told with what it holds', async () => {
    await two.claims.take({ tagId: a, kind: 'cart', orderId: '1004', at: 0 })
    add(a, b)
    await told()
    expect(own.markOf(a)).toMatchObject({ kind: 'held', by: { station: 'Till 2', orderId: '1004', isSold: false } })
    expect(own.markOf(b)).toBeNull()
    expect(marks.toSorted()).toEqual([a, b].toSorted())
    expect(notices()).toMatchObject([{ tagId: a, what: 'collided', station: 'Till 2', orderId: '1004' }])
    // The other station is told too, once.
    own.compare()
    await told()
    expect(await two.notices.read()).toMatchObject([{ tagId: a, what: 'collided', stationName: 'Till 1' }])
  })

  it('is a collision for a sale, whichever station is told first', async () => {
    await two.claims.announce([{ tagId: a, kind: 'sale', orderId: '1004', at: 5 }])
    complete('7', [a])
    await told()
    expect(notices()).toMatchObject([{ tagId: a, what: 'collided', ownOrderId: '7', isSoldHere: true }])
  })

  it('lets go of what another station took over, with its notice and no second one', async () => {
    add(a)
    await told()
    const shown = await two.claims.take({ tagId: a, kind: 'cart', orderId: '9', at: 0 })
    if (shown.kind !== 'held') throw new Error('not held')
    await two.claims.takeOver({ tagId: a, kind: 'cart', orderId: '9', at: 0 }, shown.by, 'customer moved')
    own.compare()
    await expect
      .poll(notices)
      .toMatchObject([{ tagId: a, what: 'taken-over', station: 'Till 2', because: 'customer moved', hasLeft: true }])
    expect(orders.holderOf(a)).toBeUndefined()
    await told()
    expect(await two.notices.read()).toEqual([])
    // Scanned again without the hub, it is a collision like any other.
    await own.take(scan(a), () => {
      add(a)
      own.keepUnchecked(a)
    })
    await told()
    expect(notices()).toMatchObject([{ tagId: a, what: 'collided', station: 'Till 2' }])
    expect(await two.notices.read()).toMatchObject([{ tagId: a, what: 'collided', stationName: 'Till 1' }])
  })

  it('keeps what this station took back before it read that another one had taken it', async () => {
    add(a)
    await told()
    const toTwo = { tagId: a, kind: 'cart', orderId: '9', at: 0 } as const
    const shown = await two.claims.take(toTwo)
    if (shown.kind !== 'held') throw new Error('not held')
    const lost = await two.claims.takeOver(toTwo, shown.by, 'customer moved')
    if (lost.kind !== 'granted') throw new Error('not granted')
    const back = { stationId: twoId, revision: lost.revision }
    await own.takeOver(scan(a), back, 'moved back', (answer) => {
      if (answer.kind === 'granted') own.keep(a, { revision: answer.revision, isInSync: true })
    })
    own.compare()
    await expect.poll(notices).toHaveLength(1)
    await told()
    expect(orders.holderOf(a)).toBeDefined()
    expect(own.markOf(a)).toBeNull()
    expect(db.prepare('SELECT is_seen FROM hub_notice').pluck().all()).toEqual([1])
  })
})

describe('after a restart of the station', () => {
  it('the hub is told again what it lost without a sign, however many reports were made since', async () => {
    const items = Array.from({ length: 250 }, (_, at) => tag(100 + at))
    for (const [at, one] of items.entries()) sell(String(at + 1), one)
    await told()
    own.compare()
    await expect.poll(async () => (await atHub()).size).toBe(250)
    await own.stop()
    await server.sql('DELETE FROM countertag.claim')
    own = claimsOf(one)
    own.pushAgain()
    await expect.poll(async () => [...(await atHub()).keys()].sort()).toEqual([...items].sort())
    // A running process is told of such a loss by its turn.
    await server.sql('DELETE FROM countertag.claim')
    own.pushAgain()
    await expect.poll(dirtyCount).toBe(0)
    expect((await atHub()).size).toBe(100)
  })
})

describe('a sale whose clock was three days ahead', () => {
  const ahead = 3 * 24 * 3_600_000
  /** A sale while the service doesn't answer, told by the wrong time. `answer`: the service's clock is heard. */
  const sellAhead = async () => {
    const right = clock.now()
    const system = { now: () => right + ahead }
    const station = new StationClock({ system, steady: () => 0, built: right - ahead })
    const serviceClock = createServiceClock({ station, onAnswer: () => void wrong.correctTimes() })
    const wrong = new Outbox({
      db,
      events: eventsOf(db),
      clock: station,
      stationClock: station,
      serviceClock,
      caseOf: () => undefined,
      log: silentLog,
    })
    const made = wrong.enqueue({ kind: 'complete', orderId: order('7'), tagIds: [a] }, {})
    if (!made.ok) throw new Error(made.error.code)
    await told()
    const answer = () => {
      serviceClock.seen(new Date(right).toUTCString(), station.now(), station.now())
    }
    return { right, answer, id: made.value.id }
  }
  const toldAt = async () => {
    const rows = await server.sql('SELECT at FROM countertag.claim WHERE tag = $1', [a])
    return z.tuple([z.object({ at: z.coerce.number() })]).parse(rows)[0].at
  }

  it('is told again once its time was corrected, and goes back into a cart here when the service refuses it', async () => {
    const { right, answer, id } = await sellAhead()
    expect(await toldAt()).toBe(right + ahead)
    answer()
    await told()
    expect(await toldAt()).toBeLessThan(right + 60_000)
    outbox.withdraw(id)
    expect(await own.take(scan(a), (answer) => answer)).toMatchObject({ kind: 'granted' })
  })

  it('goes back into a cart here also where the hub was not told of the correction first', async () => {
    const { answer, id } = await sellAhead()
    answer()
    outbox.withdraw(id)
    add(a)
    await told()
    expect(own.markOf(a)).toBeNull()
    expect(await atHub()).toEqual(new Map([[a, 'cart']]))
    orders.remove(orders.front('sale'), a)
    await told()
    expect(await two.claims.take(scan(a))).toMatchObject({ kind: 'granted' })
  })

  it('is freed if it is withdrawn before the hub was told of the correction', async () => {
    const { answer, id } = await sellAhead()
    answer()
    outbox.withdraw(id)
    await told()
    expect(await two.claims.take(scan(a))).toMatchObject({ kind: 'granted' })
  })
})

describe('while another process works as this station', () => {
  it('no claim counts as checked, until they were compared again', async () => {
    await own.take(scan(a), keptWith(a))
    expect(own.markOf(a)).toBeNull()
    marks = []
    own.doubtAll()
    expect([own.markOf(a), marks]).toEqual([{ kind: 'unchecked' }, [a]])
    own.compare()
    await expect.poll(() => own.markOf(a)).toBeNull()
  })
})

describe('comparing', () => {
  it('frees a sale that reached the hub only after it was withdrawn', async () => {
    // Known to each other: nothing is told anew.
    own.compare()
    await expect.poll(() => createSettings(db, silentLog).read('hub.seen', z.unknown())).toBeDefined()
    const { id, performedAt } = complete('7', [a])
    await told()
    outbox.withdraw(id)
    await told()
    const at = Date.parse(performedAt)
    await one.claims.announce([{ tagId: a, kind: 'sale', orderId: '7', at }])
    expect(await two.claims.take(scan(a))).toMatchObject({ kind: 'held' })
    own.compare()
    await expect.poll(atHub).toEqual(new Map())
  })

  it('frees claims without a line, and asks for lines without a claim', async () => {
    await one.claims.take({ tagId: a, kind: 'cart', orderId: null, at: 0 })
    add(b)
    db.exec('DELETE FROM dirty_key')
    own.compare()
    await expect.poll(atHub).toEqual(new Map([[b, 'cart']]))
  })

  /** The hub answers no announcement any more, and has no notice of a takeover. `ownAtHub`: what it holds of this station. */
  const withoutAnnouncing = async (ownAtHub = () => one.claims.own()) => {
    await own.stop()
    own = claimsOf({
      ...one,
      claims: { ...one.claims, own: ownAtHub, announce: () => Promise.resolve(undefined) },
      notices: { ...one.notices, read: () => Promise.resolve(undefined) },
    })
    // Claims from before a start are confirmed first.
    own.compare()
    await expect.poll(() => own.markOf(a)).toBeNull()
  }

  it('counts a claim that the hub lacks as not checked, until the hub says what became of it', async () => {
    await own.take(scan(a), keptWith(a))
    await withoutAnnouncing()
    const shown = await two.claims.take(scan(a))
    if (shown.kind !== 'held') throw new Error('not held')
    await two.claims.takeOver(scan(a), shown.by, null)
    marks = []
    own.compare()
    await expect.poll(() => own.markOf(a)).toEqual({ kind: 'unchecked' })
    await expect.poll(() => marks).toContain(a)
  })

  it('leaves a claim alone that was granted while the hub was asked', async () => {
    await own.take(scan(a), keptWith(a))
    const { promise: granted, resolve: goOn } = Promise.withResolvers<unknown>()
    let isHeld = false
    await withoutAnnouncing(async () => {
      const known = await one.claims.own()
      if (isHeld) await granted
      return known
    })
    isHeld = true
    marks = []
    own.compare()
    await own.take(scan(b), keptWith(b))
    goOn(null)
    await own.stop()
    expect(own.markOf(b)).toBeNull()
    expect(marks).toEqual([])
  })

  it('frees a claim that this station knows and has no line for', async () => {
    await own.take(scan(a), keptWith(a))
    orders.remove(orders.front('sale'), a)
    own.compare()
    await expect.poll(atHub).toEqual(new Map())
  })

  it('corrects the order that the hub names', async () => {
    orders.set('sale', { orderId: order('1004') })
    add(a)
    await told()
    await server.sql('UPDATE countertag.claim SET order_id = NULL')
    own.compare()
    const Rows = z.array(z.object({ order_id: z.string().nullable() }))
    const named = async () => Rows.parse(await server.sql('SELECT order_id FROM countertag.claim'))
    await expect.poll(named).toEqual([{ order_id: '1004' }])
  })

  it('announces everything to a hub that lost it', async () => {
    complete('7', [b])
    add(a)
    await told()
    await server.sql('DELETE FROM countertag.claim; UPDATE countertag.store SET id = gen_random_uuid()')
    own.compare()
    await expect.poll(atHub).toEqual(
      new Map([
        [a, 'cart'],
        [b, 'sale'],
      ]),
    )
  })
})

describe('at a hub that was made anew, what the lost one had granted', () => {
  const settings = () => createSettings(db, silentLog)
  const storeId = 'of the first store'
  /** As after a start of the app. */
  const start = async (store = storeId) => {
    const memory = createHubMemory(db, settings(), { id: oneId, name: 'Till 1', storeId: store })
    const memorizing = { stationId: oneId, memory }
    one = await joinHub(server.address, 'Till 1', memorizing)
    own = claimsOf(one)
  }
  const stop = async () => {
    await own.stop()
    await one.close()
  }
  /** The first hub has granted many claims. Whatever is asked of the second one has a lower revision. */
  const lost = `DELETE FROM countertag.claim; DELETE FROM countertag.notice; DELETE FROM countertag.session;
    UPDATE countertag.store SET id = gen_random_uuid(); SELECT setval('countertag.claim_revision', 1, false)`
  const compared = async () => {
    own.compare()
    await own.stop()
    own = claimsOf(one)
  }
  beforeEach(async () => {
    await stop()
    await server.sql(`SELECT setval('countertag.claim_revision', 500)`)
    await start()
  })
  const announced = () => one.claims.announced()
  const renewed = async () => {
    await stop()
    await server.sql(lost)
    await start()
  }

  it('is granted anew, and counts as checked then', async () => {
    await own.take(scan(a), keptWith(a))
    await compared()
    await renewed()
    expect(own.markOf(a)).toMatchObject({ kind: 'unchecked' })
    own.compare()
    await announced()
    await expect.poll(() => own.markOf(a)).toBeNull()
    expect(await atHub()).toEqual(new Map([[a, 'cart']]))
  })

  it('is another station’s that claimed it there first', async () => {
    await own.take(scan(a), keptWith(a))
    await compared()
    await stop()
    await server.sql(lost)
    await two.claims.take(scan(a))
    await start()
    own.compare()
    await expect.poll(() => own.markOf(a)).toMatchObject({ kind: 'held', by: { stationId: twoId } })
    expect(notices()).toMatchObject([{ tagId: a, what: 'collided' }])
  })

  it('is given up without what was granted there since', async () => {
    await own.take(scan(a), keptWith(a))
    await compared()
    await stop()
    await server.sql(lost)
    orders.remove(orders.front('sale'), a)
    await start()
    const { promise: asked, resolve: goOn } = Promise.withResolvers<unknown>()
    let isAsked = false
    own = claimsOf({
      ...one,
      claims: {
        ...one.claims,
        async free(those) {
          isAsked = true
          await asked
          return one.claims.free(those)
        },
      },
    })
    own.push()
    await expect.poll(() => isAsked).toBe(true)
    await own.take(scan(a), keptWith(a))
    goOn(null)
    await told()
    expect(await atHub()).toEqual(new Map([[a, 'cart']]))
  })

  it('is let go if it was taken over there', async () => {
    await own.take(scan(a), keptWith(a))
    await compared()
    await stop()
    // From a backup: the claim is in it.
    await server.sql(`UPDATE countertag.claim SET revision = 2; SELECT setval('countertag.claim_revision', 2)`)
    const shown = await two.claims.take(scan(a))
    if (shown.kind !== 'held') throw new Error('not held')
    await two.claims.takeOver(scan(a), shown.by, null)
    await start()
    own.compare()
    await expect.poll(notices).toMatchObject([{ tagId: a, what: 'taken-over', hasLeft: true }])
    await own.stop()
    expect(orders.holderOf(a)).toBeUndefined()
  })

  it('hides no collision there, though it was taken over at the lost hub', async () => {
    await own.take(scan(a), keptWith(a))
    const shown = await two.claims.take(scan(a))
    if (shown.kind !== 'held') throw new Error('not held')
    await two.claims.takeOver(scan(a), shown.by, null)
    await compared()
    await renewed()
    await own.take(scan(a), keptWith(a))
    await two.claims.announce([{ tagId: a, kind: 'sale', orderId: '7', at: 1_000 }])
    own.compare()
    await expect.poll(notices).toMatchObject([{ what: 'taken-over' }, { what: 'collided' }])
  })

  it('stays in its order, though the backup still has the notice of a takeover that is over', async () => {
    await own.take(scan(a), keptWith(a))
    const shown = await two.claims.take(scan(a))
    if (shown.kind !== 'held') throw new Error('not held')
    await two.claims.takeOver(scan(a), shown.by, null)
    await server.sql('CREATE TABLE backup AS SELECT * FROM countertag.notice')
    await compared()
    expect(orders.holderOf(a)).toBeUndefined()
    await server.sql('DELETE FROM countertag.claim')
    add(a)
    await told()
    await compared()
    await stop()
    await server.sql(`DELETE FROM countertag.claim; INSERT INTO countertag.notice SELECT * FROM backup; DROP TABLE backup;
      SELECT setval('countertag.claim_revision', (SELECT max(revision) FROM countertag.notice))`)
    await start()
    await compared()
    expect(orders.holderOf(a)).toBeDefined()
    expect(await atHub()).toEqual(new Map([[a, 'cart']]))
    expect(notices()).toHaveLength(1)
  })

  it('is found by its revision, where nothing else shows that the hub fell back', async () => {
    await own.take(scan(a), keptWith(a))
    await server.sql(`DELETE FROM countertag.claim; SELECT setval('countertag.claim_revision', 1)`)
    await two.claims.take(scan(a))
    own.compare()
    await expect.poll(() => own.markOf(a)).toMatchObject({ kind: 'held', by: { stationId: twoId } })
  })

  it('hides no collision either, where nothing else shows that', async () => {
    await own.take(scan(a), keptWith(a))
    await own.take(scan(b), keptWith(b))
    const shown = await two.claims.take(scan(a))
    if (shown.kind !== 'held') throw new Error('not held')
    await two.claims.takeOver(scan(a), shown.by, null)
    await compared()
    await server.sql(`DELETE FROM countertag.claim; SELECT setval('countertag.claim_revision', 1)`)
    await compared()
    await own.take(scan(a), keptWith(a))
    await two.claims.announce([{ tagId: a, kind: 'sale', orderId: '7', at: 1_000 }])
    own.compare()
    await expect.poll(notices).toMatchObject([{ what: 'taken-over' }, { what: 'collided' }])
  })

  it('counts for nothing at the hub of another store', async () => {
    await own.take(scan(a), keptWith(a))
    await compared()
    await stop()
    await server.sql(lost)
    await two.claims.take(scan(a))
    await start('of another store')
    own.compare()
    await expect.poll(() => own.markOf(a)).toMatchObject({ kind: 'held', by: { stationId: twoId } })
  })
})

describe('what the hub holds in this station’s name and this station doesn’t know', () => {
  it('stays sold after older data came back, also once it has reported again', async () => {
    // Sold by the newer data, which is gone.
    await one.claims.announce([{ tagId: a, kind: 'sale', orderId: '1004', at: clock.now() + 5 }])
    own.compare()
    await expect.poll(async () => (await one.stations.list())?.map(({ name }) => name)).toContain('Till 1 (copy)')
    clock.advance(60_000)
    complete('7', [b])
    add(a)
    await told()
    orders.remove(orders.front('sale'), a)
    await told()
    expect(await two.claims.take(scan(a))).toMatchObject({
      kind: 'held',
      by: { kind: 'sale', orderId: '1004', stationName: 'Till 1 (copy)' },
    })
  })

  it('is not taken for a new order before it was compared', async () => {
    await one.claims.announce([{ tagId: a, kind: 'sale', orderId: '1004', at: clock.now() + 5 }])
    expect(await own.take(scan(a), (answer) => answer)).toMatchObject({ kind: 'held', by: { kind: 'sale' } })
  })

  it('is kept until the service was asked, and then only if it is sold there', async () => {
    await one.claims.take(scan(a))
    await one.claims.take(scan(b))
    soldAtService = undefined
    own.compare()
    await own.stop()
    expect(await two.claims.take(scan(a))).toMatchObject({ kind: 'held' })
    soldAtService = new Set([a])
    own = claimsOf(one)
    own.compare()
    await expect.poll(atHub).toEqual(new Map())
    expect(await two.claims.take(scan(b))).toMatchObject({ kind: 'granted' })
    expect(await two.claims.take(scan(a))).toMatchObject({ kind: 'held', by: { stationName: 'Till 1 (copy)' } })
  })
})

describe('a row of the hub that can’t be read', () => {
  const far = '290000-01-01'

  it('with a time out of range still says who holds the item, and holds up no other one', async () => {
    await two.claims.take({ ...scan(a), orderId: '1004' })
    await server.sql('UPDATE countertag.claim SET since = $1', [far])
    expect(await own.take(scan(a), (answer) => answer)).toMatchObject({ kind: 'held', by: { stationName: 'Till 2' } })
    add(a, b)
    await told()
    expect(own.markOf(a)).toMatchObject({ kind: 'held', by: { station: 'Till 2', orderId: '1004' } })
    expect(await atHub()).toEqual(new Map([[b, 'cart']]))
  })

  it('costs that claim alone when all are compared', async () => {
    await server.sql(`INSERT INTO countertag.claim (tag, station, kind) VALUES ('not a tag', $1, 'cart')`, [oneId])
    await one.claims.take(scan(a))
    own.compare()
    await expect.poll(async () => (await atHub()).has(a)).toBe(false)
    expect(await atHub()).toEqual(new Map([['not a tag', 'cart']]))
  })

  it('costs no more than itself: what is only shown of a notice, an order on hold or a station hides none of them', async () => {
    await two.notices.push([
      { to: oneId, notice: { tagId: a, revision: 1, what: 'collided', orderId: null, because: null } },
      { to: oneId, notice: { tagId: b, revision: 2, what: 'collided', orderId: null, because: null } },
    ])
    const body = { orderId: null, budtenderId: null, products: [], expected: [] }
    const [good, bad] = [randomUUID(), randomUUID()]
    for (const id of [good, bad]) await two.held.put({ id, body: { ...body, items: [] }, customer: null })
    await server.sql('UPDATE countertag.notice SET at = $1, because = $3 WHERE tag = $2', [far, a, 'x'.repeat(3_000)])
    await server.sql('UPDATE countertag.held_order SET held_at = $1 WHERE id = $2', [far, bad])
    await server.sql('UPDATE countertag.station SET joined_at = $1 WHERE id = $2', [far, twoId])
    const read = await one.notices.read()
    expect(read?.find(({ tagId }) => tagId === a)).toMatchObject({ what: 'collided', because: null, at: 0 })
    expect(read?.map(({ tagId }) => tagId).sort()).toEqual([a, b].sort())
    expect((await one.held.list())?.map(({ id }) => id).sort()).toEqual([good, bad].sort())
    await server.sql(`UPDATE countertag.notice SET tag = 'not a tag' WHERE tag = $1`, [a])
    await server.sql(`UPDATE countertag.held_order SET body = '{}' WHERE id = $1`, [bad])
    expect(await one.notices.read()).toMatchObject([{ tagId: b }])
    expect(await one.held.list()).toMatchObject([{ id: good }])
    expect(await one.stations.list()).toMatchObject([{ name: 'Till 1' }, { name: 'Till 2', joinedAt: 0 }])
  })
})

describe('claiming for a scan', () => {
  const wish = scan(a)

  it('keeps a claim that was granted while the item’s return was being told', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<unknown>()
    await own.stop()
    own = claimsOf({
      ...one,
      claims: {
        ...one.claims,
        async released(releases) {
          const done = await one.claims.released(releases)
          await released
          return done
        },
      },
    })
    sell('7', a)
    takeBack('7', a)
    own.push()
    await own.take(wish, keptWith(a))
    release(null)
    add(b)
    await told()
    expect(own.markOf(a)).toBeNull()
    expect(await atHub()).toEqual(
      new Map([
        [a, 'cart'],
        [b, 'cart'],
      ]),
    )
  })

  it('keeps the newer claim when an item was scanned again before the hub’s answer about its line arrived', async () => {
    const { promise: answered, resolve: answer } = Promise.withResolvers<unknown>()
    await own.stop()
    own = claimsOf({
      ...one,
      claims: {
        ...one.claims,
        async announce(wishes) {
          const given = await one.claims.announce(wishes)
          await answered
          return given
        },
      },
    })
    add(a)
    own.push()
    await expect.poll(atHub).toEqual(new Map([[a, 'cart']]))
    orders.remove(orders.front('sale'), a)
    await own.take(wish, keptWith(a))
    answer(null)
    add(b)
    await told()
    // Freed by the revision that was granted last.
    orders.remove(orders.front('sale'), a)
    await told()
    expect(await atHub()).toEqual(new Map([[b, 'cart']]))
  })

  it('frees what is removed again while an older removal is still being told', async () => {
    const { promise: asked, resolve: goOn } = Promise.withResolvers<unknown>()
    let count = 0
    await own.stop()
    own = claimsOf({
      ...one,
      claims: {
        ...one.claims,
        async free(those) {
          if (count++ === 0) await asked
          return one.claims.free(those)
        },
      },
    })
    await own.take(wish, keptWith(a))
    orders.remove(orders.front('sale'), a)
    own.push()
    await expect.poll(() => count).toBe(1)
    // Granted anew, nothing is to be told of it: the note is dropped. The next removal makes another one.
    await own.take(wish, keptWith(a))
    orders.remove(orders.front('sale'), a)
    goOn(null)
    await told()
    expect(await atHub()).toEqual(new Map())
  })

  it('keeps the claim with its line', async () => {
    await own.take(wish, (answer) => {
      add(a)
      if (answer.kind === 'granted') own.keep(a, { revision: answer.revision, isInSync: true })
      expect(dirtyCount()).toBe(0)
    })
    expect(own.markOf(a)).toBeNull()
    await told()
    expect(await atHub()).toEqual(new Map([[a, 'cart']]))
  })

  it('gives a claim back that got no line', async () => {
    await own.take(wish, () => undefined)
    await expect.poll(dirtyCount).toBe(0)
    expect(await atHub()).toEqual(new Map())
  })

  it('does not free the item while its line is not saved yet, whatever is compared', async () => {
    const { promise: asked, resolve: answer } = Promise.withResolvers<unknown>()
    const slow: Hub = {
      ...one,
      claims: {
        ...one.claims,
        async take(wanted) {
          const given = await one.claims.take(wanted)
          await asked
          return given
        },
      },
    }
    await own.stop()
    own = claimsOf(slow)
    const taken = own.take(wish, () => {
      add(a)
    })
    await expect.poll(atHub).toEqual(new Map([[a, 'cart']]))
    own.compare()
    add(b)
    own.push()
    await expect.poll(() => own.markOf(b)).toBeNull()
    expect((await atHub()).get(a)).toBe('cart')
    answer(null)
    await taken
    await told()
    expect((await atHub()).get(a)).toBe('cart')
  })
})

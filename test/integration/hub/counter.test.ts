import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { TagId } from '../../../src-shared/ids'
import type { CartView } from '../../../src-shared/ipc/contract/checkout'
import { startSlowLine } from '../../hub/slow-line'
import { openTestStore, situation } from '../../hub/store'
import { useStore } from '../../hub/use-store'
import { type Station, idIn } from '../core/station'

const store = useStore()

const sellable = async (station: Station) => {
  const codes = await station.ask('practice.codes', undefined)
  return codes
    .filter(({ kind, about }) => kind === 'tag' && (about === null || about === 'imported-here'))
    .map(({ text }) => TagId.parse(idIn(text)))
}
const scan = (station: Station, tagId: TagId) => station.ask('checkout.addItem', { mode: 'sale', tagId })
const cartOf = (station: Station) => station.ask('checkout.cart', { mode: 'sale' })
const claimsIn = async (station: Station) =>
  (await cartOf(station)).lines.flatMap(({ items }) => items.map(({ claim }) => claim))
const finish = async (station: Station, orderId: string, isMeant = false) => {
  await station.ask('checkout.setOrder', { mode: 'sale', orderId })
  const { itemCount, revision } = await cartOf(station)
  const { client } = station
  return client.call('checkout.finish', { mode: 'sale', orderId, itemCount, revision, ...(isMeant && { isMeant }) })
}
const at = <T>(list: T[], index: number): T => {
  const one = list[index]
  if (one === undefined) throw new Error('too few')
  return one
}

describe('two stations of a store', () => {
  it('refuse an item that is in the other one’s order, by its number and name, until it is removed there', async () => {
    const [one, two] = [await store.station('Front 1'), await store.station('Front 2')]
    const tagId = at(await sellable(one), 0)
    await one.ask('checkout.setOrder', { mode: 'sale', orderId: '1004' })
    expect(await scan(one, tagId)).toMatchObject({ claim: null })
    expect(await two.refused('checkout.addItem', { mode: 'sale', tagId })).toMatchObject({
      code: 'checkout/claimed',
      by: { station: 'Front 1', orderId: '1004', isSold: false },
    })
    expect((await cartOf(two)).itemCount).toBe(0)
    await one.ask('checkout.removeItem', { mode: 'sale', tagId })
    await expect.poll(async () => (await two.client.call('checkout.addItem', { mode: 'sale', tagId })).ok).toBe(true)
  })

  it('refuse an item that the other one sold, also from hold and after a restart, and take it after its return', async () => {
    const [one, two] = [await store.station('Front 1'), await store.station('Front 2')]
    const tagId = at(await sellable(one), 0)
    await scan(one, tagId)
    const { revision } = await cartOf(one)
    await one.ask('checkout.hold', { revision })
    expect(await two.refused('checkout.addItem', { mode: 'sale', tagId })).toMatchObject({ code: 'checkout/claimed' })
    await one.restart()
    await situation(one, 'online')
    const held = at(await one.ask('checkout.held', undefined), 0)
    await one.ask('checkout.resume', { heldId: held.id })
    expect((await finish(one, '1004')).ok).toBe(true)
    await expect
      .poll(() => two.refused('checkout.addItem', { mode: 'sale', tagId }))
      .toMatchObject({ code: 'checkout/claimed', by: { isSold: true, orderId: '1004' } })
    await one.drained()
    await one.ask('checkout.void', { orderId: '1004' })
    await one.drained()
    await expect.poll(async () => (await two.client.call('checkout.addItem', { mode: 'sale', tagId })).ok).toBe(true)
  })

  it('let a person take an item over with a reason; it leaves the other one, which is told', async () => {
    const [one, two] = [await store.station('Front 1'), await store.station('Front 2')]
    const tagId = at(await sellable(one), 0)
    await scan(one, tagId)
    const refused = await two.refused('checkout.addItem', { mode: 'sale', tagId })
    if (refused.code !== 'checkout/claimed') throw new Error(refused.code)
    const takeOver = { stationId: refused.by.stationId, revision: refused.by.revision }
    expect(await two.refused('checkout.addItem', { mode: 'sale', tagId, takeOver })).toMatchObject({
      code: 'gate/reason-missing',
    })
    const approval = { reason: 'Customer changed registers' }
    expect(await two.ask('checkout.addItem', { mode: 'sale', tagId, takeOver, approval })).toMatchObject({
      claim: null,
    })
    await expect.poll(() => cartOf(one)).toMatchObject({ itemCount: 0 })
    expect(await finish(one, '1', true)).toMatchObject({ ok: false, error: { code: 'checkout/empty-cart' } })
    await expect
      .poll(() => one.ask('hub.notices', undefined))
      .toMatchObject([{ what: 'taken-over', station: 'Front 2', because: approval.reason, tagId }])
    const notices = await one.ask('hub.notices', undefined)
    await one.ask('hub.seen', { ids: notices.map(({ id }) => id) })
    expect(await one.ask('hub.notices', undefined)).toEqual([])
    expect((await finish(two, '2')).ok).toBe(true)
    // Taken over in turn: not from a sale, of which the service knows by now.
    const back = { mode: 'sale', tagId, takeOver: { ...takeOver, revision: 1_000 }, approval } as const
    await expect
      .poll(() => one.refused('checkout.addItem', back))
      .toMatchObject({ code: 'checkout/sold-elsewhere', tagId })
  })

  it('of which both scan the same item at once, exactly one gets it', async () => {
    const [one, two] = [await store.station('Front 1'), await store.station('Front 2')]
    for (const tagId of (await sellable(one)).slice(0, 6)) {
      const answers = await Promise.all(
        [one, two].map(({ client }) => client.call('checkout.addItem', { mode: 'sale', tagId })),
      )
      expect(answers.map(({ ok }) => ok).sort()).toEqual([false, true])
    }
    expect((await cartOf(one)).itemCount + (await cartOf(two)).itemCount).toBe(6)
  })

  it('without the hub take items with a mark, sell them, and are told of those that both sold', async () => {
    const [one, two] = [await store.station('Front 1'), await store.station('Front 2')]
    const [both, own] = [at(await sellable(one), 0), at(await sellable(one), 1)]
    await store.stop()
    await Promise.all([situation(one, 'offline'), situation(two, 'offline')])
    for (const station of [one, two]) expect(await scan(station, both)).toMatchObject({ claim: { kind: 'unchecked' } })
    await scan(two, own)
    expect((await finish(one, '1')).ok).toBe(true)
    await store.start()
    await Promise.all([situation(one, 'online'), situation(two, 'online')])
    // Two still has it in its cart: refused there, before it is sold twice.
    await expect
      .poll(() => claimsIn(two))
      .toMatchObject([{ kind: 'held', by: { station: 'Front 1', isSold: true } }, null])
    expect(await finish(two, '2', true)).toMatchObject({ ok: false, error: { code: 'checkout/claimed' } })
    await expect.poll(() => two.ask('hub.notices', undefined)).toMatchObject([{ what: 'collided', station: 'Front 1' }])
    await expect.poll(() => one.ask('hub.notices', undefined)).toMatchObject([{ what: 'collided', station: 'Front 2' }])
    await two.ask('checkout.removeItem', { mode: 'sale', tagId: both })
    expect((await finish(two, '2')).ok).toBe(true)
  })

  it('without the hub refuse items where the store wants that, and go on with those that were granted', async () => {
    const one = await store.station('Front 1', 'refuse')
    const [granted, later] = [at(await sellable(one), 0), at(await sellable(one), 1)]
    await scan(one, granted)
    await store.stop()
    await situation(one, 'offline')
    expect(await one.refused('checkout.addItem', { mode: 'sale', tagId: later })).toMatchObject({
      code: 'checkout/not-claimed',
    })
    expect((await finish(one, '1')).ok).toBe(true)
    await store.start()
    await situation(one, 'online')
    expect(await scan(one, later)).toMatchObject({ claim: null })
  })
})

describe('a station that the store hub waits for', () => {
  const awaitTill = (name = 'Till 9') =>
    store.sql('INSERT INTO countertag.awaited VALUES ($1, $2, false)', [randomUUID(), name])
  const awaited = { kind: 'unchecked', awaited: ['Till 9'] }

  it('is named by what is scanned and sold with a warning, until a person goes on without it', async () => {
    const one = await store.station('Front 1')
    const [marked, later] = [at(await sellable(one), 0), at(await sellable(one), 1)]
    await awaitTill()
    expect(await scan(one, marked)).toMatchObject({ claim: awaited })
    expect(await claimsIn(one)).toEqual([awaited])
    // A station that is awaited since wasn't shown: it stays awaited.
    await awaitTill('Till 8')
    await one.ask('hub.goOn', { stations: ['Till 9'] })
    const since = { kind: 'unchecked', awaited: ['Till 8'] }
    expect(await scan(one, later)).toMatchObject({ claim: since })
    await one.ask('hub.goOn', { stations: ['Till 8'] })
    await expect.poll(() => claimsIn(one)).toEqual([null, null])
  })

  it('makes a store that refuses refuse: a scan, and an order with what was scanned before', async () => {
    const one = await store.station('Front 1', 'refuse')
    const [before, later] = [at(await sellable(one), 0), at(await sellable(one), 1)]
    await scan(one, before)
    await one.restart(awaitTill)
    await situation(one, 'online')
    const refusal = { code: 'checkout/awaited', stations: ['Till 9'] }
    expect(await one.refused('checkout.addItem', { mode: 'sale', tagId: later })).toMatchObject(refusal)
    await expect.poll(() => claimsIn(one)).toEqual([awaited])
    expect(await finish(one, '1')).toMatchObject({ ok: false, error: { ...refusal, tagId: before } })
    await one.ask('hub.goOn', { stations: ['Till 9'] })
    await expect.poll(() => claimsIn(one)).toEqual([null])
    expect((await finish(one, '1')).ok).toBe(true)
  })
})

describe('a claim from before that another station may have by now', () => {
  it('does not count for a line that is scanned again without the hub', async () => {
    const line = await startSlowLine(store.address.port)
    const far = await openTestStore({ ...store.address, port: line.port })
    onTestFinished(async () => {
      await far.close()
      await line.close()
    })
    const one = await far.station('Front 1')
    const tagId = at(await sellable(one), 0)
    await scan(one, tagId)
    // The hub frees the item, and the station isn't told.
    line.swallowAnswerTo('DELETE FROM countertag.claim')
    await one.ask('checkout.removeItem', { mode: 'sale', tagId })
    const claimsAtHub = async () => (await store.sql('SELECT tag FROM countertag.claim')).length
    await expect.poll(claimsAtHub).toBe(0)
    line.cut('refused')
    await situation(one, 'offline')
    expect(await scan(one, tagId)).toMatchObject({ claim: { kind: 'unchecked' } })
  })

  it('does not count for an order on hold that the hub gives back without the item', async () => {
    const [one, two] = [await store.station('Front 1', 'refuse'), await store.station('Front 2', 'refuse')]
    const [left, moved] = [at(await sellable(one), 0), at(await sellable(one), 1)]
    for (const tagId of [left, moved]) await scan(one, tagId)
    await one.ask('checkout.setOrder', { mode: 'sale', orderId: '1004' })
    await one.ask('checkout.hold', { revision: (await cartOf(one)).revision })
    await expect.poll(() => two.ask('checkout.held', undefined)).toMatchObject([{ orderId: '1004' }])
    // Taken over, and the news is still on its way.
    await store.sql(`UPDATE countertag.claim SET station = (SELECT id FROM countertag.station WHERE name = 'Front 2'),
      revision = nextval('countertag.claim_revision') WHERE tag = '${moved}'`)
    const client = new pg.Client(store.address)
    await client.connect()
    onTestFinished(() => client.end())
    // Asked about it again, the hub doesn't answer yet.
    await client.query(`BEGIN; SELECT FROM countertag.claim WHERE tag = '${moved}' FOR UPDATE`)
    const order = at(await one.ask('checkout.held', undefined), 0)
    await one.ask('checkout.resume', { heldId: order.id })
    const cart = await cartOf(one)
    const marks = cart.lines.flatMap(({ items }) => items.map(({ tagId, claim }) => [tagId, claim?.kind ?? null]))
    expect(new Map(marks.map(([tagId, kind]) => [tagId, kind]))).toEqual(
      new Map([
        [left, null],
        [moved, 'unchecked'],
      ]),
    )
    expect(await finish(one, '1004')).toMatchObject({ ok: false, error: { code: 'checkout/not-claimed' } })
  })
})

describe('a scan that the service answers before the hub', () => {
  const behindSlowLine = async () => {
    const line = await startSlowLine(store.address.port)
    const slow = await openTestStore({ ...store.address, port: line.port })
    const station = await slow.station('Front 1')
    line.slow({ requests: 0, answers: 250 })
    const carts: CartView[] = []
    station.client.on('checkout.cart', (cart) => carts.push(cart))
    const verdicts = () => carts.flatMap(({ lines }) => lines.flatMap(({ items }) => items.map((one) => one.verdict)))
    const close = async () => {
      await slow.close()
      await line.close()
    }
    return { station, verdicts, carts, close }
  }
  const claimsAtHub = async () => (await store.sql('SELECT 1 FROM countertag.claim')).length
  const kinds = async (station: Station, about: string) => {
    const codes = await station.ask('practice.codes', undefined)
    return codes.flatMap((one) => (one.kind === 'tag' && one.about === about ? TagId.parse(idIn(one.text)) : []))
  }

  it('enters the cart once, with the service’s answer', async () => {
    const { station, carts, verdicts, close } = await behindSlowLine()
    const tagId = at(await sellable(station), 0)
    expect(await scan(station, tagId)).toMatchObject({ tagId, claim: null, verdict: { kind: 'sellable', asOf: null } })
    expect(carts).toHaveLength(1)
    expect(verdicts()).toMatchObject([{ kind: 'sellable', asOf: null }])
    expect(await station.refused('checkout.addItem', { mode: 'sale', tagId })).toMatchObject({
      code: 'checkout/duplicate',
    })
    await close()
  })

  it('is refused without ever being in the cart, and frees its claim', async () => {
    const { station, carts, close } = await behindSlowLine()
    const tagId = at(await kinds(station, 'imported-by-stranger'), 0)
    expect((await station.client.call('checkout.addItem', { mode: 'sale', tagId })).ok).toBe(false)
    expect(carts).toEqual([])
    expect((await cartOf(station)).itemCount).toBe(0)
    await expect.poll(() => claimsAtHub()).toBe(0)
    await close()
  })
})

describe('a station that starts with items in its cart', () => {
  const takenOver = async (by: Station, tagId: TagId) => {
    const refused = await by.refused('checkout.addItem', { mode: 'sale', tagId })
    if (refused.code !== 'checkout/claimed') throw new Error(refused.code)
    const { stationId, revision } = refused.by
    const approval = { reason: 'The other register is off' }
    await by.ask('checkout.addItem', { mode: 'sale', tagId, takeOver: { stationId, revision }, approval })
  }

  it('does not complete with what was taken over meanwhile, though the hub has not answered yet', async () => {
    const one = await store.station('Front 1', 'refuse')
    const two = await store.station('Front 2', 'refuse')
    const tagId = at(await sellable(one), 0)
    await scan(one, tagId)
    await one.restart(async () => {
      await takenOver(two, tagId)
      expect((await finish(two, '2')).ok).toBe(true)
      // Told in the background: the hub is stopped once it knows of the sale.
      const soldAtHub = async () => (await store.sql(`SELECT FROM countertag.claim WHERE kind = 'sale'`)).length
      await expect.poll(soldAtHub).toBe(1)
      await store.stop()
    })
    expect(await claimsIn(one)).toEqual([{ kind: 'unchecked' }])
    expect(await finish(one, '1')).toMatchObject({ ok: false, error: { code: 'checkout/not-claimed' } })
    await store.start()
    await situation(one, 'online')
    await expect.poll(() => cartOf(one)).toMatchObject({ itemCount: 0 })
    expect(await finish(one, '1')).toMatchObject({ ok: false, error: { code: 'checkout/empty-cart' } })
    expect(await one.ask('hub.notices', undefined)).toMatchObject([{ what: 'taken-over', hasLeft: true }])
  })

  it('names them in the report where the store sells with a warning', async () => {
    const one = await store.station('Front 1')
    const tagId = at(await sellable(one), 0)
    await scan(one, tagId)
    await one.restart(() => store.stop())
    expect((await finish(one, '1')).ok).toBe(true)
    expect((await one.ask('checkout.order', { orderId: '1' })).items).toMatchObject([{ tagId, isUnclaimed: true }])
    await store.start()
    await situation(one, 'online')
    const later = at(await sellable(one), 1)
    await scan(one, later)
    expect((await finish(one, '2')).ok).toBe(true)
    expect((await one.ask('checkout.order', { orderId: '2' })).items).toMatchObject([{ isUnclaimed: false }])
  })

  it('has them confirmed once the hub answers, and completes', async () => {
    const one = await store.station('Front 1', 'refuse')
    const tagIds = (await sellable(one)).slice(0, 2)
    for (const tagId of tagIds) await scan(one, tagId)
    await one.restart()
    await situation(one, 'online')
    await expect.poll(() => claimsIn(one)).toEqual([null, null])
    expect((await finish(one, '1')).ok).toBe(true)
  })
})

describe('orders on hold in a store', () => {
  const hold = async (station: Station, orderId: string, tagIds: TagId[]) => {
    await station.ask('checkout.setOrder', { mode: 'sale', orderId })
    for (const tagId of tagIds) await scan(station, tagId)
    await station.ask('checkout.setCustomer', { mode: 'sale', customerId: 'C-77' })
    const { revision } = await cartOf(station)
    await station.ask('checkout.hold', { revision })
  }
  const heldAt = async (station: Station) =>
    (await station.ask('checkout.held', undefined)).map(({ orderId, station: name }) => [orderId, name])
  const tagsIn = (cart: Awaited<ReturnType<typeof cartOf>>) =>
    cart.lines.flatMap(({ items }) => items.map(({ tagId }) => tagId))
  const seen = (station: Station, orderId: string) =>
    expect.poll(() => heldAt(station)).toContainEqual([orderId, expect.any(String)])
  const idOf = async (station: Station, orderId: string) => {
    const order = (await station.ask('checkout.held', undefined)).find((one) => one.orderId === orderId)
    if (!order) throw new Error('not on hold')
    return order.id
  }

  it('are resumed at the other station with every scan, the count expected and the customer, and are gone at the first', async () => {
    const [one, two] = [await store.station('Front 1'), await store.station('Front 2')]
    const tagIds = (await sellable(one)).slice(0, 3)
    await hold(one, '1004', tagIds)
    await seen(two, '1004')
    await two.ask('checkout.resume', { heldId: await idOf(two, '1004') })
    const cart = await cartOf(two)
    expect(cart).toMatchObject({ orderId: '1004', customerId: 'C-77', itemCount: 3 })
    expect(tagsIn(cart).toSorted()).toEqual(tagIds.toSorted())
    expect(await claimsIn(two)).toEqual([null, null, null])
    await expect.poll(() => heldAt(one)).toEqual([])
    await expect.poll(() => heldAt(two)).toEqual([])
    expect((await finish(two, '1004')).ok).toBe(true)
    expect(await one.refused('checkout.addItem', { mode: 'sale', tagId: at(tagIds, 0) })).toMatchObject({
      code: 'checkout/claimed',
      by: { station: 'Front 2' },
    })
  })

  it('leave an item in the order into which the resuming station has taken it over', async () => {
    const [one, two] = [await store.station('Front 1'), await store.station('Front 2')]
    const [taken, left] = [at(await sellable(one), 0), at(await sellable(one), 1)]
    await hold(one, '1004', [taken, left])
    await seen(two, '1004')
    const refused = await two.refused('checkout.addItem', { mode: 'sale', tagId: taken })
    if (refused.code !== 'checkout/claimed') throw new Error(refused.code)
    const { stationId, revision } = refused.by
    const approval = { reason: 'Customer changed registers' }
    await two.ask('checkout.addItem', { mode: 'sale', tagId: taken, takeOver: { stationId, revision }, approval })
    await two.ask('checkout.setOrder', { mode: 'sale', orderId: '2001' })
    await two.ask('checkout.resume', { heldId: await idOf(two, '1004') })
    expect(tagsIn(await cartOf(two))).toEqual([left])
    await two.ask('checkout.resume', { heldId: await idOf(two, '2001') })
    expect(tagsIn(await cartOf(two))).toEqual([taken])
    expect((await finish(two, '2001')).ok).toBe(true)
  })

  it('are offered to the other stations again where they were taken, and the answer was lost', async () => {
    const [one, two] = [await store.station('Front 1'), await store.station('Front 2')]
    await hold(one, '1004', (await sellable(one)).slice(0, 1))
    await seen(two, '1004')
    await store.sql(`UPDATE countertag.held_order
      SET taken_by = (SELECT id FROM countertag.station WHERE name = 'Front 2')`)
    await store.sql(`SELECT countertag.tell('held')`)
    await expect.poll(() => heldAt(one)).toEqual([['1004', 'Front 2']])
    expect(await heldAt(two)).toEqual([['1004', null]])
  })

  it('are resumed by exactly one of two stations that ask at once', async () => {
    const [one, two] = [await store.station('Front 1'), await store.station('Front 2')]
    const tagIds = await sellable(one)
    for (let round = 0; round < 5; round++) {
      const orderId = String(2_000 + round)
      await hold(one, orderId, [at(tagIds, round)])
      await seen(two, orderId)
      const ids = [await idOf(one, orderId), await idOf(two, orderId)] as const
      const answers = await Promise.all([
        one.client.call('checkout.resume', { heldId: ids[0] }),
        two.client.call('checkout.resume', { heldId: ids[1] }),
      ])
      expect(answers.map(({ ok }) => ok).sort()).toEqual([false, true])
      for (const station of [one, two]) {
        const { revision } = await cartOf(station)
        await station.ask('checkout.clear', { mode: 'sale', revision })
      }
      await expect.poll(() => heldAt(one)).toEqual([])
    }
  })

  it('are resumed once where a station asks twice', async () => {
    const [one, two] = [await store.station('Front 1'), await store.station('Front 2')]
    const tagId = at(await sellable(one), 0)
    await hold(one, '1004', [tagId])
    await seen(two, '1004')
    const heldId = await idOf(two, '1004')
    const answers = await Promise.all([1, 2].map(() => two.client.call('checkout.resume', { heldId })))
    expect(answers.map(({ ok }) => ok).sort()).toEqual([false, true])
    expect(tagsIn(await cartOf(two))).toEqual([tagId])
    expect(await heldAt(two)).toEqual([])
    expect(await two.refused('checkout.resume', { heldId })).toEqual({ code: 'checkout/not-held' })
  })

  it('stay on hold over a restart of both stations and a hub that was made anew', async () => {
    const [one, two] = [await store.station('Front 1'), await store.station('Front 2')]
    await hold(one, '1004', (await sellable(one)).slice(0, 2))
    await seen(two, '1004')
    await one.restart()
    await situation(one, 'online')
    expect(await heldAt(one)).toEqual([['1004', null]])
    await store.sql(
      `DELETE FROM countertag.held_order; DELETE FROM countertag.claim; UPDATE countertag.store SET id = gen_random_uuid()`,
    )
    await two.restart()
    await situation(two, 'online')
    await one.restart()
    await seen(two, '1004')
    await two.ask('checkout.resume', { heldId: await idOf(two, '1004') })
    expect((await cartOf(two)).itemCount).toBe(2)
  })

  it('are resumed where they are while the hub does not answer, marked; another station’s are not', async () => {
    const [one, two] = [await store.station('Front 1'), await store.station('Front 2', 'refuse')]
    await hold(one, '1', [at(await sellable(one), 0)])
    await hold(two, '2', [at(await sellable(one), 1)])
    await seen(one, '2')
    await seen(two, '1')
    const other = await idOf(one, '2')
    await store.stop()
    await Promise.all([situation(one, 'offline'), situation(two, 'offline')])
    expect(await one.refused('checkout.resume', { heldId: other })).toEqual({ code: 'checkout/held-unreachable' })
    await one.ask('checkout.resume', { heldId: await idOf(one, '1') })
    expect(await claimsIn(one)).toEqual([{ kind: 'unchecked' }])
    expect(await two.refused('checkout.resume', { heldId: await idOf(two, '2') })).toEqual({
      code: 'checkout/held-unreachable',
    })
    await store.start()
    await Promise.all([situation(one, 'online'), situation(two, 'online')])
    await expect.poll(() => claimsIn(one)).toEqual([null])
    await expect.poll(() => heldAt(two)).toEqual([['2', null]])
  })

  it('that are gone are refused, not resumed into nothing', async () => {
    const [one, two] = [await store.station('Front 1'), await store.station('Front 2')]
    await hold(one, '1', [at(await sellable(one), 0)])
    await seen(two, '1')
    const [here, there] = [await idOf(one, '1'), await idOf(two, '1')]
    await two.ask('checkout.resume', { heldId: there })
    await expect.poll(() => heldAt(one)).toEqual([])
    expect(await one.refused('checkout.resume', { heldId: here })).toEqual({ code: 'checkout/not-held' })
    expect(await one.refused('checkout.resume', { heldId: 999 })).toEqual({ code: 'checkout/not-held' })
    expect(await two.refused('checkout.resume', { heldId: there })).toEqual({ code: 'checkout/not-held' })
    expect((await cartOf(one)).itemCount).toBe(0)
  })

  it('are dropped from any station, with their claims', async () => {
    const [one, two] = [await store.station('Front 1'), await store.station('Front 2')]
    const tagId = at(await sellable(one), 0)
    await hold(one, '1', [tagId])
    await seen(two, '1')
    await two.ask('checkout.dropHeld', { heldId: await idOf(two, '1') })
    await expect.poll(() => heldAt(one)).toEqual([])
    await expect.poll(async () => (await two.client.call('checkout.addItem', { mode: 'sale', tagId })).ok).toBe(true)
  })
})

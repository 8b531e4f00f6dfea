import { describe, expect, it } from 'vitest'
import { TagId } from '../../../src-shared/ids'
import { situation } from '../../hub/store'
import { useStore } from '../../hub/use-store'
import { type Station, idIn } from '../core/station'

const store = useStore()

const sellable = async (station: Station, count: number) => {
  const codes = await station.ask('practice.codes', undefined)
  const found = codes
    .filter(({ kind, about }) => kind === 'tag' && (about === null || about === 'imported-here'))
    .map(({ text }) => TagId.parse(idIn(text)))
  if (found.length < count) throw new Error('too few')
  return found
}
const scan = (station: Station, tagId: TagId) => station.ask('checkout.addItem', { mode: 'sale', tagId })
const cartOf = (station: Station) => station.ask('checkout.cart', { mode: 'sale' })
const begin = async (station: Station, orderId: string | null, tagIds: TagId[]) => {
  await station.ask('checkout.setOrder', { mode: 'sale', orderId })
  for (const tagId of tagIds) await scan(station, tagId)
}
const hold = async (station: Station) => station.ask('checkout.hold', { revision: (await cartOf(station)).revision })
const finish = async (station: Station) => {
  const { orderId, itemCount, revision } = await cartOf(station)
  return station.client.call('checkout.finish', { mode: 'sale', orderId, itemCount, revision })
}
const approval = { reason: 'Customer changed registers' }
/** As a person does it: the item is scanned, refused, and taken over. */
const takeOver = async (station: Station, tagId: TagId) => {
  const refused = await station.refused('checkout.addItem', { mode: 'sale', tagId })
  if (refused.code !== 'checkout/claimed') throw new Error(refused.code)
  const { stationId, revision } = refused.by
  await station.ask('checkout.addItem', { mode: 'sale', tagId, takeOver: { stationId, revision }, approval })
}
const tagsIn = async (station: Station) =>
  (await cartOf(station)).lines.flatMap(({ items }) => items.map(({ tagId }) => tagId))
const noticesOf = (station: Station) => station.ask('hub.notices', undefined)
const heldAt = async (station: Station) =>
  (await station.ask('checkout.held', undefined)).map(({ orderId, itemCount }) => [orderId, itemCount])
const heldId = async (station: Station, orderId: string) => {
  const order = (await station.ask('checkout.held', undefined)).find((one) => one.orderId === orderId)
  if (!order) throw new Error('not on hold')
  return order.id
}
const pair = async () => [await store.station('Front 1'), await store.station('Front 2')] as const
/** Resolves once both have told the hub everything and read what it has for them. */
const settled = async (...stations: Station[]) => {
  for (const station of stations) await station.ask('hub.retry', undefined)
  await expect.poll(async () => (await store.sql('SELECT FROM countertag.notice')).length).toBe(0)
}

describe('an item that a person takes over', () => {
  it('leaves the order in front with one lasting notice, and the taker has nothing to do', async () => {
    const [one, two] = await pair()
    const [moved, kept] = await sellable(one, 2)
    if (!moved || !kept) throw new Error('too few')
    await begin(one, '5001', [moved, kept])
    await begin(two, '5002', [])
    await takeOver(two, moved)
    await expect.poll(() => tagsIn(one)).toEqual([kept])
    const told = {
      what: 'taken-over',
      station: 'Front 2',
      orderId: '5002',
      ownOrderId: '5001',
      hasLeft: true,
      because: approval.reason,
      tagId: moved,
    }
    expect(await noticesOf(one)).toMatchObject([told])
    // It stays over a restart until a person has seen it.
    await one.restart()
    await situation(one, 'online')
    expect(await noticesOf(one)).toMatchObject([told])
    expect(await cartOf(one)).toMatchObject({ itemCount: 1, orderId: '5001' })
    await settled(one, two)
    expect(await noticesOf(two)).toEqual([])
    expect((await finish(one)).ok).toBe(true)
    expect((await finish(two)).ok).toBe(true)
    await settled(one, two)
    expect(await noticesOf(two)).toEqual([])
    expect(await noticesOf(one)).toMatchObject([told])
  })

  it('leaves an order on hold at every station, and the order resumes without it and without a collision', async () => {
    const [one, two] = await pair()
    const [moved, kept] = await sellable(one, 2)
    if (!moved || !kept) throw new Error('too few')
    await begin(one, '5001', [moved, kept])
    await hold(one)
    await expect.poll(() => heldAt(two)).toEqual([['5001', 2]])
    await begin(two, '5002', [])
    await takeOver(two, moved)
    await expect.poll(() => heldAt(one)).toEqual([['5001', 1]])
    await expect.poll(() => heldAt(two)).toEqual([['5001', 1]])
    expect(await noticesOf(one)).toMatchObject([{ what: 'taken-over', ownOrderId: '5001', hasLeft: true }])
    await one.ask('checkout.resume', { heldId: await heldId(one, '5001') })
    expect(await tagsIn(one)).toEqual([kept])
    await settled(one, two)
    expect(await noticesOf(one)).toHaveLength(1)
    expect(await noticesOf(two)).toEqual([])
  })

  it('stays where it is if the service speaks against its sale', async () => {
    const [one, two] = await pair()
    const codes = await one.ask('practice.codes', undefined)
    const code = codes.find(({ kind, about }) => kind === 'tag' && about === 'certificate-expired')
    const tagId = TagId.parse(idIn(code?.text ?? ''))
    await begin(one, '5021', [])
    await one.ask('checkout.addItem', { mode: 'sale', tagId, approval })
    await hold(one)
    const refused = await two.refused('checkout.addItem', { mode: 'sale', tagId })
    if (refused.code !== 'checkout/claimed') throw new Error(refused.code)
    const { stationId, revision } = refused.by
    // The person was not shown the certificate.
    const wish = { mode: 'sale' as const, tagId, takeOver: { stationId, revision }, approval }
    expect(await two.refused('checkout.addItem', { ...wish, shown: [] })).toMatchObject({
      code: 'checkout/not-sellable',
    })
    await settled(one, two)
    expect(await heldAt(one)).toEqual([['5021', 1]])
    expect(await noticesOf(one)).toEqual([])
    // Shown it, the person takes it over.
    await two.ask('checkout.addItem', { ...wish, shown: ['certificate-expired'] })
    await expect.poll(() => heldAt(one)).toEqual([['5021', 0]])
  })

  it('is asked about at the service once, also if that has problems', async () => {
    const [one, two] = await pair()
    const [moved] = await sellable(one, 1)
    if (!moved) throw new Error('too few')
    await begin(one, '5001', [moved])
    const refused = await two.refused('checkout.addItem', { mode: 'sale', tagId: moved })
    if (refused.code !== 'checkout/claimed') throw new Error(refused.code)
    const { stationId, revision } = refused.by
    const lookups = async () => (await two.knobs.requests()).filter(({ path }) => path.includes(moved)).length
    const before = await lookups()
    await two.knobs.setFaults({ rules: [{ kind: 'status', code: 503, method: 'GET' }] })
    await two.ask('checkout.addItem', { mode: 'sale', tagId: moved, takeOver: { stationId, revision }, approval })
    expect(await tagsIn(two)).toEqual([moved])
    expect((await lookups()) - before).toBe(1)
  })

  it('is not told once more after the order in front is held and resumed', async () => {
    const [one, two] = await pair()
    const [moved, kept] = await sellable(one, 2)
    if (!moved || !kept) throw new Error('too few')
    await begin(one, '5001', [moved, kept])
    await takeOver(two, moved)
    await expect.poll(() => noticesOf(one)).toHaveLength(1)
    await hold(one)
    await one.ask('checkout.resume', { heldId: await heldId(one, '5001') })
    // The other station's claim has another revision with each change of its order.
    await two.ask('checkout.setOrder', { mode: 'sale', orderId: '5002' })
    await hold(one)
    await one.ask('checkout.resume', { heldId: await heldId(one, '5001') })
    await settled(one, two)
    expect((await noticesOf(one)).map(({ what }) => what)).toEqual(['taken-over'])
    expect(await noticesOf(two)).toEqual([])
  })

  it('leaves the order of a station that was off, which a third one resumes without it', async () => {
    const [one, two] = await pair()
    const three = await store.station('Front 3')
    const [moved, kept] = await sellable(one, 2)
    if (!moved || !kept) throw new Error('too few')
    await begin(one, '5001', [moved, kept])
    await hold(one)
    await expect.poll(() => heldAt(three)).toEqual([['5001', 2]])
    await one.restart(async () => {
      await takeOver(two, moved)
      await expect.poll(() => heldAt(three)).toEqual([['5001', 1]])
      await three.ask('checkout.resume', { heldId: await heldId(three, '5001') })
      expect(await tagsIn(three)).toEqual([kept])
    })
    await situation(one, 'online')
    await expect.poll(() => heldAt(one)).toEqual([])
    await expect.poll(() => noticesOf(one)).toMatchObject([{ what: 'taken-over', tagId: moved }])
    await settled(one, two, three)
    for (const station of [two, three]) expect(await noticesOf(station)).toEqual([])
    expect((await finish(three)).ok || (await cartOf(three)).orderId).toBeTruthy()
  })

  it('leaves an order on hold that has nothing else, and the order is gone; one with a number stays', async () => {
    const [one, two] = await pair()
    const [first, second] = await sellable(one, 2)
    if (!first || !second) throw new Error('too few')
    await begin(one, null, [first])
    await hold(one)
    await begin(one, '5001', [second])
    await hold(one)
    await takeOver(two, first)
    await takeOver(two, second)
    await expect.poll(() => heldAt(one)).toEqual([['5001', 0]])
    await expect.poll(() => heldAt(two)).toEqual([['5001', 0]])
    expect(await noticesOf(one)).toHaveLength(2)
  })

  it('leaves a cart that was filled without the store hub’s answer only when that answers, and a sale stays', async () => {
    const [one, two] = await pair()
    const [open, sold] = await sellable(one, 2)
    if (!open || !sold) throw new Error('too few')
    await begin(one, '5001', [sold])
    await one.restart(async () => {
      await takeOver(two, sold)
      await store.stop()
    })
    expect(await tagsIn(one)).toEqual([sold])
    expect((await finish(one)).ok).toBe(true)
    await store.start()
    await Promise.all([situation(one, 'online'), situation(two, 'online')])
    // Sold here before the takeover was known: both are told of both.
    await expect
      .poll(() => noticesOf(one))
      .toContainEqual(expect.objectContaining({ what: 'taken-over', isSoldHere: true, hasLeft: false }))
    await expect.poll(() => noticesOf(two)).toMatchObject([{ what: 'collided', station: 'Front 1' }])
    expect(await scan(one, open)).toMatchObject({ claim: null })
  })

  it('is taken back the same way', async () => {
    const [one, two] = await pair()
    const [moved] = await sellable(one, 1)
    if (!moved) throw new Error('too few')
    await begin(one, '5001', [moved])
    await begin(two, '5002', [])
    await takeOver(two, moved)
    await expect.poll(() => tagsIn(one)).toEqual([])
    await takeOver(one, moved)
    await expect.poll(() => tagsIn(two)).toEqual([])
    expect(await tagsIn(one)).toEqual([moved])
    expect(await noticesOf(two)).toMatchObject([{ what: 'taken-over', station: 'Front 1', ownOrderId: '5002' }])
    await settled(one, two)
    expect(await noticesOf(one)).toHaveLength(1)
    expect((await finish(one)).ok).toBe(true)
    await one.drained()
    // The other station's order doesn't have it any more.
    for (const station of [one, two]) expect(await station.ask('hub.soldTwice', undefined)).toEqual([])
  })

  it('after both had it in an order, is in one order again: neither is told any more that the other one has it', async () => {
    const [one, two] = await pair()
    const [tagId] = await sellable(one, 1)
    if (!tagId) throw new Error('too few')
    await store.stop()
    await Promise.all([situation(one, 'offline'), situation(two, 'offline')])
    await begin(one, '5001', [tagId])
    await begin(two, '5002', [tagId])
    await store.start()
    await Promise.all([situation(one, 'online'), situation(two, 'online')])
    for (const station of [one, two])
      await expect.poll(() => noticesOf(station)).toMatchObject([{ what: 'collided', isSoldHere: false }])
    const claimAt = async (station: Station) => (await cartOf(station)).lines[0]?.items[0]?.claim
    const isOnesHeld = (await claimAt(one))?.kind === 'held'
    const [taker, loser] = isOnesHeld ? [one, two] : [two, one]
    const claim = await claimAt(taker)
    if (claim?.kind !== 'held') throw new Error('not held')
    const { stationId, revision } = claim.by
    await taker.ask('checkout.addItem', { mode: 'sale', tagId, takeOver: { stationId, revision }, approval })
    await expect.poll(() => tagsIn(loser)).toEqual([])
    expect(await noticesOf(taker)).toEqual([])
    expect(await noticesOf(loser)).toMatchObject([{ what: 'taken-over', hasLeft: true }])
    expect((await finish(taker)).ok).toBe(true)
    await taker.drained()
    for (const station of [one, two]) expect(await station.ask('hub.soldTwice', undefined)).toEqual([])
  })
})

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Collections, createLook } from '../../../src-main/collections/collections'
import type { Payload } from '../../../src-main/outbox/payload'
import { ShortUuid } from '../../../src-shared/ids'
import { id, packageTag } from '../../../scripts/practice-data/ids'
import { order } from '../../fakes/ids'
import { type Desk, accounts, caseNamed, packagedProduct, startDesk, tagNamed } from './receiving-desk'

const house = ShortUuid.parse(caseNamed('house 1'))
const houseCase = caseNamed('house 1')
const short = caseNamed('house short')
const loose = tagNamed('house short loose 1')
const inside = tagNamed('house 1 GD-HF-35 1')
const delivery = ShortUuid.parse(id('regulator', 'delivery 4'))
const foreign = ShortUuid.parse(caseNamed('blue dune'))
const nothing = ShortUuid.parse(caseNamed('never made'))
const ours = packageTag(4)

describe('changes to collections', () => {
  let desk: Desk
  beforeEach(async () => {
    desk = await startDesk()
  })
  afterEach(async () => {
    await desk.close()
  })
  const rig = (canChangeCases = true) =>
    new Collections({
      look: createLook(desk.client.collections, desk.seen),
      seen: desk.seen,
      outbox: desk.outbox,
      reporting: desk.reporting,
      canChangeCases: () => canChangeCases,
    })
  const removed = async (type: string) => {
    const list = await desk.v15.collections.listRemovedOfType(type)
    if (!list.ok) throw new Error(JSON.stringify(list.error))
    return list.value.map((one) => one.uuid)
  }
  const last = () => {
    const operation = [...desk.outbox.read.waiting(9), ...desk.outbox.read.attention(9), ...desk.outbox.read.recent(9)]
      .sort((a, b) => a.seq - b.seq)
      .at(-1)
    if (!operation) throw new Error('nothing was saved')
    return operation
  }

  it.each([
    ['a case', house, 'case'],
    ['a regulator collection', delivery, 'regulator'],
  ])('removes %s, lists it as removed, and undo restores it', async (_, collectionId, type) => {
    expect(await rig().remove(collectionId)).toMatchObject({
      ok: true,
      value: { kind: 'remove-collection', state: 'accepted', collectionId, undo: 'inverse' },
    })
    expect(await removed(type)).toEqual([collectionId])
    const other = type === 'case' ? 'regulator' : 'case'
    expect(await removed(other)).toEqual([])
    const restored = await desk.settled(desk.undo(last()))
    expect(restored).toMatchObject({ kind: 'restore-collection', state: 'accepted' })
    expect(await removed(type)).toEqual([])
    expect(await desk.settled(desk.undo(restored))).toMatchObject({ kind: 'remove-collection', state: 'accepted' })
    expect(await rig().restore(collectionId)).toMatchObject({ ok: true, value: { state: 'accepted' } })
  })

  it("removes an item from a collection that isn't a case and restores it, and both can be undone", async () => {
    const out = await rig().removeItem(delivery, inside)
    expect(out).toMatchObject({ ok: true, value: { state: 'accepted', caseId: null, collectionId: delivery } })
    expect(await desk.settled(desk.undo(last()))).toMatchObject({ kind: 'restore-item', state: 'accepted' })
    await rig().removeItem(delivery, inside)
    expect(await rig().restoreItem(delivery, inside)).toMatchObject({ ok: true, value: { state: 'accepted' } })
    expect(await desk.settled(desk.undo(last()))).toMatchObject({ kind: 'remove-item', state: 'accepted' })
  })

  it('names a case by its CaseID, as all versions store it', async () => {
    expect(await rig().removeItem(house, inside)).toMatchObject({
      ok: true,
      value: { state: 'accepted', caseId: house, collectionId: null },
    })
  })

  it('adds items to a case, and undo removes them', async () => {
    expect(await rig().addItems(short, [loose])).toMatchObject({ ok: true, value: { state: 'accepted' } })
    await desk.settled(desk.undo(last()))
    expect((await desk.members(short)).removed).toEqual([loose])
  })

  it('adds only the items that are not inside yet, so that undo removes no other', async () => {
    const before = (await desk.members(short)).items
    const [already] = before
    if (already === undefined) throw new Error('the case is empty')
    expect(await rig().addItems(short, [already, loose])).toMatchObject({ ok: true, value: { itemCount: 1 } })
    await desk.settled(desk.undo(last()))
    expect((await desk.members(short)).items).toEqual(before)
  })

  it("adds a case to a regulator collection, which can't be undone once it was sent", async () => {
    await rig().removeItem(delivery, inside)
    const request = { regulatorIdentifier: ours, caseId: houseCase, packagedProductId: null }
    expect(await rig().addCase(request)).toMatchObject({
      ok: true,
      value: { kind: 'add-case', state: 'accepted', undo: null },
    })
    const all = await desk.v15.collections.get(delivery)
    expect(all.ok && all.value.items.map((item) => item.tag_id)).toContain(inside)
  })

  it('asks for the product of a case, refuses a product outside the case, and accepts one inside', async () => {
    const request = { regulatorIdentifier: ours, caseId: caseNamed('two products') }
    const add = (sku: string | null) =>
      rig().addCase({ ...request, packagedProductId: sku === null ? null : packagedProduct(sku) })
    expect(await add(null)).toMatchObject({ ok: false, error: { code: 'collection/choose-product' } })
    expect(await add('HF-BD-35')).toMatchObject({ ok: false, error: { code: 'collection/product-not-in-case' } })
    expect(await desk.changes()).toEqual([])
    expect(await add('SK-PG-10')).toMatchObject({ ok: true, value: { state: 'accepted' } })
  })

  it.each<[string, string | null, string]>([
    ['no product', null, 'collection/choose-product'],
    ['a product of another case', 'HF-BD-35', 'collection/product-not-in-case'],
  ])('gets the same answer from the service if it could not ask before: %s', async (_, sku, code) => {
    const refused: Payload = {
      kind: 'add-case',
      regulatorIdentifier: ours,
      caseId: caseNamed('two products'),
      productName: null,
      packagedProductId: sku === null ? null : packagedProduct(sku),
    }
    expect(await desk.do(refused)).toMatchObject({ state: 'rejected', reason: { code } })
    // With a product chosen, the report is corrected in its place.
    const add = { regulatorIdentifier: ours, caseId: refused.caseId, packagedProductId: packagedProduct('SK-PG-10') }
    expect(await rig().addCase(add)).toMatchObject({ ok: true, value: { seq: 1, state: 'accepted' } })
  })

  it('refuses at once what is certainly wrong, and saves nothing', async () => {
    const refused = async (answer: Promise<unknown>, code: string) =>
      expect(await answer).toMatchObject({ ok: false, error: { code } })
    await refused(rig().remove(nothing), 'service/not-found')
    await refused(rig().restore(house), 'collection/not-removed')
    await refused(rig().removeItem(house, loose), 'collection/not-in-it')
    await refused(rig().restoreItem(house, loose), 'collection/not-in-it')
    await refused(rig().restoreItem(house, inside), 'collection/is-in-it')
    await refused(rig().addItems(houseCase, [inside]), 'collection/is-in-it')
    await refused(
      rig().addCase({ regulatorIdentifier: 'NO SUCH', caseId: houseCase, packagedProductId: null }),
      'service/not-found',
    )
    for (const one of [rig(false).remove(house), rig(false).addItems(short, [loose])]) {
      await refused(one, 'collection/no-account')
    }
    expect(desk.outbox.read.recent(9)).toEqual([])
    await rig().remove(house)
    await refused(rig().remove(house), 'collection/is-removed')
    await refused(rig().removeItem(house, inside), 'collection/is-removed')
  })

  it("gets refusals that only the service can give: another company, and items that don't exist", async () => {
    expect(await rig().remove(foreign)).toMatchObject({
      ok: true,
      value: { state: 'rejected', reason: { code: 'service/other-company' } },
    })
    expect(await rig().addItems(short, [tagNamed('never made')])).toMatchObject({
      ok: true,
      value: { state: 'rejected', reason: { code: 'service/unknown-tags' } },
    })
  })

  it('saves a change without a network, once however often it is requested, and sends it when the network is back', async () => {
    await desk.knobs.setFaults({ offline: true })
    const first = await rig().remove(house)
    expect(first).toMatchObject({ ok: true, value: { state: 'queued' } })
    const again = await rig().remove(house)
    expect(again.ok && first.ok && again.value.id === first.value.id).toBe(true)
    await desk.knobs.setFaults({})
    desk.sendNow()
    expect(await desk.settled(last())).toMatchObject({ state: 'accepted' })
    expect(await removed('case')).toEqual([house])
  })

  const whole = {
    collectionId: house,
    collectionType: 'case',
    collectionName: null,
    identifier: null,
    itemCount: 12,
  } as const
  const addCase: Payload = {
    kind: 'add-case',
    regulatorIdentifier: ours,
    caseId: houseCase,
    packagedProductId: null,
    productName: null,
  }
  const lost = (['before-commit', 'after-commit'] as const).flatMap((when) =>
    ([{ kind: 'remove-collection', ...whole }, { kind: 'restore-collection', ...whole }, addCase] as const).map(
      (payload) => [payload.kind, when, payload] as const,
    ),
  )
  it.each(lost)('is done once if the answer to %s was lost %s', async (kind, when, payload) => {
    if (kind === 'restore-collection') await desk.do({ kind: 'remove-collection', ...whole })
    if (kind === 'add-case') await rig().removeItem(delivery, inside)
    const method = { 'remove-collection': 'DELETE', 'restore-collection': 'PUT', 'add-case': 'POST' } as const
    await desk.knobs.setFaults({
      rules: [{ kind: 'drop', when, times: 1, method: method[kind], path: '/api/v1.5/collections/' }],
    })
    const operation = desk.put(payload)
    await desk.until(operation, ({ faults, state }) => faults > 0 || state === 'accepted')
    desk.sendNow()
    const note = when === 'after-commit' ? 'found-by-reading' : null
    expect(await desk.settled(operation)).toMatchObject({ state: 'accepted', note })
    if (kind !== 'add-case') expect(await removed('case')).toEqual(kind === 'remove-collection' ? [house] : [])
  })

  it('delays a sale from the case while the change is under way, but not once it is refused', async () => {
    desk.seen.keepTag(
      {
        tagId: tagNamed('blue dune HF-BD-35 1'),
        caseId: caseNamed('blue dune'),
        productId: null,
        productName: null,
        brandName: null,
        pictureUrl: null,
        isImported: null,
        soldOn: null,
      },
      1,
    )
    await desk.knobs.setFaults({ offline: true })
    const removal = desk.put({ kind: 'remove-collection', ...whole, collectionId: foreign })
    const sale = desk.put({ kind: 'complete', orderId: order('1'), tagIds: [tagNamed('blue dune HF-BD-35 1')] })
    expect([removal.blockers, sale.blockers]).toEqual([0, 1])
    await desk.knobs.setFaults({})
    desk.sendNow()
    expect(await desk.settled(removal)).toMatchObject({ state: 'rejected', reason: { code: 'service/other-company' } })
    expect((await desk.settled(sale)).blockers).toBe(0)
  })
})

describe('another company', () => {
  it("can't be changed by a brand account", async () => {
    const desk = await startDesk({ retail: accounts.retail, sourcing: accounts.brand })
    const whole = { collectionId: house, collectionType: null, collectionName: null, identifier: null, itemCount: 0 }
    expect(await desk.do({ kind: 'restore-collection', ...whole })).toMatchObject({
      state: 'rejected',
      reason: { code: 'service/other-company' },
    })
    await desk.close()
  })
})

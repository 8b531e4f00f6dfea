import { join } from 'node:path'
import Database from 'better-sqlite3'
import { request } from 'undici'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { AppError } from '../../../src-shared/errors'
import { toUuid } from '../../../src-shared/ids'
import type { Entity, EntityKind } from '../../../src-shared/ipc/contract/find'
import { inMemoryCredentials } from '../../../src-main/credentials/store'
import { batchUuid } from '../../../scripts/practice-data/batches'
import { coaUuid } from '../../../scripts/practice-data/coas'
import { id, packageTag } from '../../../scripts/practice-data/ids'
import { type Station, practiceAccount, startStation } from './station'

const onSale = id('case', 'on sale')
const readable = id('case', 'readable')
const houseShort = id('case', 'house short')
const soldTag = id('tag', 'on sale HF-PA-1 1')
const chocolate = id('product', 'SK-SC-10')
const house = id('product', 'GD-HF-35')
const never = id('tag', 'absent')

/** A thing that must be found. */
async function find<Kind extends EntityKind>(station: Station, kind: Kind, thingId: string): Promise<Entity<Kind>> {
  const view = await station.ask('find.entity', { kind, id: thingId })
  if (!isOf(kind, view)) throw new Error(`${kind} was asked for, ${view.kind} came`)
  return view
}
const isOf = <Kind extends EntityKind>(kind: Kind, view: Entity<EntityKind>): view is Entity<Kind> => view.kind === kind
const fact = (view: Entity<EntityKind>, name: string) => view.facts.find((one) => one.name === name)?.value
const partsOf = (view: Entity<EntityKind>) => view.missing.map(({ part }) => part)

describe('finding a thing', () => {
  let station: Station
  beforeEach(async () => {
    station = await startStation()
  })
  afterEach(async () => {
    await station.close()
  })

  it('shows an item with its product, batch, certificate and collections', async () => {
    const tag = await find(station, 'tag', soldTag)
    expect(tag).toMatchObject({
      name: 'Palisades Pre-Roll, 1 g',
      knowledge: { source: 'now' },
      unreachable: null,
      product: { name: 'Palisades Pre-Roll, 1 g', detail: 'Hudson Fields' },
      batch: { id: batchUuid('HF-PA-1') },
      coas: [{ link: { id: coaUuid('HF-PA-1') }, verdict: 'partly-tested', isExpired: false }],
      sale: null,
    })
    expect(tag.holders.map(({ type }) => type)).toEqual(expect.arrayContaining(['case', 'regulator', 'inventory']))
    expect(fact(tag, 'package-uid')).toBe(packageTag(3))
    expect(fact(tag, 'address')).toBe(`https://tag.example/${soldTag}`)
    expect(tag.operations).toEqual([])
  })

  it('accepts an id in long form, and shows the former collections of an item', async () => {
    const removed = id('tag', 'short removed 1')
    const tag = await find(station, 'tag', toUuid(removed) ?? '')
    expect(tag.ref.id).toBe(removed)
    expect(tag.holders.some(({ type }) => type === 'case')).toBe(false)
    expect(tag.pastHolders).toMatchObject([{ link: { id: id('case', 'short') }, removedOn: '2026-09-12T10:00:00Z' }])
  })

  it('shows our own sale of an item, its report, and no customer', async () => {
    // A sale is linked to a case only if the case is known.
    await station.ask('receiving.case', { identifier: onSale })
    await station.ask('checkout.setOrder', { mode: 'sale', orderId: 'A-77' })
    await station.ask('checkout.addItem', { mode: 'sale', tagId: soldTag })
    await station.ask('checkout.setCustomer', { mode: 'sale', customerId: 'customer-of-77' })
    const { revision, orderId } = await station.ask('checkout.cart', { mode: 'sale' })
    await station.ask('checkout.finish', { mode: 'sale', orderId, itemCount: 1, revision, isMeant: true })
    await station.drained()
    const tag = await find(station, 'tag', soldTag)
    expect(tag.sale).toMatchObject({ orderId: 'A-77', by: 'this-station' })
    expect(tag.operations).toMatchObject([{ kind: 'complete', state: 'accepted', orderId: 'A-77' }])
    expect(fact(tag, 'sold-in-order')).toBe('A-77')
    const box = await find(station, 'collection', onSale)
    expect(box.items.filter(({ soldOn }) => soldOn !== null).map(({ tagId }) => tagId)).toEqual([soldTag])
    expect(box.operations).toMatchObject([{ orderId: 'A-77' }])
    for (const view of [tag, box]) expect(JSON.stringify(view)).not.toContain('customer-of-77')
    expect(await station.ask('find.search', { text: 'A-77' })).toMatchObject({ orderId: 'A-77' })
    expect(await station.ask('find.search', { text: 'A-7' })).toMatchObject({ orderId: null })
  })

  it('shows a case by its printed identifier, with items, packages and certificates', async () => {
    const box = await find(station, 'collection', 'HF 2026/0417')
    expect(box).toMatchObject({
      ref: { kind: 'collection', id: readable },
      caseId: readable,
      identifier: 'HF 2026/0417',
      type: 'case',
      isRemoved: false,
      itemCount: 12,
      coas: [{ link: { id: coaUuid('HF-HG-7') }, isExpired: true }],
      packagedProducts: [{ product: { name: 'Hudson Ground, 7 g' }, batch: { id: batchUuid('HF-HG-7') } }],
      regulatorIds: [{ link: { name: packageTag(1) }, subType: 'Transfer' }],
    })
    expect(box.items[0]).toMatchObject({ productName: 'Hudson Ground, 7 g', addedOn: '2026-09-03T13:00:00Z' })
    expect(fact(box, 'company')).toBe('Hudson Fields Farms LLC')
  })

  it('shows removed items, and other collections than cases', async () => {
    const short = await find(station, 'collection', id('case', 'short'))
    expect(short).toMatchObject({ itemCount: 18, removedItemCount: 2 })
    expect(short.removedItems[0]).toMatchObject({
      productName: 'Lemon Ferry, 3.5 g',
      removedOn: '2026-09-12T10:00:00Z',
    })
    const transfer = await find(station, 'collection', packageTag(2))
    expect(transfer).toMatchObject({ type: 'regulator', caseId: null, itemCount: 60 })
  })

  it('shows a package with its cases, their importing stores, and our reports about it', async () => {
    const found = await find(station, 'package', packageTag(3))
    expect(found.cases).toHaveLength(2)
    expect(found.cases.find(({ link }) => link.id === onSale)).toMatchObject({
      link: { name: 'Case of Palisades Pre-Roll, 1 g' },
      isImported: true,
      dispensary: 'Green Door, Newark',
    })
    expect(fact(found, 'sub-type')).toBe('Transfer')
    const { packagedProducts } = await station.ask('receiving.case', { identifier: id('case', 'short') })
    await station.ask('receiving.import', {
      caseId: id('case', 'short'),
      packagedProductId: packagedProducts[0]?.packagedProductId ?? '',
      packageUid: packageTag(3),
      posProductId: 'P',
      posInventoryId: 'I',
    })
    const again = await find(station, 'package', packageTag(3))
    expect(again.operations).toMatchObject([{ kind: 'import', packageUid: packageTag(3) }])
  })

  it('shows a product with all known data', async () => {
    expect(await find(station, 'product', chocolate)).toMatchObject({
      name: 'Sea Salt Dark Chocolate, 10 × 10 mg',
      allergens: ['Soy'],
      effects: { positive: ['Relaxed'], negative: ['Dry mouth'], medical: ['Restless nights'] },
      dosages: [{ name: 'Two squares', quantity: '2 squares', thc: '20 mg', cbd: null }],
      usageRecommendation: 'Start with one square and wait two hours.',
      // The account can't read another company's catalog, so this shows the data that the retail account received.
      missing: [],
    })
  })

  it('leads from a product to its batches, once an answer has named them', async () => {
    expect((await find(station, 'product', house)).batches).toEqual([])
    await find(station, 'collection', houseShort)
    expect((await find(station, 'product', house)).batches).toMatchObject([
      { kind: 'batch', id: batchUuid('GD-HF-35') },
    ])
  })

  it('passes a description on unchanged, including a script', async () => {
    const product = await find(station, 'product', house)
    expect(product.descriptionHtml).toContain('<script>document.title = "ran"</script>')
    expect(product.missing).toEqual([])
    expect(fact(product, 'brand')).toBe('Green Door House')
  })

  it('shows a batch and a certificate of our own company by asking for them', async () => {
    const batch = await find(station, 'batch', batchUuid('GD-HF-35'))
    expect(batch).toMatchObject({ missing: [], coas: [{ link: { id: coaUuid('GD-HF-35') } }] })
    expect(batch.packagedProducts).toMatchObject([{ product: { id: house } }])
    const coa = await find(station, 'coa', coaUuid('GD-HF-35'))
    expect(coa).toMatchObject({ verdict: 'partly-tested', batch: { name: batch.name }, missing: [] })
    expect(coa.groups).toHaveLength(13)
    expect(coa.totals).toHaveLength(6)
    expect(coa.certificateUrl).toBe('https://tag.example/certificates/GD-HF-35')
  })

  it('shows a failing certificate of another company only once a case has contained it', async () => {
    const ref = { kind: 'coa', id: coaUuid('SK-SC-10') } as const
    expect(await station.refused('find.entity', ref)).toEqual({ code: 'service/not-found', id: ref.id })
    await find(station, 'collection', id('case', 'two products'))
    const coa = await find(station, 'coa', ref.id)
    expect(coa).toMatchObject({ verdict: 'failed', knowledge: { source: 'now' } })
    expect(coa.tests).toContainEqual({ name: 'homogeneity_tests', result: 'fail' })
    expect(partsOf(coa)).toEqual([])
    expect(await find(station, 'batch', batchUuid('SK-SC-10'))).toMatchObject({ coas: [{ verdict: 'failed' }] })
  })

  it('refuses unknown and malformed ids', async () => {
    const tried: { kind: EntityKind; id: string }[] = [
      ...(['tag', 'collection', 'product', 'batch', 'coa'] as const).map((kind) => ({ kind, id: never })),
      { kind: 'package', id: packageTag(77) },
      { kind: 'tag', id: 'no id at all' },
      { kind: 'coa', id: '../../items' },
      { kind: 'package', id: 'x'.repeat(500) },
      { kind: 'collection', id: 'y'.repeat(500) },
      { kind: 'collection', id: '..' },
      { kind: 'collection', id: 'lone \ud800 surrogate' },
      { kind: 'batch', id: '%00' },
      // In the inventory of another company.
      { kind: 'collection', id: packageTag(7701) },
    ]
    for (const ref of tried) {
      expect((await station.refused('find.entity', ref)).code, JSON.stringify(ref)).toBe('service/not-found')
    }
    expect((await station.refused('find.entity', { kind: 'tag', id: ' ' })).code).toBe('ipc/invalid-input')
  })

  it('answers without a network from stored data with its age, or with the reason if nothing is stored', async () => {
    const before = await find(station, 'collection', houseShort)
    await find(station, 'product', house)
    await station.knobs.setFaults({ offline: true })
    const after = await find(station, 'collection', houseShort)
    expect(after).toMatchObject({
      knowledge: { source: 'stored', knownAt: before.knowledge.knownAt },
      unreachable: { code: 'service/unreachable' },
      items: before.items,
    })
    expect(await find(station, 'product', house)).toMatchObject({ knowledge: { source: 'stored' } })
    // Never opened themselves; the answer for the case contained them.
    expect(await find(station, 'coa', coaUuid('GD-HF-35'))).toMatchObject({ knowledge: { source: 'stored' } })
    expect(await find(station, 'batch', batchUuid('GD-HF-35'))).toMatchObject({ knowledge: { source: 'stored' } })
    for (const ref of [
      { kind: 'tag', id: never },
      { kind: 'collection', id: 'NOT SEEN' },
      { kind: 'package', id: packageTag(1) },
    ] as const) {
      expect(await station.refused('find.entity', ref)).toEqual({ code: 'service/unreachable' })
    }
  })

  it('shows our own unsent sale of an item, on the item and on its case', async () => {
    await find(station, 'collection', onSale)
    await find(station, 'tag', soldTag)
    await station.knobs.setFaults({ offline: true })
    await station.ask('checkout.addItem', { mode: 'sale', tagId: soldTag })
    await station.ask('checkout.setOrder', { mode: 'sale', orderId: 'A-78' })
    const { revision, orderId } = await station.ask('checkout.cart', { mode: 'sale' })
    await station.ask('checkout.finish', { mode: 'sale', orderId, itemCount: 1, revision, isMeant: true })
    expect((await find(station, 'tag', soldTag)).sale).toMatchObject({ orderId: 'A-78', by: 'this-station' })
    const box = await find(station, 'collection', onSale)
    expect(box.items.filter(({ soldOn }) => soldOn !== null).map(({ tagId }) => tagId)).toEqual([soldTag])
  })

  it('answers without a network from data that receiving and checkout read', async () => {
    await station.ask('receiving.package', { packageUid: packageTag(3) })
    await station.knobs.setFaults({ offline: true })
    const unreachable: AppError = { code: 'service/unreachable' }
    const box = await find(station, 'collection', onSale)
    expect(box).toMatchObject({ itemCount: 20, knowledge: { source: 'stored' }, unreachable })
    expect(partsOf(box)).toEqual(['rest'])
    expect(await find(station, 'tag', soldTag)).toMatchObject({ name: 'Palisades Pre-Roll, 1 g', unreachable })
    expect((await find(station, 'package', packageTag(3))).cases).toHaveLength(2)
  })

  it("remembers the cases of a package: by name, and if the service doesn't answer", async () => {
    const { cases } = await find(station, 'package', packageTag(1))
    const [first] = cases
    expect(first?.link).toMatchObject({ name: 'Case of Blue Dune, 3.5 g' })
    const { things } = await station.ask('find.search', { text: 'dune' })
    expect(things).toContainEqual(expect.objectContaining({ kind: 'collection', id: first?.link.id }))
    await station.knobs.setFaults({ offline: true })
    expect(await find(station, 'collection', first?.link.id ?? '')).toMatchObject({
      itemCount: 24,
      knowledge: { source: 'stored' },
    })
  })

  it('remembers without a request the type of an id, looked up here or seen on another screen', async () => {
    await station.ask('receiving.package', { packageUid: packageTag(3) })
    await find(station, 'tag', soldTag)
    await station.knobs.setFaults({ offline: true })
    const box = await find(station, 'collection', onSale)
    const other = box.items.find(({ tagId }) => tagId !== soldTag)
    const known = (tagId: string) => station.ask('find.known', { tagId })
    expect(other).toBeDefined()
    expect((await known(other?.tagId ?? ''))?.name).toBe(other?.productName)
    expect(await known(soldTag)).toEqual({
      kind: 'tag',
      id: soldTag,
      name: 'Palisades Pre-Roll, 1 g',
      detail: 'Hudson Fields',
    })
    expect(await known(never)).toBeNull()
  })

  it('forgets things that the service no longer knows', async () => {
    await find(station, 'collection', houseShort)
    await find(station, 'product', house)
    // As if the service had known the product before.
    const gone = id('product', 'absent')
    await station.restart(() => {
      const stored = new Database(join(station.dataDir, 'practice', 'countertag.db'))
      stored.prepare("UPDATE memory SET id = ? WHERE kind = 'product'").run(gone)
      stored.close()
    })
    expect((await station.ask('find.recent', undefined)).map(({ kind }) => kind)).toEqual(['product', 'collection'])
    expect((await station.refused('find.entity', { kind: 'product', id: gone })).code).toBe('service/not-found')
    expect((await station.ask('find.recent', undefined)).map(({ kind }) => kind)).toEqual(['collection'])
    await station.knobs.setFaults({ offline: true })
    expect(await station.refused('find.entity', { kind: 'product', id: gone })).toEqual({ code: 'service/unreachable' })
  })

  it('lists a case on the package that we added it to', async () => {
    const regulatorIdentifier = packageTag(3)
    await station.ask('collection.addCase', { regulatorIdentifier, caseId: houseShort, packagedProductId: null })
    const found = await find(station, 'package', regulatorIdentifier)
    expect(found.operations).toMatchObject([{ kind: 'add-case', caseId: houseShort }])
    expect((await find(station, 'package', packageTag(2))).operations).toEqual([])
  })

  it('keeps viewed things over a restart, and lists them newest first', async () => {
    await find(station, 'product', chocolate)
    await find(station, 'tag', soldTag)
    await find(station, 'product', chocolate)
    await station.restart()
    expect(await station.ask('find.recent', undefined)).toMatchObject([
      { kind: 'product', id: chocolate, name: 'Sea Salt Dark Chocolate, 10 × 10 mg' },
      { kind: 'tag', id: soldTag },
    ])
  })

  it('lists collections that our company removed, and shows them with their items', async () => {
    const house1 = id('case', 'house 1')
    const { authUrl, baseUrl } = { authUrl: `${station.practice.baseUrl}/auth`, baseUrl: station.practice.baseUrl }
    const form =
      'grant_type=client_credentials&client_id=practice-newark-sourcing&client_secret=practice-newark-sourcing-secret'
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const answer = await request(`${authUrl}/o/token/`, { method: 'POST', headers, body: form })
    const { access_token: token } = z.object({ access_token: z.string() }).parse(await answer.body.json())
    const url = `${baseUrl}/api/v1.5/collections/${toUuid(house1) ?? ''}/remove/`
    const removal = await request(url, { method: 'DELETE', headers: { authorization: `Bearer ${token}` } })
    expect(removal.statusCode).toBe(204)
    const lines = await station.ask('find.removed', { type: null })
    expect(lines).toMatchObject([{ collectionId: house1, type: 'case', tagCount: 12 }])
    expect(await station.ask('find.removed', { type: 'case' })).toEqual(lines)
    expect(await station.ask('find.removed', { type: 'regulator' })).toEqual([])
    const box = await find(station, 'collection', house1)
    expect(box).toMatchObject({ isRemoved: true, itemCount: 0, removedItemCount: 12 })
    const tag = await find(station, 'tag', id('tag', 'house 1 GD-HF-35 1'))
    expect(tag.pastHolders).toMatchObject([{ link: { id: house1 }, type: 'case' }])
  })

  it('lists no removed collections if none was removed', async () => {
    expect(await station.ask('find.removed', { type: null })).toEqual([])
    expect(await station.ask('find.removed', { type: 'a type that is none' })).toEqual([])
    await station.knobs.setFaults({ offline: true })
    expect(await station.refused('find.removed', { type: 'case' })).toEqual({ code: 'service/unreachable' })
  })
})

describe('finding a thing without a sourcing account', () => {
  let station: Station
  beforeEach(async () => {
    station = await startStation({ credentials: inMemoryCredentials({ retail: practiceAccount() }) })
  })
  afterEach(async () => {
    await station.close()
  })

  it('shows what the retail account may read, and names what is missing', async () => {
    const reason = { code: 'service/credentials-missing' }
    expect((await find(station, 'tag', soldTag)).missing).toEqual([
      { part: 'catalogue', reason },
      { part: 'removed-collections', reason },
    ])
    for (const [kind, thingId] of [
      ['collection', onSale],
      ['product', house],
    ] as const) {
      const view = await find(station, kind, thingId)
      expect(view).toMatchObject({ knowledge: { source: 'now' }, missing: [{ part: 'catalogue', reason }] })
    }
    expect((await find(station, 'package', packageTag(3))).missing).toEqual([])
    // The answer for the case contained it.
    expect(await find(station, 'batch', batchUuid('HF-PA-1'))).toMatchObject({ knowledge: { source: 'now' } })
  })

  it('reports an unknown id as unknown, and a missing account for everything else', async () => {
    expect(await station.refused('find.entity', { kind: 'tag', id: never })).toEqual({
      code: 'service/not-found',
      id: never,
    })
    const ref = { kind: 'batch', id: batchUuid('GD-HF-35') } as const
    expect((await station.refused('find.entity', ref)).code).toBe('service/credentials-missing')
    expect((await station.refused('find.removed', { type: null })).code).toBe('service/credentials-missing')
  })
})

describe('finding a thing without a retail account', () => {
  it('says that imports and sales of the items of a collection are unknown', async () => {
    const sourcing = { clientId: 'practice-newark-sourcing', clientSecret: 'practice-newark-sourcing-secret' }
    const station = await startStation({ credentials: inMemoryCredentials({ sourcing }) })
    const box = await find(station, 'collection', houseShort)
    expect(box.items.length).toBeGreaterThan(0)
    expect(partsOf(box)).toEqual(['members', 'case'])
    await station.close()
  })
})

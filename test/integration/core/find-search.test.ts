import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { batchUuid } from '../../../scripts/practice-data/batches'
import { coaUuid } from '../../../scripts/practice-data/coas'
import { id, packageTag } from '../../../scripts/practice-data/ids'
import { type Station, startStation } from './station'

const readable = id('case', 'readable')
const single = id('tag', 'single')
const house = id('product', 'GD-HF-35')

describe('searching', () => {
  let station: Station
  beforeEach(async () => {
    station = await startStation()
  })
  afterEach(async () => {
    await station.close()
  })
  const search = (text: string) => station.ask('find.search', { text })
  const asked = async () => (await station.knobs.requests()).filter(({ path }) => path.includes('/api/')).length

  it('sends no request for a code that identifies itself', async () => {
    await station.online()
    const before = await asked()
    for (const [text, kind, thingId] of [
      [`https://tag.example/${single}`, 'tag', single],
      ['https://tag.example/case/HF%202026%2F0417', 'collection', 'HF 2026/0417'],
    ] as const) {
      expect(await search(text)).toMatchObject({ things: [{ kind, id: thingId }], unreachable: null, orderId: null })
    }
    expect(await asked()).toBe(before)
  })

  it('offers a batch beside the package with the same-looking number', async () => {
    expect((await search(packageTag(1))).things).toMatchObject([{ kind: 'package', id: packageTag(1) }])
    const batch = await station.ask('find.entity', { kind: 'batch', id: batchUuid('GD-HF-35') })
    const number = batch.facts.find(({ name }) => name === 'regulatory-id')?.value ?? ''
    const both = [
      { kind: 'package', id: number },
      { kind: 'batch', id: batch.ref.id },
    ]
    expect((await search(number)).things).toMatchObject(both)
    // As a scanner reports it, with what it says of the barcode.
    expect((await search(`]C1${number}`)).things).toMatchObject(both)
    await station.knobs.setFaults({ offline: true })
    expect((await search(number)).things).toMatchObject(both)
  })

  it('finds whatever thing a bare id belongs to', async () => {
    for (const [thingId, kind] of [
      [single, 'tag'],
      [readable, 'collection'],
      [id('product', 'SK-SC-10'), 'product'],
      [batchUuid('GD-HF-35'), 'batch'],
      [coaUuid('GD-HF-35'), 'coa'],
    ] as const) {
      expect((await search(thingId)).things, kind).toMatchObject([{ kind, id: thingId }])
    }
    expect(await search(id('tag', 'absent'))).toEqual({ things: [], orderId: null, unreachable: null })
  })

  it('finds by product or batch name in our catalog, and asks for the lists once', async () => {
    expect((await search('house flo')).things).toMatchObject([
      { kind: 'product', id: house, name: 'House Flower, 3.5 g' },
    ])
    expect((await search('HÓUSE flower')).things).toMatchObject([{ id: house }])
    expect((await search('GDHF35')).things).toMatchObject([{ kind: 'batch', id: batchUuid('GD-HF-35') }])
    const lists = (await station.knobs.requests()).filter(({ path }) => path.endsWith('/v1.5/products/'))
    expect(lists).toHaveLength(1)
  })

  it('finds a product by its barcode once it was seen, in each form of it, with and without a service', async () => {
    const upc = '850022150746'
    expect((await search(upc)).things).toEqual([])
    const product = id('product', 'HF-BD-35')
    const { facts } = await station.ask('find.entity', { kind: 'product', id: product })
    expect(facts).toContainEqual(expect.objectContaining({ name: 'upc', value: upc }))
    for (const text of [upc, `0${upc}`, `00${upc}`, `]E0${upc}`, `0100${upc}10LOT`]) {
      expect((await search(text)).things, text).toMatchObject([{ kind: 'product', id: product }])
    }
    await station.knobs.setFaults({ offline: true })
    expect((await search(upc)).things).toMatchObject([{ kind: 'product', id: product }])
  })

  it("finds a case by its brand's identifier, and by its content once it was seen", async () => {
    expect((await search('HF 2026/0417')).things).toMatchObject([{ kind: 'collection', id: readable }])
    expect((await search('hudson ground')).things).toEqual([])
    await station.ask('receiving.case', { identifier: 'HF 2026/0417' })
    const { things } = await search('hudson ground')
    expect(things.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['product', 'collection']))
  })

  it("searches the stored data if the service doesn't answer, and says so", async () => {
    await station.ask('find.entity', { kind: 'product', id: id('product', 'SK-PG-10') })
    await station.knobs.setFaults({ offline: true })
    expect(await search('white PEACH')).toMatchObject({
      things: [{ kind: 'product', id: id('product', 'SK-PG-10') }],
      unreachable: { code: 'service/unreachable' },
    })
    expect(await search(id('product', 'SK-PG-10'))).toMatchObject({ things: [{ kind: 'product' }], orderId: null })
    expect(await search(readable)).toMatchObject({ things: [], unreachable: { code: 'service/unreachable' } })
  })

  it('finds a product by its barcode as scanners pad it, and the batch in the same code', async () => {
    const { facts } = await station.ask('find.entity', { kind: 'product', id: house })
    const barcode = facts.find(({ name }) => name === 'upc')?.value ?? ''
    expect(barcode).toHaveLength(12)
    for (const text of [barcode, `0${barcode}`, `00${barcode}`]) {
      expect((await search(text)).things, text).toMatchObject([{ kind: 'product', id: house }])
    }
    const batch = await station.ask('find.entity', { kind: 'batch', id: batchUuid('GD-HF-35') })
    // As printed, and as a scanner sends it with a serial number appended.
    for (const text of [
      `(01)00012345678905(10)${batch.name ?? ''}`,
      `010001234567890510${batch.name ?? ''}\u001d21S1`,
    ]) {
      expect((await search(text)).things, text).toMatchObject([{ kind: 'batch', id: batch.ref.id }])
    }
  })

  it('sends no request for identity or payment cards', async () => {
    await station.online()
    const before = await asked()
    for (const text of ['@ANSI 636036080002', 'DAQD12345678901234', '4111111111111111', ';4111111111111111=2512']) {
      await search(text)
    }
    expect(await asked()).toBe(before)
  })

  it('gives no results and no error for meaningless texts', async () => {
    for (const text of [
      'z'.repeat(500),
      '%',
      '_',
      '..',
      '\\',
      '"',
      'lone \ud800',
      'CT:OK',
      'https://other.example/',
      '日本',
    ]) {
      expect((await search(text)).things, text).toEqual([])
    }
    expect((await station.refused('find.search', { text: '  ' })).code).toBe('ipc/invalid-input')
    expect((await station.refused('find.search', { text: 'z'.repeat(501) })).code).toBe('ipc/invalid-input')
  })
})

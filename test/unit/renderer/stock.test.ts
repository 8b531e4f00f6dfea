import Papa from 'papaparse'
import { describe, expect, it, vi } from 'vitest'
import { App } from '../../../src-renderer/app.svelte'
import type { Host } from '../../../src-renderer/host'
import { shelfFile } from '../../../src-renderer/stock/shelf-csv'
import { type KindReason, ShelfResult } from '../../../src-renderer/stock/shelf-result.svelte'
import { Stock } from '../../../src-renderer/stock/stock.svelte'
import { accuracyText, asOfText, differenceChip, isOld } from '../../../src-renderer/stock/stock-text'
import { say } from '../../../src-renderer/text/text.svelte'
import { CountId } from '../../../src-shared/ids'
import { createClient } from '../../../src-shared/ipc/client'
import {
  type DifferenceKind,
  type ShelfCount,
  type ShelfDifference,
  type ShelfLate,
  type ShelfLedger,
  type ShelfScan,
  reasonsOf,
} from '../../../src-shared/ipc/contract/stock'
import { at, caseId, productId, scan, tagId } from './examples'
import { createFakeWire } from './fake-wire'

const idOf = (number: number) => CountId.parse(`00000000-0000-4000-8000-${String(number).padStart(12, '0')}`)

const shelfCount = (fields: Partial<ShelfCount> = {}): ShelfCount => ({
  id: idOf(1),
  scope: { kind: 'all', names: [] },
  state: 'counting',
  isRecount: false,
  startedAt: at,
  finishedAt: null,
  signedAt: null,
  asOf: { cases: 2, unread: 0, oldestAt: at },
  scanned: 0,
  stations: [],
  finishedBy: null,
  late: 0,
  signedToo: null,
  results: null,
  signature: null,
  revision: 1,
  ...fields,
})

const hour = 3_600_000
it('is old once it has been under way for a day, also while the page shows it', () => {
  const began = Date.parse(at)
  const texts = (count: ShelfCount) => [23 * hour, 24 * hour, 72 * hour].map((later) => isOld(count, began + later))
  expect(texts(shelfCount())).toEqual([false, true, true])
  expect(texts(shelfCount({ state: 'paused' }))).toEqual([false, true, true])
  expect(texts(shelfCount({ state: 'finished' }))).toEqual([false, false, false])
})

const results = { expected: 10, found: 9, missing: 1, unexpected: 0, moved: 0, open: 1, accuracy: 0.9 }
const finished = (fields: Partial<ShelfCount> = {}) =>
  shelfCount({ state: 'finished', finishedAt: at, results, ...fields })

const difference = (number: number, fields: Partial<ShelfDifference> = {}): ShelfDifference => ({
  tagId: tagId(number),
  result: 'missing',
  why: null,
  hint: null,
  orderId: null,
  caseId: caseId(1),
  identifier: 'HF 1',
  productId: productId(1),
  productName: 'Blue Dream 3.5 g',
  brandName: null,
  scannedAt: null,
  reason: null,
  text: null,
  ...fields,
})

const productId1 = productId(1)

const scanOf = (number: number): ShelfScan => ({ tagId: tagId(number), productName: null, at })

function create() {
  const fake = createFakeWire()
  const ended = vi.fn()
  const stock = new Stock(createClient(fake.wire), ended)
  stock.start()
  return { fake, stock, ended }
}

async function opened(count = shelfCount()) {
  const made = create()
  const opening = made.stock.open(count.id)
  await made.fake.next('stock.count').answer(count)
  await made.fake.next('stock.recent').answer([])
  await opening
  return made
}

describe('a count of the shelf', () => {
  it('starts with what was chosen, and is in front then', async () => {
    const { fake, stock } = create()
    stock.choice.choose('product')
    await fake.next('stock.choices').answer({
      products: [{ productId: productId(1), productName: 'Blue Dream 3.5 g', brandName: null }],
      brands: [],
      cases: [],
    })
    expect(stock.choice.scope).toBeNull()
    stock.choice.chosen = stock.choice.found?.[0] ?? null
    const starting = stock.begin()
    const asked = fake.next('stock.start')
    expect(asked.input).toEqual({ scope: { kind: 'product', productId: productId(1) } })
    await fake.emit('stock.count', shelfCount())
    await asked.answer({ id: idOf(1) })
    await fake.next('stock.count').answer(shelfCount())
    await fake.next('stock.recent').answer([])
    await starting
    expect(stock.count?.id).toBe(idOf(1))
    expect(stock.counts).toEqual([shelfCount()])
  })

  it.each([
    ['unknown', { cases: 0, unread: 0, oldestAt: null }, false],
    ['unread', { cases: 1, unread: 1, oldestAt: null }, false],
    ['sold-out', { cases: 0, unread: 0, oldestAt: null }, true],
  ] as const)('is not started while nothing is expected here, and says why: %s', async (why, asOf, isKnown) => {
    const { fake, stock } = create()
    const refresh = { state: 'idle', done: 0, total: 0, failed: 0, failure: null, error: null } as const
    const ledger: ShelfLedger = { items: 0, isKnown, asOf, unread: [], isCatchingUp: false, refresh }
    await fake.emit('stock.ledger', ledger)
    expect(stock.nothing).toBe(why)
    await stock.begin()
    expect(fake.asked.map(({ call }) => call)).not.toContain('stock.start')
    await fake.emit('stock.ledger', { ...ledger, items: 3 })
    expect(stock.nothing).toBeNull()
  })

  it('lists a scan in its place once it is known what the item is', async () => {
    const { fake, stock } = await opened()
    const sums = { countId: idOf(1), stations: [], undone: null }
    for (const number of [1, 2]) await fake.emit('stock.progress', { ...sums, scanned: number, last: scanOf(number) })
    await fake.emit('stock.progress', { ...sums, scanned: 2, last: { ...scanOf(1), productName: 'Blue Dream 3.5 g' } })
    expect(stock.recent.map(({ tagId: id, productName }) => [id, productName])).toEqual([
      [tagId(2), null],
      [tagId(1), 'Blue Dream 3.5 g'],
    ])
  })

  it('starts with the first scan, which it counts, unless another count could be meant', async () => {
    const { fake, stock } = create()
    const refresh = { state: 'idle', done: 0, total: 0, failed: 0, failure: null, error: null } as const
    const asOf = { cases: 1, unread: 0, oldestAt: at }
    const ledger: ShelfLedger = { items: 3, isKnown: true, asOf, unread: [], isCatchingUp: false, refresh }
    const loading = stock.load()
    await fake.next('stock.ledger').answer(ledger)
    await fake.next('stock.storeCounts').answer([])
    await fake.next('stock.open').answer([])
    await loading
    const one = { id: idOf(7), station: 'Front', scope: { kind: 'all' as const, names: [] } }
    await fake.emit('stock.storeCounts', [{ ...one, isRecount: false, startedAt: at, scanned: 4, overlaps: [] }])
    expect((await stock.scan(tagId(1))).tone).toBe('attention')
    await fake.emit('stock.storeCounts', [])

    const scanning = stock.scan(tagId(1))
    const asked = fake.next('stock.start')
    expect(asked.input).toEqual({ scope: { kind: 'all' } })
    await asked.answer({ id: idOf(1) })
    await fake.next('stock.count').answer(shelfCount())
    await fake.next('stock.recent').answer([])
    const scanned = fake.next('stock.scan')
    expect(scanned.input).toEqual({ countId: idOf(1), tagId: tagId(1) })
    await scanned.answer({ kind: 'counted', productName: null })
    expect((await scanning).tone).toBe('good')
  })

  it('counts what is scanned while it is being started', async () => {
    const { fake, stock } = create()
    const starting = stock.begin()
    const asked = fake.next('stock.start')
    const scanning = stock.scan(tagId(1))
    await asked.answer({ id: idOf(1) })
    await fake.next('stock.count').answer(shelfCount())
    await fake.next('stock.recent').answer([])
    await starting
    const scanned = fake.next('stock.scan')
    expect(scanned.input).toEqual({ countId: idOf(1), tagId: tagId(1) })
    await scanned.answer({ kind: 'counted', productName: 'Blue Dream 3.5 g' })
    expect((await scanning).tone).toBe('good')
  })

  it('stays at the choice if main refuses it, and says why', async () => {
    const { fake, stock } = create()
    const starting = stock.begin()
    await fake.next('stock.start').refuse({ code: 'stock/nothing-here' })
    await starting
    expect(stock.count).toBeNull()
    expect(stock.error?.code).toBe('stock/nothing-here')
  })

  it('lists the last scans as main tells them, each item once, without those taken back', async () => {
    const { fake, stock } = await opened()
    await fake.emit('stock.progress', { countId: idOf(1), scanned: 1, stations: [], last: scanOf(1), undone: null })
    await fake.emit('stock.progress', { countId: idOf(1), scanned: 2, stations: [], last: scanOf(2), undone: null })
    await fake.emit('stock.progress', { countId: idOf(2), scanned: 7, stations: [], last: scanOf(3), undone: null })
    expect(stock.count?.scanned).toBe(2)
    expect(stock.recent.map((one) => one.tagId)).toEqual([tagId(2), tagId(1)])
    await fake.emit('stock.progress', { countId: idOf(1), scanned: 1, stations: [], last: scanOf(1), undone: tagId(2) })
    expect(stock.recent.map((one) => one.tagId)).toEqual([tagId(1)])
  })

  it('lists counts of other stations, and counts along with one', async () => {
    const { fake, stock } = create()
    const one = { id: idOf(7), station: 'Front', scope: { kind: 'all' as const, names: [] }, isRecount: false }
    await fake.emit('stock.storeCounts', [{ ...one, startedAt: at, scanned: 4, overlaps: [] }])
    expect(stock.elsewhere.map(({ station }) => station)).toEqual(['Front'])
    const joining = stock.join(idOf(7))
    await fake.next('stock.join').answer(null)
    await fake.next('stock.count').answer(shelfCount({ id: idOf(7), stations: [{ station: 'Front', scanned: 4 }] }))
    await fake.next('stock.recent').answer([])
    await joining
    expect(stock.count?.id).toBe(idOf(7))
    const scanning = stock.scan(tagId(1))
    await fake.next('stock.scan').answer({ kind: 'again', productName: null, at, station: 'Front' })
    const { detail } = await scanning
    expect(detail && say(detail)).toContain('at Front')
  })

  it('names the stations that may have scans to tell before it ends, and the one that gave it up', async () => {
    const { fake, stock } = await opened()
    await stock.finish()
    await fake.next('stock.behind').answer(['Back room'])
    expect([stock.asking, stock.behind]).toEqual(['finish', ['Back room']])
    await fake.emit('stock.count', shelfCount({ state: 'dropped', finishedBy: 'Front' }))
    expect([stock.count, stock.droppedBy]).toEqual([null, 'Front'])
  })

  it('is blind: a scan says that it was counted, and can be taken back', async () => {
    const { fake, stock } = await opened()
    const scanning = stock.scan(tagId(1))
    await fake.next('stock.scan').answer({ kind: 'counted', productName: null })
    const outcome = await scanning
    expect([outcome.tone, say(outcome.what)]).toEqual(['good', 'Item counted'])
    const undoing = outcome.undo?.()
    await fake.next('stock.unscan').answer(null)
    expect((await undoing)?.tone).toBe('good')
  })

  it('says of an item that was counted before when that was', async () => {
    const { fake, stock } = await opened()
    const scanning = stock.scan(tagId(1))
    await fake.next('stock.scan').answer({ kind: 'again', productName: 'Blue Dream 3.5 g', at, station: null })
    const outcome = await scanning
    expect([outcome.tone, say(outcome.what), outcome.undo]).toEqual([
      'attention',
      'Blue Dream 3.5 g: already counted',
      undefined,
    ])
  })

  it('asks once before it is finished; a scan means that it goes on', async () => {
    const { fake, stock } = await opened()
    await stock.primary()
    expect(stock.asking).toBe('finish')
    const scanning = stock.scan(tagId(1))
    expect(stock.asking).toBeNull()
    await fake.next('stock.scan').answer({ kind: 'counted', productName: null })
    await scanning
    await stock.primary()
    const finishing = stock.finish()
    await fake.next('stock.finish').answer(null)
    await finishing
  })

  it('counts what is in front: a scan closes the history that hides it', async () => {
    const { fake, stock } = await opened()
    stock.isHistoryOpen = true
    const scanning = stock.scan(tagId(1))
    await fake.next('stock.scan').answer({ kind: 'counted', productName: null })
    await scanning
    expect(stock.isHistoryOpen).toBe(false)
  })

  it('is never of what was chosen before: another kind, or a case that is not expected, starts nothing', async () => {
    const { fake, stock } = create()
    const cases = [{ caseId: caseId(1), identifier: 'HF 1', productName: 'Blue Dream 3.5 g' }]
    const scanning = stock.scanCase('HF 1')
    await fake.next('stock.choices').answer({ products: [], brands: [], cases })
    await scanning
    expect(stock.choice.scope).toEqual({ kind: 'case', caseId: caseId(1) })
    const other = stock.scanCase('HF 2')
    await fake.next('stock.choices').answer({ products: [], brands: [], cases: [] })
    expect((await other).tone).toBe('attention')
    expect(stock.choice.scope).toBeNull()
    await stock.begin()
    expect(fake.asked).toEqual([])
  })

  it('offers no undo of a scan once it is finished or paused', async () => {
    const { fake, ended } = await opened()
    await fake.emit('stock.count', shelfCount({ state: 'paused', revision: 2 }))
    expect(ended).toHaveBeenCalledOnce()
    await fake.emit('stock.count', finished({ revision: 3 }))
    expect(ended).toHaveBeenCalledOnce()
  })

  it('leaves the screen when it is given up, also elsewhere', async () => {
    const { fake, stock } = await opened()
    await fake.emit('stock.count', shelfCount({ state: 'dropped' }))
    expect(stock.count).toBeNull()
    expect(stock.counts).toEqual([])
  })
})

describe('the differences of a count', () => {
  async function loaded(count = finished()) {
    const fake = createFakeWire()
    const result = new ShelfResult(createClient(fake.wire), count)
    const loading = result.load()
    await fake.next('stock.products').answer({ products: [], more: 0 })
    await fake
      .next('stock.differences')
      .answer({ differences: [difference(1)], total: 2, kinds: [{ kind: 'missing', count: 2 }], next: 1 })
    await loading
    return { fake, result }
  }

  it('are read page by page', async () => {
    const { fake, result } = await loaded()
    const reading = result.list.more()
    // Scrolled further meanwhile: the page is asked for once.
    await result.list.more()
    const asked = fake.next('stock.differences')
    expect(asked.input).toEqual({ countId: idOf(1), filter: {}, after: 1 })
    await asked.answer({ differences: [difference(2)], total: 2, kinds: [{ kind: 'missing', count: 2 }], next: null })
    await reading
    expect(result.list.rows?.map((one) => one.tagId)).toEqual([tagId(1), tagId(2)])
  })

  it('get a reason by themselves, or all that are listed at once', async () => {
    const { fake, result } = await loaded()
    result.tick(tagId(1))
    const one = result.explain(new Map([['missing', { reason: 'damaged', text: ' ' }]]))
    const first = fake.next('stock.explain')
    expect(first.input).toEqual({ countId: idOf(1), which: { tagIds: [tagId(1)] }, reason: 'damaged' })
    await first.answer({ explained: 1, revision: 2 })
    expect(await one).toBe(true)
    result.tickAll()
    expect(result.chosen).toBe(2)
    const all = result.explain(new Map([['missing', { reason: 'other', text: ' Fell behind the shelf ' }]]))
    const second = fake.next('stock.explain')
    expect(second.input).toEqual({
      ...{ countId: idOf(1), which: { filter: { result: 'missing' }, revision: 1 }, reason: 'other' },
      text: 'Fell behind the shelf',
    })
    await second.refuse({ code: 'stock/reason-words' })
    expect(await all).toBe(false)
    expect(result.error?.code).toBe('stock/reason-words')
  })

  it('that come while the reason of all is asked for are not given it unseen', async () => {
    const { fake, result } = await loaded()
    result.tickAll()
    result.ask()
    result.changed(finished({ revision: 2 }))
    const three = { differences: [difference(1)], total: 3, kinds: [{ kind: 'missing' as const, count: 3 }], next: 1 }
    await fake.next('stock.products').answer({ products: [], more: 0 })
    await fake.next('stock.differences').answer(three)
    // The question still names what it was asked about.
    expect([result.chosen, result.chosenKinds]).toEqual([2, [{ kind: 'missing', count: 2 }]])
    const reasons = new Map<DifferenceKind, KindReason>([['missing', { reason: 'damaged', text: '' }]])
    const saving = result.explain(reasons)
    const first = fake.next('stock.explain')
    expect(first.input).toMatchObject({ which: { filter: { result: 'missing' }, revision: 1 } })
    await first.refuse({ code: 'stock/changed' })
    await fake.next('stock.differences').answer(three)
    expect([await saving, result.error?.code, result.isAsking, result.chosen]).toEqual([
      false,
      'stock/changed',
      true,
      3,
    ])
    void result.explain(reasons)
    expect(fake.next('stock.explain').input).toMatchObject({ which: { revision: 2 } })
  })

  it('of several kinds get a reason for each kind, with the reasons of that kind', async () => {
    const { fake, result } = await loaded()
    const reading = result.list.more()
    const sold = difference(2, { result: 'unexpected', why: 'sold', orderId: '10481' })
    const kinds = [
      { kind: 'missing', count: 1 },
      { kind: 'sold', count: 1 },
    ] as const
    await fake.next('stock.differences').answer({ differences: [sold], total: 2, kinds: [...kinds], next: null })
    await reading
    for (const number of [1, 2]) result.tick(tagId(number))
    expect(result.chosenKinds).toEqual(kinds)
    expect(say(differenceChip(sold).text)).toBe('Unexpected: sold in order 10481')
    expect(reasonsOf.sold).not.toContain('other-place')
    const saving = result.explain(
      new Map<DifferenceKind, KindReason>([
        ['missing', { reason: 'other-place', text: '' }],
        ['sold', { reason: 'not-taken', text: 'Called back' }],
      ]),
    )
    const first = fake.next('stock.explain')
    expect(first.input).toEqual({ countId: idOf(1), which: { tagIds: [tagId(1)] }, reason: 'other-place' })
    await first.answer({ explained: 1, revision: 2 })
    const next = fake.next('stock.explain')
    const words = { reason: 'not-taken', text: 'Called back' }
    expect(next.input).toEqual({ countId: idOf(1), which: { tagIds: [tagId(2)] }, ...words })
    await next.answer({ explained: 1, revision: 2 })
    expect(await saving).toBe(true)
  })

  it('are read again when main changes them, and signed as they were seen', async () => {
    const { fake, result } = await loaded()
    result.changed(finished({ revision: 2 }))
    await fake.next('stock.products').answer({ products: [], more: 0 })
    await fake.next('stock.differences').answer({ differences: [], total: 0, kinds: [], next: null })
    const signing = result.sign()
    const asked = fake.next('stock.sign')
    expect(asked.input).toEqual({ countId: idOf(1), revision: 2 })
    await asked.refuse({ code: 'stock/changed' })
    await signing
    expect(result.error?.code).toBe('stock/changed')
  })

  it('show only the answer to the newest filter', async () => {
    const { fake, result } = await loaded()
    const missing = result.showOnly('missing')
    const unexpected = result.showOnly('unexpected')
    const [first, second] = [fake.next('stock.differences'), fake.next('stock.differences')]
    await second.answer({ differences: [], total: 0, kinds: [], next: null })
    await first.answer({ differences: [difference(1)], total: 1, kinds: [], next: null })
    await Promise.all([missing, unexpected])
    expect(result.list.rows).toEqual([])
  })

  it('are those of one product, and of all again', async () => {
    const { fake, result } = await loaded()
    const filters: unknown[] = []
    for (const productId of [productId1, undefined]) {
      const listing = result.showProduct(productId)
      const asked = fake.next('stock.differences')
      filters.push(asked.input)
      await asked.answer({ differences: [], total: 0, kinds: [], next: null })
      await listing
    }
    expect(filters).toEqual([
      { countId: idOf(1), filter: { productId: productId1 }, after: null },
      { countId: idOf(1), filter: {}, after: null },
    ])
  })

  const lateScan = (number: number, fields: Partial<ShelfLate> = {}): ShelfLate => ({
    ...scanOf(number),
    ...{ productName: 'Blue Dream 3.5 g', brandName: 'Hudson', station: 'Back room' },
    ...fields,
  })

  it('come with the scans that were late, on the screen, on paper and in the file', async () => {
    const { fake, result } = await loaded()
    const newer = lateScan(8, { at: '2026-11-21T15:00:00Z', station: null })
    result.changed(finished({ state: 'signed', signedAt: at, late: 2 }))
    const asked = fake.next('stock.late')
    expect(asked.input).toEqual({ countId: idOf(1), after: null })
    await asked.answer({ scans: [lateScan(7), newer], next: null })
    expect(result.late.map(({ tagId: one }) => one)).toEqual([tagId(8), tagId(7)])

    const printing = result.toPrint()
    await fake.next('stock.differences').answer({ differences: [difference(1)], total: 1, kinds: [], next: null })
    await fake.next('stock.late').answer({ scans: [lateScan(7)], next: tagId(7) })
    const rest = fake.next('stock.late')
    expect(rest.input).toEqual({ countId: idOf(1), after: tagId(7) })
    await rest.answer({ scans: [newer], next: null })
    expect((await printing)?.late.map(({ tagId: one }) => one)).toEqual([tagId(8), tagId(7)])

    const exporting = result.export()
    await fake.next('stock.export').answer({ fileName: 'count.csv', lines: [], next: null })
    await fake.next('stock.late').answer({ scans: [lateScan(7), newer], next: null })
    const rows = (await exporting)?.text.split('\r\n') ?? []
    expect(rows[1]).toContain('"Late scan, not counted",Arrived after the signature: This station,Blue Dream 3.5 g')
    expect(rows[2]).toContain('Arrived after the signature: Back room')
    expect(rows[2]).toContain(tagId(7))
  })

  it('make a file that no spreadsheet takes for a formula', () => {
    const { text } = shelfFile(
      'count.csv',
      [{ ...difference(1, { productName: '=cmd()', reason: 'other', text: '+1' }), result: 'found' }],
      [],
      shelfCount().asOf,
    )
    expect(text).toContain("'=cmd()")
    expect(text).toContain("'+1")
  })

  it('say in the file as of when they are, in every line, and nothing if not all was read', () => {
    const lines = [{ ...difference(1), result: 'found' } as const, difference(2)]
    const asOf = (unread: number, oldestAt: string | null) =>
      Papa.parse<Record<string, string>>(shelfFile('count.csv', lines, [], { cases: 1, unread, oldestAt }).text, {
        header: true,
        skipEmptyLines: true,
      }).data.map((row) => Object.entries(row).at(-1))
    const [[column, read] = []] = asOf(0, at)
    expect(column).toMatch(/^Read from the service/)
    expect(new Date(read ?? '').getTime()).toBe(Math.floor(Date.parse(at) / 1_000) * 1_000)
    expect(asOf(0, at).map((one) => one?.[1])).toEqual([read, read])
    expect(asOf(1, null).map((one) => one?.[1])).toEqual(['', ''])
  })
})

describe('words of a count', () => {
  it('never round an accuracy up to all', () => {
    expect(say(accuracyText(1))).toBe('100%')
    expect(say(accuracyText(0.99999))).toBe('99.9%')
    expect(say(accuracyText(0.5))).toBe('50%')
  })

  it('say how much was never read back', () => {
    expect(say(asOfText({ cases: 12, unread: 1, oldestAt: null }))).toBe(
      '1 of 12 cases not compared with the service yet',
    )
    expect(say(asOfText({ cases: 0, unread: 0, oldestAt: null }))).toBe('No case with items here')
  })
})

describe('a scan on the Stock screen', () => {
  function start() {
    const fake = createFakeWire()
    const host: Host = { wire: fake.wire, onReach: () => () => undefined }
    fake.always('scanner.setPlace', null)
    const app = new App(host, () => undefined)
    app.start()
    app.go('stock')
    return { app, fake }
  }

  it('asks for a count first', async () => {
    const { app, fake } = start()
    await fake.emit('scanner.scanned', scan(1, { kind: 'tag', tagId: tagId(1), certain: true }))
    expect(app.strip.current?.tone).toBe('attention')
    expect(app.strip.current && say(app.strip.current.what)).toBe('No count is open here')
  })

  it('chooses the case that is scanned', async () => {
    const { app, fake } = start()
    await fake.emit('scanner.scanned', scan(1, { kind: 'case', identifier: 'HF 1', caseId: caseId(1), certain: true }))
    await fake.next('stock.choices').answer({
      ...{ products: [], brands: [] },
      cases: [{ caseId: caseId(1), identifier: 'HF 1', productName: 'Blue Dream 3.5 g' }],
    })
    expect(app.stock.choice.scope).toEqual({ kind: 'case', caseId: caseId(1) })
  })
})

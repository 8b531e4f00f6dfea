import { describe, expect, it } from 'vitest'
import type { CountId, TagId } from '../../../../../src-shared/ids'
import type { ShelfNews } from '../../../../../src-main/counting/shelf/count-merging'
import { iso } from '../../../../../src-main/core/clock'
import type { MergedEntry } from '../../../../../src-main/hub/lists/list-parts'
import type { ShelfEnd, ShelfScanned } from '../../../../../src-main/hub/rows'
import { caseWith, tagsOf, useShelf, value } from './shelf-desk'

const desk = useShelf()

const known = (fields: Partial<ShelfScanned> = {}) =>
  JSON.stringify({
    ...{
      standing: 'here',
      isUnsent: false,
      productId: null,
      productName: 'Product 1',
      brandName: 'Hudson',
      caseId: null,
    },
    ...fields,
  })
const entry = (key: TagId, fields: Partial<MergedEntry<TagId>> = {}): MergedEntry<TagId> => ({
  ...{ key, value: known(), at: 1, isGone: false, station: 'Front' },
  ...fields,
})
const end = (fields: Partial<ShelfEnd> = {}): ShelfEnd => ({
  ...{ state: 'finished', stationId: 'front', station: 'Front', at: 2, signedAt: null, signature: null, results: null },
  ...fields,
})
const open = { isFinished: false, end: null }
const together = () => desk.counts.merging

const begun = async () => {
  desk.receive(1, 3)
  const id = await desk.start()
  return { id, seq: desk.counts.book.rows.open()[0]?.seq ?? 0 }
}
const merge = (
  seq: number,
  entries: MergedEntry<TagId>[],
  how: Omit<ShelfNews, 'entries'> = open,
  isOwn: (tagId: TagId) => boolean = () => false,
) => {
  together().merge(seq, { entries, ...how }, isOwn)()
}
const count = (id: CountId) => value(desk.counts.count(id))
const [a, b, c] = tagsOf(1, 3)
if (a === undefined || b === undefined || c === undefined) throw new Error('three items')

describe('scans of other stations', () => {
  it('are counted once, and only what is not known here changes anything', async () => {
    const { id, seq } = await begun()
    desk.scan(id, a)
    merge(seq, [entry(a), entry(b)])
    expect(count(id)).toMatchObject({
      scanned: 2,
      stations: [
        { station: null, scanned: 0 },
        { station: 'Front', scanned: 2 },
      ],
    })
    const before = desk.progress.length
    merge(seq, [entry(a), entry(b)])
    expect(desk.progress).toHaveLength(before)
    expect(value(desk.counts.scans.recent(id))).toEqual([])
    expect(desk.counts.scans.scan(id, b)).toMatchObject({ value: { kind: 'again', station: 'Front' } })
  })

  it('leave what this station has not told yet, and take back what was undone', async () => {
    const { id, seq } = await begun()
    desk.scan(id, a, b)
    merge(seq, [entry(a), entry(b, { isGone: true })], open, (tagId) => tagId === a)
    expect(count(id)).toMatchObject({ scanned: 1, stations: [] })
    expect(desk.progress.at(-2)).toMatchObject({ undone: b, scanned: 1 })
    merge(seq, [entry(c, { isGone: true })])
    expect(count(id).scanned).toBe(1)
  })

  it('count also if what was known of the item can’t be read; then it is asked about', async () => {
    const { id, seq } = await begun()
    const [strange] = tagsOf(9, 1)
    if (strange === undefined) throw new Error('an item')
    merge(seq, [entry(a, { value: null }), entry(strange, { value: '{"standing": "lost"}' })])
    expect(count(id).scanned).toBe(2)
    expect(desk.asked).toEqual([strange])
    // What this station knows of it decides.
    expect(await desk.finish(id)).toMatchObject({ found: 1, missing: 2, unexpected: 1 })
  })

  it('say what was expected where they were made', async () => {
    const { id, seq } = await begun()
    const values = [
      known({ standing: 'sold' }),
      known({ standing: 'not-imported' }),
      known({ standing: 'sold', isUnsent: true }),
    ]
    merge(
      seq,
      [a, b, c].map((key, at) => entry(key, { value: values[at] ?? null })),
    )
    expect(await desk.finish(id)).toMatchObject({ found: 1, missing: 0, unexpected: 2 })
    // A reading after the scan knows more than the other station did, unless the service doesn't have its sale.
    desk.ledger.learn({
      ...{ facts: caseWith(1, [a, b, c], { isImported: true }), entry: undefined },
      ...{ position: desk.ledger.rows.position(), askedAt: desk.clock.now(), askedMove: desk.ledger.askMove() },
    })
    await desk.counts.end.lookAgain()
    expect(count(id).results).toMatchObject({ found: 2, unexpected: 1 })
  })

  it('travel with names that are cut, and come back as they were', async () => {
    const { seq, id } = await begun()
    desk.scan(id, a)
    const told = together().entry(seq, a)
    expect(JSON.parse(told?.value ?? '')).toMatchObject({ standing: 'here', isUnsent: false, productName: 'Product 1' })
    expect(desk.counts.book.scans.scannedHere(seq)).toEqual([a])
    merge(seq, [entry(b)])
    expect(desk.counts.book.scans.scannedHere(seq)).toEqual([a])
  })
})

describe('a count that another station finished', () => {
  it('has its figures, and neither differences nor steps of its own', async () => {
    const { id, seq } = await begun()
    const results = { expected: 3, found: 2, missing: 1, unexpected: 0, moved: 0, open: 1, accuracy: 2 / 3 }
    merge(seq, [entry(a)], { isFinished: true, end: end({ results }) })
    expect(count(id)).toMatchObject({ state: 'finished', finishedBy: 'Front', results })
    expect(desk.counts.scans.scan(id, b)).toMatchObject({ error: { code: 'stock/wrong-state' } })
    expect(desk.counts.finished.sign(id, count(id).revision, 'x')).toMatchObject({
      error: { code: 'stock/finished-elsewhere' },
    })
    await desk.counts.end.lookAgain()
    expect(count(id).results).toEqual(results)
    // The same again announces nothing.
    const before = desk.announced.length
    merge(seq, [], { isFinished: true, end: end({ results }) })
    expect(desk.announced).toHaveLength(before)
  })

  it('is opened again: then any item of it counts here, as its differences are there', async () => {
    const { id, seq } = await begun()
    merge(seq, [], { isFinished: true, end: end() })
    merge(seq, [])
    expect(count(id)).toMatchObject({ state: 'counting', isRecount: true, finishedBy: null })
    expect(desk.scan(id, a)).toEqual(['counted'])
    await desk.finish(id)
    expect(count(id)).toMatchObject({ state: 'finished', finishedBy: null })
    // Of its own differences only those count again.
    value(desk.counts.recount(id))
    expect(desk.scan(id, a, b)).toEqual(['again', 'counted'])
  })

  it('keeps its own signature if another station signed it too, and says so once', async () => {
    const { id, seq } = await begun()
    desk.scan(id, a, b)
    await desk.finish(id)
    value(await desk.counts.finished.explain(id, { filter: {} }, 'lost', null))
    value(desk.counts.finished.sign(id, count(id).revision, 'Mine'))
    const own = count(id)
    expect(own).toMatchObject({ state: 'signed', signedToo: null })
    const results = { ...(own.results ?? expect.fail()), found: 3, missing: 0 }
    merge(seq, [], { isFinished: true, end: end({ at: 3 }) })
    expect(count(id)).toEqual(own)
    const before = desk.announced.length
    const theirs = end({ state: 'signed', at: 3, signedAt: 4, signature: 'Theirs', results })
    merge(seq, [entry(c)], { isFinished: true, end: theirs })
    merge(seq, [], { isFinished: true, end: theirs })
    const signedToo = { station: 'Front', at: iso(4), results }
    expect(count(id)).toEqual({ ...own, signedToo, late: 1 })
    expect(desk.announced).toHaveLength(before + 1)
    expect(desk.counts.history(null).counts).toMatchObject([{ id, finishedBy: null, signedToo }])
  })

  it.each(['signed', 'dropped'] as const)('never changes once it is %s', async (state) => {
    const { id, seq } = await begun()
    desk.scan(id, a)
    merge(seq, [entry(b)], { isFinished: true, end: end({ state, signedAt: state === 'signed' ? 3 : null }) })
    const before = count(id)
    expect(before).toMatchObject({ state, finishedBy: 'Front', scanned: 2 })
    merge(seq, [entry(c), entry(a, { isGone: true })])
    merge(seq, [], { isFinished: true, end: end({ station: 'Back' }) })
    // What comes after the signature is only said.
    expect(before.late).toBe(0)
    expect(count(id)).toEqual({ ...before, late: state === 'signed' ? 1 : 0 })
    const came = { tagId: c, productName: 'Product 1', brandName: 'Hudson', station: 'Front', at: iso(1) }
    expect(value(desk.counts.scans.late(id, null))).toEqual({ scans: state === 'signed' ? [came] : [], next: null })
    merge(seq, [entry(c)])
    merge(seq, [entry(c, { isGone: true })])
    expect(count(id)).toEqual(before)
  })
})

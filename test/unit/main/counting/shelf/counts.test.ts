import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { CountId, TagId } from '../../../../../src-shared/ids'
import type { DifferenceChoice, ShelfReason } from '../../../../../src-shared/ipc/contract/stock'
import { err, ok } from '../../../../../src-shared/result'
import { caseOf, tag, thing } from '../../../../fakes/ids'
import { complete, rejected, returning, voiding } from '../../outbox/desk'
import { caseWith, tagsOf, useShelf, value } from './shelf-desk'

const desk = useShelf()
const { receive, put, send, start, scan, finish, found, differences, restart } = desk
const [a, b, c] = [tag(1_001), tag(1_002), tag(1_003)]
const never = CountId.parse('9af49740-96f5-40ee-9e25-02420ae59635')

describe('a count of the shelf', () => {
  it('is blind while it is open, then says what was found, missing and unexpected, by product', async () => {
    receive(1, 3)
    receive(2, 2, { product: 7 })
    desk.seen.keepCase(caseWith(3, [tag(3_001)]), desk.clock.now())
    put(complete('1', tag(2_001)))
    const id = await start()
    expect(value(desk.counts.count(id))).toMatchObject({ state: 'counting', scanned: 0, results: null })
    // Expected, sold, never imported, of strangers: the answers are alike.
    expect(scan(id, a, b, tag(2_001), tag(3_001), tag(99))).toEqual(Array(5).fill('counted'))
    expect(value(desk.counts.finished.differences(id, {}, null))).toEqual({
      differences: [],
      total: 0,
      kinds: [],
      next: null,
    })
    expect(value(desk.counts.finished.products(id))).toEqual({ products: [], more: 0 })
    const results = await finish(id)
    expect(results).toEqual({
      expected: 4,
      found: 2,
      missing: 2,
      unexpected: 3,
      moved: 0,
      open: 5,
      accuracy: 0.5,
    })
    expect(found(id)).toEqual([
      [c, 'missing'],
      [tag(2_002), 'missing'],
      [tag(2_001), 'sold'],
      [tag(3_001), 'not-imported'],
      [tag(99), 'unknown'],
    ])
    expect(differences(id)[2]).toMatchObject({ orderId: '1', identifier: 'CASE-2', productName: 'Product 7' })
    expect(value(desk.counts.finished.products(id)).products).toMatchObject([
      { productId: thing(107), expected: 1, found: 0, missing: 1, unexpected: 1 },
      { productId: thing(101), expected: 3, found: 2, missing: 1, unexpected: 0 },
      { productId: thing(103), expected: 0, unexpected: 1 },
      { productId: null, expected: 0, unexpected: 1 },
    ])
  })

  it('says "again" for a second scan, takes a scan back, and announces each change once', async () => {
    receive(1, 2)
    const id = await start()
    scan(id, a)
    const at = '2026-11-21T14:00:00.000Z'
    expect(desk.counts.scans.scan(id, a)).toEqual(ok({ kind: 'again', productName: 'Product 1', at, station: null }))
    for (const _twice of [1, 2]) value(desk.counts.scans.unscan(id, a))
    expect(desk.progress).toEqual([
      { countId: id, scanned: 1, stations: [], last: { tagId: a, productName: 'Product 1', at }, undone: null },
      { countId: id, scanned: 0, stations: [], last: null, undone: a },
    ])
    scan(id, b, a)
    expect(value(desk.counts.scans.recent(id)).map(({ tagId }) => tagId)).toEqual([a, b])
    expect(await finish(id)).toMatchObject({ found: 2, missing: 0, unexpected: 0, accuracy: 1 })
  })

  it('of a product, brand or case asks for that alone and refuses the rest', async () => {
    receive(1, 2)
    receive(2, 2, { product: 7, brand: 'Pine' })
    for (const scope of [
      { kind: 'product', productId: thing(101) },
      { kind: 'brand', brandName: 'Hudson' },
      { kind: 'case', caseId: caseOf(1) },
    ] as const) {
      const id = await start(scope)
      // An item that nothing is known of may belong to it.
      expect(scan(id, a, tag(2_001), tag(99))).toEqual(['counted', 'not-of-count', 'counted'])
      expect(await finish(id)).toMatchObject({ expected: 2, found: 1, missing: 1, unexpected: 1 })
      value(desk.counts.drop(id))
    }
    const id = await start({ kind: 'sample', products: 1 })
    expect(value(desk.counts.count(id)).scope).toEqual({ kind: 'sample', names: ['Product 1'] })
    for (const scope of [
      { kind: 'product', productId: thing(1) },
      { kind: 'brand', brandName: 'Elm' },
      { kind: 'case', caseId: caseOf(9) },
    ] as const)
      expect(await desk.counts.start(scope)).toEqual(err({ code: 'stock/nothing-here' }))
  })

  it('offers what is here by a part of its name', async () => {
    receive(1, 2)
    receive(2, 1, { product: 7, brand: 'Piñón' })
    await desk.ledger.catchUp()
    expect(desk.counts.choices('')).toMatchObject({ products: [{}, {}], brands: ['Hudson', 'Piñón'], cases: [{}, {}] })
    expect(desk.counts.choices('pinon')).toMatchObject({ products: [{ productName: 'Product 7' }], brands: ['Piñón'] })
    expect(desk.counts.choices('case-2').cases).toMatchObject([{ caseId: caseOf(2), identifier: 'CASE-2' }])
    put(complete('1', tag(2_001)))
    await desk.ledger.catchUp()
    expect(desk.counts.choices('pinon')).toEqual({ products: [], brands: [], cases: [] })
  })

  it('refuses a second count of the same shelf, and allows one of another product', async () => {
    receive(1, 2)
    receive(2, 2, { product: 7, brand: 'Pine' })
    const first = await start({ kind: 'product', productId: thing(101) })
    const startedAt = '2026-11-21T14:00:00.000Z'
    const refused = err({ code: 'stock/count-open', startedAt })
    for (const scope of [
      { kind: 'all' },
      { kind: 'product', productId: thing(101) },
      { kind: 'brand', brandName: 'Hudson' },
      { kind: 'case', caseId: caseOf(1) },
    ] as const)
      expect(await desk.counts.start(scope)).toEqual(refused)
    const second = await start({ kind: 'brand', brandName: 'Pine' })
    scan(second, tag(2_001))
    await finish(second)
    await finish(first)
    const whole = await start()
    expect(desk.counts.recount(second)).toEqual(refused)
    value(desk.counts.drop(whole))
    value(desk.counts.recount(second))
    expect(desk.counts.open().map(({ id, state }) => [id, state])).toEqual([
      [first, 'finished'],
      [second, 'counting'],
    ])
  })

  it('pauses, resumes and survives a restart, and then takes scans where it was', async () => {
    receive(1, 3)
    const id = await start()
    scan(id, a)
    value(desk.counts.pause(id))
    expect(desk.counts.scans.scan(id, b)).toEqual(err({ code: 'stock/wrong-state', state: 'paused' }))
    expect(desk.counts.pause(id)).toEqual(err({ code: 'stock/wrong-state', state: 'paused' }))
    restart()
    put(complete('1', c))
    value(desk.counts.resume(id))
    expect(scan(id, a, b)).toEqual(['again', 'counted'])
    restart()
    expect(desk.counts.open()).toMatchObject([{ id, state: 'counting', scanned: 2 }])
    expect(await finish(id)).toMatchObject({ found: 2, missing: 0, moved: 1 })
  })

  it('counts on after days', async () => {
    receive(1, 2)
    const id = await start()
    desk.clock.advance(24 * 3_600_000)
    scan(id, a, b)
    expect(await finish(id)).toMatchObject({ found: 2, missing: 0 })
  })

  it('decides by the order of what happened, also with the clock set back in between', async () => {
    receive(1, 4)
    const [sold, scanned, sales, lost] = tagsOf(1, 4)
    if (!sold || !scanned || !sales || !lost) throw new Error('four items')
    const id = await start()
    desk.clock.advance(-7 * 24 * 3_600_000)
    put(complete('1', sold))
    scan(id, scanned, sold)
    put(complete('2', scanned, sales))
    const results = await finish(id)
    expect(results).toMatchObject({ found: 1, missing: 1, unexpected: 1 })
    expect(found(id)).toEqual([
      [lost, 'missing'],
      [sold, 'sold'],
    ])
  })

  it('takes what was sold, returned, voided or imported meanwhile for no difference', async () => {
    receive(1, 6)
    const [scanned, unscanned, back, voided, refused, lost] = tagsOf(1, 6)
    if (!scanned || !unscanned || !back || !voided || !refused || !lost) throw new Error('six items')
    put(complete('0', back))
    send()
    const sale = put(complete('V', voided))
    send()
    put(complete('R', refused))
    const id = await start()
    scan(id, scanned)
    put(complete('1', scanned))
    put(complete('2', unscanned))
    put(returning('0', back))
    put(voiding('V', voided))
    expect(sale.seq).toBeGreaterThan(0)
    send(rejected)
    receive(2, 2)
    expect(await finish(id)).toMatchObject({ found: 1, missing: 1, unexpected: 0 })
    expect(found(id)).toEqual([[lost, 'missing']])
  })

  it('finds an item that was on the shelf before its import or return was saved', async () => {
    receive(1, 2)
    put(complete('0', a))
    desk.seen.keepCase(caseWith(2, tagsOf(2, 1)), desk.clock.now())
    const id = await start()
    expect(scan(id, a, b, tag(2_001))).toEqual(['counted', 'counted', 'counted'])
    put(returning('0', a))
    put(desk.importing(2))
    expect(await finish(id)).toMatchObject({ found: 3, missing: 0, unexpected: 0 })
  })

  it('says what may explain a missing item', async () => {
    receive(1, 3)
    desk.seen.keepCase(caseWith(2, tagsOf(2, 1)), desk.clock.now())
    put(desk.importing(2))
    desk.db.prepare(`INSERT INTO open_order (mode, order_id, held_at) VALUES ('sale', '77', 5)`).run()
    desk.db
      .prepare(`INSERT INTO open_order_item (open_order, tag_id, scanned_at) SELECT max(id), ?, 0 FROM open_order`)
      .run(a)
    const claimed = desk.outbox.claim()
    if (claimed)
      desk.outbox.settle(claimed.seq, { kind: 'unknown', reason: { code: 'service/unreachable' }, afterMs: null })
    put(complete('88', b))
    const sale = desk.outbox.claim()
    if (sale) desk.outbox.settle(sale.seq, rejected)
    const id = await start()
    await finish(id)
    expect(differences(id).map(({ tagId, hint, orderId }) => [tagId, hint, orderId])).toEqual([
      [a, 'open-order', '77'],
      [b, 'refused-order', '88'],
      [c, null, null],
      [tag(2_001), 'import-unsent', null],
    ])
  })

  it('counts only the differences again, and keeps the reasons of those that stay', async () => {
    receive(1, 4)
    const [first, second, third, fourth] = tagsOf(1, 4)
    if (!first || !second || !third || !fourth) throw new Error('four items')
    const id = await start()
    scan(id, first, tag(99))
    await finish(id)
    value(await desk.counts.finished.explain(id, { filter: {} }, 'label', null))
    value(desk.counts.recount(id))
    expect(value(desk.counts.count(id))).toMatchObject({ state: 'counting', isRecount: true, results: null })
    expect(scan(id, second, first, tag(98), tag(99))).toEqual(['counted', 'again', 'not-of-count', 'again'])
    // Sold after the first finding, from the shelf.
    put(complete('1', fourth))
    expect(await finish(id)).toMatchObject({ found: 2, missing: 1, unexpected: 1, open: 0 })
    expect(differences(id).map(({ tagId, reason }) => [tagId, reason])).toEqual([
      [third, 'label'],
      [tag(99), 'label'],
    ])
    value(desk.counts.recount(id))
    scan(id, third)
    value(desk.counts.scans.unscan(id, tag(99)))
    expect(await finish(id)).toMatchObject({ missing: 0, unexpected: 0, accuracy: 1 })
    expect(desk.counts.recount(id)).toEqual(err({ code: 'stock/no-differences' }))
  })

  it('looks at its differences again when the service says more, as often as it does, until it is signed', async () => {
    receive(1, 3)
    const id = await start()
    scan(id, a)
    await finish(id)
    value(await desk.counts.finished.explain(id, { filter: {} }, 'lost', null))
    const { revision } = value(desk.counts.count(id))
    for (const _twice of [1, 2]) await desk.counts.end.lookAgain()
    // Nothing new: what the person saw can still be signed.
    expect(value(desk.counts.count(id)).revision).toBe(revision)
    const read = async (...sold: TagId[]) => {
      desk.ledger.learn({
        facts: caseWith(1, tagsOf(1, 3), { isImported: true, sold }),
        ...{
          entry: undefined,
          position: desk.ledger.rows.position(),
          askedAt: desk.clock.now(),
          askedMove: desk.ledger.askMove(),
        },
      })
      await desk.counts.end.lookAgain()
    }
    await read(b)
    expect(found(id)).toEqual([[c, 'missing']])
    expect(value(desk.counts.count(id))).toMatchObject({ results: { missing: 1, open: 0, accuracy: 0.5 } })
    await read(b, c)
    expect(desk.announced.at(-1)).toMatchObject({ id, results: { missing: 0, accuracy: 1 } })
    value(desk.counts.finished.sign(id, value(desk.counts.count(id)).revision, undefined))
    await read(a)
    expect(value(desk.counts.count(id)).results).toMatchObject({ found: 1, missing: 0 })
  })

  it('has taken in what was just saved when it looks again, one count a turn, and ends with the station', async () => {
    receive(1, 1)
    receive(2, 1)
    const first = await start({ kind: 'product', productId: thing(101) })
    const second = await start({ kind: 'product', productId: thing(102) })
    for (const id of [first, second]) await finish(id)
    put(complete('1', a, tag(2_001)))
    const before = desk.announced.length
    const looking = desk.counts.end.lookAgain()
    expect(desk.announced).toHaveLength(before)
    while (desk.announced.length === before) await setImmediate()
    await desk.ledger.stop()
    await looking
    expect(desk.announced).toHaveLength(before + 1)
    expect([first, second].map((id) => value(desk.counts.count(id)).results?.missing)).toEqual([0, 1])
  })

  it('is not finished by a station that is closing', async () => {
    receive(1, 1)
    const id = await start()
    put(complete('1', a))
    await desk.ledger.stop()
    expect(await desk.counts.end.finish(id)).toEqual(err({ code: 'app/reopened' }))
    restart()
    expect(await finish(id)).toMatchObject({ missing: 0, moved: 1 })
  })

  it('gives no reason to all of a list that has changed since it was shown', async () => {
    receive(1, 3)
    const id = await start()
    scan(id, a)
    await finish(id)
    const { revision } = value(desk.counts.count(id))
    value(await desk.counts.finished.explain(id, { tagIds: [b] }, 'lost', null))
    const shown = { filter: {}, revision }
    expect(await desk.counts.finished.explain(id, shown, 'theft', null)).toEqual(err({ code: 'stock/changed' }))
    const now = value(desk.counts.count(id))
    expect(now.results?.open).toBe(1)
    const done = value(await desk.counts.finished.explain(id, { filter: {}, revision: now.revision }, 'theft', null))
    expect(done).toEqual({ explained: 2, revision: value(desk.counts.count(id)).revision })
  })

  it('takes reasons for single items and for groups, then a signature, and never changes afterwards', async () => {
    receive(1, 4)
    const id = await start()
    scan(id, tag(98), tag(99))
    await finish(id)
    expect(await desk.counts.finished.explain(id, { filter: {} }, 'other', null)).toEqual(
      err({ code: 'stock/reason-words' }),
    )
    expect(await desk.counts.finished.explain(id, { filter: { result: 'missing' } }, 'theft', null)).toMatchObject(
      ok({ explained: 4 }),
    )
    expect(await desk.counts.finished.explain(id, { tagIds: [a, a, tag(1)] }, 'other', 'Fell')).toMatchObject(
      ok({ explained: 1 }),
    )
    const seen = value(desk.counts.count(id))
    expect(seen.results?.open).toBe(2)
    expect(desk.counts.finished.gateOfSign(id, seen.revision)).toBeNull()
    expect(desk.counts.finished.sign(id, seen.revision, 'x')).toEqual(err({ code: 'stock/unexplained', count: 2 }))
    value(await desk.counts.finished.explain(id, { filter: { why: 'unknown', isOpen: true } }, 'not-recorded', null))
    expect(desk.counts.finished.sign(id, seen.revision, 'x')).toEqual(err({ code: 'stock/changed' }))
    const { revision } = value(desk.counts.count(id))
    expect(desk.counts.finished.gateOfSign(id, revision)).toEqual({ gate: 'sign-count', count: 6, name: null })
    value(desk.counts.finished.sign(id, revision, 'Counted twice'))
    const signed = value(desk.counts.count(id))
    expect(signed).toMatchObject({ state: 'signed', signature: 'Counted twice', results: { missing: 4, open: 0 } })
    const isSigned = err({ code: 'stock/wrong-state', state: 'signed' })
    expect(await desk.counts.finished.explain(id, { filter: {} }, null, null)).toEqual(isSigned)
    expect(desk.counts.scans.scan(id, b)).toEqual(isSigned)
    expect(desk.counts.scans.unscan(id, tag(98))).toEqual(isSigned)
    expect(desk.counts.recount(id)).toEqual(isSigned)
    expect(desk.counts.drop(id)).toEqual(isSigned)
    expect(await desk.counts.end.finish(id)).toEqual(isSigned)
    for (const sql of [
      `UPDATE stock_count SET results = '{}'`,
      'DELETE FROM stock_count',
      `UPDATE stock_count_line SET reason = 'lost'`,
      'DELETE FROM stock_count_line',
      'DELETE FROM stock_count_scan',
      'UPDATE stock_count_product SET found = 9',
    ])
      expect(() => desk.db.exec(sql), sql).toThrow(/a signed count never changes/)
    expect(desk.counts.open()).toEqual([])
    expect(desk.counts.history(null).counts).toMatchObject([{ id, state: 'signed', results: { accuracy: 0 } }])
  })

  it('is in the history page by page, unless it was given up', async () => {
    receive(1, 1)
    for (let n = 0; n < 102; n++) {
      const id = await start()
      scan(id, a)
      if (n === 50) value(desk.counts.drop(id))
      else {
        await finish(id)
        value(desk.counts.finished.sign(id, value(desk.counts.count(id)).revision, undefined))
      }
    }
    const { counts, next } = desk.counts.history(null)
    expect(counts).toHaveLength(100)
    expect(counts[0]).toMatchObject({ number: 102, results: { accuracy: 1 } })
    expect(desk.counts.history(next)).toMatchObject({ counts: [{ number: 1 }], next: null })
  })

  it('is written to a file: differences with their reasons, then what was found', async () => {
    receive(1, 3)
    const id = await start()
    scan(id, a, b, tag(99))
    expect(desk.counts.finished.export(id, null)).toEqual(err({ code: 'stock/wrong-state', state: 'counting' }))
    await finish(id)
    value(await desk.counts.finished.explain(id, { tagIds: [c] }, 'other', '=HYPERLINK("x")'))
    const first = value(desk.counts.finished.export(id, null))
    expect(first.fileName).toMatch(/^shelf-count-2026-11-2[012]-\d\d-\d\d\.csv$/)
    const rest = value(desk.counts.finished.export(id, first.next))
    expect(rest.next).toBeNull()
    expect([...first.lines, ...rest.lines].map(({ tagId, result, reason }) => [tagId, result, reason])).toEqual([
      [c, 'missing', 'other'],
      [tag(99), 'unexpected', null],
      [a, 'found', null],
      [b, 'found', null],
    ])
    expect(rest.lines[0]).toMatchObject({ identifier: 'CASE-1', productName: 'Product 1', brandName: 'Hudson' })
    // Counted again between two parts, then given up: half a file is none.
    value(desk.counts.recount(id))
    expect(desk.counts.finished.export(id, first.next)).toEqual(err({ code: 'stock/wrong-state', state: 'counting' }))
    value(desk.counts.drop(id))
    expect(desk.counts.finished.export(id, first.next)).toEqual(err({ code: 'stock/wrong-state', state: 'dropped' }))
  })

  it('asks about items that nothing is known of, also after a restart', async () => {
    receive(1, 1)
    const id = await start()
    scan(id, a, tag(99))
    expect(desk.asked).toEqual([tag(99)])
    restart()
    expect(desk.asked).toEqual([tag(99), tag(99)])
    // The service says that it is of another case of ours: found, and the rest of that case is not missing.
    desk.ledger.learn({
      facts: caseWith(5, [tag(99), tag(100)], { isImported: true }),
      ...{
        entry: undefined,
        position: desk.ledger.rows.position(),
        askedAt: desk.clock.now(),
        askedMove: desk.ledger.askMove(),
      },
    })
    expect(await finish(id)).toMatchObject({ found: 2, missing: 0, unexpected: 0 })
  })

  it('expects items that a reading teaches it, unless they were imported since it began', async () => {
    receive(1, 1)
    const id = await start()
    scan(id, a)
    const read = (n: number, sinceStart: number, isImported = true, sold: TagId[] = []) => {
      const at = desk.clock.now() + sinceStart
      desk.ledger.learn({
        facts: caseWith(n, tagsOf(n, 2), { isImported, sold }),
        ...{
          entry: undefined,
          position: desk.ledger.rows.position(),
          askedAt: desk.clock.now(),
          askedMove: desk.ledger.askMove(),
        },
        imports: new Map(tagsOf(n, 2).map((one) => [one, at])),
      })
    }
    read(2, -1)
    read(3, 1)
    // Known as not imported first; and one that was sold already, and comes back.
    read(4, -1, false)
    read(4, -1)
    const [back] = tagsOf(5, 1)
    read(5, -1, true, back && [back])
    read(5, -1)
    expect(await finish(id)).toMatchObject({ found: 1, missing: 5, unexpected: 0, moved: 2 })
    expect(found(id)).toEqual(
      [...tagsOf(2, 2), ...tagsOf(4, 2), ...tagsOf(5, 2).slice(1)].map((one) => [one, 'missing']),
    )
    // Reports of this station since then: no difference.
    put(complete('1', tag(2_001)))
    put(returning('2', tag(2_002)))
    await desk.counts.end.lookAgain()
    expect(value(desk.counts.count(id)).results).toMatchObject({ missing: 3, moved: 4 })
  })

  it('waits for what the service says of an item once it is finished, until it knows', async () => {
    receive(1, 1)
    const id = await start()
    scan(id, a, tag(99))
    expect(desk.counts.learned(tag(99))).toBe(false)
    await finish(id)
    expect([a, tag(98), tag(99)].map((one) => desk.counts.learned(one))).toEqual([false, false, true])
    desk.seen.keepCase(caseWith(5, [tag(99)]), desk.clock.now())
    await desk.counts.end.lookAgain()
    expect(found(id)).toEqual([[tag(99), 'not-imported']])
    expect(desk.counts.learned(tag(99))).toBe(false)
  })

  it('names the product of an item that the service knew only after its scan, and says that it is not imported', async () => {
    receive(1, 1)
    const id = await start()
    scan(id, a, tag(98), tag(99))
    desk.seen.keepCase(caseWith(5, [tag(98), tag(99)]), desk.clock.now())
    desk.counts.learned(tag(98))
    expect(value(desk.counts.scans.recent(id)).map(({ productName }) => productName)).toEqual([
      null,
      'Product 5',
      'Product 1',
    ])
    expect(desk.progress.at(-1)).toMatchObject({ last: { tagId: tag(98), productName: 'Product 5' } })
    // The other one was looked up elsewhere.
    await finish(id)
    const why = { why: 'not-imported', productName: 'Product 5', brandName: 'Hudson', caseId: caseOf(5) }
    expect(differences(id)).toMatchObject([why, why])
    expect(value(desk.counts.finished.products(id)).products).toMatchObject([
      { productName: 'Product 5', expected: 0, unexpected: 2 },
      { productName: 'Product 1', expected: 1, unexpected: 0 },
    ])
  })

  it('of a product drops an unknown item that turns out to be of another product', async () => {
    receive(1, 1)
    const id = await start({ kind: 'product', productId: thing(101) })
    scan(id, a, tag(99))
    desk.seen.keepCase(caseWith(5, [tag(99)]), desk.clock.now())
    desk.counts.learned(tag(99))
    expect(await finish(id)).toMatchObject({ found: 1, unexpected: 0 })
  })

  it('keeps as of when its results are: the reading that they are made with, not the one before it started', async () => {
    receive(1, 2)
    const id = await start()
    scan(id, a)
    const asOf = () => value(desk.counts.count(id)).asOf
    expect(asOf()).toEqual({ cases: 1, unread: 1, oldestAt: null })
    const read = () => {
      desk.clock.advance(60_000)
      const askedAt = desk.clock.now()
      const [position, askedMove] = [desk.ledger.rows.position(), desk.ledger.askMove()]
      const facts = caseWith(1, tagsOf(1, 2), { isImported: true })
      desk.ledger.learn({ facts, entry: undefined, position, askedAt, askedMove })
      return { cases: 1, unread: 0, oldestAt: new Date(askedAt).toISOString() }
    }
    const first = read()
    await finish(id)
    expect(asOf()).toEqual(first)
    const { revision } = value(desk.counts.count(id))
    const second = read()
    await desk.counts.end.lookAgain()
    expect(desk.announced.at(-1)).toMatchObject({ id, asOf: second, revision })
    restart()
    expect(asOf()).toEqual(second)
  })

  it('takes only the reasons that fit a difference, all of them or none', async () => {
    receive(1, 3)
    put(complete('7', tag(1_003)))
    const id = await start()
    scan(id, tag(1_003), tag(99))
    await finish(id)
    const kinds = [
      { kind: 'missing', count: 2 },
      { kind: 'sold', count: 1 },
      { kind: 'unknown', count: 1 },
    ]
    expect(value(desk.counts.finished.differences(id, {}, null)).kinds).toEqual(kinds)
    expect(value(desk.counts.finished.differences(id, { result: 'missing' }, null)).kinds).toEqual(kinds.slice(0, 1))
    const explain = (which: DifferenceChoice, reason: ShelfReason) =>
      desk.counts.finished.explain(id, which, reason, null)
    const misfit = err({ code: 'stock/reason-misfit' })
    expect(await explain({ filter: {} }, 'other-place')).toEqual(misfit)
    expect(await explain({ tagIds: [a, tag(1_003)] }, 'theft')).toEqual(misfit)
    expect(differences(id).map(({ reason }) => reason)).toEqual([null, null, null, null])
    expect(await explain({ filter: { result: 'missing' } }, 'other-place')).toMatchObject(ok({ explained: 2 }))
    expect(await explain({ filter: { result: 'unexpected', why: 'sold' } }, 'not-taken')).toMatchObject(
      ok({ explained: 1 }),
    )
    expect(await explain({ tagIds: [tag(99)] }, 'not-taken')).toEqual(misfit)
    expect(await explain({ tagIds: [tag(99)] }, 'label')).toMatchObject(ok({ explained: 1 }))
    expect(differences(id).find(({ why }) => why === 'sold')).toMatchObject({ orderId: '7', reason: 'not-taken' })
  })

  it('refuses the label of a case, and loses one that was recognized only later', async () => {
    receive(1, 1)
    const id = await start()
    desk.seen.keepCase(caseWith(50, []), desk.clock.now())
    const label = TagId.parse(caseOf(50))
    expect(desk.counts.scans.scan(id, label)).toEqual(err({ code: 'scan/wrong-place', found: 'case', expected: 'tag' }))
    const unread = TagId.parse(caseOf(51))
    scan(id, a, unread)
    desk.counts.scans.isNoItem(unread)
    expect(value(desk.counts.count(id)).scanned).toBe(1)
    expect(await finish(id)).toMatchObject({ found: 1, unexpected: 0 })
  })

  it('says so when it does not exist, and keeps nothing that the disk refused', async () => {
    const none = err({ code: 'stock/no-count' })
    for (const answer of [
      desk.counts.count(never),
      desk.counts.scans.scan(never, a),
      desk.counts.scans.unscan(never, a),
      desk.counts.scans.recent(never),
      desk.counts.pause(never),
      await desk.counts.end.finish(never),
      desk.counts.drop(never),
      desk.counts.recount(never),
      desk.counts.finished.products(never),
      desk.counts.finished.differences(never, {}, null),
      await desk.counts.finished.explain(never, { filter: {} }, 'lost', null),
      desk.counts.finished.sign(never, 0, undefined),
      desk.counts.finished.export(never, null),
    ])
      expect(answer).toEqual(none)
    expect(await desk.counts.start({ kind: 'all' })).toEqual(err({ code: 'stock/nothing-here' }))
    receive(1, 2)
    const id = await start()
    put(complete('1', a))
    desk.db.pragma('query_only = ON')
    const refused = err({ code: 'store/not-saved' })
    expect(desk.counts.scans.scan(id, b)).toEqual(refused)
    expect(await desk.counts.end.finish(id)).toEqual(refused)
    expect(desk.counts.pause(id)).toEqual(refused)
    desk.db.pragma('query_only = OFF')
    expect(value(desk.counts.count(id))).toMatchObject({ state: 'counting', scanned: 0 })
    expect(scan(id, b)).toEqual(['counted'])
    expect(await finish(id)).toMatchObject({ found: 1, missing: 0, moved: 1 })
  })
})

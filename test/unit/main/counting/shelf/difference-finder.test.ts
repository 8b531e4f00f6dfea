import { describe, expect, it } from 'vitest'
import type { CountId } from '../../../../../src-shared/ids'
import { err, ok } from '../../../../../src-shared/result'
import { tag } from '../../../../fakes/ids'
import { complete, returning } from '../../outbox/desk'
import { caseWith, tagsOf, useShelf, value } from './shelf-desk'

const desk = useShelf()
const { receive, put, start, scan, finish, found, differences } = desk

const size = 7
const [a, b, c, d, e, f] = tagsOf(1, size)
if (!a || !b || !c || !d || !e || !f) throw new Error('six items')

/** Does something once, after so many turns of a finding that goes on, of two items each. Returns whether it did by now. */
const after = (turns: number, isOn: () => boolean, happens: () => unknown): (() => boolean) => {
  let left = turns
  desk.meanwhile(() => {
    if (isOn()) left -= 1
    if (left !== 0 || !isOn()) return undefined
    left = -1
    return happens()
  })
  return () => left < 0
}
/** Lines that are kept, also those that don't count. */
const kept = () => desk.db.prepare('SELECT count(*) FROM stock_count_line').pluck().get()
const state = (id: CountId) => value(desk.counts.count(id)).state
const isCounting = (id: CountId) => () => state(id) === 'counting'
const isFinished = (id: CountId) => () => state(id) === 'finished'
/** The service says that items are sold, and what differs is looked at again. */
const learn = (...sold: (typeof a)[]) => {
  desk.ledger.learn({
    facts: caseWith(1, tagsOf(1, size), { isImported: true, sold }),
    ...{ entry: undefined, position: desk.ledger.rows.position() },
    ...{ askedAt: desk.clock.now(), askedMove: desk.ledger.askMove() },
  })
}

describe('while the end of a count is being found', () => {
  it('takes in what is scanned, taken back and sold, whichever turn it comes after', async () => {
    receive(1, size)
    for (let turns = 1; ; turns++) {
      const id = await start()
      scan(id, a, b, tag(99))
      const happened = after(turns, isCounting(id), () => {
        scan(id, c, tag(98))
        value(desk.counts.scans.unscan(id, b))
        put(complete(`T${turns}`, d))
      })
      const results = await finish(id)
      const { products } = value(desk.counts.finished.products(id))
      const tagIds = new Set(differences(id).map(({ tagId }) => tagId))
      const seven = tagsOf(1, size)
      if (happened()) {
        expect(results).toMatchObject({ expected: 6, found: 2, missing: 4, unexpected: 2, moved: 1, open: 6 })
        expect(tagIds).toEqual(
          new Set([...seven.filter((one) => one !== a && one !== c && one !== d), tag(98), tag(99)]),
        )
        expect(products.map((one) => [one.found, one.missing, one.unexpected])).toEqual([
          [2, 4, 0],
          [0, 0, 2],
        ])
        put(returning(`T${turns}`, d))
      } else {
        expect(results).toMatchObject({ expected: 7, found: 2, missing: 5, unexpected: 1, moved: 0, open: 6 })
        expect(tagIds).toEqual(new Set([...seven.filter((one) => one !== a && one !== b), tag(99)]))
        // It was told in more turns than one.
        expect(turns).toBeGreaterThan(6)
        return
      }
      value(desk.counts.drop(id))
    }
  })

  it('is finished once by two calls, and not at all if it is given up or the station closes', async () => {
    receive(1, size)
    const id = await start()
    desk.meanwhile(() => undefined)
    const wrongState = (now: 'finished' | 'dropped') => err({ code: 'stock/wrong-state', state: now })
    expect(await Promise.all([desk.counts.end.finish(id), desk.counts.end.finish(id)])).toEqual([
      ok(null),
      wrongState('finished'),
    ])
    expect(differences(id)).toHaveLength(size)
    value(desk.counts.drop(id))
    desk.db.exec('DELETE FROM stock_count_line')

    const dropped = await start()
    after(3, isCounting(dropped), () => value(desk.counts.drop(dropped)))
    expect(await desk.counts.end.finish(dropped)).toEqual(wrongState('dropped'))

    const closed = await start()
    after(4, isCounting(closed), () => desk.ledger.stop())
    expect(await desk.counts.end.finish(closed)).toEqual(err({ code: 'app/reopened' }))
    expect(kept()).toBeGreaterThan(0)
    // The next process finds all of it, and nothing twice.
    desk.restart()
    scan(closed, a)
    expect(await finish(closed)).toMatchObject({ found: 1, missing: size - 1 })
    expect(differences(closed).map(({ tagId }) => tagId)).toEqual(tagsOf(1, size).slice(1))
  })

  it('keeps what was found before until the new finding counts, with its reasons', async () => {
    receive(1, size)
    const id = await start()
    scan(id, a, b)
    await finish(id)
    value(await desk.counts.finished.explain(id, { filter: {} }, 'lost', null))
    value(desk.counts.recount(id))
    scan(id, c, d)
    // What was not a difference stays out of a count of differences, whatever was prepared.
    value(desk.counts.scans.unscan(id, a))
    const stopped = after(4, isCounting(id), () => {
      expect(scan(id, a)).toEqual(['not-of-count'])
      return desk.ledger.stop()
    })
    expect(await desk.counts.end.finish(id)).toEqual(err({ code: 'app/reopened' }))
    expect(stopped()).toBe(true)
    desk.restart()
    expect(scan(id, a, e)).toEqual(['not-of-count', 'counted'])
    expect(await finish(id)).toMatchObject({ found: 4, missing: 3, open: 1 })
    expect(differences(id).map(({ tagId, reason }) => [tagId, reason])).toEqual([
      ...tagsOf(1, size)
        .slice(5)
        .map((tagId) => [tagId, 'lost']),
      [a, null],
    ])
    expect(kept()).toBe(3)
  })

  it('shows what was found before while it is looked at again, and takes reasons and a signature for that', async () => {
    receive(1, size)
    const id = await start()
    scan(id, a)
    await finish(id)
    const before = found(id)
    learn(b, c)
    after(2, isFinished(id), async () => {
      expect(found(id)).toEqual(before)
      value(await desk.counts.finished.explain(id, { filter: {} }, 'theft', null))
    })
    await desk.counts.end.lookAgain()
    expect(value(desk.counts.count(id)).results).toMatchObject({ missing: 4, open: 0 })
    expect(differences(id).map(({ reason }) => reason)).toEqual(['theft', 'theft', 'theft', 'theft'])

    learn(b, c, d)
    const { revision } = value(desk.counts.count(id))
    const signed = after(2, isFinished(id), () => value(desk.counts.finished.sign(id, revision, undefined)))
    await desk.counts.end.lookAgain()
    expect(signed()).toBe(true)
    expect(differences(id)).toHaveLength(4)
    expect(value(desk.counts.count(id))).toMatchObject({ state: 'signed', results: { missing: 4 } })
  })

  it('is announced again if a difference is another one, also with the same sums', async () => {
    receive(1, 1)
    const id = await start()
    scan(id, a, tag(99))
    await finish(id)
    const before = value(desk.counts.count(id))
    desk.seen.keepCase(caseWith(5, [tag(99)]), desk.clock.now())
    await desk.counts.end.lookAgain()
    expect(found(id)).toEqual([[tag(99), 'not-imported']])
    expect(desk.announced.at(-1)).toEqual({ ...before, revision: before.revision + 1 })
    expect(kept()).toBe(1)
  })
})

describe('while many differences get a reason', () => {
  const reasons = (id: CountId) => differences(id).map(({ reason }) => reason)
  const counted = async () => {
    receive(1, size)
    const id = await start()
    scan(id, a)
    await finish(id)
    return id
  }
  /** Does something between the first turn and the second. */
  const between = (happens: () => unknown) => after(1, () => true, happens)

  it('lets other work run, and says the end of it once', async () => {
    const id = await counted()
    const turn = between(() => {
      expect(reasons(id)).toEqual(['lost', 'lost', null, null, null, null])
      expect(value(desk.counts.count(id)).results).toMatchObject({ missing: 6, open: 4 })
    })
    const before = desk.announced.length
    expect(await desk.counts.finished.explain(id, { filter: { isOpen: true } }, 'lost', null)).toMatchObject(
      ok({ explained: 6 }),
    )
    expect(turn()).toBe(true)
    expect(reasons(id)).toEqual(['lost', 'lost', 'lost', 'lost', 'lost', 'lost'])
    expect(desk.announced.slice(before).map(({ results }) => results?.open)).toEqual([0])
    expect(await desk.counts.finished.explain(id, { filter: { isOpen: true } }, 'lost', null)).toMatchObject(
      ok({ explained: 0 }),
    )
  })

  it('keeps what has one if the count is counted again, given up or signed, or the station closes', async () => {
    const explain = (id: CountId) => desk.counts.finished.explain(id, { filter: {} }, 'theft', null)
    const id = await counted()
    between(() => value(desk.counts.recount(id)))
    const before = desk.announced.length
    expect(await explain(id)).toEqual(err({ code: 'stock/wrong-state', state: 'counting' }))
    expect(desk.announced.slice(before).map(({ state: now }) => now)).toEqual(['counting', 'counting'])
    await finish(id)
    expect(reasons(id)).toEqual(['theft', 'theft', null, null, null, null])

    between(() => desk.ledger.stop())
    expect(await explain(id)).toEqual(err({ code: 'app/reopened' }))
    desk.restart()
    expect(value(desk.counts.count(id)).results).toMatchObject({ open: 4 })

    value(await desk.counts.finished.explain(id, { filter: { isOpen: true } }, 'lost', null))
    // What was seen before the first turn can't be signed after it.
    const { revision } = value(desk.counts.count(id))
    between(() => {
      expect(desk.counts.finished.sign(id, revision, undefined)).toEqual(err({ code: 'stock/changed' }))
      value(desk.counts.drop(id))
    })
    expect(await explain(id)).toEqual(err({ code: 'stock/wrong-state', state: 'dropped' }))
  })

  it('leaves out what is no difference any more, and what is one only now', async () => {
    const id = await counted()
    const { merging, book } = desk.counts
    between(() => {
      learn(b, e, f)
      // Another station tells a scan.
      const entry = { key: tag(99), at: 1, value: null, station: 'Front', isGone: false }
      merging.merge(book.rows.open()[0]?.seq ?? 0, { entries: [entry], isFinished: true, end: null }, () => false)()
      return desk.counts.end.lookAgain()
    })
    expect(await desk.counts.finished.explain(id, { filter: {} }, 'lost', null)).toMatchObject(ok({ explained: 4 }))
    expect(differences(id).map(({ tagId, reason }) => [tagId, reason])).toEqual([
      ...tagsOf(1, size)
        .filter((one) => ![a, b, e, f].includes(one))
        .map((tagId) => [tagId, 'lost']),
      [tag(99), null],
    ])
  })
})

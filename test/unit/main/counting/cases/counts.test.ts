import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CountId } from '../../../../../src-shared/ids'
import { err, ok } from '../../../../../src-shared/result'
import { caseOf, tag } from '../../../../fakes/ids'
import { countingDesk, factsOf, tagsOf, value } from './counting-desk'

const desk = countingDesk()
const { open, keepCase, deliver, start, scan, resolve } = desk

describe('a count', () => {
  it('needs a case that was read, and only one can be open', () => {
    expect(desk.counts.openCount()).toBeNull()
    expect(desk.counts.startCount(caseOf(1))).toEqual(err({ code: 'receiving/nothing-to-count' }))
    expect(desk.counts.startCount(null)).toEqual(err({ code: 'receiving/no-delivery' }))
    deliver(1, 2)
    expect(desk.counts.startCount(null)).toEqual(err({ code: 'receiving/nothing-to-count' }))
    keepCase(1, tagsOf(1, 3))
    const count = start()
    expect(count).toMatchObject({ caseId: caseOf(1), total: 3, counted: 0, strangers: 0, finishedAt: null })
    expect(desk.counts.startCount(caseOf(1))).toEqual(err({ code: 'receiving/count-open' }))
    value(desk.counts.finishCount(count.id))
    expect(start(null).cases.map((one) => one.identifier)).toEqual(['CASE-1'])
  })

  it('counts each item once, for its own case, and reports an earlier scan', async () => {
    keepCase(1, tagsOf(1, 2))
    keepCase(2, tagsOf(2, 2))
    deliver(2, 1)
    const { id, cases } = start(null)
    expect(cases.map((one) => one.identifier)).toEqual(['CASE-2', 'CASE-1'])
    const first = await scan(id, tag(1_001))
    expect(first).toMatchObject({ kind: 'counted', case: { identifier: 'CASE-1', counted: 1, tagCount: 2 } })
    const again = await scan(id, tag(1_001))
    expect(again).toEqual({ kind: 'repeat', at: '2026-11-21T14:00:00.000Z', productName: 'Product 1', station: null })
    expect(desk.counts.openCount()).toMatchObject({ total: 4, counted: 1, strangers: 0 })
    for (const _twice of [1, 2]) value(desk.counts.uncountTag(id, tag(1_001)))
    // Told once for each change: neither the second scan nor the second undo is one.
    expect(desk.announced).toMatchObject([
      { count: { id, total: 4, counted: 1, strangers: 0 }, case: { identifier: 'CASE-1', counted: 1 } },
      { count: { id, counted: 0 }, case: { identifier: 'CASE-1', counted: 0 } },
    ])
    expect((await scan(id, tag(1_001))).kind).toBe('counted')
  })

  it("names a stranger's case from memory or the service, and keeps unknown items to ask again later", async () => {
    keepCase(1, tagsOf(1, 1))
    keepCase(2, tagsOf(2, 1))
    const { id } = start()
    expect(await scan(id, tag(2_001))).toEqual({
      kind: 'stranger',
      caseId: caseOf(2),
      identifier: 'CASE-2',
      productName: 'Product 2',
    })
    expect(await scan(id, tag(77))).toEqual({ kind: 'unknown', error: { code: 'service/unreachable' } })
    desk.answer = (tagId) => ok(factsOf(tagId, null, 'Loose'))
    expect(await scan(id, tag(78))).toMatchObject({ kind: 'stranger', caseId: null, productName: 'Loose' })
    desk.answer = (tagId) => {
      desk.seen.keepTag(factsOf(tagId, caseOf(2), 'Product 2'), desk.clock.now())
      return ok(factsOf(tagId, caseOf(2), 'Product 2'))
    }
    // Case 2 was read later without the item; that reading wins over the item's own case.
    const detail = value(await desk.counts.details.detail(id))
    expect(detail.count).toMatchObject({ counted: 0, strangers: 3 })
    expect(detail.differences.map((one) => [one.kind, one.tagId])).toEqual([
      ['missing', tag(1_001)],
      ['stranger', tag(2_001)],
      ['stranger', tag(77)],
      ['stranger', tag(78)],
    ])
  })

  it("does not count a case's own label, even if it is recognized only later", async () => {
    keepCase(1, tagsOf(1, 1))
    const { id } = start()
    const isCase = err({ code: 'scan/wrong-place', found: 'case', expected: 'tag' } as const)
    await scan(id, tag(50))
    desk.answer = () => isCase
    expect(await desk.counts.countTag(id, tag(51))).toEqual(isCase)
    expect(desk.counts.openCount()?.strangers).toBe(1)
    expect(value(await desk.counts.details.detail(id)).count.strangers).toBe(0)
  })

  it('continues after a restart where the last scan left it', async () => {
    keepCase(1, tagsOf(1, 3))
    const { id } = start()
    await scan(id, tag(1_002))
    await scan(id, tag(99))
    const before = desk.counts.openCount()
    open()
    expect(desk.counts.openCount()).toEqual(before)
    await scan(id, tag(1_001))
    expect(desk.counts.openCount()).toMatchObject({ counted: 2, strangers: 1 })
  })

  it('counts what the case held at the start, whatever is read later', async () => {
    keepCase(1, tagsOf(1, 2))
    const { id } = start()
    keepCase(1, [tag(1_001), tag(1_009)])
    expect((await scan(id, tag(1_002))).kind).toBe('counted')
    expect(desk.counts.openCount()?.total).toBe(2)
  })

  it('is announced when it starts, ends, and when a difference is resolved', async () => {
    keepCase(1, tagsOf(1, 2))
    const count = start()
    expect(desk.announcedCounts).toEqual([count])
    await scan(count.id, tag(1_001))
    value(desk.counts.finishCount(count.id))
    expect(desk.announcedCounts).toHaveLength(2)
    const finishedAt = '2026-11-21T14:00:01.000Z'
    expect(desk.announcedCounts[1]).toMatchObject({ id: count.id, counted: 1, finishedAt })
    value(await resolve(count.id, 'ignore', [tag(1_002)]))
    expect(desk.announcedCounts[2]).toEqual(desk.announcedCounts[1])
    desk.db.pragma('query_only = ON')
    await resolve(count.id, 'open', [tag(1_002)])
    expect(desk.counts.startCount(caseOf(1)).ok).toBe(false)
    expect(desk.announcedCounts).toHaveLength(3)
    desk.db.pragma('query_only = OFF')
  })

  it("accepts no scans when it is finished or doesn't exist", async () => {
    keepCase(1, tagsOf(1, 1))
    const { id } = start()
    for (const _twice of [1, 2]) {
      value(desk.counts.finishCount(id))
      expect(desk.announcedCounts.at(-1)).toMatchObject({ id, finishedAt: '2026-11-21T14:00:00.000Z' })
    }
    expect(await desk.counts.countTag(id, tag(1_001))).toEqual(err({ code: 'receiving/no-count' }))
    expect(desk.counts.uncountTag(id, tag(1_001))).toEqual(err({ code: 'receiving/no-count' }))
    const never = CountId.parse('9af49740-96f5-40ee-9e25-02420ae59635')
    expect(desk.counts.finishCount(never)).toEqual(err({ code: 'receiving/no-count' }))
    expect(await desk.counts.details.detail(never)).toEqual(err({ code: 'receiving/no-count' }))
    expect(await desk.counts.details.export(never)).toEqual(err({ code: 'receiving/no-count' }))
    expect(await resolve(never, 'ignore', [tag(1_001)])).toEqual(err({ code: 'receiving/no-count' }))
    expect(desk.counts.openCount()).toBeNull()
  })

  it('reports "not saved" when the disk refuses, and has counted nothing', async () => {
    keepCase(1, tagsOf(1, 1))
    const { id } = start()
    desk.db.pragma('query_only = ON')
    const refused = err({ code: 'store/not-saved' })
    expect(await desk.counts.countTag(id, tag(1_001))).toEqual(refused)
    expect(desk.counts.finishCount(id)).toEqual(refused)
    expect(await resolve(id, 'remove', [tag(1_001)])).toEqual(refused)
    expect(await resolve(id, 'ignore', [tag(1_001)])).toEqual(refused)
    desk.db.pragma('query_only = OFF')
    expect(desk.counts.openCount()).toMatchObject({ counted: 0, finishedAt: null })
    expect(desk.outbox.read.counts().unsent).toBe(0)
    expect(desk.counts.startCount(caseOf(1))).toEqual(err({ code: 'receiving/count-open' }))
  })

  it('always matches the store, for any sequence of scans, undos and restarts', async () => {
    keepCase(1, tagsOf(1, 4))
    keepCase(2, tagsOf(2, 4))
    deliver(1, 2)
    const { id } = start(null)
    const tags = [...tagsOf(1, 4), ...tagsOf(2, 4), tag(90), tag(91)]
    const step = fc.tuple(fc.constantFrom('scan', 'scan', 'unscan', 'restart'), fc.constantFrom(...tags))
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
        for (const [what, tagId] of steps) {
          if (what === 'scan') await desk.counts.countTag(id, tagId)
          else if (what === 'unscan') desk.counts.uncountTag(id, tagId)
          else open()
        }
        const kept = desk.counts.openCount()
        open()
        expect(desk.counts.openCount()).toEqual(kept)
        const counted = kept?.cases.reduce((sum, one) => sum + one.counted, 0)
        expect(counted).toBe(kept?.counted)
      }),
      { numRuns: 50 },
    )
  })
})

describe('a finished count', () => {
  const finished = async () => {
    keepCase(1, tagsOf(1, 3))
    const { id } = start()
    await scan(id, tag(1_001))
    value(desk.counts.finishCount(id))
    return id
  }
  const viewOf = async (id: CountId) => value(await desk.counts.details.detail(id)).count

  it('can be reopened the same day, also after a restart, and goes on with its scans and what was settled', async () => {
    const id = await finished()
    value(await resolve(id, 'ignore', [tag(1_003)], 1, 'a sample'))
    open()
    expect(await viewOf(id)).toMatchObject({ canReopen: true })
    value(desk.counts.reopenCount(id))
    expect(desk.announcedCounts.at(-1)).toMatchObject({ id, finishedAt: null, canReopen: false })
    expect(desk.counts.openCount()).toMatchObject({ id, counted: 1 })
    await scan(id, tag(1_002))
    value(desk.counts.finishCount(id))
    const { differences } = value(await desk.counts.details.detail(id))
    expect(differences.map(({ tagId, resolution }) => [tagId, resolution])).toEqual([[tag(1_003), 'ignored']])
  })

  it('is reopened once: again changes nothing', async () => {
    const id = await finished()
    value(desk.counts.reopenCount(id))
    value(desk.counts.reopenCount(id))
    expect(desk.counts.openCount()?.id).toBe(id)
  })

  it("can't be reopened the next day", async () => {
    const id = await finished()
    desk.clock.advance(86_400_000)
    expect(await viewOf(id)).toMatchObject({ canReopen: false })
    expect(desk.counts.reopenCount(id)).toEqual(err({ code: 'receiving/count-over' }))
    expect(desk.counts.openCount()).toBeNull()
  })

  it("can't be reopened beside an open count, or if it doesn't exist", async () => {
    const id = await finished()
    const other = start()
    expect(await viewOf(id)).toMatchObject({ canReopen: false })
    expect(desk.counts.reopenCount(id)).toEqual(err({ code: 'receiving/count-open' }))
    value(desk.counts.finishCount(other.id))
    expect(await viewOf(id)).toMatchObject({ canReopen: true })
    const never = CountId.parse('9af49740-96f5-40ee-9e25-02420ae59635')
    expect(desk.counts.reopenCount(never)).toEqual(err({ code: 'receiving/no-count' }))
  })
})

describe('a count of a delivery', () => {
  const finishDelivery = () => {
    desk.db.prepare('UPDATE delivery SET finished_at = ?').run(desk.clock.now())
    desk.events.emit('delivery.finished', null)
  }

  it('ends with it, in its commit, and is announced', async () => {
    keepCase(1, tagsOf(1, 2))
    deliver(1)
    const { id } = start(null)
    await scan(id, tag(1_001))
    finishDelivery()
    expect(desk.counts.openCount()).toBeNull()
    expect(desk.announcedCounts.at(-1)).toMatchObject({ id, counted: 1, finishedAt: '2026-11-21T14:00:01.000Z' })
    expect(await desk.counts.countTag(id, tag(1_002))).toEqual(err({ code: 'receiving/no-count' }))
    open()
    expect(desk.counts.openCount()).toBeNull()
  })

  it("can't be reopened once the delivery is finished", async () => {
    keepCase(1, tagsOf(1, 2))
    deliver(1)
    const { id } = start(null)
    value(desk.counts.finishCount(id))
    finishDelivery()
    expect(value(await desk.counts.details.detail(id)).count.canReopen).toBe(false)
    expect(desk.counts.reopenCount(id)).toEqual(err({ code: 'receiving/count-over' }))
  })

  it('goes on when another delivery is finished', () => {
    keepCase(1, tagsOf(1, 2))
    const { id } = start()
    finishDelivery()
    expect(desk.counts.openCount()?.id).toBe(id)
  })
})

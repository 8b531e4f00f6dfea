import { describe, expect, it } from 'vitest'
import type { CountId } from '../../../../../src-shared/ids'
import type { Resolve } from '../../../../../src-shared/ipc/contract/count'
import { err, ok } from '../../../../../src-shared/result'
import { caseOf, tag, thing } from '../../../../fakes/ids'
import { accepted, rejected } from '../../outbox/desk'
import { countingDesk, factsOf, tagsOf, value } from './counting-desk'

const desk = countingDesk()
const { open, keepCase, start, scan, differences, resolve, send } = desk

describe('differences of a count', () => {
  it('can be removed, added, ignored and reopened', async () => {
    keepCase(1, tagsOf(1, 3))
    const { id } = start()
    await scan(id, tag(1_001))
    await scan(id, tag(50))
    await scan(id, tag(51))
    value(desk.counts.finishCount(id))
    const removals = value(await resolve(id, 'remove', [tag(1_002), tag(1_003)]))
    expect(removals).toMatchObject([{ kind: 'remove-item' }, { kind: 'remove-item' }])
    const additions = value(await resolve(id, 'add', [tag(50)]))
    expect(additions).toMatchObject([{ kind: 'add-items', caseId: caseOf(1) }])
    expect(value(await resolve(id, 'ignore', [tag(51)]))).toEqual([])
    expect(await differences(id)).toEqual([
      [tag(1_002), 'missing', 'removed'],
      [tag(1_003), 'missing', 'removed'],
      [tag(50), 'stranger', 'added'],
      [tag(51), 'stranger', 'ignored'],
    ])
    expect(value(await resolve(id, 'open', [tag(51)]))).toEqual([])
    // What is left to settle comes first.
    expect((await differences(id))[0]).toEqual([tag(51), 'stranger', 'open'])
    expect(value(await desk.counts.details.detail(id)).operations.map((one) => one.id)).toEqual(
      [...removals, ...additions].map((one) => one.id),
    )
  })

  it('of several cases pass one gate that counts them all, and are reported together', async () => {
    for (const n of [1, 2]) keepCase(n, tagsOf(n, 3))
    desk.deliver(1, 2)
    const { id: countId } = start(null)
    value(desk.counts.finishCount(countId))
    const of = (...cases: number[]) =>
      ({ countId, changes: cases.map((n) => ({ caseId: caseOf(n), tagIds: tagsOf(n, 3) })), how: 'remove' }) as const
    expect(desk.counts.details.gateOf(of(1))).toEqual({ gate: 'take-out', count: 3, name: 'CASE-1' })
    expect(desk.counts.details.gateOf(of(1, 2))).toEqual({ gate: 'take-out', count: 6, name: null })
    const saved = value(await desk.counts.details.resolve(of(1, 2), 'never came'))
    expect(saved.map(({ undo }) => undo)).toEqual(Array.from({ length: 6 }, () => 'withdraw'))
  })

  it('that are open are counted for the delivery, of a case that was counted twice by its last count', async () => {
    for (const n of [1, 2]) keepCase(n, tagsOf(n, 3))
    desk.deliver(1, 2)
    const { id, deliveryId } = start(null)
    if (!deliveryId) throw new Error('the count is of no delivery')
    value(desk.counts.finishCount(id))
    expect(await desk.counts.details.openDifferences(deliveryId)).toBe(6)
    value(await resolve(id, 'remove', [tag(2_001)], 2))
    expect(await desk.counts.details.openDifferences(deliveryId)).toBe(5)
    const again = start()
    for (const one of tagsOf(1, 2)) await scan(again.id, one)
    expect(await desk.counts.details.openDifferences(deliveryId)).toBe(5)
    value(desk.counts.finishCount(again.id))
    expect(await desk.counts.details.openDifferences(deliveryId)).toBe(3)
  })

  it('are refused whole if one of several cases does not fit', async () => {
    keepCase(1, tagsOf(1, 1))
    const { id: countId } = start()
    const changes = [1, 2].map((n) => ({ caseId: caseOf(n), tagIds: tagsOf(n, 1) }))
    expect(desk.counts.details.gateOf({ countId, changes, how: 'remove' })).toBeNull()
    const refused = await desk.counts.details.resolve({ countId, changes, how: 'remove' })
    expect(refused).toMatchObject({ error: { code: 'receiving/not-a-difference' } })
    expect(desk.outbox.read.counts().unsent).toBe(0)
  })

  it.each<[string, Resolve['how'], number[], number]>([
    ['remove a scanned item', 'remove', [1_001], 1],
    ['remove an item through another case', 'remove', [1_002], 2],
    ['remove a stranger', 'remove', [50], 1],
    ['add a missing item', 'add', [1_002], 1],
    ["add to a case that isn't counted", 'add', [50], 3],
    ['ignore an item without a difference', 'ignore', [1_001], 1],
    ["ignore an item that wasn't scanned", 'ignore', [60], 1],
    ["reopen an item that isn't ignored", 'open', [1_002], 1],
    ['resolve two items if only one qualifies', 'remove', [1_002, 1_001], 1],
  ])('refuse to %s', async (_, how, tags, n) => {
    keepCase(1, tagsOf(1, 2))
    const { id } = start()
    await scan(id, tag(1_001))
    await scan(id, tag(50))
    const refused = await resolve(id, how, tags.map(tag), n)
    expect(refused).toMatchObject({ ok: false, error: { code: 'receiving/not-a-difference' } })
    expect(desk.outbox.read.counts().unsent).toBe(0)
  })

  it("can't be resolved twice", async () => {
    keepCase(1, tagsOf(1, 1))
    const { id } = start()
    value(await resolve(id, 'remove', [tag(1_001), tag(1_001)]))
    expect(desk.outbox.read.counts().unsent).toBe(1)
    for (const how of ['remove', 'ignore'] as const) {
      expect(await resolve(id, how, [tag(1_001)])).toMatchObject({ error: { code: 'receiving/not-a-difference' } })
    }
  })

  it("stay open if the account can't change cases, but can be ignored", async () => {
    desk.canChangeCases = false
    keepCase(1, tagsOf(1, 1))
    const { id } = start()
    expect(await resolve(id, 'remove', [tag(1_001)])).toEqual(err({ code: 'receiving/no-case-changes' }))
    expect(value(await resolve(id, 'ignore', [tag(1_001)]))).toEqual([])
  })

  it('reopen when the report is withdrawn, refused or undone, and are resolved again when the undo is undone', async () => {
    keepCase(1, tagsOf(1, 1))
    const { id } = start()
    const state = async () => (await differences(id))[0]?.[2]
    const [first] = value(await resolve(id, 'remove', [tag(1_001)]))
    if (!first) throw new Error('nothing was reported')
    value(desk.outbox.withdraw(first.id))
    expect(await state()).toBe('open')

    const [second] = value(await resolve(id, 'remove', [tag(1_001)]))
    send(rejected)
    const detail = value(await desk.counts.details.detail(id))
    expect(detail.differences[0]).toMatchObject({ resolution: 'open', operationId: second?.id })
    expect(detail.operations[0]).toMatchObject({ state: 'rejected' })
    // The refused report is resent in its place.
    const [again] = value(await resolve(id, 'remove', [tag(1_001)]))
    expect(again?.id).toBe(second?.id)
    expect(await state()).toBe('removed')
    send(accepted)

    if (!again) throw new Error('nothing was reported')
    const member = { caseId: caseOf(1), productName: null, tagId: tag(1_001) }
    const restored = value(desk.outbox.enqueue({ kind: 'restore-item', ...member }, { undoes: again.id }))
    expect(await state()).toBe('removed')
    send(accepted)
    expect(await state()).toBe('open')
    value(desk.outbox.enqueue({ kind: 'remove-item', ...member }, { undoes: restored.id }))
    send(accepted)
    expect(await state()).toBe('removed')
  })

  it('that were refused together are resent with only the selected ones', async () => {
    keepCase(1, tagsOf(1, 1))
    const { id } = start()
    for (const n of [50, 51, 52]) await scan(id, tag(n))
    const [first] = value(await resolve(id, 'add', [tag(50), tag(51)]))
    send(rejected)
    const sent = value(await resolve(id, 'add', [tag(51), tag(52)]))
    expect(sent[0]?.id).toBe(first?.id)
    expect(sent.map((one) => desk.outbox.read.byId(one.id)?.payload)).toMatchObject([
      { kind: 'add-items', tagIds: [tag(51)] },
      { kind: 'add-items', tagIds: [tag(52)] },
    ])
    expect((await differences(id)).slice(1).map(([, , resolution]) => resolution)).toEqual(['open', 'added', 'added'])
  })

  it('are exported with all counted items, the time of their scan, and why they are ignored', async () => {
    keepCase(1, tagsOf(1, 2))
    const { id } = start()
    await scan(id, tag(1_001))
    desk.answer = (tagId) => {
      desk.seen.keepTag(factsOf(tagId, null, 'Loose'), desk.clock.now())
      return ok(factsOf(tagId, null, 'Loose'))
    }
    await scan(id, tag(50))
    value(await resolve(id, 'remove', [tag(1_002)]))
    value(await resolve(id, 'ignore', [tag(50)], 1, 'a sample'))
    const file = value(await desk.counts.details.export(id))
    expect(file.fileName).toMatch(/^count-CASE-1-2026-11-2\d-\d\d-\d\d\.csv$/)
    const [of, none] = [
      { identifier: 'CASE-1', caseId: caseOf(1), productName: 'Product 1', because: null },
      { identifier: null, caseId: null, productName: 'Loose' },
    ]
    const [first, second] = ['2026-11-21T14:00:00.000Z', '2026-11-21T14:00:01.000Z']
    expect(file.lines).toEqual([
      { ...of, tagId: tag(1_001), result: 'counted', scannedAt: first, resolution: null },
      { ...of, tagId: tag(1_002), result: 'missing', scannedAt: null, resolution: 'removed' },
      { ...none, tagId: tag(50), result: 'stranger', scannedAt: second, resolution: 'ignored', because: 'a sample' },
    ])
  })
})

describe('differences of a case that belongs to another company', () => {
  const [ours, theirs] = [thing(900), thing(901)]
  const theirCase = { name: 'Hudson Fields', brandIds: [theirs] }

  const finished = async (owner: typeof theirCase) => {
    keepCase(1, tagsOf(1, 3), owner)
    const { id } = start()
    await scan(id, tag(50))
    value(desk.counts.finishCount(id))
    return id
  }
  const groupsOf = async (id: CountId) =>
    value(await desk.counts.details.detail(id)).groups.map(({ cause, count, objection }) => [
      cause,
      count,
      objection?.company ?? null,
    ])

  it("can't be taken out of it, as its company's brands tell beforehand, also after a restart without a network", async () => {
    desk.brands = ok([{ uuid: ours }])
    const id = await finished(theirCase)
    expect(await groupsOf(id)).toEqual([
      ['missing', 3, 'Hudson Fields'],
      ['stranger', 1, null],
    ])
    desk.brands = err({ code: 'service/unreachable' })
    open()
    const { differences: found } = value(await desk.counts.details.detail(id))
    expect(found.map(({ kind, canCorrect }) => [kind, canCorrect])).toEqual([
      ['missing', false],
      ['missing', false],
      ['missing', false],
      ['stranger', true],
    ])
    expect(await resolve(id, 'remove', tagsOf(1, 3))).toEqual(err({ code: 'receiving/no-case-changes' }))
    expect(desk.outbox.read.counts().unsent).toBe(0)
  })

  it.each([
    ['our own case', { name: 'Green Door', brandIds: [ours] }, ok([{ uuid: ours }])],
    ['a case of a company without a brand', { name: 'A distributor', brandIds: [] }, ok([{ uuid: ours }])],
    ['a case while the service does not answer', theirCase, err({ code: 'service/unreachable' } as const)],
  ])('are offered to be taken out of %s', async (_, owner, brands) => {
    desk.brands = brands
    const id = await finished(owner)
    expect(await groupsOf(id)).toEqual([
      ['missing', 3, null],
      ['stranger', 1, null],
    ])
    expect(value(await resolve(id, 'remove', [tag(1_001)]))).toHaveLength(1)
  })

  it('are no longer offered once the service refused one because of the company', async () => {
    const id = await finished(theirCase)
    value(await resolve(id, 'remove', [tag(1_001)]))
    send({ kind: 'rejected', reason: { code: 'receiving/no-case-changes' } })
    expect(await groupsOf(id)).toEqual([
      ['refused', 1, 'Hudson Fields'],
      ['missing', 2, 'Hudson Fields'],
      ['stranger', 1, null],
    ])
  })
})

describe('ignored differences', () => {
  it('give up their refused reports for the same reason, and are settled only then', async () => {
    keepCase(1, tagsOf(1, 3))
    const { id } = start()
    value(desk.counts.finishCount(id))
    const removed = value(await resolve(id, 'remove', tagsOf(1, 3)))
    for (const _ of removed) send(rejected)
    expect(desk.outbox.read.counts().attention).toBe(3)
    expect(await resolve(id, 'ignore', tagsOf(1, 3))).toEqual(err({ code: 'receiving/reason-missing' }))
    expect(desk.outbox.read.counts().attention).toBe(3)
    value(await resolve(id, 'ignore', tagsOf(1, 3), 1, 'the brand knows'))
    expect(desk.outbox.read.counts().attention).toBe(0)
    const { groups, differences: found } = value(await desk.counts.details.detail(id))
    expect(groups).toMatchObject([{ cause: 'settled', count: 3 }])
    expect(found.map(({ resolution, because, operationId }) => [resolution, because, operationId])).toEqual(
      removed.map(() => ['ignored', 'the brand knows', null]),
    )
    expect(removed.map(({ id: of }) => desk.outbox.read.byId(of)?.dismissedBecause)).toEqual(
      removed.map(() => 'the brand knows'),
    )
  })

  it('leave open what shared a refused report with them', async () => {
    keepCase(1, tagsOf(1, 1))
    const { id } = start()
    for (const n of [50, 51]) await scan(id, tag(n))
    value(await resolve(id, 'add', [tag(50), tag(51)]))
    send(rejected)
    value(await resolve(id, 'ignore', [tag(50)], 1, 'a sample'))
    expect((await differences(id)).slice(-2)).toEqual([
      [tag(51), 'stranger', 'open'],
      [tag(50), 'stranger', 'ignored'],
    ])
  })

  it('of 0.1 are open while their refused report is in the Outbox', async () => {
    keepCase(1, tagsOf(1, 1))
    const { id } = start()
    value(await resolve(id, 'remove', [tag(1_001)]))
    send(rejected)
    // What 0.1 wrote: ignored, and the report left as it was.
    desk.db.prepare(`UPDATE tag_count_resolved SET how = 'ignored'`).run()
    expect(value(await desk.counts.details.detail(id)).groups).toMatchObject([{ cause: 'refused', count: 1 }])
  })
})

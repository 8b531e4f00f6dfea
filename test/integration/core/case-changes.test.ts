import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Payload } from '../../../src-main/outbox/payload'
import type { FaultsInput } from '../../../src-practice/admin'
import { order } from '../../fakes/ids'
import { type Desk, accounts, caseNamed, startDesk, tagNamed } from './receiving-desk'

const short = caseNamed('house short')
const [looseOne, looseTwo] = [tagNamed('house short loose 1'), tagNamed('house short loose 2')]
const inside = tagNamed('house short GD-HF-35 1')
const strange = caseNamed('blue dune')
const of = { caseId: short, productName: 'House Flower' }
const adding: Payload = { kind: 'add-items', ...of, tagIds: [looseOne, looseTwo] }
const removing: Payload = { kind: 'remove-item', ...of, tagId: inside }
const restoring: Payload = { kind: 'restore-item', ...of, tagId: inside }

describe('changing the items of a case', () => {
  let desk: Desk
  beforeEach(async () => {
    desk = await startDesk()
  })
  afterEach(async () => {
    await desk.close()
  })

  it('adds items that lay beside the case, with the sourcing account and long ids', async () => {
    expect(await desk.do(adding)).toMatchObject({ state: 'accepted', note: null })
    expect((await desk.members(short)).items).toEqual(expect.arrayContaining([looseOne, looseTwo]))
    expect((await desk.changes()).map(({ method, path }) => `${method} ${path}`)).toEqual([
      expect.stringMatching(/^POST \/api\/v1\.5\/collections\/case\/[0-9a-f-]{36}\/add-items\/$/),
    ])
  })

  it('removes and restores an item, and each undo is a separate report', async () => {
    const removed = await desk.do(removing)
    expect(removed).toMatchObject({ state: 'accepted', note: null })
    expect(await desk.members(short)).toMatchObject({ removed: [inside] })
    const restored = await desk.settled(desk.undo(removed))
    expect(restored).toMatchObject({ kind: 'restore-item', state: 'accepted', undoes: removed.id })
    expect((await desk.members(short)).items).toContain(inside)
    expect(await desk.settled(desk.undo(restored))).toMatchObject({ kind: 'remove-item', state: 'accepted' })
    expect((await desk.members(short)).removed).toEqual([inside])
  })

  it('removes added items again, one by one', async () => {
    const added = await desk.do(adding)
    const first = desk.undo(added)
    await desk.settled(first)
    await expect.poll(async () => (await desk.members(short)).removed.length).toBe(2)
    expect(desk.outbox.undoOf(desk.now(added))).toBeNull()
    expect((await desk.members(short)).items).toHaveLength(10)
  })

  it('sends nothing if a change is undone before it is sent', async () => {
    await desk.knobs.setFaults({ offline: true })
    const added = desk.put(adding)
    await desk.until(added, ({ faults }) => faults > 0)
    expect(desk.undo(added)).toMatchObject({ id: added.id, state: 'cancelled' })
    await desk.knobs.setFaults({})
    desk.sendNow()
    expect(await desk.do(removing)).toMatchObject({ state: 'accepted' })
    expect(await desk.changes()).toHaveLength(1)
  })

  it.each<[string, Payload]>([
    ['items', { kind: 'remove-item', caseId: strange, productName: null, tagId: tagNamed('blue dune HF-BD-35 1') }],
    [
      'nothing of it',
      { kind: 'restore-item', caseId: strange, productName: null, tagId: tagNamed('blue dune HF-BD-35 1') },
    ],
  ])('is refused for a case of another company, with the reason: %s', async (_, payload) => {
    expect(await desk.do(payload)).toMatchObject({
      state: 'rejected',
      reason: { code: 'receiving/no-case-changes' },
    })
  })

  it('names items unknown to the service, and repeats its words about items that were never in the case', async () => {
    const unknown = tagNamed('never made')
    expect(await desk.do({ kind: 'remove-item', ...of, tagId: unknown })).toMatchObject({
      state: 'rejected',
      reason: { code: 'service/not-found', id: `${unknown} / ${short}` },
    })
    // An item of a refused change stays blocked until a person has seen the refusal, so this uses another item.
    expect(await desk.do({ kind: 'add-items', ...of, tagIds: [tagNamed('nor this one')] })).toMatchObject({
      state: 'rejected',
      reason: { code: 'service/unknown-tags' },
    })
    expect(
      await desk.do({ kind: 'add-items', ...of, caseId: caseNamed('never made'), tagIds: [looseOne] }),
    ).toMatchObject({ state: 'rejected', reason: { code: 'service/not-found', id: caseNamed('never made') } })
    expect(await desk.do({ kind: 'restore-item', ...of, tagId: looseTwo })).toMatchObject({
      state: 'rejected',
      reason: { code: 'service/refused', status: 400 },
    })
  })

  const lost = ['before-commit', 'after-commit'] as const
  const cases = lost.flatMap((when) =>
    ([adding, removing, restoring] as const).map((payload) => [payload.kind, when, payload] as const),
  )
  it.each(cases)('is done once if the answer to %s was lost %s', async (kind, when, payload) => {
    if (kind === 'restore-item') await desk.do(removing)
    const before = (await desk.changes()).length
    const method = { 'add-items': 'POST', 'remove-item': 'DELETE', 'restore-item': 'GET' } as const
    const isChange = { method: method[kind], path: '/api/v1.5/collections/' }
    await desk.knobs.setFaults({
      rules: [
        { kind: 'drop', when, times: 1, ...isChange },
        { kind: 'status', code: 500, method: 'GET', path: '/api/v1.2/' },
      ],
    })
    const operation = desk.put(payload)
    await desk.until(operation, ({ state, faults }) => state === 'unknown' && faults > 0)
    await desk.knobs.setFaults({})
    desk.sendNow()
    const note = when === 'after-commit' ? 'found-by-reading' : null
    expect(await desk.settled(operation)).toMatchObject({ state: 'accepted', note })
    const { items, removed } = await desk.members(short)
    if (kind === 'add-items') expect(items).toEqual(expect.arrayContaining([looseOne, looseTwo]))
    else
      expect([items.includes(inside), removed.includes(inside)]).toEqual([
        kind === 'restore-item',
        kind === 'remove-item',
      ])
    // The change was found by reading, so it is not sent again.
    expect((await desk.changes()).length - before).toBe(when === 'after-commit' ? 1 : 2)
  })

  it.each(['html', 'empty'] as const)('is sent again if an answer of %s came from a proxy', async (answer) => {
    const rules: FaultsInput['rules'] = [{ kind: 'garbage', answer, path: '/api/v1.5/', times: 1 }]
    await desk.knobs.setFaults({ rules })
    expect(await desk.do(adding)).toMatchObject({ state: 'accepted', note: null })
    expect((await desk.members(short)).items).toHaveLength(12)
    expect(await desk.changes()).toHaveLength(2)
  })

  it('goes before the sale of the same item, and holds up no other report', async () => {
    await desk.knobs.setFaults({ offline: true })
    const removed = desk.put(removing)
    const sale = desk.put({ kind: 'complete', orderId: order('1'), tagIds: [inside] })
    const other = desk.put({ kind: 'complete', orderId: order('2'), tagIds: [tagNamed('house short GD-HF-35 2')] })
    expect([removed.blockers, sale.blockers, other.blockers]).toEqual([0, 1, 0])
  })
})

describe('a problem of the sourcing account', () => {
  const sale = (n: number): Payload => ({
    kind: 'complete',
    orderId: order(`S${n}`),
    tagIds: [tagNamed(`on sale HF-PA-1 ${n}`)],
  })

  it.each([
    ['there is none', {}, 'service/credentials-missing'],
    ['it is refused', { sourcing: { clientId: 'unknown', clientSecret: 'x' } }, 'service/credentials-refused'],
  ])('stays separate if %s: sales continue, and no outage is reported', async (_, sourcing, code) => {
    const desk = await startDesk({ retail: accounts.retail, ...sourcing })
    const change = desk.put(removing)
    expect(await desk.until(change, ({ faults }) => faults > 0)).toMatchObject({ state: 'queued', reason: { code } })
    expect(desk.sender.isHeldUp()).toBe(false)
    expect(await desk.do(sale(1))).toMatchObject({ state: 'accepted' })
    expect(desk.connection.view().state).toBe('online')
    expect(desk.now(change).nextAttemptAt).toBeGreaterThan(0)
    await desk.close()
  })

  it('is reported if the account belongs to another company', async () => {
    const desk = await startDesk({ retail: accounts.retail, sourcing: accounts.brand })
    expect(await desk.do(removing)).toMatchObject({ state: 'rejected', reason: { code: 'receiving/no-case-changes' } })
    expect(await desk.do(sale(1))).toMatchObject({ state: 'accepted' })
    await desk.close()
  })
})

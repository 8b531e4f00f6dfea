import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { TagId } from '../../../src-shared/ids'
import type { Difference, Resolve } from '../../../src-shared/ipc/contract/count'
import { caseNamed, delivery, tagNamed } from './receiving-desk'
import { type Station, startStation } from './station'

const house = caseNamed('house 1')
const short = caseNamed('house short')
const strange = caseNamed('blue dune')
const loose = tagNamed('house short loose 1')
const numbered = (key: string, sku: string, count: number) =>
  Array.from({ length: count }, (_, at) => tagNamed(`${key} ${sku} ${at + 1}`))
const houseTags = numbered('house 1', 'GD-HF-35', 12)
const strangeTags = numbered('blue dune', 'HF-BD-35', 24)

describe('counting a delivery, against the practice service', () => {
  let station: Station
  beforeEach(async () => {
    station = await startStation()
  })
  afterEach(async () => {
    await station.close()
  })

  const receive = async (number: number) => {
    await station.ask('receiving.addPackage', { packageUid: delivery(number) })
    await expect
      .poll(async () => (await station.ask('receiving.delivery', undefined))?.cases.every((one) => one.case !== null), {
        timeout: 10_000,
      })
      .toBe(true)
  }
  const countCase = async (caseId: string) => {
    await station.ask('receiving.case', { identifier: caseId })
    return (await station.ask('receiving.startCount', { caseId })).id
  }
  const scan = async (countId: string, tagId: string) => station.ask('receiving.countTag', { countId, tagId })
  const detail = async (countId: string) => station.ask('receiving.countDetail', { countId })
  const states = async (countId: string) =>
    (await detail(countId)).differences.map((one: Difference) => [one.tagId, one.resolution])
  const resolve = async (countId: string, caseId: string, how: Resolve['how'], ...tagIds: string[]) =>
    station.ask('receiving.resolve', { countId, changes: [{ caseId, tagIds }], how })
  const held = async (caseId: string) => (await station.ask('receiving.case', { identifier: caseId })).tagCount

  it('finds missing items and strangers, and the cases of the strangers, over a whole delivery', async () => {
    await receive(4)
    const { id } = await station.ask('receiving.startCount', { caseId: null })
    const started = await station.ask('receiving.openCount', undefined)
    if (!started) throw new Error('no count is open')
    expect(started).toMatchObject({ id, total: 34, counted: 0, caseId: null })
    expect(started.deliveryId).not.toBeNull()
    expect(started.cases.map((one) => one.tagCount).sort()).toEqual([10, 12, 12])
    for (const tagId of houseTags.slice(1)) {
      expect(await scan(started.id, tagId)).toMatchObject({ kind: 'counted', case: { caseId: house } })
    }
    expect((await scan(started.id, houseTags[1] ?? '')).kind).toBe('repeat')
    expect(await scan(started.id, strangeTags[0] ?? '')).toMatchObject({
      kind: 'stranger',
      caseId: strange,
      identifier: strange,
      productName: 'Blue Dune, 3.5 g',
    })
    const last = await scan(started.id, loose)
    expect(last).toMatchObject({ kind: 'stranger', caseId: null, productName: 'House Flower, 3.5 g' })
    expect(await station.ask('receiving.openCount', undefined)).toMatchObject({ counted: 11, strangers: 2 })
    await station.ask('receiving.finishCount', { countId: started.id })
    const { count, differences } = await detail(started.id)
    expect(count.finishedAt).not.toBeNull()
    expect(differences.filter((one) => one.caseId === house)).toMatchObject([{ tagId: houseTags[0], kind: 'missing' }])
    expect(differences.slice(-2).map((one) => [one.tagId, one.kind])).toEqual([
      [strangeTags[0], 'stranger'],
      [loose, 'stranger'],
    ])
    expect(await station.ask('receiving.openCount', undefined)).toBeNull()
    const file = await station.ask('receiving.exportCount', { countId: started.id })
    expect(file.lines).toHaveLength(34 + 2)
  })

  it('removes a missing item from its case, and restores it on undo', async () => {
    const id = await countCase(house)
    for (const tagId of houseTags.slice(2)) await scan(id, tagId)
    await station.ask('receiving.finishCount', { countId: id })
    const reported = await resolve(id, house, 'remove', houseTags[0] ?? '', houseTags[1] ?? '')
    expect(reported).toMatchObject([
      { kind: 'remove-item', state: 'accepted' },
      { kind: 'remove-item', state: 'accepted' },
    ])
    expect(await held(house)).toBe(10)
    expect(await states(id)).toEqual([
      [houseTags[0], 'removed'],
      [houseTags[1], 'removed'],
    ])
    const undone = await station.ask('receiving.undo', { operationId: reported[0]?.id ?? '' })
    expect(undone).toMatchObject({ kind: 'restore-item', state: 'accepted' })
    expect(await held(house)).toBe(11)
    expect(await states(id)).toEqual([
      [houseTags[0], 'open'],
      [houseTags[1], 'removed'],
    ])
  })

  it('adds a stranger to the case, and removes it again on undo', async () => {
    const id = await countCase(short)
    await scan(id, loose)
    const [added] = await resolve(id, short, 'add', loose)
    expect(added).toMatchObject({ kind: 'add-items', state: 'accepted', itemCount: 1 })
    expect(await held(short)).toBe(11)
    expect((await states(id)).at(-1)).toEqual([loose, 'added'])
    await station.ask('receiving.undo', { operationId: added?.id ?? '' })
    await station.drained()
    expect(await held(short)).toBe(10)
    expect((await states(id)).at(-1)).toEqual([loose, 'open'])
  })

  it("doesn't offer to take an item out of another company's case, and refuses it before the service does", async () => {
    const id = await countCase(strange)
    for (const tagId of strangeTags.slice(1)) await scan(id, tagId)
    const missing = strangeTags[0] ?? ''
    expect((await detail(id)).groups).toMatchObject([
      { cause: 'missing', objection: { why: 'other-company', company: 'Hudson Fields Farms LLC' } },
    ])
    const asked = station.refused('receiving.resolve', {
      countId: id,
      changes: [{ caseId: strange, tagIds: [missing] }],
      how: 'remove',
    })
    expect(await asked).toEqual({ code: 'receiving/no-case-changes' })
    expect(await resolve(id, strange, 'ignore', missing)).toEqual([])
    expect(await states(id)).toEqual([[missing, 'ignored']])
    expect(await held(strange)).toBe(24)
  })

  it('knows our own case, and that only the first count of a day asks for our brands', async () => {
    const id = await countCase(house)
    const groups = (await detail(id)).groups
    expect(groups).toMatchObject([{ cause: 'missing', count: 12, objection: null }])
    await detail(id)
    const asked = (await station.knobs.requests()).filter(({ path }) => path.endsWith('/brands/'))
    expect(asked).toHaveLength(1)
  })

  it('keeps a difference settled while its report is unsent, and reopens it if the report is withdrawn', async () => {
    const id = await countCase(house)
    for (const tagId of houseTags.slice(1)) await scan(id, tagId)
    await station.knobs.setFaults({ offline: true })
    const [saved] = await resolve(id, house, 'remove', houseTags[0] ?? '')
    expect(saved).toMatchObject({ state: 'queued', undo: 'withdraw' })
    expect(await states(id)).toEqual([[houseTags[0], 'removed']])
    await station.ask('receiving.undo', { operationId: saved?.id ?? '' })
    expect(await states(id)).toEqual([[houseTags[0], 'open']])
    await station.knobs.setFaults({})
    await station.drained()
    expect(await held(house)).toBe(12)
  })

  it('keeps an item that could not be looked up, over a restart, and names its case once the service answers', async () => {
    const id = await countCase(house)
    await scan(id, houseTags[0] ?? '')
    await station.knobs.setFaults({ offline: true })
    expect(await scan(id, strangeTags[0] ?? '')).toMatchObject({ kind: 'unknown' })
    expect(await scan(id, houseTags[1] ?? '')).toMatchObject({ kind: 'counted' })
    const before = await station.ask('receiving.openCount', undefined)
    expect(before).toMatchObject({ id, counted: 2, strangers: 1 })
    await station.restart()
    expect(await station.ask('receiving.openCount', undefined)).toEqual(before)
    await station.knobs.setFaults({})
    await station.online()
    expect((await detail(id)).differences.at(-1)).toMatchObject({
      tagId: strangeTags[0],
      kind: 'stranger',
      caseId: strange,
    })
    await scan(id, houseTags[2] ?? '')
    expect(await station.ask('receiving.openCount', undefined)).toMatchObject({ counted: 3, strangers: 1 })
  })

  it("refuses items that can't be counted, and continues", async () => {
    // A case never read; no delivery; a second count; the label of a case; an unknown id; another count.
    expect(await station.refused('receiving.startCount', { caseId: house })).toEqual({
      code: 'receiving/nothing-to-count',
    })
    expect(await station.refused('receiving.startCount', { caseId: null })).toEqual({ code: 'receiving/no-delivery' })
    const id = await countCase(house)
    expect(await station.refused('receiving.startCount', { caseId: house })).toEqual({ code: 'receiving/count-open' })
    expect(await station.refused('receiving.countTag', { countId: id, tagId: strange })).toEqual({
      code: 'scan/wrong-place',
      found: 'case',
      expected: 'tag',
    })
    const absent = TagId.parse(tagNamed('never made'))
    expect(await scan(id, absent)).toEqual({
      kind: 'unknown',
      error: { code: 'service/not-found', id: absent },
    })
    expect(
      await station.refused('receiving.countTag', { countId: '9af49740-96f5-40ee-9e25-02420ae59635', tagId: loose }),
    ).toEqual({ code: 'receiving/no-count' })
    expect(
      await station.refused('receiving.resolve', {
        countId: id,
        changes: [{ caseId: house, tagIds: [houseTags[0] ?? ''] }],
        how: 'add',
      }),
    ).toMatchObject({ code: 'receiving/not-a-difference' })
    await station.ask('receiving.uncountTag', { countId: id, tagId: absent })
    expect(await station.ask('receiving.openCount', undefined)).toMatchObject({ strangers: 0 })
  })
})

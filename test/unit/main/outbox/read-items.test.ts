import { beforeEach, describe, expect, it } from 'vitest'
import { readItems } from '../../../../src-main/outbox/evidence'
import type { CaseId, TagId } from '../../../../src-shared/ids'
import { caseOf, tag } from '../../../fakes/ids'
import { type ShownService, shownService } from '../../../fakes/shown-service'

const [a, b, c] = [tag(1), tag(2), tag(3)]
const [first, second] = [caseOf(1), caseOf(2)]
const moment = '2026-11-21T14:00:00Z'

describe('reading items from the service', () => {
  let service: ShownService
  let known: Map<TagId, CaseId>
  beforeEach(() => {
    service = shownService()
    known = new Map()
  })
  const read = async (...tagIds: TagId[]) => {
    const items = await readItems(tagIds, { client: service.client, caseOf: (tagId) => known.get(tagId) })
    if (!items.ok) return items.error
    return Object.fromEntries([...items.value].map(([tagId, item]) => [tagId, item.sold_at_dispensary_on ?? null]))
  }

  it('reads each case once, with all its items', async () => {
    for (const tagId of [a, b]) known.set(tagId, first)
    known.set(c, second)
    service.showCase(first, [{ tagId: a, soldAt: moment }, { tagId: b }, { tagId: tag(9) }])
    service.showCase(second, [{ tagId: c }])
    expect(await read(a, b, c)).toEqual({ [a]: moment, [b]: null, [c]: null, [tag(9)]: null })
    expect(service.asked).toEqual([`case ${first}`, `case ${second}`])
  })

  it('asks the service for the case of an item that was never seen', async () => {
    service.showCase(first, [{ tagId: a, soldAt: moment }, { tagId: b }])
    expect(await read(a, b)).toEqual({ [a]: moment, [b]: null })
    expect(service.asked).toEqual([`item ${a}`, `case ${first}`])
  })

  it('asks the service for an item that left the case where it was last seen', async () => {
    known.set(a, first)
    service.showCase(first, [{ tagId: b }])
    service.showCase(second, [{ tagId: a, soldAt: moment }])
    expect(await read(a)).toEqual({ [a]: moment, [b]: null })
    expect(service.asked).toEqual([`case ${first}`, `item ${a}`, `case ${second}`])
  })

  it('finds an item that was removed from its case, but prefers one that is in a case', async () => {
    known.set(a, first)
    service.showCase(
      first,
      [{ tagId: b }],
      [
        { tagId: a, soldAt: moment },
        { tagId: b, soldAt: moment },
      ],
    )
    expect(await read(a, b)).toEqual({ [a]: moment, [b]: null })
  })

  it('leaves out an item that is unknown to the service or in no case', async () => {
    service.showCase(first, [{ tagId: b }], [{ tagId: c, soldAt: moment }])
    expect(await read(a, b, c)).toEqual({ [b]: null, [c]: moment })
    service.showCase(first, [], [{ tagId: c }])
    known.clear()
    expect(await read(c)).toEqual({})
  })

  it('skips a case that no longer exists', async () => {
    known.set(a, second)
    service.showCase(first, [{ tagId: a }])
    expect(await read(a)).toEqual({ [a]: null })
    service.fail(`case ${first}`, { code: 'service/forbidden' })
    expect(await read(a)).toEqual({})
  })

  it("fails while the service doesn't answer", async () => {
    const silence = { code: 'service/unreachable' } as const
    known.set(a, first)
    service.showCase(first, [{ tagId: a }])
    service.showCase(second, [{ tagId: b }])
    service.fail(`item ${b}`, silence)
    expect(await read(a, b)).toEqual(silence)
    service.fail(`case ${first}`, silence)
    expect(await read(a)).toEqual(silence)
    service.fail(`case ${second}`, silence)
    known.set(b, second)
    expect(await read(b)).toEqual(silence)
  })
})

import { describe, expect, it } from 'vitest'
import { Entries } from '../../../../src-main/day/entries'
import { Groups, stepMany } from '../../../../src-main/outbox/groups'
import type { Outcome } from '../../../../src-main/outbox/operation'
import type { Payload } from '../../../../src-main/outbox/payload'
import { viewOperation } from '../../../../src-main/outbox/views'
import { caseOf, tag } from '../../../fakes/ids'
import { accepted, complete, importing, rejected, returning, useDesk } from './desk'

const taking = (n: number, one: number): Payload => ({
  kind: 'remove-item',
  caseId: caseOf(n),
  productName: 'P',
  tagId: tag(one),
})
const notImported = (...numbers: number[]): Outcome => ({
  kind: 'rejected',
  reason: { code: 'service/not-imported', tagIds: numbers.map(tag) },
})

describe('reports that need attention', () => {
  const desk = useDesk()
  const groups = () =>
    new Groups({ clock: desk.clock, serviceClock: desk.clock.serviceClock }, desk.outbox, (operation) =>
      viewOperation(operation, desk.outbox, desk.clock),
    ).overview()
  const refuse = (payload: Payload, outcome: Outcome = rejected) => {
    const saved = desk.put(payload)
    desk.claimAll()
    desk.outbox.settle(saved.seq, outcome)
    return saved
  }

  it('are one group for one cause, whatever the case, before a report of another kind or cause', () => {
    const ofCase = Array.from({ length: 15 }, (_, n) => refuse(taking(1, 11 + n)))
    const other = refuse(taking(2, 41))
    const sale = refuse(complete('A', tag(61)))
    const { groups: found, total } = groups()
    expect(total).toBe(17)
    expect(found.map(({ count }) => count)).toEqual([16, 1])
    expect(found[0]?.operations.map(({ id }) => id)).toEqual([...ofCase, other].map(({ id }) => id).reverse())
    expect(found[0]).toMatchObject({ isSameReason: true, isOneSubject: false, reason: { code: 'service/refused' } })
    expect(found.map(({ canDismiss }) => canDismiss.length)).toEqual([16, 1])
    expect(found[0]?.canRetry).toContain(other.id)
    expect(found[1]?.operations[0]?.orderId).toBe('A')
    expect(desk.stateOf(sale)).toBe('rejected')
    expect(desk.outbox.dismiss(other.id, 'counted wrong').ok).toBe(true)
    expect(groups().groups.find(({ count }) => count === 15)?.isOneSubject).toBe(true)
  })

  it('are settled in as many decisions as they have causes: thirty refusals, five decisions', async () => {
    const causes: ((n: number) => [Payload, Outcome])[] = [
      (n) => [complete(`N${n}`, tag(n)), notImported(n)],
      (n) => [
        complete(`U${n}`, tag(n)),
        { kind: 'rejected', reason: { code: 'service/unknown-tags', tagIds: [tag(n)], invalid: [] } },
      ],
      (n) => [
        returning(`R${n}`, tag(n)),
        { kind: 'rejected', reason: { code: 'service/already-processed', detail: '' } },
      ],
      (n) => [taking(n, n), { kind: 'rejected', reason: { code: 'service/forbidden' } }],
      (n) => [
        complete(`O-${n}`, tag(n)),
        { kind: 'rejected', reason: { code: 'service/refused', status: 400, detail: `Order O-${n} is too old` } },
      ],
    ]
    for (let n = 0; n < 30; n++) {
      const cause = causes[n % causes.length]
      if (cause) refuse(...cause(n + 1))
    }
    let decisions = 0
    for (let left = groups(); left.total > 0; left = groups()) {
      const [first] = left.groups
      expect(first?.count).toBe(6)
      decisions++
      const done = await stepMany(first?.canDismiss ?? [], (id) => desk.outbox.dismiss(id, 'settled in the POS'))
      expect(done).toEqual({ done: 6, refused: [] })
    }
    expect(decisions).toBe(5)
  })

  it('have causes of their own for other words of the service', () => {
    const said = (detail: string): Outcome => ({
      kind: 'rejected',
      reason: { code: 'service/refused', status: 400, detail },
    })
    refuse(complete('A', tag(1)), said('Error 1004'))
    refuse(complete('B', tag(2)), said('Error 1005'))
    expect(groups().groups.map(({ count }) => count)).toEqual([1, 1])
  })

  it('of different orders and one cause are one group, which names the items of all', () => {
    refuse(complete('A', tag(11)), notImported(11))
    refuse(complete('B', tag(12), tag(13)), notImported(12, 13))
    refuse(returning('C', tag(14)), notImported(14))
    const [sales, returns] = groups().groups
    expect(returns?.count).toBe(1)
    expect(sales).toMatchObject({ count: 2, isSameReason: false })
    expect(sales?.reason).toEqual({ code: 'service/not-imported', tagIds: [12, 13, 11].map(tag) })
  })

  it('say which orders can be sent without their refused items, and which items these are', () => {
    const some = refuse(complete('A', tag(11), tag(12)), notImported(11))
    refuse(complete('B', tag(13)), notImported(13))
    const more = refuse(complete('C', tag(14), tag(15)), notImported(15))
    expect(groups().groups[0]?.canAmend).toEqual({
      operationIds: [more.id, some.id],
      without: [15, 11].map((n) => ({ tagId: tag(n), productName: null })),
    })
    refuse(taking(1, 21))
    expect(groups().groups.map(({ canAmend }) => canAmend.operationIds.length)).toEqual([2, 0])
  })

  it('name every case that their sales were refused for, until it is imported', () => {
    const cases = () => groups().groups.find(({ operations }) => operations[0]?.kind === 'complete')?.casesToImport
    refuse(complete('A', tag(99)), notImported(99))
    expect(cases()).toBeNull()
    refuse(complete('B', tag(11), tag(12)), notImported(11, 12))
    refuse(complete('C', tag(21)), notImported(21))
    expect(cases()).toEqual([2, 1].map(caseOf))
    const done = desk.put(importing(1))
    expect(cases()).toEqual([caseOf(2)])
    desk.claimAll()
    desk.outbox.settle(done.seq, rejected)
    expect(cases()).toEqual([2, 1].map(caseOf))
    expect(desk.outbox.dismiss(done.id, 'wrong label').ok).toBe(true)
    const imports = [1, 2].map((n) => desk.put(importing(n)))
    expect(cases()).toEqual([])
    desk.claimAll()
    for (const { seq } of imports) desk.outbox.settle(seq, accepted)
    expect(cases()).toEqual([])
    // Refused again although it was imported before: it isn't any more.
    refuse(complete('D', tag(13)), notImported(13))
    expect(cases()).toEqual([caseOf(1)])
  })

  it('do not share a reason that names one of them only', () => {
    refuse(taking(1, 11), { kind: 'rejected', reason: { code: 'service/not-found', id: 'one' } })
    refuse(taking(1, 12), { kind: 'rejected', reason: { code: 'service/not-found', id: 'two' } })
    expect(groups().groups).toMatchObject([{ count: 2, reason: null, isSameReason: false }])
  })

  it('are dismissed together with one reason, each in its own history', async () => {
    const many = Array.from({ length: 25 }, (_, n) => refuse(taking(1, 11 + n)))
    const ids = many.map(({ id }) => id)
    const done = await stepMany(ids, (id) => desk.outbox.dismiss(id, 'belongs to the brand'))
    expect(done).toEqual({ done: 25, refused: [] })
    expect(groups()).toMatchObject({ groups: [], total: 0, today: { accepted: 0, sales: 0, cancelled: 25 } })
    for (const id of ids) {
      const journal = desk.outbox.journalOf(id)
      expect(journal.ok && journal.value.at(-1)).toMatchObject({ what: 'dismissed', because: 'belongs to the brand' })
    }
  })

  it('that moved on meanwhile are named, and keep none of the others from being sent again', async () => {
    const [one, two, three] = [11, 12, 13].map((n) => refuse(taking(1, n)))
    if (!one || !two || !three) throw new Error('not saved')
    desk.outbox.dismiss(two.id, 'counted wrong')
    const ids = [one.id, two.id, three.id, one.id]
    expect(await stepMany(ids, (id) => desk.outbox.retry(id))).toEqual({
      done: 2,
      refused: [{ operationId: two.id, error: { code: 'outbox/wrong-state', state: 'cancelled' } }],
    })
    expect([one, two, three].map(desk.stateOf)).toEqual(['queued', 'cancelled', 'queued'])
  })

  it('stand beside what was done today, and not what was done before', () => {
    refuse(complete('A', tag(1)), accepted)
    desk.clock.advance(86_400_000)
    refuse(complete('B', tag(2)), accepted)
    refuse(complete('C', tag(3)), accepted)
    expect(groups().today).toEqual({ accepted: 2, sales: 2, cancelled: 0 })
  })

  it('count the sales, returns and voids among them, as the closing report does', () => {
    refuse(complete('A', tag(1)), accepted)
    refuse(returning('A', tag(1)), accepted)
    refuse(taking(1, 11), accepted)
    refuse(taking(1, 12), accepted)
    refuse(complete('B', tag(2)))
    expect(groups().today).toEqual({ accepted: 4, sales: 2, cancelled: 0 })
    const now = desk.clock.now()
    const counted = new Entries(desk.db).accepted([now - 86_400_000, now + 86_400_000])
    expect(counted).toHaveLength(2)
  })
})

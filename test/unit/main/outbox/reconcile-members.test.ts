import { beforeEach, describe, expect, it } from 'vitest'
import { lookAgain, reconcile } from '../../../../src-main/outbox/reconcile'
import type { Outcome } from '../../../../src-main/outbox/operation'
import type { Payload } from '../../../../src-main/outbox/payload'
import { caseOf, tag } from '../../../fakes/ids'
import { operationOf, ownReportsOf } from '../../../fakes/operations'
import { type ShownService, shownService } from '../../../fakes/shown-service'

const found = { kind: 'decided', outcome: { kind: 'accepted', note: 'found-by-reading' } }
const notTaken = { kind: 'resend', ifAlready: 'rejected' }
const unclear = { kind: 'resend', ifAlready: 'accepted' }

const here = caseOf(1)
const of = { caseId: here, productName: null }
const adding: Payload = { kind: 'add-items', ...of, tagIds: [tag(1), tag(2)] }
const removing: Payload = { kind: 'remove-item', ...of, tagId: tag(1) }
const restoring: Payload = { kind: 'restore-item', ...of, tagId: tag(1) }
const items = (...numbers: number[]) => numbers.map((n) => ({ tagId: tag(n) }))

describe("a change of a case's contents whose answer was lost", () => {
  let service: ShownService
  beforeEach(() => {
    service = shownService()
  })
  const parts = () => ({
    client: service.client,
    caseOf: () => undefined,
    own: ownReportsOf([]),
    ownDispensaryId: null,
  })
  const look = (payload: Payload) => reconcile(operationOf(payload), parts())

  it.each([
    // in the case        taken out     added     removed   restored
    ['both are in the case', items(1, 2, 9), items(), found, notTaken, found],
    ['one is in the case', items(1), items(2), notTaken, notTaken, found],
    ['neither is in the case any more', items(9), items(1, 2), notTaken, found, notTaken],
    ['neither is shown', items(9), items(9), notTaken, unclear, notTaken],
    ['the case is empty', items(), items(), notTaken, unclear, notTaken],
    ['one is in both lists: the contents of the case count', items(1, 2), items(1), found, notTaken, found],
  ])('when %s', async (_, inside, out, added, removed, restored) => {
    service.showCase(here, inside, out)
    expect([await look(adding), await look(removing), await look(restoring)]).toMatchObject([added, removed, restored])
  })

  it.each([
    { code: 'service/unreachable' },
    { code: 'service/busy' },
    { code: 'service/failing', status: 502 },
    { code: 'service/unreadable', path: null },
    { code: 'service/credentials-refused' },
  ] as const)('stays unknown as long as the reading fails: $code', async (error) => {
    service.fail(`case ${here}`, error)
    const still = { kind: 'decided', outcome: { kind: 'unknown', reason: error, afterMs: null } }
    for (const payload of [adding, removing, restoring]) expect(await look(payload)).toEqual(still)
  })

  it.each([
    { code: 'service/not-found', id: 'X' },
    { code: 'service/forbidden' },
    { code: 'service/unreadable', path: 'items.0.tag_id' },
  ] as const)('is resent if the case can never be read: $code', async (error) => {
    service.fail(`case ${here}`, error)
    for (const payload of [adding, removing, restoring]) expect(await look(payload)).toMatchObject(unclear)
  })

  it('is checked by reading again if a resent one is refused, since a service may refuse to repeat a change', async () => {
    const refused: Outcome = { kind: 'rejected', reason: { code: 'service/not-found', id: 'X' } }
    service.showCase(here, items(9), items(1))
    expect(await lookAgain(operationOf(removing), refused, parts())).toEqual(found.outcome)
    expect(await lookAgain(operationOf(restoring), refused, parts())).toBe(refused)
    service.showCase(here, items(1))
    expect(await lookAgain(operationOf(removing), refused, parts())).toBe(refused)
    expect(await lookAgain(operationOf(removing, { isUncertain: false }), refused, parts())).toBe(refused)
  })
})

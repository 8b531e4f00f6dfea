import { beforeEach, describe, expect, it } from 'vitest'
import type { Outcome } from '../../../../src-main/outbox/operation'
import { lookAgain } from '../../../../src-main/outbox/reconcile'
import { caseOf, order, packageUid, tag, thing } from '../../../fakes/ids'
import { operationOf, ownReportsOf } from '../../../fakes/operations'
import { type ShownService, shownService } from '../../../fakes/shown-service'

const rejectedBy = (
  code: 'service/already-processed' | 'service/already-imported' | 'service/package-unknown',
): Outcome => ({
  kind: 'rejected',
  reason: { code, detail: '' },
})
const found: Outcome = { kind: 'accepted', note: 'found-by-reading' }

describe('a refusal that says "already" after a lost attempt', () => {
  let service: ShownService
  beforeEach(() => {
    service = shownService()
  })
  const again = (operation: Parameters<typeof lookAgain>[0], outcome: Outcome) =>
    lookAgain(operation, outcome, {
      client: service.client,
      caseOf: () => caseOf(1),
      own: ownReportsOf([]),
      ownDispensaryId: 'ours',
    })
  const sale = operationOf({ kind: 'complete', orderId: order(1), tagIds: [tag(1)] })
  const form = {
    caseId: caseOf(1),
    packagedProductId: thing(1),
    packageUid: packageUid(1),
    productName: null,
    itemCount: 1,
  }
  const imported = (is: boolean) => {
    service.showPackage(packageUid(1), {
      [caseOf(1)]: { isImported: is, packageUid: is ? packageUid(1) : null, dispensary: 'ours' },
    })
    service.showCase(caseOf(1), [{ tagId: tag(1), packagedProductId: thing(1), packageUid: is ? packageUid(1) : null }])
  }

  it('is accepted if the lost attempt arrived only after the first reading', async () => {
    service.showCase(caseOf(1), [{ tagId: tag(1), soldAt: sale.performedAt }])
    expect(await again(sale, rejectedBy('service/already-processed'))).toEqual(found)
    imported(true)
    const importing = operationOf({ kind: 'import', ...form, posProductId: 'P', posInventoryId: 'I' })
    expect(await again(importing, rejectedBy('service/already-imported'))).toEqual(found)
    imported(false)
    expect(
      await again(operationOf({ kind: 'import-removal', ...form }), rejectedBy('service/package-unknown')),
    ).toEqual(found)
  })

  it('stays refused if another station did it', async () => {
    const no = rejectedBy('service/already-processed')
    service.showCase(caseOf(1), [{ tagId: tag(1), soldAt: '2026-11-21T15:00:00Z' }])
    expect(await again(sale, no)).toBe(no)
    service.showCase(caseOf(1), [{ tagId: tag(1), soldAt: null }])
    expect(await again(sale, no)).toBe(no)
  })

  it('is unknown while reading fails', async () => {
    service.fail(`case ${caseOf(1)}`, { code: 'service/unreachable' })
    expect(await again(sale, rejectedBy('service/already-processed'))).toMatchObject({ kind: 'unknown' })
  })

  it('is not checked by reading on a first attempt, and neither is any other outcome', async () => {
    service.showCase(caseOf(1), [{ tagId: tag(1), soldAt: sale.performedAt }])
    const no = rejectedBy('service/already-processed')
    expect(await again({ ...sale, isUncertain: false }, no)).toBe(no)
    const others: Outcome[] = [
      { kind: 'accepted', note: null },
      { kind: 'retry', reason: { code: 'service/busy' }, afterMs: null },
      { kind: 'unknown', reason: { code: 'service/unreachable' }, afterMs: null },
      { kind: 'rejected', reason: { code: 'service/not-imported', tagIds: [tag(1)] } },
      rejectedBy('service/already-imported'),
    ]
    for (const outcome of others) expect(await again(sale, outcome)).toBe(outcome)
    expect(service.asked).toEqual([])
  })
})

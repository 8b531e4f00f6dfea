import { beforeEach, describe, expect, it } from 'vitest'
import { identify } from '../../../../src-main/outbox/reconcile'
import type { Payload } from '../../../../src-main/outbox/payload'
import { caseOf, packageUid, tag, thing } from '../../../fakes/ids'
import { type ShownService, shownService } from '../../../fakes/shown-service'

const here = caseOf(1)
const blind: Extract<Payload, { kind: 'blind-import' }> = {
  kind: 'blind-import',
  scanned: 'LABEL 1',
  caseId: here,
  packageUid: packageUid(1),
  posProductId: 'P',
  posInventoryId: 'I',
  sku: 'S',
}
const of = (n: number, product: number) => ({ tagId: tag(n), packagedProductId: thing(product) })

describe('finding the case of a blind import', () => {
  let service: ShownService
  beforeEach(() => {
    service = shownService()
  })
  const find = (payload = blind) => identify(payload, service.client)

  it('asks by the CaseID if the label gave it, else by the scanned code', async () => {
    await find()
    await find({ ...blind, caseId: null })
    expect(service.asked.filter((one) => one.startsWith('detail'))).toEqual([`detail ${here}`, 'detail LABEL 1'])
  })

  it('chooses the only packaged product, with the entered values', async () => {
    service.showCase(here, [of(1, 1), of(2, 1)])
    const { scanned: _, ...entered } = blind
    expect(await find()).toMatchObject({
      known: {
        payload: { ...entered, kind: 'import', caseId: here, packagedProductId: thing(1), itemCount: 2 },
        tagIds: [tag(1), tag(2)],
      },
      facts: { caseId: here },
    })
  })

  it('chooses none of several products, but stores the case', async () => {
    service.showCase(here, [of(1, 1), of(2, 2)])
    expect(await find({ ...blind, caseId: null, scanned: here })).toMatchObject({
      known: { payload: { kind: 'blind-import', caseId: here } },
      outcome: { kind: 'rejected', reason: { code: 'receiving/choose-product', caseId: here } },
    })
  })

  it.each([
    ['empty', []],
    ['of items without a product', [{ tagId: tag(1) }]],
  ])('finds nothing to import in a case that is %s', async (_, items) => {
    service.showCase(here, items)
    expect(await find()).toMatchObject({
      outcome: { kind: 'rejected', reason: { code: 'receiving/empty-case', caseId: here } },
    })
  })

  it.each([
    { code: 'service/unreachable' },
    { code: 'service/busy' },
    { code: 'service/failing', status: 500 },
    { code: 'service/unreadable', path: null },
    { code: 'service/unreadable', path: 'items' },
    { code: 'service/credentials-refused' },
    { code: 'service/credentials-missing' },
  ] as const)("tries again if the service couldn't answer: $code $path", async (error) => {
    service.fail(`detail ${here}`, error)
    expect(await find()).toEqual({ outcome: { kind: 'retry', reason: error, afterMs: null } })
    // A case is called unknown only after the item look-up has answered as well.
    service.fail(`detail ${here}`, { code: 'service/not-found', id: here })
    service.fail(`item ${here}`, error)
    expect(await find()).toEqual({ outcome: { kind: 'retry', reason: error, afterMs: null } })
  })

  it.each([{ code: 'service/forbidden' }, { code: 'service/refused', status: 400, detail: 'no' }] as const)(
    'is refused if the service refuses the look-up: $code',
    async (error) => {
      service.fail(`detail ${here}`, error)
      expect(await find()).toEqual({ outcome: { kind: 'rejected', reason: error } })
    },
  )

  it('distinguishes an item from an unknown case', async () => {
    expect(await find()).toEqual({ outcome: { kind: 'rejected', reason: { code: 'service/not-found', id: here } } })
    service.showCase(caseOf(2), [of(7, 1)])
    expect(await find({ ...blind, caseId: null, scanned: tag(7) })).toEqual({
      outcome: { kind: 'rejected', reason: { code: 'scan/wrong-place', found: 'tag', expected: 'case' } },
    })
  })
})

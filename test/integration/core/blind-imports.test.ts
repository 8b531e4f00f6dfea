import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Payload } from '../../../src-main/outbox/payload'
import { order } from '../../fakes/ids'
import { type Desk, caseNamed, delivery, packagedProduct, startDesk, tagNamed } from './receiving-desk'

const readable = 'HF 2026/0417'
const blind = (scanned: string, packageNumber = 1, posInventoryId = 'I'): Payload => ({
  kind: 'blind-import',
  scanned,
  caseId: null,
  packageUid: delivery(packageNumber),
  posProductId: 'P',
  posInventoryId,
})
const imported = (name: string, sku: string, packageNumber: number) => ({
  caseId: caseNamed(name),
  packagedProductId: packagedProduct(sku),
  packageUid: delivery(packageNumber),
})
const steps = (desk: Desk, operation: Parameters<Desk['now']>[0]) => {
  const journal = desk.outbox.journalOf(operation.id)
  return journal.ok ? journal.value.map(({ what }) => what) : []
}

describe('an import of a case that was never read', () => {
  let desk: Desk
  beforeEach(async () => {
    desk = await startDesk()
  })
  afterEach(async () => {
    await desk.close()
  })
  const importsOf = async (name: string) => (await desk.knobs.imports()).filter((one) => one.caseId === caseNamed(name))

  it('becomes an import in the same place of the queue with the same time, once the service identifies the case', async () => {
    await desk.knobs.setFaults({ offline: true })
    const saved = desk.put(blind(readable))
    await desk.until(saved, ({ faults }) => faults > 0)
    expect(desk.now(saved)).toMatchObject({ kind: 'blind-import', state: 'queued', isUncertain: false })
    await desk.knobs.setFaults({})
    desk.sendNow()
    const { id, seq, performedAt } = saved
    expect(await desk.settled(saved)).toMatchObject({
      ...{ id, seq, performedAt, kind: 'import', state: 'accepted', note: null },
      payload: {
        ...imported('readable', 'HF-HG-7', 1),
        ...{ kind: 'import', posProductId: 'P', posInventoryId: 'I', itemCount: 12 },
        productName: 'Hudson Ground, 7 g',
      },
    })
    expect(await importsOf('readable')).toEqual([imported('readable', 'HF-HG-7', 1)])
    expect(steps(desk, saved)).toEqual(['saved', 'permitted', 'claimed', 'retry', 'claimed', 'identified', 'accepted'])
    expect(desk.seen.case(readable)?.value.caseId).toBe(caseNamed('readable'))
  })

  it.each([
    ['the service knows no such case', 'HF 1999/0001', { code: 'service/not-found', id: 'HF 1999/0001' }],
    [
      'it was a single item',
      tagNamed('blue dune HF-BD-35 1'),
      { code: 'scan/wrong-place', found: 'tag', expected: 'case' },
    ],
    [
      'it holds several products',
      caseNamed('two products'),
      { code: 'receiving/choose-product', caseId: caseNamed('two products') },
    ],
    ['it is of another dispensary', caseNamed('at a stranger'), { code: 'service/other-dispensary' }],
  ])('is refused when %s', async (_, scanned, reason) => {
    expect(await desk.do(blind(scanned))).toMatchObject({ state: 'rejected', reason })
  })

  it.each([
    { kind: 'status', code: 500 },
    { kind: 'status', code: 429 },
    { kind: 'garbage', answer: 'html' },
  ] as const)('is never refused because the case could not be looked up: $kind $code $answer', async (rule) => {
    await desk.knobs.setFaults({ rules: [{ ...rule, path: '/api/v1.2/collections/', times: 2 }] })
    const saved = desk.put(blind(readable))
    expect(await desk.until(saved, ({ faults }) => faults > 0)).toMatchObject({ kind: 'blind-import', state: 'queued' })
    expect(await desk.settled(saved)).toMatchObject({ kind: 'import', state: 'accepted' })
  })

  it('of several products is replaced by a corrected import once a person chooses the product', async () => {
    const saved = await desk.do(blind(caseNamed('two products'), 2))
    const chosen = { ...imported('two products', 'SK-PG-10', 2), productName: null, itemCount: 12 }
    expect(saved).toMatchObject({ kind: 'blind-import', state: 'rejected', payload: { caseId: chosen.caseId } })
    const corrected = desk.outbox.correct(saved.id, {
      kind: 'import',
      ...chosen,
      posProductId: 'P',
      posInventoryId: 'I',
    })
    expect(corrected).toMatchObject({ ok: true, value: { kind: 'import', seq: saved.seq } })
    desk.sender.wake()
    expect(await desk.settled(saved)).toMatchObject({ state: 'accepted' })
    expect(await importsOf('two products')).toEqual([imported('two products', 'SK-PG-10', 2)])
  })

  it('sells items of the case only once the import is done, even if their case was unknown', async () => {
    await desk.knobs.setFaults({ offline: true })
    const tagId = tagNamed('readable HF-HG-7 1')
    const saved = desk.put(blind(readable))
    const sale = desk.put({ kind: 'complete', orderId: order('1'), tagIds: [tagId] })
    expect(sale.blockers).toBe(0)
    // The look-up is slow, so the sale is refused first.
    await desk.knobs.setFaults({ rules: [{ kind: 'latency', ms: 400, path: '/api/v1.2/collections/', times: 1 }] })
    desk.sendNow()
    await desk.until(sale, ({ reason }) => reason?.code === 'service/not-imported')
    expect(desk.now(sale).state).toBe('queued')
    expect(await desk.settled(saved)).toMatchObject({ kind: 'import', state: 'accepted' })
    expect(await desk.settled(sale)).toMatchObject({ state: 'accepted' })
  })

  it('holds up a sale of its items while the case is being identified or imported', async () => {
    await desk.knobs.setFaults({ offline: true })
    const saved = desk.put(blind(readable))
    const sale = desk.put({ kind: 'complete', orderId: order('1'), tagIds: [tagNamed('readable HF-HG-7 1')] })
    // The service checks the sale when the case is identified but not imported yet.
    await desk.knobs.setFaults({
      rules: [
        { kind: 'latency', ms: 400, path: '/api/v1.2/transactions/', times: 1 },
        { kind: 'latency', ms: 1_200, path: '/api/v1.2/caseids/import/', times: 1 },
      ],
    })
    desk.sendNow()
    await desk.until(sale, ({ reason }) => reason?.code === 'service/not-imported')
    expect(desk.now(saved)).toMatchObject({ kind: 'import', state: 'sending' })
    expect(desk.now(sale)).toMatchObject({ state: 'queued', blockers: 1 })
    expect(await desk.settled(saved)).toMatchObject({ state: 'accepted' })
    expect(await desk.settled(sale)).toMatchObject({ state: 'accepted' })
  })

  it('waits for earlier reports in the queue of its case', async () => {
    const first = await desk.do(blind(readable))
    await desk.knobs.setFaults({ offline: true })
    const removal = desk.undo(first)
    const again = desk.put(blind(readable, 1, 'I2'))
    expect(again.blockers).toBe(0)
    await desk.knobs.setFaults({ rules: [{ kind: 'latency', ms: 300, path: '/api/v1.2/caseids/import/remove/' }] })
    desk.sendNow()
    expect(await desk.settled(again)).toMatchObject({ kind: 'import', state: 'accepted' })
    expect(desk.now(removal)).toMatchObject({ state: 'accepted' })
    expect(await importsOf('readable')).toHaveLength(1)
  })

  it.each(['before-commit', 'after-commit'] as const)('is imported once if the answer was lost %s', async (when) => {
    await desk.knobs.setFaults({
      rules: [{ kind: 'drop', when, method: 'POST', path: '/api/v1.2/caseids/', times: 1 }],
    })
    const note = when === 'after-commit' ? 'found-by-reading' : null
    expect(await desk.do(blind(readable))).toMatchObject({ kind: 'import', state: 'accepted', note })
    expect(await importsOf('readable')).toHaveLength(1)
  })
})

describe('an import of a case that this station had imported before', () => {
  it('does not count as done because the earlier import still exists', async () => {
    const desk = await startDesk()
    const form = { ...imported('readable', 'HF-HG-7', 1), productName: null, itemCount: 12 }
    const again = (posInventoryId: string): Payload => ({ kind: 'import', ...form, posProductId: 'P', posInventoryId })
    expect(await desk.do(again('I1'))).toMatchObject({ state: 'accepted' })
    await new Promise((resolve) => setTimeout(resolve, 2_100))
    await desk.knobs.setFaults({
      rules: [{ kind: 'drop', when: 'before-commit', method: 'POST', path: '/api/v1.2/caseids/', times: 1 }],
    })
    expect(await desk.do(again('I2'))).toMatchObject({
      state: 'rejected',
      reason: { code: 'service/already-imported' },
    })
    await desk.close()
  })
})

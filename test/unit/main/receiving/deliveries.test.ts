import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { iso } from '../../../../src-main/clock'
import { silentLog } from '../../../../src-main/log'
import type { Known, Lookup } from '../../../../src-main/memory/lookup'
import { createMemory } from '../../../../src-main/memory/store'
import { viewOperation } from '../../../../src-main/outbox/views'
import { createCaseViews } from '../../../../src-main/receiving/case-views'
import { type Deliveries, createDeliveries } from '../../../../src-main/receiving/deliveries'
import { createDeliveryRows } from '../../../../src-main/receiving/delivery-rows'
import { createSeenSince } from '../../../../src-main/receiving/seen-since'
import { createTurns } from '../../../../src-main/turns'
import type { AppError } from '../../../../src-shared/errors'
import type { CaseId, PackageUid } from '../../../../src-shared/ids'
import type { DeliveryCase } from '../../../../src-shared/ipc/delivery-view'
import { type Result, err, ok } from '../../../../src-shared/result'
import type { CaseFacts } from '../../../../src-shared/service/facts'
import type { PackageCases } from '../../../../src-shared/service/package-uids'
import { caseFactsOf } from '../../../fakes/case-facts'
import { caseOf, packageUid } from '../../../fakes/ids'
import { accepted, importing, useDesk } from '../outbox/desk'

/** A question about a case that the service has not answered yet. */
interface Question {
  caseId: string
  answer: (facts: CaseFacts) => void
}

describe('a delivery, with a service that answers when the test says so', () => {
  const desk = useDesk()
  let deliveries: Deliveries
  let questions: Question[]
  let announced: DeliveryCase[]
  let lists: Map<PackageUid, CaseId[]>

  const known = <T>(value: T): Result<Known<T>, AppError> =>
    ok({ value, knowledge: { source: 'now', knownAt: iso(desk.clock.now()) }, silence: null })

  beforeEach(() => {
    const { db, outbox, clock } = desk
    questions = []
    announced = []
    lists = new Map()
    const seen = createMemory(db)
    const view = (operation: Parameters<typeof viewOperation>[0]) => viewOperation(operation, outbox, clock)
    const lookup: Lookup = {
      case: (caseId) =>
        new Promise((resolve) => {
          const askedAt = clock.now()
          const answer = (facts: CaseFacts) => {
            seen.keepCase(facts, askedAt, clock.now())
            resolve(known(facts))
          }
          questions.push({ caseId, answer })
        }),
      package: (uid) => {
        const cases = Object.fromEntries((lists.get(uid) ?? []).map((caseId) => [caseId, { is_imported: false }]))
        const value: PackageCases = { package_uid: uid, case_ids: cases }
        seen.keepPackage(uid, value, clock.now())
        return Promise.resolve(known(value))
      },
      tag: () => Promise.resolve(err({ code: 'service/unreachable' })),
      remembered: () => undefined,
    }
    deliveries = createDeliveries({
      db,
      rows: createDeliveryRows(db),
      lookup,
      seen,
      views: createCaseViews({
        seen,
        outbox,
        view,
        seenSince: createSeenSince(outbox),
        clock,
        ownDispensaryId: null,
      }),
      outbox,
      viewOperation: view,
      turns: createTurns(8),
      clock,
      log: silentLog,
      announce: ({ cases }) => announced.push(...cases),
      onIdentified: () => undefined,
    })
  })
  afterEach(async () => {
    for (const { caseId, answer } of questions) answer(caseFactsOf(numberOf(caseId)))
    await deliveries.stop()
  })

  const numberOf = (id: string) => [1, 2, 3].find((n) => id === caseOf(n) || id === `CASE-${n}`) ?? 1
  const asked = async (count: number) => {
    await expect.poll(() => questions.length).toBeGreaterThanOrEqual(count)
  }
  const addPackage = (n: number, ...cases: number[]) => {
    lists.set(packageUid(n), cases.map(caseOf))
    return deliveries.addPackage(packageUid(n))
  }
  const stateOf = ({ importState }: DeliveryCase) => importState.kind

  it('announces a case as it stands then, and not as it stood when it was read', async () => {
    await addPackage(1, 1)
    await asked(1)
    const operation = desk.put(importing(1))
    desk.outbox.claim()
    questions[0]?.answer(caseFactsOf(1))
    // It was read, and is held back for a moment; meanwhile the import is taken, and everybody is told.
    await Promise.resolve()
    await new Promise((resolve) => setImmediate(resolve))
    desk.outbox.settle(operation.seq, accepted)
    await expect.poll(() => announced.length).toBe(1)
    expect(announced.map(stateOf)).toEqual(['imported-here'])
  })

  it('shows no case as it stood before what became of its import while the others were looked up', async () => {
    await addPackage(1, ...Array.from({ length: 60 }, (_, n) => n + 1))
    const operation = desk.put(importing(1))
    const view = deliveries.view()
    desk.outbox.claim()
    desk.outbox.settle(operation.seq, accepted)
    expect((await view)?.cases[0]?.importState.kind).toBe('imported-here')
  })

  it('counts a scanned case as the newest reading: an older answer is not announced after it', async () => {
    await addPackage(1, 1)
    await asked(1)
    const scanned = deliveries.addCase('CASE-1')
    await asked(2)
    questions[1]?.answer(caseFactsOf(1, { isImported: true }))
    const added = await scanned
    expect(added).toMatchObject({ ok: true, value: { case: { isReading: false } } })
    questions[0]?.answer(caseFactsOf(1))
    await new Promise((resolve) => setTimeout(resolve, 150))
    expect(announced).toEqual([])
  })

  it('shows a scanned case as a later reading found it, when that was answered first', async () => {
    await addPackage(1, 1)
    await asked(1)
    questions[0]?.answer(caseFactsOf(1))
    const scanned = deliveries.addCase('CASE-1')
    await asked(2)
    desk.clock.advance(10)
    deliveries.refresh()
    await asked(3)
    questions[2]?.answer(caseFactsOf(1, { products: [3] }))
    await expect.poll(() => announced.length).toBeGreaterThan(0)
    questions[1]?.answer(caseFactsOf(1))
    const added = await scanned
    const products = added.ok ? added.value.case.case?.packagedProducts.map((one) => one.productName) : []
    expect(products).toEqual(['Product 3'])
  })

  it('keeps a dropped case off the list when it is asked about anew, until it or its package is scanned again', async () => {
    await addPackage(1, 1, 2)
    const listed = async () => (await deliveries.view())?.cases.map((one) => one.caseId)
    expect(deliveries.dropCase(caseOf(1)).ok).toBe(true)
    expect(deliveries.dropCase(caseOf(1))).toEqual({ ok: false, error: { code: 'receiving/not-in-delivery' } })
    const before = questions.length
    deliveries.refresh()
    await asked(before + 1)
    expect(await listed()).toEqual([caseOf(2)])
    const again = await addPackage(1, 1, 2)
    expect(again.ok && again.value.cases.map((one) => one.caseId)).toEqual([caseOf(1), caseOf(2)])
    expect(await listed()).toEqual([caseOf(2), caseOf(1)])

    deliveries.dropCase(caseOf(1))
    const scanned = deliveries.addCase('CASE-1')
    await asked(questions.length)
    await expect.poll(() => questions.at(-1)?.caseId).toBe('CASE-1')
    questions.at(-1)?.answer(caseFactsOf(1))
    await scanned
    expect(await listed()).toEqual([caseOf(2), caseOf(1)])
  })

  it('hands a case to the other package that lists it, when the one it came with is dropped', async () => {
    await addPackage(1, 1, 2)
    await addPackage(2, 2, 3)
    expect(deliveries.dropPackage(packageUid(1)).ok).toBe(true)
    const view = await deliveries.view()
    expect(view?.cases.map(({ caseId, packageUid: uid }) => [caseId, uid])).toEqual([
      [caseOf(2), packageUid(2)],
      [caseOf(3), packageUid(2)],
    ])
    await expect.poll(() => announced.map((one) => one.packageUid)).toContain(packageUid(2))
  })

  it('says how many imports "undo all" would take back', async () => {
    await addPackage(1, 1, 2, 3)
    const rows = createDeliveryRows(desk.db)
    const seq = rows.open()?.seq ?? 0
    const [first, second, third] = [1, 2, 3].map((n) => desk.put(importing(n)))
    if (!first || !second || !third) throw new Error('three were put in')
    for (const one of [first, second, third]) rows.link(seq, one.seq)
    const undoable = async () => (await deliveries.view())?.undoable
    expect(await undoable()).toBe(3)
    desk.outbox.withdraw(third.id)
    expect(await undoable()).toBe(2)
    desk.outbox.claim()
    desk.outbox.settle(first.seq, { kind: 'rejected', reason: { code: 'service/already-imported', detail: '' } })
    // A person deals with one that was refused.
    expect(await undoable()).toBe(1)
  })
})

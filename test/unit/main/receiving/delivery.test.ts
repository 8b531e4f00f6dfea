import { SqliteError } from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { iso } from '../../../../src-main/core/clock'
import { type Log, silentLog } from '../../../../src-main/core/log'
import type { LookedUp, Lookup } from '../../../../src-main/memory/lookup'
import { Memory } from '../../../../src-main/memory/store'
import { createCaseViews } from '../../../../src-main/receiving/delivery/case-views'
import { Delivery } from '../../../../src-main/receiving/delivery/delivery'
import { DeliveryRows } from '../../../../src-main/receiving/delivery/delivery-rows'
import { type CaseId, DeliveryId, type PackageUid } from '../../../../src-shared/ids'
import type { DeliveryCase, DeliveryChange } from '../../../../src-shared/ipc/contract/delivery'
import { type Result, err, ok } from '../../../../src-shared/result'
import type { CaseFacts } from '../../../../src-shared/service/facts'
import type { PackageCases } from '../../../../src-shared/service/imports'
import { caseFactsOf } from '../../../fakes/case-facts'
import { caseOf, packageUid, tag } from '../../../fakes/ids'
import { receivingContext } from '../../../fakes/receiving-context'
import { accepted, complete, importing, rejected, removing, retry, unknown, useDesk } from '../outbox/desk'
import type { ServiceError } from '../../../../src-main/service/reply'

/** A request for a case that the service hasn't answered yet. */
interface Question {
  caseId: string
  answer: (facts: CaseFacts) => void
}

/** Its record is written in the same commit; what is in it: delivery-record.test.ts. */
const noRecord = () => undefined

describe('a delivery, with a service whose answers the test controls', () => {
  const desk = useDesk()
  let delivery: Delivery
  /** Looking a case up throws, as only a bug makes it. */
  let isBroken = false
  /** The state of this case can't be told: the store can't be read, or there is a bug. */
  let unviewable: CaseId | null
  let isDiskFull: boolean
  let logged: string[]
  let questions: Question[]
  let announced: DeliveryCase[]
  let changes: DeliveryChange[]
  let lists: Map<PackageUid, CaseId[]>

  const known = <T>(value: T): Result<LookedUp<T>, ServiceError> =>
    ok({ value, knowledge: { source: 'now', knownAt: iso(desk.clock.now()) }, unreachable: null })

  beforeEach(() => {
    const { db, outbox, clock } = desk
    isBroken = false
    unviewable = null
    isDiskFull = false
    logged = []
    questions = []
    announced = []
    changes = []
    lists = new Map()
    const seen = new Memory(db)
    const lookup: Lookup = {
      case: (caseId) =>
        new Promise((resolve, reject) => {
          if (isBroken) {
            reject(new Error('the look-up broke'))
            return
          }
          const askedAt = clock.now()
          const answer = (facts: CaseFacts) => {
            if (!isDiskFull) seen.keepCase(facts, askedAt, clock.now())
            resolve(known(facts))
          }
          questions.push({ caseId, answer })
        }),
      package: (uid) => {
        const cases = Object.fromEntries((lists.get(uid) ?? []).map((caseId) => [caseId, { is_imported: false }]))
        const value: PackageCases = { package_uid: uid, case_ids: cases }
        if (!isDiskFull) seen.keepPackage(uid, value, clock.now())
        return Promise.resolve(known(value))
      },
      tag: () => Promise.resolve(err({ code: 'service/unreachable' })),
      cached: () => undefined,
    }
    const log: Log = { ...silentLog, error: (what) => logged.push(what) }
    desk.events.on('receiving.changed', 'test', (change) => {
      changes.push(change)
      announced.push(...change.cases.filter((one) => !one.isReading))
    })
    const context = receivingContext({ db, events: desk.events, outbox, clock, seen, lookup, log })
    const views = createCaseViews(context)
    delivery = new Delivery(context, {
      ...views,
      stateOf(caseId, ...others) {
        if (caseId === unviewable) throw new Error('the case could not be viewed')
        return views.stateOf(caseId, ...others)
      },
    })
  })
  afterEach(async () => {
    for (const { caseId, answer } of questions) answer(caseFactsOf(numberOf(caseId)))
    await delivery.stop()
  })

  const numberOf = (id: string) => [1, 2, 3].find((n) => id === caseOf(n) || id === `CASE-${n}`) ?? 1
  const asked = async (count: number) => {
    await expect.poll(() => questions.length).toBeGreaterThanOrEqual(count)
  }
  const addPackage = (n: number, ...cases: number[]) => {
    lists.set(packageUid(n), cases.map(caseOf))
    return delivery.addPackage(packageUid(n))
  }
  const openId = async () => {
    const view = await delivery.view()
    if (!view) throw new Error('there is no delivery')
    return view.id
  }
  const stateOf = ({ importState }: DeliveryCase) => importState.kind

  it('announces the state of a case at that moment, not when it was read', async () => {
    await addPackage(1, 1)
    await asked(1)
    const operation = desk.put(importing(1))
    desk.outbox.claim()
    questions[0]?.answer(caseFactsOf(1))
    // The case was read, and its announcement is delayed; meanwhile the import is accepted and announced.
    await Promise.resolve()
    await new Promise((resolve) => setImmediate(resolve))
    desk.outbox.settle(operation.seq, accepted)
    await expect.poll(() => announced.length).toBe(1)
    expect(announced.map(stateOf)).toEqual(['imported-here'])
  })

  it('shows a case as not being read once its look-up broke', async () => {
    isBroken = true
    await addPackage(1, 1)
    await expect.poll(() => announced.length).toBe(1)
    expect((await delivery.view())?.cases.map(({ isReading }) => isReading)).toEqual([false])
  })

  it('announces the outcome of an import along with the reading of its case, once for several changes', async () => {
    await addPackage(1, 1)
    await asked(1)
    questions[0]?.answer(caseFactsOf(1))
    await expect.poll(() => announced.length).toBe(1)
    const operation = desk.put(importing(1))
    desk.outbox.claim()
    desk.outbox.settle(operation.seq, accepted)
    await expect.poll(() => announced.length).toBe(2)
    expect(announced[1]).toMatchObject({
      importState: { kind: 'imported-here' },
      case: { knowledge: { source: 'now' } },
    })
    await new Promise((resolve) => setTimeout(resolve, 120))
    expect(announced).toHaveLength(2)
  })

  it('announces the changes of a command before it is answered, in chunks', async () => {
    const cases = Array.from({ length: 60 }, (_, n) => n + 1)
    await addPackage(1, ...cases)
    expect(changes.map((one) => one.cases.length)).toEqual([25, 25, 10])
    expect(changes[0]?.packages.map((one) => one.packageUid)).toEqual([packageUid(1)])
    changes = []
    await delivery.dropPackage(packageUid(1))
    expect(changes.flatMap((one) => one.dropped.packageUids)).toEqual([packageUid(1)])
    expect(changes.flatMap((one) => one.dropped.caseIds)).toEqual(cases.map(caseOf))
    changes = []
    await delivery.finish(await openId(), noRecord)
    expect(changes).toMatchObject([{ delivery: null, cases: [] }])
  })

  it('reads a case again after a change of its items, and when the removal of its import is dismissed', async () => {
    await addPackage(1, 1)
    await asked(1)
    questions[0]?.answer(caseFactsOf(1))
    const change = desk.put({ kind: 'remove-item', caseId: caseOf(1), tagId: tag(1), productName: null })
    desk.outbox.claim()
    desk.outbox.settle(change.seq, accepted)
    await asked(2)
    questions[1]?.answer(caseFactsOf(1))
    const removal = desk.put(removing(1))
    desk.outbox.claim()
    desk.outbox.settle(removal.seq, rejected)
    desk.outbox.dismiss(removal.id, 'it stays')
    await asked(3)
    expect(questions.map(({ caseId }) => caseId)).toEqual([caseOf(1), caseOf(1), caseOf(1)])
  })

  it('includes a scan that was added while the list was being built', async () => {
    await addPackage(1, ...Array.from({ length: 60 }, (_, n) => n + 1))
    const view = delivery.view()
    await addPackage(2, 61)
    expect((await view)?.cases.at(-1)?.caseId).toBe(caseOf(61))
    expect((await view)?.packages).toHaveLength(2)
  })

  it('shows the outcome of an import that settled while the list was being built', async () => {
    await addPackage(1, ...Array.from({ length: 60 }, (_, n) => n + 1))
    const operation = desk.put(importing(1))
    const view = delivery.view()
    desk.outbox.claim()
    desk.outbox.settle(operation.seq, accepted)
    expect((await view)?.cases[0]?.importState.kind).toBe('imported-here')
  })

  it('treats a scanned case as the newest reading: an older answer is not announced after it', async () => {
    await addPackage(1, 1)
    await asked(1)
    const scanned = delivery.addCase('CASE-1')
    await asked(2)
    questions[1]?.answer(caseFactsOf(1, { isImported: true }))
    const added = await scanned
    expect(added).toEqual(ok({ caseId: caseOf(1), isNew: false }))
    expect(announced.map((one) => one.caseId)).toEqual([caseOf(1)])
    questions[0]?.answer(caseFactsOf(1))
    await new Promise((resolve) => setTimeout(resolve, 150))
    expect(announced).toHaveLength(1)
  })

  it('shows a scanned case as found by a later reading that was answered first', async () => {
    await addPackage(1, 1)
    await asked(1)
    questions[0]?.answer(caseFactsOf(1))
    const scanned = delivery.addCase('CASE-1')
    await asked(2)
    desk.clock.advance(10)
    delivery.refresh()
    await asked(3)
    questions[2]?.answer(caseFactsOf(1, { products: [3] }))
    await expect.poll(() => announced.length).toBeGreaterThan(0)
    questions[1]?.answer(caseFactsOf(1))
    await scanned
    const [shown] = (await delivery.view())?.cases ?? []
    expect(shown?.case?.packagedProducts.map((one) => one.productName)).toEqual(['Product 3'])
  })

  it('keeps a dropped case off the list on refresh, until the case or its package is scanned again', async () => {
    await addPackage(1, 1, 2)
    const listed = async () => (await delivery.view())?.cases.map((one) => one.caseId)
    expect((await delivery.dropCase(caseOf(1))).ok).toBe(true)
    expect(await delivery.dropCase(caseOf(1))).toEqual({ ok: false, error: { code: 'receiving/not-in-delivery' } })
    const before = questions.length
    delivery.refresh()
    await asked(before + 1)
    expect(await listed()).toEqual([caseOf(2)])
    const again = await addPackage(1, 1, 2)
    expect(again.ok && again.value.caseIds).toEqual([caseOf(1), caseOf(2)])
    expect(await listed()).toEqual([caseOf(2), caseOf(1)])

    await delivery.dropCase(caseOf(1))
    const scanned = delivery.addCase('CASE-1')
    await asked(questions.length)
    await expect.poll(() => questions.at(-1)?.caseId).toBe('CASE-1')
    questions.at(-1)?.answer(caseFactsOf(1))
    await scanned
    expect(await listed()).toEqual([caseOf(2), caseOf(1)])
  })

  it('assigns a case to another package that lists it when its own package is dropped', async () => {
    await addPackage(1, 1, 2)
    await addPackage(2, 2, 3)
    expect((await delivery.dropPackage(packageUid(1))).ok).toBe(true)
    const view = await delivery.view()
    expect(view?.cases.map(({ caseId, packageUid: uid }) => [caseId, uid])).toEqual([
      [caseOf(2), packageUid(2)],
      [caseOf(3), packageUid(2)],
    ])
    expect(changes.at(-1)?.cases).toMatchObject([{ caseId: caseOf(2), packageUid: packageUid(2) }])
    expect(changes.at(-1)?.dropped).toEqual({ packageUids: [packageUid(1)], caseIds: [caseOf(1)] })
  })

  it('neither asks nor tells more about a delivery that was finished while its cases were being read', async () => {
    await addPackage(1, ...Array.from({ length: 20 }, (_, n) => n + 1))
    await asked(8)
    const id = (await delivery.view())?.id
    if (!id) throw new Error('there is no delivery')
    await delivery.finish(id, noRecord)
    const told = changes.length
    for (const one of questions) one.answer(caseFactsOf(numberOf(one.caseId)))
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect([questions.length, changes.length]).toEqual([8, told])
    // A case that was being read then is not shown as being read in the next delivery.
    lists.clear()
    const scanned = delivery.addCase('CASE-1')
    await asked(9)
    questions.at(-1)?.answer(caseFactsOf(1))
    await scanned
    expect((await delivery.view())?.cases.map(({ isReading }) => isReading)).toEqual([false])
  })

  it('shows how many imports "undo all" would take back, and tells it with each change', async () => {
    await addPackage(1, 1, 2, 3)
    const rows = new DeliveryRows(desk.db)
    const seq = rows.open()?.seq ?? 0
    const [first, second, third] = [1, 2, 3].map((n) => desk.put(importing(n)))
    if (!first || !second || !third) throw new Error('three were put in')
    for (const one of [first, second, third]) rows.link(seq, one.seq)
    const undoable = async () => (await delivery.view())?.undoable
    expect(await undoable()).toBe(3)
    desk.outbox.withdraw(third.id)
    expect(await undoable()).toBe(2)
    desk.outbox.claim()
    desk.outbox.settle(first.seq, { kind: 'rejected', reason: { code: 'service/already-imported', detail: '' } })
    // A refused import isn't counted: a person must deal with it.
    expect(await undoable()).toBe(1)
    await expect.poll(() => changes.at(-1)?.undoable).toBe(1)
  })

  /** One case, read and announced. */
  const addReadCase = async () => {
    await addPackage(1, 1)
    await asked(1)
    questions[0]?.answer(caseFactsOf(1))
    await expect.poll(() => announced.length).toBe(1)
  }
  const lastState = () => announced.at(-1)?.importState

  it('shows that an import can only be undone by its inverse once a sale from its case waits for it', async () => {
    await addReadCase()
    desk.put(importing(1))
    await expect.poll(lastState).toMatchObject({ operation: { undo: 'withdraw' } })
    const sale = desk.put(complete('O-1', tag(11)))
    await expect.poll(lastState).toMatchObject({ operation: { undo: 'inverse' } })
    desk.outbox.withdraw(sale.id)
    await expect.poll(lastState).toMatchObject({ operation: { undo: 'withdraw' } })
  })

  it('shows that the undo of an import no longer waits once the sale before it is accepted', async () => {
    await addReadCase()
    const imported = desk.put(importing(1))
    desk.outbox.claim()
    desk.outbox.settle(imported.seq, accepted)
    const sale = desk.put(complete('O-1', tag(11)))
    desk.outbox.enqueue(removing(1), { undoes: imported.id })
    await expect.poll(lastState).toMatchObject({ operation: { kind: 'import-removal', waitsFor: 1 } })
    desk.outbox.claim()
    desk.outbox.settle(sale.seq, accepted)
    await expect.poll(lastState).toMatchObject({ operation: { kind: 'import-removal', waitsFor: 0 } })
  })

  it('counts as undoable exactly the operations that undo would take back', async () => {
    await addPackage(1, 1, 2)
    const rows = new DeliveryRows(desk.db)
    const seq = rows.open()?.seq ?? 0
    const link = (payload: Parameters<typeof desk.put>[0]) => {
      const operation = desk.put(payload)
      rows.link(seq, operation.seq)
      return operation
    }
    const counts: number[] = []
    const check = () => {
      const expected = rows.operations(seq).filter((one) => desk.outbox.undoOf(one) !== null).length
      expect(rows.undoable(seq)).toBe(expected)
      counts.push(expected)
    }
    const first = link(importing(1))
    check()
    desk.put(complete('O-1', tag(11)))
    check()
    const blindForm = { packageUid: packageUid(3), posProductId: 'P', posInventoryId: 'I' }
    const blind = link({ kind: 'blind-import', scanned: 'CASE-3', caseId: null, ...blindForm })
    check()
    desk.put({ kind: 'blind-import', scanned: 'CASE-3', caseId: null, ...blindForm })
    check()
    for (const outcome of [retry, unknown, accepted]) {
      desk.clock.advance(3_600_000)
      expect(desk.claimAll().map((one) => one.seq)).toContain(first.seq)
      check()
      desk.outbox.settle(first.seq, outcome)
      check()
    }
    const undone = desk.outbox.enqueue(removing(1), { undoes: first.id })
    check()
    if (undone.ok) desk.outbox.withdraw(undone.value.id)
    check()
    const second = link(importing(2))
    check()
    for (let one = desk.outbox.claim(); one; one = desk.outbox.claim()) {
      check()
      desk.outbox.settle(one.seq, rejected)
    }
    check()
    desk.outbox.dismiss(second.id, 'wrong')
    desk.outbox.dismiss(blind.id, 'wrong')
    check()
    expect(new Set(counts).size).toBeGreaterThan(2)
  })

  it('reads every case on a refresh although the disk is full', async () => {
    await addReadCase()
    isDiskFull = true
    desk.db.pragma('query_only = ON')
    delivery.refresh()
    await asked(2)
    questions[1]?.answer(caseFactsOf(1, { products: [3] }))
    await expect.poll(() => announced.length).toBeGreaterThan(1)
    expect(announced.at(-1)?.case?.packagedProducts.map((one) => one.productName)).toEqual(['Product 3'])
    expect(logged).toEqual([])
    desk.db.pragma('query_only = OFF')
  })

  it('announces a case that could not be viewed once it can be, and the others at once', async () => {
    await addPackage(1, 1, 2)
    await asked(2)
    unviewable = caseOf(1)
    for (const { caseId, answer } of questions) answer(caseFactsOf(numberOf(caseId)))
    await expect.poll(() => announced.map(({ caseId }) => caseId)).toEqual([caseOf(2)])
    await delivery.announceNow()
    expect(logged).toEqual(['a change of the delivery could not be announced'])
    unviewable = null
    await expect.poll(() => announced.map(({ caseId }) => caseId), { timeout: 3_000 }).toEqual([caseOf(2), caseOf(1)])
  })

  it('stays open if its record can’t be saved', async () => {
    await addPackage(1, 1)
    const id = await openId()
    changes = []
    const full = () => {
      desk.db.prepare(`INSERT INTO delivery_package (delivery, package_uid) VALUES (1, 'half')`).run()
      throw new SqliteError('database or disk is full', 'SQLITE_FULL')
    }
    expect(await delivery.finish(id, full)).toEqual(err({ code: 'store/not-saved' }))
    expect(await openId()).toBe(id)
    expect(desk.db.prepare(`SELECT count(*) FROM delivery_package WHERE package_uid = 'half'`).pluck().get()).toBe(0)
    expect(changes).toEqual([])
  })

  describe('that was finished', () => {
    const lastOf = () => delivery.list()[0]
    const finished = async () => {
      await addPackage(1, 1)
      const id = await openId()
      await delivery.finish(id, noRecord)
      changes = []
      return id
    }

    it('is reopened the same day: everything in it is announced, and asked about again', async () => {
      const id = await finished()
      const before = questions.length
      expect(lastOf()).toMatchObject({ id, canReopen: true })
      expect(await delivery.reopen(id)).toEqual(ok(null))
      expect(changes.map((one) => [one.delivery?.id, one.packages.length, one.cases.length])).toEqual([[id, 1, 1]])
      expect(await openId()).toBe(id)
      expect(lastOf()).toMatchObject({ id, finishedAt: null, canReopen: false })
      await asked(before + 1)
      // Asked for twice, as by two pages: it stays open.
      expect(await delivery.reopen(id)).toEqual(ok(null))
    })

    it('is announced as reopened even if it lists nothing', async () => {
      await addPackage(1, 1)
      await delivery.dropPackage(packageUid(1))
      const id = await openId()
      await delivery.finish(id, noRecord)
      changes = []
      await delivery.reopen(id)
      expect(changes.map((one) => one.delivery?.id)).toEqual([id])
    })

    it("isn't reopened while another is under way, or on another day, or if there is none", async () => {
      const id = await finished()
      await addPackage(2, 2)
      expect(delivery.list().map(({ canReopen }) => canReopen)).toEqual([false, false])
      expect(await delivery.reopen(id)).toEqual(err({ code: 'receiving/delivery-open' }))
      await delivery.finish(await openId(), noRecord)
      expect(delivery.list().map(({ canReopen }) => canReopen)).toEqual([true, true])
      desk.clock.advance(24 * 3_600_000)
      changes = []
      expect(delivery.list().map(({ canReopen }) => canReopen)).toEqual([false, false])
      expect(await delivery.reopen(id)).toEqual(err({ code: 'receiving/delivery-over' }))
      const unknownId = DeliveryId.parse('9af49740-96f5-40ee-9e25-02420ae59635')
      expect(await delivery.reopen(unknownId)).toEqual(err({ code: 'receiving/no-delivery' }))
      expect([await delivery.view(), changes]).toEqual([null, []])
    })
  })
})

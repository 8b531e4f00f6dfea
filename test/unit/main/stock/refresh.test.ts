import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { CaseId, PackageUid, TagId } from '../../../../src-shared/ids'
import { type Result, err, ok } from '../../../../src-shared/result'
import { silentLog } from '../../../../src-main/core/log'
import type { ServiceError } from '../../../../src-main/service/reply'
import type { StockContext } from '../../../../src-main/stock/stock-context'
import { Refresh } from '../../../../src-main/stock/refresh'
import { eventsOf } from '../../../fakes/events'
import { caseOf, packageUid, tag, thing } from '../../../fakes/ids'
import { caseWith, tagsOf, useShelf, value } from '../counting/shelf/shelf-desk'

const desk = useShelf()
const troubles: readonly ServiceError[] = [{ code: 'service/failing', status: 500 }, { code: 'service/busy' }]
const noFault = (): ServiceError | null => null

describe('reading the shelf from the service', () => {
  let refresh: Refresh
  let asked: string[]
  let most: number
  let fault: (id: string) => ServiceError | null
  let packages: Map<PackageUid, CaseId[]>
  let readTimes: number
  let items: TagId[]
  let cases: TagId[]
  let isOffline: boolean
  /** What is asked about as an item is a case. */
  let isCase: boolean
  beforeEach(() => {
    asked = []
    most = 0
    fault = noFault
    packages = new Map()
    readTimes = 0
    items = []
    cases = []
    isOffline = false
    isCase = false
    open()
  })
  afterEach(async () => {
    await refresh.stop()
  })

  const open = () => {
    let running = 0
    /** Asks, and notes how many were asked at the same time. */
    const ask = async <T>(id: string, answer: () => T): Promise<Result<T, ServiceError>> => {
      asked.push(id)
      most = Math.max(most, ++running)
      await new Promise((resolve) => setTimeout(resolve, 1))
      running -= 1
      const failed = fault(id)
      return failed ? err(failed) : ok(answer())
    }
    const numberOf = (caseId: string) => [1, 2, 3, 4].find((n) => caseOf(n) === caseId) ?? 0
    const factsOf = (caseId: string) => caseWith(numberOf(caseId), tagsOf(numberOf(caseId), 2), { isImported: true })
    const entry = { is_imported: true, dispensary: { uuid: 'ours', name: 'ours' } }
    const events = eventsOf(desk.db)
    events.on('shelf.read', 'test', () => (readTimes += 1))
    events.on('shelf.item-known', 'test', ({ tagId }) => items.push(tagId))
    events.on('shelf.no-item', 'test', ({ tagId }) => cases.push(tagId))
    const context: StockContext = {
      db: desk.db,
      lookup: {
        package: (uid) =>
          ask(uid, () => ({
            value: {
              package_uid: uid,
              case_ids: Object.fromEntries((packages.get(uid) ?? []).map((id) => [id, entry])),
            },
            knowledge: { source: 'now' as const, knownAt: '2026-11-21T14:00:00.000Z' },
            unreachable: null,
          })),
        tag: async (tagId: TagId) => {
          const found = await ask(tagId, () => ({ ...(factsOf(caseOf(3)).tags[0] ?? missingTag()), tagId }))
          return isCase ? err({ code: 'scan/wrong-place', found: 'case', expected: 'tag' }) : found
        },
        readCase: (caseId) => ask(caseId, () => factsOf(caseId)),
      },
      client: {
        collections: {
          get: () => Promise.resolve(ok({ uuid: thing(1), identifier: '', collection_type: 'case', items: [] })),
        },
      },
      seen: desk.seen,
      connection: { isOutOfReach: () => isOffline },
      ownDispensaryId: 'ours',
      clock: desk.clock,
      log: silentLog,
      events,
    }
    refresh = new Refresh(context, desk.ledger)
  }
  const missingTag = (): never => {
    throw new Error('the case has items')
  }
  const idle = () => expect.poll(() => refresh.view().state, { timeout: 5_000 }).toBe('idle')

  it('asks for packages, then for the cases that are theirs, at most two at a time', async () => {
    desk.receive(1, 2)
    await desk.ledger.catchUp()
    packages.set(packageUid(1), [caseOf(1), caseOf(2)])
    value(refresh.start())
    await idle()
    expect(asked[0]).toBe(packageUid(1))
    expect(asked).toEqual(expect.arrayContaining([caseOf(1), caseOf(2)]))
    expect(most).toBeLessThanOrEqual(4)
    expect(refresh.view()).toMatchObject({ done: 3, total: 3, failed: 0, error: null })
    expect([tag(1_001), tag(2_001)].map((one) => desk.ledger.rows.item(one)?.standing)).toEqual(['here', 'here'])
    await expect.poll(() => readTimes).toBe(1)
  })

  it('leaves out what the service refuses or answers unreadably, and reads the rest', async () => {
    desk.receive(1, 2)
    desk.receive(2, 2)
    await desk.ledger.catchUp()
    fault = (id) =>
      id === caseOf(1)
        ? { code: 'service/not-found', id }
        : id === packageUid(2)
          ? { code: 'service/unreadable', path: null }
          : null
    value(refresh.start())
    await idle()
    expect(refresh.view()).toMatchObject({
      ...{ done: 4, total: 4, failed: 2 },
      failure: { code: 'service/not-found', id: caseOf(1) },
    })
    // Three times as a package, and once for its case.
    expect(asked.filter((id) => id === packageUid(2))).toHaveLength(4)
    expect(desk.ledger.asOf()).toMatchObject({ cases: 2, unread: 1 })
  })

  it('waits while the service does not answer, and a new process goes on where this one was', async () => {
    desk.receive(1, 2)
    await desk.ledger.catchUp()
    fault = () => ({ code: 'service/unreachable' })
    value(refresh.start())
    await expect.poll(() => refresh.view().state).toBe('waiting')
    expect(refresh.view()).toMatchObject({ done: 0, total: 2, error: { code: 'service/unreachable' } })
    await refresh.stop()
    fault = noFault
    open()
    expect(refresh.view()).toMatchObject({ state: 'idle', total: 2 })
    refresh.resume()
    await expect.poll(() => desk.ledger.asOf().unread).toBe(0)
    await idle()
    expect(refresh.view()).toMatchObject({ done: 2, failed: 0 })
  })

  it('asks what an unknown item is, and reads its case if it is in an inventory', async () => {
    refresh.identify(tag(3_002))
    await expect.poll(() => desk.ledger.rows.item(tag(3_001))?.standing).toBe('here')
    expect(asked[0]).toBe(tag(3_002))
    expect(asked).toContain(caseOf(3))
  })

  it('says that an unknown item is a case', async () => {
    isCase = true
    refresh.identify(tag(5))
    await expect.poll(() => cases).toEqual([tag(5)])
    await idle()
    expect(refresh.view().total).toBe(0)
  })

  for (const trouble of troubles)
    it(`reads packages and cases beside an item that is answered with ${trouble.code}`, async () => {
      desk.receive(1, 2)
      await desk.ledger.catchUp()
      fault = (id) => (id === tag(5) || id === tag(6) ? trouble : null)
      refresh.identify(tag(5))
      refresh.identify(tag(6))
      value(refresh.start())
      await idle()
      expect(refresh.view()).toMatchObject({ done: 2, total: 2, failed: 0 })
      expect(desk.ledger.asOf()).toMatchObject({ unread: 0 })
    })

  it('gives up an item after three unreadable answers, and asks about the next', async () => {
    fault = (id) => (id === tag(5) ? { code: 'service/unreadable', path: null } : null)
    refresh.identify(tag(5))
    await expect.poll(() => asked.length).toBe(3)
    refresh.identify(tag(3_002))
    await expect.poll(() => desk.ledger.rows.item(tag(3_001))?.standing).toBe('here')
    expect(asked.filter((id) => id === tag(5))).toHaveLength(3)
  })

  it('does not look at counts again for an item that is in no case of this store', async () => {
    fault = (id) => (id === tag(5) ? { code: 'service/not-found', id } : null)
    refresh.identify(tag(5))
    await expect.poll(() => asked).toEqual([tag(5)])
    // Longer than the pause after a question.
    await new Promise((resolve) => setTimeout(resolve, 150))
    expect([readTimes, items]).toEqual([0, []])
    refresh.identify(tag(3_002))
    await expect.poll(() => readTimes).toBe(1)
    expect(asked).toContain(caseOf(3))
    expect(items).toEqual([tag(3_002)])
  })

  it('shows no reading of nothing when an item is scanned offline', async () => {
    isOffline = true
    refresh.identify(tag(5))
    expect(refresh.view()).toMatchObject({ state: 'idle', done: 0, total: 0 })
    isOffline = false
    refresh.resume()
    await expect.poll(() => asked).toEqual([tag(5)])
  })

  it('ends when a person says so', async () => {
    desk.receive(1, 2)
    await desk.ledger.catchUp()
    fault = () => ({ code: 'service/busy' })
    value(refresh.start())
    await expect.poll(() => refresh.view().state).toBe('waiting')
    value(refresh.end())
    await idle()
    expect(refresh.view()).toMatchObject({ done: 0, total: 0 })
  })

  it('ends during an outage too, with the items that were to be asked about', async () => {
    desk.receive(1, 2)
    await desk.ledger.catchUp()
    isOffline = true
    refresh.identify(tag(5))
    value(refresh.start())
    expect(refresh.view()).toMatchObject({ state: 'waiting', total: 2 })
    value(refresh.end())
    expect(refresh.view()).toMatchObject({ state: 'idle', done: 0, total: 0, error: null })
    isOffline = false
    refresh.resume()
    refresh.identify(tag(3_002))
    await expect.poll(() => desk.ledger.rows.item(tag(3_001))?.standing).toBe('here')
    expect(asked).not.toContain(tag(5))
  })

  it('asks nothing more when it is ended while a package is being read', async () => {
    desk.receive(1, 2)
    await desk.ledger.catchUp()
    packages.set(packageUid(1), [caseOf(2)])
    value(refresh.start())
    expect(asked).toEqual([packageUid(1)])
    value(refresh.end())
    expect(refresh.view().state).toBe('idle')
    await refresh.stop()
    expect(desk.ledger.rows.wanted()).toBe(0)
  })
})

import type { Database } from 'better-sqlite3'
import { afterEach, beforeEach } from 'vitest'
import type { AppError, ResultOf } from '../../../../../src-shared/errors'
import type { CaseId, CountId, ShortUuid, TagId } from '../../../../../src-shared/ids'
import type { CountChange, CountView, Resolve } from '../../../../../src-shared/ipc/contract/count'
import { type Result, err, ok } from '../../../../../src-shared/result'
import type { CaseFacts, TagFacts } from '../../../../../src-shared/service/facts'
import type { MainEvents } from '../../../../../src-main/core/events'
import { silentLog } from '../../../../../src-main/core/log'
import { Memory } from '../../../../../src-main/memory/store'
import { Outbox } from '../../../../../src-main/outbox/outbox'
import { viewOperation } from '../../../../../src-main/outbox/views'
import { CaseCounts } from '../../../../../src-main/counting/cases/count'
import { createLateRows } from '../../../../../src-main/receiving/record/record-late'
import { openStore } from '../../../../../src-main/database/open'
import { createSettings } from '../../../../../src-main/database/settings'
import { type HandClock, handClock } from '../../../../fakes/clock'
import { caseOf, tag, thing } from '../../../../fakes/ids'
import type { accepted } from '../../outbox/desk'
import { eventsOf } from '../../../../fakes/events'
import type { ServiceCode } from '../../../../../src-main/service/reply'

export const factsOf = (tagId: TagId, caseId: CaseId | null, productName: string | null): TagFacts => ({
  tagId,
  caseId,
  productId: null,
  productName,
  brandName: null,
  pictureUrl: null,
  isImported: null,
  soldOn: null,
})
/** Tags n * 1000 + 1 … + size are in case n. */
export const tagsOf = (n: number, size: number) => Array.from({ length: size }, (_, at) => tag(n * 1_000 + at + 1))
export const value = <T>(result: Result<T, AppError>): T => {
  if (!result.ok) throw new Error(result.error.code)
  return result.value
}

/** Counts over a store in memory, new for each test. */
export function countingDesk() {
  let db: Database
  let clock: HandClock
  let seen: Memory
  let outbox: Outbox
  let counts: CaseCounts
  let answer: (tagId: TagId) => ResultOf<TagFacts, ServiceCode | 'scan/wrong-place'>
  let canChangeCases: boolean
  let events: MainEvents
  let brands: Result<{ uuid: ShortUuid }[], AppError>
  /** What the count told, in order. */
  let announced: CountChange[] = []
  let announcedCounts: CountView[] = []

  const open = () => {
    seen = new Memory(db)
    events = eventsOf(db)
    outbox = new Outbox({
      db,
      events,
      clock,
      serviceClock: clock.serviceClock,
      caseOf: () => undefined,
      log: silentLog,
    })
    const view = (operation: Parameters<typeof viewOperation>[0]) => viewOperation(operation, outbox, clock)
    events.on('receiving.counted', 'test', (change) => announced.push(change))
    events.on('receiving.count', 'test', (count) => announcedCounts.push(count))
    counts = new CaseCounts({
      ...{ db, events, clock, log: silentLog, seen, outbox, late: createLateRows(db) },
      settings: createSettings(db, silentLog),
      lookup: { tag: (tagId) => Promise.resolve(answer(tagId)) },
      reporting: { view, report: (saved) => Promise.resolve(saved.ok ? ok(view(saved.value)) : saved) },
      canChangeCases: () => canChangeCases,
      listBrands: () => Promise.resolve(brands),
    })
  }
  beforeEach(() => {
    db = openStore(':memory:').db
    clock = handClock()
    answer = () => err({ code: 'service/unreachable' })
    canChangeCases = true
    brands = err({ code: 'service/unreachable' })
    announced = []
    announcedCounts = []
    open()
  })
  afterEach(() => {
    db.close()
  })

  const keepCase = (n: number, tagIds: TagId[], owner?: CaseFacts['owner']) => {
    const facts: CaseFacts = {
      caseId: caseOf(n),
      identifier: `CASE-${n}`,
      name: null,
      requiredCount: null,
      packagedProducts: [
        {
          packagedProductId: thing(n),
          productId: thing(n),
          productName: `Product ${n}`,
          brandName: null,
          sku: null,
          batchName: null,
          packagedOn: null,
          useBy: null,
          pictureUrl: null,
          tagIds,
          coa: { verdict: 'none', expiresOn: null },
          isImported: false,
        },
      ],
      tags: tagIds.map((tagId) => factsOf(tagId, caseOf(n), `Product ${n}`)),
      packageUids: [],
      ...(owner && { owner }),
    }
    seen.keepCase(facts, clock.now())
  }
  const deliver = (...cases: number[]) => {
    db.prepare('INSERT INTO delivery (id, started_at) VALUES (?, 0)').run('5f3c7d3e-7e0b-4d39-9d5b-0f6a5f1c2a11')
    const insert = db.prepare('INSERT INTO delivery_case (delivery, case_id) VALUES (1, ?)')
    for (const n of cases) insert.run(caseOf(n))
  }
  const start = (n: number | null = 1) => {
    const { id } = value(counts.startCount(n === null ? null : caseOf(n)))
    const count = counts.openCount()
    if (count?.id !== id) throw new Error('the count is not open')
    return count
  }
  const scan = async (id: CountId, tagId: TagId) => {
    const found = value(await counts.countTag(id, tagId))
    clock.advance(1_000)
    return found
  }
  const differences = async (id: CountId) =>
    value(await counts.details.detail(id)).differences.map((one) => [one.tagId, one.kind, one.resolution])
  const resolve = (countId: CountId, how: Resolve['how'], tagIds: TagId[], n = 1, because?: string) =>
    counts.details.resolve({
      countId,
      changes: [{ caseId: caseOf(n), tagIds }],
      how,
      ...(because !== undefined && { because }),
    })
  const send = (outcome: typeof accepted) => {
    const claimed = outbox.claim()
    if (!claimed) throw new Error('nothing to send')
    outbox.settle(claimed.seq, outcome)
    return claimed
  }

  return {
    get events() {
      return events
    },
    get db() {
      return db
    },
    get clock() {
      return clock
    },
    get seen() {
      return seen
    },
    get outbox() {
      return outbox
    },
    get announced() {
      return announced
    },
    /** The counts that were announced whole. */
    get announcedCounts() {
      return announcedCounts
    },
    get counts() {
      return counts
    },
    /** Opens everything again, as after a restart. */
    open,
    set answer(next: typeof answer) {
      answer = next
    },
    set canChangeCases(may: boolean) {
      canChangeCases = may
    },
    set brands(next: typeof brands) {
      brands = next
    },
    keepCase,
    deliver,
    start,
    scan,
    differences,
    resolve,
    send,
  }
}

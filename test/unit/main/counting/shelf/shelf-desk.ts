import { setImmediate } from 'node:timers/promises'
import type { Database } from 'better-sqlite3'
import { afterEach, beforeEach } from 'vitest'
import type { AppError } from '../../../../../src-shared/errors'
import type { CountId, TagId } from '../../../../../src-shared/ids'
import type {
  ShelfCount,
  ShelfDifference,
  ShelfProgress,
  ShelfScope,
} from '../../../../../src-shared/ipc/contract/stock'
import type { Result } from '../../../../../src-shared/result'
import type { CaseFacts } from '../../../../../src-shared/service/facts'
import type { MainEvents } from '../../../../../src-main/core/events'
import { silentLog } from '../../../../../src-main/core/log'
import { Memory } from '../../../../../src-main/memory/store'
import type { Operation, Outcome } from '../../../../../src-main/outbox/operation'
import { Outbox } from '../../../../../src-main/outbox/outbox'
import type { Payload } from '../../../../../src-main/outbox/payload'
import { ShelfCounts } from '../../../../../src-main/counting/shelf/counts'
import { Ledger } from '../../../../../src-main/stock/ledger'
import { openStore } from '../../../../../src-main/database/open'
import { type HandClock, handClock } from '../../../../fakes/clock'
import { caseOf, packageUid, tag, thing } from '../../../../fakes/ids'
import { accepted } from '../../outbox/desk'
import { eventsOf } from '../../../../fakes/events'

export const value = <T>(result: Result<T, AppError>): T => {
  if (!result.ok) throw new Error(JSON.stringify(result.error))
  return result.value
}
/** Tags n * 1000 + 1 … + size are in case n. */
export const tagsOf = (n: number, size: number) => Array.from({ length: size }, (_, at) => tag(n * 1_000 + at + 1))

interface CaseOptions {
  isImported?: boolean
  product?: number
  brand?: string
  sold?: readonly TagId[]
}

/** A case of one product with these items, as the service describes it. */
export const caseWith = (n: number, tagIds: readonly TagId[], options: CaseOptions = {}): CaseFacts => {
  const { isImported = false, product = n, brand = 'Hudson', sold = [] } = options
  return {
    caseId: caseOf(n),
    identifier: `CASE-${n}`,
    name: null,
    requiredCount: null,
    packagedProducts: [
      {
        packagedProductId: thing(n),
        productId: thing(100 + product),
        productName: `Product ${product}`,
        brandName: brand,
        sku: null,
        batchName: null,
        packagedOn: null,
        useBy: null,
        pictureUrl: null,
        tagIds: [...tagIds],
        coa: { verdict: 'none', expiresOn: null },
        isImported,
      },
    ],
    tags: tagIds.map((tagId) => ({
      tagId,
      caseId: caseOf(n),
      productId: thing(100 + product),
      productName: `Product ${product}`,
      brandName: brand,
      pictureUrl: null,
      isImported,
      packagedProductId: thing(n),
      soldOn: sold.includes(tagId) ? '2026-11-20T10:00:00Z' : null,
    })),
    packageUids: [],
  }
}

/** A ledger and counts over a store in memory, new for each test. `isRolledBack`: the test runs all of it inside a transaction. */
export function useShelf({ isRolledBack = false } = {}) {
  let db: Database
  let clock: HandClock
  let seen: Memory
  let events: MainEvents
  let outbox: Outbox
  let ledger: Ledger
  let counts: ShelfCounts
  let announced: ShelfCount[] = []
  let progress: ShelfProgress[] = []
  let asked: TagId[] = []
  let between: () => unknown = () => undefined
  let atOnce: number | undefined

  const open = () => {
    seen = new Memory(db)
    events = isRolledBack ? eventsOf() : eventsOf(db)
    outbox = new Outbox({
      db,
      events,
      clock,
      serviceClock: clock.serviceClock,
      caseOf: (tagId) => seen.caseOf(tagId),
      log: silentLog,
    })
    ledger = new Ledger({ db, events, seen, ownDispensaryId: 'ours', log: silentLog })
    events.on('stock.count', 'test', (count) => announced.push(count))
    events.on('stock.progress', 'test', (one) => progress.push(one))
    counts = new ShelfCounts({
      ...{ db, events, clock, log: silentLog, ledger, seen, atStep: () => undefined, stationName: () => undefined },
      identify: (tagId) => void asked.push(tagId),
      random: () => 0,
      pause: async () => {
        await setImmediate()
        await between()
      },
      atOnce,
    })
  }
  beforeEach(() => {
    db = openStore(':memory:').db
    clock = handClock()
    announced = []
    progress = []
    asked = []
    between = () => undefined
    atOnce = undefined
    open()
  })
  afterEach(() => {
    db.close()
  })

  const put = (payload: Payload): Operation => value(outbox.enqueue(payload))
  /** Sends everything that can be sent; the service accepts, or answers otherwise. */
  const send = (outcome: Outcome = accepted) => {
    for (let next = outbox.claim(); next; next = outbox.claim()) outbox.settle(next.seq, outcome)
  }
  const importing = (n: number): Extract<Payload, { kind: 'import' }> => ({
    kind: 'import',
    caseId: caseOf(n),
    packagedProductId: thing(n),
    packageUid: packageUid(n),
    posProductId: 'P',
    posInventoryId: 'I',
    productName: null,
    itemCount: 2,
  })
  const start = async (scope: ShelfScope = { kind: 'all' }): Promise<CountId> => value(await counts.start(scope)).id
  const scan = (id: CountId, ...tagIds: TagId[]) => tagIds.map((tagId) => value(counts.scans.scan(id, tagId)).kind)
  const finish = async (id: CountId) => {
    value(await counts.end.finish(id))
    return value(counts.count(id)).results
  }
  const differences = (id: CountId, after: number | null = null): ShelfDifference[] => {
    const { differences: part, next } = value(counts.finished.differences(id, {}, after))
    return next === null ? part : [...part, ...differences(id, next)]
  }
  /** A case that this station has read and imported. */
  const receive = (n: number, size: number, options: CaseOptions = {}) => {
    seen.keepCase(caseWith(n, tagsOf(n, size), options), clock.now())
    put(importing(n))
    send()
  }

  return {
    get db() {
      return db
    },
    get clock() {
      return clock
    },
    get seen() {
      return seen
    },
    get events() {
      return events
    },
    get outbox() {
      return outbox
    },
    get ledger() {
      return ledger
    },
    get counts() {
      return counts
    },
    /** Counts that were announced. */
    get announced() {
      return announced
    },
    get progress() {
      return progress
    },
    /** Items that the service was to be asked about. */
    get asked() {
      return asked
    },
    /** Opens the same database again, like a new process. */
    restart: open,
    /** What goes on between two turns of a finding, each of which looks at two items from the next start on. */
    meanwhile(happens: () => unknown): void {
      between = happens
      if (atOnce === 2) return
      atOnce = 2
      open()
    },
    put,
    send,
    importing,
    receive,
    start,
    scan,
    finish,
    differences,
    /** Each difference as its item and what it is. */
    found: (id: CountId) => differences(id).map((one) => [one.tagId, one.why ?? one.hint ?? one.result]),
    standing: async (tagId: TagId) => {
      await ledger.catchUp()
      return ledger.rows.item(tagId)?.standing
    },
  }
}

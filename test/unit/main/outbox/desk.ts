import type { Database } from 'better-sqlite3'
import { afterEach, beforeEach } from 'vitest'
import type { TagId } from '../../../../src-shared/ids'
import type { MainEvents } from '../../../../src-main/core/events'
import { silentLog } from '../../../../src-main/core/log'
import type { Operation } from '../../../../src-main/outbox/operation'
import type { Outcome } from '../../../../src-main/outbox/operation'
import { Outbox } from '../../../../src-main/outbox/outbox'
import type { Payload } from '../../../../src-main/outbox/payload'
import { openStore } from '../../../../src-main/database/open'
import { type HandClock, handClock } from '../../../fakes/clock'
import { caseOf, order, packageUid, tag, thing } from '../../../fakes/ids'
import { eventsOf } from '../../../fakes/events'

export const accepted: Outcome = { kind: 'accepted', note: null }
export const rejected: Outcome = { kind: 'rejected', reason: { code: 'service/refused', status: 400, detail: 'no' } }
export const retry: Outcome = { kind: 'retry', reason: { code: 'service/unreachable' }, afterMs: null }
export const unknown: Outcome = { kind: 'unknown', reason: { code: 'service/unreachable' }, afterMs: null }

export const complete = (orderId: string, ...tagIds: TagId[]): Payload => ({
  kind: 'complete',
  orderId: order(orderId),
  tagIds,
})
export const voiding = (orderId: string, ...tagIds: TagId[]): Payload => ({
  kind: 'void',
  orderId: order(orderId),
  tagIds,
})
export const returning = (orderId: string, ...tagIds: TagId[]): Payload => ({
  kind: 'return',
  orderId: order(orderId),
  tagIds,
})
export const importing = (n: number, posProductId = 'P'): Payload => ({
  kind: 'import',
  caseId: caseOf(n),
  packagedProductId: thing(n),
  packageUid: packageUid(n),
  posProductId,
  posInventoryId: 'I',
  productName: null,
  itemCount: 2,
})
export const removing = (n: number): Payload => ({
  kind: 'import-removal',
  caseId: caseOf(n),
  packagedProductId: thing(n),
  packageUid: packageUid(n),
  productName: null,
  itemCount: 2,
})

/** Tags 11 to 19 are in case 1, 21 to 29 in case 2; the case of other tags is unknown. */
const knownCase = (tagId: TagId) =>
  [1, 2].map(caseOf).find((_, i) => Array.from({ length: 9 }, (_, k) => tag((i + 1) * 10 + k + 1)).includes(tagId))

/** A separate outbox in memory for each test, with a clock that the test advances. */
export function useDesk() {
  let db: Database
  let clock: HandClock
  let events: MainEvents
  let outbox: Outbox

  const open = () => {
    events = eventsOf(db)
    return new Outbox({
      ...{ db, events, clock, serviceClock: clock.serviceClock, caseOf: knownCase, log: silentLog },
      random: () => 0.5,
    })
  }
  beforeEach(() => {
    db = openStore(':memory:').db
    clock = handClock()
    outbox = open()
  })
  afterEach(() => {
    db.close()
  })

  return {
    get db() {
      return db
    },
    get clock() {
      return clock
    },
    get events() {
      return events
    },
    get outbox() {
      return outbox
    },
    /** Opens the same database again, like a new process. */
    restart() {
      outbox = open()
    },
    put(payload: Payload): Operation {
      const saved = outbox.enqueue(payload)
      if (!saved.ok) throw new Error(saved.error.code)
      return saved.value
    },
    stateOf: ({ id }: Operation) => outbox.read.byId(id)?.state,
    /** Claims all that can be claimed now, in order, without settling. */
    claimAll() {
      const claimed: Operation[] = []
      for (let next = outbox.claim(); next; next = outbox.claim()) claimed.push(next)
      return claimed
    },
  }
}

export const seqs = (operations: Operation[]) => operations.map((operation) => operation.seq)

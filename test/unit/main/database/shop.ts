import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { OperationId, TagId } from '../../../../src-shared/ids'
import type { OperationState } from '../../../../src-shared/ipc/contract/outbox'
import type { MainEvents } from '../../../../src-main/core/events'
import { silentLog } from '../../../../src-main/core/log'
import type { Operation } from '../../../../src-main/outbox/operation'
import { Outbox } from '../../../../src-main/outbox/outbox'
import type { Payload } from '../../../../src-main/outbox/payload'
import { type Store, AppStartError, openStore } from '../../../../src-main/database/open'
import { type HandClock, handClock } from '../../../fakes/clock'
import { caseOf, order, packageUid, tag, thing } from '../../../fakes/ids'
import { eventsOf } from '../../../fakes/events'

/** A data folder with a database that is used through the real outbox. */
export interface Shop {
  folder: string
  file: string
  clock: HandClock
  open(): { store: Store; outbox: Outbox; events: MainEvents }
  /** Copies the folder as a power cut would leave it now, while everything is in use. */
  powerCut(): Shop
  /** Names in the folder. */
  names(): string[]
  remove(): void
}

export function openShop(folder = mkdtempSync(join(tmpdir(), 'countertag store ü '))): Shop {
  const file = join(folder, 'countertag.db')
  const clock = handClock()
  return {
    folder,
    file,
    clock,
    open() {
      const store = openStore(file, () => clock.now())
      const events = eventsOf(store.db)
      return { store, events, outbox: outboxOn(store, clock, events) }
    },
    powerCut() {
      const copy = mkdtempSync(join(tmpdir(), 'countertag cut '))
      cpSync(folder, copy, { recursive: true })
      return openShop(copy)
    },
    names: () => readdirSync(folder).sort(),
    remove: () => {
      rmSync(folder, { recursive: true })
    },
  }
}

export const outboxOn = (store: Pick<Store, 'db'>, clock: HandClock, events = eventsOf(store.db)) =>
  new Outbox({
    db: store.db,
    events,
    clock,
    serviceClock: clock.serviceClock,
    caseOf: (tagId) => (tagId === tag(0) ? undefined : caseOf(1)),
    log: silentLog,
  })

export const sale = (n: number, ...tagIds: TagId[]): Payload => ({
  kind: 'complete',
  orderId: order(`ORDER-${n}`),
  tagIds: tagIds.length > 0 ? tagIds : [tag(2 * n), tag(2 * n + 1)],
})

export const delivery = (n: number): Payload => ({
  kind: 'import',
  caseId: caseOf(n),
  packagedProductId: thing(n),
  packageUid: packageUid(n),
  posProductId: 'P',
  posInventoryId: 'I',
  productName: `Product ${n}`,
  itemCount: 2,
})

export function put(outbox: Outbox, payload: Payload): Operation {
  const saved = outbox.enqueue(payload)
  if (!saved.ok) throw new Error(saved.error.code)
  return saved.value
}

/** The last known state of each operation. */
export type Ledger = Map<OperationId, OperationState>

/**
 * A day at the counter: `count` operations, most of them accepted, the rest refused, unanswered, on the wire,
 * withdrawn or waiting.
 */
export function work(outbox: Outbox, count: number, first = 1): Ledger {
  const ledger: Ledger = new Map()
  for (let n = first; n < first + count; n++) {
    const { id } = put(outbox, n % 5 === 0 ? delivery(n) : sale(n))
    if (n % 17 === 0) outbox.withdraw(id)
    else if (n % 23 !== 0) settleNext(outbox, n)
    ledger.set(id, 'queued')
  }
  for (const id of ledger.keys()) ledger.set(id, outbox.read.byId(id)?.state ?? 'queued')
  return ledger
}

function settleNext(outbox: Outbox, n: number): void {
  const next = outbox.claim()
  if (!next) return
  if (n % 11 === 0) outbox.settle(next.seq, { kind: 'rejected', reason: { code: 'service/items-missing' } })
  else if (n % 13 === 0) {
    outbox.settle(next.seq, { kind: 'unknown', reason: { code: 'service/unreachable' }, afterMs: 1_000_000 })
  } else if (n % 19 !== 0) outbox.settle(next.seq, { kind: 'accepted', note: null })
}

export const codeOf = (open: () => unknown) => {
  try {
    open()
    return 'opened'
  } catch (cause) {
    return cause instanceof AppStartError ? cause.code : cause
  }
}

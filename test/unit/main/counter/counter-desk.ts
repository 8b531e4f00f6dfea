import Sqlite, { type Database } from 'better-sqlite3'
import { afterEach, beforeEach } from 'vitest'
import type { AppError } from '../../../../src-shared/errors'
import type { TagId } from '../../../../src-shared/ids'
import type {
  CartChange,
  CartMode,
  CartView,
  CheckoutSettings,
  FlagChange,
  HeldOrder,
  ReportsView,
} from '../../../../src-shared/ipc/contract/checkout'
import { type Result, err, ok } from '../../../../src-shared/result'
import type { ConnectionView } from '../../../../src-shared/ipc/contract/app'
import type { TagFacts } from '../../../../src-shared/service/facts'
import { Checkout } from '../../../../src-main/counter/checkout'
import { Reports } from '../../../../src-main/counter/reports'
import type { Lookup, Recall } from '../../../../src-main/memory/lookup'
import type { MainEvents } from '../../../../src-main/core/events'
import { silentLog } from '../../../../src-main/core/log'
import { Memory } from '../../../../src-main/memory/store'
import type { Outcome } from '../../../../src-main/outbox/operation'
import { Outbox } from '../../../../src-main/outbox/outbox'
import { viewOperation } from '../../../../src-main/outbox/views'
import { schemaVersion } from '../../../../src-main/database/migrations'
import { emptyFile } from '../../../../src-main/database/schema'
import { type Seal, unsealed } from '../../../../src-main/privacy/seal'
import { counterContext } from '../../../fakes/counter-context'
import { type HandClock, handClock } from '../../../fakes/clock'
import { caseOf, order, thing } from '../../../fakes/ids'
import { eventsOf } from '../../../fakes/events'
import type { ServiceError } from '../../../../src-main/service/reply'

export const accepted: Outcome = { kind: 'accepted', note: null }

/** Facts of an item; of product 1 unless `product` says otherwise. */
export const facts = (tagId: TagId, more: Partial<TagFacts> & { product?: number } = {}): TagFacts => {
  const { product = 1, ...rest } = more
  return {
    tagId,
    caseId: caseOf(1),
    productId: thing(product),
    productName: `Product ${product}`,
    brandName: 'Hudson',
    pictureUrl: null,
    isImported: true,
    soldOn: null,
    ...rest,
  }
}

/** A fake service that is asked about items; it can go silent or answer late. */
function createShelf(keep: (facts: TagFacts) => void) {
  const known = new Map<TagId, TagFacts>()
  const remembered = new Map<TagId, TagFacts>()
  let unreachable: ServiceError | undefined
  let late: (() => void)[] | undefined
  const answer = (tagId: TagId): Result<TagFacts, ServiceError> => {
    if (unreachable) return err(unreachable)
    const found = known.get(tagId)
    if (!found) return err({ code: 'service/not-found', id: tagId })
    remembered.set(tagId, found)
    return ok(found)
  }
  const noAnswer = () => Promise.resolve(err({ code: 'service/unreachable' as const }))
  const lookup: Lookup & Recall = {
    case: noAnswer,
    package: noAnswer,
    cached: (tagId) => remembered.get(tagId),
    cachedTag: (tagId) => {
      const value = remembered.get(tagId)
      return value && { value, seenAt: 0 }
    },
    cachedCoa: (tagId) => remembered.get(tagId)?.coa,
    cachedPackage: () => undefined,
    tag: (tagId) =>
      late === undefined
        ? Promise.resolve(answer(tagId))
        : new Promise((resolve) => {
            late?.push(() => {
              resolve(answer(tagId))
            })
          }),
  }
  return {
    lookup,
    /** Puts items on the service's shelf. */
    put: (...all: TagFacts[]) => {
      for (const one of all) known.set(one.tagId, one)
    },
    remember: (...all: TagFacts[]) => {
      for (const one of all) {
        remembered.set(one.tagId, one)
        keep(one)
      }
    },
    goSilent: (error: ServiceError = { code: 'service/unreachable' }) => (unreachable = error),
    speak: () => (unreachable = undefined),
    /** From now on, answers wait for `answerAll`. */
    dawdle: () => (late = []),
    async answerAll() {
      const waiting = late ?? []
      late = undefined
      for (const one of waiting) one()
      // Late answers are announced one turn after they arrive.
      for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setTimeout(resolve, 0))
    },
  }
}

/** A separate counter for each test: a real store, a fake shelf, and a clock that the test advances. */
export function useCounter({ seal = unsealed }: { seal?: Seal } = {}) {
  let db: Database
  let statements: string[] | undefined
  let clock: HandClock
  let events: MainEvents
  let outbox: Outbox
  let shelf: ReturnType<typeof createShelf>
  let checkout: Checkout
  let reports: Reports
  let connection: ConnectionView['state'] = 'online'
  let isUnderWay = true
  let shown: ReportsView[] = []
  let carts: CartView[] = []
  let flags: FlagChange[] = []
  let holds: HeldOrder[][] = []
  let settings: CheckoutSettings[] = []
  let isOutOfReach = false

  const open = () => {
    events = eventsOf(db)
    outbox = new Outbox({
      ...{ db, events, clock, serviceClock: clock.serviceClock, caseOf: () => undefined, log: silentLog },
      productOf: (tagId) => shelf.lookup.cached(tagId)?.productName ?? null,
    })
    const view = (operation: Parameters<typeof viewOperation>[0]) => viewOperation(operation, outbox, clock)
    const context = counterContext({
      ...{ db, events, lookup: shelf.lookup, outbox, clock, serviceClock: clock.serviceClock, seal },
      reporting: { view, send: view, isUnderWay: () => isUnderWay },
      connection: {
        view: () => ({ state: connection, since: '2026-11-21T14:00:00.000Z' }),
        isOutOfReach: () => isOutOfReach,
      },
      storeName: 'Green Door',
      station: 'TILL 3/front',
    })
    reports = new Reports(context)
    events.on('checkout.reports', 'test', (reports) => shown.push(reports))
    events.on('cart.changed', 'test', (cart) => carts.push(cart))
    events.on('checkout.flags', 'test', (changes) => flags.push(...changes))
    events.on('checkout.held', 'test', (held) => holds.push(held))
    events.on('checkout.settings', 'test', (next) => settings.push(next))
    checkout = new Checkout(context)
  }
  const begin = () => {
    statements = undefined
    db = new Sqlite(emptyFile(schemaVersion), { verbose: (sql) => statements?.push(String(sql)) })
    db.pragma('foreign_keys = ON')
    clock = handClock()
    const memory = new Memory(db)
    shelf = createShelf((known) => {
      memory.keepTag(known, 1)
    })
    carts = []
    flags = []
    holds = []
    settings = []
    isOutOfReach = false
    connection = 'online'
    isUnderWay = true
    shown = []
    open()
  }
  const end = () => {
    reports.stop()
    db.close()
  }
  beforeEach(begin)
  afterEach(end)

  const value = <T>(result: Result<T, AppError>): T => {
    if (!result.ok) throw new Error(JSON.stringify(result.error))
    return result.value
  }
  const refusal = <T>(result: Result<T, AppError>): AppError => {
    if (result.ok) throw new Error(`was expected to fail, but gave ${JSON.stringify(result.value)}`)
    return result.error
  }
  const seen = (mode: CartMode) => {
    const { orderId, itemCount, revision } = checkout.cart(mode)
    return { orderId, itemCount, revision }
  }

  const counter = {
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
    get shelf() {
      return shelf
    },
    get checkout() {
      return checkout
    },
    /** Events that the counter announced. */
    get announced() {
      return { carts, flags, holds, settings, reports: shown }
    },
    get reports() {
      return reports
    },
    setConnection(state: ConnectionView['state'], expectsAnswer = false) {
      connection = state
      isUnderWay = expectsAnswer
    },
    setOutOfReach: (is: boolean) => (isOutOfReach = is),
    /** Opens the same database again, like a new process. */
    restart: open,
    /** Begins anew with an empty store, for one of many runs of a property. */
    reset() {
      end()
      begin()
    },
    value,
    /** The cart after a change. */
    shown: (change: Result<CartChange, AppError>) => checkout.cart(value(change).mode),
    refusal,
    add: async (tagId: TagId, mode: CartMode = 'sale') => value(await checkout.scanning.addItem(mode, tagId)),
    addRefused: async (tagId: TagId, mode: CartMode = 'sale') => refusal(await checkout.scanning.addItem(mode, tagId)),
    async fill(orderId: string, ...tagIds: TagId[]) {
      value(checkout.setOrder('sale', order(orderId)))
      for (const tagId of tagIds) await counter.add(tagId)
    },
    /** What the screen showed when the person acted. */
    seen,
    clear: (mode: CartMode = 'sale') => checkout.clear(mode, seen(mode).revision),
    hold: () => checkout.holding.hold(seen('sale').revision),
    /** Finishes as a person who confirms what there is to confirm. */
    finish: (mode: CartMode = 'sale', note?: string) =>
      value(checkout.finishing.finish(mode, { ...seen(mode), isMeant: true, note })),
    finishRefused: (mode: CartMode = 'sale') => refusal(checkout.finishing.finish(mode, seen(mode))),
    async sell(orderId: string, ...tagIds: TagId[]) {
      await counter.fill(orderId, ...tagIds)
      return counter.finish()
    },
    /** Sends every operation that can be sent; the service accepts, or answers with `outcome`. */
    send(outcome: (tagIds: TagId[]) => Outcome = () => accepted) {
      for (let next = outbox.claim(); next; next = outbox.claim()) {
        outbox.settle(next.seq, outcome(next.payload && 'tagIds' in next.payload ? next.payload.tagIds : []))
      }
    },
    refuse(reason: AppError = { code: 'service/not-imported', tagIds: [] }) {
      counter.send(() => ({ kind: 'rejected', reason }))
    },
    /** Counts commits while `doing` runs: committed transactions, and changes outside of a transaction. */
    async commitsOf(doing: () => Promise<unknown>) {
      const done: string[] = []
      statements = done
      await doing()
      statements = undefined
      let isInside = false
      let commits = 0
      for (const sql of done) {
        if (/^BEGIN/i.test(sql)) isInside = true
        if (/^COMMIT/i.test(sql)) {
          isInside = false
          commits++
        }
        if (!isInside && /^\s*(INSERT|UPDATE|DELETE|REPLACE)/i.test(sql)) commits++
      }
      return commits
    },
  }
  return counter
}

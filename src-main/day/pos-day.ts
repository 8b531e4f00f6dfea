import type { ResultOf } from '../../src-shared/errors'
import { OrderId } from '../../src-shared/ids'
import {
  type PosDayPart,
  type PosDayView,
  type PosDifference,
  type PosFilter,
  type PosPage,
  type PosStore,
  mostPosInFile,
  posPage,
} from '../../src-shared/ipc/contract/pos-day'
import { err, ok } from '../../src-shared/result'
import { type NotSaved, saved } from '../database/saved'
import type { Operation } from '../outbox/operation'
import { ComparedDays, isFoundBy } from './compared-day'
import type { DayContext } from './day-context'
import { History, ofOrder, saleIn } from './history'
import { isFollowed } from './pos-day-state'
import { PosDayRows } from './pos-day-rows'
import { PosLoading } from './pos-loading'
import { type OtherStations, PosWork } from './pos-work'

/**
 * What is left of a day. `left`: how many were left out; `isMissing`: the day could not be compared; `faulty`: lines of the
 * file that could not be read; `unknown`: products to decide about.
 */
interface AllOfDay {
  differences: PosDifference[]
  left: number
  isMissing: boolean
  faulty: number
  unknown: number
  /** What is known of the other stations; null for a station alone, or without a file. */
  store: PosStore | null
}

const changed = err({ code: 'pos-day/changed' as const })

/** 1001-2, 1001-3 …; null if all are taken, or none fits. */
function freeNumber(base: string, isFree: (orderId: OrderId) => boolean): OrderId | null {
  for (let n = 2; n < 100; n++) {
    const orderId = OrderId.safeParse(`${base}-${n}`).data
    if (orderId !== undefined && isFree(orderId)) return orderId
  }
  return null
}

/**
 * Compares days with the sales of the POS, and follows what is reported since. What a file said and what a person said of it
 * is stored; the comparison is made anew after a start, when the day is looked at. The rules are in day.md.
 */
export class PosDays {
  readonly #context: DayContext
  readonly #history: History
  readonly #rows: PosDayRows
  readonly #days: ComparedDays
  readonly #loading: PosLoading
  readonly #work: PosWork

  /** `storeDays`: undefined for a station alone. */
  constructor(context: DayContext, storeDays: OtherStations | undefined) {
    const { db, events, outbox, clock } = context
    const rows = new PosDayRows(db)
    const days = new ComparedDays(rows, storeDays !== undefined, clock.now())
    const loading = new PosLoading(rows, clock)
    this.#context = context
    this.#history = new History(outbox)
    this.#rows = rows
    this.#days = days
    this.#loading = loading
    this.#work = new PosWork(context, rows, days, loading, storeDays)
    events.on('operation.changed', 'day/pos-day.ts', (operation) => {
      this.#follow(operation)
    })
  }

  /** Looks at a day: it is compared if it isn't, also if that broke off before. */
  view(day: string): PosDayView {
    const held = this.#days.of(day)
    this.#work.look(held, true)
    return held.view()
  }

  /** Takes the next part of a file. The last one makes it the day's file. */
  load(part: PosDayPart): ResultOf<PosDayView | null, NotSaved | 'pos-day/broken'> {
    const { day, file, isLast } = part
    const taken = this.#loading.take(part)
    if (!taken.ok || !isLast) return taken
    this.#context.log.info('sales of the POS were loaded', { day, lines: file.lines })
    this.#fileChanged(day)
    return ok(this.#days.of(day).view())
  }

  forget(day: string): ResultOf<null, NotSaved> {
    return saved(() => {
      this.#rows.forget(day)
      this.#fileChanged(day)
      return ok(null)
    })
  }

  list(day: string, filter: PosFilter, from: number): PosPage {
    const held = this.#days.of(day)
    this.#work.look(held, false)
    const { revision, state } = held
    const found = state.is === 'failed' ? [] : held.differences().filter((one) => isFoundBy(filter, one))
    return { day, revision, filter, differences: found.slice(from, from + posPage), total: found.length }
  }

  /**
   * All that is left of a day, for its file; empty without a file of the POS. Waits while the day is compared, and until
   * the other stations were asked.
   */
  async all(day: string): Promise<AllOfDay> {
    const nothing = { ...{ differences: [], left: 0, isMissing: false, faulty: 0, unknown: 0 }, store: null }
    const looked = this.#days.of(day)
    this.#work.look(looked, true)
    if (this.#rows.loaded(day) === null) return nothing
    const held = await this.#work.settled(looked)
    const faulty = this.#rows.loaded(day)?.file.faulty ?? 0
    if (held === null || held.state.is === 'failed') return { ...nothing, isMissing: true, faulty }
    const found = held.differences()
    return {
      differences: found.slice(0, mostPosInFile),
      left: Math.max(found.length - mostPosInFile, 0),
      ...{ isMissing: false, faulty, unknown: held.unknown().length, store: held.storeView() },
    }
  }

  /** Why a difference stays; null takes the reason back. `mark`: as the person saw it. */
  setReason(
    day: string,
    orderId: OrderId,
    mark: string,
    reason: string | null,
  ): ResultOf<null, NotSaved | 'pos-day/changed'> {
    const held = this.#days.of(day)
    if (held.difference(orderId)?.mark !== mark) return changed
    return saved(() => {
      if (reason === null) {
        this.#rows.dropReason(day, orderId)
        held.reasons.delete(orderId)
      } else {
        const given = { mark, reason, at: this.#context.clock.now() }
        this.#rows.setReason(day, orderId, given)
        held.reasons.set(orderId, given)
      }
      this.#work.announce(held)
      return ok(null)
    })
  }

  /** `pos-day/changed`: there is no such product. */
  setTracked(day: string, productId: number, isTracked: boolean | null): ResultOf<null, NotSaved | 'pos-day/changed'> {
    return saved(() => {
      if (!this.#rows.setTracked(productId, isTracked)) return changed
      this.#compareAll(day)
      return ok(null)
    })
  }

  /** The number under which missing items of an order can be sold. */
  saleNumber(day: string, orderId: OrderId): ResultOf<{ orderId: OrderId }, NotSaved | 'pos-day/changed'> {
    const held = this.#days.of(day)
    const found = held.difference(orderId)
    const loaded = this.#rows.loaded(day)
    if (found?.scan !== 'sale' || !loaded) return changed
    const base = found.hereId ?? orderId
    const isTaken = (one: OrderId) => this.#isUsed(one) || held.comparison?.isSoldElsewhere(one) === true
    if (!isTaken(base)) return ok({ orderId: base })
    const free = freeNumber(base, (one) => !isTaken(one) && !this.#rows.isInFile(one, loaded.load))
    if (free === null) return changed
    return saved(() => {
      this.#rows.addSecond(free, base)
      return ok({ orderId: free })
    })
  }

  /** Clears away what an earlier process left. */
  start(): void {
    this.#work.start()
  }

  stop(): Promise<void> {
    return this.#work.stop()
  }

  /** Whether an order number was used at this station. */
  #isUsed(orderId: OrderId): boolean {
    return saleIn(this.#history.order(orderId)) !== undefined
  }

  #fileChanged(day: string): void {
    this.#days.of(day).comparison = null
    this.#compareAll(day)
  }

  /** What is known of the products, or which orders are of another day, has changed: that concerns every day. */
  #compareAll(day: string): void {
    const held = this.#days.of(day)
    this.#work.compareAll(held)
    this.#work.announce(held)
  }

  /** A report of this station was made, or has changed: its order is judged again, or with all others. */
  #follow(operation: Operation): void {
    const orderId = ofOrder(operation)?.orderId
    if (orderId === undefined) return
    for (const held of this.#days.all()) {
      if (!isFollowed(held.state)) held.on({ of: 'report', orderId })
      else if (held.comparison?.reportChanged(orderId) === true) this.#work.announce(held)
      else this.#work.compare(held)
    }
  }
}

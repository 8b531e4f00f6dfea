import {
  type PosDayView,
  type PosDifference,
  type PosDifferenceKind,
  PosDifferenceKind as Kinds,
  type PosFilter,
  type PosProduct,
  type PosStore,
  mostPosProducts,
} from '../../src-shared/ipc/contract/pos-day'
import { assertNever } from '../../src-shared/result'
import { iso } from '../core/clock'
import type { Comparison, FoundDifference } from './pos-comparison'
import { type PosDayEvent, type PosDayState, isComing, onPosDay, shownAs } from './pos-day-state'
import type { PosDayRows, StoredReason } from './pos-day-rows'
import { OtherReports } from './pos-others'
import type { NamedByPos } from './pos-products'
import { type StoreStatus, notAsked, storeView } from './pos-store'

const byNumber = new Intl.Collator('en', { numeric: true })

type Status = 'open' | 'pending' | 'reasoned'

/** `pending`: another station may have reported the order, which isn't known yet. */
function statusOf({ kind, mark }: FoundDifference, given: StoredReason | undefined, isIncomplete: boolean): Status {
  if (given?.mark === mark) return 'reasoned'
  return isIncomplete && kind === 'only-pos' ? 'pending' : 'open'
}

const shownStatus = ({ reason, isPending }: PosDifference): Status => {
  if (reason?.isCurrent === true) return 'reasoned'
  return isPending ? 'pending' : 'open'
}
const ranks = { open: 0, pending: 1, reasoned: 2 }
const rankOf = (one: PosDifference) => ranks[shownStatus(one)]

export function isFoundBy(filter: PosFilter, one: PosDifference): boolean {
  switch (filter) {
    case 'all':
      return true
    case 'open':
    case 'pending':
    case 'reasoned':
      return shownStatus(one) === filter
    case 'only-pos':
    case 'only-here':
    case 'count':
    case 'voided-pos':
    case 'voided-here':
      return one.kind === filter && !one.isPending
    default:
      return assertNever(filter)
  }
}

/** A day in memory: where its comparison stands, what that found, and what a person said of it. */
export class ComparedDay {
  readonly day: string
  /** Grows with every change. */
  revision: number
  comparison: Comparison | null = null
  others = new OtherReports()
  /** What is known of the other stations; null for a station alone. */
  store: StoreStatus | null
  readonly reasons: Map<string, StoredReason>
  readonly #rows: PosDayRows
  #state: PosDayState
  /** In the order of the list; null after a change. */
  #sorted: PosDifference[] | null = null

  /** `isShared`: the store has other stations. */
  constructor(day: string, rows: PosDayRows, isShared: boolean, revision: number) {
    this.day = day
    this.revision = revision
    this.store = isShared ? notAsked : null
    this.reasons = rows.reasons(day)
    this.#rows = rows
    this.#state = { is: rows.loaded(day) === null ? 'empty' : 'outdated' }
  }

  get state(): PosDayState {
    return this.#state
  }

  on(event: PosDayEvent): void {
    this.#state = onPosDay(this.#state, event)
  }

  get isComing(): boolean {
    return isComing(this.#state)
  }

  changed(revision: number): void {
    this.revision = revision
    this.#sorted = null
  }

  /** Open ones first, then pending ones; by order number. */
  differences(): PosDifference[] {
    this.#sorted ??= [...this.#found()]
      .map((found) => this.#withReason(found))
      .sort((one, other) => rankOf(one) - rankOf(other) || byNumber.compare(one.orderId, other.orderId))
    return this.#sorted
  }

  difference(orderId: string): PosDifference | undefined {
    const found = this.comparison?.differences.get(orderId)
    return found && this.#withReason(found)
  }

  /** Products to decide about. */
  unknown(): NamedByPos[] {
    const { comparison } = this
    return comparison?.products.filter(({ id }) => comparison.statusOf(id) === 'unknown') ?? []
  }

  storeView(): PosStore | null {
    return this.store && storeView(this.store, this.others)
  }

  view(): PosDayView {
    const { day, revision, comparison } = this
    const loaded = this.#rows.loaded(day)
    const { open, pending, reasoned } = this.#counts(loaded !== null)
    const unknown = this.unknown()
      .map((product) => this.#product(product))
      .sort((one, other) => other.items - one.items)
    const decided = this.#rows.decided()
    const state = loaded === null ? 'none' : shownAs(this.#state)
    const isDone = state === 'compared' && pending === 0 && Kinds.options.every((kind) => open[kind] === 0)
    return {
      ...{ day, revision, state, open, pending, reasoned },
      store: this.storeView(),
      file: loaded && { ...loaded.file, loadedAt: iso(loaded.loadedAt), orders: comparison?.posCount ?? 0 },
      done: this.#done(),
      matched: comparison?.matched.size ?? 0,
      unknown: unknown.slice(0, mostPosProducts),
      unknownCount: unknown.length,
      untracked: this.#products(decided.filter(({ isTracked }) => isTracked === false)),
      tracked: this.#products(decided.filter(({ isTracked }) => isTracked === true)),
      // What could not be read may differ.
      isSettled: isDone && unknown.length === 0 && loaded?.file.faulty === 0,
    }
  }

  #done(): number {
    if (this.#state.is === 'reading') return this.#state.done
    return this.#state.is === 'asking' ? 0 : (this.comparison?.posCount ?? 0)
  }

  #statusOf(found: FoundDifference): Status {
    return statusOf(found, this.reasons.get(found.orderId), this.store?.isIncomplete === true)
  }

  #withReason(found: FoundDifference): PosDifference {
    const given = this.reasons.get(found.orderId)
    const reason = given ? { text: given.reason, at: iso(given.at), isCurrent: given.mark === found.mark } : null
    const isPending = this.#statusOf(found) === 'pending'
    // What another station may have sold isn't sold once more.
    return { ...found, scan: isPending ? null : found.scan, isPending, reason }
  }

  #counts(isLoaded: boolean) {
    const open: Record<PosDifferenceKind, number> = {
      ...{ 'only-pos': 0, 'only-here': 0, count: 0, 'voided-pos': 0, 'voided-here': 0 },
    }
    const counts = { open, pending: 0, reasoned: 0 }
    for (const found of isLoaded ? this.#found() : []) {
      const status = this.#statusOf(found)
      if (status === 'open') open[found.kind]++
      else counts[status]++
    }
    return counts
  }

  #found(): Iterable<FoundDifference> {
    return this.comparison?.differences.values() ?? []
  }

  #products(products: NamedByPos[]): PosProduct[] {
    return products.slice(0, mostPosProducts).map((product) => this.#product(product))
  }

  #product({ id, posProductId, sku, productName }: NamedByPos): PosProduct {
    return { ...{ id, posProductId, sku, productName }, ...(this.comparison?.sold.get(id) ?? { items: 0, orders: 0 }) }
  }
}

/** Days that are kept in memory: the one on the screen, and one that was. */
const mostHeld = 2

/** The days in memory. One that is waited for stays. */
export class ComparedDays {
  readonly #rows: PosDayRows
  readonly #isShared: boolean
  readonly #days = new Map<string, ComparedDay>()
  #revision: number

  /** `revision`: grows over a restart, too. Pages keep the newest view. */
  constructor(rows: PosDayRows, isShared: boolean, revision: number) {
    this.#rows = rows
    this.#isShared = isShared
    this.#revision = revision
  }

  /** A day that is looked at leaves the memory last. */
  of(day: string): ComparedDay {
    const held = this.#days.get(day) ?? new ComparedDay(day, this.#rows, this.#isShared, this.#revision)
    this.#days.delete(day)
    this.#days.set(day, held)
    for (const [oldest, { isComing }] of this.#days) {
      if (this.#days.size > mostHeld && oldest !== day && !isComing) this.#days.delete(oldest)
    }
    return held
  }

  all(): ComparedDay[] {
    return [...this.#days.values()]
  }

  changed(day: ComparedDay): void {
    day.changed(++this.#revision)
  }
}

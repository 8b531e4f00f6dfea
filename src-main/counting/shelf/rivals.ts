import type { CountId } from '../../../src-shared/ids'
import type { ResultOf } from '../../../src-shared/errors'
import { err } from '../../../src-shared/result'
import { iso } from '../../core/clock'
import { type ShelfCountRow, type ShelfCountRows, isUnderWay } from './count-rows'
import type { KeptScope } from './scope'
import type { Shelf } from './shelf'

/** Counts that are open at once. */
const mostOpen = 20
/** Pairs of counts whose overlap is remembered. */
const mostRemembered = 500

type Refusal<Code extends 'stock/count-open' | 'stock/too-many-counts'> = ResultOf<never, Code>

/** Two counts under way never hold the same item. */
export class Rivals {
  readonly #rows: Pick<ShelfCountRows, 'open'>
  readonly #shelf: Pick<Shelf, 'overlap'>
  /** Whether scopes hold some of the same items, as it was when it was asked first: asking reads the whole ledger. */
  readonly #overlapping = new Map<string, boolean>()

  constructor(rows: Pick<ShelfCountRows, 'open'>, shelf: Pick<Shelf, 'overlap'>) {
    this.#rows = rows
    this.#shelf = shelf
  }

  /** Why no further count can be open; undefined if one can. */
  tooMany(): Refusal<'stock/too-many-counts'> | undefined {
    const { length: count } = this.#rows.open()
    return count >= mostOpen ? err({ code: 'stock/too-many-counts', count }) : undefined
  }

  /** The refusal if another count under way has some of the same items. `own`: the count itself. */
  rival(scope: KeptScope, own?: number): Refusal<'stock/count-open'> | undefined {
    const other = this.#rows
      .open()
      .find((row) => row.seq !== own && isUnderWay(row) && this.#shelf.overlap(row.scope, scope))
    return other && err({ code: 'stock/count-open', startedAt: iso(other.startedAt) })
  }

  /** Counts under way here that have some items of a scope. */
  overlaps(scope: KeptScope): CountId[] {
    return this.#rows.open().flatMap((row) => (isUnderWay(row) && this.#isOverlapping(row, scope) ? [row.id] : []))
  }

  /** Whether scopes hold some of the same items. */
  doOverlap(one: KeptScope, other: KeptScope): boolean {
    return this.#shelf.overlap(one, other)
  }

  #isOverlapping(row: ShelfCountRow, scope: KeptScope): boolean {
    const key = JSON.stringify([row.scope, scope])
    const known = this.#overlapping.get(key) ?? this.#shelf.overlap(row.scope, scope)
    if (this.#overlapping.size >= mostRemembered) this.#overlapping.clear()
    this.#overlapping.set(key, known)
    return known
  }
}

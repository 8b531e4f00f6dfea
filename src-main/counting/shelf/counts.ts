import { randomInt, randomUUID } from 'node:crypto'
import type { ResultOf } from '../../../src-shared/errors'
import { CountId, type TagId } from '../../../src-shared/ids'
import type { ShelfChoices, ShelfCount, ShelfPast, ShelfScope } from '../../../src-shared/ipc/contract/stock'
import { err, ok } from '../../../src-shared/result'
import { type NotSaved, saved } from '../../database/saved'
import type { ShelfBody } from '../../hub/rows'
import type { ScannedBy } from '../session/station-tally'
import { type NotChanged, type NotFinishedHere, CountBook, refusalOf } from './count-book'
import { CountEnd } from './count-end'
import { CountMerging } from './count-merging'
import { isUnderWay } from './count-rows'
import { DifferenceFinder } from './difference-finder'
import { Differences } from './differences'
import { FinishedCounts } from './finished-counts'
import { Rivals } from './rivals'
import { ScanSession } from './scan-session'
import type { KeptScope } from './scope'
import { Shelf } from './shelf'
import type { ShelfContext } from './shelf-context'

/** Why another station's count of some of the same items stands in the way; undefined if none does. */
export type ObjectionElsewhere = (scope: KeptScope) => ResultOf<never, 'stock/counted-elsewhere'> | undefined

/** Counts of a page of the history. */
const pageOfHistory = 100

/** Counts of the shelf, from the start to the history. Rules: counting.md. */
export class ShelfCounts {
  readonly book: CountBook
  readonly scans: ScanSession
  readonly end: CountEnd
  readonly finished: FinishedCounts
  readonly merging: CountMerging
  readonly rivals: Rivals
  readonly #context: ShelfContext
  readonly #shelf: Shelf
  readonly #finder: DifferenceFinder

  constructor(context: ShelfContext) {
    const { db, events, atOnce } = context
    this.#context = context
    const book = new CountBook(db, events)
    const shelf = new Shelf(db)
    const differences = new Differences(db, atOnce)
    const finder = new DifferenceFinder(context, book.scans)
    this.book = book
    this.#shelf = shelf
    this.#finder = finder
    this.rivals = new Rivals(book.rows, shelf)
    this.scans = new ScanSession(context, book, differences)
    this.end = new CountEnd(context, book, finder, shelf)
    this.finished = new FinishedCounts(context, book, differences, finder)
    this.merging = new CountMerging(context, book, shelf, this.rivals)
    this.scans.identifyUnknown()
  }

  choices(text: string): ShelfChoices {
    return this.#shelf.choices(text)
  }

  open(): ShelfCount[] {
    return this.book.rows.open().map((row) => this.book.viewOf(row))
  }

  count(id: CountId): ResultOf<ShelfCount, 'stock/no-count'> {
    const row = this.book.find(id)
    return row.ok ? ok(this.book.viewOf(row.value)) : row
  }

  /** Who counted, if other stations did. */
  stationsOf(id: CountId): ScannedBy {
    const row = this.book.rows.byId(id)
    return row ? this.book.viewOf(row).stations : []
  }

  history(before: number | null): { counts: ShelfPast[]; next: number | null } {
    const found = this.book.rows.past(before ?? Number.MAX_SAFE_INTEGER, pageOfHistory + 1)
    const shown = found.slice(0, pageOfHistory)
    return {
      counts: shown.map((row) => this.book.pastOf(row)),
      next: found.length > pageOfHistory ? (shown.at(-1)?.seq ?? null) : null,
    }
  }

  /** `objectionElsewhere`: of the other stations. */
  start(
    scope: ShelfScope,
    objectionElsewhere: ObjectionElsewhere = () => undefined,
  ): Promise<
    ResultOf<
      Pick<ShelfCount, 'id'>,
      | NotSaved
      | 'app/reopened'
      | 'stock/count-open'
      | 'stock/counted-elsewhere'
      | 'stock/nothing-here'
      | 'stock/too-many-counts'
    >
  > {
    return this.#caughtUp(() => {
      const started = saved(() => this.#insert(scope, objectionElsewhere))
      if (started.ok) this.book.announce(this.book.again(started.value.id))
      return started
    })
  }

  /** Counts along with another station. */
  async join(
    id: CountId,
    body: ShelfBody,
    isRecount: boolean,
  ): Promise<
    ResultOf<null, NotSaved | 'app/reopened' | 'stock/count-open' | 'stock/too-many-counts' | 'stock/wrong-state'>
  > {
    const joined = await this.#caughtUp(() =>
      saved(() => this.book.inOne(() => this.merging.join(id, body, isRecount))),
    )
    const row = joined.ok ? this.book.rows.byId(id) : undefined
    if (row) this.book.announce(row)
    return joined
  }

  pause(id: CountId): ResultOf<null, NotChanged> {
    return this.book.changed(id, ['counting'], (row) => this.book.moveTo(row, 'paused'))
  }

  resume(id: CountId): ResultOf<null, NotChanged> {
    return this.book.changed(id, ['paused'], (row) => this.book.moveTo(row, 'counting'))
  }

  drop(id: CountId): ResultOf<null, NotFinishedHere | NotSaved> {
    return this.book.changed(id, ['counting', 'paused', 'finished'], (row) => {
      const here = isUnderWay(row) ? ok(row) : this.book.finishedHere(id)
      return here.ok ? this.book.moveTo(row, 'dropped') : here
    })
  }

  /** Counts the differences again. A count that another station finished is opened, to be finished here. */
  recount(
    id: CountId,
    objectionElsewhere: ObjectionElsewhere = () => undefined,
  ): ResultOf<null, NotChanged | 'stock/count-open' | 'stock/counted-elsewhere' | 'stock/no-differences'> {
    return this.book.changed(id, ['finished'], (row) => {
      const { missing = 0, unexpected = 0 } = row.results ?? {}
      if (row.ended === null && missing + unexpected === 0) return err({ code: 'stock/no-differences' })
      const no = this.rivals.rival(row.scope, row.seq) ?? objectionElsewhere(row.scope)
      if (no) return no
      this.book.rows.reopen(row.seq)
      return ok(null)
    })
  }

  /** The service has said more of an item. Returns whether a finished count says that nothing is known of it. */
  learned(tagId: TagId): boolean {
    this.#finder.learned(tagId)
    return this.scans.learned(tagId)
  }

  #insert(
    scope: ShelfScope,
    objectionElsewhere: ObjectionElsewhere,
  ): ResultOf<
    Pick<ShelfCount, 'id'>,
    'stock/count-open' | 'stock/counted-elsewhere' | 'stock/nothing-here' | 'stock/too-many-counts'
  > {
    const { ledger, clock, random = randomInt } = this.#context
    const tooMany = this.rivals.tooMany()
    if (tooMany) return tooMany
    const kept = this.#shelf.keep(scope, random)
    if (!kept) return err({ code: 'stock/nothing-here' })
    const no = this.rivals.rival(kept) ?? objectionElsewhere(kept)
    if (no) return no
    const id = CountId.parse(randomUUID())
    const startedMove = ledger.newestMove()
    this.book.rows.insert({ id, scope: kept, startedAt: clock.now(), startedMove, asOf: ledger.asOf() })
    return ok({ id })
  }

  /** Takes in every report, then acts before another one can be saved. */
  async #caughtUp<Done>(act: () => Done): Promise<Done | ResultOf<never, NotSaved | 'app/reopened'>> {
    const { ledger } = this.#context
    for (;;) {
      try {
        await ledger.catchUp()
      } catch (cause) {
        return refusalOf(cause)
      }
      if (ledger.isStopped()) return err({ code: 'app/reopened' })
      if (ledger.isCaughtUp()) return act()
    }
  }
}

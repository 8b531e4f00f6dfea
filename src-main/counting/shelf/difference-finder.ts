import { setImmediate } from 'node:timers/promises'
import type { AppErrorOf } from '../../../src-shared/errors'
import type { TagId } from '../../../src-shared/ids'
import { type Result, err, ok } from '../../../src-shared/result'
import { noteCommit, saved } from '../../database/saved'
import type { ShelfCountRow } from './count-rows'
import { DifferenceRows } from './difference-rows'
import { Finding, type FoundDifferences } from './finding'
import type { ShelfScanRows } from './scan-rows'
import type { ShelfContext } from './shelf-context'

/** The count that is wanted, as it is now; refused if it is in another state by now. */
type Check<E> = () => Result<ShelfCountRow, E>
/** What `check` refuses, or that the data was closed. */
type Refusal<E> = E | AppErrorOf<'app/reopened'>
/** Keeps the results, in the commit that makes the differences count. */
type Conclude = (row: ShelfCountRow, found: FoundDifferences) => void

/** Some ms of work, also if all of them are missing. */
const defaultAtOnce = 400

const reopened = err({ code: 'app/reopened' })

/**
 * Finds what differs in counts, one after the other, in slices of some ms between which everything else goes on. Each
 * slice prepares the differences of some items; the last one looks at what has changed since its slice, and makes all of
 * them count in one commit. Rules: counting.md.
 */
export class DifferenceFinder {
  readonly #context: ShelfContext
  readonly #scans: ShelfScanRows
  readonly #rows: DifferenceRows
  readonly #pause: () => Promise<unknown>
  readonly #atOnce: number
  /** Items that the finding under way looks at before it ends. */
  readonly #due = new Set<TagId>()
  #isUnderWay = false
  #queue: Promise<unknown> = Promise.resolve()

  constructor(context: ShelfContext, scans: ShelfScanRows) {
    this.#context = context
    this.#scans = scans
    this.#rows = new DifferenceRows(context.db)
    this.#pause = context.pause ?? (() => setImmediate())
    this.#atOnce = context.atOnce ?? defaultAtOnce
  }

  /**
   * Finds what differs in the count that `check` gives, if it still gives it at the end; then `conclude` is called.
   * Rejects if the disk refuses: then nothing counts.
   */
  find<E>(check: Check<E>, conclude: Conclude): Promise<Result<null, Refusal<E>>> {
    const found = this.#queue.then(() => this.#watched(() => this.#run(check, conclude)))
    this.#queue = found.catch(() => undefined)
    return found
  }

  /** Something is known of an item, or was scanned: a finding under way looks at it again. */
  learned(tagId: TagId): void {
    if (this.#isUnderWay) this.#due.add(tagId)
  }

  /** Differences without a reason. */
  open(count: Pick<ShelfCountRow, 'seq' | 'round'>): number {
    return this.#rows.open(count)
  }

  async #watched<E>(work: () => Promise<Result<null, E>>): Promise<Result<null, Refusal<E>>> {
    const { ledger } = this.#context
    if (ledger.isStopped()) return reopened
    this.#due.clear()
    this.#isUnderWay = true
    const learned = (tagId: TagId) => {
      this.learned(tagId)
    }
    const stops = [ledger.rows.watch(learned), this.#scans.watch(learned)]
    try {
      return await work()
    } finally {
      for (const stop of stops) stop()
      this.#isUnderWay = false
    }
  }

  async #run<E>(check: Check<E>, conclude: Conclude): Promise<Result<null, Refusal<E>>> {
    const checked = check()
    if (!checked.ok) return checked
    const count = checked.value
    for (;;) {
      const tidied = await this.#slice(check, () => this.#rows.tidy(count, this.#atOnce))
      if (!tidied.ok) return tidied
      if (!tidied.value) break
    }
    const cached = (tagId: TagId) => this.#context.seen.tag(tagId)?.value
    const context = { rows: this.#rows, scans: this.#scans, cached, atOnce: this.#atOnce }
    const finding = new Finding(context, count)
    const prepared = await this.#prepare(finding, check)
    return prepared.ok ? this.#end(finding, count, check, conclude) : prepared
  }

  /** Looks at all items of the count, and at what changed meanwhile until little is left and the ledger has every report. */
  async #prepare<E>(finding: Finding, check: Check<E>): Promise<Result<null, Refusal<E>>> {
    const { ledger } = this.#context
    for (const tagIds of finding.candidates()) {
      const looked = await this.#slice(check, () => this.#look(finding, tagIds))
      if (!looked.ok) return looked
    }
    for (;;) {
      await ledger.catchUp()
      if (ledger.isStopped()) return reopened
      if (!ledger.isCaughtUp()) continue
      if (this.#due.size <= this.#atOnce) return ok(null)
      const looked = await this.#slice(check, () => this.#look(finding, [...this.#due].slice(0, this.#atOnce)))
      if (!looked.ok) return looked
    }
  }

  /** The last slice, which makes all that was prepared count. */
  async #end<E>(finding: Finding, count: ShelfCountRow, check: Check<E>, conclude: Conclude): Promise<Result<null, E>> {
    const done = this.#inOne(check, (now) => {
      this.#look(finding, [...this.#due])
      const found = finding.end()
      conclude(now, found)
      return found.round
    })
    if (!done.ok) return done
    noteCommit()
    const round = done.value
    if (round > count.round) await this.#tidyAfter({ ...count, round })
    return ok(null)
  }

  #look(finding: Finding, tagIds: readonly TagId[]): void {
    finding.look(tagIds)
    for (const tagId of tagIds) this.#due.delete(tagId)
  }

  /** A commit of some ms, if the count still is as it was wanted; then other work. */
  async #slice<T, E>(check: Check<E>, work: () => T): Promise<Result<T, Refusal<E>>> {
    const done = this.#inOne(check, work)
    if (!done.ok) return done
    await this.#pause()
    return this.#context.ledger.isStopped() ? reopened : done
  }

  #inOne<T, E>(check: Check<E>, work: (now: ShelfCountRow) => T): Result<T, E> {
    const inOne = this.#context.db.transaction((): Result<T, E> => {
      const now = check()
      return now.ok ? ok(work(now.value)) : now
    })
    return inOne.immediate()
  }

  /** Deletes the differences that a finding left out. If the disk refuses, the next one does. */
  async #tidyAfter(count: ShelfCountRow): Promise<void> {
    for (;;) {
      await this.#pause()
      if (this.#context.ledger.isStopped()) return
      const tidied = saved(() =>
        ok(this.#context.db.transaction(() => this.#rows.tidy(count, this.#atOnce)).immediate()),
      )
      if (!tidied.ok || !tidied.value) return
    }
  }
}

import { setImmediate } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { ResultOf } from '../../../src-shared/errors'
import type { CountId } from '../../../src-shared/ids'
import { err } from '../../../src-shared/result'
import { type CountBook, type NotChanged, type NotFinishedHere, refusalOf } from './count-book'
import type { ShelfCountRow } from './count-rows'
import type { DifferenceFinder } from './difference-finder'
import type { FoundDifferences } from './finding'
import type { Shelf } from './shelf'
import type { ShelfContext } from './shelf-context'

/** What looking again at a finished count has to keep: other results, only as of when they are, or nothing. */
export function newsOf(
  row: Pick<ShelfCountRow, 'results' | 'asOf'>,
  { results, isChanged }: Pick<FoundDifferences, 'results' | 'isChanged'>,
  asOf: ShelfCountRow['asOf'],
): 'results' | 'as-of' | 'none' {
  if (isChanged || !isDeepStrictEqual(results, row.results)) return 'results'
  return isDeepStrictEqual(asOf, row.asOf) ? 'none' : 'as-of'
}

/** The end of a count: what differs is found, and looked at again until it is signed. */
export class CountEnd {
  readonly #context: ShelfContext
  readonly #book: CountBook
  readonly #finder: DifferenceFinder
  readonly #shelf: Shelf

  constructor(context: ShelfContext, book: CountBook, finder: DifferenceFinder, shelf: Shelf) {
    this.#context = context
    this.#book = book
    this.#finder = finder
    this.#shelf = shelf
  }

  /** Finds what differs, with every report and scan that comes until the answer. */
  async finish(id: CountId): Promise<ResultOf<null, NotChanged | 'app/reopened' | 'stock/not-read'>> {
    const { ledger, clock, atStep } = this.#context
    const check = () => this.#book.inState(id, 'counting', 'paused')
    const row = check()
    // Another station's count of something that was not read here would have nothing to miss.
    if (row.ok && !this.#shelf.isKnown(row.value.scope)) return err({ code: 'stock/not-read' })
    const found = this.#finder.find(check, ({ seq }, { results, round }) => {
      atStep('finish.writing')
      this.#book.rows.finish(seq, { at: clock.now(), results, round, asOf: ledger.asOf() })
    })
    const done = await found.catch(refusalOf)
    if (!done.ok) return done
    atStep('finish.saved')
    this.#book.announce(this.#book.again(id))
    return done
  }

  /**
   * Looks again at the differences of finished counts: the service may have said meanwhile that an item was sold. Ends when the
   * ledger is stopped. Rejects if the disk refuses.
   */
  async lookAgain(): Promise<void> {
    for (const { id, state, ended } of this.#book.rows.open()) {
      if (state !== 'finished' || ended !== null) continue
      await setImmediate()
      const looked = await this.#findAgain(id)
      if (!looked.ok && looked.error.code === 'app/reopened') return
    }
  }

  /** Announces a finished count only if what was found of it, or as of when, is another now. */
  async #findAgain(id: CountId): Promise<ResultOf<null, NotFinishedHere | 'app/reopened'>> {
    const { ledger } = this.#context
    let before = this.#book.rows.byId(id)
    const done = await this.#finder.find(
      () => this.#book.finishedHere(id),
      (row, found) => {
        before = row
        const asOf = ledger.asOf()
        const news = newsOf(row, found, asOf)
        if (news === 'results') this.#book.rows.setFound(row.seq, { ...found, asOf })
        // What was seen can still be signed.
        if (news === 'as-of') this.#book.rows.setAsOf(row.seq, asOf)
      },
    )
    if (!done.ok) return done
    const now = this.#book.again(id)
    if (now.revision !== before?.revision || !isDeepStrictEqual(now.asOf, before.asOf)) this.#book.announce(now)
    return done
  }
}

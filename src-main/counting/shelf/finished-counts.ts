import type { ResultOf } from '../../../src-shared/errors'
import { localTime } from '../../../src-shared/csv/local-time'
import type { GateQuestion } from '../../../src-shared/gates'
import type { CountId } from '../../../src-shared/ids'
import type { DifferenceChoice, DifferenceFilter, ShelfLine, ShelfReason } from '../../../src-shared/ipc/contract/stock'
import { err, ok } from '../../../src-shared/result'
import { fileNamePart } from '../../../src-shared/text'
import type { Clock } from '../../core/clock'
import type { AtStep } from '../../core/steps'
import type { NotSaved } from '../../database/saved'
import type { Ledger } from '../../stock/ledger'
import type { CountBook, NotFinishedHere } from './count-book'
import { type ShelfCountRow, isUnderWay } from './count-rows'
import type { DifferenceFinder } from './difference-finder'
import type { Differences } from './differences'
import { viewOfScope } from './scope'

interface FinishedContext {
  book: CountBook
  differences: Differences
  finder: Pick<DifferenceFinder, 'open'>
  ledger: Pick<Ledger, 'isStopped'>
  clock: Pick<Clock, 'now'>
  atStep: AtStep
  /** Lets other work run. */
  pause: () => Promise<unknown>
}

/** A reason and the words of the person who gives it; null takes it back. */
interface GivenReason {
  reason: ShelfReason | null
  text: string | null
}

type Explained = ReturnType<Differences['explain']>

/** A count shows its differences once it is finished, at the station that finished it. */
const hasDifferences = (row: ShelfCountRow) => !isUnderWay(row) && row.ended === null

const differingOf = ({ results }: ShelfCountRow) => (results?.missing ?? 0) + (results?.unexpected ?? 0)

/** What became of counts that this station finished: differences, their reasons, the signature, the file. */
export class FinishedCounts {
  readonly #context: FinishedContext

  constructor(context: FinishedContext) {
    this.#context = context
  }

  products(id: CountId): ResultOf<ReturnType<Differences['products']>, 'stock/no-count'> {
    const { book, differences } = this.#context
    const row = book.find(id)
    if (!row.ok) return row
    return ok(hasDifferences(row.value) ? differences.products(row.value.seq) : { products: [], more: 0 })
  }

  differences(
    id: CountId,
    filter: DifferenceFilter,
    after: number | null,
  ): ResultOf<ReturnType<Differences['page']>, 'stock/no-count'> {
    const { book, differences } = this.#context
    const row = book.find(id)
    if (!row.ok) return row
    return ok(
      hasDifferences(row.value)
        ? differences.page(row.value.seq, filter, after)
        : { differences: [], total: 0, kinds: [], next: null },
    )
  }

  /** Gives differences a reason, many of them in slices: what was done before an error stays. */
  async explain(
    id: CountId,
    which: DifferenceChoice,
    reason: ShelfReason | null,
    text: string | null,
  ): Promise<
    ResultOf<
      { explained: number; revision: number },
      NotFinishedHere | NotSaved | 'app/reopened' | 'stock/changed' | 'stock/reason-misfit' | 'stock/reason-words'
    >
  > {
    const { book, ledger, differences, pause } = this.#context
    const row = this.#explainable(id, which, { reason, text })
    if (!row.ok) return row
    // What turns out to differ meanwhile has no reason yet.
    const upTo = differences.newest(row.value.seq)
    let explained = 0
    for (let next: number | null = 0; next !== null;) {
      const slice: ResultOf<Explained, NotSaved | NotFinishedHere | 'app/reopened'> = ledger.isStopped()
        ? err({ code: 'app/reopened' })
        : this.#explainSlice(id, which, { reason, text }, { after: next, upTo })
      if (!slice.ok) {
        if (explained > 0) book.announce(book.again(id))
        return slice
      }
      explained += slice.value.explained
      next = slice.value.next
      if (next !== null) await pause()
    }
    const now = book.again(id)
    book.announce(now)
    return ok({ explained, revision: now.revision })
  }

  /** The gate that signing passes; null if it can't be signed: then `sign` says why. */
  gateOfSign(id: CountId, revision: number): GateQuestion | null {
    const row = this.#signable(id, revision)
    if (!row.ok) return null
    const [name = null, ...others] = viewOfScope(row.value.scope).names
    return { gate: 'sign-count', count: differingOf(row.value), name: others.length === 0 ? name : null }
  }

  /** `because`: what the person wrote. */
  sign(
    id: CountId,
    revision: number,
    because: string | undefined,
  ): ResultOf<null, NotFinishedHere | NotSaved | 'stock/changed' | 'stock/unexplained'> {
    const { book, clock, atStep } = this.#context
    const signable = this.#signable(id, revision)
    if (!signable.ok) return signable
    const write = ({ seq }: ShelfCountRow) => {
      book.rows.sign(seq, clock.now(), because || null, book.tallies.stations(seq))
      atStep('sign.writing')
      return ok(null)
    }
    return book.changed(id, ['finished'], write, () => {
      atStep('sign.saved')
    })
  }

  /** A part of the file. If the count is counted again or was given up since the part before: `stock/wrong-state`. */
  export(
    id: CountId,
    after: number | null,
  ): ResultOf<{ fileName: string; lines: ShelfLine[]; next: number | null }, NotFinishedHere> {
    const { book, differences } = this.#context
    const row = book.finishedHere(id, 'signed')
    if (!row.ok) return row
    const name = `shelf-count-${localTime(row.value.startedAt).slice(0, 16)}`
    return ok({ fileName: `${fileNamePart(name)}.csv`, ...differences.lines(row.value.seq, after) })
  }

  /** The finished count whose chosen differences may get a reason. */
  #explainable(id: CountId, which: DifferenceChoice, { reason, text }: GivenReason) {
    const { book, differences } = this.#context
    if (reason === 'other' && !text) return err({ code: 'stock/reason-words' } as const)
    const row = book.finishedHere(id)
    if (!row.ok) return row
    const { seq, revision } = row.value
    if ('filter' in which && (which.revision ?? revision) !== revision) return err({ code: 'stock/changed' } as const)
    if (reason !== null && !differences.doesFit(seq, which, reason))
      return err({ code: 'stock/reason-misfit' } as const)
    return row
  }

  /** Gives a reason to those behind a position, as many as one commit takes. */
  #explainSlice(
    id: CountId,
    which: DifferenceChoice,
    { reason, text }: GivenReason,
    slice: { after: number; upTo: number },
  ): ResultOf<Explained, NotFinishedHere | NotSaved> {
    const { book, finder, differences } = this.#context
    return book.change(id, ['finished'], () => {
      const here = book.finishedHere(id)
      if (!here.ok) return here
      const row = here.value
      const done = differences.explain(row.seq, which, { reason, text: text || null }, slice)
      if (row.results) book.rows.setResults(row.seq, { ...row.results, open: finder.open(row) })
      return ok(done)
    })
  }

  /** The finished count, if it is as the person saw it and nothing is unexplained. */
  #signable(
    id: CountId,
    revision: number,
  ): ResultOf<ShelfCountRow, NotFinishedHere | 'stock/changed' | 'stock/unexplained'> {
    const { book, finder } = this.#context
    const row = book.finishedHere(id)
    if (!row.ok) return row
    if (row.value.revision !== revision) return err({ code: 'stock/changed' })
    const count = finder.open(row.value)
    return count > 0 ? err({ code: 'stock/unexplained', count }) : row
  }
}

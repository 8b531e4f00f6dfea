import { setImmediate } from 'node:timers/promises'
import type { ResultOf } from '../../../src-shared/errors'
import { localTime } from '../../../src-shared/csv/local-time'
import type { GateQuestion } from '../../../src-shared/gates'
import type { CountId } from '../../../src-shared/ids'
import type { DifferenceChoice, DifferenceFilter, ShelfLine, ShelfReason } from '../../../src-shared/ipc/contract/stock'
import { err, ok } from '../../../src-shared/result'
import { fileNamePart } from '../../../src-shared/text'
import type { NotSaved } from '../../database/saved'
import type { CountBook, NotFinishedHere } from './count-book'
import { type ShelfCountRow, isUnderWay } from './count-rows'
import type { DifferenceFinder } from './difference-finder'
import type { Differences } from './differences'
import { viewOfScope } from './scope'
import type { ShelfContext } from './shelf-context'

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
  readonly #context: ShelfContext
  readonly #book: CountBook
  readonly #differences: Differences
  readonly #finder: DifferenceFinder

  constructor(context: ShelfContext, book: CountBook, differences: Differences, finder: DifferenceFinder) {
    this.#context = context
    this.#book = book
    this.#differences = differences
    this.#finder = finder
  }

  products(id: CountId): ResultOf<ReturnType<Differences['products']>, 'stock/no-count'> {
    const row = this.#book.find(id)
    if (!row.ok) return row
    return ok(hasDifferences(row.value) ? this.#differences.products(row.value.seq) : { products: [], more: 0 })
  }

  differences(
    id: CountId,
    filter: DifferenceFilter,
    after: number | null,
  ): ResultOf<ReturnType<Differences['page']>, 'stock/no-count'> {
    const row = this.#book.find(id)
    if (!row.ok) return row
    return ok(
      hasDifferences(row.value)
        ? this.#differences.page(row.value.seq, filter, after)
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
    const { ledger, pause = () => setImmediate() } = this.#context
    const row = this.#explainable(id, which, { reason, text })
    if (!row.ok) return row
    // What turns out to differ meanwhile has no reason yet.
    const upTo = this.#differences.newest(row.value.seq)
    let explained = 0
    for (let next: number | null = 0; next !== null;) {
      const slice: ResultOf<Explained, NotSaved | NotFinishedHere | 'app/reopened'> = ledger.isStopped()
        ? err({ code: 'app/reopened' })
        : this.#explainSlice(id, which, { reason, text }, { after: next, upTo })
      if (!slice.ok) {
        if (explained > 0) this.#book.announce(this.#book.again(id))
        return slice
      }
      explained += slice.value.explained
      next = slice.value.next
      if (next !== null) await pause()
    }
    const now = this.#book.again(id)
    this.#book.announce(now)
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
    const { clock, atStep } = this.#context
    const signable = this.#signable(id, revision)
    if (!signable.ok) return signable
    const write = ({ seq }: ShelfCountRow) => {
      this.#book.rows.sign(seq, clock.now(), because || null, this.#book.tallies.stations(seq))
      atStep('sign.writing')
      return ok(null)
    }
    return this.#book.changed(id, ['finished'], write, () => {
      atStep('sign.saved')
    })
  }

  /** A part of the file. If the count is counted again or was given up since the part before: `stock/wrong-state`. */
  export(
    id: CountId,
    after: number | null,
  ): ResultOf<{ fileName: string; lines: ShelfLine[]; next: number | null }, NotFinishedHere> {
    const row = this.#book.finishedHere(id, 'signed')
    if (!row.ok) return row
    const name = `shelf-count-${localTime(row.value.startedAt).slice(0, 16)}`
    return ok({ fileName: `${fileNamePart(name)}.csv`, ...this.#differences.lines(row.value.seq, after) })
  }

  /** The finished count whose chosen differences may get a reason. */
  #explainable(id: CountId, which: DifferenceChoice, { reason, text }: GivenReason) {
    if (reason === 'other' && !text) return err({ code: 'stock/reason-words' } as const)
    const row = this.#book.finishedHere(id)
    if (!row.ok) return row
    const { seq, revision } = row.value
    if ('filter' in which && (which.revision ?? revision) !== revision) return err({ code: 'stock/changed' } as const)
    if (reason !== null && !this.#differences.doesFit(seq, which, reason))
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
    return this.#book.change(id, ['finished'], () => {
      const here = this.#book.finishedHere(id)
      if (!here.ok) return here
      const row = here.value
      const done = this.#differences.explain(row.seq, which, { reason, text: text || null }, slice)
      if (row.results) this.#book.rows.setResults(row.seq, { ...row.results, open: this.#finder.open(row) })
      return ok(done)
    })
  }

  /** The finished count, if it is as the person saw it and nothing is unexplained. */
  #signable(
    id: CountId,
    revision: number,
  ): ResultOf<ShelfCountRow, NotFinishedHere | 'stock/changed' | 'stock/unexplained'> {
    const row = this.#book.finishedHere(id)
    if (!row.ok) return row
    if (row.value.revision !== revision) return err({ code: 'stock/changed' })
    const count = this.#finder.open(row.value)
    return count > 0 ? err({ code: 'stock/unexplained', count }) : row
  }
}

import type { CountId, TagId } from '../../../src-shared/ids'
import type { CountBody } from '../../hub/rows'
import type { MergedEntry, MergedNews } from '../../hub/lists/list-parts'
import { type MergedChange, changesOf } from '../session/merging'
import type { CaseTally } from './case-tally'
import type { CaseCountBook } from './count-book'
import type { CaseCountContext } from './count-context'
import type { CaseCountRow } from './count-rows'
import type { CaseScanRow } from './scan-rows'

/** A count as the store is told it, with what it holds since it began. */
export interface SharedCount {
  id: CountId
  isFinished: boolean
  body: CountBody
}

type Change = MergedChange<MergedEntry<TagId>, CaseScanRow>

/** The counts that several stations make: what is told of them, and what others tell. Writing throws if the disk refuses. */
export class CaseCountMerging {
  readonly #context: CaseCountContext
  readonly #book: CaseCountBook

  constructor(context: CaseCountContext, book: CaseCountBook) {
    this.#context = context
    this.#book = book
  }

  /** What a shared count holds, as it was when it began; undefined if it is not there. */
  bodyOf(seq: number): SharedCount | undefined {
    const { rows } = this.#book
    const row = rows.bySeq(seq)
    if (!row) return undefined
    const held = rows.expectedByCase(seq)
    const cases = rows.cases(seq).map((one) => ({ ...one, tagIds: held.get(one.caseId) ?? [] }))
    const { id, caseId, startedAt, finishedAt } = row
    return { id, isFinished: finishedAt !== null, body: { caseId, startedAt, cases } }
  }

  /** What `own.merge` of shared lists does. */
  merge(
    seq: number,
    { entries, isFinished }: Pick<MergedNews<TagId>, 'entries' | 'isFinished'>,
    isOwn: (tagId: TagId) => boolean,
  ): () => void {
    const book = this.#book
    const { events } = this.#context
    const row = book.rows.bySeq(seq)
    if (!row) return () => undefined
    const scanOf = (tagId: TagId) => book.scans.one(seq, tagId)
    const isSame = (scan: CaseScanRow, { station }: CaseScanRow) => scan.station === station
    const changes = [...changesOf(entries, { isOwn, scanOf, isSame })]
    const isChanged = isFinished !== (row.finishedAt !== null) && (isFinished || !book.rows.open())
    if (changes.length === 0 && !isChanged) return () => undefined
    const tally = book.tallyOf(row)
    for (const change of changes) this.#mergeScan(row, tally, change)
    if (isChanged) this.#mergeEnd(seq, isFinished)
    return () => {
      book.announce(book.viewAgain(row))
      if (row.deliveryFinishedAt !== null) events.emit('record.late', null)
    }
  }

  /**
   * Makes a count that of another station, which has begun the same one. Returns how to tell the screens once that is
   * committed: pages that still have its own id go on.
   */
  become(seq: number, id: CountId, { startedAt, cases }: CountBody): () => void {
    const book = this.#book
    const before = book.rows.bySeq(seq)
    book.rows.become(seq, { id, at: startedAt, cases })
    return () => {
      book.reread()
      if (!before) return
      book.becomes(before.id, id)
      book.announce(book.viewAgain(before))
    }
  }

  #mergeScan(row: CaseCountRow, tally: CaseTally, { does, entry, before }: Change): void {
    const book = this.#book
    const { late } = this.#context
    const { key: tagId, at, station, isGone } = entry
    if (does === 'remove') book.scans.remove(row.seq, tagId)
    else if (does === 'replace') book.scans.setStation(row.seq, tagId, station)
    else book.scans.add(row.seq, tagId, at, station)
    // Noted in the same commit, as it is in no version of the record.
    if (row.deliveryFinishedAt !== null && does !== 'replace') late.noteScan(row.seq, tagId, station, isGone)
    const caseId = book.rows.caseOf(row.seq, tagId)
    if (before) tally.note(caseId, -1, before.station)
    if (does !== 'remove') tally.note(caseId, 1, station)
  }

  #mergeEnd(seq: number, isFinished: boolean): void {
    if (isFinished) this.#book.rows.finish(seq, this.#context.clock.now())
    else this.#book.rows.reopen(seq)
    this.#book.reread()
  }
}

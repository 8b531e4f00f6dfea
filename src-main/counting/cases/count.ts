import { randomUUID } from 'node:crypto'
import type { AppError, ResultOf } from '../../../src-shared/errors'
import { type CaseId, CountId, type DeliveryId, type TagId } from '../../../src-shared/ids'
import type { CountScanResult, CountView } from '../../../src-shared/ipc/contract/count'
import { type Result, err, ok } from '../../../src-shared/result'
import { iso } from '../../core/clock'
import { type NotSaved, saved } from '../../database/saved'
import type { CountBody } from '../../hub/rows'
import type { ServiceCode } from '../../service/reply'
import { CaseCountBook } from './count-book'
import type { CaseCountContext } from './count-context'
import { CountDetails } from './count-details'
import { CaseCountMerging } from './count-merging'
import type { CaseCountRow, NewCount } from './count-rows'
import type { Resolution } from './resolution-rows'
import { Whereabouts, isOtherThing } from './whereabouts'

export interface CountOfDelivery {
  count: CountView
  /** What each case held when the count started. */
  expected: ReadonlyMap<CaseId, TagId[]>
  scanned: ReadonlySet<TagId>
  /** What was decided about items that differ. */
  resolutions: ReadonlyMap<TagId, Resolution>
}

/** Counting what came, item by item. Rules: receiving.md. */
export class CaseCounts {
  readonly book: CaseCountBook
  readonly details: CountDetails
  readonly merging: CaseCountMerging
  readonly #context: CaseCountContext
  readonly #whereabouts: Whereabouts

  constructor(context: CaseCountContext) {
    this.#context = context
    this.book = new CaseCountBook(context)
    this.#whereabouts = new Whereabouts(context.lookup, context.seen)
    this.details = new CountDetails(context, this.book, this.#whereabouts)
    this.merging = new CaseCountMerging(context, this.book)
    context.events.on('delivery.finished', 'counting/cases/count.ts', () => {
      this.#endWithDelivery()
    })
  }

  /** The count that is not finished; null if there is none. */
  openCount(): CountView | null {
    const row = this.book.rows.open()
    return row ? this.book.viewOf(row) : null
  }

  /** Counts one case, or all cases of the delivery under way (null). */
  startCount(
    caseId: CaseId | null,
  ): ResultOf<
    Pick<CountView, 'id'>,
    NotSaved | 'receiving/count-open' | 'receiving/no-delivery' | 'receiving/nothing-to-count'
  > {
    const started = saved(() => {
      const { rows } = this.book
      if (rows.open()) return err({ code: 'receiving/count-open' })
      const delivery = rows.delivery()
      if (caseId === null && !delivery) return err({ code: 'receiving/no-delivery' })
      const caseIds = caseId === null ? (delivery?.caseIds ?? []) : [caseId]
      const cases = caseIds.flatMap((one) => this.#contentOf(one) ?? [])
      if (cases.length === 0) return err({ code: 'receiving/nothing-to-count' })
      // The count of a single case belongs to the delivery if the case does.
      const isOfDelivery = caseId === null || delivery?.caseIds.includes(caseId)
      const id = CountId.parse(randomUUID())
      const at = this.#context.clock.now()
      rows.insert({ id, delivery: isOfDelivery ? (delivery?.seq ?? null) : null, caseId, at, cases })
      return ok(this.#viewOfNew(id))
    })
    return this.#begun(started)
  }

  /** Counts along with another station of the store. */
  joinCount(
    id: CountId,
    { caseId, startedAt, cases }: CountBody,
  ): ResultOf<Pick<CountView, 'id'>, NotSaved | 'receiving/count-open'> {
    const joined = saved(() => {
      const { rows } = this.book
      const open = rows.open()
      if (open) return open.id === id ? ok(this.book.viewOf(open)) : err({ code: 'receiving/count-open' })
      const before = rows.byId(id)
      if (!before) rows.insert({ id, delivery: null, caseId, at: startedAt, cases })
      else if (before.finishedAt !== null) rows.reopen(before.seq)
      return ok(this.#viewOfNew(id))
    })
    return this.#begun(joined)
  }

  async countTag(
    countId: CountId,
    tagId: TagId,
  ): Promise<ResultOf<CountScanResult, ServiceCode | NotSaved | 'receiving/no-count' | 'scan/wrong-place'>> {
    const { scans, rows } = this.book
    const found = this.book.findOpen(countId)
    if (!found.ok) return found
    const row = found.value
    const tally = this.book.tallyOf(row)
    const before = scans.one(row.seq, tagId)
    if (before) {
      const productName = this.#context.seen.tag(tagId)?.value.productName ?? null
      return ok({ kind: 'repeat', at: iso(before.at), productName, station: before.station })
    }
    const caseId = rows.caseOf(row.seq, tagId)
    // Saved before the service is asked or the scan is answered.
    const scanned = saved(() => {
      scans.add(row.seq, tagId, this.#context.clock.now())
      return ok(null)
    })
    if (!scanned.ok) return scanned
    this.book.note(tally, caseId, 1, null)
    this.#stepped()
    const counted = caseId === undefined ? undefined : tally.of(caseId)
    return counted ? ok({ kind: 'counted', case: counted }) : this.#unexpected(row, tagId)
  }

  uncountTag(countId: CountId, tagId: TagId): ResultOf<null, NotSaved | 'receiving/no-count'> {
    const row = this.book.findOpen(countId)
    return row.ok ? this.#unscan(row.value, tagId, ok(null)) : row
  }

  finishCount(countId: CountId): ResultOf<null, NotSaved | 'receiving/no-count'> {
    const found = this.book.find(countId)
    if (!found.ok) return found
    const row = found.value
    const finished = saved(() => {
      if (row.finishedAt === null) this.book.rows.finish(row.seq, this.#context.clock.now())
      this.book.reread()
      return ok(this.book.viewAgain(row))
    })
    return this.#announced(finished)
  }

  /** Opens a count again, on the day it was finished: what was scanned and settled stays. */
  reopenCount(
    countId: CountId,
  ): ResultOf<null, NotSaved | 'receiving/count-open' | 'receiving/count-over' | 'receiving/no-count'> {
    const reopened = saved(() => {
      const found = this.book.find(countId)
      if (!found.ok) return found
      const row = found.value
      const open = this.book.rows.open()
      if (open && open.id !== row.id) return err({ code: 'receiving/count-open' })
      if (!open && !this.book.canReopen(row)) return err({ code: 'receiving/count-over' })
      if (!open) this.book.rows.reopen(row.seq)
      this.book.reread()
      return ok(this.book.viewAgain(row))
    })
    return this.#announced(reopened)
  }

  /** For the report of a delivery; oldest first. */
  ofDelivery(deliveryId: DeliveryId): CountOfDelivery[] {
    const { rows, scans, resolutions } = this.book
    return rows.ofDelivery(deliveryId).map((row) => ({
      count: this.book.viewOf(row),
      expected: rows.expectedByCase(row.seq),
      scanned: new Set(scans.scanned(row.seq).keys()),
      resolutions: resolutions.all(row.seq),
    }))
  }

  /** What a case holds, by what was read of it. */
  #contentOf(caseId: CaseId): NewCount['cases'][number] | undefined {
    const facts = this.#context.seen.case(caseId)?.value
    if (!facts) return undefined
    const names = new Set(facts.packagedProducts.map((product) => product.productName))
    const productName = names.size === 0 ? null : [...names].join(', ')
    const tagIds = facts.tags.map((tag) => tag.tagId)
    return { caseId: facts.caseId, identifier: facts.identifier, productName, tagIds }
  }

  #viewOfNew(id: CountId): CountView {
    const row = this.book.rows.byId(id)
    if (!row) throw new Error('the count that was just begun is not there')
    return this.book.viewOf(row)
  }

  #begun<E>(begun: Result<CountView, E>): Result<Pick<CountView, 'id'>, E> {
    if (!begun.ok) return begun
    this.book.announce(begun.value)
    return ok({ id: begun.value.id })
  }

  #announced<E>(changed: Result<CountView, E>): Result<null, E> {
    if (!changed.ok) return changed
    this.book.announce(changed.value)
    this.#stepped()
    return ok(null)
  }

  /** What an item is that none of the counted cases holds; what turns out to be a case isn't counted. */
  async #unexpected(
    row: CaseCountRow,
    tagId: TagId,
  ): Promise<ResultOf<CountScanResult, ServiceCode | NotSaved | 'scan/wrong-place'>> {
    const cached = this.#whereabouts.cached(tagId)
    const asked = cached ? ok(cached) : await this.#whereabouts.ask(tagId)
    if (asked.ok) return ok(this.#strangerOf(asked.value))
    return isOtherThing(asked.error) ? this.#unscan(row, tagId, asked) : ok({ kind: 'unknown', error: asked.error })
  }

  #strangerOf({ caseId, productName }: { caseId: CaseId | null; productName: string | null }) {
    const identifier = caseId === null ? null : (this.#context.seen.case(caseId)?.value.identifier ?? null)
    return { kind: 'stranger', caseId, identifier, productName } as const
  }

  /** Takes a scan back, then answers. */
  #unscan<Answer extends Result<unknown, AppError>>(row: CaseCountRow, tagId: TagId, answer: Answer) {
    const done = saved(() => {
      this.book.unscan(row, tagId)
      return answer
    })
    this.#stepped()
    return done
  }

  #stepped(): void {
    this.#context.events.emit('count.stepped', null)
  }

  /** A count ends with its delivery, in one commit: screens are told. */
  #endWithDelivery(): void {
    const running = this.book.running()
    const row = running && this.book.rows.byId(running.id)
    if (!row || row.finishedAt === null) return
    this.book.reread()
    this.book.announce(this.book.viewOf(row))
  }
}

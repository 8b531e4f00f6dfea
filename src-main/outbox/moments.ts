import { iso } from '../core/clock'
import { type StationClock, canBeReported, setBackSlack } from '../core/station-clock'
import type { Operation } from './operation'
import type { Ledger } from './ledger'
import type { OutboxContext } from './outbox-context'
import { endAfter } from '../database/saved'

/** A moment may lie in the future by this much, in ms: clocks are compared to within some seconds. */
const tolerance = 120_000
/** A time is corrected if it's off by more than this, in ms. Less is a measurement, or the offset's. */
const jump = 60_000
/** So many earlier reports are compared with. */
const mostBefore = 200

/** What is known of the time of a report that was never sent. */
interface TimeOf {
  /** The time, ms since 1970. */
  at: number
  /** A person entered it. */
  isEntered: boolean
  /** The clock showed what couldn't be when it was saved. */
  isEstimate: boolean
  /** It was saved in this process. */
  isOurs: boolean
  /**
   * The clock by which it was saved is known to have been right, or the time was corrected since. Of an earlier process: this
   * one's clock was compared with the service's.
   */
  isChecked: boolean
  /** The service has answered in this process. */
  hasAnswer: boolean
  /** The present is known to be right. */
  isNowProven: boolean
  /** The service can still be asked for its clock before the report is sent. */
  mayAsk: boolean
  /** The service's clock shows that the computer's is days off. */
  isReplaced: boolean
  /** The newest moment at which both clocks agreed; null if never. */
  confirmedAt: number | null
  /** The latest time, not in the future, of a report that was saved before this one; null if there is none. */
  before: number | null
  now: number
}

/**
 * Whether a report may be sent with its time. `ask`: once the service was asked for its clock, for this computer's may have been
 * set. `later`: once the service has answered, for then the time can be corrected. `unknown`: it can't be right, or is known to
 * be by a wrong clock, and nothing corrects it any more: a person is asked.
 */
export type MayBeSent = 'yes' | 'ask' | 'later' | 'unknown'

export function mayBeSent(time: TimeOf): MayBeSent {
  if (time.isEntered) return 'yes'
  if (time.isEstimate || !canBeReported(time.at, Number.POSITIVE_INFINITY)) return time.hasAnswer ? 'unknown' : 'later'
  if (time.mayAsk && !time.isChecked) return 'ask'
  if (time.at > time.now + tolerance) {
    if (time.mayAsk && !time.isNowProven) return 'ask'
    return time.hasAnswer ? 'unknown' : 'later'
  }
  // What was saved in this process, and isn't corrected, was found right.
  if (time.isOurs) return 'yes'
  if (time.isReplaced && time.at > (time.confirmedAt ?? 0)) return 'unknown'
  return time.before !== null && time.at < time.before - setBackSlack ? 'unknown' : 'yes'
}

/**
 * Whether a report of an earlier process gets the present offset. By the offset that it was saved with it lies in the future of
 * the service, by the computer's clock in the past: the two clocks moved against each other since, so the report was made when
 * the computer's clock showed `raw`, and the service's then what it shows now for that moment. `raw`, `now` (without any
 * offset) and the offsets in ms.
 */
export const isOffsetOutdated = (
  { raw, offset }: { raw: number; offset: number },
  present: { now: number; offset: number },
): boolean => raw <= present.now + tolerance && raw + offset > present.now + present.offset + tolerance

/** What is remembered of an operation of this process until its time is found right. */
interface Saved {
  /** The steady clock. */
  steady: number
  at: number
  isEstimate: boolean
  /** The clock was known to be right. */
  isProven: boolean
  /** How often the clocks had been compared. */
  comparisons: number
}

/**
 * The times of reports. A time by a clock that turns out to be wrong is corrected by the steady clock, as long as the process
 * lives and the report was never sent; later a person is asked.
 */
export class Moments {
  readonly #context: OutboxContext
  readonly #clock: StationClock
  readonly #ledger: Ledger
  readonly #saved = new Map<number, Saved>()
  readonly #ours = new Set<number>()
  /** Those that may be on the wire with the time that they have. */
  readonly #cleared = new Set<number>()
  #wasWrong: boolean
  #isAnswered = false

  constructor(context: OutboxContext, clock: StationClock, ledger: Ledger) {
    this.#context = context
    this.#clock = clock
    this.#ledger = ledger
    this.#wasWrong = clock.isEstimate()
  }

  /** Call when an operation was saved, in its commit. Returns what the journal keeps of the clock; undefined if it's right. */
  noteSaved(seq: number): { clock: string } | undefined {
    const isEstimate = this.#clock.isEstimate()
    const at = this.#clock.now() + this.#context.serviceClock.offset()
    const [steady, isProven] = [this.#clock.steady(), this.#clock.isProven()]
    this.#saved.set(seq, { steady, at, isEstimate, isProven, comparisons: this.#context.serviceClock.comparisons() })
    this.#ours.add(seq)
    return isEstimate ? { clock: iso(this.#clock.shown()) } : undefined
  }

  /**
   * Corrects what was saved in this process, if the clock was wrong then. Call after each answer, and now and then: the clock
   * may have been set. Never throws: what the disk refuses is corrected at the next call. Returns whether reports may be sent
   * now that could not be before.
   */
  correct(): boolean {
    const isFirst = this.#noteAnswer()
    const isEstimate = this.#clock.isEstimate()
    const isSetRight = this.#wasWrong && !isEstimate
    this.#wasWrong = isEstimate
    // Only a comparison since then is proof: a clock that was merely set may be wrong again.
    const isDue = ({ isEstimate: wasEstimate, comparisons }: Saved) =>
      comparisons < this.#context.serviceClock.comparisons() || (isSetRight && wasEstimate)
    const due = isEstimate ? [] : [...this.#saved].filter(([, saved]) => isDue(saved))
    if (due.length === 0) return isFirst
    try {
      const corrected = this.#context.db.transaction(() => due.flatMap((one) => this.#correctOne(...one))).immediate()
      if (corrected.length > 0) this.#context.log.info('times corrected', { operations: corrected.length })
      for (const seq of corrected) this.#context.events.emit('operation.changed', this.#ledger.rows.bySeq(seq))
      this.#forget()
      return isFirst || corrected.length > 0
    } catch (cause) {
      endAfter(cause)
      this.#context.log.warn('times could not be corrected', { cause })
      return isFirst
    }
  }

  /**
   * Whether an operation may be sent with its time, which is corrected before if an earlier process saved it with an offset that
   * doesn't hold any more: read it again. `mayAsk`: the service can be asked for its clock first.
   */
  mayBeSent(operation: Operation, mayAsk: boolean): MayBeSent {
    const dated = this.#withPresentOffset(operation)
    const may = dated ? this.#judged(dated, mayAsk) : 'later'
    if (may === 'yes') this.#cleared.add(operation.seq)
    else this.#cleared.delete(operation.seq)
    return may
  }

  #judged({ seq, isUncertain, performedAt }: Operation, mayAsk: boolean): MayBeSent {
    // It was sent with this time before, and is recognized by it.
    if (isUncertain) return 'yes'
    const now = this.#clock.now() + this.#context.serviceClock.offset()
    const isOurs = this.#ours.has(seq)
    return mayBeSent({
      ...this.#ledger.journal.timeOf(seq),
      at: Date.parse(performedAt),
      isOurs,
      isChecked: isOurs ? this.#isChecked(seq) : this.#context.serviceClock.comparisons() > 0,
      hasAnswer: this.#context.serviceClock.hasAnswered(),
      isNowProven: this.#clock.isProven(),
      mayAsk,
      isReplaced: this.#clock.isWrong(),
      confirmedAt: this.#clock.confirmedAt(),
      before: isOurs ? null : this.#ledger.rows.latestBefore(seq, mostBefore, now),
      now,
    })
  }

  #isChecked(seq: number): boolean {
    const saved = this.#saved.get(seq)
    return saved === undefined || saved.isProven
  }

  /** At the first answer, what waited for one is due. */
  #noteAnswer(): boolean {
    if (this.#isAnswered || !this.#context.serviceClock.hasAnswered()) return false
    try {
      this.#ledger.rows.makeDue('undated')
      this.#isAnswered = true
      return true
    } catch (cause) {
      endAfter(cause)
      this.#context.log.warn('what waited for the time could not be made due', { cause })
      return false
    }
  }

  #correctOne(seq: number, saved: Saved): number[] {
    const { steady, at, isEstimate } = saved
    const right = this.#clock.now() - Math.round(this.#clock.steady() - steady)
    const off = right + this.#context.serviceClock.offset() - at
    if (!isEstimate && Math.abs(off) <= jump) return []
    const operation = this.#ledger.rows.bySeq(seq)
    // With the time with which it was sent, the service recognizes it.
    if (operation.isUncertain || !this.#isCorrectable(operation)) return []
    this.#date(operation, right)
    this.#saved.set(seq, { ...saved, at: right + this.#context.serviceClock.offset(), isEstimate: false })
    return [seq]
  }

  /** Null if the disk refuses the correction: it's tried again, instead of asking a person. */
  #withPresentOffset(operation: Operation): Operation | null {
    const { seq, isUncertain } = operation
    if (this.#ours.has(seq) || isUncertain || !this.#isCorrectable(operation)) return operation
    if (this.#context.serviceClock.comparisons() === 0 || this.#clock.isWrong()) return operation
    const saved = this.#ledger.rows.clockOf(seq)
    const present = { now: this.#clock.now(), offset: this.#context.serviceClock.offset() }
    if (!isOffsetOutdated(saved, present)) return operation
    const { isEntered, isEstimate } = this.#ledger.journal.timeOf(seq)
    if (isEntered || isEstimate) return operation
    try {
      this.#context.db
        .transaction(() => {
          this.#date(operation, saved.raw)
        })
        .immediate()
    } catch (cause) {
      endAfter(cause)
      this.#context.log.warn('a time could not be corrected', { seq, cause })
      return null
    }
    const corrected = this.#ledger.rows.bySeq(seq)
    this.#context.log.info('a time got the present offset', { seq })
    this.#context.events.emit('operation.changed', corrected)
    return corrected
  }

  /** Sets the time of an operation. `at` is by the computer's clock, in ms since 1970. Call in a transaction. */
  #date({ seq, state, performedAt }: Operation, at: number): void {
    this.#ledger.rows.setTime(seq, this.#columns(at))
    this.#ledger.journal.write({
      ...{ seq, actor: 'station', what: 'dated', from: state, to: state },
      detail: { was: performedAt },
    })
  }

  #isCorrectable({ seq, state }: Operation): boolean {
    return state === 'queued' || state === 'rejected' || (state === 'sending' && !this.#cleared.has(seq))
  }

  /** What is right since a comparison isn't needed again. What was on the wire may come back unsent, and is corrected then. */
  #forget(): void {
    for (const [seq, { comparisons }] of this.#saved) {
      const isOnWire = this.#ledger.rows.bySeq(seq).state === 'sending' && this.#cleared.has(seq)
      if (!isOnWire && comparisons < this.#context.serviceClock.comparisons()) this.#saved.delete(seq)
    }
  }

  #columns(at: number) {
    const clockOffset = this.#context.serviceClock.offset()
    return { performedAt: iso(at + clockOffset), performedAtRaw: at, clockOffset }
  }
}

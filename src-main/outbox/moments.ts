import type { Database } from 'better-sqlite3'
import { type ServiceClock, iso } from '../clock'
import type { Log } from '../log'
import { type StationClock, canBeReported, setBackSlack } from '../station-clock'
import type { Operation } from './operation'
import type { Ledger } from './ledger'

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
  /** The service has answered in this process. */
  hasAnswer: boolean
  /** The service's clock shows that the computer's is days off. */
  isReplaced: boolean
  /** The newest moment at which both clocks agreed; null if never. */
  confirmedAt: number | null
  /** The latest time, not in the future, of a report that was saved before this one; null if there is none. */
  before: number | null
  now: number
}

/**
 * Whether a report may be sent with its time. `later`: once the service has answered, for then the time can be corrected.
 * `unknown`: it can't be right, or is known to be by a wrong clock, and nothing corrects it any more: a person is asked.
 */
export function mayBeSent(time: TimeOf): 'yes' | 'later' | 'unknown' {
  if (time.isEntered) return 'yes'
  const unless = time.hasAnswer ? 'unknown' : 'later'
  if (time.isEstimate || !canBeReported(time.at, Number.POSITIVE_INFINITY)) return unless
  if (time.at > time.now + tolerance) return unless
  // What was saved in this process, and isn't corrected, was found right.
  if (time.isOurs) return 'yes'
  if (time.isReplaced && time.at > (time.confirmedAt ?? 0)) return 'unknown'
  return time.before !== null && time.at < time.before - setBackSlack ? 'unknown' : 'yes'
}

interface MomentsParts {
  db: Database
  ledger: Pick<Ledger, 'journal' | 'rows'>
  clock: StationClock
  serviceClock: Pick<ServiceClock, 'offset' | 'hasAnswered'>
  log: Pick<Log, 'info' | 'warn'>
  /** Called for each operation whose time was corrected. */
  announce: (operation: Operation) => void
}

/** What is remembered of an operation of this process until its time is found right. */
interface Saved {
  /** The steady clock. */
  steady: number
  at: number
  isEstimate: boolean
}

/**
 * The times of reports. A time by a clock that turns out to be wrong is corrected by the steady clock, as long as the process
 * lives and the report was never sent; later a person is asked.
 */
export class Moments {
  readonly #db: Database
  readonly #ledger: MomentsParts['ledger']
  readonly #clock: StationClock
  readonly #serviceClock: MomentsParts['serviceClock']
  readonly #log: MomentsParts['log']
  readonly #announce: MomentsParts['announce']
  readonly #saved = new Map<number, Saved>()
  readonly #ours = new Set<number>()
  #wasWrong: boolean
  #isAnswered = false

  constructor({ db, ledger, clock, serviceClock, log, announce }: MomentsParts) {
    this.#db = db
    this.#ledger = ledger
    this.#clock = clock
    this.#serviceClock = serviceClock
    this.#log = log
    this.#announce = announce
    this.#wasWrong = clock.isEstimate()
  }

  /** Call when an operation was saved, in its commit. Returns what the journal keeps of the clock; undefined if it's right. */
  noteSaved(seq: number): { clock: string } | undefined {
    const isEstimate = this.#clock.isEstimate()
    const at = this.#clock.now() + this.#serviceClock.offset()
    this.#saved.set(seq, { steady: this.#clock.steady(), at, isEstimate })
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
    if (this.#saved.size === 0 || isEstimate) return isFirst
    if (!this.#serviceClock.hasAnswered() && !isSetRight) return isFirst
    try {
      const corrected = this.#db
        .transaction(() => [...this.#saved].flatMap((one) => this.#correctOne(...one)))
        .immediate()
      if (corrected.length > 0) this.#log.info('times corrected', { operations: corrected.length })
      for (const seq of corrected) this.#announce(this.#ledger.rows.bySeq(seq))
      // Only the service's clock is proof: one that was merely set may be wrong again.
      if (this.#serviceClock.hasAnswered()) this.#forget()
      return isFirst || corrected.length > 0
    } catch (cause) {
      this.#log.warn('times could not be corrected', { cause })
      return isFirst
    }
  }

  /** Whether an operation may be sent with its time. */
  mayBeSent(operation: Operation): ReturnType<typeof mayBeSent> {
    const { seq, isUncertain, performedAt } = operation
    // It was sent with this time before, and is recognized by it.
    if (isUncertain) return 'yes'
    const now = this.#clock.now() + this.#serviceClock.offset()
    const isOurs = this.#ours.has(seq)
    return mayBeSent({
      ...this.#ledger.journal.timeOf(seq),
      at: Date.parse(performedAt),
      isOurs,
      hasAnswer: this.#serviceClock.hasAnswered(),
      isReplaced: this.#clock.isWrong(),
      confirmedAt: this.#clock.confirmedAt(),
      before: isOurs ? null : this.#ledger.rows.latestBefore(seq, mostBefore, now),
      now,
    })
  }

  /** At the first answer, what waited for one is due. */
  #noteAnswer(): boolean {
    if (this.#isAnswered || !this.#serviceClock.hasAnswered()) return false
    try {
      this.#ledger.rows.makeDue('undated')
      this.#isAnswered = true
      return true
    } catch (cause) {
      this.#log.warn('what waited for the time could not be made due', { cause })
      return false
    }
  }

  #correctOne(seq: number, { steady, at, isEstimate }: Saved): number[] {
    const right = this.#clock.now() - Math.round(this.#clock.steady() - steady)
    const off = right + this.#serviceClock.offset() - at
    if (!isEstimate && Math.abs(off) <= jump) return []
    const operation = this.#ledger.rows.bySeq(seq)
    // With the time with which it was sent, the service recognizes it.
    if (operation.isUncertain || (operation.state !== 'queued' && operation.state !== 'rejected')) return []
    const { journal, rows } = this.#ledger
    const columns = this.#columns(right)
    rows.setTime(seq, columns)
    const { state } = operation
    journal.write({
      seq,
      actor: 'station',
      what: 'dated',
      from: state,
      to: state,
      detail: { was: operation.performedAt },
    })
    this.#saved.set(seq, { steady, at: right + this.#serviceClock.offset(), isEstimate: false })
    return [seq]
  }

  /** What was on the wire may come back unsent; nothing else is needed again. */
  #forget(): void {
    for (const seq of this.#saved.keys()) {
      if (this.#ledger.rows.bySeq(seq).state !== 'sending') this.#saved.delete(seq)
    }
  }

  #columns(at: number) {
    const clockOffset = this.#serviceClock.offset()
    return { performedAt: iso(at + clockOffset), performedAtRaw: at, clockOffset }
  }
}

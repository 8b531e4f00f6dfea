import { nowByService } from '../core/clock'
import type { ResultOf } from '../../src-shared/errors'
import type { DayVerification } from '../../src-shared/ipc/contract/checkout'
import { ok } from '../../src-shared/result'
import { type NotSaved, saved } from '../database/saved'
import type { DayContext } from './day-context'
import { DayReader } from './day-reader'
import { dayOf, spanOf } from './history'
import { ReadBackPlan } from './readback'
import { ReadBackRows, VerificationViews } from './readback-store'

/** How often it looks whether a day can be verified by itself, in ms. */
const betweenIdleLooks = 60_000
/** At a look, one idle station of so many begins: a day ends for all of a time zone at the same moment. */
const beginsOneIn = 30
/** The station counts as idle so long after the newest operation, in ms. */
const calm = 600_000
/** An older day is verified on request only, in ms. */
const oldest = 7 * 86_400_000

/**
 * Reads the items of a day back from the service and compares them with what was reported, on request, or by itself once
 * the day is over. The rules are in day.md.
 */
export class Verifying {
  readonly #context: DayContext
  readonly #rows: ReadBackRows
  readonly #plan: ReadBackPlan
  readonly #views: VerificationViews
  readonly #reader: DayReader
  readonly #random: () => number
  #idleTimer: NodeJS.Timeout | undefined

  constructor(context: DayContext) {
    const { db, lookup, random = Math.random } = context
    const rows = new ReadBackRows(db)
    const plan = new ReadBackPlan(context)
    const views = new VerificationViews(rows, (tagId) => lookup.cached(tagId)?.productName ?? null)
    this.#context = context
    this.#rows = rows
    this.#plan = plan
    this.#views = views
    this.#random = random
    this.#reader = new DayReader(context, rows, plan, views)
  }

  view(day: string): DayVerification {
    return this.#reader.view(day)
  }

  /** Starts a day, resumes one that is paused, or reads a finished one again. */
  verify(day: string): ResultOf<DayVerification, NotSaved> {
    return saved(() => {
      const reading = this.#rows.reading(day)
      if (reading && reading.state !== 'finished') this.#rows.resume(day, this.#now())
      else {
        const tagIds = this.#plan.itemsOf(day)
        if (tagIds.length === 0) return ok(this.view(day))
        this.#rows.begin(day, this.#now(), this.#rows.reportsTaken(spanOf(day)), tagIds)
        this.#views.forget(day)
      }
      this.#reader.ask()
      this.#reader.announce(day)
      return ok(this.view(day))
    })
  }

  /** Pauses until a person resumes it. */
  pause(): ResultOf<null, NotSaved> {
    return saved(() => {
      const day = this.#rows.running()
      this.#rows.pauseAll()
      this.#reader.paused()
      if (day !== undefined) this.#reader.announce(day)
      return ok(null)
    })
  }

  /** Verifies the last day with reports if it is over and the station has nothing else to do. */
  verifyWhenIdle(): void {
    const { log } = this.#context
    try {
      const day = this.#isIdle() ? this.#dayToVerify() : null
      if (day === null) return
      log.info('a day is verified by itself', { day })
      this.verify(day)
    } catch (cause) {
      // The disk refused: tried again at the next look.
      log.warn('no day could be verified', { cause })
    }
  }

  /** Continues what the last process left, and verifies days by itself from then on. */
  start(): void {
    this.#reader.ask()
    this.#idleTimer = setInterval(() => {
      if (this.#random() * beginsOneIn < 1) this.verifyWhenIdle()
    }, betweenIdleLooks)
    this.#idleTimer.unref()
  }

  /** Resolves once nothing is being read. */
  stop(): Promise<void> {
    clearInterval(this.#idleTimer)
    return this.#reader.stop()
  }

  #now(): number {
    return nowByService(this.#context)
  }

  #isIdle(): boolean {
    const { connection, outbox, clock } = this.#context
    if (!connection.isAnswering() || outbox.read.counts().unsent > 0) return false
    const savedAt = this.#rows.lastSavedAt()
    // A future time was saved before the clock was set back: it says nothing about how long ago that was.
    const since = savedAt === null ? calm : clock.now() - savedAt
    return since >= calm || since < 0
  }

  /** The last day before today with reports, unless it is verified, being verified, or paused by a person. */
  #dayToVerify(): string | null {
    if (this.#rows.running() !== undefined) return null
    const now = this.#now()
    const [startOfToday] = spanOf(dayOf(now))
    const last = this.#rows.lastReportBefore(startOfToday)
    if (last === null || last < now - oldest) return null
    const day = dayOf(last)
    const reading = this.#rows.reading(day)
    if (!reading) return day
    return reading.state === 'finished' && this.#rows.reportsTaken(spanOf(day)) !== reading.reports ? day : null
  }
}

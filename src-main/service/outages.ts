import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import { OutageCause } from '../../src-shared/ipc/contract/outages'
import { type Clock, type ServiceClock, systemTimers } from '../core/clock'
import type { RoomContext } from '../core/context'
import { isNews } from './outage-cause'

/** A shorter one is not kept, in ms: a request that fails once and is answered at the next try is no outage. */
const shortest = 2_000
/** How often it is noted that one still lasts, in ms: after a crash, it is known to within this time until when. */
const betweenNotes = 30_000
/** A pause between notes of more than this, in ms, means that the computer slept. */
const sleepAfter = 4 * betweenNotes
/** A clock that goes back or is corrected by more than this, in ms, was changed: not merely adjusted. */
const jump = 60_000
/** How long outages are kept, in ms. */
const keptFor = 400 * 86_400_000
/** At most so many changes of the cause are kept of one, and the first change of the clock. The ledger says so. */
export const mostCauses = 100

/** From where the time of an outage is counted in this process: a moment by all clocks, and the correction of then. */
interface Anchor {
  at: number
  monotonic: number
  clock: number
  offset: number
}

/** How far the clock is ahead of the monotonic one since the anchor, and how far its correction has changed, in ms. */
interface Drift {
  ahead: number
  turned: number
}

/** The outage that lasts: `at` is when it was last noted, `cause` what was last wrong. */
interface OpenOutage extends Drift {
  id: number
  at: number
  cause: OutageCause
  causes: number
  anchor: Anchor
  /** It began in this process, so its length until now is known. */
  isOfProcess: boolean
  /** It was noted that its clock was changed. */
  isDoubtful: boolean
}

const OutageRow = z.object({
  began_at: z.number(),
  seen_at: z.number(),
  slept_at: z.number().nullable(),
  cause: OutageCause.catch('unreachable'),
  causes: z.number(),
})

function statementsOf(db: Database) {
  // What was reported during it is found by numbers: clocks jump, sequences don't.
  const insert = db.prepare(`
    INSERT INTO outage (began_at, seen_at, cause, start_seq, start_entry) VALUES (@at, @at, @cause,
      (SELECT coalesce(max(seq), 0) FROM operation), (SELECT coalesce(max(entry), 0) FROM journal))`)
  const exists = db.prepare('SELECT 1 FROM outage WHERE began_at = ?')
  const addCause = db.prepare('INSERT INTO outage_cause (outage, at, cause) VALUES (?, ?, ?)')
  const lastCause = db.prepare('SELECT max(at) FROM outage_cause WHERE outage = ?').pluck()
  const dropCauses = db.prepare('DELETE FROM outage_cause WHERE outage = ? AND at > ?')
  const see = db.prepare('UPDATE outage SET seen_at = ? WHERE began_at = ?')
  const end = db.prepare(`
    UPDATE outage SET seen_at = @at, ended_at = @at, last_seq = (SELECT coalesce(max(seq), 0) FROM operation)
    WHERE began_at = @id`)
  // An outage whose end the disk refused ends when it was last noted.
  const endLeft = db.prepare(`
    UPDATE outage SET ended_at = seen_at, last_seq = (SELECT coalesce(max(seq), 0) FROM operation)
    WHERE ended_at IS NULL AND began_at <> ?`)
  const drop = db.prepare('DELETE FROM outage WHERE began_at = ?')
  const dropOld = db.prepare('DELETE FROM outage WHERE began_at < ?')
  const unended = db.prepare(`
    SELECT began_at, seen_at, count(*) AS causes,
      (SELECT cause FROM outage_cause WHERE outage = began_at ORDER BY at DESC LIMIT 1) AS cause,
      (SELECT max(at) FROM outage_cause WHERE outage = began_at AND cause = 'asleep') AS slept_at
    FROM outage JOIN outage_cause ON outage = began_at WHERE ended_at IS NULL GROUP BY began_at ORDER BY began_at DESC LIMIT 1`)
  return { insert, exists, addCause, lastCause, dropCauses, see, end, endLeft, drop, dropOld, unended }
}

/**
 * Keeps the times at which this station could not work with the service: from the first request that failed to the first
 * that was answered, also over the end of Countertag. It begins by the service's clock, and goes on by the monotonic clock; the
 * clock adds what that one misses, the computer's sleep and the time between two processes. A full disk loses an entry, never a
 * reply: nothing here throws.
 */
export class Outages {
  readonly #context: Pick<RoomContext, 'db' | 'clock' | 'log'>
  readonly #serviceClock: Pick<ServiceClock, 'offset'>
  readonly #pastClock: Clock | undefined
  readonly #sql: ReturnType<typeof statementsOf>
  #open: OpenOutage | undefined
  #timer: NodeJS.Timeout | undefined

  /** `pastClock`: a moment that is certainly past, from which the age of an outage is counted; the present if omitted. */
  constructor(
    context: Pick<RoomContext, 'db' | 'clock' | 'log'>,
    serviceClock: Pick<ServiceClock, 'offset'>,
    pastClock?: Clock,
  ) {
    this.#context = context
    this.#serviceClock = serviceClock
    this.#pastClock = pastClock
    this.#sql = statementsOf(context.db)
    // One that the last process left: what the service does meanwhile isn't known, so it lasts until the service answers.
    this.#open = this.#quietly(() => {
      const row = this.#sql.unended.get()
      if (row === undefined) return undefined
      const { began_at: id, seen_at: seen, slept_at: slept, cause, causes } = OutageRow.parse(row)
      this.#sql.endLeft.run(id)
      // Earlier than it was last seen: the clock was set back since, or it was ahead then, which looked like sleep.
      const isBack = this.#byClock() < seen - jump
      const at = Math.max(this.#byClock(), isBack ? (slept ?? seen) : seen)
      const kept = { id, at, cause, causes, anchor: this.#anchorAt(at), ahead: 0, turned: 0 }
      const last: OpenOutage = { ...kept, isOfProcess: false, isDoubtful: false }
      if (isBack) this.#addChange(last, at)
      this.#add(last, isBack ? at : seen, 'station-off')
      this.#sql.see.run(at, id)
      return last
    })
    if (this.#open) this.#watch()
  }

  /** The present moment of the outage that lasts, in ms since 1970; undefined for another one. */
  momentOf(id: number): number | undefined {
    return this.#open?.id === id ? Math.max(this.#moment(this.#open).at, id) : undefined
  }

  /** A request failed. */
  trouble(cause: OutageCause): void {
    const one = this.#open
    if (one) {
      // The timer notes that it lasts: a service that fails every report costs no commit for each.
      if (!isNews(cause, one.cause) && this.#moment(one).at - one.at <= sleepAfter) return
      this.#quietly(() => {
        this.#note(one)
        if (isNews(cause, one.cause)) this.#add(one, one.at, cause)
      })
      return
    }
    this.#open = this.#quietly(() => this.#begin(cause))
    if (this.#open) this.#watch()
  }

  /** A request was answered. */
  answered(): void {
    const one = this.#open
    if (!one) return
    this.#open = undefined
    clearInterval(this.#timer)
    this.#timer = undefined
    this.#quietly(() => this.#finish(one))
  }

  /** The station closes. An outage lasts on, unless it began by closing: the line may be cut before Countertag ends. */
  stop(): void {
    const one = this.#open
    this.#open = undefined
    clearInterval(this.#timer)
    this.#timer = undefined
    if (!one) return
    this.#quietly(() => {
      this.#note(one)
      if (this.#isShort(one)) this.#sql.drop.run(one.id)
    })
  }

  /** Undefined if the disk refuses. */
  #quietly<Value>(change: () => Value): Value | undefined {
    try {
      return this.#context.db.transaction(change).immediate()
    } catch (cause) {
      this.#context.log.warn('an outage could not be kept', { cause })
      return undefined
    }
  }

  #byClock() {
    return this.#context.clock.now() + this.#serviceClock.offset()
  }

  #anchorAt(at: number): Anchor {
    return {
      at,
      monotonic: systemTimers.monotonic(),
      clock: this.#context.clock.now(),
      offset: this.#serviceClock.offset(),
    }
  }

  /**
   * The moment of an outage: what the monotonic clock says since the anchor, and what the clock went ahead of that, which is
   * sleep. If it was only corrected meanwhile, or went ahead and came back, it went ahead by nothing.
   */
  #moment({ anchor }: OpenOutage): Drift & { at: number } {
    const ran = systemTimers.monotonic() - anchor.monotonic
    const ahead = this.#context.clock.now() - anchor.clock - ran
    const turned = this.#serviceClock.offset() - anchor.offset
    return { at: Math.round(anchor.at + ran + Math.max(Math.min(ahead, ahead + turned), 0)), ahead, turned }
  }

  /** At a moment of its own, after the causes before. */
  #add(one: OpenOutage, at: number, cause: OutageCause, isAnyway = false) {
    one.cause = cause
    if (one.causes >= mostCauses && !isAnyway) return
    const last = z.number().nullable().parse(this.#sql.lastCause.get(one.id))
    this.#sql.addCause.run(one.id, last === null ? at : Math.max(at, last + 1), cause)
    one.causes += 1
  }

  /** Says that the clock was changed: what was noted of later than `at` was by a clock that had been set ahead. */
  #addChange(one: OpenOutage, at: number) {
    one.causes -= this.#sql.dropCauses.run(one.id, at).changes
    this.#add(one, at, 'clock-changed', !one.isDoubtful)
    one.isDoubtful = true
  }

  /** Notes that it lasts. A pause in which nothing was noted is the computer's sleep, or a clock that was set ahead. */
  #note(one: OpenOutage) {
    const { at, ahead, turned } = this.#moment(one)
    const { cause } = one
    const isCorrected = Math.abs(turned - one.turned) > jump && !one.isDoubtful
    if (at - one.at > sleepAfter) {
      this.#add(one, one.at, 'asleep')
      this.#add(one, at, cause)
    }
    if (one.ahead - ahead > jump || isCorrected) {
      this.#addChange(one, at)
      this.#add(one, at, cause)
      one.at = at
    }
    one.at = Math.max(at, one.at)
    one.ahead = ahead
    one.turned = turned
    this.#sql.see.run(one.at, one.id)
  }

  #begin(cause: OutageCause): OpenOutage {
    let at = this.#byClock()
    while (this.#sql.exists.get(at) !== undefined) at += 1
    this.#sql.dropOld.run(Math.min(at, this.#pastClock?.now() ?? at) - keptFor)
    this.#sql.insert.run({ at, cause })
    this.#sql.endLeft.run(at)
    const kept = { id: at, at, cause, causes: 0, anchor: this.#anchorAt(at), ahead: 0, turned: 0 }
    const one: OpenOutage = { ...kept, isOfProcess: true, isDoubtful: false }
    this.#add(one, at, cause)
    return one
  }

  #watch() {
    clearInterval(this.#timer)
    this.#timer = setInterval(() => {
      const one = this.#open
      if (one) this.#quietly(() => this.#note(one))
    }, betweenNotes)
    this.#timer.unref()
  }

  #isShort(one: OpenOutage) {
    return one.isOfProcess && one.at - one.id < shortest
  }

  #finish(one: OpenOutage) {
    this.#note(one)
    if (this.#isShort(one)) this.#sql.drop.run(one.id)
    else this.#sql.end.run({ id: one.id, at: one.at })
  }
}

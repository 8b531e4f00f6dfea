import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import { OutageCause } from '../../src-shared/ipc/contract/outages'
import { type Clock, type ServiceClock, type Timers, systemTimers } from '../clock'
import type { Log } from '../log'
import { isNews } from './outage-cause'

export type Outages = ReturnType<typeof createOutages>

interface OutageParts {
  db: Database
  clock: Clock
  serviceClock: Pick<ServiceClock, 'offset'>
  log: Pick<Log, 'warn'>
  timers?: Pick<Timers, 'monotonic'>
}

/** A shorter one is not kept, in ms: a request that fails once and is answered at the next try is no outage. */
const shortest = 2_000
/** How often it is noted that one still lasts, in ms: after a crash, it is known to within this time until when. */
const betweenNotes = 30_000
/** A pause between notes of more than this, in ms, means that the computer slept. */
const sleepAfter = 4 * betweenNotes
/** How long outages are kept, in ms. */
const keptFor = 400 * 86_400_000
/** At most so many changes of the cause are kept of one. */
const mostCauses = 100

/** The outage that lasts: `at` is when it was last noted, `cause` what was last wrong. */
interface Open {
  id: number
  at: number
  cause: OutageCause
  causes: number
  /** When it began in this process, in ms of a monotonic clock. */
  since: number
}

const Row = z
  .object({ began_at: z.number(), seen_at: z.number(), cause: OutageCause.catch('unreachable'), causes: z.number() })
  .transform(({ began_at: id, seen_at: at, cause, causes }): Open => ({
    id,
    at,
    cause,
    causes,
    since: Number.NEGATIVE_INFINITY,
  }))

/**
 * Keeps the times at which this station could not work with the service: from the first request that failed to the first
 * that was answered, also over the end of Countertag. Times are by the service's clock and never go back within an outage. A
 * full disk loses an entry, never a reply: nothing here throws.
 */
export function createOutages({ db, clock, serviceClock, log, timers = systemTimers }: OutageParts) {
  // What was reported during it is found by numbers: clocks jump, sequences don't.
  const insert = db.prepare(`
    INSERT INTO outage (began_at, seen_at, cause, start_seq, start_entry) VALUES (@at, @at, @cause,
      (SELECT coalesce(max(seq), 0) FROM operation), (SELECT coalesce(max(entry), 0) FROM journal))`)
  const exists = db.prepare('SELECT 1 FROM outage WHERE began_at = ?')
  const addCause = db.prepare('INSERT OR REPLACE INTO outage_cause (outage, at, cause) VALUES (?, ?, ?)')
  const see = db.prepare('UPDATE outage SET seen_at = ? WHERE began_at = ?')
  const end = db.prepare(`
    UPDATE outage SET seen_at = @at, ended_at = @at, last_seq = (SELECT coalesce(max(seq), 0) FROM operation)
    WHERE began_at = @id`)
  // Of one whose end the disk refused, nothing later is known.
  const endLeft = db.prepare(`
    UPDATE outage SET ended_at = seen_at, last_seq = (SELECT coalesce(max(seq), 0) FROM operation)
    WHERE ended_at IS NULL AND began_at <> ?`)
  const drop = db.prepare('DELETE FROM outage WHERE began_at = ?')
  const dropOld = db.prepare('DELETE FROM outage WHERE began_at < ?')
  const unended = db.prepare(`
    SELECT began_at, seen_at, count(*) AS causes,
      (SELECT cause FROM outage_cause WHERE outage = began_at ORDER BY at DESC LIMIT 1) AS cause
    FROM outage JOIN outage_cause ON outage = began_at WHERE ended_at IS NULL GROUP BY began_at ORDER BY began_at DESC LIMIT 1`)
  let open: Open | undefined
  let timer: NodeJS.Timeout | undefined

  /** Undefined if the disk refuses. */
  const quietly = <Value>(change: () => Value): Value | undefined => {
    try {
      return db.transaction(change).immediate()
    } catch (cause) {
      log.warn('an outage could not be kept', { cause })
      return undefined
    }
  }
  /** A clock that was set back stands still within an outage. */
  const moment = (since = Number.NEGATIVE_INFINITY) => Math.max(clock.now() + serviceClock.offset(), since)

  const add = (one: Open, at: number, cause: OutageCause) => {
    one.cause = cause
    if (one.causes >= mostCauses) return
    addCause.run(one.id, at, cause)
    one.causes += 1
  }
  /** Notes that it lasts. A pause in which nothing was noted is the computer's sleep. */
  const note = (one: Open) => {
    const at = moment(one.at)
    if (at - one.at > sleepAfter) {
      const { cause } = one
      add(one, one.at, 'asleep')
      add(one, at, cause)
    }
    one.at = at
    see.run(at, one.id)
  }
  const begin = (cause: OutageCause): Open => {
    let at = moment()
    while (exists.get(at) !== undefined) at += 1
    dropOld.run(at - keptFor)
    insert.run({ at, cause })
    endLeft.run(at)
    const one: Open = { id: at, at, cause, causes: 0, since: timers.monotonic() }
    add(one, at, cause)
    return one
  }
  const watch = () => {
    clearInterval(timer)
    timer = setInterval(() => {
      const one = open
      if (one) quietly(() => note(one))
    }, betweenNotes)
    timer.unref()
  }
  /** By both clocks: one that was set back makes no outage short. */
  const isShort = (one: Open) => one.at - one.id < shortest && timers.monotonic() - one.since < shortest
  const finish = (one: Open) => {
    note(one)
    if (isShort(one)) drop.run(one.id)
    else end.run({ id: one.id, at: one.at })
  }

  // One that the last process left: what the service does meanwhile isn't known, so it lasts until the service answers.
  open = quietly(() => {
    const row = unended.get()
    if (row === undefined) return undefined
    const last = Row.parse(row)
    endLeft.run(last.id)
    add(last, last.at, 'station-off')
    last.at = moment(last.at)
    see.run(last.at, last.id)
    return last
  })
  if (open) watch()

  return {
    /** A request failed. */
    trouble(cause: OutageCause): void {
      const one = open
      if (one) {
        // The timer notes that it lasts: a service that fails every report costs no commit for each.
        if (!isNews(cause, one.cause) && moment(one.at) - one.at <= sleepAfter) return
        quietly(() => {
          note(one)
          if (isNews(cause, one.cause)) add(one, one.at, cause)
        })
        return
      }
      open = quietly(() => begin(cause))
      if (open) watch()
    },
    /** A request was answered. */
    answered(): void {
      const one = open
      if (!one) return
      open = undefined
      clearInterval(timer)
      timer = undefined
      quietly(() => finish(one))
    },
    /** The station closes. An outage lasts on, unless it began by closing: the line may be cut before Countertag ends. */
    stop(): void {
      const one = open
      open = undefined
      clearInterval(timer)
      timer = undefined
      if (!one) return
      quietly(() => {
        note(one)
        if (isShort(one)) drop.run(one.id)
      })
    },
  }
}

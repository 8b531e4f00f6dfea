import { isOutOfReach } from '../../src-shared/errors'
import type { Clock } from '../core/clock'
import type { Outcome } from './operation'

/** What an outage left behind is sent over a sixth of its length, in ms at most this long. */
const shareOfOutage = 1 / 6
const longestDrain = 500_000
/** Between two reports of a short queue, in ms: it takes less than its share of the time. */
const longestGap = 4_000
/** What is still left at the end of that time is spread over this share of it, again and again. */
const overtime = 1 / 8
/** After so much more of that time the pace ends, whatever is left: one report that is never answered slows no other. */
const longestOvertime = 0.6
/** The share of the time in which all are to be tried once: the rest is for those that need several attempts. */
const firstTries = 0.8
/** Settled reports that are assumed at the start, so that the first faults don't count for much. */
const assumed = 3
/** So many attempts a report are reckoned with at most. */
const mostAttempts = 3

/** "Too many requests" halves the speed, down to this; each answer adds to it again, up to 1, and time restores it. */
const slowest = 1 / 8
const recovery = 0.05
/** So long after the last "too many requests" the speed is 1 again, in ms. */
const slowFor = 60_000
/** The gap in ms at the first "too many requests" outside of a drain. */
const firstGap = 250

/**
 * How fast reports are sent after trouble: all stations that a service lost find it again at the same moment, and each with
 * a queue. Without trouble, as fast as the lanes allow. `random`: [0, 1), so that stations don't send in step.
 */
export function createPace(clock: Clock, random: () => number = Math.random) {
  /** A queue that is being sent after an outage. */
  let begun: { endsAt: number; length: number; left: number; settled: number; unanswered: number } | null = null
  /** Start of the outage after which no report was settled yet: its end is not certain. */
  let lostAt: number | null = null
  let slowed = 1
  let busyAt = Number.NEGATIVE_INFINITY
  let nextAt = 0

  const draining = () => {
    if (!begun) return null
    const timeLeft = begun.endsAt - clock.now()
    // More than there was means that the clock was set back.
    if (timeLeft > begun.length || timeLeft < -longestOvertime * begun.length) begun = null
    return begun
  }
  const speed = () => {
    const passed = clock.now() - busyAt
    // Negative: the clock was set back.
    return passed >= 0 && passed < slowFor ? slowed : 1
  }
  const isFree = () => speed() === 1 && draining() === null
  /** Time between two attempts, in ms: those that won't be answered are reckoned with. */
  const gap = (): number => {
    const drain = draining()
    if (!drain) return speed() === 1 ? 0 : firstGap / speed()
    const perReport = 1 + drain.unanswered / (drain.settled + assumed)
    const attempts = drain.left * Math.min(perReport, mostAttempts)
    const timeLeft = Math.max(drain.endsAt - clock.now(), overtime * drain.length)
    const even = (timeLeft * firstTries) / attempts
    return Math.min(even, longestGap) / speed()
  }
  // A clock that was set back must not hold up the queue.
  const isDue = () => nextAt <= clock.now() || nextAt - clock.now() > longestWait

  return {
    /** Whether a queue is being sent after an outage. */
    isDraining: () => draining() !== null,
    /** Whether reports follow each other without a pause. */
    isFree,
    /** Whether the next report may be sent now. */
    isDue: () => isFree() || isDue(),
    /** When the next report may be sent, in ms since 1970; 0 if now. */
    nextAt: () => (isFree() || isDue() ? 0 : nextAt),
    /**
     * The service is back after an outage of so many ms, and so many reports wait. Where readings succeed and reports fail it
     * seems to come back every few seconds: until a report is settled, it's the same outage.
     */
    begin(left: number, outageMs: number): void {
      const now = clock.now()
      if (left === 0 || outageMs <= 0) return
      if (lostAt === null || lostAt > now - outageMs) lostAt = now - outageMs
      const length = Math.min((now - lostAt) * shareOfOutage, longestDrain)
      const endsAt = now + length
      if (endsAt <= (draining()?.endsAt ?? now)) return
      begun = { endsAt, length, left, settled: 0, unanswered: 0 }
      nextAt = clock.now() + random() * gap()
    },
    /** A report is sent. */
    claimed(): void {
      nextAt = clock.now() + gap() * (0.5 + random())
    },
    /** What came of it. */
    note(outcome: Outcome): void {
      if (outcome.kind === 'accepted' || outcome.kind === 'rejected') {
        slowed = Math.min(slowed + recovery, 1)
        lostAt = null
        if (!begun) return
        begun.settled += 1
        begun.left = Math.max(begun.left - 1, 1)
      } else if (outcome.reason.code === 'service/busy') {
        slowed = Math.max(speed() / 2, slowest)
        busyAt = clock.now()
        // All stations were told the same time.
        const wait = Math.min(outcome.afterMs ?? 0, longestWait / 2)
        nextAt = clock.now() + wait + random() * Math.max(gap(), wait / 2)
      } else if (begun && isOutOfReach(outcome.reason)) begun.unanswered += 1
    },
    /** All that waited was sent, or tried and is waiting by its own pauses. */
    drained(): void {
      begun = null
    },
    /** A person said "now". */
    reset(): void {
      begun = null
      lostAt = null
      slowed = 1
    },
  }
}

/** In ms. A wait that is longer was set before the clock was set back. */
const longestWait = 180_000

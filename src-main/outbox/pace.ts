import type { Clock } from '../clock'
import type { Outcome } from './operation'

interface PaceParts {
  clock: Clock
  /** [0, 1), so that stations don't send in step. */
  random?: () => number
}

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

/** "Too many requests" halves the speed, down to this; each answer adds to it again, up to 1. */
const slowest = 1 / 8
const recovery = 0.05
/** The gap in ms at the first "too many requests" outside of a drain. */
const firstGap = 250

/**
 * How fast reports are sent after trouble: all stations that a service lost find it again at the same moment, and each with
 * a queue. Without trouble, as fast as the lanes allow.
 */
export function createPace({ clock, random = Math.random }: PaceParts) {
  /** A queue that is being sent after an outage. */
  let begun: { endsAt: number; length: number; left: number; settled: number; failed: number } | null = null
  let speed = 1
  let nextAt = 0

  const draining = () => {
    if (!begun) return null
    const timeLeft = begun.endsAt - clock.now()
    // More than there was means that the clock was set back.
    if (timeLeft > begun.length || timeLeft < -longestOvertime * begun.length) begun = null
    return begun
  }
  const isFree = () => speed === 1 && draining() === null
  /** Time between two attempts, in ms: those that will fail are reckoned with. */
  const gap = (): number => {
    const drain = draining()
    if (!drain) return speed === 1 ? 0 : firstGap / speed
    const attempts = drain.left * (1 + drain.failed / (drain.settled + assumed))
    const timeLeft = Math.max(drain.endsAt - clock.now(), overtime * drain.length)
    const even = (timeLeft * firstTries) / attempts
    return Math.min(even, longestGap) / speed
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
    /** The service is back after an outage of so many ms, and so many reports wait. */
    begin(left: number, outageMs: number): void {
      const length = Math.min(outageMs * shareOfOutage, longestDrain)
      const endsAt = clock.now() + length
      if (left === 0 || endsAt <= (draining()?.endsAt ?? clock.now())) return
      begun = { endsAt, length, left, settled: 0, failed: 0 }
      nextAt = clock.now() + random() * gap()
    },
    /** A report is sent. */
    claimed(): void {
      nextAt = clock.now() + gap() * (0.5 + random())
    },
    /** What came of it. */
    note(outcome: Outcome): void {
      if (outcome.kind === 'accepted' || outcome.kind === 'rejected') {
        speed = Math.min(speed + recovery, 1)
        if (!begun) return
        begun.settled += 1
        begun.left = Math.max(begun.left - 1, 1)
      } else if (outcome.reason.code === 'service/busy') {
        speed = Math.max(speed / 2, slowest)
        // All stations were told the same time.
        const wait = Math.min(outcome.afterMs ?? 0, longestWait / 2)
        nextAt = clock.now() + wait + random() * Math.max(gap(), wait / 2)
      } else if (begun) begun.failed += 1
    },
    /** Nothing is left to send. */
    drained(): void {
      begun = null
    },
    /** A person said "now". */
    reset(): void {
      begun = null
      speed = 1
    },
  }
}

/** In ms. A wait that is longer was set before the clock was set back. */
const longestWait = 180_000

import type { AppError } from '../../src-shared/errors'
import { isSilence } from '../../src-shared/silence'
import { pauseAfter } from '../backoff'
import type { Clock } from '../clock'

/**
 * Whether it makes sense to send at all. While nobody can be reached, one operation asks for all of them, less and less
 * often, and the others rest: an outage of a day with 500 sales waiting is not 500 sales failing every minute.
 */
export interface Gate {
  /** How many operations may be on the wire now: all lanes, one that finds out, or none. */
  lanes(): number
  /** When the next one may find out, ms since 1970; null when the gate is open. */
  opensAt(): number | null
  /**
   * Call when an attempt begins, and with what it ended; null when there is nothing to complain of, `of-one` when its
   * trouble tells nothing of others.
   */
  enter(): (reason: AppError | 'of-one' | null, afterMs?: number | null) => void
  /** Somebody else was answered: the next one may find out now, and still alone, for it may fail where readings succeed. */
  findOut(): void
  /** Somebody knows better: the service took a report, or a person said "now". */
  open(): void
}

export interface GateParts {
  clock: Clock
  /** Operations on the wire at once while all is well. */
  lanes: number
  /** [0, 1), for the jitter. */
  random?: () => number
}

export function createGate({ clock, lanes, random = Math.random }: GateParts): Gate {
  let faults = 0
  let shutUntil = 0
  let answers = 0

  const open = () => {
    faults = 0
    shutUntil = 0
  }
  // A clock that was set back must not keep the gate shut for a day.
  const isShut = () => shutUntil > clock.now() && shutUntil - clock.now() <= longestShut

  return {
    lanes: () => (isShut() ? 0 : faults > 0 ? 1 : lanes),
    opensAt: () => (isShut() ? shutUntil : null),
    enter() {
      const answersBefore = answers
      return (reason, afterMs = null) => {
        if (reason === 'of-one') return
        // The service asks all to wait, not only the one that it told.
        if (reason?.code === 'service/busy' && afterMs !== null) {
          shutUntil = Math.max(shutUntil, clock.now() + Math.min(afterMs, longestShut))
          faults = Math.max(faults, 1)
          return
        }
        // Faults that say nothing about the one operation say everything about all.
        if (reason === null || !isSilence(reason)) {
          answers += 1
          open()
          return
        }
        // Eight lanes that fail at the same moment are one fault. And where another one was answered meanwhile, it is the
        // trouble of this one alone.
        if (isShut() || answers !== answersBefore) return
        shutUntil = clock.now() + pauseAfter(faults, null, random)
        faults += 1
      }
    },
    findOut() {
      shutUntil = 0
    },
    open,
  }
}

/** No pause is longer, in ms. */
const longestShut = 60_000

import { type AppError, isUnreachable } from '../../src-shared/errors'
import { pauseAfter } from '../core/backoff'
import type { Clock } from '../core/clock'

/** The longest pause, in ms. */
const longestPause = 60_000

/**
 * Decides whether it makes sense to send at all. While the service can't be reached it is open: one operation tries on
 * behalf of all, less and less often. An outage of a day with 500 sales waiting must not be 500 failures a minute. `lanes`:
 * operations on the wire at once while all is well. `random`: [0, 1), for the jitter.
 */
export function createCircuitBreaker(clock: Clock, lanes: number, random: () => number = Math.random) {
  let faults = 0
  let openUntil = 0
  let answers = 0

  /** Lets everything through: a report was answered, or a person said "now". */
  const reset = () => {
    faults = 0
    openUntil = 0
  }
  // A clock that was set back must not keep it open for a day.
  const isOpen = () => openUntil > clock.now() && openUntil - clock.now() <= longestPause

  return {
    reset,
    /** How many operations may be on the wire now: all lanes, one on trial, or none. */
    lanes: () => (isOpen() ? 0 : faults > 0 ? 1 : lanes),
    /** When the next operation may try, ms since 1970; null while it is not open. */
    nextTrialAt: () => (isOpen() ? openUntil : null),
    /** A reading was answered: the next operation may try now, still alone, since reports may fail where readings succeed. */
    allowTrial(): void {
      openUntil = 0
    },
    /**
     * Call when an attempt begins; call the returned function with the reason it failed for (null if none, `of-one` if that
     * says nothing about other operations) and the pause that the service asked for.
     */
    enter() {
      const answersBefore = answers
      return (reason: AppError | 'of-one' | null, afterMs: number | null = null): void => {
        if (reason === 'of-one') return
        // The service asks all to wait, not only the operation it told.
        if (reason?.code === 'service/busy' && afterMs !== null) {
          openUntil = Math.max(openUntil, clock.now() + Math.min(afterMs, longestPause))
          faults = Math.max(faults, 1)
          return
        }
        // Any answer shows that the service can be reached.
        if (reason === null || !isUnreachable(reason)) {
          answers += 1
          reset()
          return
        }
        // Eight lanes that fail together are one fault. If another was answered meanwhile, it is this operation's own trouble.
        if (isOpen() || answers !== answersBefore) return
        openUntil = clock.now() + pauseAfter(faults, null, random)
        faults += 1
      }
    },
  }
}

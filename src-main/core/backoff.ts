import type { Clock } from './clock'

/** A pause that grows with each failure, up to a maximum. In ms. */
export interface Growth {
  first: number
  factor: number
  longest: number
  /** The random share of the pause, from 0 to 1, so that stations don't ask at the same moment. */
  jitter: number
}

/** The pause after a failure. `faults`: number of failures before it. `random` returns [0, 1). */
export function pauseOf({ first, factor, longest, jitter }: Growth, faults: number, random: () => number): number {
  const ceiling = Math.min(longest, first * factor ** Math.min(faults, 64))
  return Math.round(ceiling * (1 - jitter + jitter * random()))
}

const attempts: Growth = { first: 1_000, factor: 2, longest: 60_000, jitter: 1 }

/** Pause in ms before the next attempt: exponential with full jitter; `random` returns [0, 1). Retry-After is obeyed. */
export const pauseAfter = (faults: number, afterMs: number | null, random: () => number): number =>
  // At least a quarter of a second, so that a till doesn't add to the load of a failing service.
  Math.max(afterMs ?? 0, 250, pauseOf(attempts, faults, random))

/** The longest pause, in ms; also the longest that Retry-After may ask for. */
const longestRest = 3_600_000

/** When one endpoint may be asked again. */
export function createBackoff(clock: Clock, random: () => number = Math.random) {
  let faults = 0
  let until = Number.NEGATIVE_INFINITY

  return {
    /** True while the endpoint must not be asked. */
    isResting() {
      const left = until - clock.now()
      // A longer remainder than any pause means that the clock was set back.
      return left > 0 && left <= longestRest
    },
    /** A request failed: the next pause is longer, at most `longest`, and no shorter than Retry-After. */
    failed(retryAfterMs: number | null, longest: number = Number.POSITIVE_INFINITY) {
      const pause = Math.min(pauseAfter(faults, null, random), longest)
      until = clock.now() + Math.min(Math.max(pause, retryAfterMs ?? 0), longestRest)
      faults += 1
    },
    /** Pauses for `ms`, regardless of the number of failures. */
    rest(ms: number) {
      until = clock.now() + Math.min(ms, longestRest)
    },
    /** Ends the pause: a request succeeded, or a person chose to try now. */
    clear() {
      faults = 0
      until = Number.NEGATIVE_INFINITY
    },
  }
}

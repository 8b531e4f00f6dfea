import type { Clock } from './clock'

/** A pause that grows from fault to fault up to a longest one, in ms. */
export interface Growth {
  first: number
  factor: number
  longest: number
  /** The share of the pause that is left to chance, from 0 to 1: stations must not ask in step. */
  jitter: number
}

/** The pause after so many faults before the last one. `random` gives [0, 1). */
export function pauseOf({ first, factor, longest, jitter }: Growth, faults: number, random: () => number): number {
  const ceiling = Math.min(longest, first * factor ** Math.min(faults, 64))
  return Math.round(ceiling * (1 - jitter + jitter * random()))
}

const attempts: Growth = { first: 1_000, factor: 2, longest: 60_000, jitter: 1 }

/** Pause in ms before the next attempt: exponential with full jitter; `random` gives [0, 1). Retry-After is obeyed. */
export const pauseAfter = (faults: number, afterMs: number | null, random: () => number): number =>
  // Never less than a quarter of a second: a service in trouble is not helped by a till that asks without a pause.
  Math.max(afterMs ?? 0, 250, pauseOf(attempts, faults, random))

/** A pause is never longer than Retry-After may ask for, in ms. */
const longestRest = 3_600_000

/** When one endpoint may be asked again. */
export function createBackoff(clock: Clock, random: () => number = Math.random) {
  let faults = 0
  let until = Number.NEGATIVE_INFINITY

  return {
    /** Whether it must not be asked yet. */
    isResting() {
      const left = until - clock.now()
      // More than any pause: the clock was set back meanwhile.
      return left > 0 && left <= longestRest
    },
    /** A request failed: the next pause is longer, at most `longest`, and no shorter than Retry-After. */
    failed(retryAfterMs: number | null, longest: number = Number.POSITIVE_INFINITY) {
      const pause = Math.min(pauseAfter(faults, null, random), longest)
      until = clock.now() + Math.min(Math.max(pause, retryAfterMs ?? 0), longestRest)
      faults += 1
    },
    /** Nothing is asked for so long, however many faults there were. */
    rest(ms: number) {
      until = clock.now() + Math.min(ms, longestRest)
    },
    /** A request succeeded, or a person said "now". */
    clear() {
      faults = 0
      until = Number.NEGATIVE_INFINITY
    },
  }
}

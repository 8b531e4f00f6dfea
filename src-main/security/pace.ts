/** Wrong tries in a row without a wait; each later one doubles the wait, which is in ms. */
export const freeTries = 3
const firstWait = 5_000
const longestWait = 300_000
/** Simultaneous tries count as one: the next waits at least this long, in ms. */
const leastWait = 500

export const waitAfter = (failures: number, free = freeTries): number =>
  failures < free ? 0 : Math.min(firstWait * 2 ** (failures - free), longestWait)

/** The pace of tries at a secret. Wrong ones still count after a restart, where they are kept. */
export class TryPace {
  readonly #sinceStart: () => number
  readonly #free: number
  #failures: number
  #nextTryAt: number

  /** `failures`: wrong tries in a row so far. `sinceStart`: a monotonic clock, in ms. */
  constructor(failures: number, sinceStart: () => number, free = freeTries) {
    this.#sinceStart = sinceStart
    this.#free = free
    this.#failures = failures
    this.#nextTryAt = sinceStart() + waitAfter(failures, free)
  }

  get failures(): number {
    return this.#failures
  }

  /** How long until a try is accepted, in ms; 0 if it is now. */
  waitMs(): number {
    return Math.max(Math.ceil(this.#nextTryAt - this.#sinceStart()), 0)
  }

  /** Counts a try as wrong until it is right. Returns how long the next one waits then. */
  begin(): number {
    this.#failures++
    const wait = waitAfter(this.#failures, this.#free)
    this.#nextTryAt = this.#sinceStart() + Math.max(wait, leastWait)
    return wait
  }

  right(): void {
    this.#failures = 0
    this.#nextTryAt = 0
  }
}

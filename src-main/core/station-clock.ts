import { uptime } from 'node:os'
import { type Clock, longestOffset } from './clock'

declare const __BUILT_AT__: number | undefined

/** No Countertag of this line is older. Program text that was not built has no other date. */
const firstRelease = Date.UTC(2026, 10, 1)

/** When this program was built, in ms since 1970. */
export const builtAt = Math.max(firstRelease, typeof __BUILT_AT__ === 'number' ? __BUILT_AT__ : 0)

/** Longer than any installation is used without an update, in ms. */
const longestUse = 20 * 365.25 * 86_400_000
/** The build's computer may have been ahead by so much, in ms. */
const buildSlack = 86_400_000
/** A clock may be set back by this much, in ms: it was ahead before, and is right now. */
export const setBackSlack = 600_000
/** Two clocks that differ by less than this since they were compared, in ms, were not set. */
const drift = 60_000
/** Less than this, in ms, is no sleep: the uptime has whole seconds on some systems. */
const sleepNoise = 5_000
/** The service's date has whole seconds and takes time to arrive, in ms. */
const headerNoise = 2_000
/** The newest confirmed moment is stored no more often, in ms. */
const betweenNotes = 600_000

interface Bounds {
  earliest: number
  latest: number
}

const isWithin = (at: number, { earliest, latest }: Bounds) => at >= earliest && at <= latest

/** Moments that the present can have, by the build's date alone. */
const ofBuild = (built: number): Bounds => ({ earliest: built - buildSlack, latest: built + longestUse })

/**
 * Whether a report can have been made at a moment (ms since 1970), for all that any version of the program knows. The
 * present build may be newer than the report.
 */
export const canBeReported = (at: number, now: number): boolean =>
  at >= firstRelease - buildSlack && at <= Math.min(now, builtAt + longestUse)

/**
 * Which clock is right if the service's and the station's are compared: `agree` within a day, which the offset corrects;
 * else the one that is wrong. `expected`: what the clock should show by a steady clock since the last comparison; null
 * before the first. Without evidence for either, the station's counts as wrong: servers are set by time servers, and a
 * till's battery ends.
 */
export function whichIsWrong({
  own,
  service,
  expected,
  built,
  newest,
}: {
  own: number
  service: number
  expected: number | null
  built: number
  /** The newest moment on which both clocks agreed; null if they never did. */
  newest: number | null
}): 'agree' | 'own' | 'service' {
  const bounds = ofBuild(built)
  // Two clocks that agree now overrule a moment that was remembered.
  if (Math.abs(service - own) <= longestOffset + headerNoise && isWithin(service, bounds)) return 'agree'
  const known = { ...bounds, earliest: Math.max(bounds.earliest, (newest ?? 0) - setBackSlack) }
  if (!isWithin(service, known)) return 'service'
  if (!isWithin(own, known)) return 'own'
  return expected !== null && Math.abs(own - expected) <= longestOffset ? 'service' : 'own'
}

/** A moment, and what the steady clock showed then. */
interface Anchor {
  at: number
  steady: number
}

export interface StationClockParts {
  /** The computer's clock. */
  system: Clock
  /** A clock that is never set and goes on during sleep, in ms. */
  steady?: () => number
  built?: number
  /** The newest moment on which the computer's and the service's clock agreed, as it was stored. */
  newest?: number | undefined
  /** The moment of the last saved report: where time goes on from if the clock shows nothing that can be. */
  lastReport?: number | undefined
  /** Stores `newest`. */
  keep?: (newest: number) => void
}

/**
 * The best known present. It's the computer's clock while that shows a moment that can be. A clock that
 * shows another one (before the build or before a moment that was confirmed, or decades after the build) is replaced: by the
 * service's, carried on by the steady clock, or until the service has answered by an estimate that at least goes on.
 */
export class StationClock implements Clock {
  readonly #system: Clock
  readonly #steady: () => number
  readonly #built: number
  readonly #keep: (newest: number) => void
  readonly #start: Anchor
  #newest: number | null
  #kept: number
  /** What this clock showed at the last comparison in which the service's was believed. */
  #witness: Anchor | null = null
  /** The service's clock counts instead of the computer's. */
  #isReplaced = false

  constructor({ system, steady = createSteady(), built = builtAt, newest, lastReport = 0, keep }: StationClockParts) {
    this.#system = system
    this.#steady = steady
    this.#built = built
    this.#keep = keep ?? (() => undefined)
    this.#newest = newest ?? null
    this.#kept = newest ?? Number.NEGATIVE_INFINITY
    const floor = Math.max(built, newest ?? 0)
    const isUsable = isWithin(lastReport, ofBuild(built)) && lastReport > floor
    this.#start = { at: isUsable ? lastReport : floor, steady: steady() }
  }

  /** ms since 1970. */
  now(): number {
    return this.#presentIf(this.#system.now())
  }

  /** Whether `now` is an estimate: the clock shows what can't be, and the service's clock has not been seen. */
  isEstimate(): boolean {
    return this.#witness === null && !this.#canBe(this.#system.now())
  }

  /** Whether the computer's clock shows what can't be, or what the service's clock refutes. */
  isWrong(): boolean {
    return this.#isReplaced || !this.#canBe(this.#system.now())
  }

  /**
   * Whether `now` is known to be right: it was compared with the service's clock in this process, and the computer's clock,
   * unless it is replaced, has gone on since like the steady clock. Another one may have been set meanwhile.
   */
  isProven(): boolean {
    if (this.#witness === null) return false
    return this.#isReplaced || Math.abs(this.#system.now() - this.#since(this.#witness)) <= drift
  }

  /** What is added to the computer's clock, in ms. */
  lead(): number {
    const shown = this.#system.now()
    return this.#presentIf(shown) - shown
  }

  /** What the computer's clock shows, in ms since 1970. */
  shown(): number {
    return this.#system.now()
  }

  /** The steady clock, in ms from no moment in particular. */
  steady(): number {
    return this.#steady()
  }

  /** The newest moment on which both clocks agreed; null if they never did. */
  confirmedAt(): number | null {
    return this.#newest
  }

  /**
   * A moment that is certainly past, near to the present once the service has answered. What is deleted for its age is
   * counted from here: a clock that visited a later year must not make everything old.
   */
  atLeast(): number {
    const shown = this.#system.now()
    const known = this.#witness ? this.#since(this.#witness) : this.#since({ ...this.#start, at: this.#floor() })
    return this.#canBe(shown) ? Math.min(shown, known) : known
  }

  /** Takes the service's clock, as it was when this clock showed `at`. Says which one is wrong, if one is. */
  compare(service: number, at: number): ReturnType<typeof whichIsWrong> {
    const passed = this.now() - at
    const own = this.#system.now() - passed
    const expected = this.#witness ? this.#since(this.#witness) - passed : null
    const verdict = whichIsWrong({ own, service, expected, built: this.#built, newest: this.#newest })
    if (verdict === 'service') return verdict
    // A difference of less than a day is the offset's: this clock goes on as it was.
    this.#witness = { at: (verdict === 'agree' ? own : service) + passed, steady: this.#steady() }
    this.#isReplaced = verdict === 'own'
    if (verdict === 'agree') this.#note(Math.min(own, service))
    return verdict
  }

  #presentIf(shown: number): number {
    if (this.#isReplaced && this.#witness) return this.#since(this.#witness)
    return this.#canBe(shown) ? shown : this.#since(this.#witness ?? this.#start)
  }

  #note(newest: number): void {
    this.#newest = newest
    if (newest > this.#kept && newest - this.#kept < betweenNotes) return
    this.#kept = newest
    this.#keep(newest)
  }

  #floor(): number {
    return Math.max(this.#built, this.#newest ?? 0)
  }

  #canBe(at: number): boolean {
    const bounds = ofBuild(this.#built)
    // What was confirmed in this process has gone on since.
    const known = Math.max(this.#newest ?? 0, this.#witness ? this.#since(this.#witness) : 0) - setBackSlack
    return isWithin(at, { ...bounds, earliest: Math.max(bounds.earliest, known) })
  }

  #since({ at, steady }: Anchor): number {
    return Math.round(at + this.#steady() - steady)
  }
}

/** A steady clock of the computer in ms: that of the process, and the sleep that it misses. */
export function createSteady(now = () => performance.now(), up = () => uptime() * 1_000): () => number {
  const [began, upThen] = [now(), up()]
  let slept = 0
  return () => {
    const ran = now() - began
    const gap = up() - upThen - ran
    if (gap > slept + sleepNoise) slept = gap
    return ran + slept
  }
}

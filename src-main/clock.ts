/** The station's own clock, milliseconds since 1970. Tests turn it by hand. */
export interface Clock {
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

export const iso = (ms: number) => new Date(ms).toISOString()

/** The `Date` header counts whole seconds and travels: an offset below this is noise, not a wrong clock. */
const noise = 2_000

/** The difference between the service's clock and ours, as its answers show it. */
export interface ServiceClock {
  /** Takes the `Date` header of an answer; what is no date is ignored. */
  seen(dateHeader: string | undefined, askedAt: number, answeredAt: number): void
  /** To be added to our clock, in ms. */
  offset(): number
}

export function createServiceClock(): ServiceClock {
  let offset = 0
  return {
    seen(dateHeader, askedAt, answeredAt) {
      const theirs = dateHeader === undefined ? Number.NaN : Date.parse(dateHeader)
      if (Number.isNaN(theirs)) return
      const difference = Math.round(theirs + 500 - (askedAt + answeredAt) / 2)
      offset = Math.abs(difference) < noise ? 0 : difference
    },
    offset: () => offset,
  }
}

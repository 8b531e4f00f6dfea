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

export interface ServiceClockParts {
  /** As last known: a station that starts without a network corrects by it. */
  offset?: number | undefined
  onChange?: (offset: number) => void
}

export function createServiceClock({ offset: known = 0, onChange }: ServiceClockParts = {}): ServiceClock {
  let offset = known
  return {
    seen(dateHeader, askedAt, answeredAt) {
      const theirs = dateHeader === undefined ? Number.NaN : Date.parse(dateHeader)
      if (Number.isNaN(theirs)) return
      const difference = Math.round(theirs + 500 - (askedAt + answeredAt) / 2)
      const next = Math.abs(difference) < noise ? 0 : difference
      // Each answer measures a little differently: that is no change.
      if (Math.abs(next - offset) < noise) return
      offset = next
      onChange?.(offset)
    },
    offset: () => offset,
  }
}

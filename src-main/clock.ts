import { momentOfDate } from './service/http-date'

/** The station's own clock, milliseconds since 1970. Tests turn it by hand. */
export interface Clock {
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

export const iso = (ms: number) => new Date(ms).toISOString()

/** The `Date` header counts whole seconds and travels: an offset below this is noise, not a wrong clock. */
const noise = 2_000

/** A larger difference, in ms, is not a clock's error: times of sales are never corrected by it. */
export const longestOffset = 86_400_000

const bounded = (offset: number) => Math.min(Math.max(offset, -longestOffset), longestOffset)

/** The difference between the service's clock and ours, as its answers show it. */
export interface ServiceClock {
  /** Takes the `Date` header of an answer. It is ignored if it isn't an IMF-fixdate, or is days off. */
  seen(dateHeader: string | undefined, askedAt: number, answeredAt: number): void
  /** To be added to our clock, in ms; never more than a day. */
  offset(): number
  /** The last `Date` header could not be used. */
  isWrong(): boolean
}

export interface ServiceClockParts {
  /** As last known: a station that starts without a network corrects by it. */
  offset?: number | undefined
  /** The offset is another one, or `isWrong` is. */
  onChange?: (offset: number) => void
}

export function createServiceClock({ offset: known = 0, onChange }: ServiceClockParts = {}): ServiceClock {
  let offset = Math.abs(known) <= longestOffset ? known : 0
  let isWrong = false

  const change = (next: number, isWrongNow: boolean) => {
    if (next === offset && isWrongNow === isWrong) return
    offset = next
    isWrong = isWrongNow
    onChange?.(offset)
  }

  return {
    seen(dateHeader, askedAt, answeredAt) {
      if (dateHeader === undefined) return
      const difference = Math.round(momentOfDate(dateHeader) + 500 - (askedAt + answeredAt) / 2)
      // The header's own noise must not make a clock that is a day off a wrong one.
      if (Number.isNaN(difference) || Math.abs(difference) > longestOffset + noise) {
        change(offset, true)
        return
      }
      const next = Math.abs(difference) < noise ? 0 : bounded(difference)
      // Measurements vary a little from answer to answer: that isn't a change.
      change(Math.abs(next - offset) < noise ? offset : next, false)
    },
    offset: () => offset,
    isWrong: () => isWrong,
  }
}

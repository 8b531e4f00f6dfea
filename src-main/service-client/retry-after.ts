import { momentOfAnyDate } from './http-date'

/** A till must not rest longer over an error in a header, in ms. */
const longest = 3_600_000

/** More digits are no number of seconds that a service means. */
const seconds = /^\d{1,6}$/

/**
 * `Retry-After` in ms from `now` (ms since 1970, by the clock of the service that wrote the header); null if there is none
 * or it is neither whole seconds nor an HTTP date. A moment in the past is 0, and nothing is longer than an hour.
 */
export function retryAfterMs(header: string | undefined, now: number): number | null {
  const text = header?.trim() ?? ''
  const ms = seconds.test(text) ? Number(text) * 1_000 : momentOfAnyDate(text, now) - now
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), longest)
}

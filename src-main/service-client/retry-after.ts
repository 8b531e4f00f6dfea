/** Nobody wants a till asleep for longer over a typing error, in ms. */
const longest = 3_600_000

/** A date as HTTP writes it, in any of its three forms: `Date.parse` alone reads a date into almost anything. */
const httpDate = /^(mon|tue|wed|thu|fri|sat|sun)[a-z]*,? .*\d\d:\d\d:\d\d/i

/**
 * `Retry-After` in ms from `now` (ms since 1970, by the clock of whoever wrote the header); null when there is none or
 * it is neither whole seconds nor an HTTP date. A moment that is past is 0, and nothing is longer than an hour.
 */
export function retryAfterMs(header: string | undefined, now: number): number | null {
  const text = header?.trim() ?? ''
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : momentOf(text) - now
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), longest)
}

/** The oldest of the three forms names no zone, and means GMT like the others. */
function momentOf(text: string): number {
  if (!httpDate.test(text)) return Number.NaN
  return Date.parse(/gmt$/i.test(text) ? text : `${text} GMT`)
}

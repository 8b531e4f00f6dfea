const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

/**
 * The moment of an IMF-fixdate ("Sat, 21 Nov 2026 14:00:00 GMT"), in ms since 1970; NaN for anything else, including a
 * wrong day of the week. Spec: RFC 9110, 5.6.7.
 */
export function momentOfDate(text: string): number {
  if (text.length !== 29) return Number.NaN
  const ms = Date.parse(text)
  // `Date.parse` is lenient: the text had this form only if formatting the date gives the same text.
  return !Number.isNaN(ms) && new Date(ms).toUTCString() === text ? ms : Number.NaN
}

const rfc850 = /^([A-Z][a-z]{5,8}), (\d\d)-([A-Z][a-z]{2})-(\d\d) (\d\d:\d\d:\d\d) GMT$/
const asctime = /^([A-Z][a-z]{2}) ([A-Z][a-z]{2}) ([ \d]\d) (\d\d:\d\d:\d\d) (\d{4})$/

/** Like `momentOfDate`, for any of the three date forms of HTTP. A two-digit year is read as the year nearest to `now`. */
function momentOfAnyDate(text: string, now: number): number {
  const old = rfc850.exec(text)
  if (old) {
    const [, day = '', date = '', month = '', year = '', time = ''] = old
    const century = Math.floor(new Date(now).getUTCFullYear() / 100) * 100
    const years = [century - 100, century, century + 100].map((start) => start + Number(year))
    const moments = years.map((one) => momentOfDate(`${day.slice(0, 3)}, ${date} ${month} ${one} ${time} GMT`))
    // The weekday matches in at most one of the three centuries.
    const known = days.includes(day) ? moments.filter((ms) => !Number.isNaN(ms)) : []
    return known.sort((a, b) => Math.abs(a - now) - Math.abs(b - now))[0] ?? Number.NaN
  }
  const oldest = asctime.exec(text)
  if (!oldest) return momentOfDate(text)
  const [, day = '', month = '', date = '', time = '', year = ''] = oldest
  return momentOfDate(`${day}, ${date.trim().padStart(2, '0')} ${month} ${year} ${time} GMT`)
}

/** The longest pause, in ms: a wrong header must not keep a till waiting longer. */
const longest = 3_600_000

/** More digits would not be a plausible number of seconds. */
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

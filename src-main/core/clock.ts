import { momentOfDate } from '../service/http-date'

/** The station's clock, in ms since 1970. Tests set it. */
export interface Clock {
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

/** The station's timers. The simulated fleet brings its own. */
export interface Timers {
  /** A clock that is never set, for durations, in ms. */
  monotonic(): number
  /** Calls `call` once after `ms`, without keeping the process alive; the returned function cancels that. */
  after(ms: number, call: () => void): () => void
}

export const systemTimers: Timers = {
  monotonic: () => performance.now(),
  after(ms, call) {
    const timer = setTimeout(call, ms).unref()
    return () => {
      clearTimeout(timer)
    }
  },
}

export const iso = (ms: number) => new Date(ms).toISOString()

/** Whether two moments (ms since 1970) are on one day of this computer's time zone. */
export const isSameDay = (a: number, b: number) => new Date(a).toDateString() === new Date(b).toDateString()

/** When a local day (YYYY-MM-DD), or the one `later` days after it, begins, in ms since 1970. Not every day has 24 hours. */
export function midnightOf(day: string, later = 0): number {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date + later).getTime()
}

const dayFirst = /^(\d{4})-(\d{2})-(\d{2})/

/**
 * Whether a use-by day or the expiry of a certificate has passed. The day that it names is still good until its end, by
 * this computer's time zone. `now`: ms since 1970. False for a text that isn't a date.
 */
export function isPast(end: string | null | undefined, now: number): boolean {
  const [, year, month, day] = dayFirst.exec(end ?? '') ?? []
  return day !== undefined && new Date(Number(year), Number(month) - 1, Number(day) + 1).getTime() <= now
}

/** The `Date` header has whole seconds and takes time to arrive: an offset below this, in ms, is not a wrong clock. */
const noise = 2_000

/** The largest difference, in ms, that counts as a clock error. Times of sales are never corrected by a larger one. */
export const longestOffset = 86_400_000

const bounded = (offset: number) => Math.min(Math.max(offset, -longestOffset), longestOffset)

/** The present by the service's clock, in ms since 1970. */
export const nowByService = ({ clock, serviceClock }: ByService): number => clock.now() + serviceClock.offset()
interface ByService {
  clock: Clock
  serviceClock: Pick<ServiceClock, 'offset'>
}

/** The difference between the service's clock and the station's, measured from the service's answers. */
export interface ServiceClock {
  /** Takes the `Date` header of an answer. It's ignored if it isn't an IMF-fixdate, or if the service's clock is wrong. */
  seen(dateHeader: string | undefined, askedAt: number, answeredAt: number): void
  /** Correction to add to the station's clock, in ms; never more than a day. */
  offset(): number
  /** The last `Date` header could not be used. */
  isWrong(): boolean
  /** Whether the service has answered since the start, with or without a date. */
  hasAnswered(): boolean
  /** How many answers since the start showed that the station's clock is right, or by how much it is off. */
  comparisons(): number
}

interface ServiceClockParts {
  /** The last known offset, for a station that starts without a network. */
  offset?: number | undefined
  /** Decides which clock is wrong; if omitted, the service's is if they are more than a day apart. */
  station?: { compare(service: number, at: number): 'agree' | 'own' | 'service'; now(): number }
  /** Called when the offset, `isWrong` or the station's clock changes. */
  onChange?: (offset: number) => void
  /** Called after each answer, when the comparison is done. */
  onAnswer?: () => void
}

export function createServiceClock({
  offset: known = 0,
  station,
  onChange,
  onAnswer,
}: ServiceClockParts = {}): ServiceClock {
  let offset = Math.abs(known) <= longestOffset ? known : 0
  let isWrong = false
  let isReplaced = false
  let hasAnswered = false
  let comparisons = 0

  const change = (next: number, isWrongNow: boolean, isReplacedNow = isReplaced) => {
    if (next === offset && isWrongNow === isWrong && isReplacedNow === isReplaced) return
    offset = next
    isWrong = isWrongNow
    isReplaced = isReplacedNow
    onChange?.(offset)
  }
  const compare = (dateHeader: string, askedAt: number, answeredAt: number) => {
    const middle = (askedAt + answeredAt) / 2
    const service = momentOfDate(dateHeader) + 500
    if (Number.isNaN(service)) {
      change(offset, true)
      return
    }
    const before = station?.now()
    const verdict = station?.compare(service, middle)
    // Set right, the station's clock shows another time than when it was asked.
    const turned = station && before !== undefined && verdict !== 'service' ? station.now() - before : 0
    const difference = Math.round(service - middle - turned)
    // The noise of the header must not make a clock that is exactly a day off count as wrong.
    if (verdict === 'service' || Math.abs(difference) > longestOffset + noise) {
      change(offset, true)
      return
    }
    comparisons++
    const next = Math.abs(difference) < noise ? 0 : bounded(difference)
    // Measurements vary a little between answers; a small difference isn't a change.
    change(Math.abs(next - offset) < noise ? offset : next, false, verdict === 'own')
  }

  return {
    seen(dateHeader, askedAt, answeredAt) {
      hasAnswered = true
      if (dateHeader !== undefined) compare(dateHeader, askedAt, answeredAt)
      onAnswer?.()
    },
    offset: () => offset,
    isWrong: () => isWrong,
    hasAnswered: () => hasAnswered,
    comparisons: () => comparisons,
  }
}

/**
 * The days of the soak. The service, the stations and the pages read real clocks, each set forward by `ahead`. An hour
 * lasts as long as its work takes, and the next morning follows at once.
 */
export interface Calendar {
  /** Current offset of the real clocks, in ms. */
  ahead(): number
  /** YYYY-MM-DD, in this computer's time zone. */
  today(): string
  /** Nine in the morning of the next day. */
  nextMorning(): void
}

const opens = 9

export function createCalendar(now: () => number = () => Date.now()): Calendar {
  let ahead = 0
  return {
    ahead: () => ahead,
    today: () => dateOf(now() + ahead),
    nextMorning() {
      const today = new Date(now() + ahead)
      ahead = new Date(today.getFullYear(), today.getMonth(), today.getDate() + 1, opens).getTime() - now()
    },
  }
}

const two = (number: number) => String(number).padStart(2, '0')

/** A time's date, YYYY-MM-DD, in this computer's time zone. */
export function dateOf(moment: number | string): string {
  const day = new Date(moment)
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`
}

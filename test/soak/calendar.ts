/**
 * The days of the soak. The service, the stations and the pages read real clocks, each set forward by `ahead`: so an hour
 * lasts as long as it takes, and the next morning comes at once.
 */
export interface Calendar {
  /** In ms: what real clocks are set forward by today. */
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

/** The date of a moment, YYYY-MM-DD, in this computer's time zone. */
export function dateOf(moment: number | string): string {
  const day = new Date(moment)
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`
}

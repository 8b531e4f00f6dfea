const calendarDay = /^(\d{4})-(\d{2})-(\d{2})$/

/**
 * A date of the service (`YYYY-MM-DD` or an instant, ISO 8601) as a Date to be written; undefined when it is neither.
 * A calendar day is read as a local one: "use by 1 March" must not become 28 February west of Greenwich.
 */
export function dateOf(text: string): Date | undefined {
  const day = calendarDay.exec(text)
  const date = day ? new Date(Number(day[1]), Number(day[2]) - 1, Number(day[3])) : new Date(text)
  return Number.isNaN(date.getTime()) ? undefined : date
}

/** Whether an instant lies on the day of `now`, so that its time alone says enough. */
export const isToday = (date: Date, now: Date): boolean => date.toDateString() === now.toDateString()

/** Which orders are looked at: of which day of this computer's time zone, or of all. */
export type When = 'today' | 'yesterday' | 'day' | 'all'

const two = (number: number) => String(number).padStart(2, '0')

/** YYYY-MM-DD, in this computer's time zone. */
export const dayText = (date: Date | number): string => {
  const day = new Date(date)
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`
}

/**
 * The day that is meant; null for all of them. `chosen` and `today` are YYYY-MM-DD, `chosen` empty while no date is
 * given. Today is the service's: a computer whose clock is a day off would look for its sales where they don't stand.
 */
export function dayMeant(when: When, chosen: string, today: string): string | null {
  if (when === 'all') return null
  if (when === 'yesterday') return dayBefore(today)
  return when === 'day' && chosen !== '' ? chosen : today
}

function dayBefore(day: string): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return dayText(new Date(year, month - 1, date - 1))
}

const two = (part: number) => String(part).padStart(2, '0')

/**
 * An instant as the clock on the wall had it, with the offset from UTC, which says what is meant: "2026-11-21 09:00:00
 * -05:00". Sorts as text within a day, and spreadsheets read its beginning as a date.
 */
export function localTime(instant: string | number): string {
  const at = new Date(instant)
  const ahead = -at.getTimezoneOffset()
  const [hours, minutes] = [Math.floor(Math.abs(ahead) / 60), Math.abs(ahead) % 60]
  const date = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join('-')
  const time = [at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(':')
  return `${date} ${time} ${ahead < 0 ? '-' : '+'}${two(hours)}:${two(minutes)}`
}

const two = (part: number) => String(part).padStart(2, '0')

/** An instant as the clock on the wall had it, as spreadsheets read and sort a time: "2026-11-21 09:00:00". Its zone is in the header. */
export const sheetTime = (instant: string | number): string => localTime(instant).slice(0, 19)

/** The name of a column of such times, with their zone: "Time (America/Phoenix)". */
export const withZone = (name: string): string => `${name} (${new Intl.DateTimeFormat().resolvedOptions().timeZone})`

/**
 * An instant as the clock on the wall had it, with the offset from UTC, which says what is meant: "2026-11-21 09:00:00
 * -05:00".
 */
export function localTime(instant: string | number): string {
  const at = new Date(instant)
  const ahead = -at.getTimezoneOffset()
  const [hours, minutes] = [Math.floor(Math.abs(ahead) / 60), Math.abs(ahead) % 60]
  const date = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join('-')
  const time = [at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(':')
  return `${date} ${time} ${ahead < 0 ? '-' : '+'}${two(hours)}:${two(minutes)}`
}

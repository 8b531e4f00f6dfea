import type { Text } from './text.svelte'

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

/** Whether an instant is on the day of `now`: then its time is enough. */
export const isToday = (date: Date, now: Date): boolean => date.toDateString() === now.toDateString()

/** "2:32 PM"; with the date if it is not today. Instants are ISO 8601, `now` is in ms. */
export function moment(instant: string, now = Date.now()): Text {
  const at = new Date(instant)
  return { key: isToday(at, new Date(now)) ? 'time.short' : 'time.full', values: { at } }
}

/** To the second, for a history: "2:32:11 PM". */
export function exactMoment(instant: string, now = Date.now()): Text {
  const at = new Date(instant)
  return { key: isToday(at, new Date(now)) ? 'time.seconds' : 'time.exact', values: { at } }
}

/**
 * The ends of a span for one sentence: "2:32 PM" and "2:46 PM"; to the second if both are in the same minute, because
 * "1:03 AM to 1:03 AM" says nothing.
 */
export function ends(from: string, to: string, now = Date.now()): { from: Text; to: Text } {
  const minuteOf = (instant: string) => new Date(instant).setSeconds(0, 0)
  const write = minuteOf(from) === minuteOf(to) ? exactMoment : moment
  return { from: write(from, now), to: write(to, now) }
}

/** "since 2:32 PM". */
export function since(instant: string | number, now = Date.now()): Text {
  const at = new Date(instant)
  return { key: isToday(at, new Date(now)) ? 'time.since' : 'time.since-day', values: { at } }
}

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** A span in ms, positive or negative, as one number with its unit. */
export function span(ms: number): Text {
  const { unit, count } = measured(ms)
  return { key: `span.${unit}`, values: { count } }
}

/** A short form: "7 min". */
export function shortSpan(ms: number): Text {
  const { unit, count } = measured(ms)
  return { key: `span.${unit}.short`, values: { count } }
}

/** "7 min ago"; null in the first minute, and for an instant in the future, as after a clock was set back. */
export function ago(instant: string, now: number): Text | null {
  const ms = now - Date.parse(instant)
  return ms < minute ? null : { key: 'time.ago', values: { span: shortSpan(ms) } }
}

function measured(ms: number): { unit: 'seconds' | 'minutes' | 'hours' | 'days'; count: number } {
  const size = Math.abs(ms)
  if (size < minute) return { unit: 'seconds', count: Math.round(size / second) }
  if (size < 2 * hour) return { unit: 'minutes', count: Math.round(size / minute) }
  if (size < 2 * day) return { unit: 'hours', count: Math.round(size / hour) }
  return { unit: 'days', count: Math.round(size / day) }
}

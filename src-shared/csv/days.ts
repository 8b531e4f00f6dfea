import { plainWord } from './columns'
import { localTime } from './local-time'
import { isWeekday, offsetOf } from './zones'

/** Which of two numbers in a date comes first, the month or the day. */
export type DateOrder = 'month-first' | 'day-first'

/** How the dates of a file are read; `own`: each by the only order it can have, for none has two meanings. */
export type DateReading = DateOrder | 'own'

/**
 * A day as a cell has it, YYYY-MM-DD: one, or one for each order; null where the cell is no date of that order. `zone`: its time
 * has a zone that isn't known, so that its day here can't be told.
 */
export type CellDay = { day: string } | Record<DateOrder, string | null> | { zone: string }

const longest = 60
const months = ['jan ene', 'feb', 'mar', 'apr abr', 'may', 'jun', 'jul', 'aug ago', 'sep set', 'oct', 'nov', 'dec dic']
const monthOf = (word: string) =>
  word.length < 3 ? 0 : months.findIndex((names) => names.split(' ').includes(plainWord(word).slice(0, 3))) + 1

const two = (part: number) => String(part).padStart(2, '0')

/** YYYY-MM-DD; null if the calendar has no such day. A year of two digits is of this century. */
function dayFrom(year: number, month: number, day: number): string | null {
  const whole = year < 100 ? 2000 + year : year
  const date = new Date(Date.UTC(whole, month - 1, day))
  const isReal = whole >= 2000 && whole < 2100 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return isReal ? `${whole}-${two(month)}-${two(day)}` : null
}

const hour = 3_600_000

/** The day on the wall here of a moment that has this day and time of day, in ms, at an offset from UTC, in minutes. */
const dayHere = (day: string, time: number, offset: number): string =>
  localTime(Date.parse(`${day}T00:00:00Z`) + time - offset * 60_000).slice(0, 10)

/** A date, a time of day, and what follows it. */
const timed = /^(.*?\d)(?:[T,]|\s)[\s,]*(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?(?!\d)(.*)$/i

/** Which half of the day, behind a time. */
const halfOfDay = /^\s*([ap])\.?\s?m\.?(?![a-z])/i

/** The time of day in ms; null if the day has no such time. */
function timeOf([hours = '', minutes = '', seconds = '']: string[], half: string): number | null {
  const at = half === '' ? Number(hours) : (Number(hours) % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
  const isReal = at <= 24 && Number(minutes) < 60 && Number(seconds) <= 60 && (half === '' || Number(hours) <= 12)
  return isReal ? at * hour + Number(minutes) * 60_000 + Number(seconds) * 1_000 : null
}

/** Days since the end of 1899, with the time as a fraction: how spreadsheets store a date. Only of this century. */
function serialDay(text: string): string | null {
  if (!/^\d{5}(?:\.\d+)?$/.test(text)) return null
  const at = new Date(Date.UTC(1899, 11, 30) + Math.floor(Number(text)) * 24 * hour)
  return dayFrom(at.getUTCFullYear(), at.getUTCMonth() + 1, at.getUTCDate())
}

/**
 * Reads the day of a date in the formats of known systems: 2026-11-21, 20261121, 11/21/2026 or 21.11.26, Nov 21, 2026, 21 de
 * noviembre de 2026, the number that a spreadsheet stores; each with or without a time. A time with a zone is a moment: its
 * day is the one here. `columnZone`: the zone of times that have none, as `zoneInHeader` gives it. Null for anything else.
 */
export function readDay(cell: string, columnZone = ''): CellDay | null {
  const text = cell.trim()
  if (text === '' || text.length > longest) return null
  const [, date, hours = '', minutes = '', seconds = '', behind = ''] = timed.exec(text) ?? []
  if (date === undefined) return readDate(text)
  const [said = '', half = ''] = halfOfDay.exec(behind) ?? []
  const read = readDate(date)
  const time = timeOf([hours, minutes, seconds], half)
  if (!read || time === null) return null
  const zone = behind.slice(said.length).trim() || columnZone
  if (zone === '' || isWeekday(zone)) return read
  const offset = offsetOf(zone)
  if (offset === null) return { zone }
  const here = (day: string | null) => (day === null ? null : dayHere(day, time, offset(day, time)))
  if ('day' in read) return { day: dayHere(read.day, time, offset(read.day, time)) }
  return { 'month-first': here(read['month-first']), 'day-first': here(read['day-first']) }
}

type CalendarDay = Exclude<CellDay, { zone: string }>

/** A date without a time. */
function readDate(text: string): CalendarDay | null {
  const sure = (day: string | null) => (day === null ? null : { day })
  const serial = serialDay(text)
  if (serial !== null) return { day: serial }
  const compact = /^(\d{4})(\d{2})(\d{2})(?!\d)/.exec(text)
  if (compact) return sure(dayFrom(Number(compact[1]), Number(compact[2]), Number(compact[3])))
  const parts = text.split(/[\s,./-]+/).filter((part) => !/^(?:de|del|of)$/i.test(part))
  // "Saturday, November 21, 2026"; "martes" begins like "marzo", but a month follows.
  const isMonth = (part = '') => monthOf(part) > 0
  const [weekday = '', ...next] = parts
  if (/^[\p{L}\p{M}]+$/u.test(weekday) && (!isMonth(weekday) || next.slice(0, 2).some(isMonth))) parts.shift()
  return fromParts(parts)
}

function fromParts([first = '', second = '', third = '']: string[]): CalendarDay | null {
  const sure = (day: string | null) => (day === null ? null : { day })
  const isYear = (part: string) => /^\d{4}$/.test(part)
  const isShort = (part: string) => /^\d{1,2}$/.test(part)
  if (isYear(first) && isShort(second) && isShort(third)) {
    return sure(dayFrom(Number(first), Number(second), Number(third)))
  }
  if (!isYear(third) && !isShort(third)) return null
  const year = Number(third)
  if (isShort(first) && isShort(second)) {
    const both = {
      'month-first': dayFrom(year, Number(first), Number(second)),
      'day-first': dayFrom(year, Number(second), Number(first)),
    }
    return both['month-first'] === both['day-first'] ? sure(both['month-first']) : both
  }
  if (isShort(first) && monthOf(second) > 0) return sure(dayFrom(year, monthOf(second), Number(first)))
  if (monthOf(first) > 0 && isShort(second)) return sure(dayFrom(year, monthOf(first), Number(second)))
  return null
}

/** Whether the day here can't be told for its zone. */
export const isZoned = (read: CellDay): read is { zone: string } => 'zone' in read

/** The day under one reading; null if it is none. */
export function dayUnder(read: CellDay, reading: DateReading): string | null {
  if ('day' in read) return read.day
  if ('zone' in read) return null
  if (reading !== 'own') return read[reading]
  const { 'month-first': monthFirst, 'day-first': dayFirst } = read
  return monthFirst === null || dayFirst === null ? (monthFirst ?? dayFirst) : null
}

/** What the dates of a file say about their order. `example`: a date that has two meanings. */
export interface OrderFound {
  /** Null if a person must say: there are dates with two meanings, and others of no order or of either. */
  order: DateReading | null
  example: string | null
}

/** Finds the order of day and month from all dates of a file. */
export function findDateOrder(cells: Iterable<string>): OrderFound {
  let example: string | null = null
  const only = { 'month-first': false, 'day-first': false }
  for (const cell of cells) {
    const read = readDay(cell)
    if (!read || 'day' in read || 'zone' in read) continue
    if (read['month-first'] === null) only['day-first'] = true
    else if (read['day-first'] === null) only['month-first'] = true
    else example ??= cell
  }
  if (only['month-first'] && only['day-first']) return { order: example === null ? 'own' : null, example }
  if (only['day-first']) return { order: 'day-first', example }
  return { order: only['month-first'] || example === null ? 'month-first' : null, example }
}

import { plainWord } from './columns'
import { localTime } from './local-time'

/** Which of two numbers in a date comes first, the month or the day. */
export type DateOrder = 'month-first' | 'day-first'

/** How the dates of a file are read; `own`: each by the only order it can have, for none has two meanings. */
export type DateReading = DateOrder | 'own'

/** A day as a cell has it, YYYY-MM-DD: one, or one for each order; null where the cell is no date of that order. */
export type CellDay = { day: string } | Record<DateOrder, string | null>

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

const isoMoment = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)? ?(?:Z|UTC|[+-]\d{2}:?\d{2})$/i

/** An instant with its offset from UTC, as the day it was on the wall here. */
function dayOfInstant(text: string): string | null {
  const at = Date.parse(
    text
      .replace(' ', 'T')
      .replace(/ ?UTC$/i, 'Z')
      .replaceAll(' ', ''),
  )
  return Number.isNaN(at) ? null : localTime(at).slice(0, 10)
}

/**
 * Reads the day of a date in the formats of known systems: 2026-11-21 with or without a time, an instant with its offset
 * (then the local day), 20261121, 11/21/2026 or 21.11.26, Nov 21, 2026, 21 de noviembre de 2026. Null for anything else.
 */
export function readDay(cell: string): CellDay | null {
  const text = cell.trim()
  if (text === '' || text.length > longest) return null
  const sure = (day: string | null) => (day === null ? null : { day })
  if (isoMoment.test(text)) return sure(dayOfInstant(text))
  const compact = /^(\d{4})(\d{2})(\d{2})(?!\d)/.exec(text)
  if (compact) return sure(dayFrom(Number(compact[1]), Number(compact[2]), Number(compact[3])))
  const parts = text
    .replace(/(\d)T(\d)/, '$1 $2')
    .split(/[\s,./-]+/)
    .filter((part) => !/^(?:de|del|of)$/i.test(part))
  // "Saturday, November 21, 2026"; "martes" begins like "marzo", but a month follows.
  const isMonth = (part = '') => monthOf(part) > 0
  const [weekday = '', ...next] = parts
  if (/^[\p{L}\p{M}]+$/u.test(weekday) && (!isMonth(weekday) || next.slice(0, 2).some(isMonth))) parts.shift()
  const [first = '', second = '', third = ''] = parts
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
    if (both['month-first'] === both['day-first']) return sure(both['month-first'])
    return both
  }
  if (isShort(first) && monthOf(second) > 0) return sure(dayFrom(year, monthOf(second), Number(first)))
  if (monthOf(first) > 0 && isShort(second)) return sure(dayFrom(year, monthOf(first), Number(second)))
  return null
}

/** The day under one reading; null if it is none. */
export function dayUnder(read: CellDay, reading: DateReading): string | null {
  if ('day' in read) return read.day
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
    if (!read || 'day' in read) continue
    if (read['month-first'] === null) only['day-first'] = true
    else if (read['day-first'] === null) only['month-first'] = true
    else example ??= cell
  }
  if (only['month-first'] && only['day-first']) return { order: example === null ? 'own' : null, example }
  if (only['day-first']) return { order: 'day-first', example }
  return { order: only['month-first'] || example === null ? 'month-first' : null, example }
}

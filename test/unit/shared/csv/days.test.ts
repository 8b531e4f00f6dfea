import { describe, expect, it } from 'vitest'
import { dayUnder, findDateOrder, readDay } from '../../../../src-shared/csv/days'
import { zoneInHeader } from '../../../../src-shared/csv/zones'

/** The local day of an instant, written without the code under test. */
const localDay = (instant: string) => new Date(instant).toLocaleDateString('sv-SE')

describe('the day of a date', () => {
  it.each([
    ['2026-11-21', '2026-11-21'],
    ['2026-11-21 09:05', '2026-11-21'],
    ['2026-11-21T23:59:59', '2026-11-21'],
    ['2026/11/21 9:05 PM', '2026-11-21'],
    ['2026.11.21', '2026-11-21'],
    ['20261121', '2026-11-21'],
    ['20261121 0905', '2026-11-21'],
    ['11/21/2026', '2026-11-21'],
    ['11/21/26 21:05', '2026-11-21'],
    ['21/11/2026 9:05:07 p. m.', '2026-11-21'],
    ['21.11.2026', '2026-11-21'],
    ['21-11-26', '2026-11-21'],
    ['Nov 21, 2026', '2026-11-21'],
    ['November 21 2026 9:05 PM', '2026-11-21'],
    ['Saturday, November 21, 2026', '2026-11-21'],
    ['21-Nov-2026', '2026-11-21'],
    ['21 nov. 2026', '2026-11-21'],
    ['21 de noviembre de 2026', '2026-11-21'],
    ['sáb 21 dic 2026', '2026-12-21'],
    ['11/11/2026', '2026-11-11'],
    ['2024-02-29', '2024-02-29'],
    ['46347', '2026-11-21'],
    ['46347.9993', '2026-11-21'],
    ['11/21/2026 9:05 PM Sat', '2026-11-21'],
  ])('reads %s', (text, day) => {
    const read = readDay(text)
    expect(read && (dayUnder(read, 'month-first') ?? dayUnder(read, 'day-first'))).toBe(day)
  })

  it.each(['2026-11-22T03:30:00Z', '2026-11-21T23:30:00-05:00', '2026-11-22 03:30:00 UTC', '2026-11-22T03:30:00+0530'])(
    'takes the local day of the instant %s',
    (text) => {
      const iso = text.replace(' UTC', 'Z').replace(' ', 'T').replace('+0530', '+05:30')
      expect(readDay(text)).toEqual({ day: localDay(iso) })
    },
  )

  it.each([
    ['2026-11-22 01:02:00+00', '2026-11-22T01:02:00Z'],
    ['11/22/2026 2:00:00 AM +00:00', '2026-11-22T02:00:00Z'],
    ['2026-11-22 02:00:00 GMT', '2026-11-22T02:00:00Z'],
    ['2026-11-21 22:02:11 -0700', '2026-11-22T05:02:11Z'],
    ['2026-11-21 22:02:11 UTC-7', '2026-11-22T05:02:11Z'],
    ['Sat Nov 21 2026 22:02:11 GMT-0700 (Mountain Standard Time)', '2026-11-22T05:02:11Z'],
    ['11/21/26 11:30 PM EST', '2026-11-22T04:30:00Z'],
    ['11/21/26 11:30 PM (PT)', '2026-11-22T07:30:00Z'],
    ['7/21/26 11:30 PM PT', '2026-07-22T06:30:00Z'],
    ['2026-11-21 23:30 America/New_York', '2026-11-22T04:30:00Z'],
    ['2026-11-21 23:30 Eastern Time (US & Canada)', '2026-11-22T04:30:00Z'],
  ])('takes the local day of %s', (text, instant) => {
    const read = readDay(text)
    expect(read && dayUnder(read, 'month-first')).toBe(localDay(instant))
  })

  it('takes the zone of the column for times that have none', () => {
    expect(readDay('2026-11-22 03:00', 'UTC')).toEqual({ day: localDay('2026-11-22T03:00:00Z') })
    expect(readDay('2026-11-22 03:00 -05:00', 'UTC')).toEqual({ day: localDay('2026-11-22T08:00:00Z') })
    expect(readDay('2026-11-22', 'UTC')).toEqual({ day: '2026-11-22' })
    expect(['Date (MST)', 'Date [UTC]', 'Date (mm/dd/yyyy)', 'Date'].map(zoneInHeader)).toEqual(['MST', 'UTC', '', ''])
  })

  it.each([
    '2026-11-22 03:00 XYZT',
    '11/22/2026 3:00 AM +25:00',
    '2026-11-22 03:00 Mars/Olympus',
    '2026-11-22 03:00 foo',
  ])('says that the zone of %s is not known, and drops it never', (text) => {
    const read = readDay(text)
    expect(read).toHaveProperty('zone')
    expect(read && dayUnder(read, 'month-first')).toBeNull()
  })

  it.each([
    ['', 'an empty cell'],
    ['2026-02-29', 'a day that the calendar has not'],
    ['2026-13-01', 'a thirteenth month'],
    ['32/13/2026', 'neither order'],
    ['12345', 'a number of days of another century'],
    ['11/26/2026 25:05', 'an hour that no day has'],
    ['11/26/2026 13:05 PM', 'an hour that no half day has'],
    ['9:05 PM', 'a time alone'],
    ['11/21', 'no year'],
    ['1126-11-21', 'a year of another age'],
    ['yesterday', 'a word'],
    ['11/21/2026'.repeat(10), 'a text that is too long'],
    ['=A1', 'a formula'],
  ])('does not read "%s": %s', (text) => {
    const read = readDay(text)
    expect(read && (dayUnder(read, 'month-first') ?? dayUnder(read, 'day-first'))).toBeNull()
  })
})

describe('the day of a date with its weekday', () => {
  const days = Array.from({ length: 12 }, (_, month) =>
    Array.from({ length: 7 }, (_, n) => new Date(2026, month, 9 + n)),
  )
  const readUnder = (text: string) => {
    const read = readDay(text)
    return read && 'day' in read ? read.day : null
  }
  it.each([
    ['en-US', 'long'],
    ['en-US', 'short'],
    ['en-GB', 'long'],
    ['es-MX', 'long'],
    ['es-MX', 'short'],
    ['es-US', 'long'],
    ['es-ES', 'long'],
    ['es-ES', 'short'],
  ] as const)('is read in every week and month: %s, %s', (locale, style) => {
    const format = new Intl.DateTimeFormat(locale, { weekday: style, year: 'numeric', month: style, day: 'numeric' })
    for (const one of days.flat()) {
      const text = format.format(one)
      expect([text, readUnder(text)]).toEqual([text, one.toLocaleDateString('sv-SE')])
    }
  })

  it.each([
    ['martes, 24 de noviembre de 2026', '2026-11-24'],
    ['mar 24 nov 2026', '2026-11-24'],
    ['Mar. Nov 24, 2026', '2026-11-24'],
    ['martes 3 de marzo de 2026', '2026-03-03'],
    ['sa\u0301bado, 21 de noviembre de 2026', '2026-11-21'],
    ['Mar 24, 2026', '2026-03-24'],
    ['marzo 24 2026', '2026-03-24'],
    ['24 de setiembre de 2026', '2026-09-24'],
  ])('%s', (text, day) => {
    expect(readUnder(text)).toBe(day)
  })
})

it('a date is read by its only order, and by none if it has two', () => {
  const under = (text: string) => {
    const read = readDay(text)
    return read && dayUnder(read, 'own')
  }
  expect(['11/21/2026', '21/11/2026', '11/12/2026', '2026-11-21', '32/13/2026'].map(under)).toEqual([
    ...['2026-11-21', '2026-11-21', null, '2026-11-21', null],
  ])
})

describe('the order of month and day in a file', () => {
  it.each([
    ['one date that is only a day first', ['05/11/2026', '21/11/2026'], 'day-first', '05/11/2026'],
    ['one date that is only a month first', ['05/11/2026', '11/21/2026'], 'month-first', '05/11/2026'],
    ['dates with two meanings only', ['05/11/2026', '06/11/2026'], null, '05/11/2026'],
    ['dates of either order, none with two meanings', ['21/11/2026', '11/21/2026'], 'own', null],
    [
      'dates of either order, and one with two meanings',
      ['21/11/2026', '11/21/2026', '05/11/2026'],
      null,
      '05/11/2026',
    ],
    ['dates that need no order', ['2026-11-05', '11/11/2026', 'x'], 'month-first', null],
    ['no date', [], 'month-first', null],
  ] as const)('%s', (_name, cells, order, example) => {
    expect(findDateOrder(cells)).toEqual({ order, example })
  })
})

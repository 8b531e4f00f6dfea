import { describe, expect, it } from 'vitest'
import { ago, ends, exactMoment, moment, shortSpan, since, span } from '../../../src-renderer/text/moments'
import { write } from '../../../src-renderer/text/text.svelte'

const now = new Date(2026, 10, 12, 18, 0).getTime()
const today = new Date(2026, 10, 12, 14, 32, 11).toISOString()
const yesterday = new Date(2026, 10, 11, 23, 59, 58).toISOString()

const en = (text: ReturnType<typeof moment>) => write('en', text.key, text.values)
const es = (text: ReturnType<typeof moment>) => write('es', text.key, text.values)

describe('a moment', () => {
  it('shows the time if it is today, otherwise the date as well', () => {
    expect(en(moment(today, now))).toMatch(/^2:32\sPM$/)
    expect(en(moment(yesterday, now))).toMatch(/^Nov 11, 2026, 11:59\sPM$/)
    expect(en(exactMoment(today, now))).toMatch(/^2:32:11\sPM$/)
    expect(en(exactMoment(yesterday, now))).toMatch(/^Nov 11, 2026, 11:59:58\sPM$/)
  })

  it('with "since" reads well in both languages', () => {
    expect(en(since(today, now))).toMatch(/^since 2:32\sPM$/)
    expect(en(since(yesterday, now))).toMatch(/^since Nov 11, 11:59\sPM$/)
    expect(es(since(today, now))).toMatch(/^desde las 2:32\sp\.\sm\.$|^desde las 2:32\sp\.m\.$/)
    expect(es(since(yesterday, now))).toMatch(/^desde el 11 nov, 11:59/)
  })
})

describe('the ends of a span', () => {
  const at = (hours: number, minutes: number, seconds: number, day = 12) =>
    new Date(2026, 10, day, hours, minutes, seconds).toISOString()
  const both = ({ from, to }: ReturnType<typeof ends>) => `${en(from)} to ${en(to)}`.replaceAll('\u202F', ' ')

  it.each([
    [at(13, 3, 0), at(13, 4, 0), '1:03 PM to 1:04 PM'],
    [at(13, 3, 59), at(13, 4, 1), '1:03 PM to 1:04 PM'],
    [at(13, 3, 5), at(13, 3, 41), '1:03:05 PM to 1:03:41 PM'],
    [at(13, 3, 5), at(13, 3, 5), '1:03:05 PM to 1:03:05 PM'],
    [at(1, 3, 5, 11), at(1, 3, 41, 11), 'Nov 11, 2026, 1:03:05 AM to Nov 11, 2026, 1:03:41 AM'],
    // The same minute of two days differs already.
    [at(1, 3, 5, 11), at(1, 3, 5, 12), 'Nov 11, 2026, 1:03 AM to 1:03 AM'],
  ])('says seconds only where both are in one minute: %s, %s', (from, to, said) => {
    expect(both(ends(from, to, now))).toBe(said)
  })
})

describe('a duration', () => {
  const second = 1_000
  const minute = 60 * second
  const hour = 60 * minute

  it.each([
    [0, '0 seconds', '0 s'],
    [second, '1 second', '1 s'],
    [59 * second, '59 seconds', '59 s'],
    [minute, '1 minute', '1 min'],
    [7 * minute + 10 * second, '7 minutes', '7 min'],
    [119 * minute, '119 minutes', '119 min'],
    [2 * hour, '2 hours', '2 h'],
    [47 * hour, '47 hours', '47 h'],
    [48 * hour, '2 days', '2 days'],
    [400 * 24 * hour, '400 days', '400 days'],
  ])('of %d ms is %s', (ms, long, short) => {
    expect(en(span(ms))).toBe(long)
    expect(en(span(-ms))).toBe(long)
    expect(en(shortSpan(ms))).toBe(short)
  })
})

describe('an age', () => {
  const at = Date.parse(today)
  it.each([
    [-3_600_000, null, null],
    [0, null, null],
    [59_999, null, null],
    [60_000, '1 min ago', 'hace 1 min'],
    [7 * 60_000, '7 min ago', 'hace 7 min'],
    [3 * 3_600_000, '3 h ago', 'hace 3 h'],
    [72 * 3_600_000, '3 days ago', 'hace 3 días'],
  ])('of %d ms is %s', (ms, english, spanish) => {
    const text = ago(today, at + ms)
    expect(text && en(text)).toBe(english)
    expect(text && es(text)).toBe(spanish)
  })
})

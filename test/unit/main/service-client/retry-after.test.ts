import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { retryAfterMs } from '../../../../src-main/service/http-date'

const now = Date.parse('2026-11-21T14:00:00Z')
const hour = 3_600_000
const of = (header: string | undefined) => retryAfterMs(header, now)

describe('Retry-After', () => {
  it.each([
    ['0', 0],
    ['7', 7_000],
    ['  7 ', 7_000],
    ['3600', hour],
  ])('accepts seconds: %j', (header, ms) => {
    expect(of(header)).toBe(ms)
  })

  it.each([
    ['in the current format', 'Sat, 21 Nov 2026 14:01:30 GMT', 90_000],
    ['in the obsolete format', 'Saturday, 21-Nov-26 14:01:30 GMT', 90_000],
    ['in the oldest format, without a zone', 'Sat Nov 21 14:01:30 2026', 90_000],
    ['in the obsolete format, of the previous century', 'Sunday, 21-Nov-99 14:00:00 GMT', 0],
    ['in the past', 'Sat, 21 Nov 2026 13:00:00 GMT', 0],
    ['of the next century', 'Wed, 21 Nov 2125 14:00:00 GMT', hour],
  ])('accepts a date %s', (_, header, ms) => {
    expect(of(header)).toBe(ms)
  })

  it.each(['3601', '86400', '999999'])('is limited to an hour: %s', (header) => {
    expect(of(header)).toBe(hour)
  })

  it.each([
    undefined,
    '',
    ' ',
    '-5',
    '+5',
    '1.5',
    '1e12',
    '0x10',
    'soon',
    'in 5 minutes',
    '5 seconds',
    '120, 60',
    '2026-11-21T15:00:00Z',
    'Sat',
    'Sat, ',
    '1000000',
    '9'.repeat(400),
    'Fri, 21 Nov 2026 14:00:00 GMT',
    'Sat, 21 Nov 2026 14:00:00 CET',
    'Sat, 21 Nov 2026 24:00:00 GMT',
    'Sat, 31 Feb 2026 14:00:00 GMT',
    'sat, 21 nov 2026 14:00:00 gmt',
    'Saturday, 21 Nov 2026 14:00:00 GMT',
    'Someday, 21-Nov-26 14:01:30 GMT',
    'Fri Nov 21 14:01:30 2026',
    'Sat, 99 Nov 2026 14:00:00 GMT',
    'Sun, 5',
    'NaN',
    'Infinity',
    '٧',
  ])('is null for other text: %j', (header) => {
    expect(of(header)).toBeNull()
  })

  it('is null or between zero and an hour for any text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.integer().map(String), fc.date().map(String)), (header) => {
        const ms = of(header)
        expect(ms === null || (ms >= 0 && ms <= hour)).toBe(true)
      }),
    )
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createServiceClock } from '../../../../src-main/core/clock'

const now = Date.parse('2026-11-21T14:00:00Z')
const day = 86_400_000
const at = (ms: number) => new Date(ms).toUTCString()

describe("the service's clock", () => {
  const start = (offset?: number) => {
    const changes: number[] = []
    const clock = createServiceClock({ offset, onChange: (next) => changes.push(next) })
    const seen = (header: string | undefined) => {
      clock.seen(header, now, now)
      return [clock.offset(), clock.isWrong()]
    }
    return { clock, changes, seen }
  }

  it('corrects by the measured difference, but not by noise', () => {
    const { seen, changes } = start()
    expect(seen(at(now + 1_000))).toEqual([0, false])
    expect(seen(at(now + 3_600_000))).toEqual([3_600_500, false])
    expect(seen(at(now + 3_601_000))).toEqual([3_600_500, false])
    expect(changes).toEqual([3_600_500])
  })

  it.each([
    ['of the year 20000', 'Sat, 21 Nov 20000 14:00:00 GMT'],
    ['of 1970', at(0)],
    ['of 2098', at(Date.parse('2098-11-21T14:00:00Z'))],
    ['a little over a day away', at(now + day + 2_000)],
    ['given as a number', '9'],
    ['in ISO format', '2026-11-21T14:00:00Z'],
    ['in the obsolete format', 'Saturday, 21-Nov-26 14:00:00 GMT'],
    ['in another zone', 'Sat, 21 Nov 2026 14:00:00 +0500'],
    ['with the wrong day of the week', 'Fri, 21 Nov 2026 14:00:00 GMT'],
    ["that doesn't exist", 'Sun, 31 Feb 2026 14:00:00 GMT'],
    ['given twice', `${at(now)}, ${at(now)}`],
    ['that is empty', ''],
    ['of endless length', 'Sat, '.repeat(1_000)],
  ])('is wrong and ignores a date %s, until a valid date comes', (_, header) => {
    const { seen, changes } = start(5_000)
    expect(seen(header)).toEqual([5_000, true])
    expect(seen(header)).toEqual([5_000, true])
    expect(seen(undefined)).toEqual([5_000, true])
    expect(seen(at(now + 5_000))).toEqual([5_000, false])
    expect(changes).toEqual([5_000, 5_000])
  })

  it('corrects by at most a whole day', () => {
    const { seen } = start()
    expect(seen(at(now + day))).toEqual([day, false])
    expect(seen(at(now - day - 2_000))).toEqual([-day, false])
  })

  it('rejects a stored offset of more than a day', () => {
    expect(start(day).clock.offset()).toBe(day)
    expect(start(day + 1).clock.offset()).toBe(0)
    expect(start(Number.NaN).clock.offset()).toBe(0)
  })

  it('is never more than a day off, for any input', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.string(),
            fc.date().map(String),
            fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }).map((ms) => at(now + ms)),
          ),
        ),
        (headers) => {
          const { clock, seen } = start()
          for (const header of headers) seen(header)
          expect(Math.abs(clock.offset())).toBeLessThanOrEqual(day)
        },
      ),
    )
  })
})

import { describe, expect, it } from 'vitest'
import { createCalendar, dateOf } from '../../soak/calendar'
import { parseOptions } from '../../soak/options'
import { createOutages } from '../../soak/outages'
import { goodsOf } from '../../soak/store'

describe('the calendar of the soak', () => {
  it('advances to nine in the morning of the next day, repeatedly, and past the end of a month', () => {
    let now = new Date(2026, 10, 28, 23, 30).getTime()
    const calendar = createCalendar(() => now)
    expect(calendar.today()).toBe('2026-11-28')
    const days = [1, 2, 3].map(() => {
      calendar.nextMorning()
      now += 90_000
      expect(new Date(now + calendar.ahead()).getHours()).toBe(9)
      return calendar.today()
    })
    expect(days).toEqual(['2026-11-29', '2026-11-30', '2026-12-01'])
    expect(dateOf(new Date(2026, 0, 2, 0, 0).toISOString())).toBe('2026-01-02')
  })
})

describe('outages shared by stations', () => {
  it('begin only when the last station has arrived', async () => {
    const seen: unknown[] = []
    const outages = createOutages(2, (faults) => Promise.resolve(seen.push(faults)))
    let isThrough = false
    const first = outages.setFaults({ offline: true }).then(() => (isThrough = true))
    // One turn of the event loop, in case an outage begins too early.
    await new Promise((resolve) => setImmediate(resolve))
    expect([seen.length, isThrough, outages.count()]).toEqual([0, false, 0])
    await outages.setFaults({ offline: true })
    await first
    expect([seen.length, outages.count()]).toEqual([1, 1])
    await Promise.all([outages.setFaults({}), outages.setFaults({})])
    expect([seen.length, outages.count()]).toEqual([2, 1])
  })
})

describe('the goods of the soak', () => {
  it('belong to one day, one station and one hour, so that nothing is delivered twice', () => {
    const all = [0, 1].flatMap((day) => [0, 1].map((station) => goodsOf(day, station, 3)))
    const cases = all.flatMap(({ hours }) => hours.flatMap(({ cases: those, uncased }) => [...those, uncased]))
    const items = cases.flatMap((one) => one.items)
    expect(new Set(cases.map(({ uuid }) => uuid)).size).toBe(2 * 2 * 3 * 5)
    expect(new Set(items).size).toBe(items.length)
    expect(new Set(all.map(({ packageUid }) => packageUid)).size).toBe(4)
  })
})

describe('the options of the soak', () => {
  it('default to 30 minutes of 3 hours a day', () => {
    expect(parseOptions([], () => 5)).toEqual({
      ok: true,
      value: { minutes: 30, days: undefined, hours: 3, seed: 5, out: 'docs/soak.svg', hub: false },
    })
  })

  it.each([
    ['--minutes', '0'],
    ['--minutes', 'ten'],
    ['--days', '0'],
    ['--days', '1.5'],
    ['--hours', '21'],
    ['--seed', '-1'],
    ['--out', 'soak.png'],
    ['--weeks', '2'],
  ])('refuse %s %s in a sentence', (flag, value) => {
    const parsed = parseOptions([`${flag}=${value}`], () => 5)
    expect(parsed.ok ? '' : parsed.error).toMatch(/Flags: --minutes/)
  })
})

import type { Database } from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { silentLog } from '../../../../src-main/core/log'
import { OutageLedger } from '../../../../src-main/outbox/outage-ledger'
import { Outages } from '../../../../src-main/service/outages'
import { openStore } from '../../../../src-main/database/open'
import { type HandClock, handClock } from '../../../fakes/clock'

let db: Database
let clock: HandClock
const open = () => new Outages({ db, clock, log: silentLog }, clock.serviceClock)
const ledger = () =>
  new OutageLedger({ db, clock, serviceClock: clock.serviceClock, storeName: 'Store', station: 'till' })
const wholeDay = [Date.parse('2026-11-21T00:00:00Z'), Date.parse('2026-11-22T00:00:00Z')] as const
const shown = (from: number = wholeDay[0], to: number = wholeDay[1]) =>
  ledger()
    .during(from, to)
    .map((one) => [
      one.from.slice(11, 19),
      one.to?.slice(11, 19) ?? null,
      one.lengthMs,
      one.causes.map(({ from: at, cause }) => `${at.slice(11, 19)} ${cause}`).join(', '),
    ])

beforeEach(() => {
  vi.useFakeTimers()
  db = openStore(':memory:').db
  clock = handClock(Date.parse('2026-11-21T14:00:00Z'))
})
afterEach(() => {
  vi.useRealTimers()
  db.close()
})
/** Time passes as it does for a running process: the clock and its timers. */
const pass = (ms: number) => {
  for (let left = ms; left > 0; left -= 10_000) {
    clock.advance(Math.min(left, 10_000))
    vi.advanceTimersByTime(Math.min(left, 10_000))
  }
}

describe('an outage', () => {
  it('lasts from the first failure to the first answer, with each cause in between', () => {
    const outages = open()
    outages.answered()
    outages.trouble('no-name')
    pass(60_000)
    expect(shown()).toEqual([['14:00:00', null, 60_000, '14:00:00 no-name']])
    outages.trouble('no-name')
    outages.trouble('unreachable')
    outages.trouble('failing')
    pass(30_000)
    outages.answered()
    pass(60_000)
    outages.trouble('credentials-refused')
    expect(shown()).toEqual([
      ['14:00:00', '14:01:30', 90_000, '14:00:00 no-name, 14:01:00 failing'],
      ['14:02:30', null, 0, '14:02:30 credentials-refused'],
    ])
  })

  it('is none while it is shorter than 2 s', () => {
    const outages = open()
    outages.trouble('timed-out')
    pass(1_999)
    outages.answered()
    expect(shown()).toEqual([])
    expect(db.prepare('SELECT count(*) FROM outage_cause').pluck().get()).toBe(0)
  })

  it.each([
    ['was closed', true],
    ['crashed', false],
  ])('goes on over a time in which the station %s, until the service answers again', (_, isClosed) => {
    const first = open()
    first.trouble('no-network')
    pass(60_000)
    if (isClosed) first.stop()
    else vi.clearAllTimers()
    clock.advance(3_600_000)
    const second = open()
    expect(shown()).toEqual([['14:00:00', null, 3_660_000, '14:00:00 no-network, 14:01:00 station-off']])
    pass(10_000)
    second.trouble('refused')
    pass(10_000)
    second.answered()
    expect(shown()).toEqual([
      ['14:00:00', '15:01:20', 3_680_000, '14:00:00 no-network, 14:01:00 station-off, 15:01:10 refused'],
    ])
  })

  it('ends at once if the service answers the first request after a restart', () => {
    open().trouble('no-network')
    pass(30_000)
    vi.clearAllTimers()
    clock.advance(60_000)
    open().answered()
    expect(shown()).toEqual([['14:00:00', '14:01:30', 90_000, '14:00:00 no-network, 14:00:30 station-off']])
  })

  it('does not begin by closing: the line may be cut before Countertag ends', () => {
    const outages = open()
    outages.trouble('unreachable')
    clock.advance(500)
    outages.stop()
    clock.advance(50_000_000)
    open().answered()
    expect(shown()).toEqual([])
  })

  it('says that the computer slept', () => {
    const outages = open()
    outages.trouble('no-network')
    pass(60_000)
    // Timers stand still while a computer sleeps.
    clock.advance(3_600_000)
    pass(30_000)
    outages.answered()
    expect(shown()).toEqual([
      ['14:00:00', '15:01:30', 3_690_000, '14:00:00 no-network, 14:01:00 asleep, 15:01:30 no-network'],
    ])
  })

  it.each([-3_600_000, -86_400_000 * 30])('never has a negative length after a clock was set back by %i ms', (back) => {
    const outages = open()
    outages.trouble('no-network')
    pass(60_000)
    clock.advance(back)
    outages.trouble('failing')
    const [[, , length] = []] = shown()
    expect(length).toBe(60_000)
    pass(10_000)
    outages.answered()
    expect(shown()).toEqual([
      [
        ...['14:00:00', '14:01:10', 70_000],
        '14:00:00 no-network, 14:01:00 clock-changed, 14:01:00 no-network, 14:01:00 failing',
      ],
    ])
    // One that begins at the very moment of another is kept beside it.
    clock.advance(-back - 70_000)
    outages.trouble('refused')
    expect(shown()).toHaveLength(2)
  })

  it('has its true length though the clock was set back, and says that the clock was changed', () => {
    const outages = open()
    outages.trouble('no-network')
    clock.advance(-3_600_000)
    pass(600_000)
    const id = ledger().during(...wholeDay)[0]?.id ?? 0
    expect(outages.momentOf(id)).toBe(id + 600_000)
    expect(outages.momentOf(id + 1)).toBeUndefined()
    outages.answered()
    expect(shown()).toEqual([
      ['14:00:00', '14:10:00', 600_000, '14:00:00 no-network, 14:00:30 clock-changed, 14:00:30 no-network'],
    ])
  })

  it('lasts until its end though the clock was a day ahead for a while', () => {
    const outages = open()
    outages.trouble('no-network')
    pass(60_000)
    clock.advance(86_400_000)
    pass(60_000)
    outages.trouble('failing')
    clock.advance(-86_400_000)
    pass(60_000)
    outages.answered()
    expect(shown()).toEqual([
      [
        ...['14:00:00', '14:03:00', 180_000],
        '14:00:00 no-network, 14:01:00 asleep, 14:02:30 clock-changed, 14:02:30 failing',
      ],
    ])
  })

  it.each([
    ['slow', 3_600_000],
    ['fast', -3_600_000],
  ])('has its true length though the first answer shows that the clock is %s', (_, off) => {
    const outages = open()
    outages.trouble('no-network')
    pass(600_000)
    clock.serviceClock.seen(new Date(clock.now() + off).toUTCString(), clock.now(), clock.now())
    outages.answered()
    expect(shown()).toEqual([
      ['14:00:00', '14:10:00', 600_000, '14:00:00 no-network, 14:10:00 clock-changed, 14:10:00 no-network'],
    ])
  })

  it('counts the sleep of a computer whose clock is corrected afterwards', () => {
    const outages = open()
    outages.trouble('no-network')
    pass(60_000)
    clock.advance(3_600_000)
    pass(60_000)
    clock.advance(-600_000)
    pass(60_000)
    outages.answered()
    const [[, , length, causes] = []] = shown()
    expect(length).toBe(3_600_000 - 600_000 + 180_000)
    expect(causes).toMatch(/asleep, .*clock-changed, /)
  })

  it('says after a restart that the clock went back, and is no longer than it is known to have lasted', () => {
    const first = open()
    first.trouble('no-network')
    pass(60_000)
    first.stop()
    clock.advance(-3_600_000)
    open().answered()
    expect(shown()).toEqual([
      ['14:00:00', '14:01:00', 60_000, '14:00:00 no-network, 14:01:00 clock-changed, 14:01:00 station-off'],
    ])
  })

  it('does not keep a time to come, by which a clock was ahead before a restart', () => {
    const first = open()
    first.trouble('no-network')
    pass(60_000)
    clock.advance(86_400_000)
    pass(60_000)
    first.stop()
    clock.advance(-86_400_000 + 60_000)
    open().answered()
    expect(shown()).toEqual([
      [
        ...['14:00:00', '14:03:00', 180_000],
        '14:00:00 no-network, 14:01:00 asleep, 14:03:00 clock-changed, 14:03:00 station-off',
      ],
    ])
  })

  it('counts for each day that it touches', () => {
    const outages = open()
    clock.advance(9.5 * 3_600_000)
    outages.trouble('unreachable')
    clock.advance(3_600_000)
    outages.answered()
    const [, midnight] = wholeDay
    expect(shown()).toHaveLength(1)
    expect(shown(midnight, midnight + 86_400_000)).toHaveLength(1)
    expect(shown(midnight + 86_400_000, midnight + 2 * 86_400_000)).toEqual([])
  })

  it('keeps a hundred causes of a line that is never the same, and goes after 400 days', () => {
    const outages = open()
    for (let n = 0; n < 500; n++) {
      outages.trouble(n % 2 === 0 ? 'refused' : 'failing')
      clock.advance(10)
    }
    outages.answered()
    const [outage] = ledger().during(...wholeDay)
    expect([outage?.causes.length, outage?.isCut]).toEqual([100, true])
    outages.trouble('refused')
    expect(ledger().during(...wholeDay)[1]?.isCut).toBe(false)
    outages.answered()
    clock.advance(401 * 86_400_000)
    outages.trouble('refused')
    expect(db.prepare('SELECT count(*) FROM outage').pluck().get()).toBe(1)
    expect(db.prepare('SELECT count(*) FROM outage_cause').pluck().get()).toBe(1)
  })

  it('that a full disk refuses is lost without failing the reply, and the next one is kept', () => {
    const outages = open()
    db.pragma('query_only = ON')
    expect(() => outages.trouble('refused')).not.toThrow()
    expect(() => outages.answered()).not.toThrow()
    db.pragma('query_only = OFF')
    expect(shown()).toEqual([])
    outages.trouble('refused')
    pass(40_000)
    db.pragma('query_only = ON')
    outages.answered()
    db.pragma('query_only = OFF')
    pass(60_000)
    outages.trouble('failing')
    // The end that could not be kept is when it was last noted.
    expect(shown()).toEqual([
      ['14:00:00', '14:00:30', 30_000, '14:00:00 refused'],
      ['14:01:40', null, 0, '14:01:40 failing'],
    ])
  })
})

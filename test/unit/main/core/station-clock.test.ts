import { describe, expect, it } from 'vitest'
import { createServiceClock } from '../../../../src-main/core/clock'
import { StationClock, createSteady, whichIsWrong } from '../../../../src-main/core/station-clock'

const hour = 3_600_000
const day = 24 * hour
const built = Date.parse('2026-11-10T00:00:00Z')
const now = Date.parse('2026-11-21T14:00:00Z')
const start = Date.parse('1970-01-01T00:00:00Z')
const later = Date.parse('2100-01-01T00:00:00Z')

describe('which clock is wrong', () => {
  const unknown = { expected: null, newest: null }
  it.each([
    ['within a day', { own: now - day, service: now, ...unknown }, 'agree'],
    ['a till of 1970', { own: start, service: now, ...unknown }, 'own'],
    ['a till of 2100', { own: later, service: now, ...unknown }, 'own'],
    ['a service of 1970', { own: now, service: start, ...unknown }, 'service'],
    ['a service of 2100', { own: now, service: later, ...unknown }, 'service'],
    ['both of 1970', { own: start, service: start, ...unknown }, 'service'],
    ['both of 2100', { own: later, service: later, ...unknown }, 'service'],
    [
      'a till from before its newest moment',
      { own: now - 3 * day, service: now, expected: null, newest: now - hour },
      'own',
    ],
    ['a service from before it', { own: now, service: now - 3 * day, expected: null, newest: now - hour }, 'service'],
    ['a till three days behind, and nothing known', { own: now - 3 * day, service: now, ...unknown }, 'own'],
    ['a till three days ahead, and nothing known', { own: now + 3 * day, service: now, ...unknown }, 'own'],
    ['a service that jumped', { own: now, service: now + 3 * day, expected: now, newest: now - hour }, 'service'],
    ['a till that jumped', { own: now + 3 * day, service: now, expected: now, newest: now - hour }, 'own'],
    [
      'two that agree against a remembered moment',
      { own: now, service: now, expected: null, newest: now + 40 * day },
      'agree',
    ],
  ] as const)('%s', (_, clocks, expected) => {
    expect(whichIsWrong({ built, ...clocks })).toBe(expected)
  })
})

describe("the station's clock", () => {
  const setUp = (shown: number, known: { newest?: number; lastReport?: number } = {}) => {
    let [system, steady] = [shown, 5_000]
    const kept: number[] = []
    const clock = new StationClock({
      ...{ system: { now: () => system }, steady: () => steady, built, ...known },
      keep: (at) => kept.push(at),
    })
    return {
      ...{ clock, kept },
      pass: (ms: number) => {
        system += ms
        steady += ms
      },
      set: (to: number) => {
        system = to
      },
    }
  }

  it('is the clock of the computer while that can be right', () => {
    const { clock, pass } = setUp(now)
    pass(hour)
    expect([clock.now(), clock.lead(), clock.isEstimate()]).toEqual([now + hour, 0, false])
  })

  it('goes on from the newest known moment while the clock shows 1970', () => {
    const { clock, pass } = setUp(start, { newest: now - day, lastReport: now - hour })
    expect([clock.now(), clock.isEstimate()]).toEqual([now - hour, true])
    pass(hour)
    expect(clock.now()).toBe(now)
    expect(clock.atLeast()).toBe(now - day + hour)
  })

  it("goes on from the build's date if nothing else is known, and not from a report of 2100", () => {
    expect(setUp(start, { lastReport: later }).clock.now()).toBe(built)
  })

  it("takes the service's clock, and the computer's again once that was set", () => {
    const { clock, pass, set, kept } = setUp(start)
    expect(clock.compare(now, clock.now())).toBe('own')
    expect([clock.now(), clock.isEstimate(), clock.isWrong()]).toEqual([now, false, true])
    pass(hour)
    expect(clock.now()).toBe(now + hour)
    expect(kept).toEqual([])
    set(now + hour)
    expect(clock.compare(now + hour, now + hour)).toBe('agree')
    expect([clock.now(), clock.isWrong(), kept]).toEqual([now + hour, false, [now + hour]])
  })

  it('is exact when the clock is set back while it runs', () => {
    const { clock, pass, set } = setUp(now)
    clock.compare(now, now)
    pass(hour)
    set(now - 5 * hour)
    expect([clock.now(), clock.isEstimate()]).toEqual([now + hour, false])
  })

  it('is right again after a visit to 2100 or to a later year, and never took its time for certain', () => {
    for (const visited of [later, now + 400 * day]) {
      const { clock, set } = setUp(visited, { newest: now - hour })
      expect(clock.atLeast()).toBe(now - hour)
      set(now)
      expect([clock.now(), clock.isEstimate()]).toEqual([now, false])
      expect(clock.compare(now, now)).toBe('agree')
      expect(clock.atLeast()).toBe(now)
    }
  })

  it('recovers from a confirmed moment that was wrong', () => {
    const { clock, kept } = setUp(now, { newest: now + 40 * day })
    expect(clock.isEstimate()).toBe(true)
    clock.compare(now, clock.now())
    expect([clock.now(), kept]).toEqual([now, [now]])
  })

  it("makes the service's clock one to within a day only", () => {
    const { clock, set } = setUp(now - 3 * day)
    const changes: number[] = []
    const serviceClock = createServiceClock({ station: clock, onChange: (offset) => changes.push(offset) })
    const answer = () => {
      const at = clock.now()
      serviceClock.seen(new Date(now).toUTCString(), at, at)
      return [serviceClock.offset(), serviceClock.isWrong()]
    }
    expect(answer()).toEqual([0, false])
    expect(clock.lead()).toBe(3 * day + 500)
    set(now - hour)
    expect(answer()).toEqual([hour + 500, false])
    expect(clock.lead()).toBe(0)
    expect(changes).toEqual([0, hour + 500])
  })
})

describe('the steady clock', () => {
  it('goes on during sleep, and is not disturbed by whole seconds', () => {
    let [ran, up] = [1_000, 100_000]
    const steady = createSteady(
      () => ran,
      () => up,
    )
    ran += 10_400
    up += 11_000
    expect(steady()).toBe(10_400)
    ran += 1_000
    up += 3_601_000
    expect(Math.round(steady() / 1_000)).toBe(3_612)
  })
})

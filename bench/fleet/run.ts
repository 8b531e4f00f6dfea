import { operationsOfDay, salesOfDay } from './day'
import { type Trouble, createService } from './service'
import { startStation } from './station'
import { createVirtualTime, randomOf } from './time'

/** What happened after the service was back; times in s since then. */
export interface FleetRun {
  stations: number
  /** Requests at the service in each second. */
  perSecond: number[]
  /** Stations with unsent sales, at the beginning of each second. */
  waiting: number[]
  count: ReturnType<typeof createService>['count']
  /** When half of the stations, and the last one, had sent everything; Infinity if the last one never did. */
  medianDrained: number
  lastDrained: number
  /** The longest time in which a station with unsent sales could not send one. */
  longestWithout: number
  /** Sales that the service lacks. */
  missing: number
}

const outage = 3_600_000
/** The outage is played at its beginning and at its end, in ms. In between a station only repeats itself. */
const played = 120_000
/** A fleet that isn't drained by then isn't going to be, in ms. */
const longestRun = 2_400_000

/** Plays an outage of an hour, with a day's sales queued at each station, and what follows. */
export async function runFleet(stations: number, trouble: Trouble, seed: number): Promise<FleetRun> {
  const random = randomOf(seed)
  const lostAt = Date.UTC(2026, 10, 23, 17)
  const backAt = lostAt + outage
  const time = createVirtualTime(lostAt)
  const saved = operationsOfDay(lostAt)
  const service = createService({ time, stations, trouble, saved, backAt, random })
  const drained: number[] = []
  let longestWithout = 0

  for (let station = 0; station < stations; station++) {
    let lastAt = backAt
    // Not all computers were started in the same moment.
    time.timers.after(random() * 10_000, () => {
      startStation({
        time,
        random,
        saved,
        send: (request) => service.send(station, request),
        onSettled(unsent) {
          const now = time.clock.now()
          longestWithout = Math.max(longestWithout, now - lastAt)
          lastAt = now
          if (unsent === 0) drained.push((now - backAt) / 1_000)
        },
      })
    })
  }
  await time.run(lostAt + played)
  time.skip(outage - 2 * played)
  await time.run(backAt + longestRun, () => drained.length === stations)

  const seconds = service.perSecond.length
  return {
    stations,
    perSecond: Array.from({ length: seconds }, (_, second) => service.perSecond[second] ?? 0),
    waiting: Array.from({ length: seconds + 1 }, (_, second) => stations - drained.filter((at) => at <= second).length),
    count: service.count,
    medianDrained: drained[Math.floor(stations / 2)] ?? Number.POSITIVE_INFINITY,
    lastDrained: drained[stations - 1] ?? Number.POSITIVE_INFINITY,
    longestWithout: longestWithout / 1_000,
    missing: stations * salesOfDay - service.held(),
  }
}

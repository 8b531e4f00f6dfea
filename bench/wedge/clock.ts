import { mock } from 'node:test'

/**
 * Time that passes only when told: timers, Date and performance.now follow it. A trace of two seconds takes no time,
 * and every detector sees exactly the same times.
 */
export function stopTime() {
  mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'], now: 1_000_000 })
  let now = 1_000_000
  mock.method(performance, 'now', () => now)
  return {
    get now() {
      return now
    },
    /** Advances the time; due timers run on the way. */
    passUntil(then: number) {
      // Timers have a resolution of whole milliseconds.
      const due = Math.floor(then) - Math.floor(now)
      for (let step = 0; step < due; step++) {
        now = Math.floor(now) + 1
        mock.timers.tick(1)
      }
      now = then
    },
    goOn: () => mock.reset(),
  }
}

export type StoppedTime = ReturnType<typeof stopTime>

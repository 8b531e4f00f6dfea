import { type Clock, type ServiceClock, createServiceClock } from '../../src-main/core/clock'

/** A clock that a test sets by hand. */
export interface HandClock extends Clock {
  advance(ms: number): void
  serviceClock: ServiceClock
}

export function handClock(start = Date.parse('2026-11-21T14:00:00Z')): HandClock {
  let now = start
  return {
    now: () => now,
    advance(ms) {
      now += ms
    },
    serviceClock: createServiceClock(),
  }
}

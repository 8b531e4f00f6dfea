/**
 * How a moment that the service shows compares with one of ours. The specification doesn't say how finely a service writes
 * a moment: to the millisecond or only to the second, minute, hour or day (of its own zone or the dispensary's), rounded
 * down, up or to the nearest.
 */

/**
 * `same`: equal to the millisecond. `same-second`: the moment, in a unit of a second at most. `possible`: the moment, if the
 * service writes minutes, hours or days: proves nothing. `other`: not the moment, however it is written.
 */
export type TimeMatch = 'same' | 'same-second' | 'possible' | 'other'

/**
 * The units, finest first, in ms: what is written in one is a multiple of `grid`, and less than `length` away from the
 * moment. A day begins on a quarter of an hour by UTC in every zone and is up to 25 h long. An hour counts as a day.
 */
const units = [
  { grid: 1, length: 0 },
  { grid: 10, length: 10 },
  { grid: 100, length: 100 },
  { grid: 1_000, length: 1_000 },
  { grid: 60_000, length: 60_000 },
  { grid: 900_000, length: 25 * 3_600_000 },
] as const

const second = 1_000

/** Compares what the service shows with our moment, in ms since 1970. `coarsest`: the unit that the service is known to have at most. */
export function matchOf(shown: number, moment: number, coarsest = Infinity): TimeMatch {
  if (shown === moment) return 'same'
  const unit = units.find(
    ({ grid, length }) => grid <= coarsest && shown % grid === 0 && Math.abs(shown - moment) < length,
  )
  if (!unit) return 'other'
  return unit.grid <= second ? 'same-second' : 'possible'
}

/** The moment is shown, to the second at least: another station can't sell the same items in the same second. */
export const isSameSecond = (match: TimeMatch) => match === 'same' || match === 'same-second'

/** The coarsest unit in which a service may write moments that showed this one exactly; 1 for most. */
export const coarsestUnitOf = (moment: number): number => units.findLast(({ grid }) => moment % grid === 0)?.grid ?? 1

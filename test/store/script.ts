import { type Chance, chanceOf } from '../crash/chance'
import type { LineCut } from '../hub/slow-line'

/** What a person at a station does next. What it is done with is decided then, by what the screen shows. */
const deedWeights = {
  scan: 14,
  remove: 2,
  clear: 0.7,
  hold: 2.5,
  resume: 3.5,
  drop: 0.5,
  'set order': 1,
  complete: 6,
  void: 1.5,
  return: 1.5,
  'return elsewhere': 0.8,
  'void elsewhere': 0.4,
  withdraw: 0.7,
  attend: 1.5,
}
export type DeedName = keyof typeof deedWeights
export interface Deed {
  do: DeedName
  /** Before it, in ms. */
  pause: number
}

/** Something that breaks, and is repaired `for` ms later. `at`: ms since the morning. */
export type Trouble = { at: number; for: number } & (
  | { what: 'kill'; station: number }
  | { what: 'cut'; station: number; how: LineCut }
  | { what: 'slow'; station: number; requests: number; answers: number }
  | { what: 'hub down' }
  | { what: 'service down' }
)

/** A day of a store. */
export interface Day {
  /** The deeds of each station. */
  persons: Deed[][]
  troubles: Trouble[]
  /** The service can't be reached all day, only in the evening. */
  isOffline: boolean
}

export const stationCount = 3
export const tagCount = 5

export function dayOf(seed: number, run: number): Day {
  const chance = chanceOf('store', seed, run)
  const persons = Array.from({ length: stationCount }, () =>
    Array.from({ length: 14 + chance.below(12) }, (): Deed => {
      return { do: chance.weighed(deedWeights), pause: chance.hits(0.5) ? 0 : chance.below(60) }
    }),
  )
  const isOffline = chance.hits(0.25)
  const troubles = Array.from({ length: 1 + chance.below(6) }, () => troubleOf(chance, isOffline))
  return { persons, troubles, isOffline }
}

function troubleOf(chance: Chance, isOffline: boolean): Trouble {
  const when = { at: chance.below(900), for: 50 + chance.below(500) }
  const station = chance.below(stationCount)
  const what = chance.weighed({
    kill: 4,
    cut: 5,
    slow: 2.5,
    'hub down': 1.5,
    'service down': isOffline ? 0.001 : 1,
  })
  switch (what) {
    case 'cut':
      return {
        ...when,
        what,
        station,
        how: chance.pick(['requests swallowed', 'answers swallowed', 'both swallowed', 'refused']),
      }
    case 'slow':
      return { ...when, what, station, ...slowness(chance) }
    case 'kill':
      return { at: when.at, for: chance.hits(0.5) ? 0 : chance.below(400), what, station }
    case 'hub down':
    case 'service down':
      return { ...when, what }
  }
}

/** Some of it longer than a station waits: then the hub acts on what the station has given up. */
function slowness(chance: Chance): { requests: number; answers: number } {
  const ms = () => (chance.hits(0.4) ? 0 : chance.hits(0.5) ? chance.below(60) : 150 + chance.below(250))
  return { requests: ms(), answers: ms() }
}

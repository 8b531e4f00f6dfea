/** How often something may be done: a store of turns that fills up again with time. */
export interface Pace {
  /** Whether there is a turn left for it; takes it. */
  take(name: string): boolean
}

/** Fifty scans a second for a minute make some two hundred calls a second, of several names. */
const mostInStore = 400
const perSecond = 200

/** For each name by itself: a call gone wild does not hold up the others. `now` in ms, of a clock that only goes forward. */
export function createPace(now: () => number = () => performance.now()): Pace {
  const stores = new Map<string, { turns: number; at: number }>()
  return {
    take(name) {
      const at = now()
      const store = stores.get(name) ?? { turns: mostInStore, at }
      const turns = Math.min(mostInStore, store.turns + ((at - store.at) * perSecond) / 1_000)
      const isFree = turns >= 1
      stores.set(name, { turns: isFree ? turns - 1 : turns, at })
      return isFree
    },
  }
}

/** For programs that work a station without a page: tests and benches. */
export const unhurried: Pace = { take: () => true }

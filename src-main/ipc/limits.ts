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

/** Characters of texts, and things that hold others, in one input: what the largest form of ours comes to, several times. */
const mostCharacters = 256_000
const mostThings = 50_000

/**
 * Whether an input is larger than anything our own page sends. Counted and not written out as text: over Electron's line
 * come things that JSON can't say, also such as hold themselves.
 */
export function isTooLarge(input: unknown): boolean {
  let characters = 0
  let things = 0
  const left: unknown[] = [input]
  while (left.length > 0) {
    const one = left.pop()
    if (++things > mostThings) return true
    if (typeof one === 'string') characters += one.length
    else if (ArrayBuffer.isView(one)) characters += one.byteLength
    else if (one instanceof ArrayBuffer) characters += one.byteLength
    else if (one instanceof Map || one instanceof Set) things += one.size
    else if (Array.isArray(one)) {
      if (one.length > mostThings) return true
      const inner: unknown[] = one
      for (const each of inner) left.push(each)
    } else if (typeof one === 'object' && one !== null) {
      for (const [name, value] of Object.entries(one)) {
        characters += name.length
        left.push(value)
      }
    }
    if (characters > mostCharacters || things + left.length > mostThings) return true
  }
  return false
}

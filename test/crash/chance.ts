import { createHash } from 'node:crypto'

/** A random source determined by its names: the same seed and run give the same day. */
export interface Chance {
  /** [0, 1). */
  next(): number
  /** An integer from 0 to below `end`. */
  below(end: number): number
  /** True with this probability. */
  hits(share: number): boolean
  pick<T>(list: readonly T[]): T
  /** One of the names, with probability proportional to its weight. */
  weighed<Name extends string>(weights: Readonly<Record<Name, number>>): Name
}

export function chanceOf(...names: (string | number)[]): Chance {
  let state = createHash('sha256').update(names.join(' ')).digest().readUInt32LE(0)
  /** Mulberry32: short, and even enough for picking what to break. */
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (end: number) => Math.floor(next() * end)
  const pick = <T>(list: readonly T[]): T => {
    const [picked] = list.slice(below(list.length))
    if (picked === undefined) throw new Error('nothing to pick from')
    return picked
  }
  return {
    next,
    below,
    pick,
    hits: (share) => next() < share,
    weighed(weights) {
      const names = namesOf(weights)
      let rest = next() * names.reduce((sum, name) => sum + weights[name], 0)
      return names.find((name) => (rest -= weights[name]) < 0) ?? pick(names)
    },
  }
}

const namesOf = <Name extends string>(weights: Readonly<Record<Name, number>>): Name[] => {
  const names: Name[] = []
  for (const name in weights) names.push(name)
  return names
}

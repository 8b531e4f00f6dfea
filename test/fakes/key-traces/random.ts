/** Random numbers that are the same on every machine for the same seed (mulberry32). */
export interface Random {
  /** At least 0, less than 1. */
  next(): number
  between(least: number, most: number): number
  whole(least: number, most: number): number
  chance(probability: number): boolean
  pick<Value>(values: readonly [Value, ...Value[]]): Value
  /** Around the mean, two thirds within one deviation; never under `least`. */
  around(mean: number, deviation: number, least: number): number
  digits(count: number): string
  text(alphabet: string, count: number): string
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (least: number, most: number) => least + next() * (most - least)
  const whole = (least: number, most: number) => Math.floor(between(least, most + 1))
  const text = (alphabet: string, count: number) =>
    Array.from({ length: count }, () => alphabet.charAt(whole(0, alphabet.length - 1))).join('')
  return {
    next,
    between,
    whole,
    chance: (probability) => next() < probability,
    pick: (values) => values[whole(0, values.length - 1)] ?? values[0],
    around(mean, deviation, least) {
      const normal = Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())
      return Math.max(mean + normal * deviation, least)
    },
    digits: (count) => text('0123456789', count),
    text,
  }
}

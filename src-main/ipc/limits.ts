/** How often a call may be made: a token bucket for each name. */
export interface RateLimit {
  /** Takes a token; false if none is left. */
  take(name: string): boolean
}

/** Fifty scans a second for a minute make some two hundred calls a second, of several names. */
const burst = 400
const perSecond = 200

/** Each name has a bucket of its own, so that a call gone wild does not block the others. `now`: monotonic clock, in ms. */
export function createRateLimit(now: () => number = () => performance.now()): RateLimit {
  const buckets = new Map<string, { tokens: number; at: number }>()
  return {
    take(name) {
      const at = now()
      const bucket = buckets.get(name) ?? { tokens: burst, at }
      const tokens = Math.min(burst, bucket.tokens + ((at - bucket.at) * perSecond) / 1_000)
      const isFree = tokens >= 1
      buckets.set(name, { tokens: isFree ? tokens - 1 : tokens, at })
      return isFree
    },
  }
}

/** For programs without a page: tests and benches. */
export const unlimited: RateLimit = { take: () => true }

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

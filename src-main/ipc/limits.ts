/** How often a call may be made: a token bucket for each name. */
export interface RateLimit {
  /** Takes a token; false if none is left. */
  take(name: string): boolean
}

/** Fifty scans a second for a minute cause about two hundred calls a second, with several names. */
const burst = 400
const perSecond = 200

/** Each name has its own bucket, so that a runaway call doesn't block the others. `now`: monotonic clock, in ms. */
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

/** For programs without a page: tests and benchmarks. */
export const unlimited: RateLimit = { take: () => true }

/** Limits for one input: characters of text, and number of objects and lists. Several times the app's largest form. */
const mostCharacters = 256_000
const mostThings = 50_000

/**
 * Whether an input is larger than anything the app's page sends. Counts instead of serializing, because Electron's IPC
 * also carries values that JSON can't represent, including circular ones.
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

import type { SecretOutlet } from '../station/secret-outlet'

/** How long the page's link may take to fetch the file. */
const fetchedWithin = 30_000

/** A secret that the browser may download once, right after it was given. The page only follows a link. */
export interface SecretFile extends SecretOutlet {
  /** The text, if it was given just now and not taken yet. */
  take(): string | null
}

/** `now`: monotonic clock, in ms. */
export function createSecretFile(now: () => number = () => performance.now()): SecretFile {
  let given: { text: string; until: number } | null = null
  return {
    kind: 'file',
    give(text, lastsMs) {
      given = { text, until: now() + Math.min(lastsMs, fetchedWithin) }
      return Promise.resolve()
    },
    take() {
      const taken = given && now() < given.until ? given.text : null
      given = null
      return taken
    },
  }
}

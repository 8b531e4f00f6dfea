import pLimit from 'p-limit'
import { judgeImage } from '../../src-shared/image-file'
import { type Clock, systemClock } from '../core/clock'
import type { Download, Http } from '../service/http'

/** Bytes of one picture. */
const largest = 2_000_000
/** Size of all that are kept, as `data:` URLs; a store sells some hundreds of products. */
const mostKept = 40_000_000
/** A large delivery has hundreds of pictures: reports and scans must not wait for them. */
const atOnce = 4
/** Pause before a failed picture is asked for again, in ms: a screen asks with every row that it shows. */
const pauseAfterNone = 30_000

/** In pixels. A picture is shown small, and a screen decodes many: a larger one would take more than 80 MB. */
const mostPixels = 20_000_000

/**
 * A picture of the service as a `data:` URL; undefined for anything else than a still JPEG, PNG or WebP, which is judged by its
 * content and not by what the service calls it. `takesDrawings`: also an SVG, which only the practice store has; in one of
 * another service could be anything.
 */
function dataUrlOf({ contentType, bytes }: Download, takesDrawings: boolean): string | undefined {
  const urlOf = (type: string) => `data:image/${type};base64,${bytes.toString('base64')}`
  if (takesDrawings && /^image\/svg\+xml(?:;|$)/.test(contentType)) return urlOf('svg+xml')
  const judged = judgeImage(bytes, mostPixels)
  return judged.ok ? urlOf(judged.value.type) : undefined
}

export type Pictures = ReturnType<typeof createPictures>

/**
 * Pictures of products as `data:` URLs, so that the renderer needs no access to the network. `takesDrawings`: of the practice
 * store, whose pictures are our own.
 */
export function createPictures(http: Pick<Http, 'download'>, clock: Clock = systemClock, takesDrawings = false) {
  /** Least recently asked for first. */
  const kept = new Map<string, string>()
  let keptSize = 0
  /** A second request for a picture waits for the first one. */
  const loading = new Map<string, Promise<string | null>>()
  const noneUntil = new Map<string, number>()
  const limit = pLimit(atOnce)

  const keep = (url: string, picture: string) => {
    kept.set(url, picture)
    keptSize += picture.length
    for (const [oldest, { length }] of kept) {
      if (keptSize <= mostKept) break
      kept.delete(oldest)
      keptSize -= length
    }
  }

  const noteNone = (url: string) => {
    const now = clock.now()
    // Keeps the map from growing forever.
    for (const [other, until] of noneUntil) if (until <= now) noneUntil.delete(other)
    noneUntil.set(url, now + pauseAfterNone)
  }

  const load = async (url: string) => {
    const file = await http.download(url, largest)
    const picture = file && dataUrlOf(file, takesDrawings)
    if (picture === undefined) {
      noteNone(url)
      return null
    }
    noneUntil.delete(url)
    keep(url, picture)
    return picture
  }

  return {
    /** Null if it can't be fetched: foreign host, not an image that can be shown, too large, or no answer. */
    async get(url: string): Promise<string | null> {
      const known = kept.get(url)
      if (known !== undefined) {
        kept.delete(url)
        kept.set(url, known)
        return known
      }
      const until = noneUntil.get(url)
      // A clock that was set back must not keep a picture away for long.
      if (until !== undefined && until > clock.now() && until - clock.now() <= pauseAfterNone) return null
      const picture = loading.get(url) ?? limit(() => load(url)).finally(() => loading.delete(url))
      loading.set(url, picture)
      return picture
    },
  }
}

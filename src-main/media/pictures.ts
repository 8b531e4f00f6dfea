import { type Clock, systemClock } from '../clock'
import { createTurns } from '../turns'
import type { Http } from '../service-client/http'

/** Pictures of products as `data:` URLs, so that the renderer need not be allowed to ask anybody for anything. */
export interface Pictures {
  /** Null when there is none to be had: not of the profile's hosts, not an image, too large, or nobody answers. */
  get(url: string): Promise<string | null>
}

/** Bytes of one picture. */
const largest = 2_000_000
/** Of all that are kept, as `data:` URLs; a store sells some hundreds of products. */
const mostKept = 40_000_000
/** A large delivery has hundreds of pictures: reports and scans must find room on the line beside them. */
const atOnce = 4
/** Who had none is asked again after so long, in ms: a screen asks with every row that it shows. */
const pauseAfterNone = 30_000

const isImage = /^image\/(?:png|jpeg|webp|gif|avif|svg\+xml)(?:;|$)/

export function createPictures(http: Pick<Http, 'download'>, clock: Clock = systemClock): Pictures {
  /** Least recently asked for first. */
  const kept = new Map<string, string>()
  let keptSize = 0
  /** Who asks for one that is being loaded waits for the same one. */
  const loading = new Map<string, Promise<string | null>>()
  const noneUntil = new Map<string, number>()
  const turns = createTurns(atOnce)

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
    // Nothing here may grow for ever.
    for (const [other, until] of noneUntil) if (until <= now) noneUntil.delete(other)
    noneUntil.set(url, now + pauseAfterNone)
  }

  const load = async (url: string) => {
    const file = await http.download(url, largest)
    if (!file || !isImage.test(file.contentType)) {
      noteNone(url)
      return null
    }
    noneUntil.delete(url)
    const picture = `data:${file.contentType.split(';')[0]};base64,${file.bytes.toString('base64')}`
    keep(url, picture)
    return picture
  }

  return {
    async get(url) {
      const known = kept.get(url)
      if (known !== undefined) {
        kept.delete(url)
        kept.set(url, known)
        return known
      }
      const until = noneUntil.get(url)
      // A clock that was set back must not keep a picture away for long.
      if (until !== undefined && until > clock.now() && until - clock.now() <= pauseAfterNone) return null
      const picture = loading.get(url) ?? turns(() => load(url)).finally(() => loading.delete(url))
      loading.set(url, picture)
      return picture
    },
  }
}

import type { Http } from '../service-client/http'

/** Pictures of products as `data:` URLs, so that the renderer need not be allowed to ask anybody for anything. */
export interface Pictures {
  /** Null when there is none to be had: not of the profile's hosts, not an image, too large, or nobody answers. */
  get(url: string): Promise<string | null>
}

/** Bytes of one picture. */
const largest = 2_000_000
/** Pictures kept; a store sells some hundreds of products. */
const mostKept = 300

const isImage = /^image\/(?:png|jpeg|webp|gif|avif|svg\+xml)(?:;|$)/

export function createPictures(http: Http): Pictures {
  const kept = new Map<string, Promise<string | null>>()

  const load = async (url: string) => {
    const file = await http.download(url, largest)
    if (!file || !isImage.test(file.contentType)) {
      // Not kept: the network may be back at the next look.
      kept.delete(url)
      return null
    }
    return `data:${file.contentType.split(';')[0]};base64,${file.bytes.toString('base64')}`
  }

  return {
    get(url) {
      const known = kept.get(url)
      if (known) return known
      const oldest = kept.keys().next()
      if (kept.size >= mostKept && !oldest.done) kept.delete(oldest.value)
      const picture = load(url)
      kept.set(url, picture)
      return picture
    },
  }
}

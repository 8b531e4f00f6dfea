import { z } from 'zod'
import type { Parts } from '../http/context'
import { query } from '../store/query'

const Stored = z.object({ mime_type: z.string(), size_bytes: z.number(), updated_on: z.string() })

/** Media objects: pictures of the data file, and what was uploaded. Spec: Media object. */
export function createMedia({ store, pictures, origin }: Parts) {
  const stored = query(
    store,
    'SELECT mime_type, length(bytes) AS size_bytes, added_on AS updated_on FROM media WHERE file = ?',
    Stored,
  )

  const url = (file: string) => `${origin}/media/${file}`

  function about(file: string): z.infer<typeof Stored> | undefined {
    const picture = pictures.get(file)
    if (picture === undefined) return stored.get(file)
    return { mime_type: picture.type, size_bytes: picture.bytes.length, updated_on: picture.updatedOn }
  }

  /** A file that is not there is null. */
  function mediaObject(file: string | null, name = file) {
    const found = file === null ? undefined : about(file)
    return file === null || found === undefined ? null : { name: name ?? file, url: url(file), ...found }
  }

  /** The same picture in all three places. */
  function imageSet(file: string | null) {
    const media = mediaObject(file)
    return { thumbnail: media, primary: media, banner: media }
  }

  return { url, mediaObject, imageSet }
}

import { readFileSync, readdirSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import { CannotStart } from '../cannot-start'
import { PictureName } from '../data/fields'

const types: Record<string, string> = {
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
}

export interface Picture {
  bytes: Uint8Array<ArrayBuffer>
  type: string
  updatedOn: string
}

/** Pictures by file name. */
export type Pictures = ReadonlyMap<string, Picture>

/**
 * Reads a folder of pictures once: what is served later is what was in it at the start, and nothing beside it.
 * Throws `CannotStart` when there is no such folder.
 */
export function loadPictures(dir: string | undefined): Pictures {
  const pictures = new Map<string, Picture>()
  for (const name of dir === undefined ? [] : filesOf(dir)) {
    const type = types[extname(name)]
    if (dir === undefined || type === undefined || !PictureName.safeParse(name).success) continue
    const path = join(dir, name)
    pictures.set(name, {
      bytes: Uint8Array.from(readFileSync(path)),
      type,
      updatedOn: statSync(path).mtime.toISOString(),
    })
  }
  return pictures
}

function filesOf(dir: string): string[] {
  try {
    return readdirSync(dir)
  } catch (cause) {
    throw new CannotStart(`The pictures folder ${dir} cannot be read.`, { cause })
  }
}

/** Spec: Image set. A picture that is not there is null. */
export function imageSet(pictures: Pictures, origin: string, file: string | null) {
  const picture = file === null ? undefined : pictures.get(file)
  const media =
    file === null || picture === undefined
      ? null
      : {
          name: file,
          url: `${origin}/media/${file}`,
          mime_type: picture.type,
          size_bytes: picture.bytes.length,
          updated_on: picture.updatedOn,
        }
  return { thumbnail: media, primary: media, banner: media }
}

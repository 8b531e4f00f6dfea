import { readFileSync, readdirSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import { CannotStart } from '../listener'
import { MediaName } from '../data/fields'

const types: Record<string, string> = {
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
  '.gif': 'image/gif',
  '.mp4': 'video/mp4',
  '.webm': 'video/webm',
  '.pdf': 'application/pdf',
}

interface Picture {
  bytes: Uint8Array<ArrayBuffer>
  type: string
  updatedOn: string
}

/** Pictures by file name. */
export type Pictures = ReadonlyMap<string, Picture>

/**
 * Reads a folder of pictures once: only files that were in it at the start are served. Throws `CannotStart` if the
 * folder does not exist.
 */
export function loadPictures(dir: string | undefined): Pictures {
  const pictures = new Map<string, Picture>()
  for (const name of dir === undefined ? [] : filesOf(dir)) {
    const type = types[extname(name)]
    if (dir === undefined || type === undefined || !MediaName.safeParse(name).success) continue
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

import { type Result, err, ok } from '../../src-shared/result'
import { type FileType, fileTypeOf } from './file-types'

/** A file that came as Base64, and what it turned out to be. */
export interface Upload extends FileType {
  bytes: Uint8Array
}

/** What an upload may be. Sizes are those of the file, in bytes; the specification shows none. */
const uploadKinds = {
  images: { largest: 5_000_000, isWelcome: (mimeType: string) => mimeType.startsWith('image/'), what: 'an image' },
  videos: { largest: 20_000_000, isWelcome: (mimeType: string) => mimeType.startsWith('video/'), what: 'a video' },
  files: { largest: 10_000_000, isWelcome: () => true, what: 'a file' },
} as const
export type UploadKind = keyof typeof uploadKinds

/** Decodes a file. The error is a message for its field: no Base64, too large, not of its kind. */
export function readUpload(base64: string, kind: UploadKind): Result<Upload, string> {
  const { largest, isWelcome, what } = uploadKinds[kind]
  // Asked first, for Node decodes anything and skips what it does not know.
  if (base64.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return err('Not a valid Base64 text.')
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.length > largest) return err(`The file is larger than ${largest} bytes.`)
  const type = fileTypeOf(bytes)
  return isWelcome(type.mimeType) ? ok({ ...type, bytes }) : err(`The file is not ${what} of a known type.`)
}

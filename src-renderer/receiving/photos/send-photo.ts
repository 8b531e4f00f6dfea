import type { AppError } from '../../../src-shared/errors'
import { PhotoId } from '../../../src-shared/ids'
import type { Client } from '../../../src-shared/ipc/client'
import { photoPart } from '../../../src-shared/ipc/contract/record'
import { type Result, ok } from '../../../src-shared/result'

/** Bytes of a part: a multiple of three, so that the parts of the base64 text make one text. */
const bytesAtOnce = (photoPart / 4) * 3
/** Arguments that a function takes at once. */
const lettersAtOnce = 0x8000

/** Sends a photo to main in parts; it is kept once a call names its id. Errors: receiving/photo-unusable, -photo-gone. */
export async function sendPhoto(client: Client, photo: Blob): Promise<Result<PhotoId, AppError>> {
  const photoId = PhotoId.parse(crypto.randomUUID())
  const bytes = new Uint8Array(await photo.arrayBuffer())
  let start = 0
  for (let from = 0; from < bytes.length; from += bytesAtOnce) {
    const base64 = toBase64(bytes.subarray(from, from + bytesAtOnce))
    const answer = await client.call('receiving.sendPhoto', { photoId, start, base64 })
    if (!answer.ok) return answer
    start += base64.length
  }
  return ok(photoId)
}

function toBase64(bytes: Uint8Array): string {
  let letters = ''
  for (let from = 0; from < bytes.length; from += lettersAtOnce)
    letters += String.fromCharCode(...bytes.subarray(from, from + lettersAtOnce))
  return btoa(letters)
}

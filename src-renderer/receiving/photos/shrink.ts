import type { AppError } from '../../../src-shared/errors'
import { judgeImage } from '../../../src-shared/image-file'
import { photoLimits } from '../../../src-shared/ipc/contract/record'
import { type Result, err } from '../../../src-shared/result'
import { type DrawPhoto, drawInWorker } from './photo-drawing'

/** Larger files are not read. */
const mostBytes = 40_000_000
/** Larger pictures would take more than about 320 MB to decode. */
const mostPixels = 80_000_000

type Reason = Extract<AppError, { code: 'receiving/photo-unusable' }>['reason']
const unusable = (reason: Reason) => err({ code: 'receiving/photo-unusable', reason } as const)

/**
 * A photo drawn anew as a JPEG of at most `photoLimits`, upright. What a camera writes beside the picture, such as the place,
 * is left out by that. Errors: receiving/photo-unusable.
 */
export async function shrink(file: Blob, draw: DrawPhoto = drawInWorker): Promise<Result<Blob, AppError>> {
  if (file.size > mostBytes) return unusable('size')
  const bytes = await file.arrayBuffer().catch(() => null)
  if (!bytes) return unusable('damaged')
  const judged = judgeImage(new Uint8Array(bytes), mostPixels)
  if (!judged.ok) return unusable(judged.error)
  const { type, width, height } = judged.value
  const drawn = await draw({ bytes, type, pixels: width * height, most: photoLimits })
  return drawn.ok ? drawn : unusable(drawn.error)
}

import type { AppError } from '../../../src-shared/errors'
import { photoLimits } from '../../../src-shared/ipc/contract/record'
import { type Result, err, ok } from '../../../src-shared/result'
import { readImage } from './image-file'

/** Larger files are not read. */
const mostBytes = 40_000_000
/** Larger pictures would take more than about 320 MB to decode. */
const mostPixels = 80_000_000
const qualities = [0.85, 0.7, 0.55]
const sides = [photoLimits.side, 1_200, 800]

const unusable = (reason: 'type' | 'damaged' | 'size' | 'pixels') =>
  err({ code: 'receiving/photo-unusable', reason } as const)

/**
 * A photo drawn anew as a JPEG of at most `photoLimits`, upright. What a camera writes beside the picture, such as the place,
 * is left out by that. Errors: receiving/photo-unusable.
 */
export async function shrink(file: Blob): Promise<Result<Blob, AppError>> {
  if (file.size > mostBytes) return unusable('size')
  const bytes = await file.arrayBuffer().catch(() => null)
  if (!bytes) return unusable('damaged')
  const facts = readImage(new Uint8Array(bytes))
  if (!facts) return unusable('type')
  if (!facts.isWhole) return unusable('damaged')
  // Judged before it is decoded: a small file may hold a huge picture.
  if (facts.width * facts.height > mostPixels) return unusable('pixels')
  const picture = await createImageBitmap(new Blob([bytes], { type: `image/${facts.type}` })).catch(() => null)
  if (!picture) return unusable('damaged')
  try {
    return await smallest(picture)
  } finally {
    picture.close()
  }
}

/** The best JPEG that is not too large. */
async function smallest(picture: ImageBitmap): Promise<Result<Blob, AppError>> {
  for (const side of sides) {
    const canvas = draw(picture, side)
    if (!canvas) return unusable('damaged')
    for (const quality of qualities) {
      const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality }).catch(() => null)
      if (blob && blob.size <= photoLimits.bytes) return ok(blob)
    }
  }
  return unusable('size')
}

function draw(picture: ImageBitmap, side: number): OffscreenCanvas | null {
  const scale = Math.min(1, side / Math.max(picture.width, picture.height))
  const width = Math.max(1, Math.round(picture.width * scale))
  const height = Math.max(1, Math.round(picture.height * scale))
  const canvas = new OffscreenCanvas(width, height)
  const context = canvas.getContext('2d')
  if (!context) return null
  context.imageSmoothingQuality = 'high'
  // A JPEG has no transparency.
  context.fillStyle = '#fff'
  context.fillRect(0, 0, width, height)
  context.drawImage(picture, 0, 0, width, height)
  return canvas
}

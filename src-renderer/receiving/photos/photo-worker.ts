import { err, ok } from '../../../src-shared/result'
import type { Drawn, JudgedPhoto } from './photo-drawing'

const qualities = [0.85, 0.7, 0.55]
const smallerSides = [1_200, 800]

/** Runs as a worker: decodes a photo, turned upright, and draws it as a JPEG. */
async function drawSmall({ bytes, type, pixels, most }: JudgedPhoto): Promise<Drawn> {
  const picture = await createImageBitmap(new Blob([bytes], { type: `image/${type}` })).catch(() => null)
  if (!picture) return err('damaged')
  try {
    // Decoded to another size than it was judged by.
    return picture.width * picture.height === pixels ? await smallest(picture, most) : err('damaged')
  } finally {
    picture.close()
  }
}

/** The best JPEG that is not too large. */
async function smallest(picture: ImageBitmap, most: JudgedPhoto['most']): Promise<Drawn> {
  for (const side of [most.side, ...smallerSides]) {
    const canvas = draw(picture, side)
    if (!canvas) return err('damaged')
    for (const quality of qualities) {
      const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality }).catch(() => null)
      if (blob && blob.size <= most.bytes) return ok(blob)
    }
  }
  return err('size')
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

self.addEventListener('message', ({ data }: MessageEvent<JudgedPhoto>) => {
  void drawSmall(data).then((drawn) => {
    self.postMessage(drawn)
  })
})

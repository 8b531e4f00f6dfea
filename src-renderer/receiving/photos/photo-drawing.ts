import type { ImageFacts } from '../../../src-shared/image-file'
import { type Result, err } from '../../../src-shared/result'

/** A photo that was judged. `pixels`: as many as its header says. `most`: longest side in pixels, and bytes, of the result. */
export interface JudgedPhoto {
  bytes: ArrayBuffer
  type: ImageFacts['type']
  pixels: number
  most: { side: number; bytes: number }
}

/** `damaged`: can't be decoded; `size`: too large, however small it is drawn; `time`: it took too long. */
export type Drawn = Result<Blob, 'damaged' | 'size' | 'time'>
export type DrawPhoto = (photo: JudgedPhoto) => Promise<Drawn>

/** In ms. The largest photo takes a few seconds on a slow computer. */
const patience = 60_000

/** Draws a photo in a worker of its own, which gives back all memory at its end, and is ended if it takes too long. */
export const drawInWorker: DrawPhoto = (photo) =>
  new Promise((resolve) => {
    const worker = new Worker(new URL('photo-worker.ts', import.meta.url), { type: 'module' })
    const end = (drawn: Drawn) => {
      clearTimeout(timer)
      worker.terminate()
      resolve(drawn)
    }
    const timer = setTimeout(() => end(err('time')), patience)
    worker.addEventListener('message', ({ data }: MessageEvent<Drawn>) => end(data))
    for (const failure of ['error', 'messageerror']) worker.addEventListener(failure, () => end(err('damaged')))
    worker.postMessage(photo, [photo.bytes])
  })

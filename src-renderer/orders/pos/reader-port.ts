import type { FromReader, ToReader } from './sales-reader'

/** The line to the reader of a file. */
export interface ReaderPort {
  ask(message: ToReader): void
  /** Ends the reader at once, also in the middle of a file. */
  close(): void
}

/** Starts a reader. `failed`: it broke down, for example for lack of memory. */
export type OpenReader = (answered: (message: FromReader) => void, failed: () => void) => ReaderPort

export const openWorker: OpenReader = (answered, failed) => {
  const worker = new Worker(new URL('sales-worker.ts', import.meta.url), { type: 'module' })
  worker.addEventListener('message', ({ data }: MessageEvent<FromReader>) => answered(data))
  worker.addEventListener('error', () => failed())
  return {
    ask: (message) => worker.postMessage(message),
    close: () => worker.terminate(),
  }
}

import { rm } from 'node:fs/promises'

/** Removes a folder that a process which is just ending may still write into. The synchronous `rmSync` lists it once only, so a file made after that fails it. */
export const removeFolder = (folder: string): Promise<void> =>
  rm(folder, { recursive: true, force: true, maxRetries: 30, retryDelay: 100 })

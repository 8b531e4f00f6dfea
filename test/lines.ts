import { existsSync, openSync, readFileSync, truncateSync } from 'node:fs'

/**
 * Opens a file of lines to append to it. A kill in the middle of a write may have cut the last line short: it is removed, so
 * that the next one doesn't continue it.
 */
export function openLines(file: string): number {
  const bytes = existsSync(file) ? readFileSync(file) : Buffer.alloc(0)
  const end = bytes.lastIndexOf('\n') + 1
  if (end < bytes.length) truncateSync(file, end)
  return openSync(file, 'a')
}

import { closeSync, openSync, readSync } from 'node:fs'
import { sizeOf } from '../store/files'

/** Enough for some thousand lines. */
const most = 1_000_000

/** The last lines of a log file, of the whole of it where it is short; none when it can't be read. */
export function lastLines(file: string, count: number): string[] {
  try {
    const size = sizeOf(file)
    const bytes = Buffer.alloc(Math.min(size, most))
    const handle = openSync(file, 'r')
    try {
      readSync(handle, bytes, 0, bytes.length, size - bytes.length)
    } finally {
      closeSync(handle)
    }
    return bytes.toString('utf8').split('\n').filter(Boolean).slice(-count)
  } catch {
    return []
  }
}

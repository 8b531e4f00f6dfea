import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, resolve } from 'node:path'
import Sqlite from 'better-sqlite3'

/** Size of a file in bytes; 0 when there is none. */
export const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0

/** Names in a folder; none when there is no such folder, or it can't be read. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/**
 * Makes a folder, and those above it, for this user alone; one that is there stays as it is. What was made is still there
 * after a power cut: otherwise everything saved in it would be gone with its name.
 */
export function makeOwnFolder(folder: string): void {
  const first = mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  for (let made = resolve(folder); made.length >= resolve(first).length; made = dirname(made)) {
    try {
      sync(dirname(made))
    } catch {
      // Some network drives can't sync a folder, and people may not be allowed to open the one above theirs.
    }
  }
}

/** Puts what was written to a file, or the names in a folder, on the disk. */
export function sync(path: string): void {
  // Windows syncs only what is open for writing, and no folders.
  const isFolder = statSync(path).isDirectory()
  if (isFolder && process.platform === 'win32') return
  const handle = openSync(path, isFolder ? 'r' : 'r+')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** Renames within a folder, for good: also after a power cut it has happened. */
export function renameForGood(from: string, to: string): void {
  renameSync(from, to)
  sync(dirname(to))
}

/** Writes a small file so that it is there whole or not at all. `mode` is who may read it from its first byte on. */
export function writeWhole(file: string, text: string, mode?: number): void {
  // One that a crash left behind would keep its own mode.
  if (mode !== undefined) rmSync(`${file}.new`, { force: true })
  writeFileSync(`${file}.new`, text, { mode })
  sync(`${file}.new`)
  renameForGood(`${file}.new`, file)
}

/** A UTC time as part of a file name: 20261121T140000Z. */
export const stamp = (at: number) => new Date(at).toISOString().replace(/[-:]|\.\d+/g, '')

/** The time in ms that a stamp says; undefined when it says none. */
export function timeOfStamp(text: string): number | undefined {
  const [, date, time] = /^(\d{8})T(\d{6})Z$/.exec(text) ?? []
  if (date === undefined || time === undefined) return undefined
  const at = Date.parse(
    `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}T${time.slice(0, 2)}:${time.slice(2, 4)}:${time.slice(4)}Z`,
  )
  return Number.isNaN(at) ? undefined : at
}

/**
 * One process at a time may open, mend and use a data folder. The database holds a lock of its own, but one that is
 * damaged can't be locked, and two processes must not both set it aside. An empty file beside it is locked instead, by
 * SQLite: a crash frees it.
 * Throws SQLITE_BUSY when another process holds it.
 */
export function takeLock(file: string): { release(): void } {
  // If two start at the same moment, one must win: both try for a while.
  const lock = new Sqlite(file, { timeout: 250 })
  try {
    // Nothing is ever written, and a full disk must not keep anybody out: no journal file.
    lock.pragma('journal_mode = MEMORY')
    lock.exec('BEGIN EXCLUSIVE')
  } catch (cause) {
    lock.close()
    throw cause
  }
  return { release: () => void lock.close() }
}

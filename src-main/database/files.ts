import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, resolve } from 'node:path'
import Sqlite from 'better-sqlite3'
import { z } from 'zod'

/** Size of a file in bytes; 0 if it doesn't exist. */
export const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0

const NotThere = z.object({ code: z.enum(['ENOENT', 'ENOTDIR']) })

/**
 * Names in a folder; empty if the folder doesn't exist. Throws if the disk refuses: a folder that can't be read must never
 * be taken for an empty one.
 */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (cause) {
    if (NotThere.safeParse(cause).success) return []
    throw cause
  }
}

/** The names in a folder, where nothing depends on them: none if it can't be read. */
export function namesIfReadable(folder: string): string[] {
  try {
    return namesIn(folder)
  } catch {
    return []
  }
}

/**
 * Creates a folder and its parents for this user only; existing ones stay unchanged. Syncs the new names, so that the
 * folder and everything saved in it survive a power cut.
 */
export function makeOwnFolder(folder: string): void {
  const first = mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  for (let made = resolve(folder); made.length >= resolve(first).length; made = dirname(made)) {
    try {
      sync(dirname(made))
    } catch {
      // Some network drives can't sync a folder, and the user may not be allowed to open the parent folder.
    }
  }
}

/** Flushes a file's contents, or a folder's names, to the disk. */
export function sync(path: string): void {
  // Windows syncs only files open for writing, and never folders.
  const isFolder = statSync(path).isDirectory()
  if (isFolder && process.platform === 'win32') return
  const handle = openSync(path, isFolder ? 'r' : 'r+')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

const piece = 1_048_576

/**
 * Reads a file to its end; a missing one is empty. Throws if the disk can't read it: that isn't damage, and another cable or
 * another try may bring all of it back.
 */
export function readThrough(file: string): void {
  if (sizeOf(file) === 0) return
  const handle = openSync(file, 'r')
  try {
    const bytes = Buffer.alloc(piece)
    while (readSync(handle, bytes) > 0);
  } finally {
    closeSync(handle)
  }
}

/** Renames within a folder so that the new name survives a power cut. */
export function renameForGood(from: string, to: string): void {
  renameSync(from, to)
  sync(dirname(to))
}

/**
 * Writes a small file atomically. `mode`: its permissions from the first byte on. Throws if the disk refuses; then the file
 * is as it was before, also if nothing can be synced any more.
 */
export function writeWhole(file: string, content: string | Buffer, mode?: number, flush = sync): void {
  // Files left behind by a crash would keep their old permissions.
  for (const left of [`${file}.new`, `${file}.old`]) rmSync(left, { force: true })
  writeFileSync(`${file}.new`, content, { mode })
  flush(`${file}.new`)
  const old = existsSync(file) ? `${file}.old` : undefined
  if (old !== undefined) writeFileSync(old, readFileSync(file), { mode })
  try {
    renameSync(`${file}.new`, file)
    flush(dirname(file))
  } catch (cause) {
    // What the caller is told isn't written must not be found later. Nothing needs to be written or synced for that any more.
    if (old === undefined) rmSync(file, { force: true })
    else renameSync(old, file)
    throw cause
  }
  try {
    if (old !== undefined) rmSync(old, { force: true })
  } catch {
    // The new content is in place for good, so nothing else may be said. The next change removes the old one, or is refused.
  }
}

/** A UTC time as part of a file name: 20261121T140000Z. */
export const stamp = (at: number) => new Date(at).toISOString().replace(/[-:]|\.\d+/g, '')

/** The time of a stamp in ms; undefined if the text isn't a stamp. */
export function timeOfStamp(text: string): number | undefined {
  const [, date, time] = /^(\d{8})T(\d{6})Z$/.exec(text) ?? []
  if (date === undefined || time === undefined) return undefined
  const at = Date.parse(
    `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}T${time.slice(0, 2)}:${time.slice(2, 4)}:${time.slice(4)}Z`,
  )
  return Number.isNaN(at) ? undefined : at
}

/**
 * Only one process at a time may open, repair and use a data folder. The database has its own lock, but a damaged
 * database can't be locked, and two processes must not both set it aside. So an empty file beside it is locked with
 * SQLite; a crash releases the lock. Throws SQLITE_BUSY if another process holds it.
 */
export function takeLock(file: string): { release(): void } {
  // If two processes start at the same moment, one must win: both try for a while.
  const lock = new Sqlite(file, { timeout: 250 })
  try {
    // No journal file: nothing is ever written, and a full disk must not prevent the lock.
    lock.pragma('journal_mode = MEMORY')
    lock.exec('BEGIN EXCLUSIVE')
  } catch (cause) {
    lock.close()
    throw cause
  }
  return { release: () => void lock.close() }
}

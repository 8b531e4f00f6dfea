import { rmSync } from 'node:fs'
import { type FileHandle, open, rename, rm, statfs } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import Sqlite, { type Database } from 'better-sqlite3'
import { outdatedCopies } from './before-upgrade'
import { makeOwnFolder, namesIfReadable, namesIn, stamp, timeOfStamp } from './files'
import { codeOf, isDamage } from './start-error'

/** The copy has damaged pages, so the store itself probably has too. */
export class DamagedCopy extends Error {}

/** Disk space left free for the outbox, in bytes: a backup must not fill the disk. */
const reserve = 32_000_000
/** Pages copied before other work gets a turn: about one millisecond. */
const pagesAtOnce = 100
/** A copy of up to so many bytes is checked at once: that takes a few milliseconds, and starting a thread a hundred. */
const smallCopy = 2_000_000

/**
 * Copies a database that is in use. The copy is written under a temporary name, checked page by page and synced, and only
 * then renamed. Returns the final name. Rejects, leaving nothing behind, if the disk refuses, the signal aborts, or the
 * copy is damaged.
 */
export async function makeBackup(
  db: Database,
  folder: string,
  at: number,
  signal: AbortSignal,
  freeBytes = freeBytesOf,
): Promise<string> {
  const name = backupName(at)
  const copy = join(folder, `${name}.tmp`)
  makeOwnFolder(folder)
  removeUnfinished(folder)
  try {
    const size = sizeOf(db)
    if ((await freeBytes(folder)) < size + reserve) throw new Error('too little room on the disk')
    const syncing = syncMeanwhile(copy)
    try {
      await db.backup(copy, {
        progress() {
          signal.throwIfAborted()
          syncing.copied()
          return pagesAtOnce
        },
      })
    } finally {
      await syncing.end()
    }
    const verdict = size > smallCopy ? await checkBeside(copy, signal) : checkAtOnce(copy)
    if (verdict !== 'ok') throw new DamagedCopy(verdict)
    await syncPath(copy, 'r+')
    await rename(copy, join(folder, name))
    if (process.platform !== 'win32') await syncPath(folder, 'r')
    return name
  } catch (cause) {
    removeUnfinished(folder)
    throw cause
  }
}

/**
 * Deletes backups that are no longer needed. `past`: a moment that is certainly past, for what is deleted by its age.
 * Rejects if the disk refuses.
 */
export async function removeOldBackups(folder: string, now: number, past = now): Promise<void> {
  const names = namesIn(folder)
  for (const name of [...toDelete(names, now), ...outdatedCopies(names, past)]) await rm(join(folder, name))
}

const sizeOf = (db: Database) =>
  Number(db.pragma('page_count', { simple: true })) * Number(db.pragma('page_size', { simple: true }))

async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** Deletes what a crash or a full disk left of a backup. */
function removeUnfinished(folder: string): void {
  for (const name of namesIfReadable(folder)) {
    if (/^countertag-.*\.db\.tmp(-journal|-wal|-shm)?$/.test(name)) rmSync(join(folder, name), { force: true })
  }
}

async function syncPath(path: string, flags: string): Promise<void> {
  const handle = await open(path, flags)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Steps of `pagesAtOnce` after which the copy is synced: 8 MB. */
const stepsBetweenSyncs = 20

/**
 * Syncs a copy while it is being written, on another thread. SQLite syncs it at its end on this thread: with gigabytes
 * that no disk has yet, scans would wait for that.
 */
function syncMeanwhile(copy: string) {
  let steps = 0
  let handle: FileHandle | undefined
  let running: Promise<void> | undefined
  const sync = async () => {
    handle ??= await open(copy, 'r+')
    await handle.datasync()
  }
  return {
    copied() {
      if (++steps % stepsBetweenSyncs !== 0) return
      // If the disk refuses, the last sync says so.
      running ??= sync()
        .catch(() => undefined)
        .finally(() => {
          running = undefined
        })
    },
    async end() {
      await running
      await handle?.close()
    },
  }
}

/** Backups are named by their start time (UTC). */
export const backupName = (at: number) => `countertag-${stamp(at)}.db`

/** Undefined if it isn't the name of a backup. */
export function timeOfBackup(name: string): number | undefined {
  const [, text] = /^countertag-(.*)\.db$/.exec(name) ?? []
  return text === undefined ? undefined : timeOfStamp(text)
}

/** The backups in a folder, oldest first. Those later than `now` were named by a wrong clock, and come before all others. */
export function backupsIn(folder: string, now = Number.POSITIVE_INFINITY): string[] {
  const names = namesIn(folder)
    .filter((name) => timeOfBackup(name) !== undefined)
    .sort()
  const isAhead = (name: string) => (timeOfBackup(name) ?? 0) > now
  return [...names.filter(isAhead), ...names.filter((name) => !isAhead(name))].map((name) => join(folder, name))
}

const newestKept = 6
const daysKept = 7
const day = 86_400_000

/**
 * The backups to delete: all but the newest six and the last one of each of the last seven days (UTC). Backups dated in
 * the future by a wrong clock don't displace the others; the last of them is kept. Other file names are ignored.
 */
export function toDelete(names: readonly string[], now: number): string[] {
  const backups = names
    .flatMap((name) => {
      const at = timeOfBackup(name)
      return at === undefined ? [] : [{ name, at }]
    })
    .sort((a, b) => b.at - a.at)
  const past = backups.filter(({ at }) => at <= now)
  const ahead = backups.filter(({ at }) => at > now)
  const lastOfDays = [...Map.groupBy(past, ({ at }) => Math.floor(at / day)).values()].slice(0, daysKept)
  const kept = new Set([...past.slice(0, newestKept), ...lastOfDays.map(([last]) => last), ahead[0]])
  return backups.filter((backup) => !kept.has(backup)).map(({ name }) => name)
}

/**
 * Checks every page of a large copy in a worker thread: with 100,000 operations this takes a quarter of a second, and a
 * scan must not wait for it. The worker's program is a string because a file would have a different path in the bundle, in
 * tests and under tsx.
 */
const program = `
  const { parentPort, workerData } = require('node:worker_threads')
  const Sqlite = require(workerData.sqlite)
  const db = new Sqlite(workerData.file, { fileMustExist: true, timeout: 0 })
  try {
    db.pragma('locking_mode = EXCLUSIVE')
    parentPort.postMessage(db.pragma('quick_check(1)', { simple: true }))
  } catch (cause) {
    if (!/^SQLITE_(CORRUPT|NOTADB)/.test(cause.code)) throw cause
    parentPort.postMessage(cause.code)
  } finally {
    db.close()
  }`

/** `ok`, or SQLite's description of the damage. Throws if the copy could not be checked. */
function checkAtOnce(file: string): string {
  const copy = new Sqlite(file, { fileMustExist: true, timeout: 0 })
  try {
    copy.pragma('locking_mode = EXCLUSIVE')
    return String(copy.pragma('quick_check(1)', { simple: true }))
  } catch (cause) {
    if (!isDamage(cause)) throw cause
    return codeOf(cause)
  } finally {
    copy.close()
  }
}

/** As `checkAtOnce`. Rejects also if the signal aborted. */
function checkBeside(file: string, signal: AbortSignal): Promise<string> {
  const sqlite = createRequire(import.meta.url).resolve('better-sqlite3')
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const worker = new Worker(program, { eval: true, workerData: { sqlite, file } })
    const stop = () => void worker.terminate()
    signal.addEventListener('abort', stop)
    let verdict: unknown
    worker.on('message', (said: unknown) => {
      verdict = said
    })
    worker.on('error', reject)
    // The worker has the file open until it exits.
    worker.on('exit', () => {
      signal.removeEventListener('abort', stop)
      if (typeof verdict === 'string') resolve(verdict)
      else reject(new Error('the copy could not be looked at'))
    })
  })
}

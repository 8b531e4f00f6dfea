import { rmSync } from 'node:fs'
import { open, rename, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from 'better-sqlite3'
import { backupName, toDelete } from './backup-names'
import { checkCopy } from './check-copy'
import { makeOwnFolder, namesIn } from './files'

export interface CopyParts {
  db: Database
  folder: string
  /** Names it, ms since 1970. */
  at: number
  signal: AbortSignal
  freeBytes?: ((folder: string) => Promise<number>) | undefined
}

/** The copy has damaged pages, and so probably the store itself. */
export class DamagedCopy extends Error {}

/** Left free for the outbox, in bytes: a backup must not be what fills the disk. */
const reserve = 32_000_000
/** Pages copied between two looks at what else there is to do: about a millisecond's worth. */
const pagesAtOnce = 100

/**
 * Copies a database that is in use: under another name, checked page by page, on the disk, and only then under its own.
 * Gives that. Rejects, with nothing left behind, when the disk refuses, the signal says stop, or the copy is damaged.
 */
export async function makeBackup({ db, folder, at, signal, freeBytes = freeBytesOf }: CopyParts): Promise<string> {
  const name = backupName(at)
  const copy = join(folder, `${name}.tmp`)
  makeOwnFolder(folder)
  removeUnfinished(folder)
  try {
    if ((await freeBytes(folder)) < sizeOf(db) + reserve) throw new Error('too little room on the disk')
    await db.backup(copy, {
      progress() {
        signal.throwIfAborted()
        return pagesAtOnce
      },
    })
    const verdict = await checkCopy(copy, signal)
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

/** Removes the backups that are no longer needed. Rejects when the disk refuses. */
export async function removeOldBackups(folder: string, now: number): Promise<void> {
  for (const name of toDelete(namesIn(folder), now)) await rm(join(folder, name))
}

const sizeOf = (db: Database) =>
  Number(db.pragma('page_count', { simple: true })) * Number(db.pragma('page_size', { simple: true }))

async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** What a crash or a full disk left of a backup. */
function removeUnfinished(folder: string): void {
  for (const name of namesIn(folder)) {
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

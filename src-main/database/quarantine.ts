import { copyFileSync, existsSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Database } from 'better-sqlite3'
import { backupsIn } from './backup-copy'
import { namesIn, readThrough, renameForGood, sizeOf, stamp, sync } from './files'
import { forgetLastEnd } from './last-end'
import { isOutOfFiles } from '../core/open-files'
import { salvage } from './salvage/salvage'
import { AppStartError, asStartError } from './start-error'

/** Why a database can't be used as it is. */
export type Damage =
  /** SQLite can't read it. */
  | 'unreadable'
  /** Some of its pages are damaged. */
  | 'pages'
  /** It is intact, but isn't a Countertag database. */
  | 'schema'
  /** Commits that were on the disk were lost with all or part of the write-ahead log. */
  | 'log'
  /** The database that existed here is gone. */
  | 'vanished'
  /** It is intact, but older than it was when it was last in use: a copy was put back. */
  | 'older'

/** The folder for backups, beside the database. */
export const backupFolder = (file: string) => join(dirname(file), 'backups')

/** The suffixes of the files that belong to a database. */
const companions = ['-wal', '-shm', '-journal']
/**
 * The suffix of the complete new database until it replaces the old one. Once it exists, the replacement is always
 * completed.
 */
const ready = '.salvaged'

interface Patient {
  file: string
  damage: Damage
  /** The database, if it could be opened. `mend` closes it. */
  db: Database | undefined
  now: number
}

/**
 * Sets a damaged database aside, byte for byte, and replaces it with a new one that holds the salvaged data. A crash in
 * between leaves the old database untouched, or `finishMending` completes the replacement. Throws AppStartError
 * store/damaged if salvaging fails, store/no-access if the disk can't read it; then everything is left in place.
 */
export function mend({ file, damage, db, now }: Patient): void {
  // A missing database is set aside as an empty file, because the report names the file.
  if (!existsSync(file)) writeFileSync(file, '')
  const aside = freeName(file, now)
  try {
    mustBeReadable(file)
    salvage({
      file,
      backups: backupsIn(backupFolder(file), now),
      target: aside + ready,
      setAside: basename(aside),
      isDamaged: damage !== 'older',
      isEndMissing: damage !== 'unreadable' && damage !== 'pages',
      now,
    })
    closeAsFound(db, file, aside)
    exchange(file, aside)
  } catch (cause) {
    closeAsFound(db, file, aside)
    restoreLog(file, aside)
    // The next start finds it as it is now, and repairs it once files can be opened.
    if (isOutOfFiles(cause)) throw asStartError(file, cause)
    if (cause instanceof AppStartError) throw cause
    throw new AppStartError('store/damaged', tell(file), { cause })
  }
}

/** What the disk can't read may be undamaged: it is not set aside for that. Throws store/no-access. */
function mustBeReadable(file: string): void {
  for (const path of [file, `${file}-wal`]) {
    try {
      readThrough(path)
    } catch (cause) {
      throw asStartError(path, cause)
    }
  }
}

/** Completes a replacement that a crash interrupted. */
export function finishMending(file: string): void {
  const folder = dirname(file)
  const found = namesIn(folder).filter((name) => name.startsWith(`${basename(file)}.damaged-`))
  for (const name of found) {
    const path = join(folder, name)
    if (name.endsWith(ready)) exchange(file, path.slice(0, -ready.length))
    else if (name.endsWith('-wal')) restoreLog(file, path.slice(0, -'-wal'.length))
  }
}

/**
 * Closes a damaged database without changing it. SQLite would write the readable part of the log into the database and
 * delete the log, so the log is copied first and then emptied.
 */
function closeAsFound(db: Database | undefined, file: string, aside: string): void {
  if (!db?.open) return
  const log = `${file}-wal`
  if (sizeOf(log) > 0) {
    copyFileSync(log, `${aside}-wal`)
    sync(`${aside}-wal`)
    truncateSync(log)
  }
  db.close()
}

/** Moves the log back if the database was not set aside. */
function restoreLog(file: string, aside: string): void {
  if (existsSync(`${aside}-wal`) && !existsSync(aside) && sizeOf(`${file}-wal`) === 0) {
    renameForGood(`${aside}-wal`, `${file}-wal`)
  }
}

/** Sets the old database aside and puts the new one in its place. Can be repeated after an interruption at any point. */
function exchange(file: string, aside: string): void {
  forgetLastEnd(file)
  if (!existsSync(aside)) renameForGood(file, aside)
  for (const suffix of companions) {
    if (sizeOf(file + suffix) > 0) renameForGood(file + suffix, aside + suffix)
    else rmSync(file + suffix, { force: true })
  }
  renameForGood(aside + ready, file)
}

/** An unused name, so that files set aside earlier are never overwritten. */
function freeName(file: string, now: number): string {
  const name = `${file}.damaged-${stamp(now)}`
  const isTaken = (candidate: string) => ['', ready, ...companions].some((suffix) => existsSync(candidate + suffix))
  for (let n = 1; ; n++) {
    const candidate = n === 1 ? name : `${name}-${n}`
    if (!isTaken(candidate)) return candidate
  }
}

const tell = (file: string) =>
  `The data in ${file} is damaged, and it could not be repaired (is the disk full?). Nothing was deleted: keep a copy of this folder, for it may hold sales that were not sent yet.`

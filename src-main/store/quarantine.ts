import { copyFileSync, existsSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Database } from 'better-sqlite3'
import { backupsIn } from './backup-copy'
import { namesIn, renameForGood, sizeOf, stamp, sync } from './files'
import { forgetLastEnd } from './last-end'
import { salvage } from './salvage/salvage'
import { AppStartError } from './start-error'

/** What is wrong with a database. */
export type Damage =
  /** SQLite can't make sense of it. */
  | 'unreadable'
  /** Some of its pages. */
  | 'pages'
  /** It is sound, but not ours. */
  | 'schema'
  /** Commits that were on the disk are gone with (a part of) its write-ahead log. */
  | 'log'
  /** There was a database here, and there is none. */
  | 'vanished'

/** Where backups are kept: beside the database. */
export const backupFolder = (file: string) => join(dirname(file), 'backups')

/** What belongs to a database under its name. */
const companions = ['-wal', '-shm', '-journal']
/** The new database, whole, until it takes the place of the old one: from here on there is no way back. */
const ready = '.salvaged'

export interface Patient {
  file: string
  damage: Damage
  /** Open if it could be opened. Closed here. */
  db: Database | undefined
  now: number
}

/**
 * Sets a damaged database aside, every byte of it as it was found, and puts a new one with what could be salvaged in its
 * place. A crash on the way leaves the old one untouched, or is made good by `finishMending`.
 * Throws AppStartError store/damaged when that can't be done; then everything is where it was.
 */
export function mend({ file, damage, db, now }: Patient): void {
  // One that is not there at all is set aside as the empty file that it amounts to: a report needs a name.
  if (!existsSync(file)) writeFileSync(file, '')
  const aside = freeName(file, now)
  try {
    salvage({
      file,
      backups: backupsIn(backupFolder(file)),
      target: aside + ready,
      setAside: basename(aside),
      isEndMissing: damage === 'log' || damage === 'vanished' || damage === 'schema',
      now,
    })
    closeAsFound(db, file, aside)
    exchange(file, aside)
  } catch (cause) {
    closeAsFound(db, file, aside)
    restoreLog(file, aside)
    throw new AppStartError('store/damaged', tell(file), { cause })
  }
}

/** Ends what a crash interrupted. */
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
 * Closes a damaged database without a change to it. SQLite would write its log into it, as far as it can read it, and
 * delete the log: so the log is kept elsewhere, and emptied.
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

/** If the database was not set aside, its log goes back to it. */
function restoreLog(file: string, aside: string): void {
  if (existsSync(`${aside}-wal`) && !existsSync(aside) && sizeOf(`${file}-wal`) === 0) {
    renameForGood(`${aside}-wal`, `${file}-wal`)
  }
}

/** Sets the old database aside and puts the new one in its place. Can be begun again wherever it was interrupted. */
function exchange(file: string, aside: string): void {
  forgetLastEnd(file)
  if (!existsSync(aside)) renameForGood(file, aside)
  for (const suffix of companions) {
    if (sizeOf(file + suffix) > 0) renameForGood(file + suffix, aside + suffix)
    else rmSync(file + suffix, { force: true })
  }
  renameForGood(aside + ready, file)
}

/** A name that nothing has: what was set aside before is never overwritten. */
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

import { renameSync, rmSync, statfsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import Sqlite, { type Database } from 'better-sqlite3'
import { makeOwnFolder, namesIfReadable, sizeOf, stamp, sync, timeOfStamp } from './files'

/**
 * The copy of a database from before a migration: the only way back to the version before. It is no backup of `backup.ts`,
 * whose newest ones replace each other within a day.
 */
const nameOf = (version: number, at: number) => `before-upgrade-${version}-${stamp(at)}.db`

/** How long a copy is kept after the upgrade, in ms: as long as a customer's data in backups, about. */
const keptFor = 30 * 86_400_000
/** Left free for the outbox, in bytes. */
const reserve = 32_000_000

/** The time in a copy's name; undefined if it isn't one. */
function timeOfCopy(name: string): number | undefined {
  const [, text] = /^before-upgrade-\d+-(.*)\.db$/.exec(name) ?? []
  return text === undefined ? undefined : timeOfStamp(text)
}

/** The newest copy in a folder of backups; null if there is none. */
export function copyBeforeUpgrade(folder: string): string | null {
  const copies = namesIfReadable(folder)
    .flatMap((name) => ({ name, at: timeOfCopy(name) }))
    .flatMap(({ name, at }) => (at === undefined ? [] : [{ name, at }]))
    .sort((a, b) => b.at - a.at)
  return copies[0] ? join(folder, copies[0].name) : null
}

/** What is known of a migration, for the log. `copy`: the file's name, or null if none could be made. */
export interface Upgrade {
  from: number
  copy: string | null
  /** Why there is no copy. */
  cause?: unknown
}

/**
 * Copies an open database that is about to be migrated. A disk that refuses must not keep a till closed: the migration is one
 * commit, and the backups of the days before are there.
 */
export function keepBeforeUpgrade({
  db,
  folder,
  version,
  now,
}: {
  db: Database
  folder: string
  version: number
  now: number
}): Upgrade {
  const file = join(folder, nameOf(version, now))
  const unfinished = `${file}.tmp`
  try {
    makeOwnFolder(folder)
    rmSync(unfinished, { force: true })
    const { bavail, bsize } = statfsSync(folder)
    const size = Number(db.pragma('page_count', { simple: true })) * Number(db.pragma('page_size', { simple: true }))
    if (bavail * bsize < size + reserve) throw new Error('too little room on the disk')
    db.prepare('VACUUM INTO ?').run(unfinished)
    check(unfinished)
    sync(unfinished)
    renameSync(unfinished, file)
    sync(dirname(file))
    return { from: version, copy: basename(file) }
  } catch (cause) {
    try {
      rmSync(unfinished, { force: true })
    } catch {
      // The folder itself is at fault.
    }
    return { from: version, copy: null, cause }
  }
}

function check(file: string): void {
  if (sizeOf(file) === 0) throw new Error('the copy is empty')
  const copy = new Sqlite(file, { readonly: true, fileMustExist: true })
  try {
    const verdict = copy.pragma('quick_check(1)', { simple: true })
    if (verdict !== 'ok') throw new Error(`the copy is damaged: ${String(verdict)}`)
  } finally {
    copy.close()
  }
}

/** The copies of a folder that are no longer needed, by name. */
export const outdatedCopies = (names: readonly string[], now: number): string[] =>
  names.filter((name) => {
    const at = timeOfCopy(name)
    return at !== undefined && at < now - keptFor
  })

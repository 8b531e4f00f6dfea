import Sqlite, { type Database } from 'better-sqlite3'
import { backupsIn } from './backup-copy'
import { copyBeforeUpgrade } from './before-upgrade'
import { sizeOf, writeWhole } from './files'
import { closeUnopened, hasLastEnd, isUntouched, readLastEnd } from './last-end'
import { schemaVersion } from './migrations'
import { type Damage, backupFolder } from './quarantine'
import { isLogReadable } from '../sqlite-pages/pages'
import { emptyFile, hasItsSchema, versionOf } from './schema'
import { AppStartError, isDamage } from './start-error'

/** The state in which a database was found. `untouched`: closed properly and not changed since. */
type Attempt =
  | { isUsable: true; found: 'untouched' | 'sound'; db: Database }
  | { isUsable: false; found: Damage; db: Database | undefined }

/**
 * Opens a database and checks it for damage before anything is written to it. Throws for any other problem: another
 * process, a newer version, a disk error.
 */
export function tryToOpen(file: string): Attempt {
  // SQLite would create a new database and delete the log of the missing one.
  const wasHere = hasLastEnd(file) || sizeOf(`${file}-wal`) > 0 || backupsIn(backupFolder(file)).length > 0
  const isNew = sizeOf(file) === 0
  if (isNew && wasHere) return { isUsable: false, found: 'vanished', db: undefined }
  let db: Database | undefined
  try {
    // In one piece: each migration would wait for the disk.
    if (isNew) writeWhole(file, emptyFile(schemaVersion))
    db = new Sqlite(file, { timeout: 0 })
    claim(db)
    if (versionOf(db) > schemaVersion) {
      throw new AppStartError('store/newer', newerSentence(file))
    }
    const found = isNew ? 'sound' : examine(db, file)
    if (found !== 'untouched' && found !== 'sound') return { isUsable: false, found, db }
    configure(db)
    return { isUsable: true, found, db }
  } catch (cause) {
    if (isDamage(cause)) return { isUsable: false, found: 'unreadable', db }
    if (db) closeUnopened(db, file)
    throw cause
  }
}

/** Migrations go one way: what newer columns mean, an older version can't know, and would report or lose it wrongly. */
function newerSentence(file: string): string {
  const copy = copyBeforeUpgrade(backupFolder(file))
  const wayBack = copy === null ? '' : ` The data as it was before the upgrade is in ${copy}.`
  return `The data in ${file} was written by a newer Countertag. Update this one.${wayBack}`
}

/** A second lock, on the database file itself, before it is read: no other program can open it. Nothing is written yet. */
function claim(db: Database): void {
  db.pragma('locking_mode = EXCLUSIVE')
  db.exec('BEGIN IMMEDIATE; COMMIT')
}

function configure(db: Database): void {
  if (db.pragma('journal_mode = WAL', { simple: true }) !== 'wal') throw new Error('no write-ahead log')
  // better-sqlite3 compiles SQLite with NORMAL for WAL, which may lose a commit in a power cut. Checked after it is set.
  db.pragma('synchronous = FULL')
  if (db.pragma('synchronous', { simple: true }) !== 2) throw new Error('synchronous is not FULL')
  // On macOS, fsync returns while the bytes are still in the drive's cache. Other systems accept both settings and need
  // neither.
  for (const name of ['fullfsync', 'checkpoint_fullfsync']) {
    db.pragma(`${name} = ON`)
    if (db.pragma(name, { simple: true }) !== 1) throw new Error(`${name} is not ON`)
  }
  db.pragma('foreign_keys = ON')
}

function examine(db: Database, file: string): 'untouched' | 'sound' | Damage {
  const lastEnd = readLastEnd(file)
  const log = sizeOf(`${file}-wal`)
  if (log === 0 && isUntouched(file, lastEnd) && isOfItsSize(db, file)) return 'untouched'
  // The log of an open database has at least the commit made by `noteOpen`. What else is in it, SQLite decides.
  if (lastEnd?.was === 'open' && !isLogReadable(`${file}-wal`)) return 'log'
  if (!isSound(db)) return 'pages'
  return hasItsSchema(db) ? 'sound' : 'schema'
}

const isOfItsSize = (db: Database, file: string) =>
  Number(db.pragma('page_count', { simple: true })) * Number(db.pragma('page_size', { simple: true })) === sizeOf(file)

/** Twice, because a disk that failed to read a page once has not damaged it. */
const isSound = (db: Database) => [1, 2].some(() => db.pragma('quick_check(1)', { simple: true }) === 'ok')

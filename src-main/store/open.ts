import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import Sqlite, { type Database } from 'better-sqlite3'
import { migrate, schemaVersion } from './migrations'

export type StartErrorCode = 'store/in-use' | 'store/damaged' | 'store/newer' | 'store/no-access' | 'practice/unusable'

/** Countertag can't start on this data folder, and why. The folder was not changed. */
export class AppStartError extends Error {
  constructor(
    readonly code: StartErrorCode,
    /** What to tell a person, in plain words. */
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

/**
 * Opens (or makes) the station's database: one process at a time, every commit on the disk before it counts.
 * Throws AppStartError: store/in-use, store/damaged, store/newer, store/no-access.
 */
export function openStore(file: string): Database {
  let db: Database | undefined
  try {
    if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true })
    db = new Sqlite(file, { timeout: 0 })
    // The lock: before WAL is entered, so that no second process can so much as read.
    db.pragma('locking_mode = EXCLUSIVE')
    db.pragma('journal_mode = WAL')
    // better-sqlite3 compiles WAL to NORMAL, under which a power cut may take back a commit. We don't trust: we look.
    db.pragma('synchronous = FULL')
    if (db.pragma('synchronous', { simple: true }) !== 2) throw new Error('synchronous is not FULL')
    db.pragma('checkpoint_fullfsync = ON')
    db.pragma('foreign_keys = ON')
    // Touches the file, and so takes the lock.
    db.exec('BEGIN IMMEDIATE; COMMIT')
    const check = db.pragma('quick_check(1)', { simple: true })
    if (check !== 'ok') throw new AppStartError('store/damaged', damaged(file))
    if (Number(db.pragma('user_version', { simple: true })) > schemaVersion) {
      throw new AppStartError('store/newer', `The data in ${file} was written by a newer Countertag. Update this one.`)
    }
    migrate(db)
    return db
  } catch (cause) {
    db?.close()
    throw cause instanceof AppStartError ? cause : startError(file, cause)
  }
}

function startError(file: string, cause: unknown): AppStartError {
  const code = codeOf(cause)
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) {
    return new AppStartError('store/in-use', `Another Countertag is already running on ${file}.`, { cause })
  }
  if (code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB') {
    return new AppStartError('store/damaged', damaged(file), { cause })
  }
  return new AppStartError('store/no-access', `Countertag can't read and write ${file} (${code}).`, { cause })
}

const damaged = (file: string) =>
  `The data in ${file} is damaged. Nothing was changed: keep a copy of this file, for it may hold sales that were not sent yet.`

const codeOf = (cause: unknown) =>
  typeof cause === 'object' && cause !== null && 'code' in cause && typeof cause.code === 'string'
    ? cause.code
    : 'unknown'

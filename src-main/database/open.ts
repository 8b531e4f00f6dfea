import { dirname } from 'node:path'
import type { Database } from 'better-sqlite3'
import { SalvageReport } from '../../src-shared/ipc/contract/app'
import { silentLog } from '../core/log'
import { hasNoFilesLeft } from '../core/open-files'
import { makeOwnFolder, sizeOf, takeLock } from './files'
import { asClosed, closeUnopened, forgetLastEnd, writeLastEnd } from './last-end'
import { type Upgrade, keepBeforeUpgrade } from './before-upgrade'
import { createLogEnd } from './log-end'
import { migrate, schemaVersion } from './migrations'
import { type Damage, backupFolder, finishMending, mend } from './quarantine'
import { reportSetting } from './salvage/salvage'
import { endingAfterFailures } from './saved'
import { emptyDatabase, versionOf } from './schema'
import { createSettings } from './settings'
import { AppStartError, asStartError } from './start-error'
import { tryToOpen } from './try-to-open'

export { AppStartError } from './start-error'

/** The station's open database. Its guarantees are in database.md. */
export interface Store {
  db: Database
  /** For the log: the state in which the database was found. `untouched`: closed properly and not changed since. */
  found: 'untouched' | 'sound' | Damage
  /** For the log: the database was of an earlier version and has been migrated; null if not. */
  upgrade: Upgrade | null
  /** For the log: why what is missing could not be kept; undefined if it was. */
  unkept?: unknown
  /** The result of salvaging a damaged database, until a person acknowledges it. */
  salvage: () => SalvageReport | null
  /** Throws if the disk refuses. */
  acknowledgeSalvage: () => void
  /** Call when the file is found damaged while in use: the next start then checks every page. */
  distrust: () => void
  close: () => void
}

/** Compares data with what was noted outside of it. */
export interface Compare {
  /** Whether it ends before the note. */
  isOlder: (db: Database) => boolean
  /** Keeps what is missing. `isNew`: there was no data. */
  keep: (db: Database, isNew: boolean, now: number) => void
}

/**
 * Opens or creates the station's database. One process at a time; every commit is synced to the disk. A damaged database,
 * or one that is older than it was, is set aside, and its readable content is salvaged. Throws AppStartError: store/in-use, store/newer, store/no-access,
 * store/out-of-files, and store/damaged if nothing could be salvaged.
 */
export function openStore(file: string, now: () => number = Date.now, compare?: Compare): Store {
  if (file === ':memory:') return inMemory()
  let lock: { release(): void } | undefined
  try {
    makeOwnFolder(dirname(file))
    lock = takeLock(`${file}.lock`)
    finishMending(file)
    return openLocked(file, now, lock, compare)
  } catch (cause) {
    lock?.release()
    throw asStartError(file, cause)
  }
}

function openLocked(file: string, clock: () => number, lock: { release(): void }, compare?: Compare): Store {
  const now = clock()
  const isNew = sizeOf(file) === 0
  let attempt = tryToOpen(file)
  // What its reports wait for may have been sent since, and a backup may know more.
  if (attempt.isUsable && !isNew && compare?.isOlder(attempt.db))
    attempt = { ...attempt, isUsable: false, found: 'older' }
  const { found } = attempt
  if (!attempt.isUsable) {
    // Salvage has the database, its log and the backups open; what it can't open, it would leave out.
    if (hasNoFilesLeft()) {
      throw new AppStartError('store/out-of-files', `This computer can't repair ${file}: too many files are open.`)
    }
    mend({ file, damage: attempt.found, db: attempt.db, now })
    attempt = tryToOpen(file)
  }
  if (!attempt.isUsable) throw new Error(`a salvaged database is damaged: ${attempt.found}`)
  const { db } = attempt
  let upgrade: Upgrade | null = null
  try {
    const version = versionOf(db)
    if (version > 0 && version < schemaVersion) {
      upgrade = keepBeforeUpgrade({ db, folder: backupFolder(file), version, now })
    }
    migrate(db)
    noteOpen(db, file, now)
  } catch (cause) {
    closeUnopened(db, file)
    throw cause
  }
  const unkept = keepLoss(db, isNew, now, compare)
  let isTrusted = true
  const logEnd = createLogEnd(db, file, clock)
  const stopEnding = endingAfterFailures(logEnd.end)
  return {
    db,
    found,
    upgrade,
    unkept,
    ...salvageOf(db),
    distrust() {
      isTrusted = false
    },
    close() {
      stopEnding()
      logEnd.close()
      close(db, file, isTrusted)
      lock.release()
    },
  }
}

/** A full disk must not keep a till from starting: what is missing is said at the next start. */
function keepLoss(db: Database, isNew: boolean, now: number, compare: Compare | undefined): unknown {
  try {
    compare?.keep(db, isNew, now)
    return undefined
  } catch (cause) {
    return cause
  }
}

/** Makes a first commit, so that a log that is missing at the next start means lost data. */
function noteOpen(db: Database, file: string, now: number): void {
  try {
    createSettings(db, silentLog).write('store.opened', now)
    writeLastEnd(file, { was: 'open' })
  } catch {
    // With a full disk, lookups still work, and the app can say that nothing can be saved.
    forgetLastEnd(file)
  }
}

function close(db: Database, file: string, isTrusted: boolean): void {
  writeLastEnd(file, { was: 'closing' })
  try {
    db.pragma('wal_checkpoint(TRUNCATE)')
    if (isTrusted && sizeOf(`${file}-wal`) === 0) writeLastEnd(file, asClosed(file))
  } catch {
    // The next start then reads the log and checks every page.
  }
  db.close()
}

function salvageOf(db: Database): Pick<Store, 'salvage' | 'acknowledgeSalvage'> {
  const settings = createSettings(db, silentLog)
  let report = settings.read(reportSetting, SalvageReport) ?? null
  return {
    salvage: () => report,
    acknowledgeSalvage() {
      settings.write(reportSetting, null)
      report = null
    },
  }
}

function inMemory(): Store {
  const db = emptyDatabase(schemaVersion)
  db.pragma('foreign_keys = ON')
  return {
    db,
    found: 'sound',
    upgrade: null,
    ...salvageOf(db),
    distrust: () => undefined,
    close: () => void db.close(),
  }
}

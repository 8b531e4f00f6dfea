import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { z } from 'zod'
import type { SalvageReport } from '../../../src-shared/ipc/contract/app'
import { iso } from '../../core/clock'
import { silentLog } from '../../core/log'
import { sync } from '../files'
import { migrate, schemaVersion } from '../migrations'
import { createSettings } from '../settings'
import { copyOfNewestBackup, copyRows, mergeBackup } from './rows'
import { keepNumbers, keepTraces, nameEntries, settleOperations } from './settle'
import { openPages } from '../../sqlite-pages/pages'
import { tablesIn } from './tables'

export interface SalvageInput {
  /** The damaged database. The file and its write-ahead log are only read. */
  file: string
  backups: string[]
  /** The path of the new database, which appears there complete. */
  target: string
  /** The future name of the damaged file. */
  setAside: string
  /** False if nothing is wrong with the database but its age. */
  isDamaged: boolean
  /** True if an unknown number of the newest commits is lost. */
  isEndMissing: boolean
  now: number
}

/** The setting with the report, kept until a person acknowledges it. */
export const reportSetting = 'store.salvage'
/** The setting with the number of operations already reported as missing, so that they aren't reported twice. */
export const missingSetting = 'store.missing'

const SalvagedCount = z.object({ count: z.number() })

/** Creates a new database from the readable content of a damaged one and from the newest backup. */
export function salvage({
  file,
  backups,
  target,
  setAside,
  isDamaged,
  isEndMissing,
  now,
}: SalvageInput): SalvageReport {
  const folder = join(dirname(file), 'salvage')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  const made = join(folder, 'new.db')
  const pages = openPages(file)
  const db = new Sqlite(made)
  try {
    // The new database is used only once it is complete and in place; until then it need not survive a power cut.
    db.pragma('journal_mode = MEMORY')
    db.pragma('synchronous = OFF')
    db.pragma('foreign_keys = OFF')
    // Negative means KiB: room for 100,000 operations.
    db.pragma('cache_size = -200000')

    const version = pages.version !== undefined && pages.version <= schemaVersion ? pages.version : schemaVersion
    const tables = tablesIn(pages, version)
    migrate(db, version)
    copyRows(db, tables)
    migrate(db)

    const backup = copyOfNewestBackup(backups, join(folder, 'backup.db'))
    const merged = backup === undefined ? { added: 0, homeless: 0 } : mergeBackup(db, backup)

    const report = db.transaction((): SalvageReport => {
      const traced = keepTraces(db, now)
      const highest = keepNumbers(db)
      settleOperations(db, now)
      nameEntries(db)
      const { count } = SalvagedCount.parse(db.prepare('SELECT count(*) AS count FROM operation').get())
      const settings = createSettings(db, silentLog)
      // Numbers start at 1, and operations are never deleted.
      const missing = highest - count
      const missingBefore = settings.read(missingSetting, z.number()) ?? 0
      settings.write(missingSetting, missing)
      const isEndKnown = !isEndMissing && !tables.hasLosses('sqlite_sequence')
      const made: SalvageReport = {
        at: iso(now),
        isDamaged,
        setAside,
        operations: count - traced,
        fromBackup: merged.added,
        lost: isEndKnown ? Math.max(missing - missingBefore, 0) + traced + merged.homeless : null,
      }
      settings.write(reportSetting, made)
      return made
    })()
    db.close()
    sync(made)
    renameSync(made, target)
    sync(dirname(target))
    return report
  } finally {
    db.close()
    pages.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

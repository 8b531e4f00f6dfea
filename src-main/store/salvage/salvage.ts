import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { z } from 'zod'
import type { SalvageReport } from '../../../src-shared/ipc/contract/app'
import { iso } from '../../clock'
import { silentLog } from '../../log'
import { sync } from '../files'
import { migrate, schemaVersion } from '../migrations'
import { createSettings } from '../settings'
import { copyOfNewestBackup, copyRows, mergeBackup } from './rows'
import { keepNumbers, keepTraces, settleOperations } from './settle'
import { openPages } from './pages'
import { readTables } from './tables'

export interface SalvageInput {
  /** The damaged database. It and its write-ahead log are only read. */
  file: string
  backups: string[]
  /** Where the new database is put, whole. */
  target: string
  /** The name that the damaged file will have. */
  setAside: string
  /** The newest commits are gone, and nothing says how many. */
  isEndMissing: boolean
  now: number
}

/** Kept until a person has taken note. */
export const reportSetting = 'store.salvage'
/** How many numbers of operations were missing without a trace so far: they are not told twice. */
const missingSetting = 'store.missing'

const Count = z.object({ count: z.number() })

/** Makes a new database of what can be read of a damaged one and of the newest backup. */
export function salvage({ file, backups, target, setAside, isEndMissing, now }: SalvageInput): SalvageReport {
  const folder = join(dirname(file), 'salvage')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  const made = join(folder, 'new.db')
  const pages = openPages(file)
  const db = new Sqlite(made)
  try {
    // It counts only once it is whole and in its place: until then nothing need survive a power cut.
    db.pragma('journal_mode = MEMORY')
    db.pragma('synchronous = OFF')
    db.pragma('foreign_keys = OFF')
    // Kibibytes: 100,000 operations fit.
    db.pragma('cache_size = -200000')

    const version = pages.version !== undefined && pages.version <= schemaVersion ? pages.version : schemaVersion
    const tables = readTables(pages, version)
    migrate(db, version)
    copyRows(db, tables)
    migrate(db)

    const backup = copyOfNewestBackup(backups, join(folder, 'backup.db'))
    const merged = backup === undefined ? { added: 0, homeless: 0 } : mergeBackup(db, backup)

    const report = db.transaction((): SalvageReport => {
      const traced = keepTraces(db, now)
      const highest = keepNumbers(db)
      settleOperations(db, now)
      const { count } = Count.parse(db.prepare('SELECT count(*) AS count FROM operation').get())
      const settings = createSettings(db, silentLog)
      // Numbers begin with 1, and no operation is ever deleted.
      const missing = highest - count
      const missingBefore = settings.read(missingSetting, z.number()) ?? 0
      settings.write(missingSetting, missing)
      const isEndKnown = !isEndMissing && !tables.hasLosses('sqlite_sequence')
      const made: SalvageReport = {
        at: iso(now),
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

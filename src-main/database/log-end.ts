import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import { silentLog } from '../core/log'
import { writeLastEnd } from './last-end'
import { createSettings } from './settings'

/**
 * What is left of a commit whose sync failed: `gone`, also if the database is opened after a crash; `unsure`, if nothing
 * could be written over it.
 */
export type Remains = 'gone' | 'unsure'

/** SQLite's code for a sync that failed: everything before it was written. */
const isOfSync = (cause: unknown) => z.object({ code: z.literal('SQLITE_IOERR_FSYNC') }).safeParse(cause).success

const Checkpoint = z.tuple([z.object({ busy: z.number(), log: z.number() })])
/** The setting that is written over the remains. */
const ended = 'store.log-ended'
/** After an attempt that left something behind, the next one waits this long, in ms. */
const pause = 10_000

/**
 * Ends the write-ahead log after a commit that failed. SQLite takes a commit back if its sync fails, but all its bytes
 * are in the log by then, complete and with right checksums: after a crash the database would be opened with it
 * committed. The next commit would be written over its beginning, but until then a sale that a person was told isn't
 * saved could come back.
 */
export function createLogEnd(db: Database, file: string, now: () => number) {
  const settings = createSettings(db, silentLog)
  let timer: NodeJS.Timeout | undefined

  /** Moves the log into the database and empties it. False if the disk refuses; then the log is as it was. */
  const empty = (): boolean => {
    try {
      // From here to the next commit the log may be missing without any loss.
      writeLastEnd(file, { was: 'closing' })
      return checkpoint(db, 'TRUNCATE').busy === 0
    } catch {
      return false
    }
  }

  /**
   * Makes a commit, which begins where the failed one began. `written`: on its way to the disk, so that it is there after a
   * crash of this program; `synced`: on the disk.
   */
  const overwrite = (): 'synced' | 'written' | 'failed' => {
    try {
      // In an empty log SQLite syncs the header before it writes the commit.
      const hasHeader = checkpoint(db, 'NOOP').log > 0
      try {
        settings.write(ended, now())
        return 'synced'
      } catch (cause) {
        return isOfSync(cause) && hasHeader ? 'written' : 'failed'
      }
    } catch {
      return 'failed'
    }
  }

  const again = () => {
    clearTimeout(timer)
    timer = setTimeout(end, pause).unref()
  }

  function end(): Remains {
    // A change that fails before its commit has left no commit.
    if (!db.open || db.inTransaction) return 'gone'
    const isEmpty = empty()
    const mark = overwrite()
    if (mark === 'synced') noteOpenAgain(file)
    if (!isEmpty || mark !== 'synced') again()
    return isEmpty || mark !== 'failed' ? 'gone' : 'unsure'
  }

  return {
    end,
    close() {
      clearTimeout(timer)
    },
  }
}

export type LogEnd = ReturnType<typeof createLogEnd>

function noteOpenAgain(file: string): void {
  try {
    writeLastEnd(file, { was: 'open' })
  } catch {
    // The note still says that the log may be missing: only the loss of the whole log would go unnoticed.
  }
}

/** `NOOP` only says what is in the log. Throws if the disk refuses. */
function checkpoint(db: Database, mode: 'TRUNCATE' | 'NOOP') {
  const [result] = Checkpoint.parse(db.pragma(`wal_checkpoint(${mode})`))
  return result
}

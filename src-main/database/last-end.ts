import { existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import { isOutOfFiles } from '../core/open-files'
import { writeWhole } from './files'
import { parseStored } from './settings'

/**
 * A small file beside the database that says how its last use ended.
 *
 * `open`: it was not closed, so its write-ahead log must exist. `closing`: it was being closed, and the log may already
 * be gone. `closed`: everything is in the database file, which had this size and modification time. While both are
 * unchanged, the file wasn't modified, and checking every page again would only delay the start.
 */
const LastEnd = z.discriminatedUnion('was', [
  z.object({ was: z.literal('open') }),
  z.object({ was: z.literal('closing') }),
  z.object({ was: z.literal('closed'), size: z.number(), mtimeNs: z.string() }),
])
type LastEnd = z.infer<typeof LastEnd>

const fileOf = (database: string) => `${database}.last-end`

/** Undefined at the first start, or if the file doesn't parse. Throws if too many files are open. */
export function readLastEnd(database: string): LastEnd | undefined {
  try {
    return parseStored(LastEnd, readFileSync(fileOf(database), 'utf8'))
  } catch (cause) {
    // Without it, a log that is missing would not be noticed.
    if (isOutOfFiles(cause)) throw cause
    return undefined
  }
}

/** Whether there ever was a database; a file that doesn't parse also counts. */
export const hasLastEnd = (database: string) => existsSync(fileOf(database))

/** Without the file, the next start checks every page, so a disk error here only costs time. */
export function writeLastEnd(database: string, end: LastEnd): void {
  try {
    writeWhole(fileOf(database), JSON.stringify(end))
  } catch {
    forgetLastEnd(database)
  }
}

export function forgetLastEnd(database: string): void {
  rmSync(fileOf(database), { force: true })
}

/**
 * Closes a database whose opening failed. SQLite moves the log into the file then, so that the log may be missing without
 * any loss.
 */
export function closeUnopened(db: Database, database: string): void {
  try {
    writeLastEnd(database, { was: 'closing' })
  } catch {
    // A disk that can neither write nor remove the note keeps the log as well.
  }
  db.close()
}

/**
 * The `closed` state of a database as it is now. Only reads the file's metadata: opening and closing the file here would
 * drop SQLite's lock on it.
 */
export function asClosed(database: string): LastEnd {
  const { size, mtimeNs } = statSync(database, { bigint: true })
  return { was: 'closed', size: Number(size), mtimeNs: String(mtimeNs) }
}

/** Whether a database is unchanged since it was closed. */
export function isUntouched(database: string, end: LastEnd | undefined): boolean {
  if (end?.was !== 'closed') return false
  const now = asClosed(database)
  return now.was === 'closed' && now.size === end.size && now.mtimeNs === end.mtimeNs
}

import { existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { z } from 'zod'
import { writeWhole } from './files'
import { parseStored } from './settings'

/**
 * A small file beside the database that says how its last use ended.
 *
 * `open`: it was not closed, so its write-ahead log must be there. `closing`: it was being closed, and the log may be
 * gone already. `closed`: everything is in the database file, which had this size and this time of change; as long as it
 * still has both, nobody touched it since, and looking at every page again would only cost the person at the counter time.
 */
const LastEnd = z.discriminatedUnion('was', [
  z.object({ was: z.literal('open') }),
  z.object({ was: z.literal('closing') }),
  z.object({ was: z.literal('closed'), size: z.number(), mtimeNs: z.string() }),
])
export type LastEnd = z.infer<typeof LastEnd>

const fileOf = (database: string) => `${database}.last-end`

/** Undefined when nothing is known: the first start, or a file that does not parse. */
export function readLastEnd(database: string): LastEnd | undefined {
  try {
    return parseStored(LastEnd, readFileSync(fileOf(database), 'utf8'))
  } catch {
    return undefined
  }
}

/** Whether there ever was a database: also a file that does not parse says so. */
export const hasLastEnd = (database: string) => existsSync(fileOf(database))

/** Without the file the next start looks at every page, so a disk that refuses it costs only time. */
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

/** A database as it is now, closed. Looks at the folder's entry only: to open the file here would drop SQLite's lock on it. */
export function asClosed(database: string): LastEnd {
  const { size, mtimeNs } = statSync(database, { bigint: true })
  return { was: 'closed', size: Number(size), mtimeNs: String(mtimeNs) }
}

/** Whether a database was not changed since it was closed. */
export function isUntouched(database: string, end: LastEnd | undefined): boolean {
  if (end?.was !== 'closed') return false
  const now = asClosed(database)
  return now.was === 'closed' && now.size === end.size && now.mtimeNs === end.mtimeNs
}

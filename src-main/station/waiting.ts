import { existsSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import { z } from 'zod'

const Count = z.number().int().nonnegative()

/**
 * How many reports in the database of a profile that is not open are not done: unsent, or refused and not dealt with.
 * Read without changing anything; undefined when it can't be read, and so may hold any.
 */
export function waitingIn(databaseFile: string): number | undefined {
  if (!existsSync(databaseFile)) return 0
  try {
    const db = new Sqlite(databaseFile, { readonly: true, fileMustExist: true })
    try {
      return Count.parse(
        db.prepare(`SELECT count(*) FROM operation WHERE state NOT IN ('accepted', 'cancelled')`).pluck().get(),
      )
    } finally {
      db.close()
    }
  } catch {
    return undefined
  }
}

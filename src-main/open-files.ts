import { closeSync, openSync } from 'node:fs'
import { devNull } from 'node:os'
import Sqlite from 'better-sqlite3'

/** EMFILE: this program has as many files and connections open as it may; ENFILE: the computer has. */
const codes: unknown[] = ['EMFILE', 'ENFILE']

/** Files that are opened at once to see whether any are left: SQLite opens a few for one step. */
const forOneStep = 4

/**
 * Whether the computer refuses to open more files at this moment. For failures that don't name their cause: SQLite only says
 * that it can't open a file, a name server isn't found, a certificate file can't be read. `needed`: as many must be left.
 */
export function hasNoFilesLeft(needed = forOneStep): boolean {
  const opened: number[] = []
  try {
    while (opened.length < needed) opened.push(openSync(devNull, 'r'))
    return false
  } catch (cause) {
    return codes.includes(codeOf(cause))
  } finally {
    for (const file of opened) closeSync(file)
  }
}

/** Whether something failed because no more files or connections could be opened. Never throws. */
export function isOutOfFiles(cause: unknown): boolean {
  for (let at = cause, depth = 0; at instanceof Error && depth < 10; at = at.cause, depth++) {
    if (codes.includes(codeOf(at))) return true
    if (at instanceof Sqlite.SqliteError && /^SQLITE_(CANTOPEN|IOERR)/.test(at.code)) return hasNoFilesLeft()
  }
  return false
}

const codeOf = (cause: unknown): unknown =>
  typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined

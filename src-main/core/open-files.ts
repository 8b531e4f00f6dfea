import { closeSync, openSync } from 'node:fs'
import { devNull } from 'node:os'
import Sqlite from 'better-sqlite3'

/** EMFILE: this program has as many files and connections open as it may; ENFILE: the computer has. */
const codes: unknown[] = ['EMFILE', 'ENFILE']

/**
 * With fewer files left than this, one of a few steps fails, and what failed has closed its own by the time it is asked why. A
 * salvage has no more open at once.
 */
const fewest = 16

/**
 * Whether this program can hardly open more files at this moment. For failures that don't name their cause: SQLite only says
 * that it can't open a file, a name server isn't found, a certificate file can't be read.
 */
export function hasNoFilesLeft(): boolean {
  const opened: number[] = []
  try {
    while (opened.length < fewest) opened.push(openSync(devNull, 'r'))
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
